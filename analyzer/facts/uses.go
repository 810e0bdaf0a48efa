package facts

import (
	"strconv"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Use is an expression whose value is an object, or has it.
type Use struct {
	Node syntax.Node
	In   *origins.Call // how its code is reached
	// Part is the index of the item that the object is; Whole if it is the value itself, or Inside if it
	// is somewhere in a container or an attribute of it.
	Part int
	// Attribute is the one by which the value has the object, or "".
	Attribute string
}

const (
	Whole  = -1
	Inside = -2
)

// A Holder is something that still has an object when the iteration ends that made it.
type Holder struct {
	Node  syntax.Node // the target, or the container
	Value syntax.Node // what it is given
	Kind  HolderKind
}

type HolderKind uint8

const (
	InContainer HolderKind = iota // from before the iteration, or not known
	InAttribute                   // of such an object; the next iteration may bind it again
	InGlobal                      // a global name that a function binds
	InArgument                    // a container that code outside of the program is given
	Yielded                       // to whoever goes through the generator
)

// Uses follows an object forward from the expression that makes it, in an iteration of a loop: through
// names, functions of the program and what these return, and containers and objects that the iteration
// makes. It returns all expressions that have the object, and what has it beyond the iteration.
func (f *Facts) Uses(made syntax.Node, in *origins.Call, loop syntax.Node) ([]Use, []Holder) {
	w := forward{Facts: f, loop: loop, seen: map[Use]bool{}}
	w.value(Use{made, in, Whole, ""})
	return w.uses, w.holders
}

// UsesOf is Uses for what a name is bound to.
func (f *Facts) UsesOf(b *names.Binding, in *origins.Call, loop syntax.Node) ([]Use, []Holder) {
	w := forward{Facts: f, loop: loop, seen: map[Use]bool{}}
	w.bound(b, Use{Node: b.Node, In: in, Part: Whole})
	return w.uses, w.holders
}

// Stays reports whether the program may read what a name or an attribute keeps, and whether something
// releases it: deletes it, takes it out, or binds the place to what is not another such object. The
// expression that stores it does not count.
func (f *Facts) Stays(place, stored syntax.Node, another func(value syntax.Node) bool) (read, released bool) {
	places := []syntax.Node{}
	if b := f.info.ReachingDefs(place); place.Kind() == syntax.Identifier && len(b) == 1 {
		places = append(places, f.info.Uses(b[0])...)
		released = f.info.Following(b[0]) != nil
	}
	for _, n := range f.info.Identifiers(place.Child(syntax.FieldAttribute).Text()) {
		if n.Field() == syntax.FieldAttribute {
			places = append(places, n.Parent())
		}
	}
	for _, n := range places {
		by := n.Parent()
		method := by.Child(syntax.FieldAttribute).Text()
		switch {
		case n == stored, by.Kind() == syntax.Subscript && by.Parent().Kind() == syntax.Assignment && by.Field() == syntax.FieldLeft:
		case by.Kind() == syntax.DeleteStatement, by.Parent().Kind() == syntax.DeleteStatement:
			released = true
		case by.Kind() == syntax.Assignment && n.Field() == syntax.FieldLeft:
			fn := f.info.ScopeOf(n).Function()
			released = released || fn != nil && fn.Name != "__init__" && !another(by.Child(syntax.FieldRight))
		case by.Field() == syntax.FieldFunction && Stores[method]:
		case by.Field() == syntax.FieldFunction && takesOut[method]:
			released = true
		default:
			read = read || by.Kind() != syntax.ArgumentList || f.info.Builtin(by.Parent()) != "len"
		}
	}
	return read, released
}

// A forward collects the uses of one object.
type forward struct {
	*Facts
	loop    syntax.Node
	seen    map[Use]bool
	uses    []Use
	holders []Holder
}

func (w *forward) holds(kind HolderKind, node, value syntax.Node) {
	w.holders = append(w.holders, Holder{node, value, kind})
}

func (w *forward) value(u Use) {
	defer w.info.Enter(u.Node).Leave()
	if w.seen[u] {
		return
	}
	w.seen[u] = true
	w.uses = append(w.uses, u)
	n, parent := u.Node, u.Node.Parent()
	next := func(n syntax.Node, part int) { w.value(Use{n, u.In, part, u.Attribute}) }
	switch parent.Kind() {
	case syntax.ParenthesizedExpression, syntax.BooleanOperator:
		next(parent, u.Part)
	case syntax.NamedExpression:
		if b := w.info.BindingAt(parent.Child(syntax.FieldName)); b != nil && n.Field() == syntax.FieldValue {
			w.bound(b, u)
		}
		next(parent, u.Part)
	case syntax.ConditionalExpression:
		if n != parent.FirstChild().Next() {
			next(parent, u.Part)
		}
	case syntax.BinaryOperator:
		if u.Part != Whole {
			next(parent, Inside) // joined lists
		}
	case syntax.ExpressionList, syntax.Tuple:
		if at := position(parent, n); u.Part == Whole && at >= 0 {
			next(parent, at)
		} else {
			next(parent, Inside)
		}
	case syntax.List, syntax.Set, syntax.Pair, syntax.Dictionary, syntax.ListSplat, syntax.DictionarySplat:
		next(parent, Inside)
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		if n.Field() == syntax.FieldBody {
			next(parent, Inside)
		}
	case syntax.Yield:
		w.holds(Yielded, parent, n)
	case syntax.Subscript:
		w.item(u)
	case syntax.Attribute:
		switch name := parent.Child(syntax.FieldAttribute).Text(); {
		case u.Part != Inside:
		case u.Attribute != "" && name == u.Attribute:
			w.value(Use{parent, u.In, Whole, ""})
			w.value(Use{parent, u.In, Inside, ""})
		case HandsOut[name] && parent.Field() == syntax.FieldFunction:
			next(parent.Parent(), Inside)
		}
	case syntax.ForInClause, syntax.ForStatement:
		if n.Field() == syntax.FieldRight && u.Part != Whole {
			u.Part = Inside
			w.target(parent.Child(syntax.FieldLeft), u)
		}
	case syntax.ArgumentList, syntax.KeywordArgument:
		w.argument(u)
	case syntax.ReturnStatement:
		w.returned(u)
	case syntax.Assignment:
		if n.Field() == syntax.FieldRight {
			w.target(parent.Child(syntax.FieldLeft), u)
		}
	case syntax.AugmentedAssignment:
		if n.Field() == syntax.FieldRight && u.Part != Whole {
			w.container(parent.Child(syntax.FieldLeft), u)
		}
	}
}

// item follows an item of a tuple, or of a container that has the object.
func (w *forward) item(u Use) {
	parent := u.Node.Parent()
	index := parent.Child(syntax.FieldSubscript)
	switch {
	case u.Node.Field() != syntax.FieldValue || u.Part == Whole:
	case u.Part == Inside:
		w.value(Use{parent, u.In, Whole, ""})
		w.value(Use{parent, u.In, Inside, u.Attribute})
	case index.Kind() != syntax.Integer || index.Text() == strconv.Itoa(u.Part):
		w.value(Use{parent, u.In, Whole, ""})
	}
}

// argument follows an argument of a call into a function of the program, or into the container that a
// method puts it into.
func (w *forward) argument(u Use) {
	call := u.Node.Ancestor(syntax.Call)
	function := call.Child(syntax.FieldFunction)
	if Identity[w.info.Callee(call)] {
		w.value(Use{call, u.In, u.Part, u.Attribute})
		return
	}
	if f := w.info.Builtin(call); PassesOn[f] {
		w.value(Use{call, u.In, Inside, u.Attribute})
		return
	}
	fn := w.info.Target(function).Function
	if fn == nil || fn.Yields {
		method := function.Child(syntax.FieldAttribute).Text()
		if takesItems := method == "extend" || method == "update"; Stores[method] && !(takesItems && u.Part == Whole) {
			w.container(function.Child(syntax.FieldObject), u)
		} else if u.Part == Inside {
			w.holds(InArgument, call, u.Node)
		}
		return
	}
	parameter, ok := fn.ParameterFor(call, u.Node)
	if !ok || parameter.Star > 0 {
		return
	}
	in := w.origins.Enter(fn, call, u.In)
	for _, b := range fn.Scope.Bindings(parameter.Name) {
		if b.Kind == names.ParameterBinding {
			w.bound(b, Use{b.Node, in, u.Part, u.Attribute})
		}
	}
}

// returned follows what a function returns to the call by which it is reached, or to all its calls if that is
// not known.
func (w *forward) returned(u Use) {
	fn := w.info.ScopeOf(u.Node).Function()
	if fn == nil || w.loop.Valid() && w.loop.Within(fn.Node) {
		return
	}
	for c := u.In; c != nil; c = c.From {
		if c.Function == fn && c.Node.Valid() {
			w.value(Use{c.Node, c.From, u.Part, u.Attribute})
			return
		}
	}
	if u.In == nil {
		for _, call := range w.info.CallsOf(fn) {
			w.value(Use{call, nil, u.Part, u.Attribute})
		}
	}
}

// target follows what an assignment or a loop binds.
func (w *forward) target(target syntax.Node, u Use) {
	defer w.info.Enter(target).Leave()
	switch target.Kind() {
	case syntax.Identifier:
		if b := w.info.BindingAt(target); b != nil {
			w.bound(b, u)
		}
	case syntax.PatternList, syntax.TuplePattern, syntax.ListPattern:
		for c := range target.Children() {
			item := u
			switch at := position(target, c); {
			case u.Part < 0 || at < 0:
				item.Part = Inside
			case at == u.Part:
				item.Part = Whole
			default:
				continue
			}
			w.target(c, item)
		}
	case syntax.Subscript:
		w.container(target.Child(syntax.FieldValue), u)
	case syntax.Attribute:
		u.Attribute = target.Child(syntax.FieldAttribute).Text()
		w.into(target.Child(syntax.FieldObject), u, InAttribute, target)
	}
}

// bound follows the uses of a name. Where an attribute has the object, the name has the attribute.
func (w *forward) bound(b *names.Binding, u Use) {
	if b.Scope.Kind == names.ModuleScope && w.info.ScopeOf(b.Node).Function() != nil {
		w.holds(InGlobal, b.Node, u.Node)
	}
	for _, use := range w.info.Uses(b) {
		in := u.In
		if w.info.ScopeOf(use).Function() != b.Scope.Function() {
			in = nil // a function that is defined there, or another one
		}
		w.value(Use{use, in, u.Part, u.Attribute})
	}
}

// container follows a container that is given the object.
func (w *forward) container(n syntax.Node, u Use) {
	target := n
	for n.Kind() == syntax.Subscript {
		n = n.Child(syntax.FieldValue)
	}
	if n.Kind() == syntax.Attribute {
		u.Attribute = n.Child(syntax.FieldAttribute).Text()
		w.into(n.Child(syntax.FieldObject), u, InContainer, target)
		return
	}
	w.into(n, u, InContainer, target)
}

// into follows what is given the object, if the iteration surely makes it. Otherwise it is a holder.
func (w *forward) into(n syntax.Node, u Use, kind HolderKind, target syntax.Node) {
	u.Part = Inside
	made, surely := w.Makes(origins.Place{Node: n, In: u.In}, w.loop)
	if !surely {
		w.holds(kind, target, u.Node)
		return
	}
	for _, origin := range made {
		w.value(Use{origin.Node, origin.In, Inside, u.Attribute})
	}
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

var (
	// PassesOn are the functions of Python whose result holds what their arguments do.
	PassesOn = map[string]bool{
		"list": true, "tuple": true, "set": true, "dict": true, "zip": true, "enumerate": true, "reversed": true, "sorted": true, "iter": true, "next": true,
	}
	// Identity are operations whose result is their argument, as a tensor.
	Identity = map[string]bool{"tensorflow.stop_gradient": true, "tensorflow.identity": true, "tensorflow.convert_to_tensor": true}
	// HandsOut are such methods of containers.
	HandsOut = map[string]bool{"values": true, "items": true, "copy": true, "get": true, "pop": true}
	// takesOut are the methods that take items out of a container.
	takesOut = map[string]bool{"clear": true, "pop": true, "popleft": true, "popitem": true, "remove": true, "discard": true}
	// Stores are the methods that put their arguments into a container.
	Stores = map[string]bool{
		"append": true, "add": true, "insert": true, "extend": true, "put": true, "setdefault": true, "appendleft": true, "update": true,
	}
)
