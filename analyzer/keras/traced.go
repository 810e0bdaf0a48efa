package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/value"
)

// takeTraced prices by what a run traced the trainings that the text does not say: those of models that
// are not known in full, and those of values that are not known to be models.
func takeTraced(h *state.Host) {
	note := func(u *graph.ModelCall) {
		h.Interp.Observed.Use(value.ObservationUse{What: "the step of " + u.Method, Said: u.Model.Traced.String(), At: u.Node})
	}
	for _, u := range h.Program.Uses {
		if u.Traces() {
			note(u)
		}
	}
	h.Program.Unresolved = slices.DeleteFunc(h.Program.Unresolved, func(lost graph.UnresolvedCall) bool {
		if lost.Traced == nil {
			return false
		}
		m := steps.NewModel(h, "Subclass")
		m.Name, m.Node, m.Unresolved = "model", lost.Node, []*value.Cause{lost.Why}
		u := &graph.ModelCall{Method: lost.Method, Node: lost.Node, Model: m, Traced: lost.Traced, Data: lost.Copied}
		if !u.Traces() {
			return false
		}
		h.Program.Models, h.Program.Uses = append(h.Program.Models, m), append(h.Program.Uses, u)
		note(u)
		return true
	})
}
