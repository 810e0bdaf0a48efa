package interp

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// class evaluates a class definition.
func class(in *value.Interp, n syntax.Node) value.Value {
	c := &value.Class{Name: n.Child(syntax.FieldName).Text(), Node: n, Attrs: in.Namespace()}
	if bases := n.Child(syntax.FieldSuperclasses); bases.Valid() {
		for b := range bases.Children() {
			if !b.Is(syntax.KeywordArgument, syntax.Comment, syntax.ListSplat, syntax.DictionarySplat) {
				base := Eval(in, b)
				switch base.X.(type) {
				case *value.Class, value.External, value.Unknown:
				default:
					base = in.Unknown(value.UnmodelledPython, "the base %s of %s", b.Text(), c.Name)
				}
				c.Bases = append(c.Bases, value.Value{X: base.X})
			}
		}
	}
	if !linearizable(in, c) {
		c.Bases = []value.Value{in.Unknown(value.TooLong, "%s inherits from more than %d classes", c.Name, maxBases)}
	}
	c.Linearize()
	def := in.Frame.Info.ClassAt(n)
	if def == nil {
		return in.Unknown(value.UnmodelledPython, "the class on line %d", in.Line(n))
	}
	body := &value.Frame{Info: in.Frame.Info, Scope: def.Scope, Module: in.Frame.Module, Outer: in.Frame, Vars: c.Attrs, Class: true, Building: c}
	in.InFrame(body, func() {
		in.CloseExits(body, 0, block(in, n.Child(syntax.FieldBody)))
	})
	switch {
	case c.InheritsAny(value.IsEnum):
		enumerate(in, c)
	case c.Named() != nil: // names annotated in its body are not fields
		c.Fields, c.Tuple = c.Named().Fields, true
	case c.Inherits("typing.NamedTuple"):
		c.Fields, c.Tuple = body.Fields, true
	default:
		c.Annotated(body.Fields)
	}
	announce(in, c, n.Child(syntax.FieldSuperclasses))
	return value.Value{X: c}
}

// announce calls the __init_subclass__ that a class inherits, which programs use to
// fill registries.
func announce(in *value.Interp, c *value.Class, bases syntax.Node) {
	for _, k := range c.Mro[1:] {
		k, ok := k.X.(*value.Class)
		if !ok {
			continue
		}
		if hook, ok := k.Attrs.Get("__init_subclass__"); ok {
			args := &value.Args{Node: c.Node}
			for b := range bases.Children() {
				switch {
				case b.Is(syntax.DictionarySplat):
					args.Open = value.Because(value.UnmodelledPython, "the arguments of class %s", c.Name)
				case b.Is(syntax.KeywordArgument) && b.Child(syntax.FieldName).Text() != "metaclass":
					args.Keywords.Put(b.Child(syntax.FieldName).Text(), Eval(in, b.Child(syntax.FieldValue)))
				}
			}
			if f, ok := hook.X.(*value.Func); ok {
				hook = value.Value{X: &value.ClassMethod{F: value.Value{X: f}}}
			}
			Call(in, bound(in, value.Value{X: c}, hook), args)
			return
		}
	}
}

// maxBases limits the number of ancestors of a class: each attribute lookup visits
// them.
const maxBases = 64

// linearizable reports whether a class has few enough ancestors to order them, which
// compares each with every other.
func linearizable(in *value.Interp, c *value.Class) bool {
	n := len(c.Bases)
	for _, b := range c.Bases {
		if k, ok := b.X.(*value.Class); ok {
			n += len(k.Mro)
		}
	}
	return n <= maxBases && in.Spend(n/2) && (len(c.Bases) == 1 || in.Spend(n*n/64))
}

// TypeOf evaluates type(v).
func TypeOf(in *value.Interp, v value.Value) value.Value {
	switch x := v.X.(type) {
	case *value.Instance:
		return value.Value{X: x.Class}
	case value.Unknown:
		return value.Value{X: x}
	}
	if name := value.TypeName(v); value.BuiltinTypes[name] || name == "NoneType" {
		return value.Value{X: value.External{Name: "builtins." + name}}
	}
	if x, ok := v.X.(value.Object); ok {
		if class, ok := x.GetAttr(in, "__class__"); ok && class.Known() {
			return class
		}
	}
	if foreign(in, v) {
		return value.Value{X: value.ForeignType{Of: CauseOf(in, v).String()}}
	}
	return in.Unknown(value.WrongType, "the type of %s", Describe(in, v))
}

// foreign reports whether a value is not an instance of Python's own types.
func foreign(in *value.Interp, v value.Value) bool {
	if _, ok := v.X.(value.Object); !ok {
		return false
	}
	for _, name := range [...]string{"int", "float", "bool", "str", "list", "tuple", "dict", "set"} {
		if truth, known := value.Isinstance(v, value.Value{X: value.External{Name: "builtins." + name}}); truth || !known {
			return false
		}
	}
	return true
}
