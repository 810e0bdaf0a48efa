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
	phase     *phase // of Keras 2: what it says of the model's layers
	// Against is what keeps Keras from compiling with XLA by itself, as a clause.
	Against string
	Node    syntax.Node
	// Losses are the names of the losses, as the program has them: one for all
	// outputs, or one for each in their order; none where they are not known.
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

// lossesOf are the losses that compile is given, as lossNames has them.
func lossesOf(v value.Value, keras2 bool) (out []*lossCall) {
	each(v, func(v value.Value) value.Value {
		for _, name := range lossNames(v) {
			l := lossWith(name, nil, keras2)
			if x, ok := v.X.(*lossValue); ok {
				*l = *x.with
			}
			out = append(out, l)
		}
		return v
	})
	return out
}

// lossNames are the names of what compile is given as loss.
func lossNames(v value.Value) []string {
	switch x := v.X.(type) {
	case string:
		return []string{x}
	case *lossValue:
		return []string{x.name}
	case value.External:
		if name, ok := strings.CutPrefix(x.Name, "tensorflow.keras.losses."); ok {
			return []string{name}
		}
		return []string{""}
	}
	items, ok := objects.Sequence(v)
	if d, isDict := v.X.(*value.Dict); isDict {
		items, ok = d.Values, true
	}
	if !ok {
		return nil
	}
	var out []string
	for _, item := range items {
		names := lossNames(item)
		if len(names) != 1 {
			return nil
		}
		out = append(out, names[0])
	}
	return out
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
	m.Compiled = &Compile{XLA: "auto", Against: v.h.againstXLA(m), Node: args.Node, Losses: lossNames(loss), loss: loss, parts: lossesOf(loss, m.Keras == 2)}
	metrics, _ := args.Get(3, "metrics")
	m.Compiled.measured(metrics)
	if m.Keras == 2 {
		m.Compiled.XLA, m.Compiled.Against = "False", unlessAsked
		m.Compiled.phase = m.present()
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
	if on, ok := args.Keywords.Get("jit_compile"); ok {
		switch x := on.X.(type) {
		case bool:
			m.Compiled.XLA = map[bool]string{true: "True", false: "False"}[x]
		case value.Unknown:
			m.Compiled.undecided = "whether XLA compiles its steps is not known: " + objects.Because(on)
		}
	}
	if m.Compiled.XLA == "False" && v.h.clusters {
		m.Compiled.XLA = "clusters"
	}
	m.Compiled.Eager = v.h.eager
	if v, ok := args.Keywords.Get("run_eagerly"); ok {
		on, why := decided(in, v, eagerly)
		m.Compiled.Eager = m.Compiled.Eager || on
		m.Compiled.undecided = cmp.Or(m.Compiled.undecided, why)
	}
	return value.Value{X: value.None{}}
}
