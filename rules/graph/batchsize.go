package graph

import (
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// readsBatchSize reports whether code, or a function of the program that it calls, takes the first
// dimension of a tensor for a number. It is None in the step that fit compiles (TypeError: 'NoneType'
// object cannot be interpreted as an integer).
func readsBatchSize(fn *names.Function) bool {
	known := facts.Of(fn.Info)
	for n, in := range obstacles.Nodes(fn.Info, fn.Node) {
		if in.Function != nil && n.Is(syntax.Subscript, syntax.Identifier) && n.Parent().Kind() != syntax.ComparisonOperator && isBatchSize(known, n, in) {
			return true
		}
	}
	return false
}

// isBatchSize reports whether an expression is the first dimension of the static shape of a tensor
// that a function is given or computes: of x.shape, x.get_shape() or K.int_shape(x), also as a list.
func isBatchSize(known *facts.Facts, n syntax.Node, in obstacles.Reached) bool {
	if n.Kind() == syntax.Identifier && (!in.Info.Used(n) || !slices.ContainsFunc(in.Info.ReachingDefs(n), func(b *names.Binding) bool { return b.Kind == names.UnpackBinding })) {
		return false
	}
	return known.Any(n, nil, func(origin origins.Place, same func(origins.Place) bool) bool {
		if len(origin.Path) != 1 || origin.Path[0] != 0 {
			return false
		}
		shape := origin.Node
		object := shape.Child(syntax.FieldFunction).Child(syntax.FieldObject)
		switch names.Method(shape) {
		case "as_list":
			return same(origins.Place{Node: object, Path: origin.Path, In: origin.In})
		case "get_shape":
			return ofTrace(known, object, in)
		case "int_shape":
			return ofTrace(known, names.Argument(shape, 0, "x"), in)
		}
		return shape.Child(syntax.FieldAttribute).Text() == "shape" && ofTrace(known, shape.Child(syntax.FieldObject), in)
	})
}

// ofTrace reports whether a name is a tensor that a trace of a function is given, draws or computes.
func ofTrace(known *facts.Facts, n syntax.Node, in obstacles.Reached) bool {
	return n.Kind() == syntax.Identifier && (obstacles.Computed(in.Info, n, in.Function) || known.Any(n, nil, func(origin origins.Place, _ func(origins.Place) bool) bool {
		return draws(origin.Node) || len(origin.Path) > 0 && known.KindsAt(origins.Place{Node: origin.Node, In: origin.In}).Surely(facts.FromCaller)
	}))
}

// drawsUnknownSizes reports whether a function draws its batches itself, and counts the examples of
// one. Compiled, it would not know how many: a trace knows the shapes of the tensors that it is
// given, and of an iterator only what holds for all elements.
func drawsUnknownSizes(fn *names.Function) bool {
	return obstacles.Mentions(fn.Node, draws) && readsBatchSize(fn)
}

// draws reports whether an expression is the next element of an iterator.
func draws(n syntax.Node) bool {
	return n.Kind() == syntax.Call && (n.Child(syntax.FieldFunction).Text() == "next" || names.Method(n) == "get_next")
}
