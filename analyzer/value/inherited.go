package value

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"
)

// heldTypes are Python's container types that a class of the program may inherit from.
// Its instances then hold items.
var heldTypes = map[string]func() any{
	"builtins.dict":           func() any { return &Dict{} },
	"collections.OrderedDict": func() any { return &Dict{} },
	"builtins.list":           func() any { return &List{} },
}

// held returns the dict or list inside an instance of a subclass, or v itself.
func held(v Value) Value {
	if o, ok := v.X.(*Instance); ok && o.holds != nil {
		return Value{X: o.holds, Overridable: v.Overridable}
	}
	return v
}

// special returns the methods behind Python's own syntax.
func special() library.Table[func(in *Interp, self Value, args *Args) Value] {
	return library.Table[func(in *Interp, self Value, args *Args) Value]{
		"__getitem__": func(in *Interp, self Value, args *Args) Value { return in.Index(self, positional(args, 0)) },
		"__setitem__": func(in *Interp, self Value, args *Args) Value {
			in.setItem(self, positional(args, 0), positional(args, 1))
			return noneValue
		},
		"__delitem__": func(in *Interp, self Value, args *Args) Value {
			in.deleteItem(self, positional(args, 0))
			return noneValue
		},
		"__contains__": func(in *Interp, self Value, args *Args) Value {
			truth, known := in.member(self, positional(args, 0))
			if !known {
				return in.Unknown(WrongType, "whether %s is in %s", in.describe(positional(args, 0)), in.describe(self))
			}
			return Value{X: truth}
		},
		"__len__":  func(in *Interp, self Value, _ *Args) Value { return length(in, &Args{Positional: []Value{self}}) },
		"__iter__": func(in *Interp, self Value, _ *Args) Value { return iterator(in, &Args{Positional: []Value{self}}) },
		"__repr__": func(in *Interp, self Value, _ *Args) Value { return in.repr(self) },
		"__init__": func(in *Interp, self Value, args *Args) Value {
			switch x := self.X.(type) {
			case *Dict:
				return updateDict(in, x, args)
			case *List:
				if len(args.Positional) > 0 {
					in.extend(x, positional(args, 0))
				}
			}
			return noneValue
		},
	}
}

// methodOf returns a method of a value of one of Python's own types, including those
// behind its syntax.
func (in *Interp) methodOf(v Value, name string) (Method, bool) {
	if f, ok := in.library.ofAny.Lookup(name); ok {
		switch v.X.(type) {
		case *Dict, *List, Tuple, string, *Set:
			return func(in *Interp, args *Args) Value { return f(in, v, args) }, true
		}
	}
	return in.method(v, name)
}

// unbound calls a method through its type: dict.get(d, key) or str.strip(text).
func (in *Interp) unbound(name string, args *Args) (v Value, ok bool) {
	class, name, ok := strings.Cut(name, ".")
	if !ok || !builtinTypes[class] {
		return Value{}, false
	}
	if class == "dict" && name == "fromkeys" {
		return in.fromKeys(args), true
	}
	if len(args.Positional) == 0 {
		return Value{}, false
	}
	if class == "object" && name == "__setattr__" {
		if o, ok := positional(args, 0).X.(*Instance); ok {
			if name, ok := positional(args, 1).X.(string); ok && len(args.Positional) == 3 {
				in.store(o, name, positional(args, 2))
				o.setPast(name)
				return noneValue, true
			}
		}
		return Value{}, false
	}
	self := held(plain(positional(args, 0)))
	if !self.Known() {
		return Value{X: self.X}, true
	}
	m, ok := in.methodOf(self, name)
	if !ok || typeName(self) != class {
		return Value{}, false
	}
	rest := *args
	rest.Positional = rest.Positional[1:]
	return m(in, &rest), true
}

// fromKeys evaluates dict.fromkeys.
func (in *Interp) fromKeys(args *Args) Value {
	d := &Dict{}
	keys, ok := in.Iterate(positional(args, 0))
	if !ok {
		in.openDict(d, in.whyNotIterable(positional(args, 0)))
		return Value{X: d}
	}
	v, given := args.Get(1, "value")
	if !given {
		v = noneValue
	}
	for _, key := range keys {
		in.setItem(Value{X: d}, key, v)
	}
	return Value{X: d}
}

// missingKey calls the __missing__ of a program's class for an absent key.
func (in *Interp) missingKey(o *Instance, key Value) (Value, bool) {
	d, ok := o.holds.(*Dict)
	if !ok || d.Open != nil || !in.hashable(key) || d.find(key) >= 0 {
		return Value{}, false
	}
	if _, ok := o.Class.lookup("__missing__"); !ok {
		return Value{}, false
	}
	return in.CallMethod(o, "__missing__", &Args{Positional: []Value{key}}), true
}

// synchronize sets the attributes of an object from its __dict__.
func (in *Interp) synchronize(d *Dict) {
	o := d.owner
	if o == nil {
		return
	}
	for i, key := range d.Keys {
		if name, ok := key.X.(string); ok {
			if old, ok := o.Attrs.Get(name); ok && comparableType(old.X) && comparableType(d.Values[i].X) && old.X == d.Values[i].X {
				continue
			}
			in.store(o, name, d.Values[i])
			o.setPast(name)
		}
	}
	var rest Value // keys that d does not list are absent, or unknown
	if d.Open != nil {
		rest.X = Unknown{d.Open}
		in.set(o.Attrs, anyName, rest)
	}
	for _, name := range o.Attrs.Names() {
		if d.find(Value{X: name}) < 0 {
			in.set(o.Attrs, name, rest)
		}
	}
}
