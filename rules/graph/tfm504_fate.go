package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A fate is what an iteration does with the model that it builds.
type fate struct {
	trained  bool // it is surely compiled or trained
	ran      bool // it is surely called, or used to predict
	predicts bool // by a method, on data
	used     bool // more is done than to compile, extend and show it
	// kept is set if something keeps it beyond the iteration on purpose, such as the best one so far, or
	// deletes it.
	kept bool
	// stored is a global name, or an attribute, that has it until the next iteration binds that again, or nil.
	stored *holder
}

// fate follows the model through an iteration.
func (m *built) fate() (f fate) {
	uses, holders := m.facts.Uses(m.event.Node, m.facts.At(m.event), m.event.Loop)
	for _, use := range uses {
		by := use.Node.Parent()
		f.kept = f.kept || by.Kind() == syntax.DeleteStatement || by.Parent().Kind() == syntax.DeleteStatement
		if use.Part == facts.Whole {
			m.add(&f, use.Node)
		}
		t := m.info.TypeOf(by)
		if mayBeModel := !t.Known() || t.Local != nil || m.info.IsA(t.Class, "tensorflow.keras.Model"); mayBeModel && use.Attribute != "" && by.Kind() == syntax.Attribute && !by.Parent().Is(syntax.Call, syntax.Attribute) {
			_, others := m.facts.Uses(by, use.In, m.event.Loop) // of another model of the same object
			holders = append(holders, others...)
		}
	}
	f.used = f.used || len(holders) > 0
	for _, h := range holders {
		if h.Kind != facts.InGlobal && (h.Kind != facts.InAttribute || h.Value.Kind() == syntax.Identifier) {
			f.kept = true
		} else if f.stored == nil {
			f.stored = m.stillHas(h.Node)
		}
	}
	return f
}

// add notes what an expression is for whose value is the model.
func (m *built) add(f *fate, model syntax.Node) {
	switch by := model.Parent(); by.Kind() {
	case syntax.Attribute:
		switch by.Child(syntax.FieldAttribute).Text() {
		case "trainable_variables", "trainable_weights":
			f.trained, f.used = true, true
		case "fit", "fit_generator", "train_on_batch":
			f.trained, f.used = true, true
		case "predict", "predict_on_batch", "evaluate":
			f.ran, f.predicts, f.used = true, true, true
		case "compile":
			f.trained = true
		case "summary", "add":
		default:
			f.used = true
		}
	case syntax.Call:
		f.ran, f.used = f.ran || model.Field() == syntax.FieldFunction, true
	case syntax.ArgumentList:
		f.used = f.used || m.info.Builtin(by.Parent()) != "print"
	}
}

// dropped reports whether each iteration surely builds the model, and another iteration may follow.
func (m *built) dropped() bool {
	loop, steps := m.event.Loop, m.steps()
	body := loop.Child(syntax.FieldBody)
	if n := m.times(); !loop.Is(syntax.ForStatement, syntax.WhileStatement) || !steps[0].Within(body) || names.Leaves(body) || n > 0 && n <= fewModels {
		return false
	}
	if steps[0].Ancestor(syntax.IfStatement, syntax.MatchStatement).Within(loop) && m.facts.WaitsForPerson(loop) {
		return false // as in a menu
	}
	return !slices.ContainsFunc(steps, func(n syntax.Node) bool { return once(n, loop) })
}

// once reports whether code, in a loop or in a function, runs in some iterations only: under an if
// without an else, such as "if model is None", or in a handler.
func once(n, loop syntax.Node) bool {
	for p := n.Parent(); p.Valid() && p != loop && !p.Is(definitions...); p = p.Parent() {
		if p.Kind() == syntax.ExceptClause || p.Kind() == syntax.IfStatement && !p.Child(syntax.FieldAlternative).Valid() && !flow.IsMainGuard(p.Child(syntax.FieldCondition)) {
			return true
		}
	}
	return false
}

// history returns the training, among the events, whose History object is kept beyond the iteration,
// or nil. It references the model (keras/src/callbacks/callback.py, set_model).
func (m *built) history(events []flow.Event) *flow.Event {
	at := slices.IndexFunc(events, func(e flow.Event) bool {
		if method := names.Method(e.Node); !e.Effects.Has(effects.Trains) || e.Loop != m.event.Loop || method != "fit" && method != "fit_generator" {
			return false
		}
		_, holders := m.facts.Uses(e.Node, m.facts.At(&e), e.Loop)
		return slices.ContainsFunc(holders, func(h facts.Holder) bool { return h.Kind != facts.InAttribute && h.Kind != facts.InArgument }) // the next iteration binds that again
	})
	if at < 0 {
		return nil
	}
	return &events[at]
}
