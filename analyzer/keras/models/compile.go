package models

import (
	"cmp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// measured reads the metrics passed to compile.
func measured(c *graph.Compile, v value.Value) {
	switch x := v.X.(type) {
	case nil, value.None:
		return
	case *value.Dict:
		for _, item := range x.Values {
			measured(c, item)
		}
		return
	}
	if items, ok := objects.Sequence(v); ok {
		for _, item := range items {
			measured(c, item)
		}
		return
	}
	c.Measures = true
	name := ""
	switch x := v.X.(type) {
	case string:
		name = x
	case *Metric:
		name = x.Name
	}
	c.Ranks = c.Ranks || ranks(name)
	switch graph.LossName(name) {
	case "binaryaccuracy":
		c.Splits = true
	case "mae", "meanabsoluteerror", "mse", "meansquarederror", "rootmeansquarederror":
		c.Differs = true
	}
}

// A Metric is one of keras.metrics.
type Metric struct {
	state.Opaque
	Name string // of its class
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

// losses reads the loss passed to compile, with lossOf and lossNameOf: one for each output or one
// for all.
func losses(c *graph.Compile, m *graph.Model, loss value.Value) {
	c.Given = loss
	for _, part := range m.LossParts(loss) {
		c.Losses = append(c.Losses, lossNameOf(part))
		c.Parts = append(c.Parts, lossOf(part, m.Keras == 2))
	}
}

// lossOf returns a loss of Keras passed to compile. It has no name for any other loss.
func lossOf(v value.Value, keras2 bool) *graph.LossCall {
	l := graph.LossWith(lossNameOf(v), nil, keras2)
	if x, ok := v.X.(*ops.LossValue); ok {
		*l = *x.With
	}
	return l
}

// lossNameOf returns the name of a loss of Keras passed to compile, NoLoss for None, and "" for
// everything else.
func lossNameOf(v value.Value) string {
	switch x := v.X.(type) {
	case value.None:
		return graph.NoLoss
	case string:
		return x
	case *ops.LossValue:
		return x.Name
	case value.External:
		if name, ok := strings.CutPrefix(x.Name, "tensorflow.keras.losses."); ok {
			return name
		}
	}
	return ""
}

func (v *ModelValue) compile(in *value.Interp, args *value.Args) value.Value {
	m := v.Model
	in.Touch(graph.ModelCompilation{Of: m})
	if v.custom != nil {
		for _, name := range []string{"compute_loss", "train_step"} {
			if v.custom.defines(in, name) {
				m.Step = value.Because(value.UnmodelledTraining, "its %s is the program's own", name)
			}
		}
	}
	loss, _ := args.Get(1, "loss")
	m.Compiled = &graph.Compile{XLA: "auto", Against: steps.AgainstXLA(v.H, m), Node: args.Node}
	losses(m.Compiled, m, loss)
	for at, name := range map[int]string{3: "metrics", 4: "weighted_metrics"} {
		metrics, _ := args.Get(at, name)
		measured(m.Compiled, metrics)
	}
	if m.Keras == 2 {
		m.Compiled.XLA, m.Compiled.Against = "False", graph.UnlessAsked
		m.Compiled.Snapshot = m.TrainableNow()
	}
	optimizer, ok := args.Get(0, "optimizer")
	if class, isClass := optimizer.X.(value.External); isClass {
		optimizer = value.Value{X: class.Name[strings.LastIndexByte(class.Name, '.')+1:]}
	}
	keras := v.H.Optimizers(m.Keras)
	switch o, known := steps.Identified(v.H, optimizer, keras); {
	case !ok:
		m.Optimizer = steps.OptimizerNamed("rmsprop", keras)
	case known:
		m.Optimizer = o
	default:
		m.Optimizer = &graph.Optimizer{Class: "?", Unknown: value.Because(value.UnmodelledTraining, "the optimizer is not known: %s", objects.Because(optimizer))}
	}
	if m.Optimizer.Unknown == nil && v.H.MultiBackend(m.Node) {
		m.Optimizer = steps.Composed(m.Optimizer)
	}
	if policy := v.H.DTypePolicy(m.Node); policy == "mixed_float16" && m.Optimizer.Unknown == nil {
		scaled := *m.Optimizer // compile wraps it in a LossScaleOptimizer
		scaled.Barrier, scaled.Branches = true, true
		m.Optimizer = &scaled
	}
	m.Compiled.Undecided = v.H.Undecided
	m.Compiled.Eager = v.H.Eager
	for _, name := range []string{"jit_compile", "run_eagerly"} {
		if to, ok := args.Keywords.Get(name); ok {
			set(m.Compiled, in, name, to)
		}
	}
	if m.Compiled.XLA == "False" && v.H.Clusters {
		m.Compiled.XLA = "clusters"
	}
	return value.Value{X: value.None{}}
}

// set sets jit_compile or run_eagerly, passed to compile or assigned later.
func set(c *graph.Compile, in *value.Interp, name string, to value.Value) {
	if name == "run_eagerly" {
		on, why := state.Decided(in, to, state.Eagerly)
		c.Eager, c.Undecided = c.Eager || on, cmp.Or(c.Undecided, why)
		return
	}
	switch x := to.X.(type) {
	case bool:
		c.XLA = map[bool]string{true: "True", false: "False"}[x]
	case value.Unknown:
		c.Undecided = value.Because(value.UnmodelledTraining, "whether XLA compiles its steps is not known: %s", objects.Because(to))
	}
}

// recompiled assigns jit_compile or run_eagerly of a compiled model. It applies to later training
// (keras/src/trainers/trainer.py, jit_compile).
func (v *ModelValue) recompiled(in *value.Interp, name string, to value.Value) {
	m := v.Model
	if m.Compiled == nil {
		return // compile decides
	}
	in.Touch(graph.ModelCompilation{Of: m})
	compiled := *m.Compiled
	if name == "run_eagerly" {
		compiled.Eager = v.H.Eager
	}
	set(&compiled, in, name, to)
	m.Compiled = &compiled
}

// compiledLoss is compute_loss and compiled_loss, which models inherit: the loss passed to
// compile, and those that layers add (keras/src/trainers/trainer.py, compute_loss).
func (v *ModelValue) compiledLoss(in *value.Interp, name string, args *value.Args) (out value.Value) {
	at, more := 0, args.Keywords.Value("regularization_losses")
	if name == "compute_loss" {
		at, more = 1, v.losses() // x comes first
	}
	defer func() {
		for _, s := range tensorsIn(more) {
			if out.Known() {
				out = ops.Binary(v.H, graph.OpAdd, out, ops.Tensor(v.H, s))
			}
		}
	}()
	truth, _ := objects.Passed(args, at, "y", "y_true")
	guess, ok := objects.Passed(args, at+1, "y_pred")
	if v.Model.Compiled == nil || !ok {
		return v.H.Steps.Lose(value.Because(value.UnmodelledTraining, "the loss that the model is compiled with is not known"))
	}
	pair := &value.Args{Positional: []value.Value{truth, guess}, Node: args.Node}
	loss := v.Model.Compiled.Given
	switch x := loss.X.(type) {
	case string:
		return ops.LossOf(v.H, x, false, graph.LossWith(x, nil, v.H.Keras() == 2), pair)
	case *value.Func, *value.Bound, *ops.LossValue, *value.Instance:
		return interp.Call(in, loss, pair)
	case value.External:
		if name, ok := strings.CutPrefix(x.Name, "tensorflow.keras.losses."); ok {
			return ops.LossOf(v.H, name, false, graph.LossWith(name, nil, v.H.Keras() == 2), pair)
		}
	}
	return v.H.Steps.Lose(value.Because(value.UnmodelledTraining, "the loss that the model is compiled with is not followed"))
}

// unused returns the arrays among the targets of fit, one for each output, whose outputs have no
// loss.
func unused(m *graph.Model, targets value.Value) map[int]graph.Input {
	items, ok := objects.Sequence(targets)
	if !ok || len(items) != len(m.Outputs) {
		return nil
	}
	out := map[int]graph.Input{}
	for i, item := range items {
		shape, d, known := numpy.Of(item)
		if !known || len(shape) == 0 || !m.Compiled.Skips(i) {
			continue
		}
		if d == "float64" {
			d = "float32" // keras/src/trainers/data_adapters/array_data_adapter.py
		}
		out[i] = graph.Input{Shape: shape, DType: d}
	}
	return out
}

// compares follows the losses passed to compile on tensors of the shapes of a batch. A target that
// is not known is taken to be like its output. What losses that are not followed take is a term of the
// call.
func (v *ModelValue) compares(in *value.Interp, u *graph.ModelCall, data, targets value.Value) {
	m := v.Model
	switch {
	case u.Method != "fit" && u.Method != "fit_generator" && u.Method != "train_on_batch", v.H.OnTensors():
		return
	case m.Compiled == nil, !m.Compiled.Asked(), m.Step != nil:
		return
	}
	m.Compiled.Unused = unused(m, targets)
	if _, d, known := numpy.Of(targets); known && !d.Floating() && len(m.Outputs) == 1 {
		m.Compiled.Labels = d // others become float32
	}
	var truths []value.Value
	batch, _ := wholeBatch(v.H, data, targets)
	if parts, _ := batch.X.(value.Tuple); len(parts) > 1 {
		truths = m.LossParts(parts[1])
	}
	losses, own := m.LossParts(m.Compiled.Given), make([]*graph.OwnLoss, len(m.Outputs))
	for i, output := range m.Outputs {
		truth := &graph.Symbolic{Shape: output.Shape, DType: "float32"}
		if len(truths) == len(m.Outputs) {
			if given, ok := truths[i].X.(*ops.SymbolicValue); ok {
				truth = given.S
			}
		}
		loss, _ := graph.At(losses, i)
		var why *value.Cause
		if own[i], why = v.compared(in, loss, truth, output); own[i] != nil {
			m.Compiled.Own = own
		} else if why != nil {
			u.Data = []graph.DataTerm{{What: "the tensors of a loss", Node: u.Node, Unknown: why}}
		}
	}
}

// compared follows a loss on tensors of the shapes of an output and its target. It returns nil for
// those of Keras but its CTC, and for one that cannot be followed, with the reason.
func (v *ModelValue) compared(in *value.Interp, loss value.Value, truth, output *graph.Symbolic) (*graph.OwnLoss, *value.Cause) {
	switch x := loss.X.(type) {
	case *value.Func, *value.Bound:
	case *ops.LossValue:
		// The length of the labels decides the shapes in this loss, and an output does not
		// determine it.
		if graph.LossName(x.Name) != "ctc" {
			return nil, nil
		}
	case *value.Instance:
		loss = interp.Attr(in, loss, "call")
	default:
		if lossNameOf(loss) != "" {
			return nil, nil
		}
		return nil, value.Because(value.UnmodelledTraining, "what the loss computes is not known: %s", objects.Because(loss).String())
	}
	if len(truth.Shape) == 0 || len(output.Shape) == 0 {
		return nil, value.Because(value.UnmodelledTraining, "what the loss compares is not known")
	}
	own := &graph.OwnLoss{Guess: &graph.Symbolic{Shape: output.Shape, DType: output.DType}, Truth: &graph.Symbolic{Shape: truth.Shape, DType: truth.DType}}
	if own.Truth.DType == "float64" {
		own.Truth.DType = "float32" // keras/src/losses/loss.py, Loss.__call__
	}
	end := v.H.Calls.Trace()
	result := interp.Call(in, loss, &value.Args{Positional: []value.Value{ops.Tensor(v.H, own.Truth), ops.Tensor(v.H, own.Guess)}, Node: v.Model.Compiled.Node})
	end()
	if _, ok := result.X.(*ops.SymbolicValue); !ok {
		return nil, value.Because(value.UnmodelledTraining, "what the loss computes is not known: %s", objects.Because(result).String())
	}
	_, own.Body = ops.BodyOf(v.H, result, []*graph.Symbolic{own.Guess, own.Truth})
	return own, nil
}
