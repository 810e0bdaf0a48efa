package interp

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// Attr evaluates v.name.
func Attr(in *value.Interp, v value.Value, name string) value.Value {
	out, ok := FindAttr(in, v, name)
	if !ok {
		return in.Unknown(value.WillRaise, "%s has no %s: AttributeError", Describe(in, v), name)
	}
	if v.Overridable && out.Known() {
		out.Overridable = true
	}
	return out
}

// FindAttr evaluates v.name; ok is false if v surely has no such attribute.
func FindAttr(in *value.Interp, v value.Value, name string) (out value.Value, ok bool) {
	switch x := v.X.(type) {
	case value.Unknown:
		switch name {
		case "astype", "copy", "numpy", "to_numpy", "values": // the methods are called next
			return value.Value{X: x, Length: v.Length}, true
		case "shape":
			if v.Length > 0 {
				l := value.UnknownList(x.Cause, false)
				l.First = value.Value{X: v.Length}
				return value.Value{X: &l}, true
			}
		}
		return value.Value{X: x}, true
	case *value.Instance:
		return instanceAttr(in, x, name)
	case *value.Class:
		return classAttr(in, x, name)
	case *super:
		return superAttr(in, x, name), true
	case value.External:
		return externalAttr(in, x, name), true
	case *value.Property:
		return propertyAttr(in, x, name)
	case *value.Func:
		return funcAttr(in, x, name)
	case *value.Bound:
		switch name {
		case "__self__":
			return x.Self, true
		case "__func__":
			return x.Func, true
		}
		return FindAttr(in, x.Func, name)
	case value.Object:
		if in.HostMuted > 0 {
			return mutedResult(in), true
		}
		return x.GetAttr(in, name)
	}
	if name == "__class__" {
		return TypeOf(in, v), true
	}
	if m, ok := method(in, v, name); ok {
		return value.Value{X: m}, true
	}
	switch v.X.(type) {
	case int64, float64, bool: // NumPy and TensorFlow, too, treat a number as an array
		if name == "numpy" || name == "item" {
			return value.Value{X: value.Method(func(*value.Interp, *value.Args) value.Value { return v })}, true
		}
	}
	switch x := v.X.(type) {
	case int64:
		switch name {
		case "real", "numerator":
			return v, true
		case "imag":
			return value.Value{X: int64(0)}, true
		case "denominator":
			return value.Value{X: int64(1)}, true
		}
	case string:
		return in.Host.Named(x, name)
	case value.Range:
		switch name {
		case "start":
			return value.Value{X: x.Start}, true
		case "stop":
			return value.Value{X: x.Stop}, true
		case "step":
			return value.Value{X: x.Step}, true
		}
	case value.Slice:
		switch name {
		case "start":
			return x.Start, true
		case "stop":
			return x.Stop, true
		case "step":
			return x.Step, true
		}
	case *value.List:
		if name == "layers" && in.HostMuted == 0 {
			return in.Host.Call(in, "tensorflow.python.trackable.data_structures.List.layers", &value.Args{Positional: []value.Value{v}})
		}
	case *value.Dict:
		if x.Dotted {
			out, ok = x.Get(name)
			if !ok && name == "merge_with" { // OmegaConf.merge_with
				return value.Value{X: value.Method(func(in *value.Interp, _ *value.Args) value.Value {
					ForgetSettings(in, v, value.Because(value.UnmodelledPython, "what merge_with changes"), MaxNested)
					return value.NoneValue
				})}, true
			}
			if !ok && x.Open != nil {
				return x.Open.Unknown(), true
			}
			return Settled(in, x, out), ok
		}
	case value.Tuple: // such as a TensorShape
		if name == "rank" || name == "ndims" {
			return value.Value{X: int64(len(x))}, true
		}
	case value.Method, *Generator:
		return in.Unknown(value.UnmodelledUse, "%s.%s", Describe(in, v), name), true
	}
	return value.Value{}, false
}

func instanceAttr(in *value.Interp, o *value.Instance, name string) (value.Value, bool) {
	self := value.Value{X: o}
	member, inClass := o.Class.Lookup(name)
	if p, ok := member.X.(*value.Property); ok {
		return Call(in, p.Get, &value.Args{Positional: []value.Value{self}}), true
	}
	if v, ok := o.Attrs.Get(name); ok {
		return v, true
	}
	if d, ok := o.Holds.(*value.Dict); ok && o.Keyed {
		if v, ok := d.Get(name); ok {
			return v, true
		}
	}
	if inClass {
		if spec, ok := member.X.(*value.FieldSpec); ok {
			return fieldDefault(in, spec)
		}
		return bound(in, self, member), true
	}
	switch name {
	case "__class__":
		return value.Value{X: o.Class}, true
	case "__dict__":
		return attributeDict(in, o), true
	case "__setattr__":
		return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value { return SetNamed(in, self, args.Positional) })}, true
	case "_fields", "_asdict", "_replace":
		if o.Class.Tuple {
			return namedTupleAttr(in, o, name), true
		}
	}
	if o.Holds != nil {
		if m, ok := methodOf(in, value.Held(self), name); ok {
			return value.Value{X: m}, true
		}
	}
	if o.Host != nil {
		if in.HostMuted > 0 {
			return mutedResult(in), true
		}
		if v, ok := o.Host.GetAttr(in, name); ok {
			return v, true
		}
	}
	if method, ok := o.Class.Lookup("__getattr__"); ok && !strings.HasPrefix(name, "__") {
		return callMember(in, self, method, &value.Args{Positional: []value.Value{{X: name}}}), true
	}
	if why := o.Class.Open(); why != nil && !lacks(in, o.Class, name) {
		return why.Unknown(), true
	}
	return o.Attrs.Get(anyName)
}

// anyName is a summary attribute: it stands for every attribute that the object might have.
const anyName = "*"

// openAttrs forgets the attributes of an object after one with an unknown name was set:
// it may be any existing attribute, or a new one.
func openAttrs(in *value.Interp, o *value.Instance, why *value.Cause) {
	unknown := value.Value{X: value.Unknown{Cause: why}}
	for _, name := range o.Attrs.Names() {
		store(in, o, name, unknown)
	}
	in.Set(o.Attrs, anyName, unknown)
}

// SetNamed evaluates setattr(v, name, to); rest holds name and to.
func SetNamed(in *value.Interp, v value.Value, rest []value.Value) value.Value {
	if len(rest) != 2 {
		return value.NoneValue
	}
	if name, ok := rest[0].X.(string); ok {
		SetAttr(in, v, name, rest[1])
	} else if o, ok := v.X.(*value.Instance); ok {
		openAttrs(in, o, value.Because(value.UnmodelledPython, "an attribute that is set by a name that is not known (%s)", rest[0].Cause()))
	}
	return value.NoneValue
}

// lacks reports whether neither c nor any class that it inherits from has the
// attribute.
func lacks(in *value.Interp, c *value.Class, name string) bool {
	return !slices.ContainsFunc(c.Mro, func(k value.Value) bool { return !k.Known() }) &&
		!slices.ContainsFunc(c.LibraryBases(), func(base string) bool { return !in.Host.Lacks(base, name) })
}

func attributeDict(in *value.Interp, o *value.Instance) value.Value {
	d := &value.Dict{Owner: o}
	for name, v := range o.Attrs.All() {
		if name == anyName {
			d.Open = v.Cause()
			continue
		}
		d.Put(value.Value{X: name}, v)
	}
	return value.Value{X: d}
}

func classAttr(in *value.Interp, c *value.Class, name string) (value.Value, bool) {
	if v, ok := c.Lookup(name); ok {
		switch x := v.X.(type) {
		case *value.StaticMethod:
			return x.F, true
		case *value.ClassMethod:
			return value.Value{X: &value.Bound{Self: value.Value{X: c}, Func: x.F}}, true
		case *value.FieldSpec:
			return fieldDefault(in, x)
		}
		return v, true
	}
	switch name {
	case "__name__", "__qualname__":
		return value.Value{X: c.Name}, true
	case "__members__":
		d := &value.Dict{}
		for _, m := range c.Members {
			name, _ := m.X.(*value.Instance).Attrs.Get("name")
			d.Put(name, m)
		}
		return value.Value{X: d}, true
	case "__mro__":
		return value.Value{X: value.Tuple(c.Mro)}, true
	case "_fields":
		if c.Tuple {
			return c.FieldNames(), true
		}
	case "_make":
		if c.Tuple {
			return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value {
				v, _ := args.Get(0, "iterable")
				items, ok := Iterate(in, v)
				if !ok {
					return value.Value{X: value.Unknown{Cause: WhyNotIterable(in, v)}}
				}
				return tupleOf(in, c, &value.Args{Positional: items, Node: args.Node})
			})}, true
		}
	}
	if why := c.Open(); why != nil {
		if bases := c.LibraryBases(); len(bases) > 0 && name != "__doc__" {
			if name == "__init__" {
				return baseInit(in), true
			}
			return externalAttr(in, value.External{Name: bases[0]}, name), true
		}
		return why.Unknown(), true
	}
	return value.Value{}, false
}

// baseInit returns the __init__ that a class of the program inherits from a library,
// called as Base.__init__(self, …).
func baseInit(in *value.Interp) value.Value {
	return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value {
		if len(args.Positional) > 0 {
			if o, ok := args.Positional[0].X.(*value.Instance); ok {
				if init, ok := in.Slots(o.Host).GetAttr(in, "__init__"); ok {
					rest := *args
					rest.Positional = args.Positional[1:]
					Call(in, init, &rest)
				}
			}
		}
		return value.Value{X: value.None{}}
	})}
}

func propertyAttr(in *value.Interp, p *value.Property, name string) (value.Value, bool) {
	switch name {
	case "setter":
		return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value {
			set, _ := args.Get(0, "fset")
			return value.Value{X: &value.Property{Get: p.Get, Set: set}}
		})}, true
	case "getter", "deleter":
		return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value { return value.Value{X: p} })}, true
	case "fget":
		return p.Get, true
	}
	return value.Value{}, false
}

func funcAttr(in *value.Interp, f *value.Func, name string) (value.Value, bool) {
	if f.Attrs != nil {
		if v, ok := f.Attrs.Get(name); ok {
			return v, true
		}
	}
	switch name {
	case "__name__", "__qualname__":
		if f.Def.Name == "lambda" {
			return value.Value{X: "<lambda>"}, true
		}
		return value.Value{X: f.Def.Name}, true
	case "python_function", "__wrapped__": // of tf.function
		return value.Value{X: f}, true
	case "get_concrete_function", "__doc__", "__module__", "__code__", "main", "callback":
		return in.Unknown(value.UnmodelledUse, "%s.%s", f.Def.Name, name), true
	}
	return value.Value{}, false
}

// bound returns what looking up a class member on an instance yields.
func bound(in *value.Interp, self, member value.Value) value.Value {
	switch x := member.X.(type) {
	case *value.Func:
		return value.Value{X: &value.Bound{Self: self, Func: member}}
	case *value.StaticMethod:
		return x.F
	case *value.ClassMethod:
		class := self
		if o, ok := self.X.(*value.Instance); ok {
			class = value.Value{X: o.Class}
		}
		return value.Value{X: &value.Bound{Self: class, Func: x.F}}
	case value.External:
		if class, _, ok := strings.Cut(strings.TrimPrefix(x.Name, "builtins."), "."); ok && value.BuiltinTypes[class] { // such as dict.get
			return value.Value{X: &value.Bound{Self: self, Func: member}}
		}
	case *value.Property:
		return Call(in, x.Get, &value.Args{Positional: []value.Value{self}})
	}
	return member
}

// SetAttr evaluates v.name = to.
func SetAttr(in *value.Interp, v value.Value, name string, to value.Value) {
	if in.Bounds.Exhausted {
		return
	}
	switch x := v.X.(type) {
	case *value.Instance:
		setInstanceAttr(in, x, name, to)
	case *value.Class:
		in.Set(x.Attrs, name, to)
	case *value.Func:
		if x.Attrs == nil {
			x.Attrs = in.Namespace()
		}
		in.Set(x.Attrs, name, to)
	case *value.Dict:
		if x.Dotted {
			in.Record(x)
			x.Put(value.Value{X: name}, below(in, x.Root, to, MaxNested))
		}
	case value.External:
		if s, inside, ok := in.Library.Space(x.Name + "." + name); ok {
			s.Set(in, inside, to)
		}
	case value.Object:
		if in.HostMuted == 0 {
			x.SetAttr(in, name, in.Handed(to))
		}
	}
}

func setInstanceAttr(in *value.Interp, o *value.Instance, name string, to value.Value) {
	if member, ok := o.Class.Lookup(name); ok {
		if p, ok := member.X.(*value.Property); ok {
			if p.Set.X != nil {
				Call(in, p.Set, &value.Args{Positional: []value.Value{{X: o}, to}})
			}
			return
		}
	}
	if method, ok := o.Class.Lookup("__setattr__"); ok {
		callMember(in, value.Value{X: o}, method, &value.Args{Positional: []value.Value{{X: name}, to}})
		return
	}
	store(in, o, name, to)
}

// store sets an attribute of the instance itself. It keeps what the Host had there
// before, in case another branch does not set it.
func store(in *value.Interp, o *value.Instance, name string, to value.Value) {
	_, isDict := o.Holds.(*value.Dict)
	switch {
	case name == "__dict__" && isDict && to.X == o:
		o.Keyed = true
		return
	case name == "__dict__":
		if given, ok := to.X.(*value.Dict); ok {
			synchronize(in, &value.Dict{Keys: given.Keys, Values: given.Values, Open: given.Open, Owner: o})
			return
		}
	case o.Keyed && isDict:
		SetItem(in, value.Held(value.Value{X: o}), value.Value{X: name}, to)
		return
	}
	if _, ok := o.Attrs.Get(name); !ok && o.Host != nil && len(in.Journal) > 0 && in.HostMuted == 0 {
		if v, ok := o.Host.GetAttr(in, name); ok {
			o.Attrs.Put(name, v)
		}
	}
	delete(o.Former, name)
	in.Set(o.Attrs, name, to)
	in.TellHost(o, name, to)
}
