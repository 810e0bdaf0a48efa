package value

import (
	"reflect"
	"slices"
)

// join is what is known after code that may have ended in several ways, each
// with its changes: what they agree on, and for the rest why it is not known.
func (in *Interp) join(why string, ways ...*delta) *delta {
	if len(ways) == 1 {
		return ways[0]
	}
	joined := &delta{at: map[cell]int{}}
	for _, way := range ways {
		in.Spend(len(way.changes) * len(ways) / 2)
		for _, c := range way.changes {
			if _, ok := joined.at[c.cell]; ok {
				continue
			}
			var merged any
			for i, other := range ways {
				content, ok := other.after(c.cell)
				if !ok {
					content = c.old
				}
				if i == 0 {
					merged = content
				} else {
					merged = in.merge(c.cell, merged, content, why)
				}
			}
			joined.add(change{c.cell, c.old, merged})
		}
	}
	return joined
}

// merge is what is known of a cell that holds one of two contents.
func (in *Interp) merge(c cell, a, b any, why string) any {
	switch c := c.(type) {
	case variable:
		a, b := a.(Value), b.(Value)
		if !in.Followable(a, b) {
			return Value{X: Unknown{tooLarge}}
		}
		if bound := in.ifBound(c, a, b); bound.X != nil {
			return bound
		}
		return in.either(a, b, why)
	case *List:
		a, b := a.(List), b.(List)
		if !in.Followable(Value{X: &a}, Value{X: &b}) {
			return opened(tooLarge, b.consumed)
		}
		return mergeList(a, b, why)
	case *Set:
		a, b := a.(Set), b.(Set)
		if a.Open == "" && b.Open == "" && len(a.Items) == len(b.Items) && holdsAll(b.Items, a.Items) {
			return b
		}
		return Set{Open: why}
	case *Dict:
		a, b := a.(Dict), b.(Dict)
		if !in.Followable(Value{X: &a}, Value{X: &b}) {
			merged := Dict{Open: tooLarge, missing: b.missing, dotted: b.dotted, root: b.root}
			return merged
		}
		return mergeDict(a, b, why)
	case hosted:
		return c.Either(a, b, why)
	}
	return b
}

// ifBound is the value of a name that has one on one side only, and no other
// meaning on the other: a program that reads it has taken the side that binds
// it. It is empty where that does not hold.
func (in *Interp) ifBound(c variable, a, b Value) Value {
	if (a.X == nil) == (b.X == nil) {
		return Value{}
	}
	if _, ok := builtin(c.name); ok {
		return Value{}
	}
	if o := c.space.object; o != nil {
		if _, ok := o.Class.lookup(c.name); ok {
			return Value{}
		}
	}
	if a.X != nil {
		return a
	}
	return b
}

// either is the join of two values, according to a test that may know more.
func (in *Interp) either(a, b Value, why string) Value {
	if !in.Followable(a, b) {
		return Value{X: Unknown{tooLarge}}
	}
	if in.chooser != nil && !same(a, b, 4) {
		if v, ok := in.chooser.Choose(a, b); ok {
			return v
		}
	}
	return either(a, b, why)
}

// either is the join of two values.
func either(a, b Value, why string) Value {
	if !same(a, b, 4) {
		return Value{X: joined(a, b, why, 4)}
	}
	if a.Lit != b.Lit {
		b.Lit = none
	}
	b.Soft = a.Soft || b.Soft
	return b
}

// joined is the join of two different values.
func joined(a, b Value, why string, depth int) any {
	switch x := a.X.(type) {
	case Joiner:
		if v, ok := x.Join(b); ok {
			return v.X
		}
	case Tuple:
		y, ok := b.X.(Tuple)
		if !ok || len(x) != len(y) || depth == 0 {
			break
		}
		out := slices.Clone(x)
		for i := range out {
			if !same(x[i], y[i], depth) {
				out[i] = Value{X: joined(x[i], y[i], why, depth-1)}
			}
		}
		return out
	}
	return Unknown{why}
}

func mergeList(a, b List, why string) List {
	if a.Open != "" || b.Open != "" || a.endless || b.endless || len(a.Items) != len(b.Items) {
		out := opened(why, b.consumed)
		out.sample = common(a, b)
		return out
	}
	b.Items = slices.Clone(b.Items)
	for i := range b.Items {
		b.Items[i] = either(a.Items[i], b.Items[i], why)
	}
	return b
}

// common is what the items of two lists have in common, or nothing.
func common(a, b List) Value {
	x, some := a.typical()
	y, others := b.typical()
	switch {
	case !some:
		return y
	case !others:
		return x
	case x.X == nil || y.X == nil:
		return Value{}
	}
	return commonOf(x, y, deep)
}

// typical is what the items of a list have in common, or nothing; ok is false if the list
// is empty.
func (l *List) typical() (v Value, ok bool) {
	if l.Open != "" {
		return l.sample, true
	}
	for i, item := range l.Items {
		if i == 0 {
			v = item
		}
		if v = commonOf(v, item, deep); v.X == nil {
			break
		}
	}
	return v, len(l.Items) > 0
}

// deep is how far within each other tuples may be that have something in common: a list may
// hold itself.
const deep = 3

// commonOf is what two values have in common, to a depth. What is not known has whatever the
// other has.
func commonOf(a, b Value, depth int) Value {
	if !a.Known() {
		a, b = b, a
	}
	if t, ok := a.X.(Typical); ok {
		if !b.Known() {
			b = a
		}
		if v, ok := t.Common(b); ok {
			return v
		}
	}
	if depth < deep && a.Known() && same(a, b, 1) { // beside others of a tuple
		return a
	}
	x, ok := pair(a)
	y, also := pair(b)
	if !b.Known() {
		y, also = x, true
	}
	if !ok || !also || len(x) != len(y) || depth == 0 {
		return Value{}
	}
	some := false
	out := make(Tuple, len(x))
	for i := range x {
		if out[i] = commonOf(x[i], y[i], depth-1); out[i].X == nil {
			out[i].X = Unknown{"which item of a list it is of"}
			continue
		}
		some = true
	}
	if !some {
		return Value{}
	}
	return Value{X: out}
}

// pair is a few things that are put together, such as a picture and its label.
func pair(v Value) (items []Value, ok bool) {
	const few = 8
	switch x := v.X.(type) {
	case Tuple:
		items = x
	case *List:
		if x.Open == "" && !x.endless {
			items = x.Items
		}
	}
	return items, 0 < len(items) && len(items) <= few
}

// opened is a list of which nothing is known any more.
func opened(why string, consumed bool) List {
	return List{Items: []Value{{X: Unknown{why}}}, Open: why, consumed: consumed}
}

func mergeDict(a, b Dict, why string) Dict {
	merged := Dict{missing: b.missing, dotted: b.dotted, root: b.root}
	for i, key := range b.Keys {
		v := b.Values[i]
		if other, ok := a.get(key); ok {
			v = either(other, v, why)
		} else {
			v, merged.Open = Value{X: Unknown{why}}, why
		}
		merged.put(key, v)
	}
	for _, key := range a.Keys {
		if _, ok := b.get(key); !ok {
			merged.put(key, Value{X: Unknown{why}})
			merged.Open = why
		}
	}
	if merged.Open == "" {
		if merged.Open = a.Open; merged.Open == "" {
			merged.Open = b.Open
		}
	}
	return merged
}

// same reports whether two values are one and the same to the program, or made of
// the same values, to a depth.
func same(a, b Value, depth int) bool {
	switch x := a.X.(type) {
	case nil:
		return b.X == nil
	case Unknown:
		_, ok := b.X.(Unknown)
		return ok
	case Tuple:
		y, ok := b.X.(Tuple)
		return ok && sameItems(x, y, depth)
	case *List:
		y, ok := b.X.(*List)
		return ok && (x == y || x.Open == "" && y.Open == "" && !x.endless && !y.endless && sameItems(x.Items, y.Items, depth))
	case *Dict:
		y, ok := b.X.(*Dict)
		return ok && (x == y || x.Open == "" && y.Open == "" && sameItems(x.Keys, y.Keys, depth) && sameItems(x.Values, y.Values, depth))
	case Slice:
		return false
	}
	return comparableType(a.X) && comparableType(b.X) && a.X == b.X
}

func sameItems(a, b []Value, depth int) bool {
	if len(a) != len(b) || depth == 0 || len(a) > 64 {
		return false
	}
	for i := range a {
		if !same(a[i], b[i], depth-1) {
			return false
		}
	}
	return true
}

// comparableType reports whether == on a dynamic type does not panic.
func comparableType(x any) bool { return x == nil || reflect.TypeOf(x).Comparable() }
