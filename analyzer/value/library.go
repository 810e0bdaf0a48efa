package value

import (
	"errors"
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"
)

// A Library is what a program finds without defining it and without a [Host]: Python's
// builtins, the methods of its types, its standard library, and other libraries whose
// results are values of Python, such as argparse's. Each name has one owner.
type Library struct {
	functions  *library.Registry[native]
	constants  *library.Registry[any]
	decorators *library.Registry[decorator]
	spaces     *library.Registry[space]
	families   []func(name string) (native, bool)
	keeps      []string

	ofText *library.Registry[func(in *Interp, s string, args *Args) Value]
	ofList *library.Registry[func(in *Interp, l *List, args *Args) Value]
	ofDict *library.Registry[func(in *Interp, d *Dict, args *Args) Value]
	ofSet  *library.Registry[func(in *Interp, s *Set, args *Args) Value]
	ofAny  *library.Registry[func(in *Interp, self Value, args *Args) Value]
}

// A part of a Library is what one package knows.
type part struct {
	// functions are builtins under their own names, and others under their full names.
	// families finds those that only a pattern of their names describes.
	functions library.Table[native]
	families  func(name string) (native, bool)
	// constants are names that stand for values of Python.
	constants  library.Table[any]
	decorators library.Table[decorator]
	// spaces are the namespaces whose members the program itself defines, by name.
	spaces library.Table[space]
	// keeps names the variables that the package keeps for a program; see [Interp.kept].
	keeps []string

	// The methods of str, list, dict and set, and those behind Python's own syntax,
	// which several types have.
	ofText library.Table[func(in *Interp, s string, args *Args) Value]
	ofList library.Table[func(in *Interp, l *List, args *Args) Value]
	ofDict library.Table[func(in *Interp, d *Dict, args *Args) Value]
	ofSet  library.Table[func(in *Interp, s *Set, args *Args) Value]
	ofAny  library.Table[func(in *Interp, self Value, args *Args) Value]
}

// A decorator is a library's function that is applied to a function of the program;
// args are those between its own brackets, and args.Node is no call if it has none.
type decorator func(in *Interp, name string, args *Args, f Value) Value

// A space reads and sets the members of a namespace such as absl's FLAGS.
type space struct {
	get func(in *Interp, name string) Value
	set func(in *Interp, name string, v Value)
}

// An adder adds a function under its names.
type adder func(f func(in *Interp, args *Args) Value, names ...string)

// adding returns what adds functions to rows; lenient ones take unknown arguments.
func adding(rows library.Table[native], lenient bool) adder {
	return func(f func(in *Interp, args *Args) Value, names ...string) {
		rows.Add(native{run: f, takesUnknown: lenient}, names...)
	}
}

// newLibrary puts parts together. A name that two of them know is an error.
func newLibrary(parts ...part) (*Library, error) {
	l := &Library{}
	for _, p := range parts {
		if p.families != nil {
			l.families = append(l.families, p.families)
		}
		l.keeps = append(l.keeps, p.keeps...)
	}
	return l, errors.Join(
		gather(&l.functions, parts, func(p part) library.Table[native] { return p.functions }),
		gather(&l.constants, parts, func(p part) library.Table[any] { return p.constants }),
		gather(&l.decorators, parts, func(p part) library.Table[decorator] { return p.decorators }),
		gather(&l.spaces, parts, func(p part) library.Table[space] { return p.spaces }),
		gather(&l.ofText, parts, func(p part) library.Table[func(*Interp, string, *Args) Value] { return p.ofText }),
		gather(&l.ofList, parts, func(p part) library.Table[func(*Interp, *List, *Args) Value] { return p.ofList }),
		gather(&l.ofDict, parts, func(p part) library.Table[func(*Interp, *Dict, *Args) Value] { return p.ofDict }),
		gather(&l.ofSet, parts, func(p part) library.Table[func(*Interp, *Set, *Args) Value] { return p.ofSet }),
		gather(&l.ofAny, parts, func(p part) library.Table[func(*Interp, Value, *Args) Value] { return p.ofAny }),
	)
}

func gather[T any](to **library.Registry[T], parts []part, of func(part) library.Table[T]) (err error) {
	tables := make([]library.Table[T], len(parts))
	for i, p := range parts {
		tables[i] = of(p)
	}
	*to, err = library.New(tables...)
	return err
}

// function returns the modelled function of a name.
func (l *Library) function(name string) (native, bool) {
	f, ok := l.functions.Lookup(name)
	for i := 0; i < len(l.families) && !ok; i++ {
		f, ok = l.families[i](name)
	}
	return f, ok
}

// space returns the namespace in which a name such as absl.flags.FLAGS.batch_size is,
// and its name there.
func (l *Library) space(name string) (s space, inside string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 || l.functions.Has(name) {
		return s, "", false
	}
	s, ok = l.spaces.Lookup(name[:i])
	return s, name[i+1:], ok
}

// kept returns the variables that a part of the Library keeps for this program, such as
// the flags that it has defined. Branches change them as they do all variables.
func (in *Interp) kept(by string) *Namespace { return in.keeps[by] }
