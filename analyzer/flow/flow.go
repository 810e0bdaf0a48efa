// Package flow computes the order in which a program has effects. It follows calls, not lines,
// from the module's first statement into the functions that it calls. It records what has surely,
// or may have, run before each effect, and in which loops, tapes, strategies and compiled
// functions the effect is.
//
// A function is walked once; a call of it adds its summary, with the call's own conditions and
// context. The package knows names and effects, and no rule.
package flow

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Trace is the effects of running a module, or a function that nothing in the module calls, or
// one that a worker runs, in order. An imported module's effects come where it is first imported,
// once per trace.
type Trace struct {
	Function *names.Function // nil for the module
	Events   []Event

	having map[effects.Effect][]*Event // of Having
	on     map[syntax.Node][]*Event    // of On
}

// Having returns the events that have any of some effects, in order.
func (t *Trace) Having(any effects.Effect) []*Event {
	out, known := t.having[any]
	if !known {
		for i := range t.Events {
			if t.Events[i].Effects.Has(any) {
				out = append(out, &t.Events[i])
			}
		}
		if t.having == nil {
			t.having = map[effects.Effect][]*Event{}
		}
		t.having[any] = out
	}
	return out
}

// On returns the events at a node, or reached through it, in order.
func (t *Trace) On(n syntax.Node) []*Event {
	if t.on == nil {
		t.on = map[syntax.Node][]*Event{}
		for i := range t.Events {
			e := &t.Events[i]
			for j := range len(e.Path) + 1 {
				at := t.on[e.step(j)]
				if len(at) == 0 || at[len(at)-1] != e {
					t.on[e.step(j)] = append(at, e)
				}
			}
		}
	}
	return t.on[n]
}

// A Program is the order of execution of one module.
type Program struct {
	Module *Trace
	// Others are the traces of the functions that the module's own trace does not reach, and of
	// functions that run in another process; events of the latter are InWorker.
	Others []*Trace
	// Script reports whether the module says that it is run rather than imported.
	Script bool
	// Unknown are calls of names that belong to the program by their import, and that are not
	// found or not understood, and of functions that are given TensorFlow as an argument. They
	// include calls in other modules whose code runs.
	Unknown []Event
	// Cut says where the walk of the program was given up; nil if it is complete.
	Cut *Cut

	info     *names.Info
	versions versions
	traces   []*Trace
	tapes    []*Tape // set if they were followed
	held     map[*names.Binding]*Tape
	followed bool
	ends     *ends // set if Unreached was asked
}

// A Cut is where the walk of a program was given up: at an import or a call of the module, whose
// own code is not in the traces. It is the zero Node if that stands in another module.
type Cut struct{ Node syntax.Node }

// GivenUp returns a program of which nothing is known, because following it was given up at a node.
func GivenUp(info *names.Info, library effects.Library, at syntax.Node) *Program {
	p := &Program{Module: &Trace{}, info: info, versions: versions{library: library}, Cut: &Cut{Node: at}}
	p.traces = []*Trace{p.Module}
	return p
}

// Traces returns the module's trace and then the others.
func (p *Program) Traces() []*Trace { return p.traces }

// Events returns the events of all traces, in order, each with its trace.
func (p *Program) Events() iter.Seq2[*Trace, *Event] {
	return func(yield func(*Trace, *Event) bool) {
		for _, t := range p.traces {
			for i := range t.Events {
				if !yield(t, &t.Events[i]) {
					return
				}
			}
		}
	}
}

// Having returns those of [Program.Events] that have any of some effects.
func (p *Program) Having(any effects.Effect) iter.Seq2[*Trace, *Event] {
	return func(yield func(*Trace, *Event) bool) {
		for _, t := range p.traces {
			for _, e := range t.Having(any) {
				if !yield(t, e) {
					return
				}
			}
		}
	}
}

// Any reports whether a test holds for an event of the program.
func (p *Program) Any(test func(*Event) bool) bool {
	for _, e := range p.Events() {
		if test(e) {
			return true
		}
	}
	return false
}

// Has reports whether an event of the program has any of some effects.
func (p *Program) Has(any effects.Effect) bool {
	return slices.ContainsFunc(p.traces, func(t *Trace) bool { return len(t.Having(any)) > 0 })
}

// Of follows a module by itself, in any versions.
func Of(info *names.Info) *Program { return NewSummaries().Of(info, effects.Library{}) }

// Of follows a module, and what it imports and calls of the program's other modules, in the
// library's versions.
func (s *Summaries) Of(info *names.Info, library effects.Library) *Program {
	return s.OfEdited(NewEdited(info), library)
}

// OfEdited is Of with the known facts of the module.
func (s *Summaries) OfEdited(e *Edited, library effects.Library) *Program {
	p := s.follow(e, versions{library: library})
	if set := p.legacyKeras(e.info); set != unset {
		p = s.follow(e, versions{library, set})
	}
	return p
}

func (s *Summaries) follow(e *Edited, versions versions) *Program {
	known := len(e.of) > 0
	p := s.followOnce(e, versions)
	if p.Cut != nil && known {
		// How far it is followed, if it is too much, depends on what is known.
		clear(e.of)
		p = s.followOnce(e, versions)
	}
	return p
}

func (s *Summaries) followOnce(e *Edited, versions versions) *Program {
	info := e.info
	p := &Program{Module: &Trace{}, info: info, versions: versions}
	w := &walker{
		program: p, root: info, shared: s.in(versions), passing: map[*names.Info]*table{}, number: walks.Add(1), budget: maxEvents,
		versions: versions, libraries: map[*names.Info]effects.Library{}, setDefaults: map[*names.Info][]syntax.Node{},
		overriding: map[callee]bool{},
		targets:    map[*names.Binding]names.Target{}, types: map[*names.Binding]names.Type{}, acts: map[*names.Binding]bool{}, contents: map[*names.Binding]names.Type{},
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
		if calls := info.CallsOf(fn); len(calls) > 0 && !slices.ContainsFunc(calls, func(call syntax.Node) bool { return !unreachable(call) }) {
			continue
		}
		s := w.summarise(fn)
		events := w.expanded(s.events, f.sure)
		if len(events) == 0 {
			continue
		}
		t := &Trace{Function: fn, Events: events}
		thread := fn.Class != nil && fn.Name == "run" && info.LibraryBase(fn.Class) == "threading.Thread" // start calls it directly
		var context Context
		if keras(fn) {
			context = Compiled
		}
		if fn.Class != nil && !thread && !calledBack(fn) && (info.InheritsUnknown(fn.Class) || info.InheritsElsewhere(fn.Class)) {
			context |= Uncertain // a framework calls it, and may have compiled the caller
		}
		if context != 0 {
			t.Events = slices.Clone(events)
			for i := range t.Events {
				t.Events[i].Context |= context
			}
		}
		p.Others = append(p.Others, t)
	}
	p.traces = append([]*Trace{p.Module}, p.Others...)
	if versions.library.OnlyTensorFlow1() && !EnablesEager(info.Program()) {
		p.inGraph(nil)
	} else if off := p.Module.Having(effects.GraphMode); len(off) > 0 {
		p.inGraph(off[0])
	}
	p.Unknown = w.found(f.own)
	p.Cut = w.cut
	return p
}

// calledBack reports whether a library is known to call a method that overrides its own, as it is.
func calledBack(fn *names.Function) bool {
	e := effects.Lookup(fn.Info.LibraryBase(fn.Class) + "." + fn.Name)
	return e != nil && e.Each != ""
}

// inGraph marks all events as those of a graph, but for those of the module that run before it turns
// eager execution off.
func (p *Program) inGraph(off *Event) {
	for _, t := range p.traces {
		t.Events = slices.Clone(t.Events) // the summaries keep theirs
		for i := range t.Events {
			if e := &t.Events[i]; off == nil || t != p.Module || off.MaybeBefore(e) {
				e.Context |= InGraph
			}
		}
	}
}

// EnablesEager reports whether a module of a program turns eager execution on, as one for
// TensorFlow 1 must if it wants it.
func EnablesEager(program []*names.Info) bool {
	return slices.ContainsFunc(program, func(info *names.Info) bool {
		return len(info.CallsTo(func(name string) bool {
			return strings.HasPrefix(name, "tensorflow.") && (strings.HasSuffix(name, ".enable_eager_execution") || strings.HasSuffix(name, ".enable_v2_behavior"))
		})) > 0
	})
}

// expanded returns the events of a separate trace, which runs after the modules in ran. It first
// adds the events of modules that the trace imports.
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

// maxEvents bounds the events of a program's calls and imports, one for each path to them, so
// that no program takes long; importing a module counts as importEvents. The largest number in
// public programs is 17,832, for 438 modules (tensor2tensor's transformer_vae.py). What lies
// beyond the bound has traces of its own.
const (
	maxEvents    = 1 << 16
	importEvents = 64
)

type walker struct {
	program *Program
	root    *names.Info            // the module that is followed
	shared  map[*names.Info]*table // of the other modules, in versions
	own     *table                 // of root, which the next version reuses
	passing map[*names.Info]*table // tables that others cannot use
	number  uint64                 // of the walk
	taken   []*summary             // the summaries of the program
	walking []*summary             // the summaries under construction, outermost first
	workers []*names.Function
	// overriding is what is known of methods that are called on subclasses.
	overriding map[callee]bool
	depth      int
	budget     int
	cut        *Cut      // where the budget ended, if it did
	spare      [][]Event // reusable lists

	versions  versions
	libraries map[*names.Info]effects.Library // computed on demand
	// setDefaults are the calls of a module that give a command line's result attributes, likewise.
	setDefaults map[*names.Info][]syntax.Node

	// What all calls pass for parameters, computed on demand.
	targets map[*names.Binding]names.Target
	types   map[*names.Binding]names.Type
	acts    map[*names.Binding]bool // as a model
	// What lists and dicts hold, likewise.
	contents map[*names.Binding]names.Type
}

// uncalled returns the functions that are reached neither from the module nor from another
// function, in source order. Of a cycle that nothing else calls it returns the first.
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

// unreachable reports whether code follows a statement of its block, or of one around it, that
// surely leaves the block.
func unreachable(n syntax.Node) bool {
	for ; n.Valid(); n = n.Parent() {
		if n.Parent().Kind() != syntax.Block {
			continue
		}
		for before := range n.Parent().Children() {
			if before == n {
				break
			}
			if before.Is(syntax.ReturnStatement, syntax.RaiseStatement, syntax.ContinueStatement, syntax.BreakStatement) {
				return true
			}
		}
	}
	return false
}

// reach records all functions that are called from code.
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
