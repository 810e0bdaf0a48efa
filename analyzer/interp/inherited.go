package interp

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// methodOf returns a method of a value of one of Python's own types, including those
// behind its syntax.
func methodOf(in *value.Interp, v value.Value, name string) (value.Method, bool) {
	if f, ok := in.Library.OfAny.Lookup(name); ok {
		switch v.X.(type) {
		case *value.Dict, *value.List, value.Tuple, string, *value.Set:
			return func(in *value.Interp, args *value.Args) value.Value { return f(in, v, args) }, true
		}
	}
	return method(in, v, name)
}

// unbound calls a method through its type: dict.get(d, key) or str.strip(text).
func unbound(in *value.Interp, name string, args *value.Args) (v value.Value, ok bool) {
	class, name, ok := strings.Cut(name, ".")
	if !ok || !value.BuiltinTypes[class] {
		return value.Value{}, false
	}
	if class == "dict" && name == "fromkeys" {
		return fromKeys(in, args), true
	}
	if len(args.Positional) == 0 {
		return value.Value{}, false
	}
	if class == "object" && name == "__setattr__" {
		if o, ok := value.Positional(args, 0).X.(*value.Instance); ok {
			if name, ok := value.Positional(args, 1).X.(string); ok && len(args.Positional) == 3 {
				store(in, o, name, value.Positional(args, 2))
				o.SetPast(name)
				return value.NoneValue, true
			}
		}
		return value.Value{}, false
	}
	self := value.Held(value.Plain(value.Positional(args, 0)))
	if !self.Known() {
		return value.Value{X: self.X}, true
	}
	m, ok := methodOf(in, self, name)
	if !ok || value.TypeName(self) != class {
		return value.Value{}, false
	}
	rest := *args
	rest.Positional = rest.Positional[1:]
	return m(in, &rest), true
}

// fromKeys evaluates dict.fromkeys.
func fromKeys(in *value.Interp, args *value.Args) value.Value {
	d := &value.Dict{}
	keys, ok := Iterate(in, value.Positional(args, 0))
	if !ok {
		in.OpenDict(d, WhyNotIterable(in, value.Positional(args, 0)))
		return value.Value{X: d}
	}
	v, given := args.Get(1, "value")
	if !given {
		v = value.NoneValue
	}
	for _, key := range keys {
		SetItem(in, value.Value{X: d}, key, v)
	}
	return value.Value{X: d}
}

// missingKey calls the __missing__ of a program's class for an absent key.
func missingKey(in *value.Interp, o *value.Instance, key value.Value) (value.Value, bool) {
	d, ok := o.Holds.(*value.Dict)
	if !ok || d.Open != nil || !in.Hashable(key) || d.Find(key) >= 0 {
		return value.Value{}, false
	}
	if _, ok := o.Class.Lookup("__missing__"); !ok {
		return value.Value{}, false
	}
	return CallMethod(in, o, "__missing__", &value.Args{Positional: []value.Value{key}}), true
}

// synchronize sets the attributes of an object from its __dict__.
func synchronize(in *value.Interp, d *value.Dict) {
	o := d.Owner
	if o == nil {
		return
	}
	for i, key := range d.Keys {
		if name, ok := key.X.(string); ok {
			if old, ok := o.Attrs.Get(name); ok && value.ComparableType(old.X) && value.ComparableType(d.Values[i].X) && old.X == d.Values[i].X {
				continue
			}
			store(in, o, name, d.Values[i])
			o.SetPast(name)
		}
	}
	var rest value.Value // keys that d does not list are absent, or unknown
	if d.Open != nil {
		rest.X = value.Unknown{Cause: d.Open}
		in.Set(o.Attrs, anyName, rest)
	}
	for _, name := range o.Attrs.Names() {
		if d.Find(value.Value{X: name}) < 0 {
			in.Set(o.Attrs, name, rest)
		}
	}
}
