package lifetimes

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

// A Keeper keeps an earlier model alive across iterations, and cannot be cleared at the start of one.
type Keeper struct {
	At   syntax.Node
	Part Part
}

// A Part is what an object is to the model.
type Part uint8

const (
	NoPart Part = iota
	// AName has the model, or a part of it, until the next iteration binds it again.
	AName
	// AnOptimizer references its slot variables, in Keras 3 also the variables that it trains
	// (keras/src/optimizers/base_optimizer.py, build).
	AnOptimizer
	// ACallback references the model that it was last used with (keras/src/callbacks/callback.py, set_model).
	ACallback
	// ALayer references the nodes of all layers that are connected to it (keras/src/ops/node.py).
	ALayer
	// State is a variable or a metric, which references no model.
	State
	// AnObject of the program, or a History, may have anything.
	AnObject
)

// A code is the body of the loop, or of a function that each iteration runs on the way to what builds,
// compiles and trains its model.
type code struct {
	node syntax.Node
	in   *origins.Call
}

// codes returns the code of an iteration, by the events that follow the one of the model: first the body
// of the loop.
func (m *Model) codes() []code {
	all := []code{{node: m.Loop.Child(syntax.FieldBody)}}
	for _, e := range append([]flow.Event{*m.Event}, m.after...) {
		if !e.Effects.Has(effects.BuildsModel | effects.LoadsModel | effects.CompilesModel | effects.Trains) {
			continue
		}
		n := len(all)
		in := m.facts.At(&e)
		for ; in != nil && !m.Loop.Within(in.Function.Node); in = in.From {
			if !slices.ContainsFunc(all, func(c code) bool { return c.node == in.Function.Body }) {
				all = slices.Insert(all, n, code{in.Function.Body, in})
			}
		}
		all[0].in = in
	}
	return all
}

// Keeper returns what existed before the iteration and keeps its model, and whether an iteration uses
// objects of Keras from before it.
func (m *Model) Keeper() (found *Keeper, uses bool) {
	for _, c := range m.codes() {
		c.node.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier && !m.info.Used(n) || !n.Is(syntax.Identifier, syntax.Attribute) || facts.IsTarget(n) {
				return found == nil
			}
			for _, object := range m.facts.Objects(origins.Place{Node: n, In: c.in}, m.Loop, m.isPart) {
				part := m.partMade(object.Made)
				if !object.Earlier || found != nil {
					continue
				}
				uses = uses || part != ACallback && part != AnObject
				if part == AnOptimizer || part == ACallback || part == ALayer && m.connects(n) {
					found = &Keeper{object.Made, part}
				}
			}
			return found == nil
		})
	}
	return found, uses
}

// connects reports whether the use of a layer or a model may make it a part of another model.
func (m *Model) connects(use syntax.Node) bool {
	parent := use.Parent()
	if parent.Kind() == syntax.Attribute && use.Field() == syntax.FieldObject {
		return partsOfModel[parent.Child(syntax.FieldAttribute).Text()]
	}
	return m.info.Callee(use.Ancestor(syntax.Call)) != "tensorflow.keras.models.clone_model"
}

// Names returns the names by which an iteration still has the model of the one before, and that its
// first statement may set to None, and one that it may not.
func (m *Model) Names() (drop []string, keeps *Keeper) {
	body := m.codes()[0]
	scope := m.info.ScopeOf(m.Loop)
	var bound []*names.Binding
	for _, name := range scope.Names() {
		bound = append(bound, slices.DeleteFunc(slices.Clone(scope.Bindings(name)), func(b *names.Binding) bool {
			return !b.Node.Within(body.node) || b.Kind != names.AssignBinding && b.Kind != names.UnpackBinding
		})...)
	}
	slices.SortFunc(bound, func(a, b *names.Binding) int { return a.Node.Start() - b.Node.Start() })
	for _, b := range bound {
		switch {
		case slices.Contains(drop, b.Name), b.Value.Kind() == syntax.Identifier && !m.info.BoundIn(body.node, scope, b.Name, body.node), // such as the best model so far
			!m.hasPart(b, body.in):
		case m.dropsFirst(b, body.node):
			drop = append(drop, b.Name)
		case keeps == nil:
			keeps = &Keeper{b.Node, AName}
		}
	}
	return drop, keeps
}

// hasPart reports whether a binding gives its name a part of the iteration's model.
func (m *Model) hasPart(b *names.Binding, in *origins.Call) bool {
	loop, isNew := m.Loop, func(o facts.Object) bool { return !o.Earlier && m.partMade(o.Made) != State } // a metric or a variable
	of := m.facts.Objects(origins.Place{Node: b.Value.Child(syntax.FieldObject), In: in}, loop, m.isPart)
	return slices.ContainsFunc(m.facts.ObjectsOf(b, in, loop, m.isPart), isNew) || slices.ContainsFunc(of, func(o facts.Object) bool { // an attribute of a part
		return isNew(o) && (m.info.TypeOf(o.Made).Local != nil || partsOfModel[b.Value.Child(syntax.FieldAttribute).Text()])
	})
}

// partsOfModel are attributes and methods that give a model, or layers of it.
var partsOfModel = map[string]bool{
	"model": true, "layers": true, "input": true, "inputs": true, "output": true, "outputs": true, "optimizer": true, "get_layer": true, "call": true,
}

// dropsFirst reports whether a name that the body of a loop binds may be set to None where the body
// begins: the code reads it only after it is bound.
func (m *Model) dropsFirst(b *names.Binding, body syntax.Node) bool {
	reads := func(use syntax.Node) bool {
		if fn := m.info.ScopeOf(use).Function(); fn != b.Scope.Function() {
			return m.facts.Runs(fn, m.Loop)
		}
		return !m.info.BoundIn(body, b.Scope, b.Name, use)
	}
	return !slices.ContainsFunc(b.Scope.Bindings(b.Name), func(b *names.Binding) bool { return slices.ContainsFunc(m.info.Uses(b), reads) })
}

func (m *Model) isPart(call syntax.Node) bool { return m.partMade(call) != NoPart }

// partMade returns what kind of object a call makes, if it is one of Keras or of the program, else NoPart. A
// symbolic tensor refers to its layers, and a History, or an object of the program, may have anything.
func (m *Model) partMade(call syntax.Node) Part {
	const aLayer = "tensorflow.keras.layers.Layer"
	of, callee := m.info.TypeOf(call), m.info.Callee(call)
	switch {
	case strings.HasPrefix(of.Class, "tensorflow.keras.callbacks."), m.info.InstanceOf(call, "tensorflow.keras.callbacks.Callback"):
		return ACallback
	case facts.IsOptimizer(of):
		return AnOptimizer
	case m.info.InstanceOf(call, aLayer), m.info.InstanceOf(call.Child(syntax.FieldFunction), aLayer),
		callee == "tensorflow.keras.Input", callee == "tensorflow.keras.layers.Input":
		return ALayer
	case names.Method(call) == "fit", of.Local != nil:
		return AnObject
	case obstacles.MakesVariable(m.info, call):
		return State
	}
	return NoPart
}
