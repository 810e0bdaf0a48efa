package facts

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An Object is what the value of an expression is, or has.
type Object struct {
	Made syntax.Node // the call that makes it
	// Earlier is set if it, or what has it, exists before the iteration.
	Earlier bool
}

// Objects goes back from an expression, in an iteration of a loop, to the calls of a kind that make what
// its value is, or has: the items of displays, what is put into a container, the attributes of objects.
// It is the converse of Uses.
func (f *Facts) Objects(p origins.Place, loop syntax.Node, kind func(call syntax.Node) bool) []Object {
	w := backward{Facts: f, loop: loop, kind: kind, seen: map[*names.Binding]bool{}}
	w.value(p, byCode)
	return w.found
}

// ObjectsOf is Objects for what a statement of the iteration binds a name to.
func (f *Facts) ObjectsOf(b *names.Binding, in *origins.Call, loop syntax.Node, kind func(call syntax.Node) bool) []Object {
	w := backward{Facts: f, loop: loop, kind: kind, seen: map[*names.Binding]bool{}}
	w.bound(b, in, byCode)
	return w.found
}

// Makes reports whether an iteration of a loop surely makes the value of a place, and by which
// expressions.
func (f *Facts) Makes(p origins.Place, loop syntax.Node) (made []origins.Place, surely bool) {
	made = f.origins.Until(p, func(p origins.Place) bool { return !f.Repeats(p, loop) || p.Node.Kind() == syntax.Attribute })
	return made, !slices.ContainsFunc(made, func(origin origins.Place) bool {
		return !origin.Node.Is(syntax.Call, syntax.List, syntax.Dictionary, syntax.Set, syntax.ListComprehension, syntax.DictionaryComprehension) || !f.Repeats(origin, loop)
	})
}

// An age says whether an object exists before the iteration.
type age uint8

const (
	byCode age = iota // as the code that makes it runs
	newer
	earlier
)

// A backward collects the objects of one expression.
type backward struct {
	*Facts
	loop  syntax.Node
	kind  func(syntax.Node) bool
	seen  map[*names.Binding]bool // the containers and attributes that were looked into
	found []Object
}

func (w *backward) value(p origins.Place, a age) {
	defer w.info.Enter(p.Node).Leave()
	w.origins.AnyUntil(p, func(origin origins.Place, same func(origins.Place) bool) bool {
		of := func(n syntax.Node) { same(origins.Place{Node: n, In: origin.In}) }
		switch n := origin.Node; n.Kind() {
		case syntax.Identifier:
			for _, b := range w.info.ReachingDefs(n) {
				if b.Kind == names.ForBinding {
					of(b.Value)
				} else if isContainer(b) {
					w.bound(b, origin.In, a)
				}
			}
		case syntax.Attribute:
			w.attribute(origin, a)
		case syntax.Subscript, syntax.Pair, syntax.KeywordArgument:
			of(n.Child(syntax.FieldValue))
		case syntax.ListComprehension, syntax.SetComprehension, syntax.GeneratorExpression, syntax.DictionaryComprehension:
			of(n.Child(syntax.FieldBody))
		case syntax.List, syntax.Tuple, syntax.Set, syntax.Dictionary, syntax.ExpressionList, syntax.ListSplat, syntax.DictionarySplat,
			syntax.BooleanOperator, syntax.BinaryOperator, syntax.ArgumentList:
			for item := range n.Children() {
				of(item)
			}
		case syntax.Call:
			switch function := n.Child(syntax.FieldFunction); {
			case w.kind(n):
				w.found = append(w.found, Object{n, a == earlier || a == byCode && w.before(origin, w.loop)})
			case PassesOn[w.info.Builtin(n)]:
				of(n.Child(syntax.FieldArguments))
			case HandsOut[function.Child(syntax.FieldAttribute).Text()]:
				of(function.Child(syntax.FieldObject))
			}
		}
		return false
	}, func(p origins.Place) bool {
		return p.Node.Kind() == syntax.Attribute || p.Node.Kind() == syntax.Call && w.kind(p.Node) ||
			slices.ContainsFunc(w.info.ReachingDefs(p.Node), isContainer)
	})
}

// bound looks into what a name is bound to, and what is put into it. What is put into a container from
// before the iteration stays there.
func (w *backward) bound(b *names.Binding, in *origins.Call, a age) {
	defer w.info.Enter(b.Node).Leave()
	if w.seen[b] {
		return
	}
	w.seen[b] = true
	at := origins.Place{Node: b.Value, In: in}
	for _, i := range b.Path {
		at.Path = append(at.Path, i)
	}
	w.value(at, a)
	if !isContainer(b) {
		return
	}
	if w.before(origins.Place{Node: b.Node, In: in}, w.loop) {
		a = earlier
	}
	for _, use := range w.info.Uses(b) {
		by := use.Parent()
		switch after := use.Start() > w.loop.End() && w.info.ScopeOf(use) == w.info.ScopeOf(w.loop); {
		case after:
		case by.Kind() == syntax.Attribute && by.Parent().Kind() == syntax.Call && Stores[names.Method(by.Parent())]:
			w.value(origins.Place{Node: by.Parent().Child(syntax.FieldArguments), In: in}, a)
		case by.Kind() == syntax.Subscript && by.Parent().Kind() == syntax.Assignment && by.Field() == syntax.FieldLeft:
			w.value(origins.Place{Node: by.Parent().Child(syntax.FieldRight), In: in}, a)
		}
	}
}

// isContainer reports whether a binding gives its name a display, or a copy of a container.
func isContainer(b *names.Binding) bool {
	made := b.Value
	if b.Kind == names.UnpackBinding && len(b.Path) > 0 && made.Is(syntax.Tuple, syntax.ExpressionList, syntax.List) {
		made = names.Element(made, b.Path[0])
	}
	return made.Is(syntax.List, syntax.Dictionary, syntax.Set) || PassesOn[made.Child(syntax.FieldFunction).Text()]
}

// attribute looks into what the attribute of an object of the program, or of a module, is bound to. An
// object from before the iteration has it from then, unless the loop runs the code that binds it.
func (w *backward) attribute(origin origins.Place, a age) {
	defer w.info.Enter(origin.Node).Leave()
	object, name := origin.Node.Child(syntax.FieldObject), origin.Node.Child(syntax.FieldAttribute).Text()
	var bindings []*names.Binding
	existed := true
	if class := w.info.TypeOf(object).Local; class != nil {
		bindings = w.info.Attribute(class, name)
		_, made := w.Makes(origins.Place{Node: object, In: origin.In}, w.loop)
		existed = !made
	} else if module := w.info.ModuleOf(object); module != nil {
		bindings = module.Exports(name)
	}
	again := func(b *names.Binding) bool { // a constructor runs for another object
		fn := w.info.ScopeOf(b.Node).Function()
		return b.Node.Within(w.loop) || fn != nil && fn.Name != "__init__" && w.Runs(fn, w.loop)
	}
	if slices.ContainsFunc(bindings, again) {
		bindings = slices.DeleteFunc(slices.Clone(bindings), func(b *names.Binding) bool { return !again(b) })
		existed = false
	}
	for _, b := range bindings {
		switch {
		case w.seen[b]:
		case a != byCode:
			w.bound(b, nil, a)
		case existed:
			w.bound(b, nil, earlier)
		default:
			w.bound(b, nil, newer)
		}
	}
}
