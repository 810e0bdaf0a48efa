package rule

import (
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Caught reports whether a try statement around n, in the same function, has a handler that
// catches what n may raise, according to matches, and does not raise itself. matches gets each class that a handler
// names, and an invalid node for a bare except.
func Caught(n syntax.Node, matches func(class syntax.Node) bool) bool {
	for try := n.Ancestor(syntax.TryStatement, syntax.FunctionDefinition); try.Kind() == syntax.TryStatement; try = try.Ancestor(syntax.TryStatement, syntax.FunctionDefinition) {
		if !n.Within(try.Child(syntax.FieldBody)) {
			continue
		}
		for c := range try.Children() {
			if c.Kind() == syntax.ExceptClause && handles(c, matches) {
				return !raisesAgain(c)
			}
		}
	}
	return false
}

// raisesAgain reports whether a handler ends by raising.
func raisesAgain(clause syntax.Node) bool {
	for c := range clause.Children() {
		if c.Kind() == syntax.Block {
			return names.Last(c).Kind() == syntax.RaiseStatement
		}
	}
	return false
}

// handles reports whether matches accepts a class of a handler.
func handles(clause syntax.Node, matches func(class syntax.Node) bool) bool {
	types := clause.FirstChild()
	if types.Kind() == syntax.AsPattern {
		types = types.FirstChild()
	}
	switch types.Kind() {
	case syntax.Block, syntax.Comment:
		return matches(syntax.Node{})
	case syntax.Tuple:
		for c := range types.Children() {
			if matches(c) {
				return true
			}
		}
		return false
	}
	return matches(types)
}
