package value

import (
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// What the interpreter asks of a library that is modelled: first of the Host, and of what a
// Host may be besides.

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

// An AttributeOracle is a Host that knows what instances of a library's class have not: the
// class has no such attribute, and none of its methods sets one.
type AttributeOracle interface {
	Lacks(base, name string) bool
}

// A UnresolvedCallHook is a Host that wants to know of methods that are called on what is
// not known, such as the fit of a model that a library made, and why it is not.
type UnresolvedCallHook interface {
	UnresolvedCall(in *Interp, call syntax.Node, method, why string)
}

// A Shaper is a Host that knows the result of a method on an unknown receiver, such as the
// shape that the method gives an array.
type Shaper interface {
	Shaped(in *Interp, method, why string, args *Args) (v Value, ok bool)
}

// A Reader is a Host that reads what a project has beside its modules: the text that a program,
// given its path, finds under another one; ok is false where it is not known.
type Reader interface {
	Text(program, path string) (text string, ok bool)
}

// A TypeNamer is a Host for which a text may stand for what a library has of that name, a data
// type: it has attributes that no text has. ok is false where the text is only one.
type TypeNamer interface {
	Named(text, attribute string) (v Value, ok bool)
}

// A NextHook is a Host that is told of each item that next hands out, and may put another in
// its place.
type NextHook interface {
	NextItem(in *Interp, item Value) Value
}

// A RebindHook is a Host that is told what names stand for: the old value of a name that the
// program rebinds, which nothing may hold from then on, and the value that it binds.
type RebindHook interface {
	Released(old Value)
	Binds(v Value)
}

// A CallHook is a Host that is told of code that is about to run: the body of a function,
// whose definition unit is, or one iteration of the loop that unit is. Enter may replace
// what is bound: the arguments, or the loop variable. The function that it returns, if not
// nil, is called with the result once the code has run, and returns a replacement.
type CallHook interface {
	Enter(in *Interp, unit syntax.Node, function *names.Function, bound []Value) (leave func(Value) Value)
}

// And of the library's objects.

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

// A Selector is a HostValue that, as a test, may only decide which value is computed, as a
// tensor does.
type Selector interface {
	// Select is the value that stands for one of two; ok is false where nothing can.
	Select(a, b Value) (v Value, ok bool)
}

// Callable is a HostValue that knows whether it can be called.
type Callable interface{ Callable() bool }

// An Identity is a HostValue that knows whether it is the same object as another.
type Identity interface {
	Is(other Value) (same, known bool)
}

// A Truther is a HostValue that knows its truth value. The others are not
// known.
type Truther interface {
	Truth(in *Interp) (truth, known bool)
}

// Classed is a HostValue that knows whether it is an instance of a library's
// class; without it that is not known.
type Classed interface {
	IsInstance(class string) (truth, known bool)
}

// A Converter is a HostValue that has a Python number: int(v), float(v).
type Converter interface {
	Convert(in *Interp, to string) Value
}

// An ItemSetter is a HostValue that wants to know of object[index] = item.
type ItemSetter interface {
	SetItem(in *Interp, index, item Value)
}

// An ItemDeleter is a HostValue that wants to know of del object[index].
type ItemDeleter interface {
	DeleteItem(in *Interp, index Value)
}

// Keyed is a HostValue that a loop goes through by its keys, as through a dict.
type Keyed interface {
	HostValue
	Keyed()
}

// A ElementSet is a HostValue whose distinct elements may be known, though not their order
// or number.
type ElementSet interface {
	Distinct() (items []Value, ok bool)
}

// Sampled is a HostValue with an unknown number of items and a known sample of them: a
// dataset. ok is false if the sample is unknown too.
type Sampled interface {
	Sample(in *Interp) (item Value, ok bool)
}

// NonEmpty is a Sampled that may be known to have an item, and which one is first.
type NonEmpty interface {
	First(in *Interp) (item Value, ok bool)
}

// Reasoned is a HostValue that says why its items are not known, as a clause.
type Reasoned interface {
	WhyNoItems() string
}

// Widener is a HostValue that has something in common with others like it, such as the shape
// of an array.
type Widener interface {
	// Widen is what it has in common with another value, or with itself; ok is false if
	// that is nothing.
	Widen(other Value) (v Value, ok bool)
}

// A Joiner is a HostValue that keeps some knowledge in a join with another value, such as
// the shape that two arrays share.
type Joiner interface {
	// Join is the join of this value and another; ok is false if nothing is known of it.
	Join(other Value) (v Value, ok bool)
}

// A Context is a HostValue that knows when a with statement enters and leaves
// it. What Enter returns is bound by the statement's as.
type Context interface {
	Enter(in *Interp) Value
	Exit(in *Interp)
}
