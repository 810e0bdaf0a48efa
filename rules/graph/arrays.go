package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

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
func asksArray(info *names.Info, call, recorded syntax.Node, fn *names.Function) bool {
	function := call.Child(syntax.FieldFunction)
	array, method := function.Child(syntax.FieldObject), function.Child(syntax.FieldAttribute).Text()
	if array.Kind() != syntax.Identifier || !ofArraysOnly[method] && !ofOthersToo[method] || info.Callee(call) != "" && !strings.HasPrefix(info.Callee(call), "numpy.") {
		return false
	}
	if t := info.TypeOf(array); t.Known() && !strings.HasPrefix(t.Class, "numpy.") || info.Mentions("enable_numpy_behavior", "experimental_enable_numpy_behavior") {
		return false
	}
	becomesTensor := slices.ContainsFunc(info.ReachingDefs(array), func(b *names.Binding) bool {
		switch b.Kind {
		case names.ParameterBinding:
			of := b.Scope.Func
			return of != nil && !(of.Class != nil && !of.IsStatic() && of.Params[0].Name == b.Name)
		case names.AssignBinding, names.UnpackBinding, names.ForBinding:
			return recorded.Valid() && !b.Node.Within(recorded) && b.Scope.Function() == fn && (fn != nil || b.Node.Within(loopOf(call)))
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
	for made := range handedOver(info, array, maxHanded) {
		if makesArray(made.info, made.node) {
			return true
		}
	}
	return false
}

// makesArray reports whether an expression is surely an array of NumPy's.
func makesArray(info *names.Info, n syntax.Node) bool {
	if n.Kind() != syntax.Call {
		return false
	}
	method := n.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text()
	return strings.HasPrefix(info.Callee(n), "numpy.") && !strings.HasPrefix(info.Callee(n), "numpy.random.RandomState") ||
		info.Callee(n) == "" && (method == "numpy" || method == "astype")
}

// maybeArray reports whether an expression may be an array of NumPy's whose type nobody states: the
// program makes it with NumPy, or a function that nothing in the program calls is given it.
func maybeArray(info *names.Info, n syntax.Node, seen map[syntax.Node]bool) bool {
	defer info.Enter(n).Leave()
	if !n.Valid() || seen[n] {
		return false
	}
	seen[n] = true
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return maybeArray(info, n.FirstChild(), seen)
	case syntax.Subscript:
		return maybeArray(info, n.Child(syntax.FieldValue), seen)
	case syntax.BinaryOperator:
		return maybeArray(info, n.Child(syntax.FieldLeft), seen) || maybeArray(info, n.Child(syntax.FieldRight), seen)
	case syntax.Call:
		if q := info.Callee(n); q != "" {
			return strings.HasPrefix(q, "numpy.") && !statesType(n)
		}
		return slices.ContainsFunc(returnsOf(info, n), func(r syntax.Node) bool { return maybeArray(info, r, seen) })
	case syntax.Identifier:
		return slices.ContainsFunc(info.ReachingDefs(n), func(b *names.Binding) bool {
			switch b.Kind {
			case names.AssignBinding:
				return maybeArray(info, b.Value, seen)
			case names.UnpackBinding:
				if b.Value.Kind() != syntax.Call || len(b.Path) != 1 {
					return maybeArray(info, b.Value, seen)
				}
				return slices.ContainsFunc(returnsOf(info, b.Value), func(r syntax.Node) bool { return maybeArray(info, names.Element(r, b.Path[0]), seen) })
			case names.ParameterBinding:
				return givesArray(info, b, seen)
			}
			return false
		})
	}
	return false
}

// statesType reports whether a call of NumPy's says what type its array has.
func statesType(call syntax.Node) bool {
	return names.Argument(call, -1, "dtype").Valid() || strings.HasPrefix(rule.Method(call), "float") || strings.HasPrefix(rule.Method(call), "int")
}

// givesArray is maybeArray for a parameter, of which the calls of the program decide.
func givesArray(info *names.Info, b *names.Binding, seen map[syntax.Node]bool) bool {
	if b.Scope.Func == nil || isInstance(b) {
		return false
	}
	called, given := false, false
	for _, module := range info.Program() {
		for _, call := range module.CallsOf(b.Scope.Func) {
			called = true
			given = given || maybeArray(module, b.Scope.Func.Passed(call, b.Name), seen)
		}
	}
	return given || !called && !b.Annotation.Valid() && !b.Value.Valid()
}

// returnsOf returns what the function of the program that a call surely runs returns.
func returnsOf(info *names.Info, call syntax.Node) []syntax.Node {
	t := info.Target(call.Child(syntax.FieldFunction))
	if t.Function == nil || t.Class != nil || t.Function.Yields {
		return nil
	}
	return t.Function.Returns
}

// isInstance reports whether a parameter is the instance that a method is called on.
func isInstance(b *names.Binding) bool {
	fn := b.Scope.Func
	return fn != nil && fn.Class != nil && !fn.IsStatic() && fn.Params[0].Name == b.Name
}
