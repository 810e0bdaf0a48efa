package flow

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// inline adds the effects of calling a function.
func (f *frame) inline(call syntax.Node, c callee, context Context) {
	s := f.summariseOn(c)
	if s == nil {
		f.own.cyclic = true
		return
	}
	f.needs(s)
	if f.splice(f.event(call, nil), context, s) {
		f.own.calls = append(f.own.calls, c.fn)
		if c.receiver != nil {
			// A function is reached without its receiver, so that what it calls on this one is added here.
			f.own.calls = append(f.own.calls, s.calls...)
		}
	} else {
		f.own.cyclic = true
	}
}

// imports adds the effects of importing a module, unless it has surely run before.
func (f *frame) imports(e Event) {
	defer e.module.Enter(syntax.Node{}).Leave()
	if e.module.Path == f.root.Path && e.module.Path != "" {
		return // it is the running module
	}
	ran := f.ran[e.module]
	if len(ran) >= maxWays || f.said(&e, e.when) {
		return
	}
	f.ran[e.module] = append(ran, e.when)
	if e.when == nil {
		f.sure[e.module] = true
	}
	if !f.spend(e, importEvents) {
		return // nor is the module read
	}
	if s := f.module(e.module); s != nil {
		f.own.inner = append(f.own.inner, s)
		if f.splice(e, 0, s) {
			f.own.calls = append(f.own.calls, s.calls...)
		}
	}
}

// spend takes events from the rest of maxEvents, and reports whether there were enough.
func (f *frame) spend(at Event, events int) bool {
	if f.budget < events {
		if f.cut == nil {
			f.cut = &Cut{}
			if n := at.Outermost(); n.Tree() == f.root.Tree {
				f.cut.Node = n
			}
		}
		return false
	}
	f.budget -= events
	f.own.cost += events
	return true
}

// splice adds the events of a summary at the place of an event.
func (f *frame) splice(at Event, context Context, s *summary) bool {
	if !f.spend(at, len(s.events)) {
		return false
	}
	var inner map[*condition]*condition
	for i := range s.events {
		if m := s.events[i].module; m != nil && (f.sure[m] || f.before[m]) {
			continue // most events, in a program of many modules
		}
		e := s.events[i]
		e.Context |= at.Context | context
		if f.said(&e, at.when) {
			continue
		}
		e.Path = way(at, e.Path)
		if !e.Loop.Valid() {
			e.Loop, e.EveryIteration = at.Loop, at.EveryIteration && e.when == nil
		}
		if !e.Tape.Valid() {
			e.Tape = at.Tape
		}
		if !e.Strategy.Valid() {
			e.Strategy = at.Strategy
		}
		if e.when != nil && inner == nil {
			inner = map[*condition]*condition{}
		}
		e.when = graft(e.when, at.when, inner)
		f.emit(e)
	}
	return true
}

// way returns the path to an event that is reached from another. An event without a node, the
// import of a package before the module, adds nothing to it.
func way(at Event, path []syntax.Node) []syntax.Node {
	out := make([]syntax.Node, 0, min(maxPath, len(at.Path)+1+len(path)))
	out = append(out, at.Path...)
	if at.Node.Valid() && len(out) < maxPath {
		out = append(out, at.Node)
	}
	return append(out, path[:min(len(path), maxPath-len(out))]...)
}
