package flow

import (
	"slices"
	"sync/atomic"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A summary is the effects of calling a function, or importing a module, once.
type summary struct {
	events  []Event
	calls   []*names.Function // in order
	workers []*names.Function // the functions that other processes run
	unknown []Event
	inner   []*summary // of what it calls and imports
	cost    int        // its share of the budget

	at     int    // its place in walking, from 1; 0 when it is finished
	walked uint64 // the last walk that took it
	// cyclic is set if the result depends on where the walk began, because functions call each
	// other in a circle or there is too much to follow. main is set if it depends on the followed
	// module.
	cyclic, main bool
}

// walks counts walks, so that each knows what it has taken.
var walks atomic.Uint64

// maxDepth bounds nested calls, and with them the stack.
const maxDepth = 2000

// summary returns the summary of a walked function, or nil.
func (w *walker) summary(fn *names.Function) *summary {
	return w.summaryIn(fn.Info, callee{fn: fn})
}

// summaryIn is summary, or that of the module if there is no function.
func (w *walker) summaryIn(module *names.Info, c callee) *summary {
	if kept := w.kept(module); kept != nil {
		if s := kept.find(c); s != nil {
			return s
		}
	}
	if t := w.passing[module]; t != nil {
		return t.find(c)
	}
	return nil
}

// summarise walks a function's body, once. A function that is being walked already, because it is
// recursive, has no further effects. It returns nil if the calls are too deep.
func (w *walker) summarise(fn *names.Function) *summary { return w.summariseOn(callee{fn: fn}) }

// summariseOn is summarise for a method that is called on a certain class.
func (w *walker) summariseOn(c callee) *summary {
	defer c.fn.Info.Enter(c.fn.Node).Leave()
	fn := c.fn
	return w.walk(fn.Info, c, func(own *summary) {
		f := w.frame(fn.Info, own)
		f.callee = c
		own.main = c.receiver != nil // it depends on another class, which may be edited
		compiled, unknown := fn.CompiledBy()
		if compiled {
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

// module walks the code that importing a module runs, once. It only records its imports: whether
// they run depends on the trace.
func (w *walker) module(m *names.Info) *summary {
	defer m.Enter(syntax.Node{}).Leave()
	return w.walk(m, callee{}, func(own *summary) {
		f := w.frame(m, own)
		for s := range m.Tree.Statements() {
			if !f.statement(s) {
				break
			}
		}
		own.events = f.end()
	})
}

// walk computes the summary of a function, or of its module if there is none.
func (w *walker) walk(module *names.Info, c callee, visit func(*summary)) *summary {
	if s := w.summaryIn(module, c); s != nil {
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
	passing.keep(c, s)
	w.taken = append(w.taken, s)
	w.walking = append(w.walking, s)
	s.at = len(w.walking)
	w.depth++
	visit(s)
	w.depth--
	w.walking, s.at = w.walking[:len(w.walking)-1], 0
	if kept := w.kept(module); kept != nil && !s.cyclic && !s.main {
		kept.keep(c, s)
	}
	return s
}

// needs records that a summary is part of the one under construction.
func (f *frame) needs(s *summary) {
	f.own.inner = append(f.own.inner, s)
	f.own.cyclic = f.own.cyclic || s.cyclic
	f.own.main = f.own.main || s.main
}

// take adds the results of an existing summary, beside its events, to the program.
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

// spawn records that another process runs the function.
func (w *walker) spawn(fn *names.Function) {
	if !slices.Contains(w.workers, fn) {
		w.workers = append(w.workers, fn)
	}
}

// keras reports whether Keras calls the method, and compiles it then: Model.fit wraps train_step in
// a tf.function (keras/src/backend/tensorflow/trainer.py, make_train_function). A call of the
// program's own runs it like any other.
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
