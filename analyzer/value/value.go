// Package value evaluates the Python that builds models and sizes: numbers,
// strings, containers, functions, classes and loops, as an interpreter would,
// without ever running the program.
//
// What it cannot know stays Unknown and says why; it never guesses. Steps and
// depth are bounded. Library calls are not its business: a [Host] answers them,
// or they are unknown. It knows names and effects, and neither Keras nor any
// rule; it reads no files.
package value

import (
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Value is what an expression evaluates to, with the literal it came from.
//
// X is one of
//
//	int64, float64, bool, string, None
//	*List, Tuple, *Dict, *Set, Range
//	Slice, Ellipsis only as an index
//	*Func, *Bound, *Class, *Object, Method
//	External        a name of a library
//	Unknown
//	any type of the Host that implements HostValue
//
// or something of the interpreter's own (a generator, a property, a module of
// flags), which a Host takes as it takes an Unknown; see [Value.Why].
type Value struct {
	X any
	// Lit is the literal in the program that the value is: the 32 of
	// BATCH_SIZE = 32, however it was passed on; none for what was computed.
	Lit syntax.Node
	// Soft is set where the value is a default that whoever runs the program can
	// change: a flag's, an environment variable's.
	Soft bool
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

// Sample is what the items of a list look like of which neither they nor their number are
// known; ok is false where that is not known either.
func (l *List) Sample() (v Value, ok bool) { return l.sample, l.Open != "" && l.sample.X != nil }

// Passes tells of an iterator: what is taken from it is gone.
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
	owner   *Object     // whose attributes these are, if any's
}

// A Range is range(Start, Stop, Step).
type Range struct{ Start, Stop, Step int64 }

// A Slice is start:stop:step between brackets; None where a part is left out. Width is
// what is added to the start to make the stop, and empty where it is not written so.
type Slice struct{ Start, Stop, Step, Width Value }

// Ellipsis is the ... between brackets.
type Ellipsis struct{}

// External is a library's name, canonical: "tensorflow.keras.layers.Dense".
type External struct{ Name string }

// Known tells whether v is neither Unknown nor empty.
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

// A HostValue is an object of a library that the Host models: a layer, a
// tensor, a dataset, an array.
type HostValue interface {
	// Attr is an attribute. A method is returned as a Method.
	Attr(in *Interp, name string) (Value, bool)
	// SetAttr sets an attribute; false where the object does not model it.
	SetAttr(in *Interp, name string, v Value) bool
	// Call calls the object itself.
	Call(in *Interp, args *Args) Value
	// Index is object[index].
	Index(in *Interp, index Value) Value
	// Binary is object op other, or other op object where reflected is set.
	Binary(in *Interp, op string, other Value, reflected bool) Value
	// Iterate is the items of the object in a for loop or a star; ok is false
	// where they are not known.
	Iterate(in *Interp) (items []Value, ok bool)
}

// A Distincter is a HostValue of which may be known what is in it, though not how often or
// where.
type Distincter interface {
	Distinct() (items []Value, ok bool)
}

// A Method is a method of a HostValue, ready to call.
type Method func(in *Interp, args *Args) Value

// A Host models a library for the interpreter.
type Host interface {
	// Call calls a library's function or class. ok is false where the Host does
	// not model it; the result is then Unknown.
	Call(in *Interp, name string, args *Args) (v Value, ok bool)
	// Attr is a library's name that is no function or class: a constant.
	Attr(in *Interp, name string) (v Value, ok bool)
	// Instance is called for an instance of a program's class that inherits,
	// at some remove, from the library class base, before its __init__ runs. The
	// HostValue it returns stands behind the Object: attributes that the program
	// does not define, and calling the object, are its business. Nil models
	// nothing.
	Instance(in *Interp, object *Object, base string) HostValue
}

// An Anatomist is a Host that knows what instances of a library's class have not: the
// class has no such attribute, and none of its methods sets one.
type Anatomist interface {
	Lacks(base, name string) bool
}

// A Listener is a Host that wants to know of methods that are called on what is
// not known, such as the fit of a model that a library made, and why it is not.
type Listener interface {
	Lost(in *Interp, call syntax.Node, method, why string)
}

// A Shaper is a Host that knows what a method makes whatever it is called on, which is not
// known: the shape that an array is to have.
type Shaper interface {
	Shaped(in *Interp, method, why string, args *Args) (v Value, ok bool)
}

// A Keeper is a Host that wants to know of what a name stood for when the program binds
// the name anew: nothing may hold it from then on.
type Keeper interface {
	LetsGo(old Value)
}

// A Watcher is a Host that is told of code that is about to run: the body of a
// function, whose definition unit is, or one turn of the loop that unit is. Enter may
// replace what is bound for it, the arguments or the item of the loop. What it
// returns, where that is not nil, is called with the result once the code has run, and
// returns what the result stands for.
type Watcher interface {
	Enter(in *Interp, unit syntax.Node, function *names.Function, bound []Value) (leave func(Value) Value)
}
