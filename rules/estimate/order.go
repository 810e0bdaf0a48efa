package estimate

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// An Order lists models for people: first those that are trained, then those that only predict.
type Order struct {
	Main  []Model
	Parts []Model // parts of others, not used by themselves
	Idle  []Model // used only by a step that is unknown
}

// All returns the models of all lists.
func (o Order) All() []Model {
	all := slices.Concat(o.Main, o.Parts, o.Idle)
	slices.SortStableFunc(all, byUse)
	return all
}

// InOrder sorts models, with equal ones from a loop as one.
func InOrder(models []Model) (o Order) {
	models = Distinct(models)
	slices.SortStableFunc(models, byUse)
	unknownStep := slices.ContainsFunc(models, func(m Model) bool { return m.isStep() && len(m.Unresolved) > 0 })
	for _, m := range models {
		switch {
		case m.Part:
			if i := slices.IndexFunc(o.Parts, func(p Model) bool { return alike(p, m) }); i >= 0 {
				o.Parts[i].Same += m.Same
			} else {
				o.Parts = append(o.Parts, m)
			}
		case unknownStep && m.use() == unused && len(m.Unresolved) == 0:
			o.Idle = append(o.Idle, m)
		default:
			o.Main = append(o.Main, m)
		}
	}
	return o
}

// How models are used, in the order in which they are listed.
const (
	trained = iota
	compiled
	run
	unused
)

func byUse(a, b Model) int { return a.use() - b.use() }

func (m Model) use() int {
	switch {
	case m.Part:
		return unused
	case m.isStep(), slices.ContainsFunc(m.Phases, func(p *memory.Phase) bool { return p.Use != nil && p.Use.Trains() }):
		return trained
	case m.Then.Compiled != nil:
		return compiled
	case m.Used():
		return run
	}
	return unused
}

func (m Model) isStep() bool { return m.Assessment.Model.Class == "Step" }
