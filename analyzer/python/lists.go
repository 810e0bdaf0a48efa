package python

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

// listMethods returns the methods of lists.
func listMethods() library.Table[func(in *value.Interp, l *value.List, args *value.Args) value.Value] {
	return library.Table[func(in *value.Interp, l *value.List, args *value.Args) value.Value]{
		"append": func(in *value.Interp, l *value.List, args *value.Args) value.Value {
			in.Append(l, value.Positional(args, 0))
			l.Made = args.Node
			return value.NoneValue
		},
		"extend": func(in *value.Interp, l *value.List, args *value.Args) value.Value {
			interp.Extend(in, l, value.Positional(args, 0))
			return value.NoneValue
		},
		"insert": func(in *value.Interp, l *value.List, args *value.Args) value.Value {
			if l.Open != nil {
				in.Recount(l)
				return value.NoneValue
			}
			i, ok := value.WholeOf(value.Positional(args, 0))
			if !ok {
				in.Forget(l, value.Because(value.UnmodelledPython, "an item is inserted at a place that is not known"))
				return value.NoneValue
			}
			n := int64(len(l.Items))
			if i < 0 {
				i = max(i+n, 0)
			}
			in.Change(l, slices.Insert(slices.Clone(l.Items), int(min(i, n)), value.Untied(l, value.Positional(args, 1))))
			return value.NoneValue
		},
		"pop":    popItem,
		"remove": removeItem,
		"reverse": func(in *value.Interp, l *value.List, _ *value.Args) value.Value {
			items := slices.Clone(l.Items)
			slices.Reverse(items)
			in.Change(l, items)
			return value.NoneValue
		},
		"sort": func(in *value.Interp, l *value.List, args *value.Args) value.Value {
			if l.Open != nil {
				return value.NoneValue
			}
			if items, why := sort(in, slices.Clone(l.Items), args); why != nil {
				in.Forget(l, why)
			} else {
				in.Change(l, items)
			}
			return value.NoneValue
		},
		"clear": func(in *value.Interp, l *value.List, _ *value.Args) value.Value {
			in.Record(l)
			*l = value.List{}
			return value.NoneValue
		},
		"copy": func(in *value.Interp, l *value.List, _ *value.Args) value.Value {
			return value.Value{X: &value.List{Items: slices.Clone(l.Items), Open: l.Open, Typical: l.Typical, Count: l.Count, Last: l.Shared()}}
		},
		"index": func(in *value.Interp, l *value.List, args *value.Args) value.Value {
			if l.Open != nil {
				return value.Value{X: value.Unknown{Cause: l.Open}}
			}
			if len(args.Positional) > 1 {
				return in.Unknown(value.UnmodelledPython, "a search that is not modelled")
			}
			item := value.Positional(args, 0)
			if !in.Followable(item) || !in.Spend(len(l.Items)/8) {
				return value.TooLarge.Unknown()
			}
			for i, v := range l.Items {
				t, known := value.Equal(v, item, 16)
				if !known {
					return in.Unknown(value.WrongType, "the place of %s in a list", interp.Describe(in, item))
				}
				if t {
					return value.Value{X: int64(i)}
				}
			}
			return in.Unknown(value.WillRaise, "%s is not in a list: ValueError", interp.Describe(in, item))
		},
		"count": func(in *value.Interp, l *value.List, args *value.Args) value.Value {
			if l.Open != nil {
				return value.Value{X: value.Unknown{Cause: l.Open}}
			}
			n := int64(0)
			if !in.Followable(value.Positional(args, 0)) || !in.Spend(len(l.Items)/8) {
				return value.TooLarge.Unknown()
			}
			for _, v := range l.Items {
				t, known := value.Equal(v, value.Positional(args, 0), 16)
				if !known {
					return in.Unknown(value.WrongType, "how often %s is in a list", interp.Describe(in, value.Positional(args, 0)))
				}
				if t {
					n++
				}
			}
			return value.Value{X: n}
		},
	}
}

func popItem(in *value.Interp, l *value.List, args *value.Args) value.Value {
	if l.Open != nil {
		in.Recount(l)
		return value.Value{X: value.Unknown{Cause: l.Open}}
	}
	i := int64(-1)
	if v, given := args.Get(0, ""); given {
		var ok bool
		if i, ok = value.WholeOf(v); !ok {
			in.Forget(l, value.Because(value.UnmodelledPython, "an item that is not known is removed"))
			return value.Value{X: v.X}
		}
	}
	if !value.InRange(&i, int64(len(l.Items))) {
		return in.Unknown(value.WillRaise, "a list that is too short: IndexError")
	}
	v := l.Items[i]
	in.Change(l, slices.Delete(slices.Clone(l.Items), int(i), int(i)+1))
	return v
}

func removeItem(in *value.Interp, l *value.List, args *value.Args) value.Value {
	if l.Open != nil {
		in.Recount(l)
		return value.NoneValue
	}
	if !in.Followable(value.Positional(args, 0)) || !in.Spend(len(l.Items)/8) {
		in.Forget(l, value.TooLarge)
		return value.NoneValue
	}
	for i, v := range l.Items {
		t, known := value.Equal(v, value.Positional(args, 0), 16)
		if !known {
			in.Forget(l, value.Because(value.UnmodelledPython, "an item that is not known is removed"))
			return value.NoneValue
		}
		if t {
			in.Change(l, slices.Delete(slices.Clone(l.Items), i, i+1))
			break
		}
	}
	return value.NoneValue
}

// sort orders items as sorted does. why says why the order is unknown, or is nil.
func sort(in *value.Interp, items []value.Value, args *value.Args) (sorted []value.Value, why *value.Cause) {
	keys := items
	if key, ok := args.Keywords.Get("key"); ok && key.X != (value.None{}) {
		keys = make([]value.Value, len(items))
		for i, v := range items {
			keys[i] = interp.Call(in, key, &value.Args{Positional: []value.Value{v}})
		}
	}
	reverse := false
	if v, ok := args.Keywords.Get("reverse"); ok {
		if reverse, ok = interp.Truth(in, v); !ok {
			return nil, v.Cause()
		}
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	if !in.Followable(keys...) {
		return nil, value.TooLarge
	}
	if !in.Spend(len(items) * 4) {
		return nil, value.OutOfSteps
	}
	slices.SortStableFunc(order, func(i, j int) int {
		c, known := value.Compare(value.Plain(keys[i]), value.Plain(keys[j]), 16)
		if (!known || c == value.NotOrdered) && why == nil {
			why = value.Because(value.WrongType, "the order of %s and %s", interp.Describe(in, keys[i]), interp.Describe(in, keys[j]))
		}
		if reverse {
			return -c
		}
		return c
	})
	if why != nil {
		return nil, why
	}
	sorted = make([]value.Value, len(items))
	for i, from := range order {
		sorted[i] = items[from]
	}
	return sorted, nil
}
