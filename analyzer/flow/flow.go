// Package flow says in which order a program does what matters: it follows
// calls, not lines, from the module's first statement into the functions it
// calls, and notes what has surely, or may have, run before each effect, and in
// which loops, tapes, strategies and compiled functions it runs.
//
// A function is walked once; what a call of it does is its summary, with the
// call's own surroundings added. It knows names and effects, and no rule.
package flow

import (
	"cmp"
	"slices"
	"sync/atomic"

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
	// Strategy is the innermost with statement that enters a strategy's scope around
	// it, or none.
	Strategy syntax.Node
	// Path are the calls of the program's functions, and the import statements that
	// run its modules, through which it is reached, outermost first and maxPath at
	// most; empty where it stands in the trace's own code. They, as Node, may be of
	// other modules than the one that is followed.
	Path []syntax.Node

	// Worker is the function of the program that an event has another process run,
	// or nil where it is not known.
	Worker *names.Function

	// Key and Value are the variable and text of a SetsEnvironment event, and Given is
	// the expression that the value comes from, or none where it is a part of a text. Of one that
	// StartsWorkers, or SetsStartMethod, Value is the start method, "fork" or "spawn",
	// and empty where it is left to Python. Value is none of use where Known is false.
	Key, Value string
	Known      bool
	Given      syntax.Node

	// EveryTurn is set where it happens in each turn of Loop that comes to its end.
	EveryTurn bool

	order int // within its trace
	when  *condition

	module *names.Info // of the program, where all the event says is that it is imported here
}

const maxPath = 20

// A condition is one branch that must have been taken, among those around it.
type condition struct {
	outer *condition
	depth int
	// at is the block of the branch of an if, or the loop of which there must be a
	// turn; none for other conditions.
	at syntax.Node
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

// Maker is the expression that gives another its value where the event happens: as
// [names.Info.Maker], and on through what the calls on the way to the event pass.
func (e *Event) Maker(info *names.Info, n syntax.Node) syntax.Node {
	for range maxPath {
		made := info.Maker(n)
		if made.Kind() != syntax.Identifier {
			return made
		}
		b := info.Reaching(made)[0]
		f := b.Scope.Func
		at := slices.IndexFunc(e.Path, func(call syntax.Node) bool {
			return call.Kind() == syntax.Call && f != nil && info.Target(call.Child(syntax.FieldFunction)).Function == f
		})
		if at < 0 {
			return made
		}
		passed := f.Passed(e.Path[at], b.Name)
		if !passed.Valid() {
			return made
		}
		n = passed
	}
	return syntax.Node{}
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

// BeforeWhere is SurelyBefore in the runs in which every block of an if, and every
// loop, that taken is true of is run. Where that leaves no run in which other
// happens, because it stands in another branch, it is false.
func (e *Event) BeforeWhere(other *Event, taken func(blockOrLoop syntax.Node) bool) bool {
	if e.order >= other.order {
		return false
	}
	for c := e.when; !c.holds(other.when); c = c.outer {
		if !c.at.Valid() || !taken(c.at) || other.when.excludes(c.at) {
			return false
		}
	}
	return true
}

// excludes tells whether one of the conditions is another branch of the if that
// a block is of.
func (c *condition) excludes(block syntax.Node) bool {
	of := ifOf(block)
	for ; of.Valid() && c != nil; c = c.outer {
		if c.at != block && ifOf(c.at) == of {
			return true
		}
	}
	return false
}

// ifOf is the if statement that a block is a branch of, or none.
func ifOf(block syntax.Node) syntax.Node {
	if !block.Valid() || block.Kind() != syntax.Block {
		return syntax.Node{}
	}
	n := block.Parent()
	if n.Is(syntax.ElifClause, syntax.ElseClause) {
		n = n.Parent()
	}
	if n.Kind() != syntax.IfStatement {
		return syntax.Node{}
	}
	return n
}

// MaybeBefore tells whether e may have happened when other does.
func (e *Event) MaybeBefore(other *Event) bool { return e.order < other.order }

// A Trace is what running a module, or a function that nothing in the module
// calls, or one that a worker runs, does, in order. What a module that is imported
// does comes where it is first imported, once a trace.
type Trace struct {
	Function *names.Function // nil for the module
	Events   []Event
}

// A Program is the order of execution of one module.
type Program struct {
	Module *Trace
	// Others are the traces of the functions that the module's own trace does
	// not reach, and of those that run in a process of their own, whose events are
	// InWorker.
	Others []*Trace
	// Script tells whether the module says that it is run rather than imported.
	Script bool
	// Unknown are calls of names that belong to the program, by the way they are
	// imported, and that are not found, or not understood, where they are looked
	// for; those of other modules whose code runs are among them.
	Unknown []Event

	info     *names.Info
	traces   []*Trace
	tapes    []*Tape // where followed
	held     map[*names.Binding]*Tape
	followed bool
}

// Traces are the module's trace and then the others.
func (p *Program) Traces() []*Trace { return p.traces }

// kept are the effects of which every place matters. Of the rest the first
// that is sure, and the first at all, stand for all in a summary.
const kept = ^(effects.Initialises | effects.MayInitialise | effects.ReadsDevices | effects.BuildsLayer | effects.MakesDataset | effects.SelectsDevice | effects.AddsOperation)

// Of follows a module by itself, in any versions.
func Of(info *names.Info) *Program { return NewSummaries().Of(info, effects.Library{}) }

// Of follows a module, and what it imports and calls of the program's others, in the
// library's versions.
func (s *Summaries) Of(info *names.Info, library effects.Library) *Program {
	return s.OfEdited(NewEdited(info), library)
}

// OfEdited is Of, with what is known of the module already.
func (s *Summaries) OfEdited(e *Edited, library effects.Library) *Program {
	p := s.follow(e, versions{library: library})
	if set := p.legacyKeras(e.info); set != unset {
		p = s.follow(e, versions{library, set})
	}
	return p
}

func (s *Summaries) follow(e *Edited, versions versions) *Program {
	known := len(e.of) > 0
	p, all := s.followOnce(e, versions)
	if !all && known {
		// How far it is followed, where it is too much, depends on what is known.
		clear(e.of)
		p, _ = s.followOnce(e, versions)
	}
	return p
}

// followOnce tells also whether all could be followed.
func (s *Summaries) followOnce(e *Edited, versions versions) (p *Program, all bool) {
	info := e.info
	p = &Program{Module: &Trace{}, info: info}
	w := &walker{
		program: p, root: info, shared: s, others: map[*names.Info]*table{}, passing: map[*names.Info]*table{}, number: walks.Add(1), budget: maxEvents,
		versions: versions, libraries: map[*names.Info]effects.Library{},
	}
	e.under(w.library(info))
	w.own = tableOf(e.of, versions, len(info.Functions))
	f := w.frame(info, &summary{})
	f.events, f.nodes, f.places = make([]Event, 0, e.room+e.room/8), make(map[syntax.Node]int, e.room), map[place]int{}
	f.ran, f.sure = map[*names.Info][]*condition{info: {nil}}, map[*names.Info]bool{info: true}
	for _, m := range info.Packages() {
		f.emit(Event{Entry: imported, module: m})
	}
	for s := range info.Tree.Statements() {
		if !f.statement(s) {
			break
		}
	}
	p.Module.Events, e.room = f.events, len(f.events)
	reached := make(map[*names.Function]bool, len(info.Functions))
	w.reach(f.own, reached)
	for _, fn := range info.Functions {
		if !reached[fn] && fn.Node.Kind() != syntax.Lambda {
			w.summarise(fn) // it may start workers
		}
	}
	for i := 0; i < len(w.workers); i++ { // which may start more
		fn := w.workers[i]
		own := w.summarise(fn)
		if own == nil {
			continue
		}
		events := slices.Clone(w.expanded(own.events, f.sure))
		for i := range events {
			events[i].Context |= InWorker
		}
		if len(events) > 0 {
			p.Others = append(p.Others, &Trace{Function: fn, Events: events})
		}
		reached[fn] = true
		w.reach(own, reached)
	}
	slices.SortStableFunc(p.Others, func(a, b *Trace) int {
		return cmp.Or(cmp.Compare(a.Function.Info.Path, b.Function.Info.Path), cmp.Compare(a.Function.Node.Start(), b.Function.Node.Start()))
	})
	for _, fn := range w.uncalled(info.Functions, reached) {
		s := w.summarise(fn)
		events := w.expanded(s.events, f.sure)
		if len(events) == 0 {
			continue
		}
		t := &Trace{Function: fn, Events: events}
		if fn.Class != nil && (info.InheritsUnknown(fn.Class) || info.InheritsElsewhere(fn.Class)) {
			// A framework calls it, and may have compiled what calls it.
			t.Events = slices.Clone(events)
			for i := range t.Events {
				t.Events[i].Context |= Uncertain
			}
		}
		p.Others = append(p.Others, t)
	}
	p.traces = append([]*Trace{p.Module}, p.Others...)
	p.Unknown = w.found(f.own)
	return p, !w.cut
}

// expanded are the events of a trace of its own, which runs after the modules
// that ran, with those of the modules that it is the first to import.
func (w *walker) expanded(events []Event, ran map[*names.Info]bool) []Event {
	if !slices.ContainsFunc(events, func(e Event) bool { return e.module != nil }) {
		return events
	}
	f := w.frame(w.root, &summary{})
	f.ran, f.sure, f.before = map[*names.Info][]*condition{}, map[*names.Info]bool{}, ran
	for _, e := range events {
		f.emit(e)
	}
	return f.events
}

// maxEvents bounds the events that the calls of one module are followed for, so
// that no program takes long. Real ones take a few thousand. What is not
// followed beyond has traces of its own.
const maxEvents = 1 << 19

// maxDepth bounds the calls within calls, and with them the stack.
const maxDepth = 2000

type walker struct {
	program *Program
	root    *names.Info // the module that is followed
	shared  *Summaries
	own     *table                 // of root, for the next version as well
	others  map[*names.Info]*table // of other modules, of shared; nil where nothing is kept
	passing map[*names.Info]*table // what is of no use to others
	number  uint64                 // of the walk
	taken   []*summary             // what the program is made of
	walking []*summary             // what is being summarised, outermost first
	workers []*names.Function
	depth   int
	budget  int
	cut     bool      // there was more to follow than that
	spare   [][]Event // lists that have room

	versions  versions
	libraries map[*names.Info]effects.Library // as far as they were asked for
}

// uncalled are the functions that nothing reaches, in order of text: neither
// the module nor one another. Of those that only call each other in a circle it
// is the first.
func (w *walker) uncalled(functions []*names.Function, reached map[*names.Function]bool) []*names.Function {
	rest := make([]*names.Function, 0, len(functions))
	for _, fn := range functions {
		if !reached[fn] && fn.Node.Kind() != syntax.Lambda {
			rest = append(rest, fn)
		}
	}
	called := make(map[*names.Function]bool, len(rest))
	for _, caller := range rest {
		for _, fn := range w.callees(caller) {
			called[fn] = called[fn] || fn != caller
		}
	}
	roots := map[*names.Function]bool{}
	for _, inCircle := range []bool{false, true} {
		for _, fn := range rest {
			if called[fn] == inCircle && !reached[fn] {
				roots[fn], reached[fn] = true, true
				w.reach(w.summary(fn), reached)
			}
		}
	}
	return slices.DeleteFunc(rest, func(fn *names.Function) bool { return !roots[fn] })
}

// reach notes all functions that are called from code.
func (w *walker) reach(from *summary, reached map[*names.Function]bool) {
	if from == nil {
		return
	}
	for _, fn := range from.calls {
		if !reached[fn] {
			reached[fn] = true
			w.reach(w.summary(fn), reached)
		}
	}
}

func (w *walker) callees(fn *names.Function) []*names.Function {
	if s := w.summary(fn); s != nil {
		return s.calls
	}
	return nil
}

// walks counts walks, so that each tells what it has taken.
var walks atomic.Uint64

// summary is the summary of a function that has been walked, or nil.
func (w *walker) summary(fn *names.Function) *summary { return w.summaryIn(fn.Info, fn) }

// summaryIn is summary, and where the function is nil that of the module.
func (w *walker) summaryIn(module *names.Info, fn *names.Function) *summary {
	if kept := w.kept(module); kept != nil {
		if s := kept.find(fn); s != nil {
			return s
		}
	}
	if t := w.passing[module]; t != nil {
		return t.find(fn)
	}
	return nil
}

// A summary is what calling a function, or importing a module, does, once.
type summary struct {
	events  []Event
	calls   []*names.Function // in order
	workers []*names.Function // what it has other processes run
	unknown []Event
	inner   []*summary // of what it calls and imports
	cost    int        // what of the budget it took

	at     int    // its place in walking, from 1; 0 when it is finished
	walked uint64 // the walk that took it last
	// cyclic is set where what is found depends on where the walk began, because
	// functions call each other in a circle or there is too much to follow; main where it depends on the module
	// that is followed.
	cyclic, main bool
}

// summarise walks a function's body, once. A function that is being walked
// already, because it calls itself, does nothing more. It is nil where the calls
// are too deep.
func (w *walker) summarise(fn *names.Function) *summary {
	return w.walk(fn.Info, fn, func(own *summary) {
		f := w.frame(fn.Info, own)
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
		own.events = f.end()
	})
}

// module walks the code that importing a module runs, once. What that imports in
// its turn is only noted: it depends on the trace whether it runs.
func (w *walker) module(m *names.Info) *summary {
	return w.walk(m, nil, func(own *summary) {
		f := w.frame(m, own)
		for s := range m.Tree.Statements() {
			if !f.statement(s) {
				break
			}
		}
		own.events = f.end()
	})
}

// walk finds the summary of a function or, where that is nil, of its module.
func (w *walker) walk(module *names.Info, fn *names.Function, visit func(*summary)) *summary {
	if s := w.summaryIn(module, fn); s != nil {
		if s.at > 0 && s.at < len(w.walking) {
			for _, on := range w.walking[s.at:] {
				on.cyclic = true
			}
			w.walking[s.at-1].cyclic = true
		}
		w.take(s)
		return s
	}
	if w.depth >= maxDepth {
		return nil
	}
	s := &summary{walked: w.number}
	passing := w.passing[module]
	if passing == nil {
		passing = newTable(0)
		w.passing[module] = passing
	}
	passing.keep(fn, s)
	w.taken = append(w.taken, s)
	w.walking = append(w.walking, s)
	s.at = len(w.walking)
	w.depth++
	visit(s)
	w.depth--
	w.walking, s.at = w.walking[:len(w.walking)-1], 0
	if kept := w.kept(module); kept != nil && !s.cyclic && !s.main {
		kept.keep(fn, s)
	}
	return s
}

// needs notes that a summary is part of the one that is being made.
func (f *frame) needs(s *summary) {
	f.own.inner = append(f.own.inner, s)
	f.own.cyclic = f.own.cyclic || s.cyclic
	f.own.main = f.own.main || s.main
}

// take adds to the program what a summary that was made before says beside its
// events.
func (w *walker) take(s *summary) {
	if s.walked == w.number {
		return
	}
	s.walked = w.number
	w.taken = append(w.taken, s)
	w.budget -= s.cost
	for _, inner := range s.inner {
		w.take(inner)
	}
	for _, fn := range s.workers {
		w.spawn(fn)
	}
}

// spawn notes that a process of its own runs the function.
func (w *walker) spawn(fn *names.Function) {
	if !slices.Contains(w.workers, fn) {
		w.workers = append(w.workers, fn)
	}
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
	info    *names.Info     // of the module the code stands in
	library effects.Library // that its names are of
	own     *summary
	events  []Event
	// ran are the modules that have run, and under which conditions; nil where
	// imports are only noted.
	ran     map[*names.Info][]*condition
	sure    map[*names.Info]bool // those that have run whatever the conditions
	before  map[*names.Info]bool // those that had run before
	when    *condition
	context Context
	loop    syntax.Node
	turns   *condition // what holds in every turn of loop
	tape    syntax.Node
	// strategy is the innermost with statement that enters a strategy's scope.
	strategy syntax.Node
	left     exit
	kinds    []kindEvents
	nodes    map[syntax.Node]int // the first event of those kept that stands there, or -1 where there are more
	places   map[place]int       // of nodes with more, how many events there are
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

// kindEvents are the conditions of the events of a kind.
type kindEvents struct {
	kind
	when []*condition
}

// A place is where events stand that are alike in all but the way to them.
type place struct {
	node, strategy syntax.Node
	key            string
	module         *names.Info
	context        Context
	loop, tape     syntax.Node
	sure           bool
}

// Of events of one kind those under so many conditions are kept, and of one
// place those by so many ways.
const (
	maxConditions = 32
	maxWays       = 4
)

func (w *walker) frame(info *names.Info, own *summary) *frame {
	f := &frame{walker: w, info: info, library: w.library(info), own: own}
	if last := len(w.spare) - 1; last >= 0 {
		f.events, w.spare = w.spare[last], w.spare[:last]
	}
	return f
}

// end returns the events in a list of their number, and leaves the one that they were
// put into, which has room for more, to another frame.
func (f *frame) end() []Event {
	events := slices.Clone(f.events)
	f.spare = append(f.spare, f.events[:0])
	return events
}

// emit adds an event in the frame's surroundings.
func (f *frame) emit(e Event) {
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

// alike are the events of a kind, or nil. A frame has few kinds.
func (f *frame) alike(e *Event) *kindEvents {
	k := e.kind()
	for i := range f.kinds {
		if f.kinds[i].kind == k {
			return &f.kinds[i]
		}
	}
	return nil
}

// ways counts the events that are like e in all but the way to them, and e itself
// with them from now on. Few nodes have more than one event, so that places are only
// looked at where they do.
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
	return kind{e.Effects, e.Context & (InGraph | InWorker | InHandler | Compiled | Uncertain)}
}

// said tells whether an event adds nothing where it happens whenever a condition
// holds: one of its kind before it, which runs whenever it does, says all.
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

// inline adds what calling fn does.
func (f *frame) inline(call syntax.Node, fn *names.Function, context Context) {
	s := f.summarise(fn)
	if s == nil {
		f.own.cyclic = true
		return
	}
	f.needs(s)
	if f.splice(f.event(call, nil), context, s) {
		f.own.calls = append(f.own.calls, fn)
	} else {
		f.own.cyclic = true
	}
}

// imports adds what importing a module does, unless it has surely run before.
func (f *frame) imports(e Event) {
	if e.module.Path == f.root.Path && e.module.Path != "" {
		return // it is the module that is running
	}
	ran := f.ran[e.module]
	if len(ran) >= maxWays || f.said(&e, e.when) {
		return
	}
	f.ran[e.module] = append(ran, e.when)
	if e.when == nil {
		f.sure[e.module] = true
	}
	if s := f.module(e.module); s != nil {
		f.own.inner = append(f.own.inner, s)
		if f.splice(e, 0, s) {
			f.own.calls = append(f.own.calls, s.calls...)
		}
	}
}

// splice adds the events of a summary at the place of an event.
func (f *frame) splice(at Event, context Context, s *summary) bool {
	if f.budget < len(s.events) {
		f.cut = true
		return false
	}
	f.budget -= len(s.events)
	f.own.cost += len(s.events)
	var inner map[*condition]*condition
	for i := range s.events {
		if m := s.events[i].module; m != nil && (f.sure[m] || f.before[m]) {
			continue // the most, in a program of many modules
		}
		e := s.events[i]
		e.Context |= at.Context | context
		if f.said(&e, at.when) {
			continue
		}
		e.Path = way(at, e.Path)
		if !e.Loop.Valid() {
			e.Loop, e.EveryTurn = at.Loop, at.EveryTurn && e.when == nil
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

// way is the path to an event that is reached from another. One that is nowhere,
// the import of a package before the module, adds nothing to it.
func way(at Event, path []syntax.Node) []syntax.Node {
	out := make([]syntax.Node, 0, min(maxPath, len(at.Path)+1+len(path)))
	out = append(out, at.Path...)
	if at.Node.Valid() && len(out) < maxPath {
		out = append(out, at.Node)
	}
	return append(out, path[:min(len(path), maxPath-len(out))]...)
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
	d.at = c.at
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

// branchOf is branch for a block of an if.
func (f *frame) branchOf(block syntax.Node, visit func()) {
	f.branch(func() {
		f.when.at = block
		visit()
	})
}

// turn runs visit as a turn of a loop n, which may have none unless sure. What
// follows the loop is reached whatever way a turn ends, but for a return.
func (f *frame) turn(n syntax.Node, sure bool, visit func()) (broken bool) {
	oldWhen, oldLeft, oldLoop, oldTurns := f.when, f.left, f.loop, f.turns
	f.left, f.loop = 0, n
	if !sure {
		f.when = f.when.inner()
		f.when.at = n
	}
	f.turns = f.when
	f.with(InLoop, visit)
	f.when, f.loop, f.turns = oldWhen, oldLoop, oldTurns
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
