package flow

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// kept are the effects for which every place matters. For the others, a summary keeps the first
// that surely happens, and the first at all.
const kept = ^(effects.Initialises | effects.MayInitialise | effects.ReadsDevices | effects.BuildsLayer | effects.CallsLayer | effects.MakesDataset | effects.SelectsDevice | effects.AddsOperation)

// A kind is what events have in common of which not all need be kept.
type kind struct {
	effects effects.Effect
	context Context
}

// kindEvents are the conditions of the events of a kind.
type kindEvents struct {
	kind
	when []*condition
}

// A place is where events stand that differ only in their paths.
type place struct {
	node, strategy syntax.Node
	key            string
	module         *names.Info
	context        Context
	loop, tape     syntax.Node
	sure           bool
}

// How many conditions are kept for events of one kind, and how many paths for events of one
// place.
const (
	maxConditions = 32
	maxWays       = 4
)

// emit adds an event with the frame's conditions and context.
func (f *frame) emit(e Event) {
	if !f.passes(&e) {
		return
	}
	if e.module != nil && f.ran != nil {
		f.imports(e)
		return
	}
	if f.said(&e, e.when) {
		return
	}
	if e.Effects&kept == 0 && e.module == nil {
		k := f.alike(&e)
		if k == nil {
			f.kinds = append(f.kinds, kindEvents{kind: e.kind()})
			k = &f.kinds[len(f.kinds)-1]
		}
		if len(k.when) >= maxConditions && e.when != nil {
			return
		}
		k.when = append(k.when, e.when)
	} else if f.ways(&e) >= maxWays {
		return
	}
	e.order = len(f.events)
	f.events = append(f.events, e)
}

// alike returns the events of a kind, or nil. A frame has few kinds.
func (f *frame) alike(e *Event) *kindEvents {
	k := e.kind()
	for i := range f.kinds {
		if f.kinds[i].kind == k {
			return &f.kinds[i]
		}
	}
	return nil
}

// ways counts the events that differ from e only in their path, including e. Few nodes have more
// than one event, so places are only examined at those that do.
func (f *frame) ways(e *Event) int {
	if f.nodes == nil {
		f.nodes, f.places = map[syntax.Node]int{}, map[place]int{}
	}
	first, more := f.nodes[e.Node]
	if !more {
		f.nodes[e.Node] = len(f.events)
		return 0
	}
	if first >= 0 {
		f.places[f.events[first].place()] = 1
		f.nodes[e.Node] = -1
	}
	n := f.places[e.place()]
	f.places[e.place()] = n + 1
	return n
}

func (e *Event) place() place {
	return place{e.Node, e.Strategy, e.Key, e.module, e.Context, e.Loop, e.Tape, e.when == nil}
}

func (e *Event) kind() kind {
	return kind{e.Effects, e.Context & (InGraph | OwnGraph | InWorker | InHandler | Compiled | Uncertain)}
}

// said reports whether an event adds nothing if it happens whenever a condition holds: an earlier
// one of its kind runs whenever it does.
func (f *frame) said(e *Event, when *condition) bool {
	switch {
	case e.module != nil:
		return f.before[e.module] || slices.ContainsFunc(f.ran[e.module], func(c *condition) bool { return c.holds(when) })
	case e.Effects&kept == 0:
		k := f.alike(e)
		return k != nil && slices.ContainsFunc(k.when, func(c *condition) bool { return c.holds(when) })
	}
	return false
}
