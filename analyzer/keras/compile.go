package keras

import (
	"cmp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Compile is a call of Model.compile.
type Compile struct {
	// XLA is jit_compile: "auto", "True" or "False". It is "clusters" if jit_compile is False and
	// tf.config.optimizer.set_jit compiles parts of the step.
	XLA   string
	Eager bool // run_eagerly
	// undecided says why it is not known how the steps are compiled.
	undecided *value.Cause
	snapshot  *trainableSnapshot // in Keras 2: which of the model's layers were trainable
	// Against is what keeps Keras from compiling with XLA by default, as a clause.
	Against string
	Node    syntax.Node
	// Losses are the names of the losses as the program writes them: one for all outputs, or one
	// for each in order. An output without a loss has NoLoss, and a custom loss has "". Losses is
	// nil if they are not known.
	Losses []string
	loss   value.Value // as passed to compile
	own    *ownLoss    // set if the program writes the loss
	parts  []*lossCall // the losses of Keras
	// Labels is the integer type that fit compares an output with, if it is known.
	Labels DType
	// Measures is set if there are metrics. Ranks is set if one looks for the largest score of
	// each row, Splits if one compares each score with a threshold, Differs if one takes the
	// differences of all scores.
	Measures, Ranks, Splits, Differs bool
}

// measured reads the metrics passed to compile.
func (c *Compile) measured(v value.Value) {
	switch x := v.X.(type) {
	case nil, value.None:
		return
	case *value.Dict:
		for _, item := range x.Values {
			c.measured(item)
		}
		return
	}
	if items, ok := objects.Sequence(v); ok {
		for _, item := range items {
			c.measured(item)
		}
		return
	}
	c.Measures = true
	name := ""
	switch x := v.X.(type) {
	case string:
		name = x
	case *metric:
		name = x.name
	}
	c.Ranks = c.Ranks || ranks(name)
	switch lossName(name) {
	case "binaryaccuracy":
		c.Splits = true
	case "mae", "meanabsoluteerror", "mse", "meansquarederror", "rootmeansquarederror":
		c.Differs = true
	}
}

// A metric is one of keras.metrics.
type metric struct {
	opaque
	name string // of its class
}

// ranks reports whether a metric compares categories, as accuracy does if the loss does
// (keras/src/trainers/compile_utils.py, get_metric).
func ranks(name string) bool {
	switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
	case "acc", "accuracy", "categoricalaccuracy", "sparsecategoricalaccuracy":
		return true
	}
	return false
}

// Loss returns the name of an output's loss, without underscores and in lower case, or "".
func (c *Compile) Loss(output int) string {
	if c == nil {
		return ""
	}
	name, _ := at(c.Losses, output)
	return lossName(name)
}

// at returns an output's part of a list with one part per output, or one for all.
func at[T any](list []T, output int) (part T, ok bool) {
	switch {
	case len(list) == 0:
		return part, false
	case len(list) == 1:
		output = 0
	case output >= len(list):
		return part, false
	}
	return list[output], true
}

// NoLoss is the loss name of an output without a loss.
const NoLoss = "none"

// Skips reports whether compile sets no loss for an output.
func (c *Compile) Skips(output int) bool { return c.Loss(output) == NoLoss }

// losses reads the loss passed to compile, with lossOf and lossNameOf: one for each output or one
// for all.
func (c *Compile) losses(m *Model, loss value.Value) {
	c.loss = loss
	for _, part := range m.lossParts(loss) {
		c.Losses = append(c.Losses, lossNameOf(part))
		c.parts = append(c.parts, lossOf(part, m.Keras == 2))
	}
}

// lossParts returns the losses of the outputs in order. A dictionary has them by output name, and
// an output that it lacks has none. It returns nil if they are not known.
func (m *Model) lossParts(loss value.Value) []value.Value {
	switch x := loss.X.(type) {
	case nil, value.None:
		return nil
	case *value.Dict:
		if x.Open != nil {
			return nil
		}
		var parts []value.Value
		named := false
		for _, name := range m.outputNames() {
			part, ok := x.Get(name)
			if !ok {
				part = value.Value{X: value.None{}}
			}
			named = named || ok
			parts = append(parts, part)
		}
		if named {
			return parts
		}
		return x.Values
	}
	if items, ok := objects.Sequence(loss); ok {
		return items
	}
	return []value.Value{loss}
}

// outputNames returns the names by which compile knows the outputs: the keys of the dictionary
// that the model returns, else the names of the output layers
// (keras/src/trainers/compile_utils.py, CompileLoss.build).
func (m *Model) outputNames() (names []string) {
	if d, ok := m.returns.X.(*value.Dict); ok && len(d.Keys) == len(m.Outputs) {
		for _, key := range d.Keys {
			name, _ := key.X.(string)
			names = append(names, name)
		}
		return names
	}
	for _, s := range m.Outputs {
		if s.from != nil {
			names = append(names, s.from.layer.Name)
		} else {
			names = append(names, s.name)
		}
	}
	return names
}

// lossOf returns a loss of Keras passed to compile. It has no name for any other loss.
func lossOf(v value.Value, keras2 bool) *lossCall {
	l := lossWith(lossNameOf(v), nil, keras2)
	if x, ok := v.X.(*lossValue); ok {
		*l = *x.with
	}
	return l
}

// lossNameOf returns the name of a loss of Keras passed to compile, NoLoss for None, and "" for
// everything else.
func lossNameOf(v value.Value) string {
	switch x := v.X.(type) {
	case value.None:
		return NoLoss
	case string:
		return x
	case *lossValue:
		return x.name
	case value.External:
		if name, ok := strings.CutPrefix(x.Name, "tensorflow.keras.losses."); ok {
			return name
		}
	}
	return ""
}

func (v *modelValue) compile(in *value.Interp, args *value.Args) value.Value {
	m := v.model
	in.Touch(modelCompilation{m})
	if v.custom != nil {
		for _, name := range []string{"compute_loss", "train_step"} {
			if v.custom.defines(in, name) {
				m.Step = value.Because(value.UnmodelledTraining, "its %s is the program's own", name)
			}
		}
	}
	loss, _ := args.Get(1, "loss")
	m.Compiled = &Compile{XLA: "auto", Against: v.h.againstXLA(m), Node: args.Node}
	m.Compiled.losses(m, loss)
	metrics, _ := args.Get(3, "metrics")
	m.Compiled.measured(metrics)
	if m.Keras == 2 {
		m.Compiled.XLA, m.Compiled.Against = "False", unlessAsked
		m.Compiled.snapshot = m.trainableNow()
	}
	optimizer, ok := args.Get(0, "optimizer")
	if class, isClass := optimizer.X.(value.External); isClass {
		optimizer = value.Value{X: class.Name[strings.LastIndexByte(class.Name, '.')+1:]}
	}
	switch o, known := v.h.identified(optimizer, m.Keras); {
	case !ok:
		m.Optimizer = optimizerNamed("rmsprop", m.Keras)
	case known:
		m.Optimizer = o
	default:
		m.Optimizer = &Optimizer{Class: "?", Unknown: value.Because(value.UnmodelledTraining, "the optimizer is not known: %s", objects.Because(optimizer))}
	}
	if v.h.computes() == "float16" && v.h.dtypePolicy() != "float16" && m.Optimizer.Unknown == nil {
		scaled := *m.Optimizer // compile wraps it in a LossScaleOptimizer
		scaled.Barrier, scaled.Branches = true, true
		m.Optimizer = &scaled
	}
	m.Compiled.undecided = v.h.undecided
	m.Compiled.Eager = v.h.eager
	for _, name := range []string{"jit_compile", "run_eagerly"} {
		if to, ok := args.Keywords.Get(name); ok {
			m.Compiled.set(in, name, to)
		}
	}
	if m.Compiled.XLA == "False" && v.h.clusters {
		m.Compiled.XLA = "clusters"
	}
	return value.Value{X: value.None{}}
}

// set sets jit_compile or run_eagerly, passed to compile or assigned later.
func (c *Compile) set(in *value.Interp, name string, to value.Value) {
	if name == "run_eagerly" {
		on, why := decided(in, to, eagerly)
		c.Eager, c.undecided = c.Eager || on, cmp.Or(c.undecided, why)
		return
	}
	switch x := to.X.(type) {
	case bool:
		c.XLA = map[bool]string{true: "True", false: "False"}[x]
	case value.Unknown:
		c.undecided = value.Because(value.UnmodelledTraining, "whether XLA compiles its steps is not known: %s", objects.Because(to))
	}
}

// recompiled assigns jit_compile or run_eagerly of a compiled model. It applies to later training
// (keras/src/trainers/trainer.py, jit_compile).
func (v *modelValue) recompiled(in *value.Interp, name string, to value.Value) {
	m := v.model
	if m.Compiled == nil {
		return // compile decides
	}
	in.Touch(modelCompilation{m})
	compiled := *m.Compiled
	if name == "run_eagerly" {
		compiled.Eager = v.h.eager
	}
	compiled.set(in, name, to)
	m.Compiled = &compiled
}
