package value

import (
	"iter"
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Namespace holds values by name, in insertion order: the variables of a module,
// class or call, or the attributes of an object.
type Namespace struct {
	names    []string
	Values   []Value        // a removed name has an empty value until compact
	gaps     int            // how many names were removed
	index    map[string]int // of names, once there are many
	born     int            // creation time, by Interp.serial
	Instance *Instance      // the instance whose attributes these are, if any
}

// Few is how many names are searched linearly before an index is built.
const Few = 8

// Namespace creates a namespace.
func (in *Interp) Namespace() *Namespace {
	in.serial++
	return &Namespace{born: in.serial}
}

func (ns *Namespace) find(name string) int {
	if ns.index != nil {
		if i, ok := ns.index[name]; ok {
			return i
		}
		return -1
	}
	return slices.Index(ns.names, name)
}

// Get returns the value of a name.
func (ns *Namespace) Get(name string) (Value, bool) {
	if i := ns.find(name); i >= 0 {
		return ns.Values[i], true
	}
	return Value{}, false
}

// Len returns the number of names, with those that were unbound since.
func (ns *Namespace) Len() int { return len(ns.names) }

// Names returns the names that have a value, in insertion order.
func (ns *Namespace) Names() []string {
	names := make([]string, 0, len(ns.names)-ns.gaps)
	for name := range ns.All() {
		names = append(names, name)
	}
	return names
}

// All yields the names that have a value, with their values, in insertion order.
func (ns *Namespace) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for i, name := range ns.names {
			if ns.Values[i].X != nil && !yield(name, ns.Values[i]) {
				return
			}
		}
	}
}

// Put binds a name; the empty Value unbinds it.
func (ns *Namespace) Put(name string, v Value) {
	if v.X == nil {
		ns.remove(name)
		return
	}
	if i := ns.find(name); i >= 0 {
		ns.Values[i] = v
		return
	}
	ns.names, ns.Values = append(ns.names, name), append(ns.Values, v)
	if ns.index != nil {
		ns.index[name] = len(ns.names) - 1
	} else if len(ns.names) > Few {
		ns.reindex()
	}
}

func (ns *Namespace) remove(name string) {
	i := ns.find(name)
	if i < 0 {
		return
	}
	if ns.index == nil {
		ns.names, ns.Values = slices.Delete(ns.names, i, i+1), slices.Delete(ns.Values, i, i+1)
		return
	}
	delete(ns.index, name)
	ns.Values[i] = Value{}
	if ns.gaps++; ns.gaps > len(ns.names)/2 {
		ns.compact()
	}
}

// compact closes the gaps left by removed names.
func (ns *Namespace) compact() {
	kept := 0
	for i, v := range ns.Values {
		if v.X != nil {
			ns.names[kept], ns.Values[kept] = ns.names[i], v
			kept++
		}
	}
	clear(ns.Values[kept:])
	ns.names, ns.Values, ns.gaps = ns.names[:kept], ns.Values[:kept], 0
	ns.reindex()
}

func (ns *Namespace) reindex() {
	ns.index = make(map[string]int, 2*len(ns.names))
	for i, name := range ns.names {
		ns.index[name] = i
	}
}

// A Frame is a scope in which code runs: a module, a class body, a call or a
// comprehension.
type Frame struct {
	Stars  []string     // libraries from which a module imports all names
	Info   *names.Info  // name resolution of its module
	Scope  *names.Scope // the scope of its bindings; nil for a comprehension
	Module *Frame
	Outer  *Frame // the enclosing frame in the text; nil for a module
	Vars   *Namespace
	Caller *Frame // the frame of the code that called the running function

	Call          *Func       // the running function; nil for anything else
	Site          syntax.Node // the call that runs it, if one does
	Self          Value       // its first argument
	Class         bool        // it is a class body
	Building      *Class
	Comprehension bool

	Elsewhere map[string]*Namespace // namespaces of the names declared global or nonlocal
	Result    Value                 // value of the last return
	Fallback  []Value               // return values with another default
	Open      []PendingExit         // ways in which it may have ended already
	Yields    *List                 // of a generator
	Yielded   Value                 // what it yields first, also if it is not known that it does
	Fields    []Field               // annotated names of a class
}

// Led is the innermost call of the main module that led to the code that runs, through functions of
// other modules; none if it stands in the main module, or no call of that leads to it.
func (in *Interp) Led() (site syntax.Node) {
	for f := in.Frame; f != nil; {
		switch {
		case f.Info == in.Main.Info:
			return site
		case f.Call != nil:
			site, f = f.Site, f.Caller
		default:
			f = f.Outer // the body of a class, a comprehension
		}
	}
	return syntax.Node{}
}

// InFrame runs something in another frame.
func (in *Interp) InFrame(f *Frame, run func()) {
	old := in.Frame
	in.Frame = f
	run()
	in.Frame = old
}

// Lookup finds the value of a name at the current point of the program.
func (in *Interp) Lookup(name string) (Value, bool) {
	for f := in.Frame; f != nil; f = f.Outer {
		if f.Class && f != in.Frame {
			continue // methods do not see the names of their class
		}
		if space := f.Elsewhere[name]; space != nil {
			return space.Get(name)
		}
		if v, ok := f.Vars.Get(name); ok {
			return v, true
		}
	}
	return in.builtin(name)
}

// Home returns the namespace in which the running code binds a name.
func (in *Interp) Home(name string) *Namespace {
	f := in.Frame
	for f.Comprehension { // only := binds inside one
		f = f.Outer
	}
	if space := f.Elsewhere[name]; space != nil {
		return space
	}
	return f.Vars
}

// Bind binds a name in the running code.
func (in *Interp) Bind(name string, v Value) {
	home := in.Home(name)
	if in.HostMuted == 0 {
		if old, ok := home.Get(name); ok {
			in.Host.Released(old)
		}
		in.Host.Binds(v)
	}
	in.Set(home, name, v)
}

// Declare records a global or nonlocal statement.
func (in *Interp) Declare(n syntax.Node) {
	f := in.Frame
	for c := range n.Children() {
		if c.Kind() != syntax.Identifier {
			continue
		}
		name, space := c.Text(), f.Module.Vars
		if n.Kind() == syntax.NonlocalStatement {
			for o := f.Outer; o != nil; o = o.Outer {
				if _, ok := o.Vars.Get(name); ok && !o.Class {
					space = o.Vars
					break
				}
			}
		}
		if f.Elsewhere == nil {
			f.Elsewhere = map[string]*Namespace{}
		}
		f.Elsewhere[name] = space
	}
}
