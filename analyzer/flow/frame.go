package flow

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A frame walks the code of one function or module.
type frame struct {
	*walker
	info    *names.Info     // of the module with the code
	library effects.Library // to which its names belong
	callee  callee          // the function with the code, if any
	own     *summary
	events  []Event
	// ran are the modules that have run, with the conditions under which they did; nil if imports
	// are only recorded.
	ran       map[*names.Info][]*condition
	sure      map[*names.Info]bool // those that have run under all conditions
	before    map[*names.Info]bool // those that had run before
	when      *condition
	context   Context
	loop      syntax.Node
	iteration *condition // the condition of every iteration of loop
	tape      syntax.Node
	// strategy is the innermost with statement that enters a strategy's scope.
	strategy syntax.Node
	left     exit
	// alternative is set in code that the program can do without, and tpu in code that runs only
	// on a TPU.
	alternative, tpu bool

	kinds  []kindEvents
	nodes  map[syntax.Node]int // the index of the only kept event at a node, or -1 if there are more
	places map[place]int       // the number of events at nodes with more
}

// An exit is a set of ways in which a branch may leave the code around it while the program goes
// on.
type exit uint8

const (
	byReturn exit = 1 << iota
	byBreak
	byContinue
)

func (w *walker) frame(info *names.Info, own *summary) *frame {
	f := &frame{walker: w, info: info, library: w.library(info), own: own}
	if last := len(w.spare) - 1; last >= 0 {
		f.events, w.spare = w.spare[last], w.spare[:last]
	}
	return f
}

// end returns the events in a list of exact size, and leaves the larger list that collected them
// to the next frame.
func (f *frame) end() []Event {
	events := slices.Clone(f.events)
	f.spare = append(f.spare, f.events[:0])
	return events
}

// branch runs visit under a condition of its own. If visit may leave the code around it, what
// follows runs under another.
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
	left := false
	f.branch(func() {
		f.when.at = block
		visit()
		left = f.left != 0
	})
	if left {
		f.when.at, f.when.passed = block, true
	}
}

// runIteration runs visit as an iteration of a loop n, which may have none unless sure. The code after
// the loop is reached however an iteration ends, except by return. A loop that surely has none is
// not visited, and one that has no second iteration repeats nothing.
func (f *frame) runIteration(n syntax.Node, sure bool, visit func()) (broken bool) {
	if f.info.NeverIterates(n) {
		return false
	}
	oldWhen, oldLeft, oldLoop, oldIteration := f.when, f.left, f.loop, f.iteration
	f.left = 0
	if !sure {
		f.when = f.when.inner()
		f.when.at = n
	}
	if names.IteratesOnce(n) {
		visit()
	} else {
		f.loop, f.iteration = n, f.when
		f.with(InLoop, visit)
	}
	f.when, f.loop, f.iteration = oldWhen, oldLoop, oldIteration
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
