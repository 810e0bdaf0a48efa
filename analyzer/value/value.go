// Package value holds what package interp computes with: the values of a Python program, as far as
// they are known, and the state of its evaluation.
//
// A value is known, Unknown with its cause, or nothing. This package joins and widens values,
// compares and formats them, keeps the variables and the journal that undoes a branch, and counts
// steps. A [Host] models libraries, a [Library] Python's own functions; both are given to the
// [Interp], the state that the functions of package interp work on. The package evaluates no code
// of the program and calls none of its functions. It knows names, effects, syntax and the registry
// library; it reads no files.
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

import "github.com/tfmem/tfmem/analyzer/syntax"

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
	// Scalar is the same for a number of a file of settings that the program reads, or nil.
	Scalar *Scalar
	// Overridable is set if the value is a default that the program's user can change:
	// of a flag or an environment variable.
	Overridable bool
	// raises is set if evaluation raises an exception instead of giving a value.
	raises bool
	// Length is how many items or rows an Unknown has, if at least that is known; else 0. Only what
	// keeps it passes it on.
	Length int64
}

// A Scalar is a number in a file of settings: YAML, JSON or TOML.
type Scalar struct {
	Path string // of the file, as the program opens it
	Key  string // in the mapping that has it, or ""
	// Line and Column count from 0, in characters.
	Line, Column int
	Text         string
	Shared       bool // it is below an anchor, and may be used elsewhere in the file, too
}

// None is Python's None.
type None struct{}

// An Unknown value says why it is unknown.
type Unknown struct {
	Cause *Cause
	// Many is set for the number of a data set's examples, or of its batches, while the first batch is made:
	// see [Interp.Batching]. It counts as more than any number that is known.
	Many bool
}

// A List is a Python list: shared and mutable. A Host may create one; it changes it
// through [Interp.Append], so that the journal records the change.
type List struct {
	Items []Value
	// Open says why neither the length nor the items are known; Items is then one
	// Unknown. It is nil for a known list.
	Open *Cause

	Consumed bool  // an iterator: it yields each item once
	Endless  bool  // an iterator whose Items are only the beginning
	View     bool  // the result of dict.keys, values or items
	Typical  Value // of an open list: a typical item, or nothing
	First    Value // of an open list: its first item if there surely is one
	// Count is how many items an open list has, if the program says so; else 0. Limit is how many
	// there may be, as of a deque that drops its oldest ones; 0 if there is no limit.
	Count, Limit int64
	// Last are of a list with a Count the items that two iterations gave it, one after the other: the
	// first half and the second. They show what an item has of its own. Nil if that is not known.
	Last []Value
	Made syntax.Node // the comprehension that makes it, or the call that appended last, or none

	appended appended
}

// appended is how many items were appended to a list since it was last changed otherwise. Two are equal
// only if they were counted from the same change on.
type appended struct {
	since *byte
	n     int64
}

// Shared returns what a copy of the list has as Last: no item of its own.
func (l *List) Shared() []Value { return []Value{l.Typical, l.Typical} }

// Sample returns a typical item of a list whose items and length are unknown; ok is
// false if that is unknown, too.
func (l *List) Sample() (v Value, ok bool) { return l.Typical, l.Open != nil && l.Typical.X != nil }

// Counted returns how many items an open list has; ok is false if that is not known.
func (l *List) Counted() (n int64, ok bool) { return l.Count, l.Open != nil && l.Count > 0 }

// Passes reports whether the list is an iterator, which yields each item once.
func (l *List) Passes() bool { return l.Consumed }

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
	Missing *Value      // the factory of a defaultdict
	Dotted  bool        // its keys are attributes, too
	Root    *Dict       // the outermost of nested dotted dicts
	Owner   *Instance   // the instance whose attributes these are, if any
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

// OfLength is an Unknown value of which the number of items or rows is known.
func (v Value) OfLength(n int64) Value {
	if _, unknown := v.X.(Unknown); unknown {
		v.Length = n
	}
	return v
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
		return Value{X: Unknown{Cause: a.Open}}, true
	}
	return Value{}, false
}

// A Method is a method of an Object, ready to call.
type Method func(in *Interp, args *Args) Value

// Length returns how many numbers a range has.
func (r Range) Length() int64 {
	switch {
	case r.Step > 0 && r.Start < r.Stop:
		return int64((uint64(r.Stop)-uint64(r.Start)-1)/uint64(r.Step)) + 1
	case r.Step < 0 && r.Start > r.Stop:
		return int64((uint64(r.Start)-uint64(r.Stop)-1)/Magnitude(r.Step)) + 1
	}
	return 0
}

func (r Range) At(i int64) int64 { return r.Start + i*r.Step }

// Passed returns an argument by position, or by the first of some names.
func Passed(args *Args, position int, names ...string) Value {
	for _, name := range names {
		if v, ok := args.Keywords.Get(name); ok {
			return v
		}
	}
	return Positional(args, position)
}

// Positional returns an argument by position, or the zero Value.
func Positional(args *Args, i int) Value {
	v, _ := args.Get(i, "")
	return v
}

// NoneValue is Python's None.
var NoneValue = Value{X: None{}}
