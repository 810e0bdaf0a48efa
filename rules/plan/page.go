package plan

import (
	"cmp"
	"path/filepath"
	"slices"
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

// Batch returns the batch of the training that needed the most, after a plan; 0 if the program names none.
func (p Plan) Batch(before *State) int64 {
	for _, step := range p.Steps {
		if step.batch > 0 {
			return step.batch
		}
	}
	return before.Batch()
}

// Needs says which releases a plan needs, of those that nothing states; "" if it needs none.
func (p Plan) Needs() string {
	var needs []string
	for _, step := range p.Steps {
		for _, note := range step.Notes {
			if strings.HasPrefix(note, needsWord) && !slices.Contains(needs, note) {
				needs = append(needs, note)
			}
		}
	}
	return strings.Join(needs, ", ")
}

// Costs says what a plan costs, as clauses: what changes the numbers first.
func (p Plan) Costs() string {
	var numbers, others, notes []string
	for _, step := range p.Steps {
		if other, same := strings.CutPrefix(step.Costs, sameNumbers); same {
			others = append(others, strings.TrimPrefix(other, ", "))
		} else {
			numbers = append(numbers, step.Costs)
		}
		for _, note := range step.Notes {
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	if elsewhere := p.files(); elsewhere != "" {
		notes = append(notes, "edits "+elsewhere+" too")
	}
	said := strings.Join(slices.Concat(numbers, others, notes), "; ")
	if len(numbers) == 0 {
		said = sameNumbers + ", " + said
	}
	return said
}

// files lists the other files that a plan edits, by their names.
func (p Plan) files() string {
	var names []string
	for _, e := range p.Elsewhere {
		names = append(names, filepath.Base(e.Source.Path))
	}
	return strings.Join(names, " and ")
}

// sameNumbers begins what a change costs that leaves the numbers as they are.
const sameNumbers = "same numbers"

// Page returns what a page shows of the plans; nil if the program fits as it is, or nothing fits the GPU.
func (ps *Plans) Page() *page.Plans {
	if ps == nil || ps.Before.Fits() || ps.Empty {
		return nil
	}
	m := ps.Before.Worst
	out := &page.Plans{Budget: m.Budget, GPU: m.Device.Name, Before: ps.Before.Need}
	for _, p := range ps.Fitting {
		out.Rows = append(out.Rows, page.Plan{Title: p.Title(), Costs: p.Costs(), Need: p.After.Need, Batch: p.Batch(ps.Before)})
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
