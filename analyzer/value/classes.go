package value

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Class is a class of the program.
type Class struct {
	Name  string
	Node  syntax.Node
	Bases []Value // *Class, External, or Unknown
	Attrs *Namespace

	Mro     []Value // method resolution order: the class itself and its ancestors
	Fields  []Field // of a dataclass or named tuple
	Tuple   bool    // a named tuple
	Members []Value // of an enumeration
	Mixed   bool    // an enumeration whose members are also numbers or texts
	Made    bool    // by dataclasses.dataclass
}

// A Field of a dataclass, with its default if it has one.
type Field struct {
	Name  string
	Value Value
}

// Lookup finds a name in a class and in the program's classes that it inherits from.
func (c *Class) Lookup(name string) (Value, bool) {
	for _, k := range c.Mro {
		if k, ok := k.X.(*Class); ok {
			if v, ok := k.Attrs.Get(name); ok {
				return v, true
			}
		}
	}
	return Value{}, false
}

// inert are library classes whose members do not matter here.
var inert = map[string]bool{
	"builtins.object": true, "abc.ABC": true, "typing.Generic": true, "typing.Protocol": true, "typing.NamedTuple": true,
}

func IsEnum(name string) bool { return strings.HasPrefix(name, "enum.") }

// LibraryBases returns the library classes that a class inherits from, in order of
// lookup, without the inert ones.
func (c *Class) LibraryBases() []string {
	var out []string
	for _, k := range c.Mro {
		if x, ok := k.X.(External); ok && !inert[x.Name] && !IsEnum(x.Name) {
			out = append(out, x.Name)
		}
	}
	return out
}

// Inherits reports whether a class inherits from the library class of that name.
func (c *Class) Inherits(name string) bool {
	return c.InheritsAny(func(base string) bool { return IsSubclass(base, name) })
}

// Open says why there may be unknown base classes, or is nil.
func (c *Class) Open() *Cause {
	for _, k := range c.Mro {
		if why := k.Cause(); why != nil {
			return why
		}
	}
	if bases := c.LibraryBases(); len(bases) > 0 {
		return Because(ExternalName, "%s is not in this program", bases[0])
	}
	return nil
}

// Named returns the named tuple that a class inherits from, or nil.
func (c *Class) Named() *Class {
	for _, k := range c.Mro[1:] {
		if k, ok := k.X.(*Class); ok && k.Tuple {
			return k
		}
	}
	return nil
}

// InheritsAny reports whether one of the library classes that a class inherits from is such.
func (c *Class) InheritsAny(is func(string) bool) bool {
	return slices.ContainsFunc(c.Mro, func(k Value) bool { x, ok := k.X.(External); return ok && is(x.Name) })
}

// Linearize computes the method resolution order by Python's C3 algorithm; if that
// fails, it orders the ancestors depth first.
func (c *Class) Linearize() {
	if len(c.Bases) == 1 {
		c.Mro = append(c.Mro, Value{X: c}, c.Bases[0])
		if k, ok := c.Bases[0].X.(*Class); ok {
			c.Mro = append(c.Mro[:1], k.Mro...)
		}
		return
	}
	var lists [][]Value
	for _, b := range c.Bases {
		if k, ok := b.X.(*Class); ok {
			lists = append(lists, slices.Clone(k.Mro))
		} else {
			lists = append(lists, []Value{b})
		}
	}
	lists = append(lists, slices.Clone(c.Bases))
	c.Mro = []Value{{X: c}}
	isTail := func(v Value) bool {
		return slices.ContainsFunc(lists, func(l []Value) bool { return len(l) > 0 && IndexOf(l[1:], v) >= 0 })
	}
	for {
		lists = slices.DeleteFunc(lists, func(l []Value) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return
		}
		head := lists[0][0]
		for _, l := range lists {
			if !isTail(l[0]) {
				head = l[0]
				break
			}
		}
		c.Mro = append(c.Mro, head)
		for i, l := range lists {
			if at := IndexOf(l, head); at >= 0 {
				lists[i] = slices.Delete(l, at, at+1)
			}
		}
	}
}

// IndexOf returns the place of a value that is v itself, or -1.
func IndexOf(values []Value, v Value) int {
	return slices.IndexFunc(values, func(o Value) bool { return ComparableType(o.X) && ComparableType(v.X) && o.X == v.X })
}

// Annotated records the annotated names of a class. dataclasses.dataclass decides what
// they mean.
func (c *Class) Annotated(own []Field) {
	for i := len(c.Mro) - 1; i > 0; i-- {
		if k, ok := c.Mro[i].X.(*Class); ok {
			for _, f := range k.Fields {
				c.addField(f)
			}
		}
	}
	for _, f := range own {
		c.addField(f)
	}
}

func (c *Class) addField(f Field) {
	if i := slices.IndexFunc(c.Fields, func(o Field) bool { return o.Name == f.Name }); i >= 0 {
		c.Fields[i] = f
		return
	}
	c.Fields = append(c.Fields, f)
}

// A FieldSpec is the result of dataclasses.field.
type FieldSpec struct {
	Value, Factory Value
	Inert          bool // not a parameter of __init__
}

// Dataclass reports whether dataclasses.dataclass was applied to a class or to one of
// its ancestors. Its fields are the annotated names of all of them.
func (c *Class) Dataclass() bool {
	return slices.ContainsFunc(c.Mro, func(k Value) bool { k2, ok := k.X.(*Class); return ok && k2.Made })
}

// Generated reports whether dataclasses.dataclass generated the __init__ of a class,
// for the class itself or for its first ancestor that has one.
func (c *Class) Generated() bool {
	for _, k := range c.Mro {
		if k, ok := k.X.(*Class); ok {
			if _, own := k.Attrs.Get("__init__"); own {
				return false
			}
			if k.Made {
				return true
			}
		}
	}
	return false
}

// FieldNames returns the names of the fields of a dataclass or named tuple.
func (c *Class) FieldNames() Value {
	var names Tuple
	for _, f := range c.Fields {
		names = append(names, Value{X: f.Name})
	}
	return Value{X: names}
}

// Auto is the value of enum.auto().
type Auto struct{}

// Plain returns the number or text that a member of a mixed enumeration counts as, and
// the dict or list behind an instance of a subclass.
func Plain(v Value) Value {
	if o, ok := v.X.(*Instance); ok && o.Class.Mixed {
		p := o.EnumValue()
		p.Overridable = v.Overridable
		return p
	}
	return Held(v)
}
