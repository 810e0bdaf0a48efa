package graph

import (
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
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

// An iteration is the code that each iteration of a loop runs on the way to what builds, compiles
// and trains its model.
type iteration struct {
	m     *built
	codes []syntax.Node                   // the loop's body, and the functions
	calls map[*names.Function]syntax.Node // of these functions
	steps int                             // of following values, taken in all
}

// mostPartSteps bounds the work of following values.
const mostPartSteps = 20000

// gaveUp reports whether some values were not followed to their end.
func (it *iteration) gaveUp() bool { return it.steps > mostPartSteps }

func (it *iteration) runs(n syntax.Node) bool { return slices.ContainsFunc(it.codes, n.Within) }

// parts returns the objects of Keras that code of the iteration refers to by an expression.
func (it *iteration) parts(n syntax.Node) []part {
	f := newPartFollower(it)
	f.value(n, false)
	return f.found
}

// isNew reports whether a part is one of the iteration's own model.
func (p part) isNew() bool { return !p.earlier && p.kind != statePart }

// A partFollower collects the parts of one value.
type partFollower struct {
	*iteration
	seen   map[syntax.Node]bool
	within map[*names.Function]syntax.Node // the functions that return the value, with their calls
	kept   bool                            // something from before the iteration keeps what is followed
	found  []part
}

func newPartFollower(it *iteration) *partFollower {
	return &partFollower{iteration: it, seen: map[syntax.Node]bool{}, within: map[*names.Function]syntax.Node{}}
}

// value follows an expression that is computed in the iteration, or earlier.
func (f *partFollower) value(n syntax.Node, earlier bool) {
	defer f.m.info.Enter(n).Leave()
	info := f.m.info
	if f.steps++; f.gaveUp() || !n.Valid() || f.seen[n] {
		return
	}
	f.seen[n] = true
	switch n.Kind() {
	case syntax.Identifier:
		for _, b := range info.ReachingDefs(n) {
			f.binding(b, earlier)
		}
	case syntax.Attribute:
		f.attribute(n, earlier)
	case syntax.Subscript:
		whole := n.Child(syntax.FieldValue)
		made := info.DefiningExpr(whole)
		if at, err := strconv.Atoi(n.Child(syntax.FieldSubscript).Text()); err == nil && made.Kind() == syntax.Call && f.runs(made) {
			f.call(made, earlier, at)
			return
		}
		f.value(whole, earlier)
	case syntax.ListComprehension, syntax.SetComprehension, syntax.GeneratorExpression, syntax.DictionaryComprehension:
		f.value(n.Child(syntax.FieldBody), earlier)
	case syntax.Pair, syntax.KeywordArgument:
		f.value(n.Child(syntax.FieldValue), earlier)
	case syntax.List, syntax.Tuple, syntax.Set, syntax.Dictionary, syntax.ExpressionList, syntax.ListSplat, syntax.DictionarySplat,
		syntax.ParenthesizedExpression, syntax.ConditionalExpression, syntax.BooleanOperator, syntax.BinaryOperator, syntax.NamedExpression:
		for c := range n.Children() {
			f.value(c, earlier)
		}
	case syntax.Call:
		f.call(n, earlier, -1)
	}
}

// call follows what a call returns, or an item of it.
func (f *partFollower) call(call syntax.Node, earlier bool, item int) {
	defer f.m.info.Enter(call).Leave()
	info := f.m.info
	if kind, ok := partMade(info, call); ok {
		f.found = append(f.found, part{kind: kind, made: call, earlier: earlier || f.kept})
		return
	}
	function := call.Child(syntax.FieldFunction)
	if target := info.Target(function); target.Function != nil && target.Class == nil && !target.Function.Yields {
		fn := target.Function
		if _, entered := f.within[fn]; entered {
			return
		}
		f.within[fn] = call
		for _, returned := range fn.Returns {
			f.value(itemOf(returned, item), earlier)
		}
		delete(f.within, fn)
		return
	}
	switch {
	case function.Kind() == syntax.Identifier && facts.PassesOn[function.Text()] && info.Lookup(function) == nil:
		for c := range call.Child(syntax.FieldArguments).Children() {
			f.value(c, earlier)
		}
	case function.Kind() == syntax.Attribute && facts.HandsOut[function.Child(syntax.FieldAttribute).Text()]:
		f.value(function.Child(syntax.FieldObject), earlier)
	}
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
	case rule.Method(call) == "fit":
		return historyPart, true
	case of.Local != nil:
		return objectPart, true
	case obstacles.MakesVariable(info, call):
		return statePart, true
	}
	return 0, false
}

// binding follows what a name is bound to.
func (f *partFollower) binding(b *names.Binding, earlier bool) {
	defer f.m.info.Enter(b.Node).Leave()
	if b.Kind == names.FromBinding {
		for _, origin := range f.m.info.Origin(b) {
			if origin.Kind != names.FromBinding {
				f.binding(origin, earlier)
			}
		}
		return
	}
	_, local := f.within[b.Scope.Func]
	local = local && b.Scope.Func != nil
	if !local {
		_, onPath := f.calls[b.Scope.Func]
		earlier = !f.runs(b.Node) && !(onPath && b.Kind == names.ParameterBinding)
	}
	switch b.Kind {
	case names.ParameterBinding:
		f.parameter(b, earlier)
	case names.AssignBinding, names.WithBinding, names.ForBinding:
		if b.Kind == names.ForBinding && b.Node.Within(f.m.event.Loop) {
			earlier = !f.runs(b.Node)
		}
		f.value(b.Value, earlier)
	case names.UnpackBinding:
		f.unpacked(b, earlier)
	}
	f.added(b, earlier, local)
}

// unpacked follows the item of a tuple that a name is bound to.
func (f *partFollower) unpacked(b *names.Binding, earlier bool) {
	if len(b.Path) == 0 {
		f.value(b.Value, earlier)
		return
	}
	made := f.m.info.DefiningExpr(b.Value)
	if made.Kind() == syntax.Call {
		f.call(made, earlier, b.Path[0])
		return
	}
	f.value(itemOf(made, b.Path[0]), earlier)
}

// itemOf returns the item of a display at a position, or else the whole expression.
func itemOf(n syntax.Node, position int) syntax.Node {
	if n.Is(syntax.Tuple, syntax.ExpressionList, syntax.List) && position >= 0 {
		if item := names.Element(n, position); item.Valid() {
			return item
		}
	}
	return n
}

// parameter follows what the call passes for a parameter. A default exists before all calls.
func (f *partFollower) parameter(b *names.Binding, earlier bool) {
	fn := b.Scope.Func
	call, ok := f.within[fn]
	if !ok {
		call = f.calls[fn]
	}
	if !call.Valid() {
		return
	}
	if given := fn.Passed(call, b.Name); given.Valid() {
		f.value(given, earlier)
	} else if b.Value.Valid() {
		f.value(b.Value, true)
	}
}

// added follows what is put into the container that a name is bound to. What an iteration puts into
// a container from before it stays there.
func (f *partFollower) added(b *names.Binding, earlier, local bool) {
	info := f.m.info
	container := b.Value
	if b.Kind == names.UnpackBinding && len(b.Path) > 0 {
		container = itemOf(container, b.Path[0])
	}
	if function := container.Child(syntax.FieldFunction); !container.Is(syntax.List, syntax.Dictionary, syntax.Set) && !(function.Kind() == syntax.Identifier && facts.PassesOn[function.Text()]) {
		return
	}
	before := f.kept
	f.kept = before || earlier && !local
	for _, use := range info.Uses(b) {
		if !local && !f.runs(use) && use.Start() > f.m.event.Loop.End() && info.ScopeOf(use) == info.ScopeOf(f.m.event.Loop) {
			continue
		}
		parent := use.Parent()
		switch call := parent.Parent(); {
		case parent.Kind() == syntax.Attribute && call.Kind() == syntax.Call && facts.Stores[rule.Method(call)]:
			for argument := range call.Child(syntax.FieldArguments).Children() {
				f.value(argument, earlier)
			}
		case parent.Kind() == syntax.Subscript && call.Kind() == syntax.Assignment && parent.Field() == syntax.FieldLeft:
			f.value(call.Child(syntax.FieldRight), earlier)
		}
	}
	f.kept = before
}

// attribute follows an attribute of an object of the program, or a part of a model.
func (f *partFollower) attribute(n syntax.Node, earlier bool) {
	defer f.m.info.Enter(n).Leave()
	info := f.m.info
	object, name := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute).Text()
	if module := info.ModuleOf(object); module != nil {
		for _, b := range module.Exports(name) {
			f.binding(b, true)
		}
		return
	}
	if t := info.TypeOf(object); t.Local != nil {
		if bindings := info.Attribute(t.Local, name); len(bindings) > 0 {
			if rebound := slices.DeleteFunc(slices.Clone(bindings), func(b *names.Binding) bool { return !f.runs(b.Node) }); len(rebound) > 0 {
				bindings = rebound
			}
			before := f.objectEarlier(object, maxSteps)
			for _, b := range bindings {
				f.value(b.Value, before && !f.runs(b.Node))
			}
			return
		}
	}
	if object.Kind() != syntax.Identifier || n.Field() == syntax.FieldFunction {
		return
	}
	owner := partFollower{iteration: f.iteration, seen: f.seen, within: f.within}
	owner.value(object, earlier)
	for _, p := range owner.found {
		switch {
		case p.kind == objectPart, p.kind == layerPart && (info.TypeOf(p.made).Local != nil || partsOfModel[name]), name == "model" && p.kind != statePart:
			f.found = append(f.found, part{kind: layerPart, made: p.made, earlier: p.earlier})
		}
	}
}

// partsOfModel are attributes of Keras's models that refer to the model or its layers.
var partsOfModel = map[string]bool{
	"layers": true, "input": true, "inputs": true, "output": true, "outputs": true, "optimizer": true,
}

// objectEarlier reports whether an object, or the instance whose method the iteration calls, was made
// before the iteration.
func (f *partFollower) objectEarlier(object syntax.Node, depth int) bool {
	defer f.m.info.Enter(object).Leave()
	info := f.m.info
	if object.Kind() == syntax.Call {
		return !f.runs(object)
	}
	bindings := info.ReachingDefs(object)
	if object.Kind() != syntax.Identifier || len(bindings) != 1 || depth == 0 {
		return true
	}
	b := bindings[0]
	if !isInstance(b) {
		return !f.runs(b.Node)
	}
	call := f.calls[b.Scope.Func]
	if !call.Valid() {
		call = f.within[b.Scope.Func]
	}
	switch function := call.Child(syntax.FieldFunction); {
	case !call.Valid():
		return true
	case function.Kind() == syntax.Attribute && info.Target(function).Class == nil:
		return f.objectEarlier(function.Child(syntax.FieldObject), depth-1)
	}
	return !f.runs(call) // it makes the instance
}
