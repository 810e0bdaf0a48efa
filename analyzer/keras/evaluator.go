package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/arrays/gym"
	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/keras/classes"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/python"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An evaluator answers what the interpreter and package arrays ask of the libraries ([value.Host],
// [numpy.Run]).
type evaluator struct{ *state.Host }

// Call answers for the names that are modelled.
func (e evaluator) Call(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	c := &state.Call{H: e.Host, In: in, Name: models.LayerName(name), Args: ops.Batched(e.Host, args)}
	var v value.Value
	if answer, ok := state.Loaded().Owners.Lookup(c.Name); ok {
		v = answer(c)
	}
	if v.X == nil && strings.HasPrefix(c.Name, "tensorflow.") && e.Symbolic(args) {
		v = e.Unknown(value.UnmodelledOperation, "the operation %s on a tensor of a model is not followed", c.Name)
	}
	return ops.Placed(e.Host, c.Name, c.Args, v), v.X != nil
}

// Text implements [value.Host].
func (e evaluator) Text(program, path string) (text string, ok bool) {
	if e.Env.Text == nil {
		return "", false
	}
	return e.Env.Text(program, path)
}

// Head implements [value.Host].
func (e evaluator) Head(program, path string) (text string, ok bool) {
	if e.Env.Head == nil {
		return "", false
	}
	return e.Env.Head(program, path)
}

// Lines implements [value.Host].
func (e evaluator) Lines(program, path string) (text string, ok bool) {
	if e.Env.Lines == nil {
		return "", false
	}
	return e.Env.Lines(program, path)
}

// Folder implements [value.Host].
func (e evaluator) Folder(program, path string) (text string, ok bool) {
	if e.Env.Folder == nil {
		return "", false
	}
	return e.Env.Folder(program, path)
}

// Hinted implements [value.Host]. What is said of a number that is only known within bounds does
// not contradict the bound at hand.
func (e evaluator) Hinted(in *value.Interp, h *hints.Hint, v value.Value) (said value.Value, wrong string) {
	if d, ok := v.X.(*pipelines.Dataset); ok {
		return d.Hinted(h)
	}
	return arrays.Hinted(e.Arrays, in, h, v, len(e.Bounds.Assumed) > 0)
}

func (e evaluator) Attr(in *value.Interp, name string) (value.Value, bool) {
	if file := sourceReads[name]; file != "" {
		return ofSource(e.Host, in, file, name[strings.LastIndexByte(name, '.')+1:]), true
	}
	if d, ok := tensor.DTypeOf(name); ok {
		return value.Value{X: string(d)}, true
	}
	if strings.HasPrefix(name, "tensorflow.keras.") {
		if class, ok := strings.CutSuffix(name, ".__name__"); ok && layers.Modelled(class[strings.LastIndexByte(class, '.')+1:]) {
			return value.Value{X: class[strings.LastIndexByte(class, '.')+1:]}, true
		}
		if class := models.LayerName(name); class != name {
			return value.Value{X: value.External{Name: class}}, true
		}
	}
	switch name {
	case "tensorflow.keras.__version__":
		return e.KerasVersion(), true
	case "tensorflow.newaxis", "tensorflow.compat.v1.newaxis", "numpy.newaxis":
		return value.Value{X: value.None{}}, true
	case "tensorflow_datasets.Split.TRAIN", "tensorflow_datasets.Split.VALIDATION", "tensorflow_datasets.Split.TEST", "tensorflow_datasets.Split.ALL":
		// tensorflow_datasets/core/splits.py: each split is a text
		return value.Value{X: strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])}, true
	case "tensorflow.data.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE":
		return value.Value{X: int64(-1)}, true
	}
	return value.Value{}, false
}

// UnresolvedCall records calls of a model's methods on unknown values.
func (e evaluator) UnresolvedCall(in *value.Interp, method string, args *value.Args, why *value.Cause) {
	switch method {
	case "fit", "compile", "evaluate", "predict", "train_on_batch", "fit_generator":
		e.Program.Unresolved = append(e.Program.Unresolved, graph.UnresolvedCall{Node: args.Node, Method: method, Why: why, Assumed: e.Uncalled, Copied: models.Copied(e.Host, method, args), Traced: in.ObservedStep(args.Node)})
	case "apply_gradients", "minimize":
		if why := value.Because(value.UnmodelledTraining, "the optimizer is not known: %s", why); !e.Uncalled || e.Steps.Running() != nil {
			e.LoseTraining(why, args.Node)
		}
	case "get_updates":
		e.LoseTraining(value.Because(value.UnmodelledTraining, "the optimizer is not known: %s", why), args.Node)
	}
}

// AtEnd reports whether the program is evaluated at one of the bounds.
func (e evaluator) AtEnd() bool { return e.Bounds.At != state.Unbounded }

// Between implements [numpy.Run].
func (e evaluator) Between(low, high int64, why string) int64 {
	return e.Bounds.Between(low, high, why)
}

// Symbolic reports whether symbolic tensors are among the arguments.
func (e evaluator) Symbolic(args *value.Args) bool {
	symbolic, _ := ops.Kinds(args)
	return symbolic
}

// Function returns a function on tensors in its form for arrays.
func (e evaluator) Function(name string) func(in *value.Interp, args *value.Args) value.Value {
	f, short := ops.FunctionNamed(name)
	if f == nil {
		return nil
	}
	return func(in *value.Interp, args *value.Args) value.Value {
		return ops.Eager(e.Host, f(e.Host, in, short, ops.SymbolicArguments(e.Host, args)))
	}
}

// Shaped is the result of a method of an unknown value ([value.Host]).
func (e evaluator) Shaped(in *value.Interp, method string, why *value.Cause, args *value.Args) (value.Value, bool) {
	return e.Arrays.Shaped(in, method, why, args)
}

// Named is an attribute of a data type, which is represented by its name ([value.Host]).
func (evaluator) Named(text, attribute string) (value.Value, bool) {
	return numpy.TypeAttr(text, attribute)
}

// Lacks reports whether Keras's layers and models have no such attribute, unless a program sets
// it.
func (evaluator) Lacks(base, name string) bool {
	base = models.LayerName(base)
	ours := base == "tensorflow.keras.Model" || base == "tensorflow.keras.Sequential" || strings.HasPrefix(base, "tensorflow.keras.layers.")
	return ours && !classes.LayerHas()[name]
}

// Instance implements [value.Host].
func (e evaluator) Instance(in *value.Interp, object *value.Instance, base string) value.Object {
	if base == "tensorflow.keras.losses.Loss" {
		return ops.OwnLoss(e.Host, object)
	}
	if thread := python.ThreadOf(object, base); thread != nil {
		return thread
	}
	if wrapper := gym.InstanceOf(object, base); wrapper != nil {
		return wrapper
	}
	return models.Instance(e.Host, in, object, base)
}

// Enter implements [value.Host].
func (e evaluator) Enter(in *value.Interp, unit syntax.Node, function *names.Function, bound []value.Value) func(value.Value) value.Value {
	return steps.Enter(e.Host, in, unit, function, bound)
}

// Filled implements [value.Host].
func (e evaluator) Filled(in *value.Interp, loop syntax.Node) {
	if !e.Uncalled {
		e.Program.Moment(in, loop, nil, func() []*graph.HostTerm { return pipelines.OnHost(in, nil) })
	}
}

// NextItem implements [value.Host].
func (e evaluator) NextItem(_ *value.Interp, item value.Value) value.Value {
	return steps.NextItem(e.Host, item)
}

// Released implements [value.Host].
func (e evaluator) Released(old value.Value) { steps.Released(e.Host, old) }

// Binds implements [value.Host].
func (e evaluator) Binds(v value.Value) { steps.Binds(e.Host, v) }
