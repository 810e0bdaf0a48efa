package value

import (
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Host models libraries. The interpreter calls it, and tells it what the program
// does. A Host that models only some libraries embeds [NoHost].
type Host interface {
	// Call calls a library's function or class. If ok is false, the Host does not model
	// it and the result is Unknown.
	Call(in *Interp, name string, args *Args) (v Value, ok bool)
	// Attr returns a library's constant: a name that is neither a function nor a class.
	Attr(in *Interp, name string) (v Value, ok bool)
	// Lacks reports whether a library's class has no such attribute and none of its
	// methods sets one.
	Lacks(base, name string) bool
	// Instance is called for an instance of a program's class that inherits, directly
	// or not, from the library class base, before its __init__ runs. The Object it
	// returns stands behind the Instance: it answers for calls of the instance and for
	// attributes that the program does not define. Nil models nothing.
	Instance(in *Interp, instance *Instance, base string) Object
	// Named returns an attribute of the library object, such as a data type, that a
	// text names; ok is false if the text names none.
	Named(text, attribute string) (v Value, ok bool)
	// Shaped returns the result of a method on an unknown receiver if the method
	// implies something, such as an array's shape.
	Shaped(in *Interp, method string, why *Cause, args *Args) (v Value, ok bool)
	// Text returns a file of the project that is not a module: the text that the
	// program, identified by its path, finds under another path.
	Text(program, path string) (text string, ok bool)

	// Head is Text for the beginning of a table, and for that of any size, Lines for what
	// [tally.Read] makes of a text, and Folder for what [folders.Read] makes of a folder.
	Head(program, path string) (text string, ok bool)
	Lines(program, path string) (text string, ok bool)
	Folder(program, path string) (text string, ok bool)
	// Hinted returns a value with what a person says of it; wrong is why that cannot be so.
	Hinted(in *Interp, h *hints.Hint, v Value) (said Value, wrong string)

	// Observed returns a value with what a run told of it, and records that in [Interp.Observed]. It is
	// known for certain that both are of the same moment if sure is set.
	Observed(in *Interp, name string, at syntax.Node, o *observed.Value, v Value, sure bool) Value

	// UnresolvedCall reports a method call on an unknown receiver, with the reason: fit
	// of a model that a library built.
	UnresolvedCall(in *Interp, method string, args *Args, why *Cause)
	// NextItem reports an item that next returns. The result replaces the item.
	NextItem(in *Interp, item Value) Value
	// Released reports the old value of a name that the program rebinds; nothing may
	// refer to it from then on. Binds reports the new value.
	Released(old Value)
	Binds(v Value)
	// Filled reports a loop that has filled lists, of which it is known how many items they have.
	Filled(in *Interp, loop syntax.Node)
	// Enter reports code that is about to run: a function body, whose definition is
	// unit, or one iteration of the loop unit. It may replace bound, the arguments or
	// the loop variable. If leave is not nil, it is called with the result once the
	// code has run, and returns a replacement.
	Enter(in *Interp, unit syntax.Node, function *names.Function, bound []Value) (leave func(Value) Value)
}

// NoHost is a Host that models no library.
type NoHost struct{}

func (NoHost) Call(*Interp, string, *Args) (v Value, ok bool) { return v, false }

func (NoHost) Attr(*Interp, string) (v Value, ok bool) { return v, false }

func (NoHost) Lacks(_, _ string) bool { return false }

func (NoHost) Instance(*Interp, *Instance, string) Object { return nil }

func (NoHost) Named(_, _ string) (v Value, ok bool) { return v, false }

func (NoHost) Shaped(_ *Interp, _ string, _ *Cause, _ *Args) (v Value, ok bool) { return v, false }

func (NoHost) Text(_, _ string) (text string, ok bool) { return "", false }

func (NoHost) Head(_, _ string) (text string, ok bool) { return "", false }

func (NoHost) Lines(_, _ string) (text string, ok bool) { return "", false }

func (NoHost) Folder(_, _ string) (text string, ok bool) { return "", false }

func (NoHost) Hinted(_ *Interp, _ *hints.Hint, v Value) (said Value, wrong string) { return v, "" }

func (NoHost) Observed(_ *Interp, _ string, _ syntax.Node, _ *observed.Value, v Value, _ bool) Value {
	return v
}

func (NoHost) UnresolvedCall(_ *Interp, _ string, _ *Args, _ *Cause) {}

func (NoHost) NextItem(_ *Interp, item Value) Value { return item }

func (NoHost) Released(Value) {}

func (NoHost) Binds(Value) {}

func (NoHost) Filled(*Interp, syntax.Node) {}

func (NoHost) Enter(*Interp, syntax.Node, *names.Function, []Value) func(Value) Value { return nil }
