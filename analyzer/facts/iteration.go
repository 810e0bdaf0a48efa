package facts

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An Iteration is what a loop repeats, with an event in it.
type Iteration struct {
	*Facts
	Event *flow.Event
	Loop  syntax.Node
	// Served is set if the loop is a function that a library calls again and again.
	Served bool
	in     *origins.Call
}

// Iteration returns the iteration of a loop in which an event happens.
func (f *Facts) Iteration(e *flow.Event, loop syntax.Node, served bool) *Iteration {
	return &Iteration{Facts: f, Event: e, Loop: loop, Served: served, in: f.At(e)}
}

// Changes reports whether each iteration gives an array another value, of which these names and
// attributes are read, and leaves alone another object, such as the model that the array is for.
func (i *Iteration) Changes(read []syntax.Node, object syntax.Node) bool {
	if i.sets(object) {
		return false
	}
	some := func(is func(syntax.Node) bool) bool { return slices.ContainsFunc(read, is) }
	if some(i.sets) || some(i.setsArgument) {
		return !i.Binds(object)
	}
	if i.Event.Node.Within(i.Loop) {
		return !i.Binds(object) && some(func(n syntax.Node) bool { return i.Binds(n) || i.changesItems(n) })
	}
	// The loop is around a call of the function, so that its parameters vary.
	if some(i.Binds) {
		return true
	}
	at := slices.IndexFunc(i.Event.Path, func(call syntax.Node) bool { return call.Within(i.Loop) })
	if at < 0 || !i.Binds(i.Event.Path[at].Child(syntax.FieldArguments)) {
		return false
	}
	return some(func(n syntax.Node) bool {
		return slices.ContainsFunc(i.info.ReachingDefs(n), func(b *names.Binding) bool {
			if b.Kind == names.ParameterBinding {
				return b.Name != "self"
			}
			return b.Scope.Function() != nil && i.info.ScopeOf(n).Function() == b.Scope.Function()
		})
	})
}

// Binds reports whether an expression reads a name that the loop binds, or the request that is served.
func (i *Iteration) Binds(n syntax.Node) bool {
	found := false
	n.Walk(func(m syntax.Node) bool {
		if m.Kind() == syntax.Identifier && m.Field() != syntax.FieldAttribute {
			found = found || i.Served && i.info.Qualified(m) == "flask.request" || slices.ContainsFunc(i.info.ReachingDefs(m), func(b *names.Binding) bool { return b.Node.Within(i.Loop) })
		}
		return !found
	})
	return found
}

// sets reports whether the loop gives an attribute another value, itself or in a function that it
// runs.
func (i *Iteration) sets(n syntax.Node) bool {
	if n.Kind() != syntax.Attribute {
		return false
	}
	class := i.info.TypeOf(n.Child(syntax.FieldObject)).Local
	return class != nil && slices.ContainsFunc(i.info.Attribute(class, n.Child(syntax.FieldAttribute).Text()), func(b *names.Binding) bool {
		f := i.info.ScopeOf(b.Node).Function()
		return b.Value.Kind() != syntax.NoneLiteral && (b.Node.Within(i.Loop) || f != nil && f.Name != "__init__" && i.Runs(f, i.Loop))
	})
}

// setsArgument reports whether a name is a parameter for which the calls that lead to the event pass
// an attribute that the loop sets.
func (i *Iteration) setsArgument(n syntax.Node) bool {
	defer i.info.Enter(n).Leave()
	return n.Kind() == syntax.Identifier && slices.ContainsFunc(i.info.ReachingDefs(n), func(b *names.Binding) bool {
		if b.Kind != names.ParameterBinding {
			return false
		}
		passed, found := i.Event.Passed(i.info, b), false
		if passed.Valid() {
			passed.Walk(func(m syntax.Node) bool {
				found = found || i.sets(m) || m.Field() != syntax.FieldAttribute && m != n && i.setsArgument(m)
				return !found
			})
		}
		return found
	})
}

// changesItems reports whether the loop changes the items of the list or array that a name stands for.
func (i *Iteration) changesItems(name syntax.Node) bool {
	found := false
	i.Loop.Walk(func(n syntax.Node) bool {
		switch left := n.Child(syntax.FieldLeft); n.Kind() {
		case syntax.Assignment, syntax.AugmentedAssignment:
			found = found || left.Kind() == syntax.Subscript && left.Child(syntax.FieldValue).Text() == name.Text()
		case syntax.Call:
			switch names.Method(n) {
			case "append", "extend", "insert", "pop":
				found = found || n.Child(syntax.FieldFunction).Child(syntax.FieldObject).Text() == name.Text()
			}
		}
		return !found
	})
	return found
}

// renews reports whether each iteration runs an expression: it stands in the loop, or in a function
// that the loop calls.
func (i *Iteration) renews(n syntax.Node) bool {
	f := i.info.ScopeOf(n).Function()
	return n.Within(i.Loop) || f != nil && !i.Loop.Within(f.Node)
}

// Element reports whether a name is an element of what the loop iterates over, and no number of it.
func (i *Iteration) Element(name syntax.Node) bool {
	left, over := i.Loop.Child(syntax.FieldLeft), i.Loop.Child(syntax.FieldRight)
	reaching := i.info.ReachingDefs(name)
	if len(reaching) != 1 || reaching[0].Kind != names.ForBinding || !reaching[0].Node.Within(left) {
		return false
	}
	for over.Kind() == syntax.Call {
		switch over.Child(syntax.FieldFunction).Text() {
		case "range", "trange":
			return false
		case "enumerate":
			if b := reaching[0]; b.Node == left || b.Node == left.FirstChild() {
				return false
			}
		}
		over = i.info.DefiningExpr(names.Element(over.Child(syntax.FieldArguments), 0)) // of tqdm
	}
	return true
}
