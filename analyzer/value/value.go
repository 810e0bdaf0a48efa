// Package value evaluates the Python that builds models and sizes: numbers,
// strings, containers, functions, classes and loops, as an interpreter would,
// without ever running the program.
//
// What it cannot know stays Unknown and says why; it never guesses. Steps and
// depth are bounded. Library calls are not its business: a [Host] answers them,
// or they are unknown. It knows names and effects, and neither Keras nor any
// rule; it reads no files.
//
// # Kinds of values
//
// The kinds that each program has (numbers, texts, containers, functions, classes and their
// instances) are Go types of their own: an operation is a switch over them, as most answers
// depend on two of them. Every other kind is an [Object], one interface with a slot for all that
// a kind may answer, as in CPython's PyTypeObject; but what an absent slot would answer is
// Unknown here, and no TypeError. The slots are methods, not a table of functions, which would
// need an entry and a conversion beside each of them; and not an interface for each ability, as
// in go.starlark.net (HasAttrs, HasBinary, Mapping): nobody would find all 24.
package value

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Value is what an expression evaluates to, with the literal it came from.
//
// X is one of
//
//	int64, float64, bool, string, None
//	*List, Tuple, *Dict, *Set, Range
//	Slice, Ellipsis only as an index
//	*Func, *Bound, *Class, *Instance, Method
//	External        a name of a library
//	Unknown
//	any Object
//
// or something of the interpreter's own (a generator, a property), which a Host
// takes as it takes an Unknown; see [Value.Why].
type Value struct {
	X any
	// Lit is the literal in the program that the value is: the 32 of
	// BATCH_SIZE = 32, however it was passed on; none for what was computed.
	Lit syntax.Node
	// Overridable is set where the value is a default that whoever runs the program can
	// change: a flag's, an environment variable's.
	Overridable bool
	// raises is set where there is no value, but an error: what handles it runs.
	raises bool
}

// None is Python's None.
type None struct{}

// An Unknown value says why it is not known, in words for people: "the result
// of load_vocabulary(), which is not in this program".
type Unknown struct{ Why string }

// A List is a Python list: shared and changeable. A Host may make one, and
// changes it through [Interp.Append] so that branches can be told apart.
type List struct {
	Items []Value
	// Open says why neither the length nor the items are known; Items then is
	// one Unknown. It is empty for a list that is known.
	Open string

	consumed bool  // an iterator: what is taken from it is gone
	endless  bool  // an iterator of which Items is only the beginning
	view     bool  // what dict.keys, values or items returns
	sample   Value // of an open list, what its items look like, or nothing
	first    Value // of an open list, its first item where there surely is one
}

// Sample is a typical item of a list whose items and length are unknown; ok is false if it
// is unknown too.
func (l *List) Sample() (v Value, ok bool) { return l.sample, l.Open != "" && l.sample.X != nil }

// Passes reports whether it is an iterator: what is taken from it is gone.
func (l *List) Passes() bool { return l.consumed }

// A Set is a Python set, its items in order of insertion.
type Set struct {
	Items []Value
	Open  string // as a List's
}

// A Tuple is a Python tuple.
type Tuple []Value

// A Dict is a Python dict, in order of insertion.
type Dict struct {
	Keys   []Value
	Values []Value
	// Open says why there may be more keys than are listed; empty where there
	// are not.
	Open string

	index   map[any]int // of the keys, once there are many
	missing *Value      // the factory of a defaultdict
	dotted  bool        // its keys are its attributes, too
	root    *Dict       // of dotted ones within each other, the outermost
	owner   *Instance   // whose attributes these are, if any's
}

// A Range is range(Start, Stop, Step).
type Range struct{ Start, Stop, Step int64 }

// A Slice is start:stop:step between brackets; an omitted part is None. Width is what is
// added to the start to make the stop, and empty if it is not written so.
type Slice struct{ Start, Stop, Step, Width Value }

// Ellipsis is the ... between brackets.
type Ellipsis struct{}

// External is a library's name, canonical: "tensorflow.keras.layers.Dense".
type External struct{ Name string }

// Known reports whether v is neither Unknown nor empty.
func (v Value) Known() bool {
	_, unknown := v.X.(Unknown)
	return v.X != nil && !unknown
}

// Int is v as a whole number; ok is false for anything else, bools included.
func (v Value) Int() (n int64, ok bool) { n, ok = v.X.(int64); return }

// Why is the reason of an Unknown value, or empty.
func (v Value) Why() string { return unknownWhy(v.X) }

func unknownWhy(x any) string {
	if u, ok := x.(Unknown); ok {
		return u.Why
	}
	return ""
}

// Args are the arguments of a call.
type Args struct {
	Positional []Value
	Keywords   Keywords
	// Open says why more may be passed than is listed (*args or **kwargs of an
	// unknown value); empty where it is all.
	Open string
	Node syntax.Node // the call
}

// Get is the argument at a position (none where negative) or under a keyword.
func (a *Args) Get(position int, keyword string) (Value, bool) {
	if v, ok := a.Keywords.Get(keyword); ok {
		return v, true
	}
	if position >= 0 && position < len(a.Positional) {
		return a.Positional[position], true
	}
	if a.Open != "" {
		return Value{X: Unknown{Why: a.Open}}, true
	}
	return Value{}, false
}

// A Method is a method of an Object, ready to call.
type Method func(in *Interp, args *Args) Value
