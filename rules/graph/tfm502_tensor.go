package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// takesTensor reports whether a compiled function surely does with a tensor what it did with the
// Python number that its call passes: int32 for a whole number, which TensorFlow casts to no other
// type, else float32.
func (r *retracing) takesTensor() bool {
	fn := r.fn
	parameter, ok := fn.ParameterFor(r.call, r.argument)
	if !ok {
		return false
	}
	float := r.p.File.Facts().Kinds(r.argument, r.in).May(facts.Float)
	return !slices.ContainsFunc(fn.Scope.Bindings(parameter.Name), func(b *names.Binding) bool {
		return slices.ContainsFunc(fn.Info.Uses(b), func(use syntax.Node) bool { return !takesTensorAt(fn.Info, use, float) })
	})
}

// takesTensorAt is takesTensor for one use of the number.
func takesTensorAt(info *names.Info, n syntax.Node, float bool) bool {
	for {
		parent := n.Parent()
		switch parent.Kind() {
		case syntax.ParenthesizedExpression, syntax.UnaryOperator, syntax.ComparisonOperator:
		case syntax.BinaryOperator:
			other := parent.Child(syntax.FieldLeft)
			if other == n {
				other = parent.Child(syntax.FieldRight)
			}
			if other.Kind() == syntax.String || !float && (other.Kind() != syntax.Integer || parent.Child(syntax.FieldOperator).Text() == "/") {
				return false
			}
			if float {
				return true
			}
		case syntax.KeywordArgument, syntax.ArgumentList:
			call := parent.Ancestor(syntax.Call)
			if parent.Kind() == syntax.ArgumentList {
				call = parent.Parent()
			}
			return takes(info, call, float)
		case syntax.Subscript: // of a tensor, as a call returns, and no list
			return n.Field() == syntax.FieldSubscript && parent.Child(syntax.FieldValue).Kind() == syntax.Call
		case syntax.Tuple:
			return parent.Field() == syntax.FieldSubscript // x[..., i]
		case syntax.IfStatement, syntax.ElifClause:
			return n.Field() == syntax.FieldCondition && onlyCalls(n.Ancestor(syntax.IfStatement))
		default:
			return parent.Is(syntax.ExpressionStatement, syntax.ReturnStatement)
		}
		n = parent
	}
}

// takes reports whether a function takes a tensor of dtype float32, or of int32, where it took a
// number.
func takes(info *names.Info, call syntax.Node, float bool) bool {
	below, ok := strings.CutPrefix(info.Callee(call), "tensorflow.")
	if float {
		return ok || strings.HasPrefix(call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text(), "assign")
	}
	return ok && (strings.HasPrefix(below, "summary.") || slices.Contains([]string{"cast", "print", "one_hot", "gather"}, below))
}

// onlyCalls reports whether the branches of an if only call functions: there is no value that only one
// of them gives a name, or returns.
func onlyCalls(statement syntax.Node) bool {
	ok := true
	statement.Walk(func(n syntax.Node) bool {
		ok = ok && !n.Is(syntax.Assignment, syntax.AugmentedAssignment, syntax.NamedExpression, syntax.ReturnStatement, syntax.BreakStatement, syntax.ContinueStatement, syntax.RaiseStatement)
		return ok
	})
	return ok
}
