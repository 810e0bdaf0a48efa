package obstacles

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// knownBefore reports whether a call of NumPy's, in the body of a tape, prepares an input
// that has the same value before the tape: it makes an array of names that are bound before, or
// draws random numbers, once in every run of the body.
func (w *walk) knownBefore(call syntax.Node) bool {
	q := w.info.Callee(call)
	if member, ok := strings.CutPrefix(q, "numpy."); !ok || !prepares[member] && !strings.HasPrefix(member, "random.") {
		return false
	}
	child := call
	for p := call.Parent(); p != w.recorded; child, p = p, p.Parent() {
		if !p.Valid() || p.Is(definitions...) || p.Is(loops...) || p.Is(syntax.IfStatement, syntax.ElifClause, syntax.ConditionalExpression, syntax.BooleanOperator, syntax.TryStatement, syntax.ExceptClause) ||
			p.Kind() == syntax.Subscript && child.Field() == syntax.FieldSubscript {
			return false
		}
	}
	return w.readsBefore(call, map[*names.Binding]bool{})
}

// prepares are the functions of NumPy that make arrays of Python's values, or give arrays another
// shape or type.
var prepares = map[string]bool{
	"array": true, "asarray": true, "stack": true, "vstack": true, "hstack": true, "concatenate": true, "expand_dims": true, "reshape": true, "squeeze": true, "transpose": true,
	"float32": true, "float64": true, "int32": true, "int64": true, "arange": true, "eye": true, "zeros": true, "ones": true, "zeros_like": true, "ones_like": true, "full": true,
}

// readsBefore reports whether an expression reads only values from before the tape's body, itself or
// through names that the body binds to such expressions.
func (w *walk) readsBefore(n syntax.Node, seen map[*names.Binding]bool) bool {
	defer w.info.Enter(n).Leave()
	ok := true
	n.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.Call:
			q := w.info.Callee(n)
			function := n.Child(syntax.FieldFunction)
			ok = ok && (strings.HasPrefix(q, "numpy.") || q == "" && function.Kind() == syntax.Identifier && plainPython[function.Text()] && w.info.Lookup(function) == nil ||
				q == "" && function.Kind() == syntax.Attribute && ofArrays[function.Child(syntax.FieldAttribute).Text()])
		case syntax.Identifier:
			ok = ok && (!w.info.Used(n) || !slices.ContainsFunc(w.info.ReachingDefs(n), func(b *names.Binding) bool {
				if !b.Node.Within(w.recorded) || b.Node.Within(n.Ancestor(loops...)) && b.Kind == names.ForBinding || seen[b] {
					return false // known before, the name of a comprehension's item, or asked already
				}
				seen[b] = true
				return b.Kind != names.AssignBinding || !w.readsBefore(b.Value, seen)
			}))
		case syntax.Attribute:
			ok = ok && !changedIn(n.Text(), w.recorded)
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

// loops are the kinds of nodes that iterate.
var loops = []syntax.Kind{
	syntax.ForStatement, syntax.WhileStatement,
	syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression,
}

// MethodsOf returns the methods of the program that a call on an object may run. The object's class
// follows from the calls of the program that pass it: to a function, or to the constructor that
// stores it.
func MethodsOf(info *names.Info, call syntax.Node) []*names.Function {
	w := newWalk(info)
	return w.methodsOf(call)
}

func (w *walk) methodsOf(call syntax.Node) []*names.Function {
	function := call.Child(syntax.FieldFunction)
	if function.Kind() != syntax.Attribute || w.info.Callee(call) != "" {
		return nil
	}
	var out []*names.Function
	for _, made := range w.facts.Origins(function.Child(syntax.FieldObject), nil) {
		if class := w.classOf(made); class != nil {
			if m := class.Info.Method(class, function.Child(syntax.FieldAttribute).Text()); m != nil && !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// classOf returns the class of the program of which an origin is an instance, or nil.
func (w *walk) classOf(made origins.Place) *names.Class {
	if !made.Node.Valid() || len(made.Path) > 0 {
		return nil
	}
	return w.info.TypeOf(made.Node).Local
}

// samplesUnknown reports whether a call draws a sample from an unknown object that is passed in or
// imported, such as a replay buffer. That draws with the random numbers of Python or NumPy.
func (w *walk) samplesUnknown(call syntax.Node) bool {
	function := call.Child(syntax.FieldFunction)
	if !strings.HasPrefix(function.Child(syntax.FieldAttribute).Text(), "sample") {
		return false
	}
	return slices.ContainsFunc(w.facts.Origins(function.Child(syntax.FieldObject), nil), func(made origins.Place) bool {
		n := made.Node
		switch {
		case !n.Valid():
		case len(made.Path) > 0:
			return true // one of several
		case w.info.TypeOf(n).Known():
		case n.Kind() == syntax.Identifier:
			b := w.info.ReachingDefs(n)
			return len(b) == 0 || b[0].Kind == names.ParameterBinding || b[0].Kind == names.ForBinding
		case n.Kind() == syntax.Subscript:
			return true
		case n.Kind() == syntax.Attribute:
			return w.info.Qualified(n) == ""
		case n.Kind() == syntax.Call:
			return w.info.Ours(n.Child(syntax.FieldFunction)) != ""
		}
		return false
	})
}

// local reports whether a name is bound in a function itself.
func (w *walk) local(name syntax.Node, fn *names.Function) bool {
	s := w.info.Lookup(name)
	return s != nil && fn != nil && s.Sees(fn.Scope)
}

// computedName reports whether a name stands for a computed value or a parameter, rather than for a
// module, a number or something that is set once for all calls.
func (w *walk) computedName(name syntax.Node, fn *names.Function) bool {
	if !w.info.Used(name) || fn != nil && !w.local(name, fn) {
		return false
	}
	return slices.ContainsFunc(w.info.ReachingDefs(name), func(b *names.Binding) bool {
		switch b.Kind {
		case names.AssignBinding:
			return !b.Value.Is(syntax.Integer, syntax.Float, syntax.String) && !w.staticSize(b.Value)
		case names.UnpackBinding, names.AugmentedBinding, names.ForBinding, names.WithBinding, names.ParameterBinding:
			return true
		}
		return false
	})
}

// staticSize reports whether an expression is a number that Python knows while it traces: a
// dimension of a static shape, or what is computed of these and numbers.
func (w *walk) staticSize(n syntax.Node) bool {
	return w.facts.AllUntil(n, nil, func(origin origins.Place, same func(origins.Place) bool) bool {
		n := origin.Node
		of := func(n syntax.Node) bool { return same(origins.Place{Node: n, In: origin.In}) }
		switch n.Kind() {
		case syntax.Integer, syntax.Float:
			return true
		case syntax.BinaryOperator:
			return of(n.Child(syntax.FieldLeft)) && of(n.Child(syntax.FieldRight))
		case syntax.Subscript:
			shape := n.Child(syntax.FieldValue)
			return shape.Kind() == syntax.Attribute && shape.Child(syntax.FieldAttribute).Text() == "shape"
		}
		return false
	}, func(p origins.Place) bool { return p.Node.Is(syntax.Subscript, syntax.Attribute, syntax.Call) })
}

// mentionsTensor reports whether an expression contains a tensor that the function computes
// or is given.
func (w *walk) mentionsTensor(n syntax.Node, fn *names.Function) bool {
	return fn != nil && Mentions(n, func(n syntax.Node) bool { return w.computed(n, fn) })
}

// Mentions reports whether test holds for a part of an expression. It skips the object of an
// attribute, such as a tensor whose shape is read, and expressions of which Python only checks the
// type.
func Mentions(n syntax.Node, test func(syntax.Node) bool) bool {
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
func (w *walk) valueDecides(condition syntax.Node, fn *names.Function) bool {
	defer w.info.Enter(condition).Leave()
	switch condition.Kind() {
	case syntax.ParenthesizedExpression:
		return w.valueDecides(condition.FirstChild(), fn)
	case syntax.NotOperator:
		return w.valueDecides(condition.Child(syntax.FieldArgument), fn)
	case syntax.BooleanOperator:
		return w.valueDecides(condition.Child(syntax.FieldLeft), fn) || w.valueDecides(condition.Child(syntax.FieldRight), fn)
	case syntax.ComparisonOperator:
		for c := range condition.Children() {
			if c.Is(syntax.NoneLiteral, syntax.True, syntax.False, syntax.String, syntax.List, syntax.Tuple, syntax.Set) {
				return false
			}
		}
		return w.mentionsTensor(condition, fn)
	case syntax.Call:
		return w.mentionsTensor(condition, fn)
	case syntax.Identifier: // a parameter may be a flag
		for _, b := range w.info.ReachingDefs(condition) {
			if b.Kind == names.AssignBinding && fn != nil && w.computed(b.Value, fn) {
				return true
			}
		}
	}
	return false
}

// ofArraysOnly are methods that NumPy's arrays have and tensors lack. A tensor has them only where
// the program makes TensorFlow behave like NumPy.
var ofArraysOnly = map[string]bool{"flatten": true, "ravel": true, "tolist": true, "item": true, "astype": true, "reshape": true}

// ofOthersToo are methods that arrays have, tensors lack, and some other objects have.
var ofOthersToo = map[string]bool{
	"copy": true, "sum": true, "mean": true, "std": true, "var": true, "min": true, "max": true, "argmax": true, "argmin": true, "argsort": true,
	"squeeze": true, "transpose": true, "swapaxes": true, "repeat": true, "clip": true, "round": true, "cumsum": true, "dot": true, "nonzero": true, "fill": true, "sort": true, "any": true, "all": true,
}

// asksArray reports whether a call is that of a method of NumPy's arrays on what a function is
// given, or on what the code around a block, that becomes a function, binds before. A tf.function
// makes a tensor of that.
func (w *walk) asksArray(call syntax.Node, fn *names.Function) bool {
	function := call.Child(syntax.FieldFunction)
	array, method := function.Child(syntax.FieldObject), function.Child(syntax.FieldAttribute).Text()
	if array.Kind() != syntax.Identifier || !ofArraysOnly[method] && !ofOthersToo[method] || w.info.Callee(call) != "" && !strings.HasPrefix(w.info.Callee(call), "numpy.") {
		return false
	}
	if t := w.info.TypeOf(array); t.Known() && !strings.HasPrefix(t.Class, "numpy.") || w.info.Mentions("enable_numpy_behavior", "experimental_enable_numpy_behavior") {
		return false
	}
	becomesTensor := slices.ContainsFunc(w.info.ReachingDefs(array), func(b *names.Binding) bool {
		switch b.Kind {
		case names.ParameterBinding:
			return b.Scope.Func != nil && !b.IsInstance()
		case names.AssignBinding, names.UnpackBinding, names.ForBinding:
			return w.recorded.Valid() && !b.Node.Within(w.recorded) && b.Scope.Function() == fn && (fn != nil || b.Node.Within(facts.LoopOf(call)))
		}
		return false
	})
	if !becomesTensor {
		return false
	}
	arguments := call.Child(syntax.FieldArguments)
	first := names.Element(arguments, 0)
	switch method {
	case "flatten", "ravel", "tolist", "item":
		return !first.Valid() || first.Is(syntax.String, syntax.KeywordArgument) || method == "item"
	case "reshape":
		return names.Element(arguments, 1).Valid() || first.Is(syntax.Integer, syntax.UnaryOperator, syntax.Tuple, syntax.List)
	case "astype":
		return first.Valid()
	}
	return w.facts.Kinds(array, nil).May(facts.Array)
}
