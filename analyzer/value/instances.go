package value

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An Instance is an instance of a class of the program.
type Instance struct {
	Class *Class
	Attrs *Namespace // attributes set on the instance
	Host  Object     // the library's object behind it, or nil; see Host.Instance
	Args  *Args      // of its creation; nil until __init__ has run
	holds any        // the *Dict or *List inside an instance of a subclass, or nil
	keyed bool       // its keys are attributes, too
	// past are the attributes that were set directly, bypassing __setattr__ of the
	// class: by object.__setattr__ or through __dict__.
	past map[string]bool
}

// Past reports whether an attribute was set directly, bypassing __setattr__ of the object's
// class.
func (o *Instance) Past(name string) bool { return o.past[name] }

// setPast records that an attribute was set directly.
func (o *Instance) setPast(name string) {
	if o.past == nil {
		o.past = map[string]bool{}
	}
	o.past[name] = true
}

// instantiate calls a class.
func (in *Interp) instantiate(c *Class, args *Args) Value {
	if c.members != nil {
		return in.memberByValue(c, args)
	}
	if method, ok := c.lookup("__new__"); ok {
		v := in.Call(method, args.With(Value{X: c}))
		if o, ok := v.X.(*Instance); ok && o.Class == c {
			if c.tuple { // __new__ has set the items
				o.Args = args
				return v
			}
			return in.initialize(o, args)
		}
		return v
	}
	return in.initialize(in.allocate(c), args)
}

// tupleOf creates a named tuple as tuple.__new__ does, bypassing __new__ of its class.
func (in *Interp) tupleOf(c *Class, args *Args) Value {
	o := in.allocate(c)
	if made := in.initializeFields(o, args); !made.Known() {
		return made
	}
	o.Args = args
	return Value{X: o}
}

// allocate creates an object before __init__ runs.
func (in *Interp) allocate(c *Class) *Instance {
	o := &Instance{Class: c, Attrs: in.namespace()}
	o.Attrs.instance = o
	bases := c.libraryBases()
	for _, base := range bases {
		if make, ok := heldTypes[base]; ok {
			o.holds = make()
			return o
		}
	}
	if in.hostMuted == 0 {
		for _, base := range bases {
			if o.Host = in.host.Instance(in, o, base); o.Host != nil {
				break
			}
		}
	}
	return o
}

func (in *Interp) initialize(o *Instance, args *Args) Value {
	v := Value{X: o}
	made := Value{X: None{}}
	init, ok := o.Class.lookup("__init__")
	switch {
	case ok && !o.Class.generated():
		made = in.callMember(v, init, args)
	case o.Class.tuple || o.Class.dataclass():
		made = in.initializeFields(o, args)
	case o.holds != nil:
		init, _ := in.library.ofAny.Lookup("__init__")
		made = init(in, held(v), args)
	default:
		if init, ok := in.slots(o.Host).GetAttr(in, "__init__"); ok {
			in.Call(init, args)
		}
	}
	if !made.Known() {
		return made // the call raises
	}
	o.Args = args
	return v
}

func (in *Interp) callInstance(o *Instance, args *Args) Value {
	if method, ok := o.Class.lookup("__call__"); ok {
		return in.callMember(Value{X: o}, method, args)
	}
	switch {
	case in.hostMuted > 0:
		return in.mutedResult()
	case o.Host != nil:
		if in.Spend(hostCall) {
			return o.Host.Call(in, in.handedArgs(args))
		}
	}
	return in.Unknown(UnmodelledUse, "the result of calling a %s", o.Class.Name)
}

func (in *Interp) instanceItem(o *Instance, index Value) Value {
	if method, ok := o.Class.lookup("__getitem__"); ok {
		return in.callMember(Value{X: o}, method, &Args{Positional: []Value{index}})
	}
	if o.Class.tuple {
		return in.Index(Value{X: Tuple(o.fieldValues())}, index)
	}
	if o.holds != nil {
		if v, ok := in.missingKey(o, index); ok {
			return v
		}
		return in.Index(held(Value{X: o}), index)
	}
	if o.Host != nil && in.hostMuted == 0 {
		return o.Host.GetItem(in, in.handed(index))
	}
	return in.Unknown(UnmodelledUse, "an item of a %s", o.Class.Name)
}

// A super is the result of super().
type super struct {
	self  Value
	class *Class // of self
	after *Class // where in its MRO the lookup starts
}

// super evaluates a call of super.
func (in *Interp) super(n syntax.Node) Value {
	args := in.arguments(n)
	s := &super{}
	if len(args.Positional) >= 2 {
		s.after, _ = args.Positional[0].X.(*Class)
		s.self = args.Positional[1]
	} else {
		f := in.frame
		for f != nil && (f.comprehension || f.call == nil || f.call.Class == nil) {
			f = f.outer
		}
		if f != nil {
			s.after, s.self = f.call.Class, f.self
		}
	}
	switch x := s.self.X.(type) {
	case *Instance:
		s.class = x.Class
	case *Class:
		s.class = x
	}
	if s.after == nil || s.class == nil {
		return in.Unknown(UnmodelledPython, "super() on line %d", in.line(n))
	}
	return Value{X: s}
}

func (in *Interp) superAttr(s *super, name string) Value {
	at := indexOf(s.class.mro, Value{X: s.after})
	for _, k := range s.class.mro[at+1:] {
		switch k := k.X.(type) {
		case *Class:
			if v, ok := k.Attrs.Get(name); ok {
				return in.bound(s.self, v)
			}
		case Unknown:
			return Value{X: k}
		}
	}
	o, _ := s.self.X.(*Instance)
	if o != nil && o.holds != nil {
		if m, ok := in.methodOf(held(s.self), name); ok {
			return Value{X: m}
		}
	}
	if o != nil && o.Host != nil && in.hostMuted == 0 {
		if v, ok := o.Host.GetAttr(in, name); ok {
			return v
		}
	}
	switch name {
	case "__new__":
		return Value{X: Method(func(in *Interp, args *Args) Value {
			if v, ok := args.Get(0, "cls"); ok {
				if c, ok := v.X.(*Class); ok {
					if rest := *args; c.tuple {
						if len(rest.Positional) > 0 {
							rest.Positional = rest.Positional[1:]
						}
						return in.tupleOf(c, &rest)
					}
					return Value{X: in.allocate(c)}
				}
			}
			return in.Unknown(UnmodelledPython, "what %s.__new__ makes", s.class.Name)
		})}
	case "__init__", "__init_subclass__", "__post_init__":
		return Value{X: Method(func(*Interp, *Args) Value { return Value{X: None{}} })}
	case "__setattr__":
		return Value{X: Method(func(in *Interp, args *Args) Value {
			if len(args.Positional) == 2 && o != nil {
				if name, ok := args.Positional[0].X.(string); ok {
					in.store(o, name, args.Positional[1])
				}
			}
			return Value{X: None{}}
		})}
	}
	why := s.class.open()
	if why == nil {
		why = Because(UndefinedAttribute, "%s inherits no %s", s.class.Name, name)
	}
	return why.Unknown()
}
