package value

import (
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// InRange makes an index count from the start; it returns false if the index is out of
// range.
func InRange(i *int64, n int64) bool {
	if *i < 0 {
		*i += n
	}
	return *i >= 0 && *i < n
}

// Indices returns the bounds of a slice over n items, as Python's slice.indices does.
func (s Slice) Indices(n int64) (start, stop, step int64, ok bool) {
	step = 1
	if _, none := s.Step.X.(None); !none {
		if step, ok = WholeOf(s.Step); !ok || step == 0 || step == math.MinInt64 {
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
		i, ok := WholeOf(v)
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

// Count returns how many items the slice takes of a sequence of unknown length that is long enough, as
// the program means it to be; 0 if that is not known.
func (s Slice) Count() int64 {
	none := func(v Value) bool { return v.X == None{} }
	if !none(s.Step) {
		return 0
	}
	n, ok := s.Width.Int()
	if start, from := s.Start.Int(); !ok && (none(s.Start) || from && start >= 0 && s.Start.Lit.Valid() && s.Start.Lit.Parent().Is(syntax.Slice)) {
		n, _ = s.Stop.Int()
		n -= start
	}
	return max(n, 0)
}

// Why says what of a slice is not known.
func (s Slice) Why() *Cause {
	for _, v := range []Value{s.Start, s.Stop, s.Step} {
		if why := v.Cause(); why != nil {
			return why
		}
	}
	return Because(UnmodelledPython, "a slice that is not modelled")
}

// AllUntied applies untied to each item.
func AllUntied(container any, items []Value) []Value {
	out := make([]Value, len(items))
	for i, item := range items {
		out[i] = Untied(container, item)
	}
	return out
}

// Untied returns the value to put into a list or dict: Unknown if the value contains
// that container, because traversing a cycle would not end.
func Untied(container any, v Value) Value {
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
		return Because(UnmodelledPython, "a container that holds itself").Unknown()
	}
	return v
}

// MemberOf reports whether one of the items equals item, which must be followable.
func (b *Bounds) MemberOf(items []Value, item Value) (truth, known bool) {
	if !b.Spend(len(items) / 8) {
		return false, false
	}
	return memberOf(items, item)
}

func memberOf(items []Value, item Value) (truth, known bool) {
	known = true
	for _, v := range items {
		t, k := Equal(v, item, 16)
		if t && k {
			return true, true
		}
		known = known && k
	}
	return false, known
}

// HoldsAll reports whether items surely include all wanted ones.
func HoldsAll(items, wanted []Value) bool {
	keys := map[any]bool{}
	if len(items) > Few {
		for _, v := range items {
			if key, ok := KeyOf(v); ok {
				keys[key] = true
			}
		}
	}
	return !slices.ContainsFunc(wanted, func(v Value) bool {
		key, ok := KeyOf(v)
		return !(ok && keys[key]) && !Contains(items, v)
	})
}

// Contains reports whether one of the items surely equals item.
func Contains(items []Value, item Value) bool {
	t, k := memberOf(items, item)
	return t && k
}

// RepeatText evaluates text * n.
func (b *Bounds) RepeatText(text string, n Value) Value {
	times, _ := Whole(n.X)
	if times <= 0 || text == "" {
		return Value{X: ""}
	}
	if times > MaxText || int64(len(text))*times > MaxText {
		return TextTooLong().Unknown()
	}
	return b.Str(strings.Repeat(text, int(times)))
}

// Repeat evaluates list * n or tuple * n, with the same items repeated.
func (b *Bounds) Repeat(v, n Value) Value {
	times, _ := Whole(n.X)
	var items []Value
	switch x := v.X.(type) {
	case *List:
		if x.Open != nil {
			return Value{X: Unknown{Cause: x.Open}}
		}
		items = x.Items
	case Tuple:
		items = x
	}
	var out []Value
	if times > 0 {
		if times > MaxItems || int64(len(items))*times > MaxItems || !b.Spend(len(items)*int(times)) {
			return Because(TooLong, "a list of too many items to follow").Unknown()
		}
		out = slices.Repeat(items, int(times))
	}
	if _, ok := v.X.(Tuple); ok {
		return Value{X: Tuple(out)}
	}
	return Value{X: &List{Items: out}}
}

// Concat evaluates x + y.
func (b *Bounds) Concat(x, y *List) Value {
	for _, l := range []*List{x, y} {
		if l.Open != nil {
			l := UnknownList(l.Open, false)
			if n, m := x.Size(), y.Size(); n > 0 && m > 0 {
				l.Count = n + m
			}
			return Value{X: &l}
		}
	}
	if len(x.Items)+len(y.Items) > MaxItems || !b.Spend(len(x.Items)+len(y.Items)) {
		return Because(TooLong, "a list of too many items to follow").Unknown()
	}
	return Value{X: &List{Items: slices.Concat(x.Items, y.Items)}}
}

// Size is how many items a list has, 0 if there are none or that is not known.
func (l *List) Size() int64 {
	if l.Open == nil {
		return int64(len(l.Items))
	}
	return l.Count
}

// Recount forgets how many items an open list has: the program changes that.
func (in *Interp) Recount(l *List) {
	if l.Count != 0 || l.appended != (appended{}) {
		in.Record(l)
		l.Count = 0
	}
}

// Append appends to a list, as list.append does.
func (in *Interp) Append(l *List, v Value) {
	in.note(l)
	v = Untied(l, v)
	if l.appended.n++; in.Skippable {
		l.appended, l.Count = appended{since: new(byte)}, 0
	}
	if l.Open != nil && l.Count > 0 {
		l.Count = l.Limited(l.Count + 1)
	}
	switch {
	case l.Open != nil && l.Typical.X != nil:
		l.Typical = widen(l.Typical, v, deep)
	case l.Open != nil:
	case len(l.Items) >= MaxItems:
		of, _ := l.Widened()
		last := *l
		*l = UnknownList(Because(TooLong, "a list of too many items to follow"), l.Consumed)
		l.Typical, l.Limit, l.appended = widen(of, v, deep), last.Limit, last.appended
		l.Count, l.Last = l.Limited(int64(len(last.Items))+1), []Value{last.Items[len(last.Items)-1], v}
	case l.Limit > 0 && int64(len(l.Items)) >= l.Limit:
		l.Items = append(slices.Clone(l.Items[1:]), v)
	default:
		l.Items = append(l.Items, v)
	}
}

// Limited returns how many of so many items a list keeps.
func (l *List) Limited(n int64) int64 {
	if l.Limit > 0 {
		return min(n, l.Limit)
	}
	return n
}

// A Growth is what each iteration of a loop surely appends to a list.
type Growth struct {
	List *List
	Had  int64   // how many items it has before; -1 if that is not known
	Each int64   // how many are appended
	Last []Value // as in List
	made syntax.Node
	was  appended
}

// Growths returns the lists to which code surely appends a number of items, and which it changes in no
// other way.
func (d *Delta) Growths() (all []Growth) {
	for _, c := range d.Changes {
		l, ok := c.cell.(*List)
		if !ok {
			continue
		}
		old, now := c.Old.(List), c.New.(List)
		n := now.appended.n - old.appended.n
		if old.appended.since != now.appended.since || n < 1 || old.Open == nil && old.Endless {
			continue
		}
		g := Growth{List: l, Had: old.Size(), Each: n, Last: now.Last, made: now.Made, was: old.appended}
		if g.Had == 0 && old.Open != nil {
			g.Had = -1
		}
		items := old.Items // of iterations with known items, if there were two
		if int64(len(items)) < 2*n {
			items = now.Items
		}
		if have := int64(len(items)); old.Open == nil && now.Open == nil && n <= MaxDrawn && have >= 2*n {
			g.Last = slices.Clone(items[have-2*n:])
		}
		all = append(all, g)
	}
	return all
}

// Fill records what a list has after so many iterations.
func (in *Interp) Fill(g Growth, iterations int64) {
	l, n := g.List, g.Each*iterations
	if l.Open == nil {
		return
	}
	in.note(l)
	if l.appended = (appended{g.was.since, g.was.n + n}); g.Had >= 0 {
		l.Count, l.Last, l.Made = l.Limited(g.Had+n), g.Last, g.made
	}
}

// Change replaces the items of a known list.
func (in *Interp) Change(l *List, items []Value) {
	in.Record(l)
	in.Spend(len(items) / 64) // the items are copied
	if len(items) > MaxItems {
		*l = UnknownList(Because(TooLong, "a list of too many items to follow"), l.Consumed)
		return
	}
	l.Items = items
}

// Forget makes a list unknown.
func (in *Interp) Forget(l *List, why *Cause) {
	in.Record(l)
	*l = UnknownList(why, l.Consumed)
}
