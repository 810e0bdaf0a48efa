package flow

import "github.com/tfmem/tfmem/analyzer/syntax"

// Before reports, for two nodes of one function, whether the first is evaluated before the
// other in a run that reaches both, within one iteration of the loops around both. The
// parts of an expression come before it.
func Before(a, b syntax.Node) bool {
	if a == b || b.Within(a) {
		return false
	}
	if a.Within(b) {
		return true
	}
	common := a.Parent()
	for common.Valid() && !b.Within(common) {
		common = common.Parent()
	}
	if !common.Valid() {
		return a.Start() < b.Start() // statements of the module
	}
	from, to := childWith(common, a), childWith(common, b)
	late := func(syntax.Node) bool { return false } // what is evaluated after what follows it
	switch common.Kind() {
	case syntax.Assignment, syntax.AugmentedAssignment:
		late = func(n syntax.Node) bool { return n.Field() == syntax.FieldLeft }
	case syntax.ForStatement, syntax.ForInClause:
		if from.Field() == syntax.FieldLeft && to.Field() == syntax.FieldRight || from.Field() == syntax.FieldRight && to.Field() == syntax.FieldLeft {
			return from.Field() == syntax.FieldRight
		}
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		late = func(n syntax.Node) bool { return n.Field() == syntax.FieldBody }
	case syntax.ConditionalExpression:
		late = func(n syntax.Node) bool { return n == common.FirstChild() }
	}
	if late(from) != late(to) {
		return late(to)
	}
	return from.Start() < to.Start()
}

func childWith(n, inner syntax.Node) syntax.Node {
	for inner.Parent() != n {
		inner = inner.Parent()
	}
	return inner
}

// LeftBefore reports whether a function may be left, by a return or by an exception that it does
// not handle, in a run that does not reach a node of its code.
func LeftBefore(body, n syntax.Node) bool {
	found := false
	if !body.Valid() {
		return false
	}
	body.Walk(func(exit syntax.Node) bool {
		if exit.Is(syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition) {
			return false
		}
		if exit.Is(syntax.ReturnStatement, syntax.RaiseStatement) && Before(exit, n) && !caught(exit, n) {
			found = true
		}
		return !found
	})
	return found
}

// caught reports whether a run reaches a node although it leaves the code before it: the node
// stands in a finally, or a handler of the try around a raise goes on.
func caught(exit, n syntax.Node) bool {
	for try := exit.Ancestor(syntax.TryStatement, syntax.FunctionDefinition); try.Kind() == syntax.TryStatement; try = try.Ancestor(syntax.TryStatement, syntax.FunctionDefinition) {
		clause := childWith(try, exit)
		for c := range try.Children() {
			switch c.Kind() {
			case syntax.FinallyClause:
				if n.Within(c) && clause != c {
					return true
				}
			case syntax.ExceptClause:
				if exit.Kind() == syntax.RaiseStatement && clause.Field() == syntax.FieldBody && !n.Within(try) {
					return true // an exit in its handler is an exit of its own
				}
			}
		}
	}
	return false
}
