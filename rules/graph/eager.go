package graph

import (
	"iter"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A need is what code needs of Python that a compiled step does only while it is traced, or not at
// all.
type need uint8

const (
	readsValues     need = 1 << iota // it reads a tensor's value, or draws numbers from Python
	keepsState                       // it changes attributes, or names and lists of the code around it, or reads complete shapes
	valueBranches                    // it has an if on a tensor's value
	iteratesTensors                  // it iterates over a tensor in a way that AutoGraph does not convert
	makesVariables                   // it makes variables, or objects that have some, each time that it runs
	showsValues                      // it prints a tensor's value
	preparesInputs                   // it makes arrays with NumPy that could be made before the tape
)

// needs returns why code, and what it calls in the program, needs eager mode. Functions that are
// compiled themselves, and code that only runs when an object is constructed, do not count.
func needs(info *names.Info, code syntax.Node) need {
	return needsOf(info, code, syntax.Node{}, map[*names.Function]bool{}, tensors{info, map[any]bool{}})
}

// needsInTape is needs for what a tape records. NumPy that only reads what is known before the tape
// begins needs no eager mode there.
func needsInTape(info *names.Info, recorded syntax.Node) need {
	of := info
	if fn := info.ScopeOf(recorded).Function(); fn != nil {
		of = fn.Info // it may be in another module
	}
	return needsOf(of, recorded, recorded, map[*names.Function]bool{}, tensors{info, map[any]bool{}})
}

func needsOf(info *names.Info, code, recorded syntax.Node, seen map[*names.Function]bool, t tensors) need {
	defer info.Enter(code).Leave()
	var found need
	fn := info.ScopeOf(code).Function()
	if f := info.FunctionAt(code); f != nil {
		fn = f
	}
	code.Walk(func(n syntax.Node) bool {
		if t.iterates(info, n) {
			found |= iteratesTensors
		}
		switch n.Kind() {
		case syntax.ClassDefinition:
			return n == code
		case syntax.GlobalStatement, syntax.NonlocalStatement:
			found |= keepsState
		case syntax.AugmentedAssignment, syntax.Assignment:
			if n.Child(syntax.FieldLeft).Kind() == syntax.Attribute {
				found |= keepsState
			}
		case syntax.IfStatement, syntax.WhileStatement, syntax.ElifClause:
			if valueDecides(info, n.Child(syntax.FieldCondition), fn) {
				found |= valueBranches
			}
		case syntax.ListSplat:
			if n.Ancestor(syntax.List, syntax.Tuple, syntax.ArgumentList).Is(syntax.List, syntax.Tuple) {
				found |= keepsState // [*np.shape(x)]: sizes that may only be known when the step runs
			}
		case syntax.Call:
			own := needsOfCall(info, n, fn)
			if own == readsValues && recorded.Valid() && knownBefore(info, n, recorded) {
				own = preparesInputs
			}
			if asksArray(info, n, recorded, fn) {
				own |= preparesInputs
			}
			found |= own
			for _, f := range append(ranBy(info, n), methodsOf(info, n)...) {
				if compiled, _ := f.CompiledBy(); !compiled && !seen[f] {
					seen[f] = true
					found |= needsOf(f.Info, f.Node, syntax.Node{}, seen, t)
					if f.Class != nil && usesFramework(f.Class) {
						found |= readsValues
					}
				}
			}
		}
		return true
	})
	return found
}

// ranBy returns the functions of the program that a call surely runs: a function, or what calling
// an object of the program runs.
func ranBy(info *names.Info, call syntax.Node) []*names.Function {
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

// needsOfCall returns what one call needs.
func needsOfCall(info *names.Info, call syntax.Node, fn *names.Function) need {
	function := call.Child(syntax.FieldFunction)
	first := names.Element(call.Child(syntax.FieldArguments), 0)
	switch method := function.Child(syntax.FieldAttribute).Text(); method {
	case "numpy":
		if names.Shown(call) {
			return showsValues
		}
		return readsValues
	case "append", "extend":
		if object := function.Child(syntax.FieldObject); object.Kind() == syntax.Attribute || object.Kind() == syntax.Identifier && !local(info, object, fn) {
			return keepsState
		}
	}
	switch q := info.Callee(call); {
	case makesVariable(info, call, q):
		return makesVariables
	case q == "" && samplesUnknown(info, call):
		return readsValues
	case strings.HasPrefix(q, "numpy.random."), strings.HasPrefix(q, "random."):
		return readsValues
	case frameworks[firstPart(q)]:
		return readsValues
	case summarises(info, call, q):
		return keepsState // a compiled step keeps the step number of its trace
	case sizedByValues[q] && !(q == "tensorflow.where" && names.Argument(call, 1, "x").Valid()) && asksForShape(info, call):
		return keepsState
	case q == "numpy.shape", q == "numpy.ndim":
		return keepsState // it may read sizes that are only known when the step runs
	case gathers[q] && stored(info, first), (q == "tensorflow.convert_to_tensor" || q == "tensorflow.constant" || q == "tensorflow.stack") && storedList(info, first):
		return readsValues // a compiled step would keep what is stored there when it is traced
	case strings.HasPrefix(q, "numpy."), ofArraysToo[firstPart(q)]:
		for a := range call.Child(syntax.FieldArguments).Children() {
			if mentions(a, func(n syntax.Node) bool { return n.Kind() == syntax.Identifier && varies(info, n, fn) }) {
				return readsValues
			}
		}
	}
	switch name := function.Text(); name {
	case "float", "int", "bool":
		if info.Lookup(function) == nil && mentionsTensor(info, first, fn) {
			if names.Shown(call) {
				return showsValues
			}
			return readsValues
		}
	}
	return 0
}

// frameworks are the packages that compute with tensors or graphs of their own, and ofArraysToo those
// that, as NumPy, compute with values. No tf.function compiles either.
var (
	frameworks  = map[string]bool{"torch": true, "torchvision": true, "dgl": true, "mxnet": true, "jax": true, "paddle": true}
	ofArraysToo = map[string]bool{
		"scipy": true, "pandas": true, "sklearn": true, "skimage": true, "cv2": true, "PIL": true, "imageio": true, "librosa": true, "networkx": true,
		"nltk": true, "gym": true, "gymnasium": true,
	}
)

func firstPart(qualified string) string {
	first, _, _ := strings.Cut(qualified, ".")
	return first
}

// usesFramework reports whether a class has something of another framework, such as a layer.
func usesFramework(class *names.Class) bool {
	found := false
	class.Node.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.Call && frameworks[firstPart(class.Info.Callee(n))]
		return !found
	})
	return found
}

// summarises reports whether a call writes a summary without a step of its own, in a program that
// sets the step to a Python number (tensorflow/python/ops/summary_ops_v2.py, set_step).
func summarises(info *names.Info, call syntax.Node, q string) bool {
	if !strings.HasPrefix(q, "tensorflow.summary.") || names.Argument(call, 2, "step").Valid() {
		return false
	}
	switch strings.TrimPrefix(q, "tensorflow.summary.") {
	case "scalar", "image", "histogram", "text", "audio", "write":
	default:
		return false
	}
	return slices.ContainsFunc(info.Program(), func(module *names.Info) bool {
		return slices.ContainsFunc(module.CallsTo(func(name string) bool { return name == "tensorflow.summary.experimental.set_step" }), func(sets syntax.Node) bool {
			return !(tensors{module, map[any]bool{}}).is(module, names.Argument(sets, 0, "step"))
		})
	})
}

// knownBefore reports whether a call of NumPy's, in the body of a with statement, prepares an input
// that has the same value before the statement: it makes an array of names that are bound before, or
// draws random numbers, once in every run of the body.
func knownBefore(info *names.Info, call, body syntax.Node) bool {
	q := info.Callee(call)
	if member, ok := strings.CutPrefix(q, "numpy."); !ok || !prepares[member] && !strings.HasPrefix(member, "random.") {
		return false
	}
	child := call
	for p := call.Parent(); p != body; child, p = p, p.Parent() {
		if !p.Valid() || p.Is(definitions...) || p.Is(loops...) || p.Is(syntax.IfStatement, syntax.ElifClause, syntax.ConditionalExpression, syntax.BooleanOperator, syntax.TryStatement, syntax.ExceptClause) ||
			p.Kind() == syntax.Subscript && child.Field() == syntax.FieldSubscript {
			return false
		}
	}
	return readsBefore(info, call, body, maxHanded)
}

// prepares are the functions of NumPy that make arrays of Python's values, or give arrays another
// shape or type.
var prepares = map[string]bool{
	"array": true, "asarray": true, "stack": true, "vstack": true, "hstack": true, "concatenate": true, "expand_dims": true, "reshape": true, "squeeze": true, "transpose": true,
	"float32": true, "float64": true, "int32": true, "int64": true, "arange": true, "eye": true, "zeros": true, "ones": true, "zeros_like": true, "ones_like": true, "full": true,
}

// readsBefore reports whether an expression reads only values from before a block, itself or through
// names that the block binds to such expressions.
func readsBefore(info *names.Info, n, body syntax.Node, depth int) bool {
	defer info.Enter(n).Leave()
	ok := true
	n.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.Call:
			q := info.Callee(n)
			function := n.Child(syntax.FieldFunction)
			ok = ok && (strings.HasPrefix(q, "numpy.") || q == "" && function.Kind() == syntax.Identifier && plainPython[function.Text()] && info.Lookup(function) == nil ||
				q == "" && function.Kind() == syntax.Attribute && ofArrays[function.Child(syntax.FieldAttribute).Text()])
		case syntax.Identifier:
			ok = ok && (!info.Used(n) || !slices.ContainsFunc(info.ReachingDefs(n), func(b *names.Binding) bool {
				if !b.Node.Within(body) || b.Node.Within(n.Ancestor(loops...)) && b.Kind == names.ForBinding {
					return false // known before, or the name of a comprehension's item
				}
				return depth == 0 || b.Kind != names.AssignBinding || !readsBefore(info, b.Value, body, depth-1)
			}))
		case syntax.Attribute:
			ok = ok && !changedIn(n.Text(), body)
		case syntax.Lambda, syntax.NamedExpression, syntax.Await, syntax.Yield:
			ok = false
		}
		return ok
	})
	return ok
}

// plainPython are functions of Python, and ofArrays methods of arrays, that only read their
// arguments.
var (
	plainPython = map[string]bool{"len": true, "list": true, "tuple": true, "range": true, "zip": true, "enumerate": true, "sorted": true, "reversed": true, "float": true, "int": true, "bool": true, "sum": true, "min": true, "max": true, "abs": true}
	ofArrays    = map[string]bool{"astype": true, "reshape": true, "flatten": true, "ravel": true, "squeeze": true, "transpose": true, "copy": true, "tolist": true}
)

// changedIn reports whether code assigns to an attribute or changes the list that it is.
func changedIn(attribute string, code syntax.Node) bool {
	changed := false
	code.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.Assignment, syntax.AugmentedAssignment:
			changed = changed || strings.HasPrefix(n.Child(syntax.FieldLeft).Text(), attribute)
		case syntax.Call:
			function := n.Child(syntax.FieldFunction)
			switch function.Child(syntax.FieldAttribute).Text() {
			case "append", "extend", "insert", "pop", "remove", "clear", "assign", "assign_add", "assign_sub":
				changed = changed || function.Child(syntax.FieldObject).Text() == attribute
			}
		}
		return !changed
	})
	return changed
}

// gathers are the functions that make an array of what is collected in a container.
var gathers = map[string]bool{
	"numpy.array": true, "numpy.asarray": true, "numpy.stack": true, "numpy.vstack": true, "numpy.hstack": true, "numpy.concatenate": true,
}

// stored reports whether an expression is an attribute of an object, and not of a module, that may
// be a container.
func stored(info *names.Info, n syntax.Node) bool {
	if n.Kind() != syntax.Attribute || info.Qualified(n) != "" {
		return false
	}
	switch n.Child(syntax.FieldAttribute).Text() {
	case "shape", "dtype", "ndim", "size":
		return false
	}
	return true
}

// storedList reports whether an expression is an attribute that a class of the program sets to a
// list.
func storedList(info *names.Info, n syntax.Node) bool {
	if !stored(info, n) {
		return false
	}
	t := info.TypeOf(n.Child(syntax.FieldObject))
	return t.Local != nil && slices.ContainsFunc(info.Attribute(t.Local, n.Child(syntax.FieldAttribute).Text()), func(b *names.Binding) bool {
		return b.Value.Kind() == syntax.List && !names.Element(b.Value, 0).Valid()
	})
}

// makesVariable reports whether a call makes a variable, or a layer, a model, a metric or an
// optimizer that may have some.
func makesVariable(info *names.Info, call syntax.Node, q string) bool {
	function := call.Child(syntax.FieldFunction)
	if class := info.Target(function).Class; class != nil {
		base := info.LibraryBase(class)
		return slices.ContainsFunc(withVariables, func(of string) bool { return info.IsA(base, of) })
	}
	if layer, ok := strings.CutPrefix(q, "tensorflow.keras.layers."); ok && info.IsA(q, "tensorflow.keras.layers.Layer") {
		return layers.MayHaveVariables(layer)
	}
	if e := effects.Lookup(q); e != nil && e.Effects.Has(effects.BuildsOptimizer|effects.BuildsModel|effects.LoadsModel) {
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
func asksForShape(info *names.Info, call syntax.Node) bool {
	if call.Parent().Kind() != syntax.Assignment {
		return shapeRead(call)
	}
	asks := false
	call.Parent().Child(syntax.FieldLeft).Walk(func(n syntax.Node) bool {
		if b := info.BindingAt(n); n.Kind() == syntax.Identifier && b != nil {
			asks = asks || slices.ContainsFunc(info.Uses(b), shapeRead)
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

// maxHanded bounds through how many functions an object is followed.
const maxHanded = 4

// methodsOf returns the methods of the program that a call on an object may run. The object's class
// follows from the calls of the program that pass it: to a function, or to the constructor that
// stores it.
func methodsOf(info *names.Info, call syntax.Node) []*names.Function {
	function := call.Child(syntax.FieldFunction)
	if function.Kind() != syntax.Attribute || info.Callee(call) != "" {
		return nil
	}
	var out []*names.Function
	for made := range handedOver(info, function.Child(syntax.FieldObject), maxHanded) {
		if class := made.info.TypeOf(made.node).Local; class != nil {
			if m := class.Info.Method(class, function.Child(syntax.FieldAttribute).Text()); m != nil {
				out = append(out, m)
			}
		}
	}
	return out
}

// samplesUnknown reports whether a call draws a sample from an unknown object that is passed in or
// imported, such as a replay buffer. That draws with the random numbers of Python or NumPy.
func samplesUnknown(info *names.Info, call syntax.Node) bool {
	function := call.Child(syntax.FieldFunction)
	if !strings.HasPrefix(function.Child(syntax.FieldAttribute).Text(), "sample") {
		return false
	}
	for made := range handedOver(info, function.Child(syntax.FieldObject), maxHanded) {
		switch {
		case made.info.TypeOf(made.node).Known():
		case made.node.Kind() == syntax.Identifier:
			if b := made.info.ReachingDefs(made.node); len(b) == 0 || b[0].Kind == names.ParameterBinding || b[0].Kind == names.ForBinding {
				return true
			}
		case made.node.Kind() == syntax.Subscript:
			return true // one of several
		case made.node.Kind() == syntax.Attribute && made.info.Qualified(made.node) == "":
			return true
		case made.node.Kind() == syntax.Call && made.info.Ours(made.node.Child(syntax.FieldFunction)) != "":
			return true
		}
	}
	return false
}

// An origin is an expression of a module.
type origin struct {
	info *names.Info
	node syntax.Node
}

// handedOver returns the expressions that give an object its value, through names, attributes and
// what the calls of the program pass for parameters.
func handedOver(info *names.Info, object syntax.Node, depth int) iter.Seq[origin] {
	return func(yield func(origin) bool) { handOver(info, object, depth, yield) }
}

func handOver(info *names.Info, object syntax.Node, depth int, yield func(origin) bool) bool {
	defer info.Enter(object).Leave()
	made := info.DefiningExpr(object)
	if !made.Valid() {
		return yield(origin{info, object})
	}
	passed := false
	if b := info.ReachingDefs(made); made.Kind() == syntax.Identifier && len(b) == 1 && b[0].Scope.Func != nil && depth > 0 {
		for _, module := range info.Program() {
			for _, call := range module.CallsOf(b[0].Scope.Func) {
				if given := b[0].Scope.Func.Passed(call, b[0].Name); given.Valid() {
					passed = true
					if !handOver(module, given, depth-1, yield) {
						return false
					}
				}
			}
		}
	}
	return passed || yield(origin{info, made})
}

// local reports whether a name is bound in a function itself.
func local(info *names.Info, name syntax.Node, fn *names.Function) bool {
	s := info.Lookup(name)
	return s != nil && fn != nil && s.Sees(fn.Scope)
}

// varies reports whether a name stands for a computed value or a parameter, rather than for a
// module, a number or something that is set once for all calls.
func varies(info *names.Info, name syntax.Node, fn *names.Function) bool {
	if !info.Used(name) || fn != nil && !local(info, name, fn) {
		return false
	}
	return slices.ContainsFunc(info.ReachingDefs(name), func(b *names.Binding) bool {
		switch b.Kind {
		case names.AssignBinding:
			return !b.Value.Is(syntax.Integer, syntax.Float, syntax.String) && !staticSize(info, b.Value)
		case names.UnpackBinding, names.AugmentedBinding, names.ForBinding, names.WithBinding, names.ParameterBinding:
			return true
		}
		return false
	})
}

// staticSize reports whether an expression is a number that Python knows while it traces: a
// dimension of a static shape, a length, or what is computed of these and numbers.
func staticSize(info *names.Info, n syntax.Node) bool {
	defer info.Enter(n).Leave()
	switch n.Kind() {
	case syntax.Integer, syntax.Float:
		return true
	case syntax.ParenthesizedExpression:
		return staticSize(info, n.FirstChild())
	case syntax.BinaryOperator:
		return staticSize(info, n.Child(syntax.FieldLeft)) && staticSize(info, n.Child(syntax.FieldRight))
	case syntax.Subscript:
		shape := n.Child(syntax.FieldValue)
		return shape.Kind() == syntax.Attribute && shape.Child(syntax.FieldAttribute).Text() == "shape"
	case syntax.Identifier:
		b := info.ReachingDefs(n)
		return len(b) == 1 && b[0].Kind == names.AssignBinding && b[0].Value != n && b[0].Value.Kind() != syntax.Identifier && staticSize(info, b[0].Value)
	}
	return false
}

// mentionsTensor reports whether an expression contains a tensor that the function computes
// or is given.
func mentionsTensor(info *names.Info, n syntax.Node, fn *names.Function) bool {
	return fn != nil && mentions(n, func(n syntax.Node) bool { return computed(info, n, fn) })
}

// mentions reports whether test holds for a part of an expression. It skips the object of an
// attribute, such as a tensor whose shape is read, and expressions of which Python only checks the
// type.
func mentions(n syntax.Node, test func(syntax.Node) bool) bool {
	if !n.Valid() {
		return false
	}
	found := false
	n.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Attribute {
			return false
		}
		if n.Kind() == syntax.Call {
			switch n.Child(syntax.FieldFunction).Text() {
			case "len", "isinstance", "hasattr", "callable", "type", "getattr":
				return false
			}
		}
		found = found || n.Is(syntax.Call, syntax.Identifier) && test(n)
		return !found
	})
	return found
}

// valueDecides reports whether a condition needs the value of a tensor that the function computes,
// or compares a parameter with a number.
func valueDecides(info *names.Info, condition syntax.Node, fn *names.Function) bool {
	defer info.Enter(condition).Leave()
	switch condition.Kind() {
	case syntax.ParenthesizedExpression:
		return valueDecides(info, condition.FirstChild(), fn)
	case syntax.NotOperator:
		return valueDecides(info, condition.Child(syntax.FieldArgument), fn)
	case syntax.BooleanOperator:
		return valueDecides(info, condition.Child(syntax.FieldLeft), fn) || valueDecides(info, condition.Child(syntax.FieldRight), fn)
	case syntax.ComparisonOperator:
		for c := range condition.Children() {
			if c.Is(syntax.NoneLiteral, syntax.True, syntax.False, syntax.String, syntax.List, syntax.Tuple, syntax.Set) {
				return false
			}
		}
		return mentionsTensor(info, condition, fn)
	case syntax.Call:
		return mentionsTensor(info, condition, fn)
	case syntax.Identifier: // a parameter may be a flag
		for _, b := range info.ReachingDefs(condition) {
			if b.Kind == names.AssignBinding && fn != nil && computed(info, b.Value, fn) {
				return true
			}
		}
	}
	return false
}
