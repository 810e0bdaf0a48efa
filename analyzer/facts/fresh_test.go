package facts

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestHoldsNew checks the files of testdata/facts/fresh: the array of the last loop's iteration that what is
// printed has.
func TestHoldsNew(t *testing.T) {
	cases.Run(t, "../../testdata/facts/fresh", []string{"new"}, func(t *testing.T, c *cases.Case) {
		tree := syntax.Parse(c.Text)
		info := names.Resolve(tree, effects.Library{}, nil)
		f := Of(info)
		var loop syntax.Node
		for s := range tree.Statements() {
			if s.Kind() == syntax.ForStatement {
				loop = s
			}
		}
		printed := printedIn(info, c)
		c.Compare(t, "new", func(line int) []string {
			in := (*origins.Call)(nil)
			if fn := info.ScopeOf(printed[line]).Function(); fn != nil { // which the loop calls once
				for _, call := range info.Calls {
					if info.Target(call.Child(syntax.FieldFunction)).Function == fn {
						in = f.Enter(fn, call, nil)
					}
				}
			}
			if array := f.HoldsNew(origins.Place{Node: printed[line], In: in}, loop); array.Valid() {
				return []string{array.Text()}
			}
			return []string{"nothing"}
		})
	})
}
