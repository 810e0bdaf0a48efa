package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// held reports whether something may keep the model beyond the iteration on purpose: a container, an
// attribute that a name of the model is assigned to, such as the best one so far, or what keeps another
// model of the object that has it.
func (m *built) held() bool {
	uses, holders := m.facts.Uses(m.event.Node, m.facts.At(m.event), m.event.Loop)
	for _, use := range uses {
		of := use.Node.Parent()
		if use.Attribute != "" && of.Kind() == syntax.Attribute && !of.Parent().Is(syntax.Call, syntax.Attribute) && m.mayBeModel(of) {
			_, others := m.facts.Uses(of, use.In, m.event.Loop)
			holders = append(holders, others...)
		}
	}
	return slices.ContainsFunc(holders, func(h facts.Holder) bool {
		return h.Kind != facts.InGlobal && (h.Kind != facts.InAttribute || h.Value.Kind() == syntax.Identifier)
	})
}

// mayBeModel reports whether an expression is, or may be, a Keras model.
func (m *built) mayBeModel(n syntax.Node) bool {
	return !m.info.TypeOf(n).Known() || m.isModel(n)
}

// history returns the training, among the events, whose History object is kept beyond the iteration,
// or nil. It references the model (keras/src/callbacks/callback.py, set_model).
func (m *built) history(events []flow.Event) *flow.Event {
	for i := range events {
		e := &events[i]
		if method := names.Method(e.Node); !e.Effects.Has(effects.Trains) || e.Loop != m.event.Loop || method != "fit" && method != "fit_generator" {
			continue
		}
		_, holders := m.facts.Uses(e.Node, m.facts.At(e), e.Loop)
		if slices.ContainsFunc(holders, func(h facts.Holder) bool { return h.Kind != facts.InAttribute && h.Kind != facts.InArgument }) { // the next iteration binds that again
			return e
		}
	}
	return nil
}
