package python

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// endlessly limits the items of an endless iterator.
const endlessly = 1024

func addItertools(add, lenient value.Adder) {
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		items := []value.Value{}
		for _, v := range args.Positional {
			more, ok := interp.Iterate(in, v)
			if !ok {
				return openPassing(interp.WhyNotIterable(in, v))
			}
			items = append(items, more...)
		}
		return passing(items)
	}, "itertools.chain")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		outer, ok := interp.Iterate(in, value.Positional(args, 0))
		if !ok {
			return openPassing(interp.WhyNotIterable(in, value.Positional(args, 0)))
		}
		return interp.Call(in, value.Value{X: value.External{Name: "itertools.chain"}}, &value.Args{Positional: outer})
	}, "itertools.chain.from_iterable")
	lenient(islice, "itertools.islice")
	lenient(cartesian, "itertools.product")
	lenient(func(in *value.Interp, args *value.Args) value.Value { return choices(in, args, false) }, "itertools.combinations")
	lenient(func(in *value.Interp, args *value.Args) value.Value { return choices(in, args, true) }, "itertools.permutations")
	add(func(in *value.Interp, args *value.Args) value.Value {
		n, given := args.Get(1, "times")
		count, ok := value.Whole(n.X)
		l := &value.List{Consumed: true}
		if !given {
			count, ok, l.Endless = endlessly, true, true
		}
		if !ok || count > value.MaxItems {
			return in.Unknown(value.TooLong, "a repetition that is too long to follow")
		}
		l.Items = slices.Repeat([]value.Value{value.Positional(args, 0)}, int(max(count, 0)))
		return value.Value{X: l}
	}, "itertools.repeat")
	add(func(in *value.Interp, args *value.Args) value.Value {
		start, step := value.Value{X: int64(0)}, value.Value{X: int64(1)}
		if v, ok := args.Get(0, "start"); ok {
			start = v
		}
		if v, ok := args.Get(1, "step"); ok {
			step = v
		}
		l := &value.List{Consumed: true, Endless: true}
		for i := range int64(endlessly) {
			l.Items = append(l.Items, interp.Binary(in, "+", start, interp.Binary(in, "*", value.Value{X: i}, step)))
		}
		return value.Value{X: l}
	}, "itertools.count")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		items, ok := interp.Iterate(in, value.Positional(args, 0))
		if !ok || len(items) == 0 {
			return openPassing(interp.WhyNotIterable(in, value.Positional(args, 0)))
		}
		return value.Value{X: &value.List{Items: slices.Repeat(items, endlessly/len(items)+1), Consumed: true, Endless: true}}
	}, "itertools.cycle")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		items, ok := interp.Iterate(in, value.Positional(args, 0))
		if l, isList := value.Positional(args, 0).X.(*value.List); !ok || isList && l.Endless {
			return openPassing(interp.WhyNotIterable(in, value.Positional(args, 0)))
		}
		l := &value.List{}
		for i, v := range items {
			if i > 0 {
				v = interp.Binary(in, "+", l.Items[i-1], v)
			}
			l.Items = append(l.Items, v)
		}
		l.Consumed = true
		if len(args.Positional)+args.Keywords.Len() > 1 {
			return openPassing(value.Because(value.UnmodelledPython, "an accumulation that is not modelled"))
		}
		return value.Value{X: l}
	}, "itertools.accumulate")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		items, ok := interp.Iterate(in, value.Positional(args, 0))
		if l, isList := value.Positional(args, 0).X.(*value.List); !ok || isList && l.Endless {
			return openPassing(interp.WhyNotIterable(in, value.Positional(args, 0)))
		}
		l := &value.List{Consumed: true}
		for i := range max(len(items)-1, 0) {
			l.Items = append(l.Items, value.Value{X: value.Tuple{items[i], items[i+1]}})
		}
		return value.Value{X: l}
	}, "itertools.pairwise")
}

func cartesian(in *value.Interp, args *value.Args) value.Value {
	rows := []value.Value{{X: value.Tuple{}}}
	var lists [][]value.Value
	for _, v := range args.Positional {
		items, ok := interp.Iterate(in, v)
		if !ok {
			return openPassing(interp.WhyNotIterable(in, v))
		}
		lists = append(lists, items)
	}
	if v, ok := args.Keywords.Get("repeat"); ok {
		n, ok := value.Whole(v.X)
		if !ok || n < 0 || n > 16 {
			return openPassing(value.Because(value.TooLong, "a product that is too long to follow"))
		}
		lists = slices.Repeat(lists, int(n))
	}
	for _, items := range lists {
		if len(rows)*len(items) > value.MaxItems/4 || !in.Spend(len(rows)*len(items)) {
			return openPassing(value.Because(value.TooLong, "a product that is too long to follow"))
		}
		var longer []value.Value
		for _, row := range rows {
			for _, v := range items {
				longer = append(longer, value.Value{X: append(slices.Clip(row.X.(value.Tuple)), v)})
			}
		}
		rows = longer
	}
	return passing(rows)
}

// choices evaluates itertools.combinations, or permutations if order is set.
func choices(in *value.Interp, args *value.Args, order bool) value.Value {
	items, ok := interp.Iterate(in, value.Positional(args, 0))
	if !ok {
		return openPassing(interp.WhyNotIterable(in, value.Positional(args, 0)))
	}
	r := int64(len(items))
	if v, given := args.Get(1, "r"); given {
		if r, ok = value.Whole(v.X); !ok {
			return openPassing(interp.CauseOf(in, v))
		}
	}
	var rows []value.Value
	used := make([]bool, len(items))
	var pick func(row value.Tuple, from int) bool
	pick = func(row value.Tuple, from int) bool {
		if int64(len(row)) == r {
			rows = append(rows, value.Value{X: slices.Clone(row)})
			return len(rows) < value.MaxItems/4 && in.Spend(1)
		}
		for i := from; i < len(items); i++ {
			if used[i] {
				continue
			}
			used[i] = true
			next := i + 1
			if order {
				next = 0
			}
			more := in.Spend(1) && pick(append(slices.Clip(row), items[i]), next)
			used[i] = false
			if !more {
				return false
			}
		}
		return true
	}
	if r < 0 || r > 64 || !pick(nil, 0) {
		return openPassing(value.Because(value.TooLong, "choices that are too many to follow"))
	}
	return passing(rows)
}

// islice evaluates itertools.islice: some of the items, or the result of take for a
// tf.data dataset.
func islice(in *value.Interp, args *value.Args) value.Value {
	v := value.Positional(args, 0)
	part := value.Slice{Start: value.NoneValue, Stop: value.Positional(args, 1), Step: value.NoneValue}
	if len(args.Positional) > 2 {
		part.Start, part.Stop = value.Positional(args, 1), value.Positional(args, 2)
	}
	if len(args.Positional) > 3 {
		part.Step = value.Positional(args, 3)
	}
	start, first := wholeOr(part.Start, 0)
	step, second := wholeOr(part.Step, 1)
	stop, third := wholeOr(part.Stop, -1)
	if !first || !second || !third || start < 0 || step < 1 {
		return openPassing(value.Because(value.UnmodelledPython, "the part of an iterator that is not known"))
	}
	if l, ok := v.X.(*value.List); ok && l.Consumed && stop >= 0 {
		var items []value.Value
		for i := int64(0); i < stop; i++ {
			item, ok := interp.Take(in, l)
			if !ok {
				if l.Open != nil || l.Endless {
					return openPassing(interp.WhyNotIterable(in, v))
				}
				break
			}
			if i >= start && (i-start)%step == 0 {
				items = append(items, item)
			}
		}
		return passing(items)
	}
	items, ok := interp.Iterate(in, v)
	if !ok {
		if start > 0 || step > 1 {
			return openPassing(interp.WhyNotIterable(in, v))
		}
		if take, ok := interp.FindAttr(in, v, "take"); ok && stop >= 0 {
			return interp.Call(in, take, &value.Args{Positional: []value.Value{part.Stop}, Node: args.Node})
		}
		return v
	}
	n := int64(len(items))
	if stop < 0 || stop > n {
		stop = n
	}
	step = min(step, n+1) // a larger step gives the same items
	var out []value.Value
	for i := start; i < stop; i += step {
		out = append(out, items[i])
	}
	return passing(out)
}

// wholeOr returns an integer, or other for None.
func wholeOr(v value.Value, other int64) (int64, bool) {
	if v.X == (value.None{}) {
		return other, true
	}
	return value.WholeOf(v)
}
