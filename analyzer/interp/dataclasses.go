package interp

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// fieldDefault returns the default of a field that is read from its class.
func fieldDefault(in *value.Interp, s *value.FieldSpec) (value.Value, bool) {
	switch {
	case s.Value.X != nil:
		return s.Value, true
	case s.Factory.X != nil:
		return Call(in, s.Factory, &value.Args{}), true
	}
	return value.Value{}, false
}

// initializeFields is the __init__ of a dataclass or a named tuple.
func initializeFields(in *value.Interp, o *value.Instance, args *value.Args) value.Value {
	c := o.Class
	used, named := 0, 0
	for _, f := range c.Fields {
		spec, _ := f.Value.X.(*value.FieldSpec)
		passed, byName := args.Keywords.Get(f.Name)
		v := f.Value
		ok := v.X != nil
		if spec != nil {
			v, ok = fieldDefault(in, spec)
			if spec.Inert {
				if ok {
					in.Set(o.Attrs, f.Name, v)
				}
				continue
			}
		}
		switch {
		case used < len(args.Positional):
			v = args.Positional[used]
			used++
		case byName:
			v = passed
			named++
		case args.Open != nil:
			v = value.Value{X: value.Unknown{Cause: args.Open}}
		case !ok:
			return in.Unknown(value.MissingArgument, "%s is made without %s", c.Name, f.Name)
		}
		store(in, o, f.Name, v)
	}
	if used < len(args.Positional) || named < args.Keywords.Len() {
		return in.Unknown(value.MissingArgument, "%s is made with an argument that it does not take", c.Name)
	}
	if _, ok := c.Lookup("__post_init__"); ok {
		if v := CallMethod(in, o, "__post_init__", &value.Args{}); !v.Known() {
			return v
		}
	}
	return value.Value{X: value.None{}}
}

func namedTupleAttr(in *value.Interp, o *value.Instance, name string) value.Value {
	switch name {
	case "_fields":
		return o.Class.FieldNames()
	case "_asdict":
		return value.Value{X: value.Method(func(in *value.Interp, _ *value.Args) value.Value { return o.FieldDict() })}
	}
	return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value { return ReplaceFields(in, o, args) })}
}

// ReplaceFields evaluates dataclasses.replace and _replace.
func ReplaceFields(in *value.Interp, o *value.Instance, args *value.Args) value.Value {
	made := &value.Args{Node: args.Node, Open: args.Open}
	for i, v := range o.FieldValues() {
		made.Keywords.Put(o.Class.Fields[i].Name, v)
	}
	for name, v := range args.Keywords.All() {
		made.Keywords.Put(name, v)
	}
	if o.Class.Tuple {
		return tupleOf(in, o.Class, made)
	}
	return instantiate(in, o.Class, made)
}

// enumerate creates the members of an enumeration.
func enumerate(in *value.Interp, c *value.Class) {
	c.Members = []value.Value{}
	byValue := map[any]value.Value{}
	c.Mixed = c.InheritsAny(func(name string) bool {
		return name == "enum.IntEnum" || name == "enum.StrEnum" || name == "enum.IntFlag" || name == "builtins.int" || name == "builtins.str"
	})
	flags := c.InheritsAny(func(name string) bool { return name == "enum.Flag" || name == "enum.IntFlag" })
	text := c.InheritsAny(func(name string) bool { return name == "enum.StrEnum" })
	last := value.Value{X: int64(0)}
	for _, name := range c.Attrs.Names() {
		v, _ := c.Attrs.Get(name)
		switch v.X.(type) {
		case *value.Func, *value.Property, *value.StaticMethod, *value.ClassMethod:
			continue
		case value.Auto:
			n, _ := last.Int()
			switch {
			case text:
				v = value.Value{X: strings.ToLower(name)}
			case !flags:
				v = value.Value{X: n + 1}
			case n == 0:
				v = value.Value{X: int64(1)}
			default:
				v = value.Value{X: n * 2}
			}
		}
		if strings.HasPrefix(name, "_") {
			continue
		}
		last = v
		if m, ok := memberOfValue(in, c, byValue, v); ok {
			c.Attrs.Put(name, m) // an alias
			continue
		}
		o := &value.Instance{Class: c, Attrs: in.Namespace()}
		o.Attrs.Instance = o
		o.Attrs.Put("_value_", v)
		o.Attrs.Put("_name_", value.Value{X: name})
		o.Attrs.Put("value", v)
		o.Attrs.Put("name", value.Value{X: name})
		if init, ok := c.Lookup("__init__"); ok {
			args := &value.Args{Positional: []value.Value{v}}
			if t, ok := v.X.(value.Tuple); ok {
				args.Positional = t
			}
			callMember(in, value.Value{X: o}, init, args)
		}
		c.Attrs.Put(name, value.Value{X: o})
		c.Members = append(c.Members, value.Value{X: o})
		if key, ok := value.KeyOf(v); ok {
			byValue[key] = value.Value{X: o}
		}
	}
	if len(c.Members) == 0 {
		c.Members = nil // without members it can be a base class
	}
}

// memberOfValue finds the member of an enumeration with a value; byValue indexes
// members whose values can be keys.
func memberOfValue(in *value.Interp, c *value.Class, byValue map[any]value.Value, v value.Value) (value.Value, bool) {
	if key, ok := value.KeyOf(v); ok {
		m, ok := byValue[key]
		return m, ok
	}
	if !in.Followable(v) || !in.Spend(len(c.Members)/4) {
		return value.Value{}, false
	}
	for _, m := range c.Members {
		if same, known := value.Equal(m.X.(*value.Instance).EnumValue(), v, 8); same && known {
			return m, true
		}
	}
	return value.Value{}, false
}

// memberByValue evaluates Color("red").
func memberByValue(in *value.Interp, c *value.Class, args *value.Args) value.Value {
	v, ok := args.Get(0, "value")
	if !ok || !v.Known() {
		return value.Value{X: v.X}
	}
	if !in.Followable(v) || !in.Spend(len(c.Members)/8) {
		return value.TooLarge.Unknown()
	}
	for _, m := range c.Members {
		if m.X == v.X {
			return m
		}
		if same, known := value.Equal(m.X.(*value.Instance).EnumValue(), v, 8); same && known {
			m.Overridable = v.Overridable
			return m
		}
	}
	return in.Unknown(value.UndefinedAttribute, "%s has no member %s", c.Name, Describe(in, v))
}
