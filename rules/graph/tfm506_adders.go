package graph

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/sessions"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// adders determines which functions of the program add to the graph in every call.
type adders struct {
	*rule.Pass
	info *names.Info
	runs map[*names.Info][]sessions.Run // of each module, once they are asked for
	// inGraphs is set if the program surely runs in graphs.
	inGraphs bool
	known    map[*names.Function]*added
}

// added is set if a function adds operations. run is the call, in the function itself, that runs
// one of them in a session opened elsewhere, or nil. saves is the call by which a new saver of the
// function runs its operations, or none. at is the first call that adds one, and through are the calls
// that lead to it, none if it is in the function itself. each is set if it adds them in a for loop, for
// each of what its arguments may choose.
type added struct {
	fn      *names.Function
	run     *sessions.Run
	saves   syntax.Node
	at      syntax.Node
	through []syntax.Node
	each    bool
}

// by returns what the function that a call surely runs adds, or nil. Only operations that it
// creates in every call count, and not those on a variable that it is given.
func (a *adders) by(call syntax.Node) *added {
	defer a.info.Enter(call).Leave()
	t := a.info.Target(call.Child(syntax.FieldFunction))
	fn := t.Function
	// A decorator may cache what the function returned once.
	if fn == nil || t.Class != nil || fn.Yields || len(fn.Decorators) > 0 && !fn.IsStatic() || resetsGraph(fn.Info, fn.Node) {
		return nil
	}
	if found, known := a.known[fn]; known {
		return found
	}
	a.known[fn] = nil // while it is being examined
	var out *added
	runs, asked := a.runs[fn.Info]
	if !asked {
		runs = sessions.Runs(fn.Info, a.File.Facts(), a.inGraphs)
		a.runs[fn.Info] = runs
	}
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
		if !sessions.AddsOperation(a.info, inner) {
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
		if !out.saves.Valid() {
			out.saves = sessions.Saves(a.info, a.File.Facts(), inner, fn.Node)
		}
		for i := range runs {
			r := &runs[i]
			if a.info.ScopeOf(r.Call) == fn.Scope && !r.Opened.Within(fn.Node) && r.Fetches(a.info, a.File.Facts(), inner) {
				out.run = r
			}
		}
	}
	a.known[fn] = out
	return out
}
