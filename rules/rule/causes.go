package rule

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Causes gathers the findings of a rule, so that each piece of code that is to be changed has one.
type Causes struct {
	code []syntax.Node
	of   map[syntax.Node]*Finding
}

// mostRelated is how many related places a finding gains from others.
const mostRelated = 8

// Add adds a finding. If the code has one already, that only gains the first related place.
func (c *Causes) Add(code syntax.Node, f Finding) {
	if c.of == nil {
		c.of = map[syntax.Node]*Finding{}
	}
	first := c.of[code]
	if first == nil {
		c.code, c.of[code] = append(c.code, code), &f
		return
	}
	if len(f.Related) > 0 && len(first.Related) < mostRelated && !slices.Contains(first.Related, f.Related[0]) {
		first.Related = append(first.Related, f.Related[0])
	}
}

// Report reports the findings. One about a part of the code of another is only related to that.
func (c *Causes) Report(p *Pass) {
	outermost := slices.DeleteFunc(c.code, func(code syntax.Node) bool {
		var outer *Finding
		for a := code.Parent(); a.Valid(); a = a.Parent() {
			outer = cmp.Or(c.of[a], outer)
		}
		if outer != nil && len(outer.Related) < mostRelated {
			outer.Related = append(outer.Related, Related{Span: c.of[code].Span, Message: "this is a part of it"})
		}
		return outer != nil
	})
	for _, code := range outermost {
		p.Report(*c.of[code])
	}
}
