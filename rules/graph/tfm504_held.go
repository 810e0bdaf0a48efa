package graph

import (
	"slices"
	"strconv"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// whole as an item means the value itself, not an item of a tuple.
const whole = -1

// heldAt is the value of an expression, or an item of that tuple.
type heldAt struct {
	value syntax.Node
	item  int
}

// held reports whether the model may be kept beyond the iteration. The model is the value of an
// expression, or the item at a position of that tuple.
func (m *built) held(value syntax.Node, item, level, first int) bool {
	defer m.info.Enter(value).Leave()
	parent := value.Parent()
	switch parent.Kind() {
	case syntax.ParenthesizedExpression, syntax.ConditionalExpression, syntax.NamedExpression, syntax.BooleanOperator:
		return m.held(parent, item, level, first)
	case syntax.ExpressionList, syntax.Tuple:
		if item == whole && parent.Parent().Is(syntax.ReturnStatement, syntax.Assignment) {
			if at := position(parent, value); at >= 0 {
				return m.held(parent, at, level, first)
			}
		}
		return true
	case syntax.List, syntax.Set, syntax.Pair, syntax.Dictionary, syntax.Yield, syntax.ListSplat:
		return true
	case syntax.Subscript:
		if item == whole || value.Field() != syntax.FieldValue {
			return false
		}
		index := parent.Child(syntax.FieldSubscript)
		return (index.Kind() != syntax.Integer || index.Text() == strconv.Itoa(item)) && (m.held(parent, whole, level, first) || storedByAssignment(parent))
	case syntax.ArgumentList, syntax.KeywordArgument:
		call := value.Ancestor(syntax.Call)
		if keeps(call) || m.followed[heldAt{call, item}] || !(fates{}).handed(m.info, call, value).returned {
			return keeps(call)
		}
		m.followed[heldAt{call, item}] = true
		return m.held(call, item, level, first)
	case syntax.ReturnStatement:
		if level <= first {
			return false
		}
		if at := m.step(level - 1); m.p.Here(at) {
			return m.held(at, item, level-1, first)
		}
		return true
	case syntax.Attribute:
		// A model that the object has, rather than the object.
		if part := parent.Parent(); level < len(m.event.Path) && !part.Is(syntax.Call, syntax.Attribute) && m.mayBeModel(parent) {
			return part.Is(syntax.ArgumentList, syntax.List, syntax.Tuple, syntax.Pair) && m.held(parent, whole, level, first) ||
				part.Kind() == syntax.Assignment && parent.Field() == syntax.FieldRight && part.Child(syntax.FieldLeft).Kind() == syntax.Subscript
		}
	case syntax.Assignment:
		if value.Field() == syntax.FieldRight {
			return m.heldBy(parent.Child(syntax.FieldLeft), item, level, first)
		}
	}
	return false
}

// mayBeModel reports whether an expression is, or may be, a Keras model.
func (m *built) mayBeModel(n syntax.Node) bool {
	return !m.info.TypeOf(n).Known() || m.isModel(n)
}

// position returns the index of an item in a display or a pattern, or -1 if a starred item is
// beside it.
func position(display, item syntax.Node) int {
	at, n := -1, 0
	for c := range display.Children() {
		switch {
		case c.Is(syntax.ListSplat, syntax.ListSplatPattern):
			return -1
		case c == item:
			at = n
		}
		if c.Kind() != syntax.Comment {
			n++
		}
	}
	return at
}

// heldBy reports the same for the target of an assignment.
func (m *built) heldBy(target syntax.Node, item, level, first int) bool {
	defer m.info.Enter(target).Leave()
	switch target.Kind() {
	case syntax.Subscript:
		return true
	case syntax.Attribute:
		fn := m.info.ScopeOf(target).Function()
		if level == first || fn == nil || fn.Name != "__init__" {
			return false // rebound in the next iteration
		}
		at := m.step(level - 1)
		return !m.p.Here(at) || m.held(at, whole, level-1, first)
	case syntax.PatternList, syntax.TuplePattern:
		return slices.ContainsFunc(slices.Collect(target.Children()), func(c syntax.Node) bool {
			at := position(target, c)
			return (item == whole || at < 0 || at == item) && m.heldBy(c, whole, level, first)
		})
	case syntax.Identifier:
		s := m.info.Lookup(target)
		if s == nil || m.followed[heldAt{target, item}] {
			return false // model = model or make() brings it back to the name
		}
		m.followed[heldAt{target, item}] = true
		for _, b := range s.Bindings(target.Text()) {
			if b.Node != target {
				continue
			}
			if slices.ContainsFunc(m.info.Uses(b), func(use syntax.Node) bool {
				return use.Parent().Kind() != syntax.Assignment && m.held(use, item, level, first) || storedByAssignment(use)
			}) {
				return true
			}
		}
	}
	return false
}

// storedByAssignment reports whether a name is put into a container or an object.
func storedByAssignment(use syntax.Node) bool {
	parent := use.Parent()
	return parent.Kind() == syntax.Assignment && use.Field() == syntax.FieldRight && parent.Child(syntax.FieldLeft).Is(syntax.Subscript, syntax.Attribute)
}

// keeps reports whether a call puts its argument into a container.
func keeps(call syntax.Node) bool {
	switch call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() {
	case "append", "add", "insert", "extend", "put", "setdefault", "appendleft", "update":
		return true
	}
	return false
}
