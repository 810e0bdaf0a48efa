package estimate

import (
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// isNumber reports whether what a cause is about is itself the number that a call asks for, or one that
// it is computed of. What the program only takes a number from, as with data.shape[1], is not.
func isNumber(f *facts.Facts, why *value.Cause) bool {
	var asked syntax.Node
	for c := why; c != nil; c = c.From {
		if c.Number.Valid() {
			asked = c.Number
		}
	}
	at := why.Place()
	return asked.Valid() && f.Any(asked, nil, func(from origins.Place, same func(origins.Place) bool) bool {
		n := from.Node
		if len(from.Path) > 0 {
			return false
		}
		if n == at || n.Kind() == syntax.Identifier && n.Text() == at.Text() && at.Ancestor(syntax.Parameters).Valid() && n.Ancestor(syntax.FunctionDefinition) == at.Ancestor(syntax.FunctionDefinition) {
			return true
		}
		if !n.Is(syntax.BinaryOperator, syntax.UnaryOperator, syntax.Tuple, syntax.List) {
			return false
		}
		for part := range n.Children() {
			if same(origins.Place{Node: part, In: from.In}) {
				return true
			}
		}
		return false
	})
}
