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
	// XLA is jit_compile: "auto", "True", "False"; "clusters" where that is False
	// and tf.config.optimizer.set_jit compiles parts of the step.
	XLA   string
	Eager bool // run_eagerly
	// undecided is why it is not known how its steps are compiled.
	undecided string
	phase     *trainableSnapshot // of Keras 2: what it says of the model's layers
	// Against is what keeps Keras from compiling with XLA by itself, as a clause.
	Against string
	Node    syntax.Node
	// Losses are the names of the losses, as the program has them: one for all
	// outputs, or one for each in their order, NoLoss for one without and empty for one that is
	// not Keras's; none where they are not known.
	Losses []string
	loss   value.Value // as compile is given it
	own    *ownLoss    // where the program writes it
	parts  []*lossCall // those that Keras has
	// Labels is the type of the whole numbers that fit compares an output with, where that is
	// known.
	Labels DType
	// Measures tells that there are metrics, Ranks that one of them looks for the largest
	// score of each row, Splits that one compares each score with a threshold, Differs that one
	// is of the differences of all of them.
	Measures, Ranks, Splits, Differs bool
}

// measured reads the metrics that compile is given.
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

// metric is one of keras.metrics.
type metric struct {
	opaque
	name string // of its class
}

// ranks tells whether a metric of a name compares categories, as accuracy does where the
// loss does (keras/src/trainers/compile_utils.py, get_metric).
func ranks(name string) bool {
	switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
	case "acc", "accuracy", "categoricalaccuracy", "sparsecategoricalaccuracy":
		return true
	}
	return false
}

// Loss is the name of the loss of the output of a number, without underscores and
// in lower case, or empty.
func (c *Compile) Loss(output int) string {
	if c == nil {
		return ""
	}
	name, _ := at(c.Losses, output)
	return lossName(name)
}

// at is the part of a list, of one for each output or one for all, that is an output's.
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

// NoLoss is the name of the loss of an output that compile is told has none.
const NoLoss = "none"

// Skips tells whether compile is told that an output has no loss.
func (c *Compile) Skips(output int) bool { return c.Loss(output) == NoLoss }

// losses are what compile is given as loss, a part for each output or one for all, as lossOf
// and lossNameOf have them.
func (c *Compile) losses(m *Model, loss value.Value) {
	c.loss = loss
	for _, part := range m.lossParts(loss) {
		c.Losses = append(c.Losses, lossNameOf(part))
		c.parts = append(c.parts, lossOf(part, m.Keras == 2))
	}
}

// lossParts are the losses of the outputs in their order, which those in a dictionary have by
// their names: what it leaves out has none. None where it is not known what they are.
func (m *Model) lossParts(loss value.Value) []value.Value {
	switch x := loss.X.(type) {
	case nil, value.None:
		return nil
	case *value.Dict:
		if x.Open != "" {
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

// outputNames are the names by which compile knows the outputs: the keys of the dictionary that
// the model returns, else the names of the layers that make them
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

// lossOf is a loss of Keras that compile is given, without a name for any other.
func lossOf(v value.Value, keras2 bool) *lossCall {
	l := lossWith(lossNameOf(v), nil, keras2)
	if x, ok := v.X.(*lossValue); ok {
		*l = *x.with
	}
	return l
}

// lossNameOf is the name of a loss of Keras that compile is given, NoLoss for None, and empty for
// all else.
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
				m.Step = "its " + name + " is the program's own"
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
		m.Compiled.phase = m.trainableNow()
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
		m.Optimizer = &Optimizer{Class: "?", Unknown: "the optimizer is not known: " + objects.Because(optimizer)}
	}
	if v.h.computes() == "float16" && v.h.dtypePolicy() != "float16" && m.Optimizer.Unknown == "" {
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

// set is jit_compile or run_eagerly, given to compile or set afterwards.
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
		c.undecided = "whether XLA compiles its steps is not known: " + objects.Because(to)
	}
}

// recompiled is jit_compile or run_eagerly of a model that is compiled already: what trains it
// from then on runs so (keras/src/trainers/trainer.py, jit_compile).
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
