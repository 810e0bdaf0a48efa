package value

import (
	"slices"
	"strings"
)

// A fieldSpec is the result of dataclasses.field.
type fieldSpec struct {
	value, factory Value
	inert          bool // not a parameter of __init__
}

func dataclassField(in *Interp, args *Args) Value {
	s := &fieldSpec{}
	s.value = args.Keywords.Value("default")
	s.factory = args.Keywords.Value("default_factory")
	init, ok := args.Keywords.Get("init")
	s.inert = ok && init.X == false
	return Value{X: s}
}

// dataclass reports whether dataclasses.dataclass was applied to a class or to one of
// its ancestors. Its fields are the annotated names of all of them.
func (c *Class) dataclass() bool {
	return slices.ContainsFunc(c.mro, func(k Value) bool { k2, ok := k.X.(*Class); return ok && k2.made })
}

// generated reports whether dataclasses.dataclass generated the __init__ of a class,
// for the class itself or for its first ancestor that has one.
func (c *Class) generated() bool {
	for _, k := range c.mro {
		if k, ok := k.X.(*Class); ok {
			if _, own := k.Attrs.Get("__init__"); own {
				return false
			}
			if k.made {
				return true
			}
		}
	}
	return false
}

// fieldDefault returns the default of a field that is read from its class.
func (in *Interp) fieldDefault(s *fieldSpec) (Value, bool) {
	switch {
	case s.value.X != nil:
		return s.value, true
	case s.factory.X != nil:
		return in.Call(s.factory, &Args{}), true
	}
	return Value{}, false
}

// initializeFields is the __init__ of a dataclass or a named tuple.
func (in *Interp) initializeFields(o *Instance, args *Args) Value {
	c := o.Class
	used, named := 0, 0
	for _, f := range c.fields {
		spec, _ := f.value.X.(*fieldSpec)
		passed, byName := args.Keywords.Get(f.name)
		v := f.value
		ok := v.X != nil
		if spec != nil {
			v, ok = in.fieldDefault(spec)
			if spec.inert {
				if ok {
					in.set(o.Attrs, f.name, v)
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
			v = Value{X: Unknown{args.Open}}
		case !ok:
			return in.Unknown(MissingArgument, "%s is made without %s", c.Name, f.name)
		}
		in.store(o, f.name, v)
	}
	if used < len(args.Positional) || named < args.Keywords.Len() {
		return in.Unknown(MissingArgument, "%s is made with an argument that it does not take", c.Name)
	}
	if _, ok := c.lookup("__post_init__"); ok {
		if v := in.CallMethod(o, "__post_init__", &Args{}); !v.Known() {
			return v
		}
	}
	return Value{X: None{}}
}

// fieldValues returns the values of the fields of a dataclass or named tuple.
func (o *Instance) fieldValues() []Value {
	out := make([]Value, len(o.Class.fields))
	for i, f := range o.Class.fields {
		out[i], _ = o.Attrs.Get(f.name)
	}
	return out
}

// fieldNames returns the names of the fields of a dataclass or named tuple.
func (c *Class) fieldNames() Value {
	var names Tuple
	for _, f := range c.fields {
		names = append(names, Value{X: f.name})
	}
	return Value{X: names}
}

func equalFields(a, b *Instance, depth int) (truth, known bool) {
	return equalItems(a.fieldValues(), b.fieldValues(), depth)
}

// namedTuple evaluates collections.namedtuple and typing.NamedTuple.
func namedTuple(in *Interp, args *Args) Value {
	name, _ := args.Get(0, "typename")
	names, ok := args.Get(1, "field_names")
	if !ok {
		return in.Unknown(MissingArgument, "a named tuple without names")
	}
	c := &Class{Attrs: in.namespace(), tuple: true}
	c.Name, _ = name.X.(string)
	c.mro = []Value{{X: c}}
	var fields []string
	if s, ok := names.X.(string); ok {
		fields = strings.Fields(strings.ReplaceAll(s, ",", " "))
	} else {
		items, ok := in.Iterate(names)
		if !ok {
			return Value{X: Unknown{in.whyNotIterable(names)}}
		}
		for _, v := range items {
			if pair, ok := sequenceOf(v); ok && len(pair) > 0 { // a (name, type) pair of typing.NamedTuple
				v = pair[0]
			}
			s, ok := v.X.(string)
			if !ok {
				return in.Unknown(UnmodelledPython, "the names of %s", c.Name)
			}
			fields = append(fields, s)
		}
	}
	for _, f := range fields {
		c.fields = append(c.fields, field{name: f})
	}
	if defaults, ok := args.Keywords.Get("defaults"); ok {
		items, _ := in.Iterate(defaults)
		for i, v := range items {
			if at := len(c.fields) - len(items) + i; at >= 0 {
				c.fields[at].value = v
			}
		}
	}
	return Value{X: c}
}

func (in *Interp) namedTupleAttr(o *Instance, name string) Value {
	switch name {
	case "_fields":
		return o.Class.fieldNames()
	case "_asdict":
		return Value{X: Method(func(in *Interp, _ *Args) Value { return o.fieldDict() })}
	}
	return Value{X: Method(func(in *Interp, args *Args) Value { return in.replaceFields(o, args) })}
}

// fieldDict returns the fields as a dict.
func (o *Instance) fieldDict() Value {
	d := &Dict{}
	for i, v := range o.fieldValues() {
		d.put(Value{X: o.Class.fields[i].name}, v)
	}
	return Value{X: d}
}

// replaceFields evaluates dataclasses.replace and _replace.
func (in *Interp) replaceFields(o *Instance, args *Args) Value {
	made := &Args{Node: args.Node, Open: args.Open}
	for i, v := range o.fieldValues() {
		made.Keywords.Put(o.Class.fields[i].name, v)
	}
	for name, v := range args.Keywords.All() {
		made.Keywords.Put(name, v)
	}
	if o.Class.tuple {
		return in.tupleOf(o.Class, made)
	}
	return in.instantiate(o.Class, made)
}

// fieldsOf evaluates dataclasses.fields.
func fieldsOf(in *Interp, args *Args) Value {
	c, ok := positional(args, 0).X.(*Class)
	if o, isObject := positional(args, 0).X.(*Instance); isObject {
		c, ok = o.Class, true
	}
	if !ok || !c.dataclass() {
		return in.Unknown(WrongType, "the fields of %s", in.describe(positional(args, 0)))
	}
	missing := Value{X: External{"dataclasses.MISSING"}}
	var out Tuple
	for _, f := range c.fields {
		d := &Dict{}
		d.put(Value{X: "name"}, Value{X: f.name})
		standard, factory, initialized := f.value, missing, true
		if spec, ok := f.value.X.(*fieldSpec); ok {
			standard, initialized = spec.value, !spec.inert
			if spec.factory.X != nil {
				factory = spec.factory
			}
		}
		if standard.X == nil {
			standard = missing
		}
		d.put(Value{X: "default"}, standard)
		d.put(Value{X: "default_factory"}, factory)
		d.put(Value{X: "init"}, Value{X: initialized})
		d.put(Value{X: "type"}, in.Unknown(UnmodelledPython, "the type of the field %s", f.name))
		out = append(out, in.plainInstance("dataclasses.Field", d))
	}
	return Value{X: out}
}

// asDict evaluates dataclasses.asdict.
func asDict(in *Interp, args *Args) Value {
	v, _ := args.Get(0, "obj")
	return in.fieldsOf(v, 16)
}

func (in *Interp) fieldsOf(v Value, depth int) Value {
	if depth == 0 || !in.Spend(1) {
		return in.Unknown(TooLong, "a structure that is too deep to follow")
	}
	switch x := v.X.(type) {
	case *Instance:
		if x.Class.fields != nil {
			d := x.fieldDict().X.(*Dict)
			for i := range d.Values {
				d.Values[i] = in.fieldsOf(d.Values[i], depth-1)
			}
			return Value{X: d}
		}
	case *List:
		l := &List{Items: slices.Clone(x.Items), Open: x.Open}
		for i := range l.Items {
			l.Items[i] = in.fieldsOf(l.Items[i], depth-1)
		}
		return Value{X: l}
	case Tuple:
		t := slices.Clone(x)
		for i := range t {
			t[i] = in.fieldsOf(t[i], depth-1)
		}
		return Value{X: t}
	case *Dict:
		d := in.copyDict(x)
		for i := range d.Values {
			d.Values[i] = in.fieldsOf(d.Values[i], depth-1)
		}
		return Value{X: d}
	}
	return v
}

// auto is the value of enum.auto().
type auto struct{}

// enumerate creates the members of an enumeration.
func (in *Interp) enumerate(c *Class) {
	c.members = []Value{}
	byValue := map[any]Value{}
	c.mixed = c.inheritsAny(func(name string) bool {
		return name == "enum.IntEnum" || name == "enum.StrEnum" || name == "enum.IntFlag" || name == "builtins.int" || name == "builtins.str"
	})
	flags := c.inheritsAny(func(name string) bool { return name == "enum.Flag" || name == "enum.IntFlag" })
	text := c.inheritsAny(func(name string) bool { return name == "enum.StrEnum" })
	last := Value{X: int64(0)}
	for _, name := range c.Attrs.Names() {
		v, _ := c.Attrs.Get(name)
		switch v.X.(type) {
		case *Func, *property, *staticMethod, *classMethod:
			continue
		case auto:
			n, _ := last.Int()
			switch {
			case text:
				v = Value{X: strings.ToLower(name)}
			case !flags:
				v = Value{X: n + 1}
			case n == 0:
				v = Value{X: int64(1)}
			default:
				v = Value{X: n * 2}
			}
		}
		if strings.HasPrefix(name, "_") {
			continue
		}
		last = v
		if m, ok := in.memberOfValue(c, byValue, v); ok {
			c.Attrs.put(name, m) // an alias
			continue
		}
		o := &Instance{Class: c, Attrs: in.namespace()}
		o.Attrs.instance = o
		o.Attrs.put("_value_", v)
		o.Attrs.put("_name_", Value{X: name})
		o.Attrs.put("value", v)
		o.Attrs.put("name", Value{X: name})
		if init, ok := c.lookup("__init__"); ok {
			args := &Args{Positional: []Value{v}}
			if t, ok := v.X.(Tuple); ok {
				args.Positional = t
			}
			in.callMember(Value{X: o}, init, args)
		}
		c.Attrs.put(name, Value{X: o})
		c.members = append(c.members, Value{X: o})
		if key, ok := keyOf(v); ok {
			byValue[key] = Value{X: o}
		}
	}
	if len(c.members) == 0 {
		c.members = nil // without members it can be a base class
	}
}

// memberOfValue finds the member of an enumeration with a value; byValue indexes
// members whose values can be keys.
func (in *Interp) memberOfValue(c *Class, byValue map[any]Value, v Value) (Value, bool) {
	if key, ok := keyOf(v); ok {
		m, ok := byValue[key]
		return m, ok
	}
	if !in.Followable(v) || !in.Spend(len(c.members)/4) {
		return Value{}, false
	}
	for _, m := range c.members {
		if same, known := equal(m.X.(*Instance).enumValue(), v, 8); same && known {
			return m, true
		}
	}
	return Value{}, false
}

// enumValue returns the value of a member of an enumeration.
func (o *Instance) enumValue() Value {
	v, _ := o.Attrs.Get("_value_")
	return v
}

// memberByValue evaluates Color("red").
func (in *Interp) memberByValue(c *Class, args *Args) Value {
	v, ok := args.Get(0, "value")
	if !ok || !v.Known() {
		return Value{X: v.X}
	}
	if !in.Followable(v) || !in.Spend(len(c.members)/8) {
		return tooLarge.Unknown()
	}
	for _, m := range c.members {
		if m.X == v.X {
			return m
		}
		if same, known := equal(m.X.(*Instance).enumValue(), v, 8); same && known {
			m.Overridable = v.Overridable
			return m
		}
	}
	return in.Unknown(UndefinedAttribute, "%s has no member %s", c.Name, in.describe(v))
}

// plain returns the number or text that a member of a mixed enumeration counts as, and
// the dict or list behind an instance of a subclass.
func plain(v Value) Value {
	if o, ok := v.X.(*Instance); ok && o.Class.mixed {
		p := o.enumValue()
		p.Overridable = v.Overridable
		return p
	}
	return held(v)
}
