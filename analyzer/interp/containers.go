package interp

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// Index evaluates v[index].
func Index(in *value.Interp, v, index value.Value) value.Value {
	out := item(in, v, index)
	if out.Known() {
		out.Overridable = out.Overridable || v.Overridable || index.Overridable
	}
	return out
}

func item(in *value.Interp, v, index value.Value) value.Value {
	switch x := v.X.(type) {
	case value.Unknown:
		return value.Value{X: x, Length: taken(v.Length, index)}
	case value.Object:
		if in.HostMuted > 0 {
			return mutedResult(in)
		}
		return x.GetItem(in, in.Handed(index))
	case *value.Instance:
		return instanceItem(in, x, index)
	case *value.Dict:
		return dictItem(in, x, index)
	case *value.Class:
		if name, ok := index.X.(string); ok && x.Members != nil {
			if m, ok := x.Attrs.Get(name); ok {
				return m
			}
		}
		return value.Value{X: x} // Generic[int]
	case value.External:
		if x.Name == "os.environ" {
			return environment(in, index)
		}
		if value.IsLibrary(x.Name) {
			return value.Value{X: x} // subscript of a generic type
		}
		return UnknownExternal(in, x)
	}
	if !index.Known() {
		return value.Value{X: index.X}
	}
	if s, ok := index.X.(value.Slice); ok {
		return sliced(in, v, s)
	}
	i, ok := value.WholeOf(index)
	if !ok {
		if l, list := v.X.(*value.List); list && number(index) {
			if like, some := sampled(l).Widened(); some && like.Known() {
				return like // all items look like that
			}
		}
		return in.Unknown(value.UnmodelledPython, "%s[%s] is not modelled", Describe(in, v), Describe(in, index))
	}
	n := int64(0)
	switch x := v.X.(type) {
	case *value.List:
		if x.Open != nil {
			if i == 0 && x.First.X != nil && !x.Consumed {
				return x.First
			}
			return value.Value{X: value.Unknown{Cause: x.Open}}
		}
		if n = int64(len(x.Items)); value.InRange(&i, n) {
			return x.Items[i]
		}
	case value.Tuple:
		if n = int64(len(x)); value.InRange(&i, n) {
			return x[i]
		}
	case value.Range:
		if n = x.Length(); value.InRange(&i, n) {
			return value.Value{X: x.At(i)}
		}
	case string:
		runes := []rune(x)
		if n = int64(len(runes)); value.InRange(&i, n) {
			return value.Value{X: string(runes[i])}
		}
	default:
		return in.Unknown(value.WrongType, "an item of %s", Describe(in, v))
	}
	return in.Unknown(value.WillRaise, "index %d is beyond a sequence of %d: IndexError", i, n)
}

// sampled returns a list, or of a long one the first item, the last one, and some between.
func sampled(l *value.List) *value.List {
	const most = 64
	if l.Open != nil || len(l.Items) <= most {
		return l
	}
	out := &value.List{}
	for i := range most {
		out.Items = append(out.Items, l.Items[i*(len(l.Items)-1)/(most-1)])
	}
	return out
}

// number reports whether a value may be a single whole number of a library's type, such as one that
// an array holds.
func number(v value.Value) bool {
	a, ok := v.X.(interface{ IsNumber() bool })
	return ok && a.IsNumber()
}

// An indexArray is an array that can be an index.
type indexArray interface {
	Selected() (n int64, ok bool) // how many items it selects
}

// taken returns how many rows an index selects of something with n rows, of which nothing else is
// known; 0 if that is not known.
func taken(n int64, index value.Value) int64 {
	if parts, ok := index.X.(value.Tuple); ok && len(parts) > 0 {
		index = parts[0]
	}
	switch x := index.X.(type) {
	case value.Ellipsis:
		return n
	case value.None:
		return 1
	case value.Slice:
		if none := (value.None{}); x.Start.X == none && x.Stop.X == none && x.Step.X == none {
			return n
		}
		return x.Count()
	case *value.List:
		if x.Open == nil && len(x.Items) > 0 && !slices.ContainsFunc(x.Items, func(v value.Value) bool { _, whole := v.Int(); return !whole }) {
			return int64(len(x.Items))
		}
	case indexArray:
		if n, ok := x.Selected(); ok {
			return n
		}
	case value.Unknown:
		return index.Length
	}
	return 0
}

func sliced(in *value.Interp, v value.Value, s value.Slice) value.Value {
	pick := func(n int) (value.Range, bool) {
		start, stop, step, ok := s.Indices(int64(n))
		r := value.Range{Start: start, Stop: stop, Step: step}
		return r, ok && in.MakeItems(int(r.Length()))
	}
	picked := func(items []value.Value) ([]value.Value, bool) {
		r, ok := pick(len(items))
		if !ok {
			return nil, false
		}
		out := make([]value.Value, r.Length())
		for i := range out {
			out[i] = items[r.At(int64(i))]
		}
		return out, true
	}
	switch x := v.X.(type) {
	case *value.List:
		if x.Open != nil {
			l := value.UnknownList(x.Open, false)
			n := s.Count()
			if all, ok := x.Counted(); ok {
				if start, stop, step, ok := s.Indices(all); ok {
					n = value.Range{Start: start, Stop: stop, Step: step}.Length()
					l.Count, l.Typical, l.Last = n, x.Typical, x.Shared()
				}
			}
			if 0 < n && n <= value.MaxDrawn && in.MakeItems(int(n)) {
				l = value.List{Items: slices.Repeat([]value.Value{Sample(in, v)}, int(n))}
			}
			return value.Value{X: &l}
		}
		if items, ok := picked(x.Items); ok {
			return value.Value{X: &value.List{Items: items}}
		}
	case value.Tuple:
		if items, ok := picked(x); ok {
			return value.Value{X: value.Tuple(items)}
		}
	case string:
		runes := []rune(x)
		if r, ok := pick(len(runes)); ok {
			out := make([]rune, r.Length())
			for i := range out {
				out[i] = runes[r.At(int64(i))]
			}
			return value.Value{X: string(out)}
		}
	case value.Range:
		if start, stop, step, ok := s.Indices(x.Length()); ok {
			if step, ok := value.Times(step, x.Step); ok {
				return value.Value{X: value.Range{Start: x.At(start), Stop: x.At(stop), Step: step}}
			}
		}
	default:
		return in.Unknown(value.WrongType, "a slice of %s", Describe(in, v))
	}
	return value.Value{X: value.Unknown{Cause: s.Why()}}
}

// SetItem evaluates v[index] = item.
func SetItem(in *value.Interp, v, index, item value.Value) {
	if in.Bounds.Exhausted {
		return
	}
	switch x := v.X.(type) {
	case *value.Dict:
		in.Record(x)
		defer synchronize(in, x)
		in.Search(x, index)
		if !in.Hashable(index) {
			in.OpenDict(x, value.Because(value.UnmodelledPython, "a key that is not known (%s)", index.Cause())) // it may replace any value
			return
		}
		if len(x.Keys) >= value.MaxItems {
			x.Open = value.Because(value.TooLong, "a dict of too many items to follow")
			return
		}
		x.Put(index, value.Untied(x, item))
	case *value.List:
		setListItem(in, x, index, item)
	case *value.Instance:
		if _, ok := x.Class.Lookup("__setitem__"); ok {
			CallMethod(in, x, "__setitem__", &value.Args{Positional: []value.Value{index, item}})
		} else if x.Holds != nil {
			SetItem(in, value.Held(v), index, item)
		}
	case value.Object:
		x.SetItem(in, in.Handed(index), in.Handed(item))
	case value.External:
		if name, ok := index.X.(string); ok && x.Name == "os.environ" {
			in.Set(in.Kept(value.Environ), name, item)
		}
	}
}

func setListItem(in *value.Interp, l *value.List, index, item value.Value) {
	s, ok := index.X.(value.Slice)
	switch {
	case l.Open != nil && ok:
		in.Recount(l)
		return
	case l.Open != nil:
		return
	}
	if ok {
		start, stop, step, ok := s.Indices(int64(len(l.Items)))
		items, known := Iterate(in, item)
		if !ok || !known || step != 1 {
			in.Forget(l, value.Because(value.UnmodelledPython, "a slice of it is assigned"))
			return
		}
		in.Change(l, slices.Concat(l.Items[:start], value.AllUntied(l, items), l.Items[max(start, stop):]))
		return
	}
	i, ok := value.WholeOf(index)
	if !ok {
		in.Record(l)
		for j := range l.Items { // it may replace any item
			l.Items[j] = in.Unknown(value.UnmodelledPython, "an item that is replaced at an index that is not known (%s)", index.Cause())
		}
		return
	}
	if value.InRange(&i, int64(len(l.Items))) {
		in.Record(l)
		l.Items[i] = value.Untied(l, item)
	}
}

// DeleteItem evaluates del v[index].
func DeleteItem(in *value.Interp, v, index value.Value) {
	switch x := v.X.(type) {
	case *value.Instance:
		if _, ok := x.Class.Lookup("__delitem__"); ok {
			CallMethod(in, x, "__delitem__", &value.Args{Positional: []value.Value{index}})
		} else if x.Holds != nil {
			DeleteItem(in, value.Held(v), index)
		}
	case *value.Dict:
		in.Record(x)
		defer synchronize(in, x)
		in.Spend(len(x.Keys) / 2)
		if !in.Hashable(index) {
			in.OpenDict(x, value.Because(value.UnmodelledPython, "a key that is not known is deleted"))
			return
		}
		x.Remove(index)
	case *value.List:
		if x.Open != nil {
			in.Recount(x)
			return
		}
		start, stop := int64(0), int64(0)
		if s, ok := index.X.(value.Slice); ok {
			step := int64(0)
			if start, stop, step, ok = s.Indices(int64(len(x.Items))); !ok || step != 1 {
				in.Forget(x, value.Because(value.UnmodelledPython, "a slice of it is deleted"))
				return
			}
		} else if start, ok = value.WholeOf(index); !ok {
			in.Forget(x, value.Because(value.UnmodelledPython, "an item that is not known is deleted"))
			return
		} else if !value.InRange(&start, int64(len(x.Items))) {
			return
		} else {
			stop = start + 1
		}
		in.Change(x, slices.Concat(x.Items[:start], x.Items[max(start, stop):]))
	case value.Object:
		x.DelItem(in, in.Handed(index))
	}
}

// Member evaluates item in container.
func Member(in *value.Interp, container, item value.Value) (truth, known bool) {
	if !in.Followable(item) {
		return false, false
	}
	switch x := container.X.(type) {
	case string:
		s, ok := value.Plain(item).X.(string)
		return ok && value.ContainsText(x, s), ok
	case *value.List:
		if x.Open != nil || x.Endless {
			return false, false
		}
		return in.MemberOf(x.Items, item)
	case value.Tuple:
		return in.MemberOf(x, item)
	case *value.Set:
		truth, known = in.MemberOf(x.Items, item)
		return truth, known && (truth || x.Open == nil)
	case *value.Dict:
		in.Search(x, item)
		if !value.Hashable(item) {
			return false, false
		}
		v, ok := x.At(item)
		if ok {
			return true, x.Open == nil || v.Known()
		}
		return false, x.Open == nil
	case value.Range:
		n, ok := value.WholeOf(item)
		if !ok {
			return false, item.Known()
		}
		_, r := value.FloorDiv(n-x.Start, x.Step)
		return r == 0 && (x.Step > 0 && n >= x.Start && n < x.Stop || x.Step < 0 && n <= x.Start && n > x.Stop), true
	case *value.Class:
		return in.MemberOf(x.Members, item)
	case *value.Instance:
		if _, ok := x.Class.Lookup("__contains__"); ok {
			return Truth(in, CallMethod(in, x, "__contains__", &value.Args{Positional: []value.Value{item}}))
		}
		if x.Holds != nil {
			return Member(in, value.Held(container), item)
		}
	case value.External:
		if name, ok := item.X.(string); ok && x.Name == "os.environ" {
			_, ok := in.Kept(value.Environ).Get(name)
			return true, ok
		}
	}
	return false, false
}

func dictItem(in *value.Interp, d *value.Dict, key value.Value) value.Value {
	in.Search(d, key)
	if !key.Known() {
		return value.Value{X: key.X}
	}
	if !in.Hashable(key) {
		return in.Unknown(value.UnmodelledPython, "a key that is not known")
	}
	if v, ok := d.At(key); ok {
		return Settled(in, d, v)
	}
	switch {
	case d.Open != nil:
		return value.Value{X: value.Unknown{Cause: d.Open}}
	case d.Missing != nil:
		v := Call(in, *d.Missing, &value.Args{})
		in.Record(d)
		d.Put(key, v)
		return v
	}
	return in.Unknown(value.WillRaise, "the key %s is not in a dict: KeyError", Describe(in, key))
}

// Update adds the items of a dict or of a sequence of pairs.
func Update(in *value.Interp, d *value.Dict, v value.Value) {
	in.Record(d)
	v = value.Held(v)
	switch x := v.X.(type) {
	case *value.Dict:
		if x.Open != nil {
			in.OpenDict(d, x.Open)
		}
		in.Spend(len(x.Keys))
		for i, key := range x.Keys {
			if x.Open != nil && !x.Values[i].Known() { // the key may be absent
				if _, ok := d.At(key); ok {
					d.Put(key, value.Value{X: value.Unknown{Cause: x.Open}})
				}
				continue
			}
			d.Put(key, value.Untied(d, x.Values[i]))
		}
		return
	case *value.Instance:
		if x.Class.Name == SimpleNamespace {
			for name, v := range x.Attrs.All() {
				d.Put(value.Value{X: name}, v)
			}
			return
		}
	case value.Object:
		if keys, ok := in.Slots(x).Keys(in); ok {
			for _, key := range keys {
				SetItem(in, value.Value{X: d}, key, Index(in, v, key))
			}
			return
		}
	}
	pairs, ok := Iterate(in, v)
	if !ok {
		in.OpenDict(d, WhyNotIterable(in, v))
		return
	}
	for _, pair := range pairs {
		kv, ok := Iterate(in, pair)
		if !ok || len(kv) != 2 {
			in.OpenDict(d, WhyNotIterable(in, pair))
			continue
		}
		SetItem(in, value.Value{X: d}, kv[0], kv[1])
	}
}

// environment evaluates os.environ[index].
func environment(in *value.Interp, index value.Value) value.Value {
	name, ok := index.X.(string)
	if !ok {
		return in.Unknown(value.Environment, "an environment variable")
	}
	if v, ok := in.Kept(value.Environ).Get(name); ok {
		return v
	}
	return in.Unknown(value.Environment, "the environment variable %s", name)
}

// Extend adds the items of v to a list.
func Extend(in *value.Interp, l *value.List, v value.Value) {
	items, ok := Iterate(in, v)
	switch {
	case ok:
		for _, item := range items {
			in.Append(l, item)
		}
	case l.Open == nil:
		in.Forget(l, WhyNotIterable(in, v))
	default:
		in.Recount(l)
	}
}
