package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A holder keeps an earlier model alive across iterations, and cannot be cleared at the start of one.
type holder struct {
	at   syntax.Node
	says string // with a place for the line
}

// A code is the body of the loop, or of a function that each iteration runs on the way to what builds,
// compiles and trains its model.
type code struct {
	node syntax.Node
	in   *origins.Call
}

// codes returns the code of an iteration, by the events that follow the one of the model: first the body
// of the loop.
func (m *built) codes(after []flow.Event) []code {
	all := []code{{node: m.event.Loop.Child(syntax.FieldBody)}}
	for _, e := range append([]flow.Event{*m.event}, after...) {
		if e.Loop != m.event.Loop || !e.Effects.Has(effects.BuildsModel|effects.LoadsModel|effects.CompilesModel|effects.Trains) {
			continue
		}
		n := len(all)
		in := m.facts.At(&e)
		for ; in != nil && !e.Loop.Within(in.Function.Node); in = in.From {
			if !slices.ContainsFunc(all, func(c code) bool { return c.node == in.Function.Body }) {
				all = slices.Insert(all, n, code{in.Function.Body, in})
			}
		}
		all[0].in = in
	}
	return all
}

// kept returns what existed before the iteration and keeps its model, and whether an iteration uses
// objects of Keras from before it.
func (m *built) kept(codes []code) (found *holder, uses bool) {
	for _, c := range codes {
		c.node.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier && !m.info.Used(n) || !n.Is(syntax.Identifier, syntax.Attribute) || isTarget(n) {
				return found == nil
			}
			for _, object := range m.facts.Objects(origins.Place{Node: n, In: c.in}, m.event.Loop, m.isPart) {
				part := m.partMade(object.Made)
				if !object.Earlier || found != nil {
					continue
				}
				uses = uses || part != "callback" && part != "other"
				if says := lasting[part]; says != "" && (part != "layer" || m.connects(n)) {
					found = &holder{object.Made, says}
				}
			}
			return found == nil
		})
	}
	return found, uses
}

// lasting says how a part that existed before the iteration keeps its model.
var lasting = map[string]string{
	// It references its slot variables, in Keras 3 also the variables that it trains (keras/src/optimizers/base_optimizer.py, build).
	"optimizer": "The optimizers on %s exist before the iteration. They keep the state of their model, and in Keras 3 its weights, even then: create each one in its iteration.",
	// It references the model that it was last used with (keras/src/callbacks/callback.py, set_model).
	"callback": "The callbacks on %s outlive the iteration. A callback keeps the model that it was last used with, even then: create each one, and the list of them, in the iteration.",
	// It references the nodes of all layers that are connected to it (keras/src/ops/node.py).
	"layer": "The layers on %s exist before the iteration. They keep the layers that each model connects to them, even then: create or clone them in the iteration.",
}

// connects reports whether the use of a layer or a model may make it a part of another model.
func (m *built) connects(use syntax.Node) bool {
	parent := use.Parent()
	if parent.Kind() == syntax.Attribute && use.Field() == syntax.FieldObject {
		return partsOfModel[parent.Child(syntax.FieldAttribute).Text()]
	}
	return m.info.Callee(use.Ancestor(syntax.Call)) != "tensorflow.keras.models.clone_model"
}

// holding returns the names by which an iteration still has the model of the one before, and that its
// first statement may set to None, and a name or an attribute that it may not.
func (m *built) holding(codes []code) (drop []string, keeps *holder) {
	body := codes[0].node
	for _, c := range codes {
		consider := func(target, value syntax.Node) {
			name, scope := target.Text(), m.info.Lookup(target)
			_, own := m.facts.Makes(origins.Place{Node: target.Child(syntax.FieldObject), In: c.in}, m.event.Loop)
			switch {
			case target.Kind() == syntax.Identifier && (scope == nil || c.node != body && scope.Function() == m.info.ScopeOf(target).Function()),
				target.Kind() == syntax.Attribute && own,                                                        // of an object of the iteration
				value.Kind() == syntax.Identifier && (scope == nil || !m.info.BoundIn(body, scope, name, body)), // such as the best model so far
				slices.Contains(drop, name), !m.hasPart(target, value, c.in):
			case c.node == body && target.Kind() == syntax.Identifier && m.dropsFirst(target, body):
				drop = append(drop, name)
			case keeps == nil:
				keeps = &holder{target, name + " on %s still has the earlier model when an iteration begins: set it to None before the session is cleared."}
			}
		}
		c.node.Walk(func(n syntax.Node) bool {
			value, target := n.Child(syntax.FieldRight), n.Child(syntax.FieldLeft)
			switch {
			case n.Kind() != syntax.Assignment || !value.Valid():
			case target.Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern):
				for item := range target.Children() {
					consider(item, value)
				}
			default:
				consider(target, value)
			}
			return !n.Is(definitions...)
		})
	}
	return drop, keeps
}

// hasPart reports whether an assignment gives its target, or an item of it, a part of the iteration's
// model.
func (m *built) hasPart(target, value syntax.Node, in *origins.Call) bool {
	loop, at := m.event.Loop, origins.Place{Node: value, In: in}
	isNew := func(o facts.Object) bool { return !o.Earlier && m.partMade(o.Made) != "state" } // a metric or a variable
	if b := m.info.BindingAt(target); target.Kind() == syntax.Identifier && b != nil && slices.ContainsFunc(m.facts.ObjectsOf(b, in, loop, m.isPart), isNew) ||
		target.Kind() == syntax.Attribute && slices.ContainsFunc(m.facts.Objects(at, loop, m.isPart), isNew) {
		return true
	}
	at.Node = value.Child(syntax.FieldObject) // the part is an attribute of another
	return slices.ContainsFunc(m.facts.Objects(at, loop, m.isPart), func(o facts.Object) bool {
		return isNew(o) && (m.info.TypeOf(o.Made).Local != nil || partsOfModel[value.Child(syntax.FieldAttribute).Text()])
	})
}

// partsOfModel are attributes and methods that give a model, or layers of it.
var partsOfModel = map[string]bool{
	"model": true, "layers": true, "input": true, "inputs": true, "output": true, "outputs": true, "optimizer": true, "get_layer": true, "call": true,
}

// dropsFirst reports whether a name that the body of a loop binds may be set to None where the body
// begins: the code reads it only after it is bound.
func (m *built) dropsFirst(target, body syntax.Node) bool {
	scope, name := m.info.Lookup(target), target.Text()
	reads := func(use syntax.Node) bool {
		if fn := m.info.ScopeOf(use).Function(); fn != scope.Function() {
			return m.facts.Runs(fn, m.event.Loop)
		}
		return !m.info.BoundIn(body, scope, name, use)
	}
	return !slices.ContainsFunc(scope.Bindings(name), func(b *names.Binding) bool { return slices.ContainsFunc(m.info.Uses(b), reads) })
}

func (m *built) isPart(call syntax.Node) bool { return m.partMade(call) != "" }

// partMade returns what kind of object a call makes, if it is one of Keras or of the program, else "". A
// symbolic tensor refers to its layers, and a History, or an object of the program, may have anything.
func (m *built) partMade(call syntax.Node) string {
	const aLayer = "tensorflow.keras.layers.Layer"
	of, callee := m.info.TypeOf(call), m.info.Callee(call)
	switch {
	case strings.HasPrefix(of.Class, "tensorflow.keras.callbacks."), m.info.InstanceOf(call, "tensorflow.keras.callbacks.Callback"):
		return "callback"
	case isOptimizer(of):
		return "optimizer"
	case m.info.InstanceOf(call, aLayer), m.info.InstanceOf(call.Child(syntax.FieldFunction), aLayer),
		callee == "tensorflow.keras.Input", callee == "tensorflow.keras.layers.Input":
		return "layer"
	case names.Method(call) == "fit", of.Local != nil:
		return "other"
	case obstacles.MakesVariable(m.info, call):
		return "state"
	}
	return ""
}
