package facts

import (
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// HoldsNew returns an array that each iteration of a loop surely makes anew and that the value of a call, or
// of a generator expression, has, also after it is used: an argument of the call, what the constructor of the
// program's class keeps, or what a function that is passed along reads from around it. A generator has its
// arguments no more once it has ended, but who has one of its batches has the array that this is a view of.
// It returns none if nothing shows one.
func (f *Facts) HoldsNew(made origins.Place, loop syntax.Node) (array syntax.Node) {
	for _, held := range f.heldBy(made) {
		if f.isNew(held, loop) {
			return held.Node
		}
	}
	return syntax.Node{}
}

// heldBy returns expressions whose values an object has.
func (f *Facts) heldBy(made origins.Place) (held []origins.Place) {
	n := made.Node
	if n.Kind() != syntax.Call {
		if !isSlice(n.Child(syntax.FieldBody)) {
			return nil
		}
		return f.free(made, n)
	}
	target := f.info.Target(n.Child(syntax.FieldFunction))
	if target.Function != nil && target.Function.Yields && !goesOn(target.Function.Body) {
		return nil
	}
	if target.Class != nil {
		if constructor := f.info.Method(target.Class, "__init__"); constructor != nil {
			return f.kept(constructor, f.Enter(constructor, n, made.In))
		}
	}
	for a := range n.Child(syntax.FieldArguments).Children() {
		if a.Kind() == syntax.KeywordArgument {
			a = a.Child(syntax.FieldValue)
		}
		held = append(held, origins.Place{Node: a, In: made.In})
		if passed := f.info.Target(a).Function; target.Function == nil && passed != nil {
			held = append(held, f.free(made, passed.Body)...)
		}
	}
	return held
}

// goesOn reports whether the body of a generator has an endless loop, or yields views of what it has.
func goesOn(body syntax.Node) (does bool) {
	body.Walk(func(n syntax.Node) bool {
		does = does || n.Kind() == syntax.WhileStatement && n.Child(syntax.FieldCondition).Is(syntax.True, syntax.Integer) || n.Kind() == syntax.Yield && isSlice(n.FirstChild())
		return !does && !n.Is(syntax.FunctionDefinition, syntax.Lambda)
	})
	return does
}

// isSlice reports whether an expression, or the first item of a tuple, is a slice of something.
func isSlice(n syntax.Node) bool {
	for n.Is(syntax.Tuple, syntax.ExpressionList) {
		n = n.FirstChild()
	}
	return n.Kind() == syntax.Subscript && n.Child(syntax.FieldSubscript).Kind() == syntax.Slice
}

// kept returns what a constructor assigns to attributes.
func (f *Facts) kept(constructor *names.Function, in *origins.Call) (held []origins.Place) {
	constructor.Body.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Assignment && n.Child(syntax.FieldLeft).Kind() == syntax.Attribute && n.Child(syntax.FieldRight).Valid() {
			held = append(held, origins.Place{Node: n.Child(syntax.FieldRight), In: in})
		}
		return !n.Is(syntax.FunctionDefinition, syntax.ClassDefinition)
	})
	return held
}

// free returns the names that code reads from the code around it.
func (f *Facts) free(made origins.Place, code syntax.Node) (held []origins.Place) {
	code.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier && f.info.Used(n) && f.info.Lookup(n) == f.info.ScopeOf(made.Node.Parent()) {
			held = append(held, origins.Place{Node: n, In: made.In})
		}
		return true
	})
	return held
}

// isNew reports whether an iteration surely makes the array that a value is: no view of an earlier one.
func (f *Facts) isNew(p origins.Place, loop syntax.Node) bool {
	return f.KindsAt(p).Surely(Array) && f.origins.All(p, func(origin origins.Place, same func(origins.Place) bool) bool {
		n := origin.Node
		of := func(n syntax.Node) bool { return same(origins.Place{Node: n, In: origin.In}) }
		switch n.Kind() {
		case syntax.BinaryOperator:
			return f.Repeats(origin, loop)
		case syntax.Subscript: // by an array or a list of indices, NumPy copies
			index := n.Child(syntax.FieldSubscript)
			return f.Kinds(index, origin.In).Surely(Array|List) && f.Repeats(origin, loop) || of(n.Child(syntax.FieldValue))
		case syntax.Call:
			// What is made of one array may be a view of it.
			for _, of := range []syntax.Node{n.Child(syntax.FieldFunction).Child(syntax.FieldObject), names.Argument(n, 0, "")} {
				if f.Kinds(of, origin.In).Surely(Array) {
					return same(origins.Place{Node: of, In: origin.In})
				}
			}
			return f.Repeats(origin, loop)
		}
		return false
	})
}
