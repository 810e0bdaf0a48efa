package facts

import (
	"slices"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestStretch checks the files of testdata/facts/stretch: what the body of the loop on a line takes from the
// code around it, and gives to it.
func TestStretch(t *testing.T) {
	cases.Run(t, "../../testdata/facts/stretch", []string{"stretch"}, func(t *testing.T, c *cases.Case) {
		tree := syntax.Parse(c.Text)
		f := Of(names.Resolve(tree, effects.Library{}, nil))
		loops := map[int]syntax.Node{}
		for s := range tree.Statements() {
			if s.Kind() == syntax.ForStatement {
				loops[c.Line(s.Start())] = s.Child(syntax.FieldBody)
			}
		}
		c.Compare(t, "stretch", func(line int) (said []string) {
			var first, last syntax.Node
			for s := range loops[line].Children() {
				if !first.Valid() {
					first = s
				}
				last = s
			}
			s := f.Stretch(first, last)
			add := func(what, name string) {
				if text := what + " " + name; !slices.Contains(said, text) {
					said = append(said, text)
				}
			}
			for _, b := range s.Reads {
				add("reads", b.Name)
			}
			for _, n := range s.Changes {
				add("changes", n.Text())
			}
			for _, n := range s.Uses {
				add("uses", n.Text())
			}
			for _, n := range s.Carried {
				add("carried", n.Text())
			}
			for _, n := range s.Leaves {
				add("leaves", n.Text())
			}
			return said
		})
	})
}
