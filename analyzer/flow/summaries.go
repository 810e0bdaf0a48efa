package flow

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Summaries are the effects of the functions and modules of one program. They hold what does not
// depend on the followed module, so that each is walked once. They are not safe for concurrent
// use.
type Summaries struct {
	of map[versions]map[*names.Info]*table
}

// A table holds the effects of the functions of a module, and of the module itself, in one
// program's versions.
type table struct {
	functions map[callee]*summary
	module    *summary
}

// A callee is a function that is called. Of a method that calls others that a subclass overrides,
// receiver is the class that it is called on; else it is nil.
type callee struct {
	fn       *names.Function
	receiver *names.Class
}

func newTable(functions int) *table {
	return &table{functions: make(map[callee]*summary, functions)}
}

// find returns the summary of a function, or of the module if it is of none; nil if it is not known.
func (t *table) find(c callee) *summary {
	if c.fn == nil {
		return t.module
	}
	return t.functions[c]
}

func (t *table) keep(c callee, s *summary) {
	if c.fn == nil {
		t.module = s
	} else {
		t.functions[c] = s
	}
}

// NewSummaries returns an empty set of summaries.
func NewSummaries() *Summaries {
	return &Summaries{of: map[versions]map[*names.Info]*table{}}
}

// in returns the summaries of modules in some versions.
func (s *Summaries) in(v versions) map[*names.Info]*table {
	if s.of[v] == nil {
		s.of[v] = map[*names.Info]*table{}
	}
	return s.of[v]
}

// Forget drops the summaries of modules. Their importers must be among them.
func (s *Summaries) Forget(modules ...*names.Info) {
	for _, of := range s.of {
		for _, m := range modules {
			delete(of, m)
		}
	}
}

// Edited holds the summaries of a module that is followed again after each edit, and that no
// other module sees. It is not safe for concurrent use.
type Edited struct {
	info *names.Info
	of   map[versions]*table
	// library is the library of the module's names.
	library effects.Library
	room    int // the number of events in its trace
}

// NewEdited returns no summaries, for a module that was not followed yet.
func NewEdited(info *names.Info) *Edited { return &Edited{info: info, of: map[versions]*table{}} }

// Advance moves the summaries to the next version of the module, except for the functions that
// [names.Info.Update] has forgotten. Earlier Programs must not be used any more.
func (e *Edited) Advance(m *syntax.TreeDiff, forgotten []*names.Function) {
	for _, t := range e.of {
		for _, fn := range forgotten {
			delete(t.functions, callee{fn: fn})
		}
		for _, own := range t.functions {
			own.move(m)
		}
	}
}

// under drops the summaries if the module's names belonged to another library.
func (e *Edited) under(library effects.Library) {
	if e.library != library {
		clear(e.of)
		e.library = library
	}
}

// kept returns the reusable summaries of a module; nil if there are none.
func (w *walker) kept(module *names.Info) *table {
	if module == w.root {
		return w.own
	}
	if !module.Shared {
		return nil
	}
	t := w.shared[module]
	if t == nil {
		t = newTable(0)
		w.shared[module] = t
	}
	return t
}

// tableOf returns the table of some versions, and creates it if necessary.
func tableOf(of map[versions]*table, v versions, functions int) *table {
	if of[v] == nil {
		of[v] = newTable(functions)
	}
	return of[v]
}

// move moves a summary to the next version of the module.
func (s *summary) move(m *syntax.TreeDiff) {
	for i := range s.events {
		s.events[i].move(m)
	}
	for i := range s.unknown {
		s.unknown[i].move(m)
	}
}

func (e *Event) move(m *syntax.TreeDiff) {
	m.Node(&e.Node)
	m.Node(&e.Loop)
	m.Node(&e.Tape)
	m.Node(&e.Strategy)
	m.Node(&e.Given)
	m.Nodes(e.Path)
	for c := e.when; c != nil; c = c.outer {
		m.Node(&c.at)
	}
}

// found returns the unknown calls in the code that ran: all of the module, in order of text, and
// one for each name of other modules.
func (w *walker) found(own *summary) []Event {
	out := slices.Clone(own.unknown)
	for _, s := range w.taken {
		out = append(out, s.unknown...)
	}
	rank := func(e *Event) int {
		if e.Node.Tree() == w.root.Tree {
			return 0
		}
		return 1
	}
	slices.SortFunc(out, func(a, b Event) int {
		if by := cmp.Compare(rank(&a), rank(&b)); by != 0 || rank(&a) == 0 {
			return cmp.Or(by, cmp.Compare(a.Node.Start(), b.Node.Start()))
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Node.Start(), b.Node.Start()))
	})
	named := map[string]bool{}
	return slices.DeleteFunc(out, func(e Event) bool {
		drop := rank(&e) == 1 && named[e.Name]
		named[e.Name] = true
		return drop
	})
}
