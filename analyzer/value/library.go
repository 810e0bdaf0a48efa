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
	Functions  *library.Registry[Native]
	Constants  *library.Registry[any]
	Decorators *library.Registry[Decorator]
	spaces     *library.Registry[Space]
	families   []func(name string) (Native, bool)
	keeps      []string

	OfText *library.Registry[func(in *Interp, s string, args *Args) Value]
	OfList *library.Registry[func(in *Interp, l *List, args *Args) Value]
	OfDict *library.Registry[func(in *Interp, d *Dict, args *Args) Value]
	OfSet  *library.Registry[func(in *Interp, s *Set, args *Args) Value]
	OfAny  *library.Registry[func(in *Interp, self Value, args *Args) Value]
}

// A Part of a Library is what one package knows.
type Part struct {
	// Functions are builtins under their own names, and others under their full names.
	// families finds those that only a pattern of their names describes.
	Functions library.Table[Native]
	Families  func(name string) (Native, bool)
	// Constants are names that stand for values of Python.
	Constants  library.Table[any]
	Decorators library.Table[Decorator]
	// Spaces are the namespaces whose members the program itself defines, by name.
	Spaces library.Table[Space]
	// Keeps names the variables that the package keeps for a program; see [Interp.Kept].
	Keeps []string

	// The methods of str, list, dict and set, and those behind Python's own syntax,
	// which several types have.
	OfText library.Table[func(in *Interp, s string, args *Args) Value]
	OfList library.Table[func(in *Interp, l *List, args *Args) Value]
	OfDict library.Table[func(in *Interp, d *Dict, args *Args) Value]
	OfSet  library.Table[func(in *Interp, s *Set, args *Args) Value]
	OfAny  library.Table[func(in *Interp, self Value, args *Args) Value]
}

// A Decorator is a library's function that is applied to a function of the program;
// args are those between its own brackets, and args.Node is no call if it has none.
type Decorator func(in *Interp, name string, args *Args, f Value) Value

// A Space reads and sets the members of a namespace such as absl's FLAGS.
type Space struct {
	Get func(in *Interp, name string) Value
	Set func(in *Interp, name string, v Value)
}

// An Adder adds a function under its names.
type Adder func(f func(in *Interp, args *Args) Value, names ...string)

// Adding returns what adds functions to rows; lenient ones take unknown arguments.
func Adding(rows library.Table[Native], lenient bool) Adder {
	return func(f func(in *Interp, args *Args) Value, names ...string) {
		rows.Add(Native{Run: f, TakesUnknown: lenient}, names...)
	}
}

// NewLibrary puts parts together. A name that two of them know is an error.
func NewLibrary(parts ...Part) (*Library, error) {
	l := &Library{}
	for _, p := range parts {
		if p.Families != nil {
			l.families = append(l.families, p.Families)
		}
		l.keeps = append(l.keeps, p.Keeps...)
	}
	return l, errors.Join(
		gather(&l.Functions, parts, func(p Part) library.Table[Native] { return p.Functions }),
		gather(&l.Constants, parts, func(p Part) library.Table[any] { return p.Constants }),
		gather(&l.Decorators, parts, func(p Part) library.Table[Decorator] { return p.Decorators }),
		gather(&l.spaces, parts, func(p Part) library.Table[Space] { return p.Spaces }),
		gather(&l.OfText, parts, func(p Part) library.Table[func(*Interp, string, *Args) Value] { return p.OfText }),
		gather(&l.OfList, parts, func(p Part) library.Table[func(*Interp, *List, *Args) Value] { return p.OfList }),
		gather(&l.OfDict, parts, func(p Part) library.Table[func(*Interp, *Dict, *Args) Value] { return p.OfDict }),
		gather(&l.OfSet, parts, func(p Part) library.Table[func(*Interp, *Set, *Args) Value] { return p.OfSet }),
		gather(&l.OfAny, parts, func(p Part) library.Table[func(*Interp, Value, *Args) Value] { return p.OfAny }),
	)
}

func gather[T any](to **library.Registry[T], parts []Part, of func(Part) library.Table[T]) (err error) {
	tables := make([]library.Table[T], len(parts))
	for i, p := range parts {
		tables[i] = of(p)
	}
	*to, err = library.New(tables...)
	return err
}

// Function returns the modelled function of a name.
func (l *Library) Function(name string) (Native, bool) {
	f, ok := l.Functions.Lookup(name)
	for i := 0; i < len(l.families) && !ok; i++ {
		f, ok = l.families[i](name)
	}
	return f, ok
}

// Space returns the namespace in which a name such as absl.flags.FLAGS.batch_size is,
// and its name there.
func (l *Library) Space(name string) (s Space, inside string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 || l.Functions.Has(name) {
		return s, "", false
	}
	s, ok = l.spaces.Lookup(name[:i])
	return s, name[i+1:], ok
}

// Environ is what the program writes to os.environ, for [Interp.Kept].
const Environ = "os.environ"

// Kept returns the variables that a part of the Library keeps for this program, such as
// the flags that it has defined. Branches change them as they do all variables.
func (in *Interp) Kept(by string) *Namespace { return in.keeps[by] }

// A Native is a modelled function of a [Library].
type Native struct {
	Run func(in *Interp, args *Args) Value
	// TakesUnknown is set if the function can say something about its result even if an
	// argument is unknown.
	TakesUnknown bool
	// Rounds is set if the function only rounds a number, or gives it another type.
	Rounds bool
}
