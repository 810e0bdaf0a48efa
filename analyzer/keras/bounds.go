package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A bound is the extreme assumed for a number that is only known at run time: how many classes a
// folder has, what a tuner draws. A program that uses such numbers is evaluated at both bounds.
// Its models hold what they are at either.
type bound uint8

const (
	unbounded bound = iota // such numbers are unknown
	lower
	upper
)

// Between returns a number at the current bound, which must not be unbounded. why says, in a
// sentence, why the number is not known.
func (h *host) Between(low, high int64, why string) int64 {
	if low == high {
		return low
	}
	if !slices.Contains(h.assumptions, why) {
		h.assumptions = append(h.assumptions, why)
	}
	if h.bound == upper {
		return high
	}
	return low
}

// widen adds to the models of a program what they are at the other bound. It reports false if the
// program creates other models there, or uses them differently.
func (p *Program) widen(other *Program, why []string) bool {
	if len(p.Models) != len(other.Models) || len(p.Uses) != len(other.Uses) || len(p.Unresolved) != len(other.Unresolved) {
		return false
	}
	wider := make(map[*Model]*Model, len(p.Models))
	for i, m := range p.Models {
		w := other.Models[i]
		if m.Node != w.Node || m.Class != w.Class || !slices.EqualFunc(m.Unresolved, w.Unresolved, (*value.Cause).Same) {
			return false
		}
		wider[m] = w
	}
	for i, u := range p.Uses {
		if w := other.Uses[i]; u.Node != w.Node || u.Method != w.Method || wider[u.Model] != w.Model {
			return false
		}
	}
	for m, w := range wider {
		m.widen(w, why)
	}
	for i, u := range p.Uses {
		w := other.Uses[i]
		u.ModelAt().widen(w.ModelAt(), why)
		batch, known := u.Batch.Int()
		if n, ok := w.Batch.Int(); known && ok && n != batch {
			u.Batch = value.Because(value.BatchSize, "only a run decides it, between %d and %d", min(batch, n), max(batch, n)).Unknown()
		}
	}
	return true
}

func (m *Model) widen(w *Model, why []string) { m.Wider, m.Assumptions = w, why }
