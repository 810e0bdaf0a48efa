package value

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"
)

// hashable reports whether v is known and can be a dict's key.
func (in *Interp) hashable(v Value) bool {
	if _, ok := v.X.(Tuple); ok && !in.Followable(v) {
		return false
	}
	return hashable(v)
}

// hashable reports whether Python can hash v.
func hashable(v Value) bool {
	switch x := v.X.(type) {
	case nil, Unknown, *List, *Dict, *Set:
		return false
	case Tuple:
		return !slices.ContainsFunc(x, func(v Value) bool { return !hashable(v) })
	}
	return true
}

// keyOf returns the index entry of a key; ok is false for keys that are compared one by
// one.
func keyOf(v Value) (key any, ok bool) {
	switch x := plain(v).X.(type) {
	case int64, string:
		return x, true
	case bool:
		n, _ := whole(x)
		return n, true
	case float64:
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return int64(x), true
		}
		return x, x == x
	case None, External, *Class, *Func:
		return x, true
	case *Instance:
		return x, x.Class.fields == nil
	case Tuple:
		var b strings.Builder
		if len(x) <= maxKey && writeKey(&b, x) {
			return tupleKey(b.String()), true
		}
	}
	return nil, false
}

// A tupleKey is the index entry of a tuple of numbers and texts.
type tupleKey string

// maxKey limits the length of such a tuple.
const maxKey = 16

func writeKey(b *strings.Builder, t Tuple) bool {
	for _, v := range t {
		switch k, _ := keyOf(Value{X: unlessTuple(v.X)}); k := k.(type) {
		case int64:
			fmt.Fprintf(b, "%d,", k)
		case float64:
			fmt.Fprintf(b, "f%x,", k)
		case string:
			fmt.Fprintf(b, "%d:%s,", len(k), k)
		default:
			return false
		}
	}
	return true
}

// unlessTuple returns x, or nil for a tuple.
func unlessTuple(x any) any {
	if _, ok := x.(Tuple); ok {
		return nil
	}
	return x
}

// find returns the place of a key, or -1.
func (d *Dict) find(key Value) int {
	if k, ok := keyOf(key); ok && len(d.Keys) > few {
		if len(d.index) != len(d.Keys) {
			d.reindex()
		}
		if len(d.index) == len(d.Keys) {
			if i, ok := d.index[k]; ok {
				return i
			}
			return -1
		}
	}
	for i, k := range d.Keys {
		if same, known := equal(k, key, 16); same && known {
			return i
		}
	}
	return -1
}

func (d *Dict) reindex() {
	d.index = make(map[any]int, 2*len(d.Keys))
	for i, k := range d.Keys {
		if k, ok := keyOf(k); ok {
			d.index[k] = i
		}
	}
}

// get returns the value of a key.
func (d *Dict) get(key Value) (Value, bool) {
	if i := d.find(key); i >= 0 {
		return d.Values[i], true
	}
	return Value{}, false
}

// put sets a key. An equal key that is already there is kept.
func (d *Dict) put(key, v Value) {
	if i := d.find(key); i >= 0 {
		d.Values[i] = v
		return
	}
	if k, ok := keyOf(key); ok && d.index != nil && len(d.index) == len(d.Keys) {
		d.index[k] = len(d.Keys)
	}
	d.Keys, d.Values = append(d.Keys, key), append(d.Values, v)
}

// remove removes a key, if it is there.
func (d *Dict) remove(key Value) {
	if i := d.find(key); i >= 0 {
		d.Keys, d.Values, d.index = slices.Delete(d.Keys, i, i+1), slices.Delete(d.Values, i, i+1), nil
	}
}

// certain reports whether one of the keys is surely there: in an open dict, the keys
// with known values are.
func (d *Dict) certain() bool { return slices.ContainsFunc(d.Values, Value.Known) }

// Get returns the value of a text key. An open dict may have it even if Get does not
// find it.
func (d *Dict) Get(key string) (Value, bool) { return d.get(Value{X: key}) }

func (in *Interp) dictItem(d *Dict, key Value) Value {
	in.search(d, key)
	if !key.Known() {
		return Value{X: key.X}
	}
	if !in.hashable(key) {
		return in.Unknown(UnmodelledPython, "a key that is not known")
	}
	if v, ok := d.get(key); ok {
		return in.settled(d, v)
	}
	switch {
	case d.Open != nil:
		return Value{X: Unknown{d.Open}}
	case d.missing != nil:
		v := in.Call(*d.missing, &Args{})
		in.touch(d)
		d.put(key, v)
		return v
	}
	return in.Unknown(WillRaise, "the key %s, which is not in a dict: KeyError", in.describe(key))
}

// search charges the steps of a lookup.
func (in *Interp) search(d *Dict, key Value) {
	if _, quick := keyOf(key); !quick || d.index == nil && len(d.Keys) > few {
		in.Spend(len(d.Keys))
	}
}

// copyDict evaluates d.copy().
func (in *Interp) copyDict(d *Dict) *Dict {
	in.Spend(len(d.Keys))
	return &Dict{Keys: slices.Clone(d.Keys), Values: slices.Clone(d.Values), Open: d.Open, missing: d.missing, dotted: d.dotted, root: d.root}
}

// update adds the items of a dict or of a sequence of pairs.
func (in *Interp) update(d *Dict, v Value) {
	in.touch(d)
	v = held(v)
	switch x := v.X.(type) {
	case *Dict:
		if x.Open != nil {
			in.openDict(d, x.Open)
		}
		in.Spend(len(x.Keys))
		for i, key := range x.Keys {
			if x.Open != nil && !x.Values[i].Known() { // the key may be absent
				if _, ok := d.get(key); ok {
					d.put(key, Value{X: Unknown{x.Open}})
				}
				continue
			}
			d.put(key, in.untied(d, x.Values[i]))
		}
		return
	case *Instance:
		if x.Class.Name == simpleNamespace {
			for name, v := range x.Attrs.All() {
				d.put(Value{X: name}, v)
			}
			return
		}
	case Object:
		if keys, ok := in.slots(x).Keys(in); ok {
			for _, key := range keys {
				in.setItem(Value{X: d}, key, in.Index(v, key))
			}
			return
		}
	}
	pairs, ok := in.Iterate(v)
	if !ok {
		in.openDict(d, in.whyNotIterable(v))
		return
	}
	for _, pair := range pairs {
		kv, ok := in.Iterate(pair)
		if !ok || len(kv) != 2 {
			in.openDict(d, in.whyNotIterable(pair))
			continue
		}
		in.setItem(Value{X: d}, kv[0], kv[1])
	}
}

// openDict records that a dict may have any keys, with any values.
func (in *Interp) openDict(d *Dict, why *Cause) {
	in.touch(d)
	d.Open = why
	for i := range d.Values {
		d.Values[i] = Value{X: Unknown{why}}
	}
}

// dictMethods returns the methods of dicts.
func dictMethods() library.Table[func(in *Interp, d *Dict, args *Args) Value] {
	listing := func(item func(key, v Value) Value) func(in *Interp, d *Dict, args *Args) Value {
		return func(in *Interp, d *Dict, _ *Args) Value {
			if d.Open != nil {
				l := unknownList(d.Open, false)
				return Value{X: &l}
			}
			l := &List{Items: make([]Value, len(d.Keys)), view: true}
			for i, key := range d.Keys {
				l.Items[i] = item(key, d.Values[i])
			}
			in.Spend(len(d.Keys))
			return Value{X: l}
		}
	}
	return library.Table[func(in *Interp, d *Dict, args *Args) Value]{
		"keys":   listing(func(key, _ Value) Value { return key }),
		"values": listing(func(_, v Value) Value { return v }),
		"items":  listing(func(key, v Value) Value { return Value{X: Tuple{key, v}} }),
		"get":    func(in *Interp, d *Dict, args *Args) Value { return in.dictGet(d, args, false, false) },
		"pop":    func(in *Interp, d *Dict, args *Args) Value { return in.dictGet(d, args, true, false) },
		"setdefault": func(in *Interp, d *Dict, args *Args) Value {
			return in.dictGet(d, args, false, true)
		},
		"update": updateDict,
		"copy":   func(in *Interp, d *Dict, _ *Args) Value { return Value{X: in.copyDict(d)} },
		"clear": func(in *Interp, d *Dict, _ *Args) Value {
			in.touch(d)
			*d = Dict{missing: d.missing, dotted: d.dotted, root: d.root}
			return noneValue
		},
		"popitem": func(in *Interp, d *Dict, _ *Args) Value {
			if d.Open != nil || len(d.Keys) == 0 {
				return in.Unknown(UnmodelledPython, "the last item of a dict (%s)", d.Open)
			}
			last := len(d.Keys) - 1
			v := Value{X: Tuple{d.Keys[last], d.Values[last]}}
			in.touch(d)
			d.remove(d.Keys[last])
			return v
		},
		"move_to_end": func(in *Interp, d *Dict, args *Args) Value {
			in.search(d, positional(args, 0))
			if v, ok := d.get(positional(args, 0)); in.hashable(positional(args, 0)) && ok && d.Open == nil && len(args.Positional) == 1 && args.Keywords.Len() == 0 {
				in.touch(d)
				d.remove(positional(args, 0))
				d.put(positional(args, 0), v)
			} else {
				in.openDict(d, Because(Unordered, "the order of a dict"))
			}
			return noneValue
		},
	}
}

// dictGet evaluates get, pop and setdefault.
func (in *Interp) dictGet(d *Dict, args *Args, remove, set bool) Value {
	key := positional(args, 0)
	standard, given := args.Get(1, "default")
	if !given {
		standard = noneValue
	}
	in.search(d, key)
	if !in.hashable(key) {
		if remove || set {
			in.openDict(d, Because(UnmodelledPython, "a key that is not known"))
		}
		if why := key.Cause(); why != nil {
			return Value{X: Unknown{why}}
		}
		return in.Unknown(UnmodelledPython, "a key that is not known")
	}
	v, ok := d.get(key)
	switch {
	case ok:
		v = in.settled(d, v)
		if remove {
			in.touch(d)
			d.remove(key)
		}
		v.Overridable = v.Overridable || key.Overridable
		return v
	case d.Open != nil:
		v = Value{X: Unknown{d.Open}}
	case remove && !given:
		return in.Unknown(WillRaise, "the key %s, which is not in a dict: KeyError", in.describe(key))
	default:
		v = standard
	}
	if set {
		in.touch(d)
		d.put(key, in.untied(d, v))
	}
	return v
}

func updateDict(in *Interp, d *Dict, args *Args) Value {
	for _, v := range args.Positional {
		in.update(d, v)
	}
	if args.Open != nil {
		in.openDict(d, args.Open)
	}
	in.touch(d)
	for name, v := range args.Keywords.All() {
		d.put(Value{X: name}, in.untied(d, v))
	}
	return noneValue
}
