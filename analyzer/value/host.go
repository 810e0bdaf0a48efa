package value

import (
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Host models libraries for the interpreter, which asks it, and tells it what the program
// does. One that knows only some of it embeds [NoHost].
type Host interface {
	// Call calls a library's function or class. ok is false where the Host does
	// not model it; the result is then Unknown.
	Call(in *Interp, name string, args *Args) (v Value, ok bool)
	// Attr is a library's name that is no function or class: a constant.
	Attr(in *Interp, name string) (v Value, ok bool)
	// Lacks reports whether a library's class has no such attribute, and none of its methods
	// sets one.
	Lacks(base, name string) bool
	// Instance is called for an instance of a program's class that inherits,
	// at some remove, from the library class base, before its __init__ runs. The
	// Object it returns stands behind the Instance: attributes that the program
	// does not define, and calling the instance, are its business. Nil models
	// nothing.
	Instance(in *Interp, instance *Instance, base string) Object
	// Named is an attribute of what a library has under the name that a text is, a data type;
	// ok is false where the text is only one.
	Named(text, attribute string) (v Value, ok bool)
	// Shaped is the result of a method on an unknown receiver, such as the shape that the
	// method gives an array.
	Shaped(in *Interp, method, why string, args *Args) (v Value, ok bool)
	// Text is what the project has beside its modules: the text that a program, given its path,
	// finds under another one.
	Text(program, path string) (text string, ok bool)

	// UnresolvedCall tells of a method that is called on what is not known, and why it is
	// not: the fit of a model that a library made.
	UnresolvedCall(in *Interp, call syntax.Node, method, why string)
	// NextItem tells of an item that next hands out, and returns it, or another in its place.
	NextItem(in *Interp, item Value) Value
	// Released tells of the old value of a name that the program rebinds, which nothing may
	// hold from then on, and Binds of the value that it binds.
	Released(old Value)
	Binds(v Value)
	// Enter tells of code that is about to run: the body of a function, whose definition unit
	// is, or one iteration of the loop that unit is. It may replace what is bound: the
	// arguments, or the loop variable. The function that it returns, if not nil, is called
	// with the result once the code has run, and returns a replacement.
	Enter(in *Interp, unit syntax.Node, function *names.Function, bound []Value) (leave func(Value) Value)
}

// NoHost is a Host that models no library.
type NoHost struct{}

func (NoHost) Call(*Interp, string, *Args) (v Value, ok bool)                         { return v, false }
func (NoHost) Attr(*Interp, string) (v Value, ok bool)                                { return v, false }
func (NoHost) Lacks(_, _ string) bool                                                 { return false }
func (NoHost) Instance(*Interp, *Instance, string) Object                             { return nil }
func (NoHost) Named(_, _ string) (v Value, ok bool)                                   { return v, false }
func (NoHost) Shaped(_ *Interp, _, _ string, _ *Args) (v Value, ok bool)              { return v, false }
func (NoHost) Text(_, _ string) (text string, ok bool)                                { return "", false }
func (NoHost) UnresolvedCall(_ *Interp, _ syntax.Node, _, _ string)                   {}
func (NoHost) NextItem(_ *Interp, item Value) Value                                   { return item }
func (NoHost) Released(Value)                                                         {}
func (NoHost) Binds(Value)                                                            {}
func (NoHost) Enter(*Interp, syntax.Node, *names.Function, []Value) func(Value) Value { return nil }
