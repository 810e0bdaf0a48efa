package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// growing returns the number that determines the shape of an array and differs in every iteration:
// one end of a slice whose other end is open, a number in a shape, or the length of a list or array
// that each iteration extends.
func (f follower) growing(n syntax.Node) (scalar, bool) {
	defer f.info.Enter(n).Leave()
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return f.growing(n.FirstChild())
	case syntax.Subscript:
		index := n.Child(syntax.FieldSubscript)
		end := index.FirstChild()
		if index.Next().Valid() || index.Kind() != syntax.Slice || !end.Valid() || end.Next().Valid() || !f.array(n.Child(syntax.FieldValue)) {
			return scalar{}, false
		}
		return f.changing(end)
	case syntax.Identifier:
		bindings := f.info.ReachingDefs(n)
		loop := loopOf(n)
		for _, b := range bindings {
			if b.Kind == names.AssignBinding && inBodyOf(loop, b) && f.joins(b) {
				return scalar{loop, facts.Of(f.info).Iterations(loop, nil)}, true
			}
		}
		if len(bindings) == 1 && bindings[0].Kind == names.AssignBinding && loop.Valid() && bindings[0].Node.Within(loop) && f.info.ScopeOf(n) == bindings[0].Scope && f.steps < maxSteps {
			f.steps++
			return f.growing(bindings[0].Value)
		}
	case syntax.Call:
		if names.HasSplat(n) {
			return scalar{}, false
		}
		switch q := f.info.Callee(n); q {
		case "numpy.array", "numpy.asarray", "numpy.stack", "numpy.vstack", "numpy.concatenate",
			"tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.stack", "tensorflow.concat":
			return f.lengthens(names.Element(n.Child(syntax.FieldArguments), 0))
		default:
			return f.shaped(n, q)
		}
	}
	return scalar{}, false
}

// shaped returns the changing number among the dimensions of the array that a call creates.
func (f follower) shaped(call syntax.Node, q string) (scalar, bool) {
	var sizes []syntax.Node
	switch q {
	case "numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full", "tensorflow.zeros", "tensorflow.ones", "tensorflow.random.normal", "tensorflow.random.uniform":
		sizes = append(sizes, names.Argument(call, 0, "shape"))
	case "tensorflow.fill":
		sizes = append(sizes, names.Argument(call, 0, "dims"))
	case "numpy.random.random", "numpy.random.random_sample", "numpy.random.standard_normal":
		sizes = append(sizes, names.Argument(call, 0, "size"))
	case "numpy.random.uniform", "numpy.random.normal", "numpy.random.randint":
		sizes = append(sizes, names.Argument(call, 2, "size"))
	case "numpy.random.rand", "numpy.random.randn":
		sizes = slices.Collect(call.Child(syntax.FieldArguments).Children())
	}
	for _, size := range sizes {
		dimensions := []syntax.Node{size}
		if size.Is(syntax.Tuple, syntax.List) {
			dimensions = slices.Collect(size.Children())
		}
		for _, d := range dimensions {
			if d.Valid() {
				if s, ok := f.changing(d); ok {
					return s, true
				}
			}
		}
	}
	return scalar{}, false
}

// joins reports whether a binding gives a name its own value with more appended.
func (f follower) joins(b *names.Binding) bool {
	switch f.info.Callee(b.Value) {
	case "numpy.concatenate", "numpy.append", "numpy.vstack", "numpy.hstack", "tensorflow.concat":
	default:
		return false
	}
	parts := names.Element(b.Value.Child(syntax.FieldArguments), 0)
	own := parts.Kind() == syntax.Identifier && parts.Text() == b.Name // numpy.append
	if parts.Is(syntax.List, syntax.Tuple) && names.Element(parts, 1).Valid() {
		for part := range parts.Children() {
			own = own || part.Kind() == syntax.Identifier && part.Text() == b.Name && slices.ContainsFunc(f.info.ReachingDefs(part), func(r *names.Binding) bool { return r == b })
		}
	}
	return own
}

// lengthens returns the length of a list that every iteration of the loop around a node extends,
// and that is otherwise only read.
func (f follower) lengthens(list syntax.Node) (scalar, bool) {
	loop, s := loopOf(list), f.info.Lookup(list)
	if list.Kind() != syntax.Identifier || !loop.Valid() || s == nil {
		return scalar{}, false
	}
	adds := false
	for _, b := range s.Bindings(list.Text()) {
		switch {
		case b.Kind == names.AugmentedBinding && inBodyOf(loop, b) && strings.HasPrefix(b.Node.Parent().Child(syntax.FieldOperator).Text(), "+") && b.Value.Kind() == syntax.List:
			adds = true
		case b.Kind != names.AssignBinding || b.Node.Within(loop) || loopOf(b.Node) != loopOf(loop) || !rule.IsList(f.info, b.Value):
			return scalar{}, false
		}
	}
	for _, use := range f.info.Identifiers(list.Text()) {
		attribute := use.Parent()
		if !f.info.Used(use) || f.info.Lookup(use) != s {
			continue
		}
		if attribute.Kind() != syntax.Attribute || use.Field() != syntax.FieldObject {
			if f.mayShorten(use) {
				return scalar{}, false
			}
			continue
		}
		call := attribute.Parent()
		statement := call.Parent()
		switch attribute.Child(syntax.FieldAttribute).Text() {
		case "append", "extend", "insert":
			adds = adds || call.Kind() == syntax.Call && statement.Kind() == syntax.ExpressionStatement && statement.Parent() == loop.Child(syntax.FieldBody)
		case "index", "count", "copy":
		default:
			return scalar{}, false
		}
	}
	if !adds {
		return scalar{}, false
	}
	return scalar{loop, facts.Of(f.info).Iterations(loop, nil)}, true
}

// mayShorten reports whether code removes items from a list at a use of its name, or passes it to a
// function of the program that may.
func (f follower) mayShorten(use syntax.Node) bool {
	switch by := use.Parent(); by.Kind() {
	case syntax.Subscript:
		return by.Parent().Kind() == syntax.DeleteStatement || by.Field() == syntax.FieldLeft
	case syntax.ArgumentList, syntax.KeywordArgument:
		call := by.Parent()
		if by.Kind() == syntax.KeywordArgument {
			call = call.Parent()
		}
		return f.info.Callee(call) == "" && f.info.Lookup(call.Child(syntax.FieldFunction)) != nil
	}
	return false
}

// inBodyOf reports whether a binding is in the body of a loop itself.
func inBodyOf(loop syntax.Node, b *names.Binding) bool {
	statement := b.Node.Ancestor(syntax.ExpressionStatement)
	return loop.Valid() && statement.Valid() && statement.Parent() == loop.Child(syntax.FieldBody)
}
