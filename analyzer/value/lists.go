package value

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/library"
)

// Append appends to a list, as list.append does.
func (in *Interp) Append(l *List, v Value) {
	in.touch(l)
	v = in.untied(l, v)
	switch {
	case l.Open != nil && l.sample.X != nil:
		l.sample = widen(l.sample, v, deep)
	case l.Open != nil:
	case len(l.Items) >= maxItems:
		of, _ := l.widened()
		*l = unknownList(Because(TooLong, "a list of too many items to follow"), l.consumed)
		l.sample = widen(of, v, deep)
	default:
		l.Items = append(l.Items, v)
	}
}

// change replaces the items of a known list.
func (in *Interp) change(l *List, items []Value) {
	in.touch(l)
	in.Spend(len(items) / 64) // the items are copied
	if len(items) > maxItems {
		*l = unknownList(Because(TooLong, "a list of too many items to follow"), l.consumed)
		return
	}
	l.Items = items
}

// forget makes a list unknown.
func (in *Interp) forget(l *List, why *Cause) {
	in.touch(l)
	*l = unknownList(why, l.consumed)
}

// extend adds the items of v to a list.
func (in *Interp) extend(l *List, v Value) {
	items, ok := in.Iterate(v)
	switch {
	case !ok && l.Open == nil:
		in.forget(l, in.whyNotIterable(v))
	case l.Open == nil:
		in.change(l, append(slices.Clip(l.Items), in.allUntied(l, items)...))
	}
}

// listMethods returns the methods of lists.
func listMethods() library.Table[func(in *Interp, l *List, args *Args) Value] {
	return library.Table[func(in *Interp, l *List, args *Args) Value]{
		"append": func(in *Interp, l *List, args *Args) Value {
			in.Append(l, positional(args, 0))
			return noneValue
		},
		"extend": func(in *Interp, l *List, args *Args) Value {
			in.extend(l, positional(args, 0))
			return noneValue
		},
		"insert": func(in *Interp, l *List, args *Args) Value {
			if l.Open != nil {
				return noneValue
			}
			i, ok := wholeOf(positional(args, 0))
			if !ok {
				in.forget(l, Because(UnmodelledPython, "an item is inserted at a place that is not known"))
				return noneValue
			}
			n := int64(len(l.Items))
			if i < 0 {
				i = max(i+n, 0)
			}
			in.change(l, slices.Insert(slices.Clone(l.Items), int(min(i, n)), in.untied(l, positional(args, 1))))
			return noneValue
		},
		"pop":    popItem,
		"remove": removeItem,
		"reverse": func(in *Interp, l *List, _ *Args) Value {
			items := slices.Clone(l.Items)
			slices.Reverse(items)
			in.change(l, items)
			return noneValue
		},
		"sort": func(in *Interp, l *List, args *Args) Value {
			if l.Open != nil {
				return noneValue
			}
			if items, why := in.sort(slices.Clone(l.Items), args); why != nil {
				in.forget(l, why)
			} else {
				in.change(l, items)
			}
			return noneValue
		},
		"clear": func(in *Interp, l *List, _ *Args) Value {
			in.touch(l)
			*l = List{}
			return noneValue
		},
		"copy": func(in *Interp, l *List, _ *Args) Value {
			return Value{X: &List{Items: slices.Clone(l.Items), Open: l.Open}}
		},
		"index": func(in *Interp, l *List, args *Args) Value {
			if l.Open != nil {
				return Value{X: Unknown{l.Open}}
			}
			if len(args.Positional) > 1 {
				return in.Unknown(UnmodelledPython, "a search that is not modelled")
			}
			item := positional(args, 0)
			if !in.Followable(item) || !in.Spend(len(l.Items)/8) {
				return tooLarge.Unknown()
			}
			for i, v := range l.Items {
				t, known := equal(v, item, 16)
				if !known {
					return in.Unknown(WrongType, "the place of %s in a list", in.describe(item))
				}
				if t {
					return Value{X: int64(i)}
				}
			}
			return in.Unknown(WillRaise, "%s is not in a list: ValueError", in.describe(item))
		},
		"count": func(in *Interp, l *List, args *Args) Value {
			if l.Open != nil {
				return Value{X: Unknown{l.Open}}
			}
			n := int64(0)
			if !in.Followable(positional(args, 0)) || !in.Spend(len(l.Items)/8) {
				return tooLarge.Unknown()
			}
			for _, v := range l.Items {
				t, known := equal(v, positional(args, 0), 16)
				if !known {
					return in.Unknown(WrongType, "how often %s is in a list", in.describe(positional(args, 0)))
				}
				if t {
					n++
				}
			}
			return Value{X: n}
		},
	}
}

func popItem(in *Interp, l *List, args *Args) Value {
	if l.Open != nil {
		return Value{X: Unknown{l.Open}}
	}
	i := int64(-1)
	if v, given := args.Get(0, ""); given {
		var ok bool
		if i, ok = wholeOf(v); !ok {
			in.forget(l, Because(UnmodelledPython, "an item that is not known is removed"))
			return Value{X: v.X}
		}
	}
	if !inRange(&i, int64(len(l.Items))) {
		return in.Unknown(WillRaise, "a list that is too short: IndexError")
	}
	v := l.Items[i]
	in.change(l, slices.Delete(slices.Clone(l.Items), int(i), int(i)+1))
	return v
}

func removeItem(in *Interp, l *List, args *Args) Value {
	if l.Open != nil {
		return noneValue
	}
	if !in.Followable(positional(args, 0)) || !in.Spend(len(l.Items)/8) {
		in.forget(l, tooLarge)
		return noneValue
	}
	for i, v := range l.Items {
		t, known := equal(v, positional(args, 0), 16)
		if !known {
			in.forget(l, Because(UnmodelledPython, "an item that is not known is removed"))
			return noneValue
		}
		if t {
			in.change(l, slices.Delete(slices.Clone(l.Items), i, i+1))
			break
		}
	}
	return noneValue
}

// sort orders items as sorted does. why says why the order is unknown, or is nil.
func (in *Interp) sort(items []Value, args *Args) (sorted []Value, why *Cause) {
	keys := items
	if key, ok := args.Keywords.Get("key"); ok && key.X != (None{}) {
		keys = make([]Value, len(items))
		for i, v := range items {
			keys[i] = in.Call(key, &Args{Positional: []Value{v}})
		}
	}
	reverse := false
	if v, ok := args.Keywords.Get("reverse"); ok {
		if reverse, ok = in.Truth(v); !ok {
			return nil, v.Cause()
		}
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	if !in.Followable(keys...) {
		return nil, tooLarge
	}
	if !in.Spend(len(items) * 4) {
		return nil, tooLong
	}
	slices.SortStableFunc(order, func(i, j int) int {
		c, known := compare(plain(keys[i]), plain(keys[j]), 16)
		if (!known || c == unordered) && why == nil {
			why = Because(WrongType, "the order of %s and %s", in.describe(keys[i]), in.describe(keys[j]))
		}
		if reverse {
			return -c
		}
		return c
	})
	if why != nil {
		return nil, why
	}
	sorted = make([]Value, len(items))
	for i, from := range order {
		sorted[i] = items[from]
	}
	return sorted, nil
}
