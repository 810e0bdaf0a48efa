package graph

import (
	"slices"
	"strconv"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// history returns the training, among the events, whose History object is kept beyond the iteration,
// or nil. It references the model (keras/src/callbacks/callback.py, set_model).
func (m *built) history(events []flow.Event) *flow.Event {
	for i := range events {
		e := &events[i]
		if !e.Effects.Has(effects.Trains) || e.Loop != m.event.Loop {
			continue
		}
		switch rule.Method(e.Node) {
		case "fit", "fit_generator":
			fit := newBuilt(m.p, e)
			h := history{built: fit, first: fit.inLoop(), seen: map[*names.Binding]bool{}}
			if h.kept(e.Node, whole, len(e.Path)) {
				return e
			}
		}
	}
	return nil
}

// A history follows the History of a training, and the containers and objects that have it, to
// something that outlives the iteration.
type history struct {
	*built
	first     int                     // the level of the loop's own code
	seen      map[*names.Binding]bool // the names whose uses were followed
	attribute string                  // by which an object has it
}

// inside as an item means that the value is a container or an object that has the History.
const inside = -2

// kept reports whether the value of an expression, or an item of it, is kept. A level is a position
// on the path to the training.
func (h *history) kept(value syntax.Node, item, level int) bool {
	defer h.info.Enter(value).Leave()
	parent := value.Parent()
	switch parent.Kind() {
	case syntax.ParenthesizedExpression, syntax.ConditionalExpression, syntax.NamedExpression, syntax.BooleanOperator, syntax.BinaryOperator:
		return h.kept(parent, item, level)
	case syntax.ExpressionList, syntax.Tuple:
		if at := position(parent, value); item == whole && at >= 0 {
			return h.kept(parent, at, level)
		}
		return h.kept(parent, inside, level)
	case syntax.List, syntax.Set, syntax.Pair, syntax.Dictionary, syntax.ListSplat, syntax.DictionarySplat:
		return h.kept(parent, inside, level)
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		return value.Field() == syntax.FieldBody && h.kept(parent, inside, level)
	case syntax.Yield:
		return true
	case syntax.Subscript:
		if index := parent.Child(syntax.FieldSubscript); item == whole || value.Field() != syntax.FieldValue ||
			item >= 0 && index.Kind() == syntax.Integer && index.Text() != strconv.Itoa(item) {
			return false
		}
		return h.kept(parent, inside, level)
	case syntax.Attribute:
		switch name := parent.Child(syntax.FieldAttribute).Text(); {
		case item != inside:
			return false // numbers
		case h.attribute != "" && name == h.attribute:
			return h.kept(parent, whole, level)
		case handsOut[name] && parent.Field() == syntax.FieldFunction:
			return h.kept(parent.Parent(), inside, level)
		}
	case syntax.ForInClause, syntax.ForStatement:
		return value.Field() == syntax.FieldRight && h.target(parent.Child(syntax.FieldLeft), inside, level)
	case syntax.ArgumentList, syntax.KeywordArgument:
		return h.passed(value, item, level)
	case syntax.ReturnStatement:
		return level > h.first && h.kept(h.step(level-1), item, level-1)
	case syntax.Assignment:
		return value.Field() == syntax.FieldRight && h.target(parent.Child(syntax.FieldLeft), item, level)
	case syntax.AugmentedAssignment:
		return value.Field() == syntax.FieldRight && h.container(parent.Child(syntax.FieldLeft), level)
	}
	return false
}

// passed reports the same for an argument of a call.
func (h *history) passed(value syntax.Node, item, level int) bool {
	defer h.info.Enter(value).Leave()
	call := value.Ancestor(syntax.Call)
	function := call.Child(syntax.FieldFunction)
	switch {
	case keeps(call):
		return h.container(function.Child(syntax.FieldObject), level)
	case h.followed[heldAt{call, whole}]:
		return false
	case function.Kind() == syntax.Identifier && passesOn[function.Text()] && h.info.Lookup(function) == nil:
		return h.kept(call, inside, level)
	}
	h.followed[heldAt{call, whole}] = true
	return (fates{}).handed(h.info, call, value).returned && h.kept(call, item, level)
}

// target reports the same for the target of an assignment or a loop.
func (h *history) target(target syntax.Node, item, level int) bool {
	defer h.info.Enter(target).Leave()
	switch target.Kind() {
	case syntax.Identifier:
		b := h.info.BindingAt(target)
		return b != nil && h.named(b, item, level)
	case syntax.PatternList, syntax.TuplePattern, syntax.ListPattern:
		return slices.ContainsFunc(slices.Collect(target.Children()), func(c syntax.Node) bool {
			switch at := position(target, c); {
			case item < 0 || at < 0:
				return h.target(c, inside, level)
			default:
				return at == item && h.target(c, whole, level)
			}
		})
	case syntax.Subscript:
		return h.container(target.Child(syntax.FieldValue), level)
	case syntax.Attribute: // the next iteration rebinds that of an older object
		h.attribute = target.Child(syntax.FieldAttribute).Text()
		made, kept := h.object(target.Child(syntax.FieldObject), level)
		return made && kept
	}
	return false
}

// named reports whether the value of a name is kept by one of its uses.
func (h *history) named(b *names.Binding, item, level int) bool {
	if h.seen[b] {
		return false
	}
	h.seen[b] = true
	if b.Scope.Parent == nil && h.info.ScopeOf(b.Node).Function() != nil {
		return true // a global name that a function binds
	}
	return slices.ContainsFunc(h.info.Uses(b), func(use syntax.Node) bool { return h.kept(use, item, level) })
}

// container reports whether a container that gets the History is kept. One from before the iteration
// is, as is one that is not known.
func (h *history) container(n syntax.Node, level int) bool {
	defer h.info.Enter(n).Leave()
	for n.Kind() == syntax.Subscript {
		n = n.Child(syntax.FieldValue)
	}
	if n.Kind() == syntax.Attribute {
		h.attribute = n.Child(syntax.FieldAttribute).Text()
		n = n.Child(syntax.FieldObject)
	}
	made, kept := h.object(n, level)
	return !made || kept
}

// object reports whether the iteration surely makes an object that gets the History and, if so,
// whether the object is kept.
func (h *history) object(n syntax.Node, level int) (made, kept bool) {
	defer h.info.Enter(n).Leave()
	bindings := h.info.ReachingDefs(n)
	if n.Kind() != syntax.Identifier || len(bindings) == 0 {
		return false, false
	}
	for _, b := range bindings {
		fn := b.Scope.Func
		switch {
		case b.Kind == names.ParameterBinding && fn != nil && level > h.first && h.step(level-1).Kind() == syntax.Call:
			call := h.step(level - 1)
			given := fn.Passed(call, b.Name)
			if isInstance(b) {
				given = call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
			}
			if !given.Valid() || h.seen[b] {
				return false, false
			}
			h.seen[b] = true
			m, k := h.object(given, level-1)
			if !m {
				return false, false
			}
			kept = kept || k
		case !b.Value.Valid(), level == h.first && !b.Node.Within(h.event.Loop.Child(syntax.FieldBody)), level > h.first && (fn == nil || fn != h.info.ScopeOf(h.step(level)).Function()):
			return false, false
		default:
			kept = h.named(b, inside, level) || kept
		}
	}
	return true, kept
}
