package value

import (
	"slices"
)

// endlessly limits the items of an endless iterator.
const endlessly = 1024

func addItertools(add, lenient adder) {
	lenient(func(in *Interp, args *Args) Value {
		items := []Value{}
		for _, v := range args.Positional {
			more, ok := in.Iterate(v)
			if !ok {
				return openPassing(in.whyNotIterable(v))
			}
			items = append(items, more...)
		}
		return passing(items)
	}, "itertools.chain")
	lenient(func(in *Interp, args *Args) Value {
		outer, ok := in.Iterate(positional(args, 0))
		if !ok {
			return openPassing(in.whyNotIterable(positional(args, 0)))
		}
		return in.Call(Value{X: External{"itertools.chain"}}, &Args{Positional: outer})
	}, "itertools.chain.from_iterable")
	lenient(islice, "itertools.islice")
	lenient(cartesian, "itertools.product")
	lenient(func(in *Interp, args *Args) Value { return in.choices(args, false) }, "itertools.combinations")
	lenient(func(in *Interp, args *Args) Value { return in.choices(args, true) }, "itertools.permutations")
	add(func(in *Interp, args *Args) Value {
		n, given := args.Get(1, "times")
		count, ok := whole(n.X)
		l := &List{consumed: true}
		if !given {
			count, ok, l.endless = endlessly, true, true
		}
		if !ok || count > maxItems {
			return in.Unknown(TooLong, "a repetition that is too long to follow")
		}
		l.Items = slices.Repeat([]Value{positional(args, 0)}, int(max(count, 0)))
		return Value{X: l}
	}, "itertools.repeat")
	add(func(in *Interp, args *Args) Value {
		start, step := Value{X: int64(0)}, Value{X: int64(1)}
		if v, ok := args.Get(0, "start"); ok {
			start = v
		}
		if v, ok := args.Get(1, "step"); ok {
			step = v
		}
		l := &List{consumed: true, endless: true}
		for i := range int64(endlessly) {
			l.Items = append(l.Items, in.Binary("+", start, in.Binary("*", Value{X: i}, step)))
		}
		return Value{X: l}
	}, "itertools.count")
	lenient(func(in *Interp, args *Args) Value {
		items, ok := in.Iterate(positional(args, 0))
		if !ok || len(items) == 0 {
			return openPassing(in.whyNotIterable(positional(args, 0)))
		}
		return Value{X: &List{Items: slices.Repeat(items, endlessly/len(items)+1), consumed: true, endless: true}}
	}, "itertools.cycle")
	lenient(func(in *Interp, args *Args) Value {
		items, ok := in.Iterate(positional(args, 0))
		if l, isList := positional(args, 0).X.(*List); !ok || isList && l.endless {
			return openPassing(in.whyNotIterable(positional(args, 0)))
		}
		l := &List{}
		for i, v := range items {
			if i > 0 {
				v = in.Binary("+", l.Items[i-1], v)
			}
			l.Items = append(l.Items, v)
		}
		l.consumed = true
		if len(args.Positional)+args.Keywords.Len() > 1 {
			return openPassing(Because(UnmodelledPython, "an accumulation that is not modelled"))
		}
		return Value{X: l}
	}, "itertools.accumulate")
	lenient(func(in *Interp, args *Args) Value {
		items, ok := in.Iterate(positional(args, 0))
		if l, isList := positional(args, 0).X.(*List); !ok || isList && l.endless {
			return openPassing(in.whyNotIterable(positional(args, 0)))
		}
		l := &List{consumed: true}
		for i := range max(len(items)-1, 0) {
			l.Items = append(l.Items, Value{X: Tuple{items[i], items[i+1]}})
		}
		return Value{X: l}
	}, "itertools.pairwise")
}

func cartesian(in *Interp, args *Args) Value {
	rows := []Value{{X: Tuple{}}}
	var lists [][]Value
	for _, v := range args.Positional {
		items, ok := in.Iterate(v)
		if !ok {
			return openPassing(in.whyNotIterable(v))
		}
		lists = append(lists, items)
	}
	if v, ok := args.Keywords.Get("repeat"); ok {
		n, ok := whole(v.X)
		if !ok || n < 0 || n > 16 {
			return openPassing(Because(TooLong, "a product that is too long to follow"))
		}
		lists = slices.Repeat(lists, int(n))
	}
	for _, items := range lists {
		if len(rows)*len(items) > maxItems/4 || !in.Spend(len(rows)*len(items)) {
			return openPassing(Because(TooLong, "a product that is too long to follow"))
		}
		var longer []Value
		for _, row := range rows {
			for _, v := range items {
				longer = append(longer, Value{X: append(slices.Clip(row.X.(Tuple)), v)})
			}
		}
		rows = longer
	}
	return passing(rows)
}

// choices evaluates itertools.combinations, or permutations if order is set.
func (in *Interp) choices(args *Args, order bool) Value {
	items, ok := in.Iterate(positional(args, 0))
	if !ok {
		return openPassing(in.whyNotIterable(positional(args, 0)))
	}
	r := int64(len(items))
	if v, given := args.Get(1, "r"); given {
		if r, ok = whole(v.X); !ok {
			return openPassing(in.causeOf(v))
		}
	}
	var rows []Value
	used := make([]bool, len(items))
	var pick func(row Tuple, from int) bool
	pick = func(row Tuple, from int) bool {
		if int64(len(row)) == r {
			rows = append(rows, Value{X: slices.Clone(row)})
			return len(rows) < maxItems/4 && in.Spend(1)
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
		return openPassing(Because(TooLong, "choices that are too many to follow"))
	}
	return passing(rows)
}

// islice evaluates itertools.islice: some of the items, or the result of take for a
// tf.data dataset.
func islice(in *Interp, args *Args) Value {
	v := positional(args, 0)
	part := Slice{Start: noneValue, Stop: positional(args, 1), Step: noneValue}
	if len(args.Positional) > 2 {
		part.Start, part.Stop = positional(args, 1), positional(args, 2)
	}
	if len(args.Positional) > 3 {
		part.Step = positional(args, 3)
	}
	start, first := wholeOr(part.Start, 0)
	step, second := wholeOr(part.Step, 1)
	stop, third := wholeOr(part.Stop, -1)
	if !first || !second || !third || start < 0 || step < 1 {
		return openPassing(Because(UnmodelledPython, "the part of an iterator that is not known"))
	}
	if l, ok := v.X.(*List); ok && l.consumed && stop >= 0 {
		var items []Value
		for i := int64(0); i < stop; i++ {
			item, ok := in.take(l)
			if !ok {
				if l.Open != nil || l.endless {
					return openPassing(in.whyNotIterable(v))
				}
				break
			}
			if i >= start && (i-start)%step == 0 {
				items = append(items, item)
			}
		}
		return passing(items)
	}
	items, ok := in.Iterate(v)
	if !ok {
		if start > 0 || step > 1 {
			return openPassing(in.whyNotIterable(v))
		}
		if take, ok := in.attr(v, "take"); ok && stop >= 0 {
			return in.Call(take, &Args{Positional: []Value{part.Stop}, Node: args.Node})
		}
		return v
	}
	n := int64(len(items))
	if stop < 0 || stop > n {
		stop = n
	}
	step = min(step, n+1) // a larger step gives the same items
	var out []Value
	for i := start; i < stop; i += step {
		out = append(out, items[i])
	}
	return passing(out)
}

// wholeOr returns an integer, or other for None.
func wholeOr(v Value, other int64) (int64, bool) {
	if v.X == (None{}) {
		return other, true
	}
	return wholeOf(v)
}
