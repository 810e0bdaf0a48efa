// Package flow says in which order a program does what matters: it follows
// calls, not lines, from the module's first statement into the functions it
// calls, and notes what has surely, or may have, run before each effect, and in
// which loops, tapes, strategies and compiled functions it runs.
//
// A function is walked once; what a call of it does is its summary, with the
// call's own surroundings added. It knows names and effects, and no rule.
package flow

import (
	"slices"

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
	// outermost first and maxPath at most; empty where it stands in the trace's
	// own code.
	Path []syntax.Node

	// Key and Value are the variable and text of a SetsEnvironment event; Value
	// is none of use where Known is false.
	Key, Value string
	Known      bool

	order int // within its trace
	when  *condition
}

const maxPath = 20

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
	p := &Program{Module: &Trace{}}
	w := &walker{program: p, summaries: map[*names.Function]*summary{}, calls: map[*names.Function][]*names.Function{}, budget: maxEvents}
	f := w.frame(info, nil)
	for s := range info.Tree.Statements() {
		if !f.statement(s) {
			break
		}
	}
	p.Module.Events = f.events
	for _, fn := range w.uncalled(info.Functions) {
		s := w.summarise(fn)
		if len(s.events) == 0 {
			continue
		}
		t := &Trace{Function: fn, Events: s.events}
		if fn.Class != nil && info.InheritsUnknown(fn.Class) {
			// A framework calls it, and may have compiled what calls it.
			t.Events = slices.Clone(s.events)
			for i := range t.Events {
				t.Events[i].Context |= Uncertain
			}
		}
		p.Others = append(p.Others, t)
	}
	return p
}

// maxEvents bounds the events that the calls of one module are followed for, so
// that no program takes long. Real ones take a few thousand. What is not
// followed beyond has traces of its own.
const maxEvents = 1 << 19

// maxDepth bounds the calls within calls, and with them the stack.
const maxDepth = 2000

type walker struct {
	program   *Program
	summaries map[*names.Function]*summary
	calls     map[*names.Function][]*names.Function // by caller, nil for the module
	depth     int
	budget    int
}

// uncalled are the functions that nothing reaches, in order of text: neither
// the module nor one another. Of those that only call each other in a circle it
// is the first.
func (w *walker) uncalled(functions []*names.Function) []*names.Function {
	reached := map[*names.Function]bool{}
	var reach func(caller *names.Function)
	reach = func(caller *names.Function) {
		for _, fn := range w.calls[caller] {
			if !reached[fn] {
				reached[fn] = true
				reach(fn)
			}
		}
	}
	reach(nil)
	var rest []*names.Function
	for _, fn := range functions {
		if !reached[fn] && fn.Node.Kind() != syntax.Lambda {
			w.summarise(fn)
			rest = append(rest, fn)
		}
	}
	called := map[*names.Function]bool{}
	for _, caller := range rest {
		for _, fn := range w.calls[caller] {
			called[fn] = called[fn] || fn != caller
		}
	}
	roots := map[*names.Function]bool{}
	for _, inCircle := range []bool{false, true} {
		for _, fn := range rest {
			if called[fn] == inCircle && !reached[fn] {
				roots[fn], reached[fn] = true, true
				reach(fn)
			}
		}
	}
	return slices.DeleteFunc(rest, func(fn *names.Function) bool { return !roots[fn] })
}

// A summary is what calling a function does, once.
type summary struct {
	events []Event
}

// summarise walks a function's body, once. A function that is being walked
// already, because it calls itself, does nothing more. It is nil where the calls
// are too deep.
func (w *walker) summarise(fn *names.Function) *summary {
	if s := w.summaries[fn]; s != nil {
		return s
	}
	if w.depth >= maxDepth {
		return nil
	}
	s := &summary{}
	w.summaries[fn] = s
	w.depth++
	f := w.frame(fn.Info, fn)
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
	w.depth--
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
	info     *names.Info     // of the module the code stands in
	function *names.Function // nil for the module
	events   []Event
	when     *condition
	context  Context
	loop     syntax.Node
	tape     syntax.Node
	left     exit
	kinds    map[kind][]*condition
	places   map[place]int
}

// An exit is a set of ways in which a branch may leave the code around it while
// the program goes on.
type exit uint8

const (
	byReturn exit = 1 << iota
	byBreak
	byContinue
)

// A kind is what events are alike in that need not all be kept.
type kind struct {
	effects effects.Effect
	context Context
}

// A place is where events stand that are alike in all but the way to them.
type place struct {
	node       syntax.Node
	key        string
	context    Context
	loop, tape syntax.Node
	sure       bool
}

// Of events of one kind those under so many conditions are kept, and of one
// place those by so many ways.
const (
	maxConditions = 32
	maxWays       = 4
)

func (w *walker) frame(info *names.Info, function *names.Function) *frame {
	return &frame{walker: w, info: info, function: function, kinds: map[kind][]*condition{}, places: map[place]int{}}
}

// emit adds an event in the frame's surroundings.
func (f *frame) emit(e Event) {
	if e.Effects&kept == 0 {
		// One before it that runs whenever it does says all.
		k := kind{e.Effects, e.Context & (InGraph | InWorker | InHandler | Compiled | Uncertain)}
		for _, c := range f.kinds[k] {
			if c.holds(e.when) {
				return
			}
		}
		if len(f.kinds[k]) >= maxConditions && e.when != nil {
			return
		}
		f.kinds[k] = append(f.kinds[k], e.when)
	} else {
		p := place{e.Node, e.Key, e.Context, e.Loop, e.Tape, e.when == nil}
		if f.places[p]++; f.places[p] > maxWays {
			return
		}
	}
	e.order = len(f.events)
	f.events = append(f.events, e)
}

// inline adds what calling fn does.
func (f *frame) inline(call syntax.Node, fn *names.Function, context Context) {
	s := f.summarise(fn)
	if s == nil || f.budget < len(s.events) {
		return
	}
	f.budget -= len(s.events)
	f.calls[f.function] = append(f.calls[f.function], fn)
	var inner map[*condition]*condition
	for _, e := range s.events {
		e.Path = append([]syntax.Node{call}, e.Path[:min(len(e.Path), maxPath-1)]...)
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

// branch runs visit under a condition of its own. Where visit may leave the code
// around it, what follows runs under another.
func (f *frame) branch(visit func()) {
	oldWhen, oldLeft := f.when, f.left
	f.when, f.left = f.when.inner(), 0
	visit()
	f.when = oldWhen
	if f.left != 0 {
		f.when = oldWhen.inner()
	}
	f.left |= oldLeft
}

// turn runs visit as a turn of a loop n, which may have none unless sure. What
// follows the loop is reached whatever way a turn ends, but for a return.
func (f *frame) turn(n syntax.Node, sure bool, visit func()) (broken bool) {
	oldWhen, oldLeft, oldLoop := f.when, f.left, f.loop
	f.left, f.loop = 0, n
	if !sure {
		f.when = f.when.inner()
	}
	f.with(InLoop, visit)
	f.when, f.loop = oldWhen, oldLoop
	if f.left&byReturn != 0 {
		f.when = oldWhen.inner()
	}
	broken = f.left&byBreak != 0
	f.left = oldLeft | f.left&byReturn
	return broken
}

// with runs visit with more context.
func (f *frame) with(context Context, visit func()) {
	old := f.context
	f.context |= context
	visit()
	f.context = old
}
