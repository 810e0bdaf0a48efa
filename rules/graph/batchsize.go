package graph

import (
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// readsBatchSize reports whether code, or a function of the program that it calls, takes the first
// dimension of a tensor for a number. It is None in the step that fit compiles (TypeError: 'NoneType'
// object cannot be interpreted as an integer).
func readsBatchSize(info *names.Info, fn *names.Function, seen map[*names.Function]bool) bool {
	defer info.Enter(fn.Node).Leave()
	seen[fn] = true
	found := false
	fn.Node.Walk(func(n syntax.Node) bool {
		found = found || isBatchSize(info, n, fn) && n.Parent().Kind() != syntax.ComparisonOperator
		if n.Kind() == syntax.Call {
			for _, f := range obstacles.RanBy(info, n) {
				if compiled, _ := f.CompiledBy(); !compiled && !seen[f] {
					found = found || readsBatchSize(f.Info, f, seen)
				}
			}
		}
		return !found
	})
	return found
}

// isBatchSize reports whether an expression is the first dimension of the static shape of a tensor
// that a function is given or computes.
func isBatchSize(info *names.Info, n syntax.Node, fn *names.Function) bool {
	switch n.Kind() {
	case syntax.Subscript:
		return n.Child(syntax.FieldSubscript).Text() == "0" && isStaticShape(info, n.Child(syntax.FieldValue), fn)
	case syntax.Identifier:
		bindings := info.ReachingDefs(n)
		return info.Used(n) && len(bindings) == 1 && bindings[0].Kind == names.UnpackBinding && slices.Equal(bindings[0].Path, []int{0}) && isStaticShape(info, bindings[0].Value, fn)
	}
	return false
}

// isStaticShape reports whether an expression is such a shape: x.shape, x.get_shape() or
// K.int_shape(x), also as a list.
func isStaticShape(info *names.Info, n syntax.Node, fn *names.Function) bool {
	defer info.Enter(n).Leave()
	if made := info.DefiningExpr(n); made.Valid() {
		n = made
	}
	switch n.Kind() {
	case syntax.Attribute:
		return n.Child(syntax.FieldAttribute).Text() == "shape" && ofCall(info, n.Child(syntax.FieldObject), fn)
	case syntax.Call:
		object := n.Child(syntax.FieldFunction).Child(syntax.FieldObject)
		switch names.Method(n) {
		case "as_list":
			return isStaticShape(info, object, fn)
		case "get_shape":
			return ofCall(info, object, fn)
		case "int_shape":
			return ofCall(info, names.Argument(n, 0, "x"), fn)
		}
	}
	return false
}

// ofCall reports whether a name is a parameter of a function, an item of one, or a tensor that the
// function computes.
func ofCall(info *names.Info, n syntax.Node, fn *names.Function) bool {
	defer info.Enter(n).Leave()
	bindings := info.ReachingDefs(n)
	return n.Kind() == syntax.Identifier && len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool {
		switch b.Kind {
		case names.ParameterBinding:
			return b.IsInstance()
		case names.UnpackBinding:
			return !draws(b.Value) && !ofCall(info, b.Value, fn)
		case names.AssignBinding:
			return !draws(b.Value) && (b.Value == n || !obstacles.Computed(info, b.Value, fn))
		}
		return true
	})
}

// drawsUnknownSizes reports whether a function draws its batches itself, and counts the examples of
// one. Compiled, it would not know how many: a trace knows the shapes of the tensors that it is
// given, and of an iterator only what holds for all elements.
func drawsUnknownSizes(fn *names.Function) bool {
	return obstacles.Mentions(fn.Node, draws) && readsBatchSize(fn.Info, fn, map[*names.Function]bool{})
}

// draws reports whether an expression is the next element of an iterator.
func draws(n syntax.Node) bool {
	return n.Kind() == syntax.Call && (n.Child(syntax.FieldFunction).Text() == "next" || names.Method(n) == "get_next")
}
