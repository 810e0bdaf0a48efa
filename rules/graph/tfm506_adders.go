package graph

import (
	"github.com/tfmem/tfmem/analyzer/facts"
	"strings"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// adders determines which functions of the program add to the graph in every call.
type adders struct {
	*rule.Pass
	info  *names.Info
	runs  map[*names.Info][]run // of each module, once they are asked for
	known map[*names.Function]*added
}

// runsOf returns the calls that run sessions in a module of the program.
func (a *adders) runsOf(module *names.Info) []run {
	runs, known := a.runs[module]
	if !known {
		runs = sessionRuns(a.Pass, module)
		a.runs[module] = runs
	}
	return runs
}

// added is set if a function adds operations. run is the call, in the function itself, that runs
// one of them in a session opened elsewhere, or nil. saves is the call by which a new saver of the
// function runs its operations, or none. at is the first call that adds one, and through are the calls
// that lead to it, none if it is in the function itself. each is set if it adds them in a for loop, for
// each of what its arguments may choose.
type added struct {
	fn      *names.Function
	run     *run
	saves   syntax.Node
	at      syntax.Node
	through []syntax.Node
	each    bool
}

// savedBy is savedBy for a call, in a loop, of a function that makes a saver: the function gets the
// session as an argument, or reads it from an attribute of its object.
func (a *added) savedBy(info *names.Info, call, loop syntax.Node, later setLaters) *run {
	session := names.Argument(a.saves, 0, "sess")
	root := session
	if session.Kind() == syntax.Attribute {
		root = session.Child(syntax.FieldObject)
	}
	bindings := info.ReachingDefs(root)
	if root.Kind() != syntax.Identifier || len(bindings) != 1 {
		return nil
	}
	b := bindings[0]
	if b.Scope.Func != a.fn {
		if b.Scope.Func == nil && openBefore(info, session, loop, later) { // of the module
			return &run{call: a.saves}
		}
		return nil
	}
	if b.Kind != names.ParameterBinding {
		return nil
	}
	given := rule.ArgumentFor(info, call, a.fn, b.Name)
	if isSelf := a.fn.Class != nil && !a.fn.IsStatic() && len(a.fn.Params) > 0 && a.fn.Params[0].Name == b.Name; isSelf {
		given = call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	}
	if !openBefore(info, given, loop, later) {
		return nil
	}
	if session.Kind() == syntax.Attribute && later.set(info, session) {
		return nil
	}
	return &run{call: a.saves}
}

// by returns what the function that a call surely runs adds, or nil. Only operations that it
// creates in every call count, and not those on a variable that it is given.
func (a *adders) by(call syntax.Node) *added {
	defer a.info.Enter(call).Leave()
	t := a.info.Target(call.Child(syntax.FieldFunction))
	fn := t.Function
	if fn == nil || t.Class != nil || fn.Yields || !plain(fn) || mentionsReset(fn.Node) {
		return nil
	}
	if found, known := a.known[fn]; known {
		return found
	}
	a.known[fn] = nil // while it is being examined
	var out *added
	runs := a.runsOf(fn.Info)
	for _, inner := range fn.Info.Calls {
		if a.info.ScopeOf(inner) == fn.Scope && strings.HasSuffix(strings.ToLower(names.Method(inner)), "variable") {
			out = nil // each call creates a variable, which needs its own operations
			break
		}
		loop := facts.LoopOf(inner)
		if a.info.ScopeOf(inner) != fn.Scope || loop.Valid() && !loop.Is(syntax.ForStatement) || !everyIteration(a.info, inner, fn.Node) || flow.LeftBefore(fn.Body, inner) || ownVariable(a.info, inner, fn.Node) {
			continue
		}
		var deeper *added
		if !addsOperation(a.info, inner) {
			if deeper = a.by(inner); deeper == nil {
				continue
			}
		}
		if out == nil {
			out = &added{fn: fn, at: inner}
			if deeper != nil {
				out.at, out.through = deeper.at, append([]syntax.Node{inner}, deeper.through...)
			}
		}
		out.each = out.each || loop.Valid() || deeper != nil && deeper.each
		if deeper != nil && out.run == nil {
			out.run = deeper.run
		}
		if saves := saves(a.info, inner); saves.Within(fn.Node) && !out.saves.Valid() {
			out.saves = saves
		}
		if deeper == nil && out.run == nil {
			out.run = keptByKeras(a.info, runs, inner, fn.Node)
		}
		for i := range runs {
			r := &runs[i]
			if fetched := r.fetched(); a.info.ScopeOf(r.call) == fn.Scope && !r.opened.Within(fn.Node) && fetched.Valid() && direct(a.info, inner, fetched) {
				out.run = r
			}
		}
	}
	a.known[fn] = out
	return out
}

// plain reports whether a function is what its definition says. A decorator may cache what it
// returned once.
func plain(fn *names.Function) bool {
	return len(fn.Decorators) == 0 || fn.IsStatic()
}
