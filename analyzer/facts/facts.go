// Package facts answers what many rules ask of a program: what kind of value and which number an
// expression is, how many items an iterable has, which shape an array has, how often code runs and what
// repeats it, what varies in a loop, and what still has an object after it. Each answer stands on the
// origins of values ([github.com/tfmem/tfmem/analyzer/facts/origins]), so that a fact is known however a
// program spells it.
//
// It does not evaluate the program. For shapes it calls the interpreter's own functions, one at a
// time. What it does not know is unknown. It knows names, the order of execution and those functions;
// it knows no rule and writes no message.
package facts

import (
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Facts are those of one version of a file. They charge the account of its names.
type Facts struct {
	info      *names.Info
	origins   *origins.Follower
	asked     map[question]bool                        // being answered
	functions *keras.Calculator                        // nil until somebody asks for a shape
	called    map[syntax.Node]map[*names.Function]bool // what a loop runs
	repeated  map[*names.Function]*Repeat              // nil until somebody asks
	leave     map[syntax.Node][]syntax.Node            // the statements that leave a loop
	largest   float64                                  // the bytes of the largest array that a call may make; 0 until somebody asks
}

// A question is asked of a place. An answer that needs itself is unknown.
type question struct {
	of    origins.Key
	asked kind
}

type kind uint8

const (
	number kind = iota
	items
	varies
	grows
	retraces
	texts
	lengths
)

// Of returns the facts of a module.
func Of(info *names.Info) *Facts {
	return &Facts{info: info, origins: origins.New(info), asked: map[question]bool{}, called: map[syntax.Node]map[*names.Function]bool{}, leave: map[syntax.Node][]syntax.Node{}}
}

// At returns how the code of an event is reached, for questions about values there.
func (f *Facts) At(e *flow.Event) *origins.Call { return f.origins.Along(e.Path, e.Node) }

// Origins returns the expressions that an expression comes from: see [origins.Follower.Of].
func (f *Facts) Origins(n syntax.Node, in *origins.Call) []origins.Place {
	return f.origins.Of(origins.Place{Node: n, In: in})
}

// MadeBy returns the qualified name of the call that surely makes a value, or "".
func (f *Facts) MadeBy(n syntax.Node) string {
	made, _ := f.Only(n, nil)
	return f.info.Callee(made.Node)
}

// All reports whether a test holds for all origins of an expression: see [origins.Follower.All].
func (f *Facts) All(n syntax.Node, in *origins.Call, is origins.Test) bool {
	return f.origins.All(origins.Place{Node: n, In: in}, is)
}

// AllUntil is All that follows nothing at which it is to stop.
func (f *Facts) AllUntil(n syntax.Node, in *origins.Call, is origins.Test, stops func(origins.Place) bool) bool {
	return f.origins.AllUntil(origins.Place{Node: n, In: in}, is, stops)
}

// Until returns the origins of an expression, following nothing at which it is to stop.
func (f *Facts) Until(n syntax.Node, in *origins.Call, stops func(origins.Place) bool) []origins.Place {
	return f.origins.Until(origins.Place{Node: n, In: in}, stops)
}

// Any reports whether a test holds for some origin of an expression.
func (f *Facts) Any(n syntax.Node, in *origins.Call, is origins.Test) bool {
	return f.origins.Any(origins.Place{Node: n, In: in}, is)
}

// AnyUntil is Any that follows nothing at which it is to stop.
func (f *Facts) AnyUntil(p origins.Place, is origins.Test, stops func(origins.Place) bool) bool {
	return f.origins.AnyUntil(p, is, stops)
}

// Enter returns how a function is reached by a call: see [origins.Follower.Enter].
func (f *Facts) Enter(function *names.Function, call syntax.Node, from *origins.Call) *origins.Call {
	return f.origins.Enter(function, call, from)
}

// ReadsAny reports whether code reads a name with an origin for which a test holds.
func (f *Facts) ReadsAny(code syntax.Node, is origins.Test) (reads bool) {
	code.Walk(func(n syntax.Node) bool {
		reads = reads || n.Kind() == syntax.Identifier && f.info.Used(n) && f.Any(n, nil, is)
		return !reads
	})
	return reads
}

// Only returns the one expression that an expression comes from. ok is false if there are several, or
// if it is unknown.
func (f *Facts) Only(n syntax.Node, in *origins.Call) (from origins.Place, ok bool) {
	all := f.Origins(n, in)
	if len(all) != 1 || !all[0].Node.Valid() || len(all[0].Path) > 0 {
		return from, false
	}
	return all[0], true
}

// SameValue reports whether two names surely stand for the same value: they have the same origin, or are one
// parameter or element that cannot be followed further.
func (f *Facts) SameValue(a, b syntax.Node) bool {
	x, y := f.Origins(a, nil), f.Origins(b, nil)
	if len(x) != 1 || len(y) != 1 || !x[0].Node.Valid() || !y[0].Node.Valid() {
		return false
	}
	p, q := x[0], y[0]
	if one, other := f.info.ReachingDefs(p.Node), f.info.ReachingDefs(q.Node); len(one) == 1 && len(other) == 1 && one[0] == other[0] {
		p.Node, q.Node = one[0].Node, one[0].Node
	}
	return a.Kind() == syntax.Identifier && b.Kind() == syntax.Identifier && p.Key() == q.Key()
}

// begins reports whether a question is not being answered yet. The caller defers the function.
func (f *Facts) begins(k kind, p origins.Place) (end func(), ok bool) {
	q := question{p.Key(), k}
	if f.asked[q] {
		return nil, false
	}
	f.asked[q] = true
	return func() { delete(f.asked, q) }, true
}
