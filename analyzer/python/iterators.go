package python

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// lists returns the items of several arguments; why is nil if all are known.
func lists(in *value.Interp, args []value.Value) (lists [][]value.Value, shortest int, why *value.Cause) {
	shortest = -1
	shared := map[*value.List][][]value.Value{} // iterators that are passed more than once
	var iterators []*value.List
	for _, v := range args {
		if l, ok := v.X.(*value.List); ok && l.Consumed && l.Open == nil && !l.Endless {
			if shared[l] == nil {
				iterators = append(iterators, l)
			}
			shared[l] = append(shared[l], nil)
		}
	}
	for _, l := range iterators {
		parts := shared[l]
		items, _ := interp.Items(in, value.Value{X: l})
		for i := range items {
			parts[i%len(parts)] = append(parts[i%len(parts)], items[i])
		}
	}
	for _, v := range args {
		var items []value.Value
		ok := false
		if l, isList := v.X.(*value.List); isList && len(shared[l]) > 0 {
			items, shared[l], ok = shared[l][0], shared[l][1:], true
		} else if items, ok = interp.Iterate(in, v); !ok {
			return nil, 0, interp.WhyNotIterable(in, v)
		}
		if l, isList := v.X.(*value.List); !isList || !l.Endless {
			if shortest < 0 || len(items) < shortest {
				shortest = len(items)
			}
		}
		lists = append(lists, items)
	}
	for _, items := range lists {
		if len(items) < shortest {
			return nil, 0, value.Because(value.TooLong, "an iterator that is too long to follow")
		}
	}
	if shortest < 0 && len(args) > 0 {
		return nil, 0, value.Because(value.UnmodelledPython, "an iterator without end")
	}
	return lists, max(shortest, 0), nil
}

// passing returns an iterator over items.
func passing(items []value.Value) value.Value {
	return value.Value{X: &value.List{Items: items, Consumed: true}}
}

func openPassing(why *value.Cause) value.Value {
	l := value.UnknownList(why, true)
	return value.Value{X: &l}
}

// sampled returns an iterator whose items are unknown except for a sample, and the
// first item if there surely is one.
func sampled(in *value.Interp, why *value.Cause, item, first value.Value) value.Value {
	l := value.UnknownList(why, true)
	l.Typical, l.First = item, first
	return value.Value{X: &l}
}

func zip(in *value.Interp, args *value.Args) value.Value {
	lists, n, why := lists(in, args.Positional)
	if why == nil {
		why = args.Open
	}
	if why != nil || !in.Spend(n) {
		item, first := make(value.Tuple, len(args.Positional)), make(value.Tuple, len(args.Positional))
		filled := args.Open == nil
		for i, v := range args.Positional {
			item[i] = interp.Sample(in, v)
			if filled {
				first[i], filled = interp.FirstItem(in, v)
			}
		}
		if !filled {
			return sampled(in, why, value.Value{X: item}, value.Value{})
		}
		return sampled(in, why, value.Value{X: item}, value.Value{X: first})
	}
	items := make([]value.Value, n)
	for i := range items {
		t := make(value.Tuple, len(lists))
		for j, l := range lists {
			t[j] = l[i]
		}
		items[i].X = t
	}
	return passing(items)
}

func enumerate(in *value.Interp, args *value.Args) value.Value {
	v, _ := args.Get(0, "iterable")
	start := int64(0)
	if s, ok := args.Get(1, "start"); ok {
		if start, ok = value.Whole(s.X); !ok {
			return openPassing(interp.CauseOf(in, s))
		}
	}
	all, ok := interp.Iterate(in, v)
	if !ok || !in.Spend(len(all)) {
		why, first := interp.WhyNotIterable(in, v), value.Value{}
		if item, filled := interp.FirstItem(in, v); filled {
			first.X = value.Tuple{{X: start}, item}
		}
		return sampled(in, why, value.Value{X: value.Tuple{{X: value.Unknown{Cause: why}}, interp.Sample(in, v)}}, first)
	}
	items := make([]value.Value, len(all))
	for i, item := range all {
		items[i].X = value.Tuple{{X: start + int64(i)}, item}
	}
	return passing(items)
}

func mapped(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional) < 2 {
		return in.Unknown(value.MissingArgument, "a map of nothing")
	}
	lists, n, why := lists(in, args.Positional[1:])
	if why != nil {
		return openPassing(why)
	}
	items := make([]value.Value, 0, n)
	for i := range n {
		call := &value.Args{Node: args.Node}
		for _, l := range lists {
			call.Positional = append(call.Positional, l[i])
		}
		items = append(items, interp.Call(in, args.Positional[0], call))
		if in.Bounds.Exhausted {
			return openPassing(value.OutOfSteps)
		}
	}
	return passing(items)
}

func filtered(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional) != 2 {
		return in.Unknown(value.MissingArgument, "a filter of nothing")
	}
	all, ok := interp.Iterate(in, args.Positional[1])
	if !ok {
		return openPassing(interp.WhyNotIterable(in, args.Positional[1]))
	}
	var items []value.Value
	for _, v := range all {
		test := v
		if args.Positional[0].X != (value.None{}) {
			test = interp.Call(in, args.Positional[0], &value.Args{Positional: []value.Value{v}, Node: args.Node})
		}
		truth, known := interp.Truth(in, test)
		if !known {
			return openPassing(interp.UnknownTruth(in, test).Cause())
		}
		if truth {
			items = append(items, v)
		}
	}
	return passing(items)
}

func reversed(in *value.Interp, args *value.Args) value.Value {
	items, ok := interp.Iterate(in, value.Positional(args, 0))
	if !ok {
		return openPassing(interp.WhyNotIterable(in, value.Positional(args, 0)))
	}
	items = slices.Clone(items)
	slices.Reverse(items)
	return passing(items)
}

func sorted(in *value.Interp, args *value.Args) value.Value {
	v := value.Positional(args, 0)
	items, ok := interp.Elements(in, v)
	var why *value.Cause
	if !ok {
		why = interp.WhyNotIterable(in, v)
	} else {
		items, why = sort(in, slices.Clone(items), args)
	}
	if why != nil {
		l := value.UnknownList(why, false)
		if of, ok := v.X.(*value.List); ok {
			l.Typical = of.Typical
		}
		return value.Value{X: &l}
	}
	return value.Value{X: &value.List{Items: items}}
}

func iterator(in *value.Interp, args *value.Args) value.Value {
	v := value.Positional(args, 0)
	switch x := v.X.(type) {
	case *value.List:
		if x.Consumed {
			return v
		}
	case *interp.Generator:
		return v
	case value.Object:
		if it, ok := in.Slots(x).GetAttr(in, "__iter__"); ok {
			return interp.Call(in, it, &value.Args{Node: args.Node})
		}
	}
	items, ok := interp.Iterate(in, v)
	if !ok {
		first, _ := interp.FirstItem(in, v)
		return sampled(in, interp.WhyNotIterable(in, v), interp.Sample(in, v), first)
	}
	return passing(slices.Clone(items))
}
