package value

import (
	"math"
	"slices"
)

// Index evaluates v[index].
func (in *Interp) Index(v, index Value) Value {
	out := in.item(v, index)
	if out.Known() {
		out.Overridable = out.Overridable || v.Overridable || index.Overridable
	}
	return out
}

func (in *Interp) item(v, index Value) Value {
	switch x := v.X.(type) {
	case Unknown:
		return Value{X: x}
	case Object:
		if in.hostMuted > 0 {
			return in.mutedResult()
		}
		return x.GetItem(in, in.handed(index))
	case *Instance:
		return in.instanceItem(x, index)
	case *Dict:
		return in.dictItem(x, index)
	case *Class:
		if name, ok := index.X.(string); ok && x.members != nil {
			if m, ok := x.Attrs.Get(name); ok {
				return m
			}
		}
		return Value{X: x} // Generic[int]
	case External:
		if x.Name == "os.environ" {
			return in.environment(index)
		}
		if isLibrary(x.Name) {
			return Value{X: x} // subscript of a generic type
		}
		return in.unknownExternal(x)
	}
	if !index.Known() {
		return Value{X: index.X}
	}
	if s, ok := index.X.(Slice); ok {
		return in.sliced(v, s)
	}
	i, ok := wholeOf(index)
	if !ok {
		return in.Unknown(UnmodelledPython, "%s[%s], which is not modelled", in.describe(v), in.describe(index))
	}
	n := int64(0)
	switch x := v.X.(type) {
	case *List:
		if x.Open != nil {
			return Value{X: Unknown{x.Open}}
		}
		if n = int64(len(x.Items)); inRange(&i, n) {
			return x.Items[i]
		}
	case Tuple:
		if n = int64(len(x)); inRange(&i, n) {
			return x[i]
		}
	case Range:
		if n = x.Length(); inRange(&i, n) {
			return Value{X: x.at(i)}
		}
	case string:
		runes := []rune(x)
		if n = int64(len(runes)); inRange(&i, n) {
			return Value{X: string(runes[i])}
		}
	default:
		return in.Unknown(WrongType, "an item of %s", in.describe(v))
	}
	return in.Unknown(WillRaise, "index %d is beyond a sequence of %d: IndexError", i, n)
}

// inRange makes an index count from the start; it returns false if the index is out of
// range.
func inRange(i *int64, n int64) bool {
	if *i < 0 {
		*i += n
	}
	return *i >= 0 && *i < n
}

// indices returns the bounds of a slice over n items, as Python's slice.indices does.
func (s Slice) indices(n int64) (start, stop, step int64, ok bool) {
	step = 1
	if _, none := s.Step.X.(None); !none {
		if step, ok = wholeOf(s.Step); !ok || step == 0 || step == math.MinInt64 {
			return 0, 0, 0, false
		}
	}
	low, high := int64(0), n
	if step < 0 {
		low, high = -1, n-1
	}
	bound := func(v Value, other int64) (int64, bool) {
		if _, none := v.X.(None); none {
			return other, true
		}
		i, ok := wholeOf(v)
		if i < 0 {
			i = max(i+n, low)
		}
		return min(max(i, low), high), ok
	}
	first, last := low, high
	if step < 0 {
		first, last = high, low
	}
	start, ok = bound(s.Start, first)
	if !ok {
		return 0, 0, 0, false
	}
	stop, ok = bound(s.Stop, last)
	return start, stop, step, ok
}

// why says what of a slice is not known.
func (s Slice) why() *Cause {
	for _, v := range []Value{s.Start, s.Stop, s.Step} {
		if why := v.Cause(); why != nil {
			return why
		}
	}
	return Because(UnmodelledPython, "a slice that is not modelled")
}

func (in *Interp) sliced(v Value, s Slice) Value {
	pick := func(n int) (Range, bool) {
		start, stop, step, ok := s.indices(int64(n))
		r := Range{start, stop, step}
		return r, ok && in.makeItems(int(r.Length()))
	}
	picked := func(items []Value) ([]Value, bool) {
		r, ok := pick(len(items))
		if !ok {
			return nil, false
		}
		out := make([]Value, r.Length())
		for i := range out {
			out[i] = items[r.at(int64(i))]
		}
		return out, true
	}
	switch x := v.X.(type) {
	case *List:
		if x.Open != nil {
			l := unknownList(x.Open, false)
			return Value{X: &l}
		}
		if items, ok := picked(x.Items); ok {
			return Value{X: &List{Items: items}}
		}
	case Tuple:
		if items, ok := picked(x); ok {
			return Value{X: Tuple(items)}
		}
	case string:
		runes := []rune(x)
		if r, ok := pick(len(runes)); ok {
			out := make([]rune, r.Length())
			for i := range out {
				out[i] = runes[r.at(int64(i))]
			}
			return Value{X: string(out)}
		}
	case Range:
		if start, stop, step, ok := s.indices(x.Length()); ok {
			if step, ok := times(step, x.Step); ok {
				return Value{X: Range{x.at(start), x.at(stop), step}}
			}
		}
	default:
		return in.Unknown(WrongType, "a slice of %s", in.describe(v))
	}
	return Value{X: Unknown{s.why()}}
}

// setItem evaluates v[index] = item.
func (in *Interp) setItem(v, index, item Value) {
	if in.bounds.exhausted {
		return
	}
	switch x := v.X.(type) {
	case *Dict:
		in.touch(x)
		defer in.synchronize(x)
		in.search(x, index)
		if !in.hashable(index) {
			in.openDict(x, Because(UnmodelledPython, "a key that is not known (%s)", index.Cause())) // it may replace any value
			return
		}
		if len(x.Keys) >= maxItems {
			x.Open = Because(TooLong, "a dict of too many items to follow")
			return
		}
		x.put(index, in.untied(x, item))
	case *List:
		in.setListItem(x, index, item)
	case *Instance:
		if _, ok := x.Class.lookup("__setitem__"); ok {
			in.CallMethod(x, "__setitem__", &Args{Positional: []Value{index, item}})
		} else if x.holds != nil {
			in.setItem(held(v), index, item)
		}
	case Object:
		x.SetItem(in, in.handed(index), in.handed(item))
	case External:
		if name, ok := index.X.(string); ok && x.Name == "os.environ" {
			in.set(in.environ, name, item)
		}
	}
}

func (in *Interp) setListItem(l *List, index, item Value) {
	if l.Open != nil {
		return
	}
	if s, ok := index.X.(Slice); ok {
		start, stop, step, ok := s.indices(int64(len(l.Items)))
		items, known := in.Iterate(item)
		if !ok || !known || step != 1 {
			in.forget(l, Because(UnmodelledPython, "a slice of it is assigned"))
			return
		}
		in.change(l, slices.Concat(l.Items[:start], in.allUntied(l, items), l.Items[max(start, stop):]))
		return
	}
	i, ok := wholeOf(index)
	if !ok {
		in.touch(l)
		for j := range l.Items { // it may replace any item
			l.Items[j] = in.Unknown(UnmodelledPython, "an item that is replaced at an index that is not known (%s)", index.Cause())
		}
		return
	}
	if inRange(&i, int64(len(l.Items))) {
		in.touch(l)
		l.Items[i] = in.untied(l, item)
	}
}

// allUntied applies untied to each item.
func (in *Interp) allUntied(container any, items []Value) []Value {
	out := make([]Value, len(items))
	for i, item := range items {
		out[i] = in.untied(container, item)
	}
	return out
}

// untied returns the value to put into a list or dict: Unknown if the value contains
// that container, because traversing a cycle would not end.
func (in *Interp) untied(container any, v Value) Value {
	switch v.X.(type) {
	case Tuple, *List, *Dict:
	default:
		return v
	}
	const most = 256 // values that are visited
	left := most
	var holds func(v Value) bool
	all := func(items []Value) bool { return slices.ContainsFunc(items, holds) }
	holds = func(v Value) bool {
		if left--; left < 0 {
			return false
		}
		switch x := v.X.(type) {
		case Tuple:
			return all(x)
		case *List:
			return any(x) == container || all(x.Items)
		case *Dict:
			return any(x) == container || all(x.Values)
		}
		return false
	}
	if holds(v) {
		return in.Unknown(UnmodelledPython, "a container that holds itself")
	}
	return v
}

// deleteItem evaluates del v[index].
func (in *Interp) deleteItem(v, index Value) {
	switch x := v.X.(type) {
	case *Instance:
		if _, ok := x.Class.lookup("__delitem__"); ok {
			in.CallMethod(x, "__delitem__", &Args{Positional: []Value{index}})
		} else if x.holds != nil {
			in.deleteItem(held(v), index)
		}
	case *Dict:
		in.touch(x)
		defer in.synchronize(x)
		in.Spend(len(x.Keys) / 2)
		if !in.hashable(index) {
			in.openDict(x, Because(UnmodelledPython, "a key that is not known is deleted"))
			return
		}
		x.remove(index)
	case *List:
		if x.Open != nil {
			return
		}
		start, stop := int64(0), int64(0)
		if s, ok := index.X.(Slice); ok {
			step := int64(0)
			if start, stop, step, ok = s.indices(int64(len(x.Items))); !ok || step != 1 {
				in.forget(x, Because(UnmodelledPython, "a slice of it is deleted"))
				return
			}
		} else if start, ok = wholeOf(index); !ok {
			in.forget(x, Because(UnmodelledPython, "an item that is not known is deleted"))
			return
		} else if !inRange(&start, int64(len(x.Items))) {
			return
		} else {
			stop = start + 1
		}
		in.change(x, slices.Concat(x.Items[:start], x.Items[max(start, stop):]))
	case Object:
		x.DelItem(in, in.handed(index))
	}
}

// member evaluates item in container.
func (in *Interp) member(container, item Value) (truth, known bool) {
	if !in.Followable(item) {
		return false, false
	}
	switch x := container.X.(type) {
	case string:
		s, ok := plain(item).X.(string)
		return ok && containsText(x, s), ok
	case *List:
		if x.Open != nil || x.endless {
			return false, false
		}
		return in.memberOf(x.Items, item)
	case Tuple:
		return in.memberOf(x, item)
	case *Set:
		truth, known = in.memberOf(x.Items, item)
		return truth, known && (truth || x.Open == nil)
	case *Dict:
		in.search(x, item)
		if !hashable(item) {
			return false, false
		}
		v, ok := x.get(item)
		if ok {
			return true, x.Open == nil || v.Known()
		}
		return false, x.Open == nil
	case Range:
		n, ok := wholeOf(item)
		if !ok {
			return false, item.Known()
		}
		_, r := floorDiv(n-x.Start, x.Step)
		return r == 0 && (x.Step > 0 && n >= x.Start && n < x.Stop || x.Step < 0 && n <= x.Start && n > x.Stop), true
	case *Class:
		return in.memberOf(x.members, item)
	case *Instance:
		if _, ok := x.Class.lookup("__contains__"); ok {
			return in.Truth(in.CallMethod(x, "__contains__", &Args{Positional: []Value{item}}))
		}
		if x.holds != nil {
			return in.member(held(container), item)
		}
	case External:
		if name, ok := item.X.(string); ok && x.Name == "os.environ" {
			_, ok := in.environ.Get(name)
			return true, ok
		}
	}
	return false, false
}

// memberOf reports whether one of the items equals item, which must be followable.
func (in *Interp) memberOf(items []Value, item Value) (truth, known bool) {
	if !in.Spend(len(items) / 8) {
		return false, false
	}
	return memberOf(items, item)
}

func memberOf(items []Value, item Value) (truth, known bool) {
	known = true
	for _, v := range items {
		t, k := equal(v, item, 16)
		if t && k {
			return true, true
		}
		known = known && k
	}
	return false, known
}

// holdsAll reports whether items surely include all wanted ones.
func holdsAll(items, wanted []Value) bool {
	keys := map[any]bool{}
	if len(items) > few {
		for _, v := range items {
			if key, ok := keyOf(v); ok {
				keys[key] = true
			}
		}
	}
	return !slices.ContainsFunc(wanted, func(v Value) bool {
		key, ok := keyOf(v)
		return !(ok && keys[key]) && !contains(items, v)
	})
}

// contains reports whether one of the items surely equals item.
func contains(items []Value, item Value) bool {
	t, k := memberOf(items, item)
	return t && k
}
