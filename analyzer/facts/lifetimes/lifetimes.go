// Package lifetimes answers how long a Keras model lives that code builds or loads again and again: what
// repeats that code, what it does with the model, what has the model afterwards, and what frees it.
//
// A model is part of reference cycles. Neither leaving its function nor del frees it; Python's garbage
// collector does, once nothing refers to it. In Keras 2 its global state does until clear_session() is
// called, which collects no garbage there, and does in Keras 3 (keras/src/backend/common/global_state.py).
// How many of eight models are alive after each of these is recorded by testdata/freed/record.py.
package lifetimes

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Model is one that code builds or loads again and again.
type Model struct {
	Event  *flow.Event
	Around []facts.Repeat // what repeats it, innermost first
	Loop   syntax.Node    // the innermost: a loop, or a function that a library calls

	Learns   bool // it is surely compiled or trained in the iteration
	Ran      bool // it is surely called, or used to predict
	Predicts bool // by a method, on data
	Fitted   bool // it is trained by code that Keras or tf.function may compile
	Used     bool // more is done than to compile, extend and show it
	// Kept is set if something keeps it beyond the iteration on purpose, such as the best one so far.
	Kept bool
	// Given is where the model is given to a library that keeps it for as long as the search runs: what a
	// trial returns to Hyperopt, or sets on a trial of Optuna. It is none for others.
	Given syntax.Node
	// Stored is a global name, or an attribute, that has it until the next iteration binds that again, or
	// nil.
	Stored *Keeper
	// Deleted is a del statement that names it, or none.
	Deleted syntax.Node

	facts *facts.Facts
	info  *names.Info
	after []flow.Event // the later ones of the iteration
}

// Of returns the model that an event of a trace makes, or nil if nothing repeats it.
func Of(f *facts.Facts, info *names.Info, t *flow.Trace, at int) *Model {
	e := &t.Events[at]
	around := f.Around(e)
	if len(around) == 0 {
		return nil
	}
	m := &Model{Event: e, Around: around, Loop: around[0].Node, facts: f, info: info}
	for _, later := range t.Events[at+1:] {
		if later.Loop == e.Loop && (m.By() == nil || m.runs(&later)) {
			m.after = append(m.after, later)
		}
	}
	m.follow()
	m.Used, m.Fitted = m.Used || around[0].Wrapped, m.Fitted || around[0].Wrapped
	m.Learns = m.Learns || around[0].Wrapped || e.Effects.Has(effects.BuildsModel) && slices.ContainsFunc(m.after, func(later flow.Event) bool {
		return later.Effects.Has(effects.Trains) || later.Effects.Has(effects.CompilesModel) && !m.ofAnother()
	})
	return m
}

// By returns the library's repeat if the code is a function that a library calls, or nil for a loop.
func (m *Model) By() *facts.Repeat {
	if m.Around[0].Function == nil {
		return nil
	}
	return &m.Around[0]
}

// runs reports whether an event happens in the function that a library calls.
func (m *Model) runs(e *flow.Event) bool {
	return e.Node.Within(m.Loop) || slices.ContainsFunc(e.Path, func(call syntax.Node) bool { return call.Within(m.Loop) })
}

// Steps returns the calls by which an iteration comes to the model and, last, the call that makes it.
func (m *Model) Steps() []syntax.Node {
	steps := append(slices.Clone(m.Event.Path), m.Event.Node)
	for len(steps) > 1 && !steps[0].Within(m.Loop) {
		steps = steps[1:]
	}
	return steps
}

// Times returns how many models are made in all, at most, if the code shows it, else 0.
func (m *Model) Times() int { return facts.Times(m.Around) }

// Same reports whether code of the iteration refers to what existed before it, and makes nothing new.
func (m *Model) Same(n syntax.Node) bool { return m.facts.Invariant(n, m.facts.At(m.Event), m.Loop) }

// follow follows the model through an iteration.
func (m *Model) follow() {
	uses, holders := m.facts.Uses(m.Event.Node, m.facts.At(m.Event), m.Loop)
	for _, use := range uses {
		by := use.Node.Parent()
		if by.Kind() == syntax.DeleteStatement || by.Parent().Kind() == syntax.DeleteStatement {
			m.Deleted = by
		}
		switch {
		case !m.Given.Valid() && m.searchKeeps(use.Node):
			m.Given = use.Node
		case !m.Around[0].Wrapped && m.leaves(use.Node):
			m.Kept = true
		}
		if use.Part == facts.Whole {
			m.add(use)
		}
		t := m.info.TypeOf(by)
		if mayBeModel := !t.Known() || t.Local != nil || m.info.IsA(t.Class, "tensorflow.keras.Model"); mayBeModel && use.Attribute != "" && by.Kind() == syntax.Attribute && !by.Parent().Is(syntax.Call, syntax.Attribute) {
			_, others := m.facts.Uses(by, use.In, m.Loop) // of another model of the same object
			holders = append(holders, others...)
		}
	}
	m.Used = m.Used || len(holders) > 0
	for _, h := range holders {
		if h.Kind != facts.InGlobal && (h.Kind != facts.InAttribute || h.Value.Kind() == syntax.Identifier) {
			m.Kept = true
		} else if m.Stored == nil {
			m.Stored = &Keeper{h.Node, AName}
		}
	}
}

// leaves reports whether a value is what an iteration gives to whoever runs it: an item of a
// comprehension, or the result of the function that a library calls.
func (m *Model) leaves(value syntax.Node) bool {
	if m.By() == nil {
		return value.Parent() == m.Loop && value.Field() == syntax.FieldBody
	}
	return value == m.By().Function.Body || value.Parent().Kind() == syntax.ReturnStatement && m.info.ScopeOf(value).Function() == m.By().Function
}

// searchKeeps reports whether an expression gives its value to a search that keeps it.
func (m *Model) searchKeeps(value syntax.Node) bool {
	by := m.By()
	if by == nil {
		return false
	}
	if call := value.Parent().Parent(); names.Method(call) == "set_user_attr" {
		b := m.info.ReachingDefs(call.Child(syntax.FieldFunction).Child(syntax.FieldObject))
		return len(b) == 1 && m.facts.IsTrial(b[0])
	}
	e := effects.Lookup(m.info.Callee(by.By))
	return e != nil && e.KeepsResults && m.leaves(value)
}

// add notes what an expression is for whose value is the model.
func (m *Model) add(use facts.Use) {
	model := use.Node
	switch by := model.Parent(); by.Kind() {
	case syntax.Attribute:
		switch by.Child(syntax.FieldAttribute).Text() {
		case "trainable_variables", "trainable_weights":
			m.Learns, m.Used = true, true
			m.Fitted = m.Fitted || use.In != nil && use.In.Function.Compiler().Valid()
		case "fit", "fit_generator", "train_on_batch":
			m.Learns, m.Used, m.Fitted = true, true, true
		case "predict", "predict_on_batch", "evaluate":
			m.Ran, m.Predicts, m.Used = true, true, true
		case "compile":
			m.Learns = m.Learns || !m.ofAnother()
		case "summary", "add":
		default:
			m.Used = true
		}
	case syntax.Call:
		m.Ran, m.Used = m.Ran || model.Field() == syntax.FieldFunction, true
	case syntax.ArgumentList:
		m.Used = m.Used || m.info.Builtin(by.Parent()) != "print"
	}
}

// Replaced reports whether each iteration surely makes the model, and another iteration may follow.
func (m *Model) Replaced() bool {
	loop, steps := m.Loop, m.Steps()
	body := loop.Child(syntax.FieldBody)
	if m.By() == nil && (!steps[0].Within(body) || names.Leaves(body)) {
		return false
	}
	if steps[0].Ancestor(syntax.IfStatement, syntax.MatchStatement).Within(loop) && m.facts.WaitsForPerson(loop) {
		return false // as in a menu
	}
	return !slices.ContainsFunc(steps, m.once)
}

var definitions = []syntax.Kind{syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition}

// once reports whether code, in a loop or in a function, runs in some iterations only: in a handler, in a
// function that keeps its results, or under an if without an else, such as "if model is None", unless it
// asks what the request is.
func (m *Model) once(n syntax.Node) bool {
	if fn := m.info.ScopeOf(n).Function(); fn != nil && slices.ContainsFunc(fn.Decorators, func(d syntax.Node) bool { return strings.Contains(d.Text(), "cache") }) {
		return true
	}
	for p := n.Parent(); p.Valid() && p != m.Loop && !p.Is(definitions...); p = p.Parent() {
		if p.Kind() == syntax.ExceptClause {
			return true
		}
		if p.Kind() != syntax.IfStatement || p.Child(syntax.FieldAlternative).Valid() {
			continue
		}
		if condition := p.Child(syntax.FieldCondition); !flow.IsMainGuard(condition) && !m.ofRequest(condition) {
			return true
		}
	}
	return false
}

// ofRequest reports whether a condition asks what is requested.
func (m *Model) ofRequest(condition syntax.Node) bool {
	if m.By() == nil || m.By().Each != "request" {
		return false
	}
	found := false
	condition.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.Identifier && m.info.Qualified(n) == "flask.request"
		return !found
	})
	return found
}

// History returns the training whose History object is kept beyond the iteration, or nil. It references
// the model (keras/src/callbacks/callback.py, set_model).
func (m *Model) History() *flow.Event {
	at := slices.IndexFunc(m.after, func(e flow.Event) bool {
		if method := names.Method(e.Node); !e.Effects.Has(effects.Trains) || method != "fit" && method != "fit_generator" {
			return false
		}
		uses, holders := m.facts.Uses(e.Node, m.facts.At(&e), m.Loop)
		return slices.ContainsFunc(uses, func(u facts.Use) bool { return m.leaves(u.Node) }) ||
			slices.ContainsFunc(holders, func(h facts.Holder) bool { return h.Kind != facts.InAttribute && h.Kind != facts.InArgument }) // the next iteration binds that again
	})
	if at < 0 {
		return nil
	}
	return &m.after[at]
}
