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

	mro     []Value // method resolution order: the class itself and its ancestors
	fields  []field // of a dataclass or named tuple
	tuple   bool    // a named tuple
	members []Value // of an enumeration
	mixed   bool    // an enumeration whose members are also numbers or texts
	made    bool    // by dataclasses.dataclass
}

// A field of a dataclass, with its default if it has one.
type field struct {
	name  string
	value Value
}

type (
	staticMethod struct{ f Value }
	classMethod  struct{ f Value }
	property     struct{ get, set Value }
)

// lookup finds a name in a class and in the program's classes that it inherits from.
func (c *Class) lookup(name string) (Value, bool) {
	for _, k := range c.mro {
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

func isEnum(name string) bool { return strings.HasPrefix(name, "enum.") }

// libraryBases returns the library classes that a class inherits from, in order of
// lookup, without the inert ones.
func (c *Class) libraryBases() []string {
	var out []string
	for _, k := range c.mro {
		if x, ok := k.X.(External); ok && !inert[x.Name] && !isEnum(x.Name) {
			out = append(out, x.Name)
		}
	}
	return out
}

// Inherits reports whether a class inherits from the library class of that name.
func (c *Class) Inherits(name string) bool {
	return c.inheritsAny(func(base string) bool { return isSubclass(base, name) })
}

// open says why there may be unknown base classes, or is nil.
func (c *Class) open() *Cause {
	for _, k := range c.mro {
		if why := k.Cause(); why != nil {
			return why
		}
	}
	if bases := c.libraryBases(); len(bases) > 0 {
		return Because(ExternalName, "an attribute of %s, which is not in this program", bases[0])
	}
	return nil
}

// class evaluates a class definition.
func (in *Interp) class(n syntax.Node) Value {
	c := &Class{Name: n.Child(syntax.FieldName).Text(), Node: n, Attrs: in.namespace()}
	if bases := n.Child(syntax.FieldSuperclasses); bases.Valid() {
		for b := range bases.Children() {
			if !b.Is(syntax.KeywordArgument, syntax.Comment, syntax.ListSplat, syntax.DictionarySplat) {
				base := in.Eval(b)
				switch base.X.(type) {
				case *Class, External, Unknown:
				default:
					base = in.Unknown(UnmodelledPython, "the base %s of %s", b.Text(), c.Name)
				}
				c.Bases = append(c.Bases, Value{X: base.X})
			}
		}
	}
	if !in.linearizable(c) {
		c.Bases = []Value{in.Unknown(TooLong, "%s inherits from more than %d classes", c.Name, maxBases)}
	}
	c.linearize()
	def := in.frame.info.ClassAt(n)
	if def == nil {
		return in.Unknown(UnmodelledPython, "the class on line %d", in.line(n))
	}
	body := &frame{info: in.frame.info, scope: def.Scope, module: in.frame.module, outer: in.frame, vars: c.Attrs, class: true, building: c}
	in.inFrame(body, func() {
		in.closeExits(body, 0, in.block(n.Child(syntax.FieldBody)))
	})
	switch {
	case c.inheritsAny(isEnum):
		in.enumerate(c)
	case c.named() != nil: // names annotated in its body are not fields
		c.fields, c.tuple = c.named().fields, true
	case c.Inherits("typing.NamedTuple"):
		c.fields, c.tuple = body.fields, true
	default:
		c.annotated(body.fields)
	}
	in.announce(c, n.Child(syntax.FieldSuperclasses))
	return Value{X: c}
}

// announce calls the __init_subclass__ that a class inherits, which programs use to
// fill registries.
func (in *Interp) announce(c *Class, bases syntax.Node) {
	for _, k := range c.mro[1:] {
		k, ok := k.X.(*Class)
		if !ok {
			continue
		}
		if hook, ok := k.Attrs.Get("__init_subclass__"); ok {
			args := &Args{Node: c.Node}
			for b := range bases.Children() {
				switch {
				case b.Is(syntax.DictionarySplat):
					args.Open = Because(UnmodelledPython, "the arguments of class %s", c.Name)
				case b.Is(syntax.KeywordArgument) && b.Child(syntax.FieldName).Text() != "metaclass":
					args.Keywords.Put(b.Child(syntax.FieldName).Text(), in.Eval(b.Child(syntax.FieldValue)))
				}
			}
			if f, ok := hook.X.(*Func); ok {
				hook = Value{X: &classMethod{f: Value{X: f}}}
			}
			in.Call(in.bound(Value{X: c}, hook), args)
			return
		}
	}
}

// named returns the named tuple that a class inherits from, or nil.
func (c *Class) named() *Class {
	for _, k := range c.mro[1:] {
		if k, ok := k.X.(*Class); ok && k.tuple {
			return k
		}
	}
	return nil
}

// inheritsAny reports whether one of the library classes that a class inherits from is such.
func (c *Class) inheritsAny(is func(string) bool) bool {
	return slices.ContainsFunc(c.mro, func(k Value) bool { x, ok := k.X.(External); return ok && is(x.Name) })
}

// maxBases limits the number of ancestors of a class: each attribute lookup visits
// them.
const maxBases = 64

// linearizable reports whether a class has few enough ancestors to order them, which
// compares each with every other.
func (in *Interp) linearizable(c *Class) bool {
	n := len(c.Bases)
	for _, b := range c.Bases {
		if k, ok := b.X.(*Class); ok {
			n += len(k.mro)
		}
	}
	return n <= maxBases && in.Spend(n/2) && (len(c.Bases) == 1 || in.Spend(n*n/64))
}

// linearize computes the method resolution order by Python's C3 algorithm; if that
// fails, it orders the ancestors depth first.
func (c *Class) linearize() {
	if len(c.Bases) == 1 {
		c.mro = append(c.mro, Value{X: c}, c.Bases[0])
		if k, ok := c.Bases[0].X.(*Class); ok {
			c.mro = append(c.mro[:1], k.mro...)
		}
		return
	}
	var lists [][]Value
	for _, b := range c.Bases {
		if k, ok := b.X.(*Class); ok {
			lists = append(lists, slices.Clone(k.mro))
		} else {
			lists = append(lists, []Value{b})
		}
	}
	lists = append(lists, slices.Clone(c.Bases))
	c.mro = []Value{{X: c}}
	isTail := func(v Value) bool {
		return slices.ContainsFunc(lists, func(l []Value) bool { return len(l) > 0 && indexOf(l[1:], v) >= 0 })
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
		c.mro = append(c.mro, head)
		for i, l := range lists {
			if at := indexOf(l, head); at >= 0 {
				lists[i] = slices.Delete(l, at, at+1)
			}
		}
	}
}

// indexOf returns the place of a value that is v itself, or -1.
func indexOf(values []Value, v Value) int {
	return slices.IndexFunc(values, func(o Value) bool { return comparableType(o.X) && comparableType(v.X) && o.X == v.X })
}

// annotated records the annotated names of a class. dataclasses.dataclass decides what
// they mean.
func (c *Class) annotated(own []field) {
	for i := len(c.mro) - 1; i > 0; i-- {
		if k, ok := c.mro[i].X.(*Class); ok {
			for _, f := range k.fields {
				c.addField(f)
			}
		}
	}
	for _, f := range own {
		c.addField(f)
	}
}

func (c *Class) addField(f field) {
	if i := slices.IndexFunc(c.fields, func(o field) bool { return o.name == f.name }); i >= 0 {
		c.fields[i] = f
		return
	}
	c.fields = append(c.fields, f)
}
