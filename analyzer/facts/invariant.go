package facts

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Invariant reports whether an expression, or the code of a function, surely means the same in every iteration
// of a loop: an iteration makes none of the objects that it refers to. What a function calls when it runs
// does not count.
func (f *Facts) Invariant(n syntax.Node, in *origins.Call, loop syntax.Node) bool {
	is := func(origin origins.Place, same func(origins.Place) bool) bool { return f.invariant(origin, loop, same) }
	return f.origins.AllUntil(origins.Place{Node: n, In: in}, is, func(p origins.Place) bool {
		return f.before(p, loop) || p.Node.Is(syntax.Attribute, syntax.Call)
	})
}

// before reports whether the code of a place surely runs before a loop, or around it, and not in its
// iterations.
func (f *Facts) before(p origins.Place, loop syntax.Node) bool {
	if f.Repeats(p, loop) {
		return false
	}
	fn := f.info.ScopeOf(p.Node).Function()
	if fn == nil || p.Node.Within(loop) || loop.Within(fn.Node) {
		return true // also in what the loop goes through
	}
	c := f.Own(p)
	for own := c; own != nil; own = own.From {
		if !own.Node.Valid() {
			return false
		}
	}
	return c != nil
}

func (f *Facts) invariant(origin origins.Place, loop syntax.Node, same func(origins.Place) bool) bool {
	n := origin.Node
	of := func(n syntax.Node) bool { return same(origins.Place{Node: n, In: origin.In}) }
	if !n.Valid() {
		return false
	}
	switch n.Kind() {
	case syntax.FunctionDefinition, syntax.Lambda:
		return f.invariantCode(origin, loop, same)
	case syntax.Identifier:
		return f.before(origin, loop) || f.boundBefore(n, origin.In, loop, same)
	case syntax.Attribute:
		return of(n.Child(syntax.FieldObject)) && f.setOnce(n, origin.In, of)
	case syntax.Call:
		function := n.Child(syntax.FieldFunction)
		return f.before(origin, loop) ||
			function.Child(syntax.FieldAttribute).Text() == "get_layer" && of(function.Child(syntax.FieldObject)) && of(n.Child(syntax.FieldArguments))
	case syntax.KeywordArgument:
		return of(n.Child(syntax.FieldValue))
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression, syntax.AugmentedAssignment:
		return f.before(origin, loop)
	}
	for part := range n.Children() {
		if !of(part) {
			return false
		}
	}
	return true
}

// mostMeanings is the number of bindings of one name of which each is followed. Functions that call each
// other by a name with more would be followed from each to each.
const mostMeanings = 32

// boundBefore reports whether no iteration binds a name anew, other than to the value of an expression,
// which is another origin. A function that a function of the iteration defines is the same if its code is.
func (f *Facts) boundBefore(name syntax.Node, in *origins.Call, loop syntax.Node, same func(origins.Place) bool) bool {
	bindings := f.info.ReachingDefs(name)
	if b := f.info.BindingAt(name); b != nil {
		bindings = []*names.Binding{b} // a parameter of a function that a library calls
	}
	if len(bindings) > mostMeanings {
		return false
	}
	return !slices.ContainsFunc(bindings, func(b *names.Binding) bool {
		switch b.Kind {
		case names.AssignBinding, names.UnpackBinding, names.WithBinding, names.FromBinding, names.AugmentedBinding:
			return false
		case names.FunctionBinding:
			defined := origins.Place{Node: b.Func.Node, In: in}
			return !f.before(defined, loop) && (b.Node.Within(loop) || !same(defined))
		}
		return !f.before(origins.Place{Node: b.Node, In: in}, loop)
	})
}

// invariantCode reports whether all that code names, beside its own names, is the same in every iteration.
func (f *Facts) invariantCode(code origins.Place, loop syntax.Node, same func(origins.Place) bool) bool {
	all := true
	code.Node.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.Attribute:
			all = all && f.setOnce(n, code.In, func(n syntax.Node) bool { return same(origins.Place{Node: n, In: code.In}) })
		case syntax.Identifier:
			s := f.info.Lookup(n)
			if s == nil || !f.info.Used(n) || s.Node.Valid() && s.Node.Within(code.Node) {
				break
			}
			itself := func(b *names.Binding) bool { return b.Kind == names.FunctionBinding && b.Func.Node == code.Node }
			all = all && (slices.ContainsFunc(f.info.ReachingDefs(n), itself) || same(origins.Place{Node: n, In: code.In}))
		}
		return all
	})
	return all
}

// setOnce reports whether an attribute of an object of the program is a method whose code means the same
// in every iteration, or has the value that the constructor gives it.
func (f *Facts) setOnce(attribute syntax.Node, in *origins.Call, same func(syntax.Node) bool) bool {
	class := f.info.TypeOf(attribute.Child(syntax.FieldObject)).Local
	if class == nil {
		return true
	}
	name := attribute.Child(syntax.FieldAttribute).Text()
	if method := f.info.Method(class, name); method != nil {
		return same(method.Node)
	}
	later := func(n syntax.Node) bool {
		fn := f.info.ScopeOf(n).Function()
		return fn != nil && fn.Name != "__init__"
	}
	return !slices.ContainsFunc(f.info.Attribute(class, name), func(b *names.Binding) bool { return later(b.Node) }) &&
		!slices.ContainsFunc(f.increments(name), later)
}

// increments returns the statements such as x.name += 1, on any object.
func (f *Facts) increments(name string) (statements []syntax.Node) {
	for _, module := range f.info.Program() {
		for _, n := range module.Identifiers(name) {
			if by := n.Parent().Parent(); n.Field() == syntax.FieldAttribute && by.Kind() == syntax.AugmentedAssignment && n.Parent().Field() == syntax.FieldLeft {
				statements = append(statements, by)
			}
		}
	}
	return statements
}
