package value

import "slices"

// Length returns how many numbers a range has.
func (r Range) Length() int64 {
	switch {
	case r.Step > 0 && r.Start < r.Stop:
		return int64((uint64(r.Stop)-uint64(r.Start)-1)/uint64(r.Step)) + 1
	case r.Step < 0 && r.Start > r.Stop:
		return int64((uint64(r.Start)-uint64(r.Stop)-1)/magnitude(r.Step)) + 1
	}
	return 0
}

func (r Range) at(i int64) int64 { return r.Start + i*r.Step }

// sequence iterates over a value, one item per call. known is false if the next item is
// unknown, or whether there is one.
func (in *Interp) sequence(v Value) func() (item Value, more, known bool) {
	if r, ok := v.X.(Range); ok {
		i, n := int64(0), r.Length()
		return func() (Value, bool, bool) {
			if i >= n {
				return Value{}, false, true
			}
			i++
			return Value{X: r.at(i - 1), Overridable: v.Overridable}, true, true
		}
	}
	if g, ok := v.X.(*generator); ok {
		v.X = in.finish(g)
	}
	i := 0
	if l, ok := v.X.(*List); ok {
		return func() (Value, bool, bool) {
			var item Value
			ok := false
			if l.consumed {
				item, ok = in.take(l)
			} else if ok = l.Open == nil && i < len(l.Items); ok { // the loop may change the list
				item = l.Items[i]
				i++
			}
			item.Overridable = item.Overridable || v.Overridable
			return item, ok, l.Open == nil && (ok || !l.endless)
		}
	}
	items, ok := in.Iterate(v)
	return func() (Value, bool, bool) {
		if !ok || i >= len(items) {
			return Value{}, false, ok
		}
		i++
		return items[i-1], true, true
	}
}

// take removes and returns the next item of an iterator; it returns false if there is
// none or it is unknown.
func (in *Interp) take(l *List) (Value, bool) {
	if l.Open != nil || len(l.Items) == 0 {
		return Value{}, false
	}
	in.touch(l)
	item := l.Items[0]
	l.Items = l.Items[1:]
	return item, true
}

// first returns the first item of a value whose items are not all known. An iterator
// yields it once.
func (in *Interp) first(v Value) (item Value, ok bool) {
	switch x := v.X.(type) {
	case *List:
		if x.Open == nil || x.first.X == nil {
			return Value{}, false
		}
		item = x.first
		if x.consumed {
			in.touch(x)
			x.first = Value{}
		}
		return item, true
	case Object:
		if item, first := in.slots(x).Sample(in); first {
			return item, true
		}
	}
	items, ok := in.iterate(v)
	if !ok || len(items) == 0 {
		return Value{}, false
	}
	return items[0], true
}

// sample returns a typical item of an unknown value.
func (in *Interp) sample(v Value) Value {
	switch x := v.X.(type) {
	case *generator:
		return in.sample(Value{X: in.finish(x)})
	case *List:
		if x.Open != nil && x.sample.X != nil {
			return x.sample
		}
	case Object:
		if item, _ := in.slots(x).Sample(in); item.X != nil {
			return item
		}
	}
	return Value{X: Unknown{in.whyNotIterable(v)}}
}

// Iterate returns the items that a loop over v visits; ok is false if they are unknown.
// It exhausts an iterator. The caller must not change the items.
func (in *Interp) Iterate(v Value) (items []Value, ok bool) {
	items, ok = in.iterate(v)
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

// iterate is Iterate without its steps, and without marking the items as overridable.
func (in *Interp) iterate(v Value) (items []Value, ok bool) {
	switch x := v.X.(type) {
	case *List:
		if x.Open != nil {
			return nil, false
		}
		if x.consumed {
			in.touch(x)
			items, x.Items = x.Items, nil
			return items, true
		}
		return slices.Clone(x.Items), true // the loop may change it
	case Tuple:
		return x, true
	case *Set:
		return slices.Clone(x.Items), x.Open == nil && len(x.Items) < 2 // the order is unknown
	case *Dict:
		return slices.Clone(x.Keys), x.Open == nil
	case Range:
		n := x.Length()
		if n > maxItems || !in.Spend(int(n)) {
			return nil, false
		}
		items = make([]Value, n)
		for i := range items {
			items[i].X = x.at(int64(i))
		}
		return items, true
	case string:
		for _, r := range x {
			items = append(items, Value{X: string(r)})
		}
		return items, in.Spend(len(items))
	case *Class:
		return x.members, x.members != nil
	case *Instance:
		return in.iterateInstance(x)
	case *generator:
		return in.iterate(Value{X: in.finish(x)})
	case Object:
		return in.slots(x).Iter(in)
	}
	return nil, false
}

func (in *Interp) iterateInstance(o *Instance) ([]Value, bool) {
	if _, ok := o.Class.lookup("__iter__"); ok {
		v := in.CallMethod(o, "__iter__", &Args{})
		if v.X == o {
			return nil, false // it is its own iterator, and __next__ is not interpreted
		}
		return in.Iterate(v)
	}
	if _, ok := o.Class.lookup("__getitem__"); ok && o.holds == nil {
		return nil, false
	}
	if o.Class.tuple {
		return o.fieldValues(), true
	}
	if o.holds != nil {
		return in.iterate(held(Value{X: o}))
	}
	return in.slots(o.Host).Iter(in)
}

// whyNotIterable says why the items of a value are unknown.
func (in *Interp) whyNotIterable(v Value) *Cause {
	switch x := v.X.(type) {
	case Unknown:
		return x.Cause
	case *List:
		if x.Open != nil {
			return x.Open
		}
	case *Set:
		if x.Open != nil {
			return x.Open
		}
		return Because(Unordered, "the order of a set")
	case *Dict:
		if x.Open != nil {
			return x.Open
		}
	case *generator:
		if x.done != nil && x.done.Open != nil {
			return x.done.Open
		}
	case External:
		return in.unknownExternal(x).Cause()
	case Object:
		if why := x.WhyNotIter(); why != nil {
			return why
		}
	}
	return Because(WrongType, "the items of %s", in.describe(v))
}

// lists returns the items of several arguments; why is nil if all are known.
func (in *Interp) lists(args []Value) (lists [][]Value, shortest int, why *Cause) {
	shortest = -1
	shared := map[*List][][]Value{} // iterators that are passed more than once
	var iterators []*List
	for _, v := range args {
		if l, ok := v.X.(*List); ok && l.consumed && l.Open == nil && !l.endless {
			if shared[l] == nil {
				iterators = append(iterators, l)
			}
			shared[l] = append(shared[l], nil)
		}
	}
	for _, l := range iterators {
		parts := shared[l]
		items, _ := in.iterate(Value{X: l})
		for i := range items {
			parts[i%len(parts)] = append(parts[i%len(parts)], items[i])
		}
	}
	for _, v := range args {
		var items []Value
		ok := false
		if l, isList := v.X.(*List); isList && len(shared[l]) > 0 {
			items, shared[l], ok = shared[l][0], shared[l][1:], true
		} else if items, ok = in.Iterate(v); !ok {
			return nil, 0, in.whyNotIterable(v)
		}
		if l, isList := v.X.(*List); !isList || !l.endless {
			if shortest < 0 || len(items) < shortest {
				shortest = len(items)
			}
		}
		lists = append(lists, items)
	}
	for _, items := range lists {
		if len(items) < shortest {
			return nil, 0, Because(TooLong, "an iterator that is too long to follow")
		}
	}
	if shortest < 0 && len(args) > 0 {
		return nil, 0, Because(UnmodelledPython, "an iterator without end")
	}
	return lists, max(shortest, 0), nil
}

// passing returns an iterator over items.
func passing(items []Value) Value { return Value{X: &List{Items: items, consumed: true}} }

func openPassing(why *Cause) Value {
	l := unknownList(why, true)
	return Value{X: &l}
}

// sampled returns an iterator whose items are unknown except for a sample, and the
// first item if there surely is one.
func (in *Interp) sampled(why *Cause, item, first Value) Value {
	l := unknownList(why, true)
	l.sample, l.first = item, first
	return Value{X: &l}
}

func zip(in *Interp, args *Args) Value {
	lists, n, why := in.lists(args.Positional)
	if why == nil {
		why = args.Open
	}
	if why != nil || !in.Spend(n) {
		item, first := make(Tuple, len(args.Positional)), make(Tuple, len(args.Positional))
		filled := args.Open == nil
		for i, v := range args.Positional {
			item[i] = in.sample(v)
			if filled {
				first[i], filled = in.first(v)
			}
		}
		if !filled {
			return in.sampled(why, Value{X: item}, Value{})
		}
		return in.sampled(why, Value{X: item}, Value{X: first})
	}
	items := make([]Value, n)
	for i := range items {
		t := make(Tuple, len(lists))
		for j, l := range lists {
			t[j] = l[i]
		}
		items[i].X = t
	}
	return passing(items)
}

func enumerate(in *Interp, args *Args) Value {
	v, _ := args.Get(0, "iterable")
	start := int64(0)
	if s, ok := args.Get(1, "start"); ok {
		if start, ok = whole(s.X); !ok {
			return openPassing(in.causeOf(s))
		}
	}
	all, ok := in.Iterate(v)
	if !ok || !in.Spend(len(all)) {
		why, first := in.whyNotIterable(v), Value{}
		if item, filled := in.first(v); filled {
			first.X = Tuple{{X: start}, item}
		}
		return in.sampled(why, Value{X: Tuple{{X: Unknown{why}}, in.sample(v)}}, first)
	}
	items := make([]Value, len(all))
	for i, item := range all {
		items[i].X = Tuple{{X: start + int64(i)}, item}
	}
	return passing(items)
}

func mapped(in *Interp, args *Args) Value {
	if len(args.Positional) < 2 {
		return in.Unknown(MissingArgument, "a map of nothing")
	}
	lists, n, why := in.lists(args.Positional[1:])
	if why != nil {
		return openPassing(why)
	}
	items := make([]Value, 0, n)
	for i := range n {
		call := &Args{Node: args.Node}
		for _, l := range lists {
			call.Positional = append(call.Positional, l[i])
		}
		items = append(items, in.Call(args.Positional[0], call))
		if in.bounds.exhausted {
			return openPassing(tooLong)
		}
	}
	return passing(items)
}

func filtered(in *Interp, args *Args) Value {
	if len(args.Positional) != 2 {
		return in.Unknown(MissingArgument, "a filter of nothing")
	}
	all, ok := in.Iterate(args.Positional[1])
	if !ok {
		return openPassing(in.whyNotIterable(args.Positional[1]))
	}
	var items []Value
	for _, v := range all {
		test := v
		if args.Positional[0].X != (None{}) {
			test = in.Call(args.Positional[0], &Args{Positional: []Value{v}, Node: args.Node})
		}
		truth, known := in.Truth(test)
		if !known {
			return openPassing(in.unknownTruth(test).Cause())
		}
		if truth {
			items = append(items, v)
		}
	}
	return passing(items)
}

func reversed(in *Interp, args *Args) Value {
	items, ok := in.Iterate(positional(args, 0))
	if !ok {
		return openPassing(in.whyNotIterable(positional(args, 0)))
	}
	items = slices.Clone(items)
	slices.Reverse(items)
	return passing(items)
}

func sorted(in *Interp, args *Args) Value {
	v := positional(args, 0)
	items, ok := in.elements(v)
	var why *Cause
	if !ok {
		why = in.whyNotIterable(v)
	} else {
		items, why = in.sort(slices.Clone(items), args)
	}
	if why != nil {
		l := unknownList(why, false)
		return Value{X: &l}
	}
	return Value{X: &List{Items: items}}
}

func iterator(in *Interp, args *Args) Value {
	v := positional(args, 0)
	switch x := v.X.(type) {
	case *List:
		if x.consumed {
			return v
		}
	case *generator:
		return v
	case Object:
		if it, ok := in.slots(x).GetAttr(in, "__iter__"); ok {
			return in.Call(it, &Args{Node: args.Node})
		}
	}
	items, ok := in.Iterate(v)
	if !ok {
		first, _ := in.first(v)
		return in.sampled(in.whyNotIterable(v), in.sample(v), first)
	}
	return passing(slices.Clone(items))
}

// nextItem reports an item to the Host.
func (in *Interp) nextItem(item Value) Value {
	if in.hostMuted == 0 {
		return in.host.NextItem(in, item)
	}
	return item
}

// nextItem evaluates next(iterator, default).
func nextItem(in *Interp, args *Args) Value {
	v := positional(args, 0)
	if g, ok := v.X.(*generator); ok {
		v = Value{X: in.finish(g)}
	}
	if o, ok := v.X.(*Instance); ok && in.Defines(o, "__next__") {
		return in.CallMethod(o, "__next__", &Args{})
	}
	if x, ok := v.X.(Object); ok {
		if m, ok := in.slots(x).GetAttr(in, "__next__"); ok {
			return in.Call(m, &Args{Node: args.Node})
		}
	}
	l, ok := v.X.(*List)
	switch {
	case !ok:
		return in.Unknown(Unordered, "the next item of %s", in.describe(v))
	case l.Open != nil:
		return in.nextItem(in.sample(v))
	case len(l.Items) > 0:
		item, _ := in.take(l)
		return in.nextItem(item)
	case l.endless:
		return in.Unknown(TooLong, "an iterator that is too long to follow")
	case len(args.Positional) > 1:
		return args.Positional[1]
	}
	return in.Unknown(WillRaise, "an iterator that is at its end: StopIteration")
}
