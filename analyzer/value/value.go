// Package value is an abstract interpreter of the Python that builds models and sizes:
// numbers, strings, containers, functions, classes and loops. It never runs the program.
//
// What it cannot know stays Unknown, with the reason; it never guesses. Steps and depth are
// bounded. A [Host] models libraries; what it does not model is unknown. The package knows
// names and effects, but neither Keras nor any rule, and it reads no files.
//
// # Kinds of values
//
// Kinds that every program has (numbers, texts, containers, functions, classes and their
// instances) are Go types of their own. An operation is a switch over them, because most
// results depend on two of them. Every other kind is an [Object]: one interface with a slot
// for everything that a kind may answer, like CPython's PyTypeObject, except that an absent
// slot gives Unknown instead of a TypeError. The slots are methods. A table of functions would
// need an entry and a conversion for each; an interface per ability, as in go.starlark.net
// (HasAttrs, HasBinary, Mapping), would hide the list of all 24.
package value

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Value is the result of an expression, with the literal it came from.
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
// or an internal type of the interpreter (a generator, a property), which a Host treats
// like an Unknown; see [Value.Why].
type Value struct {
	X any
	// Lit is the literal in the program that the value comes from: the 32 of BATCH_SIZE
	// = 32, however it was passed on. Computed values have none.
	Lit syntax.Node
	// Overridable is set if the value is a default that the program's user can change:
	// of a flag or an environment variable.
	Overridable bool
	// raises is set if evaluation raises an exception instead of giving a value.
	raises bool
}

// None is Python's None.
type None struct{}

// An Unknown value says why it is unknown.
type Unknown struct{ Cause *Cause }

// A List is a Python list: shared and mutable. A Host may create one; it changes it
// through [Interp.Append], so that the journal records the change.
type List struct {
	Items []Value
	// Open says why neither the length nor the items are known; Items is then one
	// Unknown. It is nil for a known list.
	Open *Cause

	consumed bool  // an iterator: it yields each item once
	endless  bool  // an iterator whose Items are only the beginning
	view     bool  // the result of dict.keys, values or items
	sample   Value // of an open list: a typical item, or nothing
	first    Value // of an open list: its first item if there surely is one
}

// Sample returns a typical item of a list whose items and length are unknown; ok is
// false if that is unknown, too.
func (l *List) Sample() (v Value, ok bool) { return l.sample, l.Open != nil && l.sample.X != nil }

// Passes reports whether the list is an iterator, which yields each item once.
func (l *List) Passes() bool { return l.consumed }

// A Set is a Python set, with its items in insertion order.
type Set struct {
	Items []Value
	Open  *Cause // as for List
}

// A Tuple is a Python tuple.
type Tuple []Value

// A Dict is a Python dict, in insertion order.
type Dict struct {
	Keys   []Value
	Values []Value
	// Open says why there may be more keys than are listed; it is nil if there are
	// none.
	Open *Cause

	index   map[any]int // of the keys, once there are many
	missing *Value      // the factory of a defaultdict
	dotted  bool        // its keys are attributes, too
	root    *Dict       // the outermost of nested dotted dicts
	owner   *Instance   // the instance whose attributes these are, if any
}

// A Range is range(Start, Stop, Step).
type Range struct{ Start, Stop, Step int64 }

// A Slice is start:stop:step between brackets; an omitted part is None. Width is stop
// minus start if the program's text shows it, and empty otherwise.
type Slice struct{ Start, Stop, Step, Width Value }

// Ellipsis is the ... between brackets.
type Ellipsis struct{}

// External is a library's name in its canonical spelling:
// "tensorflow.keras.layers.Dense".
type External struct{ Name string }

// Known reports whether v is neither Unknown nor empty.
func (v Value) Known() bool {
	_, unknown := v.X.(Unknown)
	return v.X != nil && !unknown
}

// Int returns v as an integer; ok is false for anything else, including bools.
func (v Value) Int() (n int64, ok bool) { n, ok = v.X.(int64); return }

// Cause returns why an Unknown value is unknown, or nil.
func (v Value) Cause() *Cause {
	if u, ok := v.X.(Unknown); ok {
		return u.Cause
	}
	return nil
}

// Why returns the cause in words, or an empty text.
func (v Value) Why() string { return v.Cause().String() }

// Args are the arguments of a call.
type Args struct {
	Positional []Value
	Keywords   Keywords
	// Open says why there may be more arguments than are listed (*args or **kwargs of
	// an unknown value); it is nil if there are none.
	Open *Cause
	Node syntax.Node // the call
}

// Get returns the argument at a position (if it is not negative) or with a keyword.
func (a *Args) Get(position int, keyword string) (Value, bool) {
	if v, ok := a.Keywords.Get(keyword); ok {
		return v, true
	}
	if position >= 0 && position < len(a.Positional) {
		return a.Positional[position], true
	}
	if a.Open != nil {
		return Value{X: Unknown{a.Open}}, true
	}
	return Value{}, false
}

// A Method is a method of an Object, ready to call.
type Method func(in *Interp, args *Args) Value
