package plan

import (
	"cmp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory/page"
)

// Title names a plan by its changes.
func (p Plan) Title() string {
	var names []string
	for _, step := range p.Steps {
		names = append(names, step.Title)
	}
	return strings.Join(names, " + ")
}

// Costs says what a plan costs, as a clause. What leaves the numbers as they are is said where nothing
// else changes them.
func (p Plan) Costs() string {
	var said []string
	for _, step := range p.Steps {
		if !step.Same || len(p.Steps) == 1 {
			said = append(said, step.Costs)
		}
	}
	return cmp.Or(strings.Join(said, "; "), "same numbers, slower")
}

// Page returns what a page shows of the plans; nil if the program fits as it is.
func (ps *Plans) Page() *page.Plans {
	if ps == nil || ps.Before.Fits() {
		return nil
	}
	m := ps.Before.Worst
	out := &page.Plans{Budget: m.Budget, GPU: m.Device.Name, Before: ps.Before.Need}
	for _, p := range ps.Fitting {
		out.Rows = append(out.Rows, page.Plan{Title: p.Title(), Costs: p.Costs(), Need: p.After.Need, Batch: p.After.Batch()})
	}
	for _, r := range ps.Refused {
		row := page.Refused{Title: cmp.Or(r.Title, r.What), Why: r.Why}
		if r.After != nil {
			row.Need = &r.After.Need
		}
		out.Refused = append(out.Refused, row)
	}
	return out
}
