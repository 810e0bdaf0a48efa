// Package flow says in which order a program does what matters: it follows
// calls, not lines, from the module's first statement into the functions it
// calls, and notes what has surely, or may have, run before each effect, and in
// which loops, tapes, strategies and compiled functions it runs.
//
// A function is walked once; what a call of it does is its summary, with the
// call's own surroundings added. It knows names and effects, and no rule.
package flow

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Context is a set of surroundings in which code runs.
type Context uint16

const (
	InLoop Context = 1 << iota
	InTape
	InStrategy
	InGraph   // operations build a TF1 graph
	Compiled  // by tf.function, or traced by tf.data or Keras
	Uncertain // through a wrapper that is not known: it may be compiled
	InWorker
	InHandler // of an exception
)

// An Event is one thing that a program does, at one place, reached in one way.
type Event struct {
	*effects.Entry
	Node    syntax.Node // the call
	Context Context
	Loop    syntax.Node // the innermost loop around it in the order of calls, or none
	Tape    syntax.Node // the innermost with statement that records it, or none
	// Path are the calls of the program's functions through which it is reached,
	// outermost first; empty where it stands in the trace's own code.
	Path []syntax.Node

	// Key and Value are the variable and text of a SetsEnvironment event; Value
	// is none of use where Known is false.
	Key, Value string
	Known      bool

	order int // within its trace
	when  *condition
}

// A condition is one branch that must have been taken, among those around it.
type condition struct {
	outer *condition
	depth int
}

func (c *condition) inner() *condition {
	if c == nil {
		return &condition{depth: 1}
	}
	return &condition{outer: c, depth: c.depth + 1}
}

// holds tells whether whatever runs under other also runs under c.
func (c *condition) holds(other *condition) bool {
	if c == nil {
		return true
	}
	for other != nil && other.depth > c.depth {
		other = other.outer
	}
	return other == c
}

// Conditional tells whether the event may not happen though its trace runs.
func (e *Event) Conditional() bool { return e.when != nil }

// Outermost is the node of the trace's own code at which the event happens: the
// first call on its way, or its own node.
func (e *Event) Outermost() syntax.Node {
	if len(e.Path) > 0 {
		return e.Path[0]
	}
	return e.Node
}

// step is the i-th node on the way to the event: its calls, then its own node.
func (e *Event) step(i int) syntax.Node {
	if i < len(e.Path) {
		return e.Path[i]
	}
	return e.Node
}

// Part finds where the ways to two events of one trace part: the two nodes, of
// one function's code, through which each of them is reached.
func Part(a, b *Event) (syntax.Node, syntax.Node) {
	i := 0
	for i < len(a.Path) && i < len(b.Path) && a.Path[i] == b.Path[i] {
		i++
	}
	return a.step(i), b.step(i)
}

// SurelyBefore tells whether e has happened whenever other does. Both must be
// of one trace.
func (e *Event) SurelyBefore(other *Event) bool {
	return e.order < other.order && e.when.holds(other.when)
}

// MaybeBefore tells whether e may have happened when other does.
func (e *Event) MaybeBefore(other *Event) bool { return e.order < other.order }

// A Trace is what running a module, or a function that nothing in the module
// calls, does, in order.
type Trace struct {
	Function *names.Function // nil for the module
	Events   []Event
}

// A Program is the order of execution of one module.
type Program struct {
	Module *Trace
	// Others are the traces of the functions that the module's own trace does
	// not reach.
	Others []*Trace
	// Script tells whether the module says that it is run rather than imported.
	Script bool
	// Unknown are calls of names that the module imports from elsewhere in its
	// own project, whose effects are not known, in order of the module's trace.
	Unknown []Event
}

// Traces are the module's trace and then the others.
func (p *Program) Traces() []*Trace {
	return append([]*Trace{p.Module}, p.Others...)
}

// kept are the effects of which every place matters. Of the rest the first
// that is sure, and the first at all, stand for all in a summary.
const kept = ^(effects.Initialises | effects.MayInitialise | effects.ReadsDevices | effects.BuildsLayer | effects.MakesDataset | effects.SelectsDevice)

// Of follows a module.
func Of(info *names.Info) *Program {
	w := &walker{summaries: map[*names.Function]*summary{}, reached: map[*names.Function]bool{}}
	p := &Program{Module: &Trace{}}
	w.program = p
	f := w.frame(info)
	for s := range info.Tree.Statements() {
		if !f.statement(s) {
			break
		}
	}
	p.Module.Events = f.events
	for _, fn := range info.Functions {
		if w.reached[fn] || fn.Node.Kind() == syntax.Lambda {
			continue
		}
		if s := w.summarise(fn); len(s.events) > 0 {
			p.Others = append(p.Others, &Trace{Function: fn, Events: s.events})
		}
	}
	return p
}

type walker struct {
	program   *Program
	summaries map[*names.Function]*summary
	reached   map[*names.Function]bool
	active    []*names.Function
}

// A summary is what calling a function does, once.
type summary struct {
	events []Event
}

// summarise walks a function's body, once. A function that is being walked
// already, because it calls itself, does nothing more.
func (w *walker) summarise(fn *names.Function) *summary {
	if s := w.summaries[fn]; s != nil {
		return s
	}
	s := &summary{}
	w.summaries[fn] = s
	if len(w.active) > 100 {
		return s
	}
	w.active = append(w.active, fn)
	f := w.frame(fn.Info)
	compiled, unknown := fn.CompiledBy()
	if compiled || keras(fn) {
		f.context |= Compiled
	}
	if unknown {
		f.context |= Uncertain
	}
	switch {
	case fn.Node.Kind() == syntax.Lambda:
		f.expression(fn.Body)
	case fn.Body.Valid():
		f.block(fn.Body)
	}
	s.events = f.events
	w.active = w.active[:len(w.active)-1]
	return s
}

// keras tells whether Keras compiles the method itself: Model.fit wraps
// train_step in a tf.function (keras/src/backend/tensorflow/trainer.py,
// make_train_function).
func keras(fn *names.Function) bool {
	if fn.Class == nil {
		return false
	}
	switch fn.Name {
	case "train_step", "test_step", "predict_step", "compute_loss":
		return fn.Info.Inherits(fn.Class, "tensorflow.keras.Model")
	}
	return false
}

// A frame walks the code of one function or module.
type frame struct {
	*walker
	info    *names.Info // of the module the code stands in
	events  []Event
	when    *condition
	context Context
	loop    syntax.Node
	tape    syntax.Node
	seen    [2]map[effects.Effect]bool
}

func (w *walker) frame(info *names.Info) *frame {
	return &frame{walker: w, info: info, seen: [2]map[effects.Effect]bool{{}, {}}}
}

// emit adds an event in the frame's surroundings.
func (f *frame) emit(e Event) {
	if e.Effects&kept == 0 {
		// One of a kind that is sure, and one before it that may be, say all.
		sure := 0
		if e.when == nil {
			sure = 1
		}
		if f.seen[1][e.Effects] || f.seen[sure][e.Effects] {
			return
		}
		f.seen[sure][e.Effects] = true
	}
	e.order = len(f.events)
	f.events = append(f.events, e)
}

// inline adds what calling fn does.
func (f *frame) inline(call syntax.Node, fn *names.Function, context Context) {
	s := f.summarise(fn)
	f.reached[fn] = true
	var inner map[*condition]*condition
	for _, e := range s.events {
		if len(e.Path) > 20 {
			continue
		}
		e.Path = append([]syntax.Node{call}, e.Path...)
		e.Context |= f.context | context
		if !e.Loop.Valid() {
			e.Loop = f.loop
		}
		if !e.Tape.Valid() {
			e.Tape = f.tape
		}
		if e.when != nil && inner == nil {
			inner = map[*condition]*condition{}
		}
		e.when = graft(e.when, f.when, inner)
		f.emit(e)
	}
}

// graft hangs a function's own conditions below those of the call.
func graft(c, below *condition, done map[*condition]*condition) *condition {
	if c == nil {
		return below
	}
	if d := done[c]; d != nil {
		return d
	}
	outer := graft(c.outer, below, done)
	d := outer.inner()
	done[c] = d
	return d
}

// branch runs visit under a condition of its own.
func (f *frame) branch(visit func()) {
	old := f.when
	f.when = f.when.inner()
	visit()
	f.when = old
}

// with runs visit with more context.
func (f *frame) with(context Context, visit func()) {
	old := f.context
	f.context |= context
	visit()
	f.context = old
}
