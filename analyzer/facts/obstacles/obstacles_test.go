package obstacles

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

var words = []string{"reads values", "keeps state", "branches on values", "iterates over tensors", "makes variables", "shows values", "prepares inputs", "has effects"}

// TestCases checks testdata/facts/obstacles: the obstacles of the function, or of the tape, that begins on
// a line ("# obstacles: reads values, keeps state").
func TestCases(t *testing.T) {
	cases.Run(t, "../../../testdata/facts/obstacles", []string{"obstacles"}, func(t *testing.T, c *cases.Case) {
		tree := syntax.Parse(c.Text)
		info := names.Resolve(tree, effects.Library{}, nil)
		found := map[int]Obstacles{}
		for s := range tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				switch n.Kind() {
				case syntax.FunctionDefinition:
					found[c.Line(n.Start())] = Of(info, n)
				case syntax.WithStatement:
					found[c.Line(n.Start())] = InTape(info, n.Child(syntax.FieldBody))
				}
				return true
			})
		}
		c.Compare(t, "obstacles", func(line int) []string {
			var said []string
			for i, word := range words {
				if found[line]&(1<<i) != 0 {
					said = append(said, word)
				}
			}
			if said == nil {
				return []string{"none"}
			}
			return []string{strings.Join(said, ", ")}
		})
	})
}
