package interp

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// sequence iterates over a value, one item per call. known is false if the next item is
// unknown, or whether there is one.
func sequence(in *value.Interp, v value.Value) func() (item value.Value, more, known bool) {
	if r, ok := v.X.(value.Range); ok {
		i, n := int64(0), r.Length()
		return func() (value.Value, bool, bool) {
			if i >= n {
				return value.Value{}, false, true
			}
			i++
			return value.Value{X: r.At(i - 1), Overridable: v.Overridable}, true, true
		}
	}
	if g, ok := v.X.(*Generator); ok {
		v.X = finish(in, g)
	}
	i := 0
	if l, ok := v.X.(*value.List); ok {
		return func() (value.Value, bool, bool) {
			var item value.Value
			ok := false
			if l.Consumed {
				if l.Open != nil {
					in.Recount(l)
				}
				item, ok = Take(in, l)
			} else if ok = l.Open == nil && i < len(l.Items); ok { // the loop may change the list
				item = l.Items[i]
				i++
			}
			item.Overridable = item.Overridable || v.Overridable
			return item, ok, l.Open == nil && (ok || !l.Endless)
		}
	}
	items, ok := Iterate(in, v)
	return func() (value.Value, bool, bool) {
		if !ok || i >= len(items) {
			return value.Value{}, false, ok
		}
		i++
		return items[i-1], true, true
	}
}

// Take removes and returns the next item of an iterator; it returns false if there is
// none or it is unknown.
func Take(in *value.Interp, l *value.List) (value.Value, bool) {
	if l.Open != nil || len(l.Items) == 0 {
		return value.Value{}, false
	}
	in.Record(l)
	item := l.Items[0]
	l.Items = l.Items[1:]
	return item, true
}

// FirstItem returns the first item of a value whose items are not all known. An iterator
// yields it once.
func FirstItem(in *value.Interp, v value.Value) (item value.Value, ok bool) {
	switch x := v.X.(type) {
	case *Generator:
		if list := finish(in, x); list.Open == nil || !tells(x.frame.Yielded) {
			return value.Value{}, false
		}
		return x.frame.Yielded, true
	case *value.List:
		if x.Open == nil || x.First.X == nil {
			return value.Value{}, false
		}
		item = x.First
		if x.Consumed {
			in.Record(x)
			x.First = value.Value{}
		}
		return item, true
	case value.Object:
		if item, first := in.Slots(x).Sample(in); first {
			return item, true
		}
	}
	items, ok := Items(in, v)
	if !ok || len(items) == 0 {
		return value.Value{}, false
	}
	return items[0], true
}

// Sample returns a typical item of an unknown value.
func Sample(in *value.Interp, v value.Value) value.Value {
	switch x := v.X.(type) {
	case *Generator:
		return Sample(in, value.Value{X: finish(in, x)})
	case *value.List:
		if x.Open != nil && x.Typical.X != nil {
			return x.Typical
		}
	case *value.Instance:
		if item := sampleInstance(in, x); item.X != nil {
			return item
		}
	case value.Object:
		if item, _ := in.Slots(x).Sample(in); item.X != nil {
			return item
		}
	}
	return value.Value{X: value.Unknown{Cause: WhyNotIterable(in, v)}}
}

// sampleInstance returns what an object of the program yields: what its iterator returns, or its
// first item by number. It is empty if the object has neither.
func sampleInstance(in *value.Interp, o *value.Instance) value.Value {
	switch {
	case o.Defines("__iter__"):
		v := CallMethod(in, o, "__iter__", &value.Args{})
		if self, ok := v.X.(*value.Instance); ok {
			if self.Defines("__next__") {
				return CallMethod(in, self, "__next__", &value.Args{})
			}
			return value.Value{}
		}
		return Sample(in, v)
	case o.Defines("__getitem__") && o.Defines("__len__") && o.Holds == nil:
		return CallMethod(in, o, "__getitem__", &value.Args{Positional: []value.Value{{X: int64(0)}}})
	}
	return value.Value{}
}

// Iterate returns the items that a loop over v visits; ok is false if they are unknown.
// It exhausts an iterator. The caller must not change the items.
func Iterate(in *value.Interp, v value.Value) (items []value.Value, ok bool) {
	items, ok = Items(in, v)
	if v.Overridable {
		items = slices.Clone(items)
		for i := range items {
			items[i].Overridable = true
		}
	}
	if !in.Spend(len(items) / 8) {
		return nil, false
	}
	return items, ok
}

// Items is Iterate without its steps, and without marking the items as overridable.
func Items(in *value.Interp, v value.Value) (items []value.Value, ok bool) {
	switch x := v.X.(type) {
	case value.Unknown:
		if 0 < v.Length && v.Length <= value.MaxDrawn {
			return slices.Repeat([]value.Value{{X: x}}, int(v.Length)), true
		}
		return nil, false
	case *value.List:
		if x.Open != nil {
			if x.Consumed {
				in.Recount(x)
			}
			return nil, false
		}
		if x.Consumed {
			in.Record(x)
			items, x.Items = x.Items, nil
			return items, true
		}
		return slices.Clone(x.Items), true // the loop may change it
	case value.Tuple:
		return x, true
	case *value.Set:
		return slices.Clone(x.Items), x.Open == nil && len(x.Items) < 2 // the order is unknown
	case *value.Dict:
		return slices.Clone(x.Keys), x.Open == nil
	case value.Range:
		n := x.Length()
		if n > value.MaxItems || !in.Spend(int(n)) {
			return nil, false
		}
		items = make([]value.Value, n)
		for i := range items {
			items[i].X = x.At(int64(i))
		}
		return items, true
	case string:
		for _, r := range x {
			items = append(items, value.Value{X: string(r)})
		}
		return items, in.Spend(len(items))
	case *value.Class:
		return x.Members, x.Members != nil
	case *value.Instance:
		return iterateInstance(in, x)
	case *Generator:
		return Items(in, value.Value{X: finish(in, x)})
	case value.Object:
		return in.Slots(x).Iter(in)
	}
	return nil, false
}

func iterateInstance(in *value.Interp, o *value.Instance) ([]value.Value, bool) {
	if _, ok := o.Class.Lookup("__iter__"); ok {
		v := CallMethod(in, o, "__iter__", &value.Args{})
		if v.X == o {
			return nil, false // it is its own iterator, and __next__ is not interpreted
		}
		return Iterate(in, v)
	}
	if _, ok := o.Class.Lookup("__getitem__"); ok && o.Holds == nil {
		return nil, false
	}
	if o.Class.Tuple {
		return o.FieldValues(), true
	}
	if o.Holds != nil {
		return Items(in, value.Held(value.Value{X: o}))
	}
	return in.Slots(o.Host).Iter(in)
}

// WhyNotIterable says why the items of a value are unknown.
func WhyNotIterable(in *value.Interp, v value.Value) *value.Cause {
	switch x := v.X.(type) {
	case value.Unknown:
		return x.Cause
	case *value.List:
		if x.Open != nil {
			return x.Open
		}
	case *value.Set:
		if x.Open != nil {
			return x.Open
		}
		return value.Because(value.Unordered, "the order of a set")
	case *value.Dict:
		if x.Open != nil {
			return x.Open
		}
	case *Generator:
		if x.done != nil && x.done.Open != nil {
			return x.done.Open
		}
	case value.External:
		return UnknownExternal(in, x).Cause()
	case value.Object:
		if why := x.WhyNotIter(); why != nil {
			return why
		}
	}
	return value.Because(value.WrongType, "the items of %s", Describe(in, v))
}

// reportItem reports an item to the Host.
func reportItem(in *value.Interp, item value.Value) value.Value {
	if in.HostMuted == 0 {
		return in.Host.NextItem(in, item)
	}
	return item
}

// Next evaluates next(iterator, default).
func Next(in *value.Interp, args *value.Args) value.Value {
	v := value.Positional(args, 0)
	if g, ok := v.X.(*Generator); ok {
		v = value.Value{X: finish(in, g)}
	}
	if o, ok := v.X.(*value.Instance); ok && o.Defines("__next__") {
		return CallMethod(in, o, "__next__", &value.Args{})
	}
	if x, ok := v.X.(value.Object); ok {
		if m, ok := in.Slots(x).GetAttr(in, "__next__"); ok {
			return Call(in, m, &value.Args{Node: args.Node})
		}
	}
	l, ok := v.X.(*value.List)
	switch {
	case !ok:
		return in.Unknown(value.Unordered, "the next item of %s", Describe(in, v))
	case l.Open != nil:
		if l.Count > 0 {
			in.Record(l)
			l.Count--
		}
		return reportItem(in, Sample(in, v))
	case len(l.Items) > 0:
		item, _ := Take(in, l)
		return reportItem(in, item)
	case l.Endless:
		return in.Unknown(value.TooLong, "an iterator that is too long to follow")
	case len(args.Positional) > 1:
		return args.Positional[1]
	}
	return in.Unknown(value.WillRaise, "an iterator that is at its end: StopIteration")
}
