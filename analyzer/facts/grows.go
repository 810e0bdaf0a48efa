package facts

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// ShapeVaries reports whether an array surely has another shape in each iteration of a loop: one end of
// a slice or a number in its shape varies, or it is made of a list or an array that each iteration
// extends.
func (f *Facts) ShapeVaries(n syntax.Node, in *origins.Call, loop syntax.Node) Change {
	defer f.info.Enter(n).Leave()
	p := origins.Place{Node: n, In: in}
	end, ok := f.begins(grows, p)
	if !ok {
		return Change{}
	}
	defer end()
	found := f.origins.Until(p, func(p origins.Place) bool { return f.joinsIn(p.Node, loop) || f.decides(p) })
	if len(found) != 1 || len(found[0].Path) > 0 {
		return Change{}
	}
	n, in = found[0].Node, found[0].In
	switch n.Kind() {
	case syntax.Identifier:
		if f.joinsIn(n, loop) {
			return Change{true, f.Iterations(loop, nil)}
		}
	case syntax.Subscript:
		index := n.Child(syntax.FieldSubscript)
		if bound := index.FirstChild(); !index.Next().Valid() && index.Kind() == syntax.Slice && bound.Valid() && !bound.Next().Valid() && f.Kinds(n.Child(syntax.FieldValue), in).Surely(Array|Tensor) {
			return f.Varies(bound, in, loop)
		}
	case syntax.Call:
		if names.HasSplat(n) || !f.Repeats(found[0], loop) {
			break
		}
		switch f.info.Callee(n) {
		case "numpy.array", "numpy.asarray", "numpy.stack", "numpy.vstack", "numpy.concatenate",
			"tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.stack", "tensorflow.concat":
			return f.lengthens(names.Element(n.Child(syntax.FieldArguments), 0), loop)
		}
		for _, size := range f.dimensions(n) {
			if c := f.Varies(size, in, loop); c.Surely {
				return c
			}
		}
	}
	return Change{}
}

// dimensions returns the numbers in the shape of the array that a call creates.
func (f *Facts) dimensions(call syntax.Node) []syntax.Node {
	shape := syntax.Node{}
	switch f.info.Callee(call) {
	case "numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full", "tensorflow.zeros", "tensorflow.ones", "tensorflow.random.normal", "tensorflow.random.uniform":
		shape = names.Argument(call, 0, "shape")
	case "tensorflow.fill":
		shape = names.Argument(call, 0, "dims")
	case "numpy.random.random", "numpy.random.random_sample", "numpy.random.standard_normal":
		shape = names.Argument(call, 0, "size")
	case "numpy.random.uniform", "numpy.random.normal", "numpy.random.randint":
		shape = names.Argument(call, 2, "size")
	case "numpy.random.rand", "numpy.random.randn":
		return slices.Collect(call.Child(syntax.FieldArguments).Children())
	}
	switch {
	case shape.Is(syntax.Tuple, syntax.List):
		return slices.Collect(shape.Children())
	case shape.Valid():
		return []syntax.Node{shape}
	}
	return nil
}

// joinsIn reports whether the body of a loop binds a name that is used there to its own value with more
// appended.
func (f *Facts) joinsIn(name, loop syntax.Node) bool {
	return name.Kind() == syntax.Identifier && name.Within(loop) && slices.ContainsFunc(f.info.ReachingDefs(name), func(b *names.Binding) bool {
		return b.Kind == names.AssignBinding && inBodyOf(loop, b) && f.joins(b)
	})
}

func (f *Facts) joins(b *names.Binding) bool {
	switch f.info.Callee(b.Value) {
	case "numpy.concatenate", "numpy.append", "numpy.vstack", "numpy.hstack", "tensorflow.concat":
	default:
		return false
	}
	parts := names.Element(b.Value.Child(syntax.FieldArguments), 0)
	own := parts.Kind() == syntax.Identifier && parts.Text() == b.Name // numpy.append
	if parts.Is(syntax.List, syntax.Tuple) && names.Element(parts, 1).Valid() {
		for part := range parts.Children() {
			own = own || part.Kind() == syntax.Identifier && part.Text() == b.Name && slices.Contains(f.info.ReachingDefs(part), b)
		}
	}
	return own
}

// lengthens reports whether every iteration of a loop extends a list that is otherwise only read.
func (f *Facts) lengthens(list, loop syntax.Node) Change {
	s := f.info.Lookup(list)
	if list.Kind() != syntax.Identifier || !list.Within(loop) || s == nil {
		return Change{}
	}
	adds := false
	for _, b := range s.Bindings(list.Text()) {
		switch {
		case b.Kind == names.AugmentedBinding && inBodyOf(loop, b) && strings.HasPrefix(b.Node.Parent().Child(syntax.FieldOperator).Text(), "+") && b.Value.Kind() == syntax.List:
			adds = true
		case b.Kind != names.AssignBinding || b.Node.Within(loop) || LoopOf(b.Node) != LoopOf(loop) || !b.Value.Is(syntax.List, syntax.ListComprehension) && f.info.Builtin(b.Value) != "list":
			return Change{}
		}
	}
	for _, use := range f.info.Identifiers(list.Text()) {
		attribute := use.Parent()
		if !f.info.Used(use) || f.info.Lookup(use) != s {
			continue
		}
		if attribute.Kind() != syntax.Attribute || use.Field() != syntax.FieldObject {
			if f.mayShorten(use) {
				return Change{}
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
			return Change{}
		}
	}
	if !adds {
		return Change{}
	}
	return Change{true, f.Iterations(loop, nil)}
}

// mayShorten reports whether code removes items from a list at a use of its name, or passes it to a
// function of the program that may.
func (f *Facts) mayShorten(use syntax.Node) bool {
	switch by := use.Parent(); by.Kind() {
	case syntax.Subscript:
		return by.Parent().Kind() == syntax.DeleteStatement || by.Field() == syntax.FieldLeft
	case syntax.ArgumentList, syntax.KeywordArgument:
		call := use.Ancestor(syntax.Call)
		return f.info.Callee(call) == "" && f.info.Lookup(call.Child(syntax.FieldFunction)) != nil
	}
	return false
}

// inBodyOf reports whether a binding is in the body of a loop itself.
func inBodyOf(loop syntax.Node, b *names.Binding) bool {
	statement := b.Node.Ancestor(syntax.ExpressionStatement)
	return loop.Valid() && statement.Valid() && statement.Parent() == loop.Child(syntax.FieldBody)
}
