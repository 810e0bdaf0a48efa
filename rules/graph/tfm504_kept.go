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
	at    syntax.Node
	says  string // with a place for the line
	label string
}

// A code is the body of the loop, or of a function that each iteration runs on the way to what builds,
// compiles and trains its model.
type code struct {
	node syntax.Node
	in   *origins.Call
}

// codes returns the code of an iteration, by the events that follow the one of the model.
func (m *built) codes(after []flow.Event) (all []code) {
	for _, e := range append([]flow.Event{*m.event}, after...) {
		if e.Loop != m.event.Loop || !e.Effects.Has(effects.BuildsModel|effects.LoadsModel|effects.CompilesModel|effects.Trains) {
			continue
		}
		at := built{m.p, m.info, m.facts, &e}
		for level := at.inLoop(); level <= len(e.Path); level++ {
			node := e.Loop.Child(syntax.FieldBody)
			if fn := m.info.ScopeOf(at.step(level)).Function(); level > at.inLoop() {
				if fn == nil || at.step(level-1).Kind() != syntax.Call {
					continue
				}
				node = fn.Body
			}
			if !slices.ContainsFunc(all, func(c code) bool { return c.node == node }) {
				all = append(all, code{node, m.facts.At(&flow.Event{Path: e.Path[:level], Node: at.step(level)})})
			}
		}
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
				if !object.Earlier || found != nil {
					continue
				}
				switch m.partMade(object.Made) {
				case optimizerPart:
					uses = true
					// It references its slot variables, in Keras 3 also the variables that it trains (keras/src/optimizers/base_optimizer.py, build).
					found = &holder{object.Made, "The optimizers on %s exist before the iteration. They keep the state of their model, and in Keras 3 its weights, even then: create each one in its iteration.", "kept longer than the model"}
				case callbackPart:
					// It references the model that it was last used with (keras/src/callbacks/callback.py, set_model).
					found = &holder{object.Made, "The callbacks on %s outlive the iteration. A callback keeps the model that it was last used with, even then: create each one, and the list of them, in the iteration.", "kept longer than the model"}
				case layerPart:
					uses = true
					// It references the nodes of all layers that are connected to it (keras/src/ops/node.py).
					if m.connects(n) {
						found = &holder{object.Made, "The layers on %s exist before the iteration. They keep the layers that each model connects to them, even then: create or clone them in the iteration.", "kept longer than the model"}
					}
				case statePart:
					uses = true
				}
			}
			return found == nil
		})
	}
	return found, uses
}

// connects reports whether the use of a layer or a model may make it a part of another model.
func (m *built) connects(use syntax.Node) bool {
	parent := use.Parent()
	if parent.Kind() == syntax.Attribute && use.Field() == syntax.FieldObject {
		return !alone[parent.Child(syntax.FieldAttribute).Text()]
	}
	return m.info.Callee(use.Ancestor(syntax.Call)) != "tensorflow.keras.models.clone_model"
}

// alone are the attributes of a layer or a model that connect it to nothing.
var alone = map[string]bool{
	"predict": true, "predict_on_batch": true, "evaluate": true, "get_weights": true, "set_weights": true, "save": true, "save_weights": true,
	"load_weights": true, "summary": true, "trainable": true, "name": true, "get_config": true, "count_params": true, "to_json": true,
	"input_shape": true, "output_shape": true, "metrics_names": true, "fit": true, "compile": true, "train_on_batch": true,
}

// holding returns the names by which an iteration still has the model of the one before, and that its
// first statement may set to None, and a name or an attribute that it may not.
func (m *built) holding(codes []code) (drop []string, keeps *holder) {
	body := codes[0].node
	for _, c := range codes {
		consider := func(target, value syntax.Node) {
			name, scope := target.Text(), m.info.Lookup(target)
			switch {
			case target.Kind() == syntax.Identifier && (scope == nil || c.node != body && scope.Function() == m.info.ScopeOf(target).Function()),
				target.Kind() == syntax.Attribute && !m.outlives(origins.Place{Node: target.Child(syntax.FieldObject), In: c.in}),
				value.Kind() == syntax.Identifier && (scope == nil || !m.info.BoundIn(body, scope, name, body)), // such as the best model so far
				slices.Contains(drop, name), !m.hasPart(target, value, c.in):
			case c.node == body && target.Kind() == syntax.Identifier && m.dropsFirst(target, body):
				drop = append(drop, name)
			case keeps == nil:
				keeps = &holder{target, name + " on %s still has the earlier model when an iteration begins: set it to None before the session is cleared.", "still has the earlier model"}
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

// outlives reports whether an object may be from before the iteration.
func (m *built) outlives(object origins.Place) bool {
	_, makes := m.facts.Makes(object, m.event.Loop)
	return !makes
}

// hasPart reports whether an assignment gives its target, or an item of it, a part of the iteration's
// model.
func (m *built) hasPart(target, value syntax.Node, in *origins.Call) bool {
	loop, isNew := m.event.Loop, func(o facts.Object) bool { return !o.Earlier && m.partMade(o.Made) != statePart }
	if b := m.info.BindingAt(target); target.Kind() == syntax.Identifier && b != nil && slices.ContainsFunc(m.facts.ObjectsOf(b, in, loop, m.isPart), isNew) {
		return true
	}
	if target.Kind() == syntax.Attribute && slices.ContainsFunc(m.facts.Objects(origins.Place{Node: value, In: in}, loop, m.isPart), isNew) {
		return true
	}
	name := value.Child(syntax.FieldAttribute).Text()
	return slices.ContainsFunc(m.facts.Objects(origins.Place{Node: value.Child(syntax.FieldObject), In: in}, loop, m.isPart), func(o facts.Object) bool {
		return isNew(o) && (m.info.TypeOf(o.Made).Local != nil || partsOfModel[name])
	})
}

// partsOfModel are attributes that refer to a model or its layers.
var partsOfModel = map[string]bool{
	"model": true, "layers": true, "input": true, "inputs": true, "output": true, "outputs": true, "optimizer": true,
}

// dropsFirst reports whether a name that the body of a loop binds may be set to None where the body
// begins: the code reads it only after it is bound.
func (m *built) dropsFirst(target, body syntax.Node) bool {
	scope, name := m.info.Lookup(target), target.Text()
	reads := func(use syntax.Node) bool {
		fn := m.info.ScopeOf(use).Function()
		if fn == scope.Function() {
			return !m.info.BoundIn(body, scope, name, use)
		}
		for statement := range body.Children() {
			if m.facts.Runs(fn, statement) || target.Within(statement) {
				return m.facts.Runs(fn, statement)
			}
		}
		return false
	}
	return !slices.ContainsFunc(scope.Bindings(name), func(b *names.Binding) bool { return slices.ContainsFunc(m.info.Uses(b), reads) })
}

type partKind uint8

const (
	noPart    partKind = iota
	layerPart          // a layer, a model, or a symbolic tensor, which refers to its layers
	optimizerPart
	callbackPart
	otherPart // a History, or an object of a class of the program
	statePart // a metric or a variable
)

func (m *built) isPart(call syntax.Node) bool { return m.partMade(call) != noPart }

// partMade returns what kind of object a call makes, if it is one of Keras or of the program.
func (m *built) partMade(call syntax.Node) partKind {
	const layer = "tensorflow.keras.layers.Layer"
	of, callee := m.info.TypeOf(call), m.info.Callee(call)
	switch {
	case strings.HasPrefix(of.Class, "tensorflow.keras.callbacks."), m.info.InstanceOf(call, "tensorflow.keras.callbacks.Callback"):
		return callbackPart
	case isOptimizer(of):
		return optimizerPart
	case m.info.InstanceOf(call, layer), m.info.InstanceOf(call.Child(syntax.FieldFunction), layer),
		callee == "tensorflow.keras.Input", callee == "tensorflow.keras.layers.Input":
		return layerPart
	case names.Method(call) == "fit", of.Local != nil:
		return otherPart
	case obstacles.MakesVariable(m.info, call):
		return statePart
	}
	return noPart
}
