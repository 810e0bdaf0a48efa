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
	values   []Value        // a removed name has an empty value until compact
	gaps     int            // how many names were removed
	index    map[string]int // of names, once there are many
	born     int            // creation time, by Interp.serial
	instance *Instance      // the instance whose attributes these are, if any
}

// few is how many names are searched linearly before an index is built.
const few = 8

// namespace creates a namespace.
func (in *Interp) namespace() *Namespace {
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
		return ns.values[i], true
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
			if ns.values[i].X != nil && !yield(name, ns.values[i]) {
				return
			}
		}
	}
}

// put binds a name; the empty Value unbinds it.
func (ns *Namespace) put(name string, v Value) {
	if v.X == nil {
		ns.remove(name)
		return
	}
	if i := ns.find(name); i >= 0 {
		ns.values[i] = v
		return
	}
	ns.names, ns.values = append(ns.names, name), append(ns.values, v)
	if ns.index != nil {
		ns.index[name] = len(ns.names) - 1
	} else if len(ns.names) > few {
		ns.reindex()
	}
}

func (ns *Namespace) remove(name string) {
	i := ns.find(name)
	if i < 0 {
		return
	}
	if ns.index == nil {
		ns.names, ns.values = slices.Delete(ns.names, i, i+1), slices.Delete(ns.values, i, i+1)
		return
	}
	delete(ns.index, name)
	ns.values[i] = Value{}
	if ns.gaps++; ns.gaps > len(ns.names)/2 {
		ns.compact()
	}
}

// compact closes the gaps left by removed names.
func (ns *Namespace) compact() {
	kept := 0
	for i, v := range ns.values {
		if v.X != nil {
			ns.names[kept], ns.values[kept] = ns.names[i], v
			kept++
		}
	}
	clear(ns.values[kept:])
	ns.names, ns.values, ns.gaps = ns.names[:kept], ns.values[:kept], 0
	ns.reindex()
}

func (ns *Namespace) reindex() {
	ns.index = make(map[string]int, 2*len(ns.names))
	for i, name := range ns.names {
		ns.index[name] = i
	}
}

// A frame is a scope in which code runs: a module, a class body, a call or a
// comprehension.
type frame struct {
	stars  []string     // libraries from which a module imports all names
	info   *names.Info  // name resolution of its module
	scope  *names.Scope // the scope of its bindings; nil for a comprehension
	module *frame
	outer  *frame // the enclosing frame in the text; nil for a module
	vars   *Namespace

	call          *Func // the running function; nil for anything else
	self          Value // its first argument
	class         bool  // it is a class body
	building      *Class
	comprehension bool

	elsewhere map[string]*Namespace // namespaces of the names declared global or nonlocal
	result    Value                 // value of the last return
	fallback  []Value               // return values with another default
	open      []pendingExit         // ways in which it may have ended already
	yields    *List                 // of a generator
	fields    []field               // annotated names of a class
}

// inFrame runs something in another frame.
func (in *Interp) inFrame(f *frame, run func()) {
	old := in.frame
	in.frame = f
	run()
	in.frame = old
}

// lookup finds the value of a name at the current point of the program.
func (in *Interp) lookup(name string) (Value, bool) {
	for f := in.frame; f != nil; f = f.outer {
		if f.class && f != in.frame {
			continue // methods do not see the names of their class
		}
		if space := f.elsewhere[name]; space != nil {
			return space.Get(name)
		}
		if v, ok := f.vars.Get(name); ok {
			return v, true
		}
	}
	return in.builtin(name)
}

// name evaluates an identifier.
func (in *Interp) name(n syntax.Node) Value {
	name := n.Text()
	if v, ok := in.lookup(name); ok {
		return v
	}
	if n.Tree() == in.frame.info.Tree {
		if q := in.frame.info.Qualified(n); q != "" {
			return in.external(q)
		}
	}
	return in.Unknown(UndefinedName, "%s, which nothing here gives a value", name)
}

// home returns the namespace in which the running code binds a name.
func (in *Interp) home(name string) *Namespace {
	f := in.frame
	for f.comprehension { // only := binds inside one
		f = f.outer
	}
	if space := f.elsewhere[name]; space != nil {
		return space
	}
	return f.vars
}

// bind binds a name in the running code.
func (in *Interp) bind(name string, v Value) {
	home := in.home(name)
	if in.hostMuted == 0 {
		if old, ok := home.Get(name); ok {
			in.host.Released(old)
		}
		in.host.Binds(v)
	}
	in.set(home, name, v)
}

// declare records a global or nonlocal statement.
func (in *Interp) declare(n syntax.Node) {
	f := in.frame
	for c := range n.Children() {
		if c.Kind() != syntax.Identifier {
			continue
		}
		name, space := c.Text(), f.module.vars
		if n.Kind() == syntax.NonlocalStatement {
			for o := f.outer; o != nil; o = o.outer {
				if _, ok := o.vars.Get(name); ok && !o.class {
					space = o.vars
					break
				}
			}
		}
		if f.elsewhere == nil {
			f.elsewhere = map[string]*Namespace{}
		}
		f.elsewhere[name] = space
	}
}
