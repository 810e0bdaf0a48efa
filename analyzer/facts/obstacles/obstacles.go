// Package obstacles tells what keeps code from being compiled by tf.function as it is: what it needs of
// Python that a compiled step does only while it is traced, or not at all.
//
// It judges by the code alone: by origins of values, and by the functions that the code surely calls. It
// knows no rule, and writes no message.
package obstacles

import (
	"iter"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Obstacles are a set of what keeps code from being compiled.
type Obstacles uint16

const (
	ReadsValues     Obstacles = 1 << iota // it reads a tensor's value, or draws numbers from Python
	KeepsState                            // it changes attributes, or names and lists of the code around it, or reads complete shapes
	ValueBranches                         // it has an if on a tensor's value
	IteratesTensors                       // it iterates over a tensor in a way that AutoGraph does not convert
	MakesVariables                        // it makes variables, or objects that have some, each time that it runs
	ShowsValues                           // it prints a tensor's value, or reads it after the gradient
	PreparesInputs                        // it makes arrays with NumPy that could be made before the tape
	HasEffects                            // it prints, writes, makes Python numbers, fits, sets items or yields, which a trace does only once, or not at all

	// Prevents are those with which compiled code raises, or computes something else.
	Prevents = HasEffects - 1
)

// Of returns the obstacles of code and of what it calls in the program. Functions that are compiled
// themselves, and code that only runs when an object is constructed, do not count.
func Of(info *names.Info, code syntax.Node) Obstacles {
	w := newWalk(info)
	return w.of(code)
}

// InTape returns the obstacles of what a tape records: the body of a with statement, or a function. In a
// body, NumPy that only reads what is known before the tape begins is none, nor are values that are read
// after the gradient, as for a log: they can be read outside.
func InTape(info *names.Info, recorded syntax.Node) (found Obstacles) {
	if recorded.Parent().Kind() != syntax.WithStatement {
		return Of(info, recorded)
	}
	w := newWalk(info)
	w.recorded = recorded
	statements := slices.Collect(recorded.Children())
	last := len(statements) // after which no gradient is computed
	for last > 0 && !w.takesGradient(statements[last-1]) {
		last--
	}
	for i, statement := range statements {
		of := w.of(statement)
		if last > 0 && i >= last && of&ReadsValues != 0 {
			of = of&^ReadsValues | ShowsValues
		}
		found |= of
	}
	return found
}

// A walk goes through code and the functions of the program that it calls, each once.
type walk struct {
	info     *names.Info
	facts    *facts.Facts
	recorded syntax.Node // what becomes a function, the body of a with statement, or none
	seen     map[*names.Function]bool
}

func newWalk(info *names.Info) *walk {
	return &walk{info: info, facts: facts.Of(info), seen: map[*names.Function]bool{}}
}

// takesGradient reports whether a statement of a tape's body computes a gradient of that tape, which ends
// the forward pass.
func (w *walk) takesGradient(statement syntax.Node) bool {
	if statement.Is(definitions...) {
		return false
	}
	tapes := w.recorded.Parent()
	found := false
	statement.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			e := effects.Lookup(w.info.Callee(n))
			tape := n.Child(syntax.FieldFunction).Child(syntax.FieldObject)
			found = found || e != nil && e.Effects.Has(effects.TakesGradient) && slices.ContainsFunc(w.info.ReachingDefs(tape), func(b *names.Binding) bool {
				return b.Node.Within(tapes) && !b.Node.Within(w.recorded)
			})
		}
		return !found
	})
	return found
}

// definitions are the nodes whose code runs at another time than the code around them.
var definitions = []syntax.Kind{syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition}

// of collects the obstacles of code and of the functions that it runs.
func (w *walk) of(code syntax.Node) (found Obstacles) {
	recorded := w.recorded
	defer func() { w.recorded = recorded }()
	for n, in := range w.reached(code) {
		if n == in.Code && n != code {
			w.recorded = syntax.Node{}
			if f := in.Function; f.Class != nil && w.usesFramework(f.Class) {
				found |= ReadsValues
			}
		}
		if w.iterates(n) {
			found |= IteratesTensors
		}
		switch n.Kind() {
		case syntax.GlobalStatement, syntax.NonlocalStatement:
			found |= KeepsState
		case syntax.Yield, syntax.Await:
			found |= HasEffects
		case syntax.AugmentedAssignment, syntax.Assignment:
			switch n.Child(syntax.FieldLeft).Kind() {
			case syntax.Attribute:
				found |= KeepsState
			case syntax.Subscript:
				found |= HasEffects
			}
		case syntax.IfStatement, syntax.WhileStatement, syntax.ElifClause:
			if w.valueDecides(n.Child(syntax.FieldCondition), in.Function) {
				found |= ValueBranches
			}
		case syntax.ForStatement:
			if slices.ContainsFunc(facts.Reads(n.Child(syntax.FieldRight)), w.history) {
				found |= ReadsValues // a compiled step would go through what is stored there when it is traced
			}
		case syntax.ListSplat:
			if n.Ancestor(syntax.List, syntax.Tuple, syntax.ArgumentList).Is(syntax.List, syntax.Tuple) {
				found |= KeepsState // [*np.shape(x)]: sizes that may only be known when the step runs
			}
		case syntax.Call:
			of := w.alone(n, in.Function)
			if of == ReadsValues && w.recorded.Valid() && w.knownBefore(n) {
				of = PreparesInputs
			}
			if w.asksArray(n, in.Function) {
				of |= PreparesInputs
			}
			if w.hasEffects(n) {
				of |= HasEffects
			}
			found |= of
		}
	}
	return found
}

// Reached is code that runs, and the function that has it; nil for the code of a module.
type Reached struct {
	Code     syntax.Node
	Function *names.Function
	Info     *names.Info
}

// Nodes goes through code and the functions of the program that it surely runs, each once, but for those
// that are compiled themselves and for classes that the code defines.
func Nodes(info *names.Info, code syntax.Node) iter.Seq2[syntax.Node, Reached] {
	return newWalk(info).reached(code)
}

func (w *walk) reached(code syntax.Node) iter.Seq2[syntax.Node, Reached] {
	return func(yield func(syntax.Node, Reached) bool) {
		on, left := true, []syntax.Node{code}
		for len(left) > 0 && on {
			in := Reached{left[0], w.info.ScopeOf(left[0]).Function(), w.info}
			left = left[1:]
			if f := w.info.FunctionAt(in.Code); f != nil {
				in.Function = f
			}
			if in.Function != nil {
				in.Info = in.Function.Info // it may be in another module
			}
			in.Code.Walk(func(n syntax.Node) bool {
				if n.Kind() == syntax.ClassDefinition && n != code || !on {
					return false
				}
				if on = yield(n, in); on && n.Kind() == syntax.Call {
					left = append(left, w.called(n)...)
				}
				return on
			})
		}
	}
}

// called returns the functions of the program that a call runs, if the walk was not in them yet.
func (w *walk) called(call syntax.Node) (code []syntax.Node) {
	for _, f := range append(RanBy(w.info, call), w.methodsOf(call)...) {
		if compiled, _ := f.CompiledBy(); !compiled && !w.seen[f] {
			w.seen[f] = true
			code = append(code, f.Node)
		}
	}
	return code
}

// hasEffects reports whether a call prints, writes or logs something, makes a Python number, adds to a
// container, or trains or predicts with Keras's own loops.
func (w *walk) hasEffects(call syntax.Node) bool {
	switch w.info.Builtin(call) {
	case "print", "input", "open", "float", "int", "bool":
		return true
	}
	switch names.Method(call) {
	case "predict", "evaluate", "fit", "train_on_batch", "test_on_batch", "predict_on_batch", "append", "extend", "write", "item", "info", "debug":
		return w.info.Target(call.Child(syntax.FieldFunction)).Function == nil
	case "update", "add", "log", "set_description", "set_postfix", "add_scalar", "save", "save_weights":
		return !strings.HasPrefix(w.info.Callee(call), "tensorflow.") // a progress bar's, a logger's
	}
	return false
}

// RanBy returns the functions of the program that a call surely runs: a function, or what calling
// an object of the program runs.
func RanBy(info *names.Info, call syntax.Node) []*names.Function {
	function := call.Child(syntax.FieldFunction)
	if t := info.Target(function); t.Function != nil && t.Class == nil {
		return []*names.Function{t.Function}
	}
	var out []*names.Function
	if class := info.TypeOf(function).Local; class != nil {
		for _, name := range []string{"call", "__call__"} {
			if m := class.Info.Method(class, name); m != nil {
				out = append(out, m)
			}
		}
	}
	return out
}

// alone returns the obstacles of a call itself.
func (w *walk) alone(call syntax.Node, fn *names.Function) Obstacles {
	function := call.Child(syntax.FieldFunction)
	first := names.Element(call.Child(syntax.FieldArguments), 0)
	switch method := function.Child(syntax.FieldAttribute).Text(); method {
	case "numpy":
		if names.Shown(call) {
			return ShowsValues
		}
		return ReadsValues
	case "append", "extend":
		if object := function.Child(syntax.FieldObject); object.Kind() == syntax.Attribute || object.Kind() == syntax.Identifier && !w.local(object, fn) {
			return KeepsState
		}
	}
	switch q := w.info.Callee(call); {
	case MakesVariable(w.info, call):
		return MakesVariables
	case q == "" && w.samplesUnknown(call):
		return ReadsValues
	case strings.HasPrefix(q, "numpy.random."), strings.HasPrefix(q, "random."):
		return ReadsValues
	case otherFrameworks[firstPart(q)]:
		return ReadsValues
	case w.summarises(call, q):
		return KeepsState // a compiled step keeps the step number of its trace
	case sizedByValues[q] && !(q == "tensorflow.where" && names.Argument(call, 1, "x").Valid()) && w.asksForShape(call):
		return KeepsState
	case q == "numpy.shape", q == "numpy.ndim":
		return KeepsState // it may read sizes that are only known when the step runs
	case gathers[q] && w.stored(first), (q == "tensorflow.convert_to_tensor" || q == "tensorflow.constant" || q == "tensorflow.stack") && w.storedList(first):
		return ReadsValues // a compiled step would keep what is stored there when it is traced
	case strings.HasPrefix(q, "numpy."), arrayLibraries[firstPart(q)]:
		for a := range call.Child(syntax.FieldArguments).Children() {
			if Mentions(a, func(n syntax.Node) bool { return n.Kind() == syntax.Identifier && w.computedName(n, fn) }) {
				return ReadsValues
			}
		}
	}
	switch name := function.Text(); name {
	case "float", "int", "bool":
		if w.info.Lookup(function) == nil && w.mentionsTensor(first, fn) {
			if names.Shown(call) {
				return ShowsValues
			}
			return ReadsValues
		}
	}
	return 0
}

// otherFrameworks compute with tensors or graphs of their own, and arrayLibraries, as NumPy, with values. No
// tf.function compiles either.
var (
	otherFrameworks = map[string]bool{"torch": true, "torchvision": true, "dgl": true, "mxnet": true, "jax": true, "paddle": true}
	arrayLibraries  = map[string]bool{
		"scipy": true, "pandas": true, "sklearn": true, "skimage": true, "cv2": true, "PIL": true, "imageio": true, "librosa": true, "networkx": true,
		"nltk": true, "gym": true, "gymnasium": true,
	}
)

func firstPart(qualified string) string {
	first, _, _ := strings.Cut(qualified, ".")
	return first
}

// usesFramework reports whether a class has something of another framework, such as a layer.
func (w *walk) usesFramework(class *names.Class) bool {
	found := false
	class.Node.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.Call && otherFrameworks[firstPart(w.info.Callee(n))]
		return !found
	})
	return found
}

// summarises reports whether a call writes a summary without a step of its own, in a program that
// sets the step to a Python number (tensorflow/python/ops/summary_ops_v2.py, set_step).
func (w *walk) summarises(call syntax.Node, q string) bool {
	if !strings.HasPrefix(q, "tensorflow.summary.") || names.Argument(call, 2, "step").Valid() {
		return false
	}
	switch strings.TrimPrefix(q, "tensorflow.summary.") {
	case "scalar", "image", "histogram", "text", "audio", "write":
	default:
		return false
	}
	return slices.ContainsFunc(w.info.Program(), func(module *names.Info) bool {
		return slices.ContainsFunc(module.CallsTo(func(name string) bool { return name == "tensorflow.summary.experimental.set_step" }), func(sets syntax.Node) bool {
			return !w.isTensor(names.Argument(sets, 0, "step"))
		})
	})
}

// gathers are the functions that make an array of what is collected in a container.
var gathers = map[string]bool{
	"numpy.array": true, "numpy.asarray": true, "numpy.stack": true, "numpy.vstack": true, "numpy.hstack": true, "numpy.concatenate": true,
}

// stored reports whether an expression is an attribute of an object, and not of a module, that may
// be a container.
func (w *walk) stored(n syntax.Node) bool {
	if n.Kind() != syntax.Attribute || w.info.Qualified(n) != "" {
		return false
	}
	switch n.Child(syntax.FieldAttribute).Text() {
	case "shape", "dtype", "ndim", "size":
		return false
	}
	return true
}

// storedList reports whether an expression is an attribute of an object of the program that is set to an
// empty list.
func (w *walk) storedList(n syntax.Node) bool {
	return w.stored(n) && w.info.TypeOf(n.Child(syntax.FieldObject)).Local != nil && slices.ContainsFunc(w.facts.Origins(n, nil), func(made origins.Place) bool {
		return made.Node.Kind() == syntax.List && len(made.Path) == 0 && !names.Element(made.Node, 0).Valid()
	})
}

// history reports whether an expression is an attribute of an object of the program that methods append
// to, other than those that construct the object.
func (w *walk) history(n syntax.Node) bool {
	class := w.info.TypeOf(n.Child(syntax.FieldObject)).Local
	return class != nil && w.stored(n) && slices.ContainsFunc(class.Info.MethodCalls(func(name string) bool { return name == "append" }), func(call syntax.Node) bool {
		fn := w.info.ScopeOf(call).Function()
		return call.Child(syntax.FieldFunction).Child(syntax.FieldObject).Text() == n.Text() && fn != nil && fn.Name != "__init__" && fn.Name != "build"
	})
}

// MakesVariable reports whether a call makes a variable, or a layer, a model, a metric or an
// optimizer that may have some.
func MakesVariable(info *names.Info, call syntax.Node) bool {
	q := info.Callee(call)
	function := call.Child(syntax.FieldFunction)
	if class := info.Target(function).Class; class != nil {
		base := info.LibraryBase(class)
		return slices.ContainsFunc(withVariables, func(of string) bool { return info.IsA(base, of) })
	}
	if layer, ok := strings.CutPrefix(q, "tensorflow.keras.layers."); ok && info.IsA(q, "tensorflow.keras.layers.Layer") {
		return layers.MayHaveVariables(layer)
	}
	if effects.Of(q).Has(effects.BuildsOptimizer | effects.BuildsModel | effects.LoadsModel) {
		return true
	}
	return q == "tensorflow.Variable" || q == "tensorflow.keras.Variable" || q == "tensorflow.keras.backend.variable" ||
		function.Child(syntax.FieldAttribute).Text() == "add_weight" ||
		slices.ContainsFunc(withVariables, func(of string) bool { return info.IsA(q, of) })
}

// withVariables are the classes whose objects may have variables.
var withVariables = []string{
	"tensorflow.keras.layers.Layer", "tensorflow.keras.Model", "tensorflow.keras.metrics.Metric", "tensorflow.keras.optimizers.Optimizer",
	"tensorflow.train.Optimizer", "tensorflow.compat.v1.train.Optimizer",
}

// sizedByValues are the operations whose result has as many items as the values say. A compiled
// step does not know its shape.
var sizedByValues = map[string]bool{
	"tensorflow.unique": true, "tensorflow.unique_with_counts": true, "tensorflow.where": true, "tensorflow.boolean_mask": true,
}

// asksForShape reports whether code reads the shape or the length of a call's result, directly or
// through a name for it or for an item of it.
func (w *walk) asksForShape(call syntax.Node) bool {
	if call.Parent().Kind() != syntax.Assignment {
		return shapeRead(call)
	}
	asks := false
	call.Parent().Child(syntax.FieldLeft).Walk(func(n syntax.Node) bool {
		if b := w.info.BindingAt(n); n.Kind() == syntax.Identifier && b != nil {
			asks = asks || slices.ContainsFunc(w.info.Uses(b), shapeRead)
		}
		return !asks
	})
	return asks
}

// shapeRead reports whether a use of a tensor, or of an item of it, reads its shape or length.
func shapeRead(use syntax.Node) bool {
	for ; use.Parent().Is(syntax.Subscript, syntax.Attribute) && use.Field() != syntax.FieldSubscript; use = use.Parent() {
		if use.Parent().Child(syntax.FieldAttribute).Text() == "shape" {
			return true
		}
	}
	return use.Parent().Kind() == syntax.ArgumentList && use.Parent().Parent().Child(syntax.FieldFunction).Text() == "len"
}
