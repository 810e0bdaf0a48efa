package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A part is an object of Keras that the value of an expression may be, or hold.
type part struct {
	kind    partKind
	made    syntax.Node // the call that makes it
	earlier bool        // it exists before the iteration, or something from before it keeps it
}

type partKind uint8

const (
	layerPart partKind = iota // a layer, a model, or a symbolic tensor, which refers to its layers
	optimizerPart
	callbackPart
	historyPart
	objectPart // of a class of the program
	statePart  // a metric or a variable
)

// isNew reports whether a part is one of the iteration's own model.
func (p part) isNew() bool { return !p.earlier && p.kind != statePart }

// parts returns the objects of Keras that code of the iteration refers to by an expression.
func (it *iteration) parts(n syntax.Node) []part {
	c := collector{iteration: it, containers: map[*names.Binding]bool{}}
	return c.of(it.place(n), false, false)
}

// partsOf returns those of what a statement of the iteration gives a name.
func (it *iteration) partsOf(b *names.Binding) []part {
	c := collector{iteration: it, containers: map[*names.Binding]bool{}}
	at := it.place(b.Node)
	at.Node = b.Value
	for _, i := range b.Path {
		at.Path = append(at.Path, i)
	}
	found := c.of(at, false, false)
	if c.isContainer(b) {
		found = append(found, c.added(b, at.In, false, false)...)
	}
	return found
}

// A collector finds the parts of one value.
type collector struct {
	*iteration
	containers map[*names.Binding]bool // whose items were collected
}

// of returns the parts of a place. Something from before the iteration keeps them if kept is set; code that
// is reached in no known way is from before it if past is.
func (c *collector) of(p origins.Place, kept, past bool) (found []part) {
	defer c.m.info.Enter(p.Node).Leave()
	c.facts.AnyUntil(p, func(origin origins.Place, same func(origins.Place) bool) bool {
		of := func(n syntax.Node) { same(origins.Place{Node: n, In: origin.In}) }
		switch n := origin.Node; n.Kind() {
		case syntax.Identifier:
			found = append(found, c.named(origin, kept, past, of)...)
		case syntax.Attribute:
			found = append(found, c.attribute(origin, kept, past)...)
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
			function := n.Child(syntax.FieldFunction)
			switch kind, ok := partMade(c.m.info, n); {
			case ok:
				found = append(found, part{kind: kind, made: n, earlier: kept || c.earlier(origin, past)})
			case function.Kind() == syntax.Identifier && facts.PassesOn[function.Text()] && c.m.info.Lookup(function) == nil:
				of(n.Child(syntax.FieldArguments))
			case function.Kind() == syntax.Attribute && facts.HandsOut[function.Child(syntax.FieldAttribute).Text()]:
				of(function.Child(syntax.FieldObject))
			}
		}
		return false
	}, func(p origins.Place) bool {
		made := false
		if p.Node.Kind() == syntax.Call {
			_, made = partMade(c.m.info, p.Node)
		}
		return p.Node.Kind() == syntax.Attribute || made || slices.ContainsFunc(c.m.info.ReachingDefs(p.Node), c.isContainer)
	})
	return found
}

// earlier reports whether the code of a place runs before the iteration.
func (it *iteration) earlier(p origins.Place, past bool) bool {
	loop := it.m.event.Loop
	fn := it.m.info.ScopeOf(p.Node).Function()
	switch {
	case it.runs(p.Node), it.facts.Repeats(p, loop):
		return false
	case fn == nil, loop.Within(fn.Node), it.facts.Own(p) != nil:
		return true
	}
	return past
}

// partMade returns what kind of object a call makes, if it is one of Keras or of the program.
func partMade(info *names.Info, call syntax.Node) (kind partKind, ok bool) {
	const layer = "tensorflow.keras.layers.Layer"
	of, callee := info.TypeOf(call), info.Callee(call)
	switch {
	case strings.HasPrefix(of.Class, "tensorflow.keras.callbacks."), info.InstanceOf(call, "tensorflow.keras.callbacks.Callback"):
		return callbackPart, true
	case isOptimizer(of):
		return optimizerPart, true
	case info.InstanceOf(call, layer), info.InstanceOf(call.Child(syntax.FieldFunction), layer),
		callee == "tensorflow.keras.Input", callee == "tensorflow.keras.layers.Input":
		return layerPart, true
	case names.Method(call) == "fit":
		return historyPart, true
	case of.Local != nil:
		return objectPart, true
	case obstacles.MakesVariable(info, call):
		return statePart, true
	}
	return 0, false
}

// contentsOf returns what a name is bound to: a value, or the item of a display.
func contentsOf(b *names.Binding) syntax.Node {
	if b.Kind == names.UnpackBinding && len(b.Path) > 0 && b.Value.Is(syntax.Tuple, syntax.ExpressionList, syntax.List) {
		return names.Element(b.Value, b.Path[0])
	}
	return b.Value
}

func (c *collector) isContainer(b *names.Binding) bool {
	made := contentsOf(b)
	function := made.Child(syntax.FieldFunction)
	return made.Is(syntax.List, syntax.Dictionary, syntax.Set) || function.Kind() == syntax.Identifier && facts.PassesOn[function.Text()]
}

// named collects the parts of a container that has a name, and of what is put into it. What an iteration
// puts into a container from before it stays there.
func (c *collector) named(origin origins.Place, kept, past bool, of func(syntax.Node)) (found []part) {
	for _, b := range c.m.info.ReachingDefs(origin.Node) {
		if c.isContainer(b) {
			of(contentsOf(b))
			found = append(found, c.added(b, origin.In, kept, past)...)
		} else if b.Kind == names.ForBinding {
			of(b.Value)
		}
	}
	return found
}

// added collects the parts of what is put into the container that a name is bound to.
func (c *collector) added(b *names.Binding, in *origins.Call, kept, past bool) (found []part) {
	defer c.m.info.Enter(b.Node).Leave()
	info := c.m.info
	if c.containers[b] {
		return nil
	}
	c.containers[b] = true
	stays := kept || c.earlier(origins.Place{Node: b.Node, In: in}, past)
	for _, use := range info.Uses(b) {
		if !c.runs(use) && use.Start() > c.m.event.Loop.End() && info.ScopeOf(use) == info.ScopeOf(c.m.event.Loop) {
			continue
		}
		put := syntax.Node{}
		switch by := use.Parent(); {
		case by.Kind() == syntax.Attribute && by.Parent().Kind() == syntax.Call && facts.Stores[names.Method(by.Parent())]:
			put = by.Parent().Child(syntax.FieldArguments)
		case by.Kind() == syntax.Subscript && by.Parent().Kind() == syntax.Assignment && by.Field() == syntax.FieldLeft:
			put = by.Parent().Child(syntax.FieldRight)
		}
		if put.Valid() {
			found = append(found, c.of(origins.Place{Node: put, In: in}, stays, past)...)
		}
	}
	return found
}

// attribute collects the parts of an attribute: of an object of the program, or of a model.
func (c *collector) attribute(origin origins.Place, kept, past bool) (found []part) {
	defer c.m.info.Enter(origin.Node).Leave()
	info, n := c.m.info, origin.Node
	object, name := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute).Text()
	if module := info.ModuleOf(object); module != nil {
		for _, b := range module.Exports(name) {
			found = append(found, c.of(origins.Place{Node: b.Value}, kept, true)...)
		}
		return found
	}
	owner := origins.Place{Node: object, In: origin.In}
	if t := info.TypeOf(object); t.Local != nil {
		if bindings := info.Attribute(t.Local, name); len(bindings) > 0 {
			if rebound := slices.DeleteFunc(slices.Clone(bindings), func(b *names.Binding) bool { return !c.runs(b.Node) }); len(rebound) > 0 {
				bindings = rebound
			}
			before := c.objectEarlier(owner)
			for _, b := range bindings {
				was := before && !c.runs(b.Node)
				found = append(found, c.of(origins.Place{Node: contentsOf(b), In: c.place(b.Node).In}, kept || was, was)...)
			}
			return found
		}
	}
	if object.Kind() != syntax.Identifier || n.Field() == syntax.FieldFunction {
		return nil
	}
	for _, p := range c.of(owner, kept, past) {
		switch {
		case p.kind == objectPart, p.kind == layerPart && (info.TypeOf(p.made).Local != nil || partsOfModel[name]), name == "model" && p.kind != statePart:
			found = append(found, part{kind: layerPart, made: p.made, earlier: p.earlier})
		}
	}
	return found
}

// partsOfModel are attributes of Keras's models that refer to the model or its layers.
var partsOfModel = map[string]bool{
	"layers": true, "input": true, "inputs": true, "output": true, "outputs": true, "optimizer": true,
}

// objectEarlier reports whether an object may be from before the iteration.
func (it *iteration) objectEarlier(object origins.Place) bool {
	made := it.facts.Until(object.Node, object.In, func(p origins.Place) bool { return p.Node.Is(syntax.Call, syntax.Attribute) || it.earlier(p, true) })
	return slices.ContainsFunc(made, func(o origins.Place) bool {
		return !o.Node.Valid() || it.earlier(o, true) || slices.ContainsFunc(it.m.info.ReachingDefs(o.Node), func(b *names.Binding) bool {
			return it.earlier(origins.Place{Node: b.Node, In: o.In}, true)
		})
	})
}
