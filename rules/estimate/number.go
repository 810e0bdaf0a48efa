package estimate

import (
	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// isNumber reports whether what a cause is about is itself the number that a call asks for, or one that
// it is computed of. What the program only takes a number from, as with data.shape[1], is not. A call in
// code of a library, which tfmem brings for segmentation_models, is none of the program's.
func isNumber(file *analyzer.File, why *value.Cause) bool {
	var asked syntax.Node
	for c := why; c != nil; c = c.From {
		if c.Number.Valid() && file.SourceOf(c.Number) != nil {
			asked = c.Number
		}
	}
	if !asked.Valid() {
		return false
	}
	at := why.Place()
	function := at.Ancestor(syntax.Parameters).Parent()
	found := func(p origins.Place) bool { // also a use of a parameter that a call does not give
		n := p.Node
		return len(p.Path) == 0 && (n == at || function.Valid() && n.Kind() == syntax.Identifier && n.Text() == at.Text() && n.Ancestor(syntax.FunctionDefinition) == function)
	}
	return file.Facts().AnyUntil(origins.Place{Node: asked}, func(from origins.Place, same func(origins.Place) bool) bool {
		if found(from) {
			return true
		}
		if len(from.Path) > 0 || !from.Node.Is(syntax.BinaryOperator, syntax.UnaryOperator, syntax.Tuple, syntax.List) {
			return false
		}
		for part := range from.Node.Children() {
			if same(origins.Place{Node: part, In: from.In}) {
				return true
			}
		}
		return false
	}, found)
}
