package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
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

// An iteration is the code that each iteration of a loop runs on the way to what builds, compiles
// and trains its model.
type iteration struct {
	m     *built
	facts *facts.Facts
	codes []code // the loop's body, and the functions
}

type code struct {
	node syntax.Node
	in   *origins.Call
}

// iteration returns the code of an iteration, by the events that follow the one of the model.
func (m *built) iteration(after []flow.Event) *iteration {
	it := &iteration{m: m, facts: m.p.File.Facts()}
	it.enter(m.event)
	for i := range after {
		if e := &after[i]; e.Loop == m.event.Loop && e.Effects.Has(effects.BuildsModel|effects.CompilesModel|effects.Trains) {
			it.enter(e)
		}
	}
	return it
}

// enter adds the code on the path to an event.
func (it *iteration) enter(e *flow.Event) {
	at := newBuilt(it.m.p, e)
	for level := at.inLoop(); level <= len(e.Path); level++ {
		node := e.Loop.Child(syntax.FieldBody)
		if fn := it.m.info.ScopeOf(at.step(level)).Function(); level > at.inLoop() {
			if fn == nil || at.step(level-1).Kind() != syntax.Call {
				continue
			}
			node = fn.Body
		}
		if !slices.ContainsFunc(it.codes, func(c code) bool { return c.node == node }) {
			it.codes = append(it.codes, code{node, it.facts.At(&flow.Event{Path: e.Path[:level], Node: at.step(level)})})
		}
	}
}

func (it *iteration) runs(n syntax.Node) bool {
	return slices.ContainsFunc(it.codes, func(c code) bool { return n.Within(c.node) })
}

// place returns an expression of the iteration as its code is reached.
func (it *iteration) place(n syntax.Node) origins.Place {
	for _, c := range slices.Backward(it.codes) {
		if n.Within(c.node) {
			return origins.Place{Node: n, In: c.in}
		}
	}
	return origins.Place{Node: n}
}

// kept returns what keeps the earlier models: first, what existed before the iteration and is a part
// of its model. uses reports whether an iteration uses other objects of Keras from before it.
func (it *iteration) kept() (found *holder, uses bool) {
	for _, code := range it.codes {
		code.node.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier && !it.m.info.Used(n) || !n.Is(syntax.Identifier, syntax.Attribute) || isTarget(n) {
				return found == nil
			}
			for _, p := range it.parts(n) {
				if !p.earlier || p.kind == historyPart || p.kind == objectPart {
					continue
				}
				uses = uses || p.kind != callbackPart
				if found == nil {
					found = p.keeps(it.m.info, n)
				}
			}
			return found == nil
		})
	}
	return found, uses
}

// keeps returns how a part from before the iteration, to which an expression refers, keeps its model,
// or nil. An optimizer references its slot variables, in Keras 3 also the variables that it trains
// (keras/src/optimizers/base_optimizer.py, build). A callback references the model that it was last
// used with (keras/src/callbacks/callback.py, set_model), and a layer the nodes of all layers that are
// connected to it (keras/src/ops/node.py).
func (p part) keeps(info *names.Info, n syntax.Node) *holder {
	switch p.kind {
	case optimizerPart:
		return &holder{p.made, "The optimizers on %s exist before the iteration. They keep the state of their model, and in Keras 3 its weights, even then: create each one in its iteration.", "kept longer than the model"}
	case callbackPart:
		return &holder{p.made, "The callbacks on %s outlive the iteration. A callback keeps the model that it was last used with, even then: create each one, and the list of them, in the iteration.", "kept longer than the model"}
	case layerPart:
		if connects(info, n) {
			return &holder{p.made, "The layers on %s exist before the iteration. They keep the layers that each model connects to them, even then: create or clone them in the iteration.", "kept longer than the model"}
		}
	}
	return nil
}

// connects reports whether the use of a layer or a model may make it a part of another model.
func connects(info *names.Info, use syntax.Node) bool {
	parent := use.Parent()
	if parent.Kind() == syntax.Attribute && use.Field() == syntax.FieldObject {
		return !alone[parent.Child(syntax.FieldAttribute).Text()]
	}
	return info.Callee(use.Ancestor(syntax.Call)) != "tensorflow.keras.models.clone_model"
}

// alone are the attributes of a layer or a model that connect it to nothing.
var alone = map[string]bool{
	"predict": true, "predict_on_batch": true, "evaluate": true, "get_weights": true, "set_weights": true, "save": true, "save_weights": true,
	"load_weights": true, "summary": true, "trainable": true, "name": true, "get_config": true, "count_params": true, "to_json": true,
	"input_shape": true, "output_shape": true, "metrics_names": true, "fit": true, "compile": true, "train_on_batch": true,
}

// stored returns the place outside of the loop's body to which a function of the iteration assigns a
// part of the model.
func (it *iteration) stored() (found *holder) {
	for _, code := range it.codes[1:] {
		code.node.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Assignment && found == nil && it.outlives(n.Child(syntax.FieldLeft)) && it.makesPart(n.Child(syntax.FieldRight)) {
				found = holderOf(n.Child(syntax.FieldLeft))
			}
			return found == nil && !n.Is(definitions...)
		})
	}
	return found
}

func holderOf(target syntax.Node) *holder {
	return &holder{target, target.Text() + " on %s still has the earlier model when an iteration begins: set it to None before the session is cleared.", "still has the earlier model"}
}

// outlives reports whether a target of a function is a global name or belongs to an object from
// before the iteration.
func (it *iteration) outlives(target syntax.Node) bool {
	switch target.Kind() {
	case syntax.Identifier:
		s := it.m.info.Lookup(target)
		return s != nil && s.Function() != it.m.info.ScopeOf(target).Function()
	case syntax.Attribute:
		return it.objectEarlier(it.place(target.Child(syntax.FieldObject)))
	}
	return false
}

// makesPart reports whether an expression has a part of a model that the iteration makes.
func (it *iteration) makesPart(n syntax.Node) bool {
	return slices.ContainsFunc(it.parts(n), part.isNew)
}

// holding returns the names and attributes that the loop's body binds and by which an iteration still
// has the model of the one before: those that its first statement may set to None, because nothing
// reads them before they are bound again, and one that it may not.
func (it *iteration) holding() (drop []string, keeps *holder) {
	body := it.codes[0].node
	consider := func(target, value syntax.Node) {
		name := target.Text()
		switch {
		case slices.Contains(drop, name), value.Kind() == syntax.Identifier && !bindsSurely(body, name): // such as the best model so far
		case !it.getsPart(target, value):
		case it.m.dropsFirst(target, body):
			drop = append(drop, name)
		case keeps == nil:
			keeps = holderOf(target)
		}
	}
	body.Walk(func(n syntax.Node) bool {
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
	return drop, keeps
}

// getsPart reports whether an assignment gives its target, or an item of it, a part of the
// iteration's model.
func (it *iteration) getsPart(target, value syntax.Node) bool {
	switch target.Kind() {
	case syntax.Attribute:
		return it.makesPart(value)
	case syntax.Identifier:
		b := it.m.info.BindingAt(target)
		return b != nil && slices.ContainsFunc(it.partsOf(b), part.isNew)
	}
	return false
}

// dropsFirst reports whether a name or an attribute that the body of a loop binds may be set to None
// where the body begins: the code reads it only after it is bound.
func (m *built) dropsFirst(target, body syntax.Node) bool {
	var uses []syntax.Node
	switch target.Kind() {
	case syntax.Identifier:
		s := m.info.Lookup(target)
		if s == nil {
			return false
		}
		for _, b := range s.Bindings(target.Text()) {
			uses = append(uses, m.info.Uses(b)...)
		}
	case syntax.Attribute:
		object := target.Child(syntax.FieldObject)
		if object.Kind() != syntax.Identifier || slices.ContainsFunc(m.info.ReachingDefs(object), func(b *names.Binding) bool { return b.Node.Within(body) }) {
			return false
		}
		for _, module := range m.info.Program() {
			for _, n := range module.Identifiers(target.Child(syntax.FieldAttribute).Text()) {
				if n.Field() == syntax.FieldAttribute && !isTarget(n.Parent()) {
					uses = append(uses, n)
				}
			}
		}
	}
	name, fn := target.Text(), m.info.ScopeOf(target).Function()
	var before *leaked
	return !slices.ContainsFunc(uses, func(use syntax.Node) bool {
		switch {
		case m.info.ScopeOf(use).Function() != fn:
			if before == nil {
				before = m.runsBefore(target, body)
			}
			return slices.ContainsFunc(before.code, use.Within)
		case use.Within(body):
			return !boundBefore(use, body, name)
		}
		return !bindsSurely(body, name)
	})
}

// runsBefore returns the functions that the loop's body may call before it has bound a target.
func (m *built) runsBefore(target, body syntax.Node) *leaked {
	l := &leaked{seen: map[*names.Function]bool{}}
	for s := range body.Children() {
		l.collect(m.info, s)
		if target.Within(s) {
			break
		}
	}
	return l
}

// boundBefore reports whether a statement that surely runs before the use of a name in a loop's body
// binds it.
func boundBefore(use, body syntax.Node, name string) bool {
	for at := use; at != body && at.Valid(); at = at.Parent() {
		if at.Parent().Kind() != syntax.Block {
			continue
		}
		for s := range at.Parent().Children() {
			if s == at {
				break
			}
			if bindsSurely(s, name) {
				return true
			}
		}
	}
	return false
}

// bindsSurely reports whether a statement, or a block, binds a name or an attribute whenever it runs
// to its end.
func bindsSurely(s syntax.Node, name string) bool {
	inside := func(c syntax.Node) bool { return bindsSurely(c, name) }
	switch s.Kind() {
	case syntax.Block:
		return slices.ContainsFunc(slices.Collect(s.Children()), inside)
	case syntax.ExpressionStatement:
		return slices.ContainsFunc(slices.Collect(s.Children()), inside)
	case syntax.Assignment:
		left := s.Child(syntax.FieldLeft)
		return left.Text() == name || left.Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern) &&
			slices.ContainsFunc(slices.Collect(left.Children()), func(c syntax.Node) bool { return c.Text() == name }) ||
			inside(s.Child(syntax.FieldRight))
	case syntax.WithStatement, syntax.ElseClause:
		return inside(s.Child(syntax.FieldBody))
	case syntax.IfStatement:
		otherwise := false
		for c := range s.Children() {
			switch {
			case c.Kind() == syntax.ElifClause && !inside(c.Child(syntax.FieldConsequence)), c.Kind() == syntax.ElseClause && !inside(c):
				return false
			}
			otherwise = otherwise || c.Kind() == syntax.ElseClause
		}
		return otherwise && inside(s.Child(syntax.FieldConsequence))
	}
	return false
}
