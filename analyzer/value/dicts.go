package value

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Hashable reports whether v is known and can be a dict's key.
func (b *Bounds) Hashable(v Value) bool {
	if _, ok := v.X.(Tuple); ok && !b.Followable(v) {
		return false
	}
	return Hashable(v)
}

// Hashable reports whether Python can hash v.
func Hashable(v Value) bool {
	switch x := v.X.(type) {
	case nil, Unknown, *List, *Dict, *Set:
		return false
	case Tuple:
		return !slices.ContainsFunc(x, func(v Value) bool { return !Hashable(v) })
	}
	return true
}

// KeyOf returns the index entry of a key; ok is false for keys that are compared one by
// one.
func KeyOf(v Value) (key any, ok bool) {
	switch x := Plain(v).X.(type) {
	case int64, string:
		return x, true
	case bool:
		n, _ := Whole(x)
		return n, true
	case float64:
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return int64(x), true
		}
		return x, x == x
	case None, External, *Class, *Func:
		return x, true
	case *Instance:
		return x, x.Class.Fields == nil
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
		if _, nested := v.X.(Tuple); nested {
			return false
		}
		switch k, _ := KeyOf(v); k := k.(type) {
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

// Find returns the place of a key, or -1.
func (d *Dict) Find(key Value) int {
	if k, ok := KeyOf(key); ok && len(d.Keys) > Few {
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
		if same, known := Equal(k, key, 16); same && known {
			return i
		}
	}
	return -1
}

func (d *Dict) reindex() {
	d.index = make(map[any]int, 2*len(d.Keys))
	for i, k := range d.Keys {
		if k, ok := KeyOf(k); ok {
			d.index[k] = i
		}
	}
}

// At returns the value of a key.
func (d *Dict) At(key Value) (Value, bool) {
	if i := d.Find(key); i >= 0 {
		return d.Values[i], true
	}
	return Value{}, false
}

// Put sets a key. An equal key that is already there is kept.
func (d *Dict) Put(key, v Value) {
	if i := d.Find(key); i >= 0 {
		d.Values[i] = v
		return
	}
	if k, ok := KeyOf(key); ok && d.index != nil && len(d.index) == len(d.Keys) {
		d.index[k] = len(d.Keys)
	}
	d.Keys, d.Values = append(d.Keys, key), append(d.Values, v)
}

// Remove removes a key, if it is there.
func (d *Dict) Remove(key Value) {
	if i := d.Find(key); i >= 0 {
		d.Keys, d.Values, d.index = slices.Delete(d.Keys, i, i+1), slices.Delete(d.Values, i, i+1), nil
	}
}

// Certain reports whether one of the keys is surely there: in an open dict, the keys
// with known values are.
func (d *Dict) Certain() bool { return slices.ContainsFunc(d.Values, Value.Known) }

// Get returns the value of a text key. An open dict may have it even if Get does not
// find it.
func (d *Dict) Get(key string) (Value, bool) { return d.At(Value{X: key}) }

// Search charges the steps of a lookup.
func (b *Bounds) Search(d *Dict, key Value) {
	if _, quick := KeyOf(key); !quick || d.index == nil && len(d.Keys) > Few {
		b.Spend(len(d.Keys))
	}
}

// CopyDict evaluates d.copy().
func (b *Bounds) CopyDict(d *Dict) *Dict {
	b.Spend(len(d.Keys))
	return &Dict{Keys: slices.Clone(d.Keys), Values: slices.Clone(d.Values), Open: d.Open, Missing: d.Missing, Dotted: d.Dotted, Root: d.Root}
}

// OpenDict records that a dict may have any keys, with any values.
func (in *Interp) OpenDict(d *Dict, why *Cause) {
	in.Record(d)
	d.Open = why
	for i := range d.Values {
		d.Values[i] = Value{X: Unknown{Cause: why}}
	}
}

func (d *Dict) content() any {
	c := *d
	c.Keys, c.Values, c.index = slices.Clone(d.Keys), slices.Clone(d.Values), nil
	return c
}

func (d *Dict) restore(x any) {
	*d = x.(Dict)
	d.Keys, d.Values = slices.Clone(d.Keys), slices.Clone(d.Values)
}

func (d *Dict) age() int { return 0 }

func (d *Dict) size() int { return len(d.Keys) }
