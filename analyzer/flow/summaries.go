package flow

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Summaries are what the functions and modules of one program do. They hold what
// does not depend on the module that is followed, so that each is walked once. They are
// not safe for concurrent use.
type Summaries struct {
	of map[versions]map[*names.Info]*table
}

// A table holds what the functions of a module, and the module itself, do in one program's
// versions.
type table struct {
	functions map[*names.Function]*summary
	module    *summary
}

func newTable(functions int) *table {
	return &table{functions: make(map[*names.Function]*summary, functions)}
}

// find is the summary of a function, or of the module if that is nil; nil if there is none.
func (t *table) find(fn *names.Function) *summary {
	if fn == nil {
		return t.module
	}
	return t.functions[fn]
}

func (t *table) keep(fn *names.Function, s *summary) {
	if fn == nil {
		t.module = s
	} else {
		t.functions[fn] = s
	}
}

// NewSummaries returns an empty set of summaries.
func NewSummaries() *Summaries {
	return &Summaries{of: map[versions]map[*names.Info]*table{}}
}

// in are the summaries of modules in some versions.
func (s *Summaries) in(v versions) map[*names.Info]*table {
	if s.of[v] == nil {
		s.of[v] = map[*names.Info]*table{}
	}
	return s.of[v]
}

// Forget drops what is known of the modules. Those that import one of them must
// be among them.
func (s *Summaries) Forget(modules ...*names.Info) {
	for _, of := range s.of {
		for _, m := range modules {
			delete(of, m)
		}
	}
}

// Edited are the summaries of a module that is followed again after each edit and that no
// other module sees. It is not safe for concurrent use.
type Edited struct {
	info *names.Info
	of   map[versions]*table
	// library is what the module's names were of.
	library effects.Library
	room    int // how many events its trace had
}

// NewEdited returns the summaries of a module that was not followed yet.
func NewEdited(info *names.Info) *Edited { return &Edited{info: info, of: map[versions]*table{}} }

// Advance takes what is known to the next version of the module, but for the functions
// that [names.Info.Update] has forgotten. What has been followed before is of no use
// from then on.
func (e *Edited) Advance(m *syntax.TreeDiff, forgotten []*names.Function) {
	for _, t := range e.of {
		for _, fn := range forgotten {
			delete(t.functions, fn)
		}
		for _, own := range t.functions {
			own.move(m)
		}
	}
}

// under drops what is known where the module's names were of another library.
func (e *Edited) under(library effects.Library) {
	if e.library != library {
		clear(e.of)
		e.library = library
	}
}

// kept are the summaries of a module that may be of use again; nil where none is.
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

// tableOf is the table of some versions, which is made where there is none.
func tableOf(of map[versions]*table, v versions, functions int) *table {
	if of[v] == nil {
		of[v] = newTable(functions)
	}
	return of[v]
}

// move takes a summary to the next version of the module.
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

// found are the calls of what is not known in the code that ran: all of the module,
// in order of text, and of others one of each name.
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
