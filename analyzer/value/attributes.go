package value

import (
	"slices"
	"strings"
)

// Attr evaluates v.name.
func (in *Interp) Attr(v Value, name string) Value {
	out, ok := in.attr(v, name)
	if !ok {
		return in.Unknown(WillRaise, "%s has no %s: AttributeError", in.describe(v), name)
	}
	if v.Overridable && out.Known() {
		out.Overridable = true
	}
	return out
}

// attr evaluates v.name; ok is false if v surely has no such attribute.
func (in *Interp) attr(v Value, name string) (out Value, ok bool) {
	switch x := v.X.(type) {
	case Unknown:
		return Value{X: x}, true
	case *Instance:
		return in.instanceAttr(x, name)
	case *Class:
		return in.classAttr(x, name)
	case *super:
		return in.superAttr(x, name), true
	case External:
		return in.externalAttr(x, name), true
	case *property:
		return in.propertyAttr(x, name)
	case *Func:
		return in.funcAttr(x, name)
	case *Bound:
		switch name {
		case "__self__":
			return x.Self, true
		case "__func__":
			return x.Func, true
		}
		return in.attr(x.Func, name)
	case Object:
		if in.hostMuted > 0 {
			return in.mutedResult(), true
		}
		return x.GetAttr(in, name)
	}
	if name == "__class__" {
		return in.typeOf(v), true
	}
	if m, ok := in.method(v, name); ok {
		return Value{X: m}, true
	}
	switch v.X.(type) {
	case int64, float64, bool: // NumPy and TensorFlow, too, treat a number as an array
		if name == "numpy" || name == "item" {
			return Value{X: Method(func(*Interp, *Args) Value { return v })}, true
		}
	}
	switch x := v.X.(type) {
	case int64:
		switch name {
		case "real", "numerator":
			return v, true
		case "imag":
			return Value{X: int64(0)}, true
		case "denominator":
			return Value{X: int64(1)}, true
		}
	case string:
		return in.host.Named(x, name)
	case Range:
		switch name {
		case "start":
			return Value{X: x.Start}, true
		case "stop":
			return Value{X: x.Stop}, true
		case "step":
			return Value{X: x.Step}, true
		}
	case Slice:
		switch name {
		case "start":
			return x.Start, true
		case "stop":
			return x.Stop, true
		case "step":
			return x.Step, true
		}
	case *Dict:
		if x.dotted {
			out, ok = x.Get(name)
			if !ok && name == "merge_with" { // OmegaConf.merge_with
				return Value{X: Method(func(in *Interp, _ *Args) Value {
					in.forgetSettings(v, Because(UnmodelledPython, "what merge_with changes"), maxNested)
					return noneValue
				})}, true
			}
			return in.settled(x, out), ok
		}
	case Tuple: // such as a TensorShape
		if name == "rank" || name == "ndims" {
			return Value{X: int64(len(x))}, true
		}
	case Method, *generator:
		return in.Unknown(UnmodelledUse, "%s.%s", in.describe(v), name), true
	}
	return Value{}, false
}

func (in *Interp) instanceAttr(o *Instance, name string) (Value, bool) {
	self := Value{X: o}
	member, inClass := o.Class.lookup(name)
	if p, ok := member.X.(*property); ok {
		return in.Call(p.get, &Args{Positional: []Value{self}}), true
	}
	if v, ok := o.Attrs.Get(name); ok {
		return v, true
	}
	if d, ok := o.holds.(*Dict); ok && o.keyed {
		if v, ok := d.Get(name); ok {
			return v, true
		}
	}
	if inClass {
		if spec, ok := member.X.(*fieldSpec); ok {
			return in.fieldDefault(spec)
		}
		return in.bound(self, member), true
	}
	switch name {
	case "__class__":
		return Value{X: o.Class}, true
	case "__dict__":
		return in.attributeDict(o), true
	case "__setattr__":
		return Value{X: Method(func(in *Interp, args *Args) Value { return in.setNamed(self, args.Positional) })}, true
	case "_fields", "_asdict", "_replace":
		if o.Class.tuple {
			return in.namedTupleAttr(o, name), true
		}
	}
	if o.holds != nil {
		if m, ok := in.methodOf(held(self), name); ok {
			return Value{X: m}, true
		}
	}
	if o.Host != nil {
		if in.hostMuted > 0 {
			return in.mutedResult(), true
		}
		if v, ok := o.Host.GetAttr(in, name); ok {
			return v, true
		}
	}
	if method, ok := o.Class.lookup("__getattr__"); ok && !strings.HasPrefix(name, "__") {
		return in.callMember(self, method, &Args{Positional: []Value{{X: name}}}), true
	}
	if why := o.Class.open(); why != nil && !in.lacks(o.Class, name) {
		return why.Unknown(), true
	}
	return o.Attrs.Get(anyName)
}

// anyName is a summary attribute: it stands for every attribute that the object might have.
const anyName = "*"

// openAttrs forgets the attributes of an object after one with an unknown name was set:
// it may be any existing attribute, or a new one.
func (in *Interp) openAttrs(o *Instance, why *Cause) {
	unknown := Value{X: Unknown{why}}
	for _, name := range o.Attrs.Names() {
		in.store(o, name, unknown)
	}
	in.set(o.Attrs, anyName, unknown)
}

// setNamed evaluates setattr(v, name, to); rest holds name and to.
func (in *Interp) setNamed(v Value, rest []Value) Value {
	if len(rest) != 2 {
		return noneValue
	}
	if name, ok := rest[0].X.(string); ok {
		in.SetAttr(v, name, rest[1])
	} else if o, ok := v.X.(*Instance); ok {
		in.openAttrs(o, Because(UnmodelledPython, "an attribute that is set by a name that is not known (%s)", rest[0].Cause()))
	}
	return noneValue
}

// lacks reports whether neither c nor any class that it inherits from has the
// attribute.
func (in *Interp) lacks(c *Class, name string) bool {
	return !slices.ContainsFunc(c.mro, func(k Value) bool { return !k.Known() }) &&
		!slices.ContainsFunc(c.libraryBases(), func(base string) bool { return !in.host.Lacks(base, name) })
}

func (in *Interp) attributeDict(o *Instance) Value {
	d := &Dict{owner: o}
	for name, v := range o.Attrs.All() {
		if name == anyName {
			d.Open = v.Cause()
			continue
		}
		d.put(Value{X: name}, v)
	}
	return Value{X: d}
}

func (in *Interp) classAttr(c *Class, name string) (Value, bool) {
	if v, ok := c.lookup(name); ok {
		switch x := v.X.(type) {
		case *staticMethod:
			return x.f, true
		case *classMethod:
			return Value{X: &Bound{Self: Value{X: c}, Func: x.f}}, true
		case *fieldSpec:
			return in.fieldDefault(x)
		}
		return v, true
	}
	switch name {
	case "__name__", "__qualname__":
		return Value{X: c.Name}, true
	case "__members__":
		d := &Dict{}
		for _, m := range c.members {
			name, _ := m.X.(*Instance).Attrs.Get("name")
			d.put(name, m)
		}
		return Value{X: d}, true
	case "__mro__":
		return Value{X: Tuple(c.mro)}, true
	case "_fields":
		if c.tuple {
			return c.fieldNames(), true
		}
	case "_make":
		if c.tuple {
			return Value{X: Method(func(in *Interp, args *Args) Value {
				v, _ := args.Get(0, "iterable")
				items, ok := in.Iterate(v)
				if !ok {
					return Value{X: Unknown{in.whyNotIterable(v)}}
				}
				return in.tupleOf(c, &Args{Positional: items, Node: args.Node})
			})}, true
		}
	}
	if why := c.open(); why != nil {
		if bases := c.libraryBases(); len(bases) > 0 && name != "__doc__" {
			if name == "__init__" {
				return in.baseInit(), true
			}
			return in.externalAttr(External{bases[0]}, name), true
		}
		return why.Unknown(), true
	}
	return Value{}, false
}

// baseInit returns the __init__ that a class of the program inherits from a library,
// called as Base.__init__(self, …).
func (in *Interp) baseInit() Value {
	return Value{X: Method(func(in *Interp, args *Args) Value {
		if len(args.Positional) > 0 {
			if o, ok := args.Positional[0].X.(*Instance); ok {
				if init, ok := in.slots(o.Host).GetAttr(in, "__init__"); ok {
					rest := *args
					rest.Positional = args.Positional[1:]
					in.Call(init, &rest)
				}
			}
		}
		return Value{X: None{}}
	})}
}

func (in *Interp) propertyAttr(p *property, name string) (Value, bool) {
	switch name {
	case "setter":
		return Value{X: Method(func(in *Interp, args *Args) Value {
			set, _ := args.Get(0, "fset")
			return Value{X: &property{get: p.get, set: set}}
		})}, true
	case "getter", "deleter":
		return Value{X: Method(func(in *Interp, args *Args) Value { return Value{X: p} })}, true
	case "fget":
		return p.get, true
	}
	return Value{}, false
}

func (in *Interp) funcAttr(f *Func, name string) (Value, bool) {
	if f.attrs != nil {
		if v, ok := f.attrs.Get(name); ok {
			return v, true
		}
	}
	switch name {
	case "__name__", "__qualname__":
		if f.Def.Name == "lambda" {
			return Value{X: "<lambda>"}, true
		}
		return Value{X: f.Def.Name}, true
	case "python_function", "__wrapped__": // of tf.function
		return Value{X: f}, true
	case "get_concrete_function", "__doc__", "__module__", "__code__", "main", "callback":
		return in.Unknown(UnmodelledUse, "%s.%s", f.Def.Name, name), true
	}
	return Value{}, false
}

// bound returns what looking up a class member on an instance yields.
func (in *Interp) bound(self, member Value) Value {
	switch x := member.X.(type) {
	case *Func:
		return Value{X: &Bound{Self: self, Func: member}}
	case *staticMethod:
		return x.f
	case *classMethod:
		class := self
		if o, ok := self.X.(*Instance); ok {
			class = Value{X: o.Class}
		}
		return Value{X: &Bound{Self: class, Func: x.f}}
	case External:
		if class, _, ok := strings.Cut(strings.TrimPrefix(x.Name, "builtins."), "."); ok && builtinTypes[class] { // such as dict.get
			return Value{X: &Bound{Self: self, Func: member}}
		}
	case *property:
		return in.Call(x.get, &Args{Positional: []Value{self}})
	}
	return member
}

// SetAttr evaluates v.name = to.
func (in *Interp) SetAttr(v Value, name string, to Value) {
	if in.bounds.exhausted {
		return
	}
	switch x := v.X.(type) {
	case *Instance:
		in.setInstanceAttr(x, name, to)
	case *Class:
		in.set(x.Attrs, name, to)
	case *Func:
		if x.attrs == nil {
			x.attrs = in.namespace()
		}
		in.set(x.attrs, name, to)
	case *Dict:
		if x.dotted {
			in.touch(x)
			x.put(Value{X: name}, in.below(x.root, to, maxNested))
		}
	case External:
		if s, inside, ok := in.library.space(x.Name + "." + name); ok {
			s.set(in, inside, to)
		}
	case Object:
		if in.hostMuted == 0 {
			x.SetAttr(in, name, in.handed(to))
		}
	}
}

func (in *Interp) setInstanceAttr(o *Instance, name string, to Value) {
	if member, ok := o.Class.lookup(name); ok {
		if p, ok := member.X.(*property); ok {
			if p.set.X != nil {
				in.Call(p.set, &Args{Positional: []Value{{X: o}, to}})
			}
			return
		}
	}
	if method, ok := o.Class.lookup("__setattr__"); ok {
		in.callMember(Value{X: o}, method, &Args{Positional: []Value{{X: name}, to}})
		return
	}
	in.store(o, name, to)
}

// store sets an attribute of the instance itself. It keeps what the Host had there
// before, in case another branch does not set it.
func (in *Interp) store(o *Instance, name string, to Value) {
	_, isDict := o.holds.(*Dict)
	switch {
	case name == "__dict__" && isDict && to.X == o:
		o.keyed = true
		return
	case name == "__dict__":
		if given, ok := to.X.(*Dict); ok {
			in.synchronize(&Dict{Keys: given.Keys, Values: given.Values, Open: given.Open, owner: o})
			return
		}
	case o.keyed && isDict:
		in.setItem(held(Value{X: o}), Value{X: name}, to)
		return
	}
	if _, ok := o.Attrs.Get(name); !ok && o.Host != nil && len(in.journal) > 0 && in.hostMuted == 0 {
		if v, ok := o.Host.GetAttr(in, name); ok {
			o.Attrs.put(name, v)
		}
	}
	delete(o.past, name)
	in.set(o.Attrs, name, to)
	in.tellHost(o, name, to)
}

// tellHost tells the Host's object behind an instance that an attribute was set.
func (in *Interp) tellHost(o *Instance, name string, v Value) {
	if o.Host != nil && in.hostMuted == 0 && v.X != nil {
		o.Host.SetAttr(in, name, in.handed(v))
	}
}
