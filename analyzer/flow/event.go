package flow

import (
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Context is a set of circumstances in which code runs.
type Context uint16

const (
	InLoop Context = 1 << iota
	InTape
	InStrategy
	InGraph   // operations build a TF1 graph
	Compiled  // by tf.function, or traced by tf.data or Keras
	Uncertain // through an unknown wrapper: it may be compiled
	InWorker
	InHandler // of an exception
	OnTPU     // it requires a TPU, and the program goes on if there is none
	OwnGraph  // the TF1 graph is not the default one of the program
)

// An Event is one effect of a program, at one place, reached in one way.
type Event struct {
	*effects.Entry
	Node    syntax.Node // the call
	Context Context
	Loop    syntax.Node // the innermost loop around it in the order of calls, or none
	Tape    syntax.Node // the innermost with statement that records it, or none
	// Strategy is the innermost with statement that enters a strategy's scope around
	// it, or none.
	Strategy syntax.Node
	// Path are the calls of the program's functions, those of a library's functions that run one of
	// the program's, such as Dataset.map, and the import statements that run its
	// modules, that lead to the event: outermost first, at most maxPath, empty in the trace's own
	// code. They, and Node, may belong to other modules than the followed one.
	Path []syntax.Node

	// Worker is the function of the program that another process runs, or nil if it is not known.
	Worker *names.Function

	// Key and Value are the variable and text of a SetsEnvironment event. Given is the expression
	// that the value comes from, or none if it is a part of a text. For an event that
	// StartsWorkers, or SetsStartMethod, Value is the start method, "fork", "spawn" or as the table
	// has it, and "" if Python chooses. Value is meaningless if Known is false.
	Key, Value string
	Known      bool
	Given      syntax.Node

	// EveryIteration is set if the event happens in each complete iteration of Loop.
	EveryIteration bool

	order int // within its trace
	when  *condition

	module *names.Info // the module of the program that is imported here, if the event is only an import
}

const maxPath = 20

// Outermost returns the node of the trace's own code at which the event happens: the first call
// on its path, or its own node.
func (e *Event) Outermost() syntax.Node {
	if len(e.Path) > 0 {
		return e.Path[0]
	}
	return e.Node
}

// NeedsTPU reports whether the program only goes on after the event if there is a TPU.
func (e *Event) NeedsTPU() bool {
	return e.Entry != nil && e.Effects.Has(effects.UsesTPU) && e.Context&OnTPU == 0
}

// step returns the i-th node on the path to the event: its calls, then its own node.
func (e *Event) step(i int) syntax.Node {
	if i < len(e.Path) {
		return e.Path[i]
	}
	return e.Node
}

// DefiningExpr returns the expression that gives another its value where the event happens: as
// [names.Info.DefiningExpr], and further through the arguments of the calls on the event's path.
func (e *Event) DefiningExpr(info *names.Info, n syntax.Node) syntax.Node {
	for range maxPath {
		made := info.DefiningExpr(n)
		if made.Kind() != syntax.Identifier {
			return made
		}
		passed := e.Passed(info, info.ReachingDefs(made)[0])
		if !passed.Valid() {
			return made
		}
		n = passed
	}
	return syntax.Node{}
}

// Passed returns the argument that a call on the event's path passes for a parameter, or none.
func (e *Event) Passed(info *names.Info, parameter *names.Binding) syntax.Node {
	if call := e.caller(info, parameter.Scope.Func); call.Valid() {
		return parameter.Scope.Func.Passed(call, parameter.Name)
	}
	return syntax.Node{}
}

// Argument returns what gives a parameter its value where the event happens: the argument that a
// call on the event's path passes, or the default if that call passes none. It is none if no such
// call is known, or if the call may pass it with a splat.
func (e *Event) Argument(info *names.Info, parameter *names.Binding) syntax.Node {
	call := e.caller(info, parameter.Scope.Func)
	if !call.Valid() || names.HasSplat(call) {
		return syntax.Node{}
	}
	if passed := parameter.Scope.Func.Passed(call, parameter.Name); passed.Valid() {
		return passed
	}
	return parameter.Value
}

// caller returns the call on the event's path that surely runs a function of the program, or none.
func (e *Event) caller(info *names.Info, f *names.Function) syntax.Node {
	for _, call := range e.Path {
		if f != nil && call.Kind() == syntax.Call && origins.Runs(info, call, f) {
			return call
		}
	}
	return syntax.Node{}
}

// Part finds where the paths to two events of one trace part: the two nodes, in one function's
// code, through which each is reached.
func Part(a, b *Event) (syntax.Node, syntax.Node) {
	i := 0
	for i < len(a.Path) && i < len(b.Path) && a.Path[i] == b.Path[i] {
		i++
	}
	return a.step(i), b.step(i)
}

// Unconditional reports whether the event happens in every run of its trace.
func (e *Event) Unconditional() bool { return e.when == nil }

// SurelyBefore reports whether e has happened whenever other does. Both must be
// of one trace.
func (e *Event) SurelyBefore(other *Event) bool {
	return e.order < other.order && e.when.holds(other.when)
}

// Runs reports whether some runs of the program surely run a block of an if, or a loop, or surely
// do not. known is false if neither is certain.
type Runs func(blockOrLoop syntax.Node) (runs, known bool)

// BeforeWhere is SurelyBefore in some runs of the program. It is false if other happens in none
// of them, because it stands in another branch.
func (e *Event) BeforeWhere(other *Event, in Runs) bool {
	if e.order >= other.order {
		return false
	}
	for c := e.when; !c.holds(other.when); c = c.outer {
		runs, known := c.in(in)
		if !known || !runs || other.when.excludes(c.at) {
			return false
		}
	}
	for c := other.when; c != nil; c = c.outer {
		if runs, known := c.in(in); known && !runs {
			return false
		}
	}
	return true
}

// MaybeBefore reports whether e may have happened when other does.
func (e *Event) MaybeBefore(other *Event) bool { return e.order < other.order }
