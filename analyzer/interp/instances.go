package interp

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// instantiate calls a class.
func instantiate(in *value.Interp, c *value.Class, args *value.Args) value.Value {
	if c.Members != nil {
		return memberByValue(in, c, args)
	}
	if method, ok := c.Lookup("__new__"); ok {
		v := Call(in, method, args.With(value.Value{X: c}))
		if o, ok := v.X.(*value.Instance); ok && o.Class == c {
			if c.Tuple { // __new__ has set the items
				o.Args = args
				return v
			}
			return initialize(in, o, args)
		}
		return v
	}
	return initialize(in, in.Allocate(c), args)
}

// tupleOf creates a named tuple as tuple.__new__ does, bypassing __new__ of its class.
func tupleOf(in *value.Interp, c *value.Class, args *value.Args) value.Value {
	o := in.Allocate(c)
	if made := initializeFields(in, o, args); !made.Known() {
		return made
	}
	o.Args = args
	return value.Value{X: o}
}

func initialize(in *value.Interp, o *value.Instance, args *value.Args) value.Value {
	v := value.Value{X: o}
	made := value.Value{X: value.None{}}
	init, ok := o.Class.Lookup("__init__")
	switch {
	case ok && !o.Class.Generated():
		made = callMember(in, v, init, args)
	case o.Class.Tuple || o.Class.Dataclass():
		made = initializeFields(in, o, args)
	case o.Holds != nil:
		init, _ := in.Library.OfAny.Lookup("__init__")
		made = init(in, value.Held(v), args)
	default:
		if init, ok := in.Slots(o.Host).GetAttr(in, "__init__"); ok {
			Call(in, init, args)
		}
	}
	if !made.Known() {
		return made // the call raises
	}
	o.Args = args
	return v
}

func callInstance(in *value.Interp, o *value.Instance, args *value.Args) value.Value {
	if method, ok := o.Class.Lookup("__call__"); ok {
		return callMember(in, value.Value{X: o}, method, args)
	}
	switch {
	case in.HostMuted > 0:
		return mutedResult(in)
	case o.Host != nil:
		if in.Spend(value.HostCall) {
			return o.Host.Call(in, in.HandedArgs(args))
		}
	}
	return in.Unknown(value.UnmodelledUse, "the result of calling a %s", o.Class.Name)
}

func instanceItem(in *value.Interp, o *value.Instance, index value.Value) value.Value {
	if method, ok := o.Class.Lookup("__getitem__"); ok {
		return callMember(in, value.Value{X: o}, method, &value.Args{Positional: []value.Value{index}})
	}
	if o.Class.Tuple {
		return Index(in, value.Value{X: value.Tuple(o.FieldValues())}, index)
	}
	if o.Holds != nil {
		if v, ok := missingKey(in, o, index); ok {
			return v
		}
		return Index(in, value.Held(value.Value{X: o}), index)
	}
	if o.Host != nil && in.HostMuted == 0 {
		return o.Host.GetItem(in, in.Handed(index))
	}
	return in.Unknown(value.UnmodelledUse, "an item of a %s", o.Class.Name)
}

// A super is the result of super().
type super struct {
	self  value.Value
	class *value.Class // of self
	after *value.Class // where in its MRO the lookup starts
}

// evalSuper evaluates a call of super.
func evalSuper(in *value.Interp, n syntax.Node) value.Value {
	args := arguments(in, n)
	s := &super{}
	if len(args.Positional) >= 2 {
		s.after, _ = args.Positional[0].X.(*value.Class)
		s.self = args.Positional[1]
	} else {
		f := in.Frame
		for f != nil && (f.Comprehension || f.Call == nil || f.Call.Class == nil) {
			f = f.Outer
		}
		if f != nil {
			s.after, s.self = f.Call.Class, f.Self
		}
	}
	switch x := s.self.X.(type) {
	case *value.Instance:
		s.class = x.Class
	case *value.Class:
		s.class = x
	}
	if s.after == nil || s.class == nil {
		return in.Unknown(value.UnmodelledPython, "super() on line %d", in.Line(n))
	}
	return value.Value{X: s}
}

func superAttr(in *value.Interp, s *super, name string) value.Value {
	at := value.IndexOf(s.class.Mro, value.Value{X: s.after})
	for _, k := range s.class.Mro[at+1:] {
		switch k := k.X.(type) {
		case *value.Class:
			if v, ok := k.Attrs.Get(name); ok {
				return bound(in, s.self, v)
			}
		case value.Unknown:
			return value.Value{X: k}
		}
	}
	o, _ := s.self.X.(*value.Instance)
	if o != nil && o.Holds != nil {
		if m, ok := methodOf(in, value.Held(s.self), name); ok {
			return value.Value{X: m}
		}
	}
	if o != nil && o.Host != nil && in.HostMuted == 0 {
		if v, ok := o.Host.GetAttr(in, name); ok {
			return v
		}
	}
	switch name {
	case "__new__":
		return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value {
			if v, ok := args.Get(0, "cls"); ok {
				if c, ok := v.X.(*value.Class); ok {
					if rest := *args; c.Tuple {
						if len(rest.Positional) > 0 {
							rest.Positional = rest.Positional[1:]
						}
						return tupleOf(in, c, &rest)
					}
					return value.Value{X: in.Allocate(c)}
				}
			}
			return in.Unknown(value.UnmodelledPython, "what %s.__new__ makes", s.class.Name)
		})}
	case "__init__", "__init_subclass__", "__post_init__":
		return value.Value{X: value.Method(func(_ *value.Interp, args *value.Args) value.Value {
			if o != nil && name == "__init__" {
				o.Upward = args
			}
			return value.Value{X: value.None{}}
		})}
	case "__setattr__":
		return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) == 2 && o != nil {
				if name, ok := args.Positional[0].X.(string); ok {
					store(in, o, name, args.Positional[1])
				}
			}
			return value.Value{X: value.None{}}
		})}
	}
	why := s.class.Open()
	if why == nil {
		why = value.Because(value.UndefinedAttribute, "%s inherits no %s", s.class.Name, name)
	}
	return why.Unknown()
}

// SimpleNamespace is the class of objects that only have attributes.
const SimpleNamespace = "types.SimpleNamespace"

// PlainInstance returns an object with the given attributes.
func PlainInstance(in *value.Interp, class string, attrs *value.Dict) value.Value {
	c := &value.Class{Name: class, Attrs: in.Namespace()}
	c.Mro = []value.Value{{X: c}}
	if attrs.Open != nil {
		c.Mro = append(c.Mro, value.Value{X: value.Unknown{Cause: attrs.Open}})
	}
	o := in.Allocate(c)
	for i, key := range attrs.Keys {
		if name, ok := key.X.(string); ok {
			o.Attrs.Put(name, attrs.Values[i])
		}
	}
	return value.Value{X: o}
}
