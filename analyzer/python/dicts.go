package python

import (
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

// dictMethods returns the methods of dicts.
func dictMethods() library.Table[func(in *value.Interp, d *value.Dict, args *value.Args) value.Value] {
	listing := func(item func(key, v value.Value) value.Value) func(in *value.Interp, d *value.Dict, args *value.Args) value.Value {
		return func(in *value.Interp, d *value.Dict, _ *value.Args) value.Value {
			if d.Open != nil {
				l := value.UnknownList(d.Open, false)
				return value.Value{X: &l}
			}
			l := &value.List{Items: make([]value.Value, len(d.Keys)), View: true}
			for i, key := range d.Keys {
				l.Items[i] = item(key, d.Values[i])
			}
			in.Spend(len(d.Keys))
			return value.Value{X: l}
		}
	}
	return library.Table[func(in *value.Interp, d *value.Dict, args *value.Args) value.Value]{
		"keys":   listing(func(key, _ value.Value) value.Value { return key }),
		"values": listing(func(_, v value.Value) value.Value { return v }),
		"items":  listing(func(key, v value.Value) value.Value { return value.Value{X: value.Tuple{key, v}} }),
		"get": func(in *value.Interp, d *value.Dict, args *value.Args) value.Value {
			return dictGet(in, d, args, false, false)
		},
		"pop": func(in *value.Interp, d *value.Dict, args *value.Args) value.Value {
			return dictGet(in, d, args, true, false)
		},
		"setdefault": func(in *value.Interp, d *value.Dict, args *value.Args) value.Value {
			return dictGet(in, d, args, false, true)
		},
		"update": updateDict,
		"copy": func(in *value.Interp, d *value.Dict, _ *value.Args) value.Value {
			return value.Value{X: in.CopyDict(d)}
		},
		"clear": func(in *value.Interp, d *value.Dict, _ *value.Args) value.Value {
			in.Record(d)
			*d = value.Dict{Missing: d.Missing, Dotted: d.Dotted, Root: d.Root}
			return value.NoneValue
		},
		"popitem": func(in *value.Interp, d *value.Dict, _ *value.Args) value.Value {
			if d.Open != nil || len(d.Keys) == 0 {
				return in.Unknown(value.UnmodelledPython, "the last item of a dict (%s)", d.Open)
			}
			last := len(d.Keys) - 1
			v := value.Value{X: value.Tuple{d.Keys[last], d.Values[last]}}
			in.Record(d)
			d.Remove(d.Keys[last])
			return v
		},
		"move_to_end": func(in *value.Interp, d *value.Dict, args *value.Args) value.Value {
			in.Search(d, value.Positional(args, 0))
			if v, ok := d.At(value.Positional(args, 0)); in.Hashable(value.Positional(args, 0)) && ok && d.Open == nil && len(args.Positional) == 1 && args.Keywords.Len() == 0 {
				in.Record(d)
				d.Remove(value.Positional(args, 0))
				d.Put(value.Positional(args, 0), v)
			} else {
				in.OpenDict(d, value.Because(value.Unordered, "the order of a dict"))
			}
			return value.NoneValue
		},
	}
}

// dictGet evaluates get, pop and setdefault.
func dictGet(in *value.Interp, d *value.Dict, args *value.Args, remove, set bool) value.Value {
	key := value.Positional(args, 0)
	standard, given := args.Get(1, "default")
	if !given {
		standard = value.NoneValue
	}
	in.Search(d, key)
	if !in.Hashable(key) {
		if remove || set {
			in.OpenDict(d, value.Because(value.UnmodelledPython, "a key that is not known"))
		}
		if why := key.Cause(); why != nil {
			return value.Value{X: value.Unknown{Cause: why}}
		}
		return in.Unknown(value.UnmodelledPython, "a key that is not known")
	}
	v, ok := d.At(key)
	switch {
	case ok:
		v = interp.Settled(in, d, v)
		if remove {
			in.Record(d)
			d.Remove(key)
		}
		v.Overridable = v.Overridable || key.Overridable
		return v
	case d.Open != nil:
		v = value.Value{X: value.Unknown{Cause: d.Open}}
	case remove && !given:
		return in.Unknown(value.WillRaise, "the key %s is not in a dict: KeyError", interp.Describe(in, key))
	default:
		v = standard
	}
	if set {
		in.Record(d)
		d.Put(key, value.Untied(d, v))
	}
	return v
}

func updateDict(in *value.Interp, d *value.Dict, args *value.Args) value.Value {
	for _, v := range args.Positional {
		interp.Update(in, d, v)
	}
	if args.Open != nil {
		in.OpenDict(d, args.Open)
	}
	in.Record(d)
	for name, v := range args.Keywords.All() {
		d.Put(value.Value{X: name}, value.Untied(d, v))
	}
	return value.NoneValue
}
