package value

import (
	"reflect"
	"slices"
)

// joinDeltas joins the changes of code that may have ended in several ways: contents on
// which they agree are known; for the rest it says why they are not.
func (in *Interp) joinDeltas(why *Cause, ways ...*delta) *delta {
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
					merged = in.joinCell(c.cell, merged, content, why)
				}
			}
			joined.add(change{c.cell, c.old, merged})
		}
	}
	return joined
}

// joinCell joins two contents of a cell.
func (in *Interp) joinCell(c cell, a, b any, why *Cause) any {
	switch c := c.(type) {
	case variable:
		a, b := a.(Value), b.(Value)
		if !in.Followable(a, b) {
			return tooLarge.Unknown()
		}
		if bound := in.preferBound(c, a, b); bound.X != nil {
			return bound
		}
		return in.join(a, b, why)
	case *List:
		a, b := a.(List), b.(List)
		if !in.Followable(Value{X: &a}, Value{X: &b}) {
			return unknownList(tooLarge, b.consumed)
		}
		return joinLists(a, b, why)
	case *Set:
		a, b := a.(Set), b.(Set)
		if a.Open == nil && b.Open == nil && len(a.Items) == len(b.Items) && holdsAll(b.Items, a.Items) {
			return b
		}
		return Set{Open: why}
	case *Dict:
		a, b := a.(Dict), b.(Dict)
		if !in.Followable(Value{X: &a}, Value{X: &b}) {
			merged := Dict{Open: tooLarge, missing: b.missing, dotted: b.dotted, root: b.root}
			return merged
		}
		return joinDicts(a, b, why)
	case hosted:
		return c.Either(a, b, why)
	}
	return b
}

// preferBound returns the value of a name that is bound on one side only and means
// nothing else on the other: a program that reads the name has taken the side that
// binds it. Otherwise it is empty.
func (in *Interp) preferBound(c variable, a, b Value) Value {
	if (a.X == nil) == (b.X == nil) {
		return Value{}
	}
	if _, ok := in.builtin(c.name); ok {
		return Value{}
	}
	if o := c.space.instance; o != nil {
		if _, ok := o.Class.lookup(c.name); ok {
			return Value{}
		}
	}
	if a.X != nil {
		return a
	}
	return b
}

// join joins two values according to a test, which may know more about them.
func (in *Interp) join(a, b Value, why *Cause) Value {
	if !in.Followable(a, b) {
		return tooLarge.Unknown()
	}
	if in.selector != nil && !same(a, b, 4) {
		if v, ok := in.selector.Select(a, b); ok {
			return v
		}
	}
	return joinValues(a, b, why)
}

// joinValues joins two values.
func joinValues(a, b Value, why *Cause) Value {
	if !same(a, b, 4) {
		return Value{X: joinDistinct(a, b, why, 4)}
	}
	if a.Lit != b.Lit {
		b.Lit = none
	}
	b.Overridable = a.Overridable || b.Overridable
	return b
}

// joinDistinct joins two different values.
func joinDistinct(a, b Value, why *Cause, depth int) any {
	switch x := a.X.(type) {
	case Object:
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
				out[i] = Value{X: joinDistinct(x[i], y[i], why, depth-1)}
			}
		}
		return out
	}
	return Unknown{why}
}

func joinLists(a, b List, why *Cause) List {
	if a.Open != nil || b.Open != nil || a.endless || b.endless || len(a.Items) != len(b.Items) {
		out := unknownList(why, b.consumed)
		out.sample = widenElements(a, b)
		return out
	}
	b.Items = slices.Clone(b.Items)
	for i := range b.Items {
		b.Items[i] = joinValues(a.Items[i], b.Items[i], why)
	}
	return b
}

// widenElements widens the items of two lists to one value, or to nothing.
func widenElements(a, b List) Value {
	x, some := a.widened()
	y, others := b.widened()
	switch {
	case !some:
		return y
	case !others:
		return x
	case x.X == nil || y.X == nil:
		return Value{}
	}
	return widen(x, y, deep)
}

// widened returns the value that covers all items of a list, or nothing; ok is false if
// the list is empty.
func (l *List) widened() (v Value, ok bool) {
	if l.Open != nil {
		return l.sample, true
	}
	for i, item := range l.Items {
		if i == 0 {
			v = item
		}
		if v = widen(v, item, deep); v.X == nil {
			break
		}
	}
	return v, len(l.Items) > 0
}

// deep limits the nesting of tuples that are widened: a list may contain itself.
const deep = 3

// widen returns what two values have in common, to a depth. An unknown value adds no
// constraint.
func widen(a, b Value, depth int) Value {
	if !a.Known() {
		a, b = b, a
	}
	if x, ok := a.X.(Object); ok {
		other := b
		if !b.Known() {
			other = a
		}
		if v, ok := x.Widen(other); ok {
			return v
		}
	}
	if depth < deep && a.Known() && same(a, b, 1) { // next to other items of a tuple
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
		if out[i] = widen(x[i], y[i], depth-1); out[i].X == nil {
			out[i].X = Unknown{Because(UnmodelledPython, "which item of a list it is of")}
			continue
		}
		some = true
	}
	if !some {
		return Value{}
	}
	return Value{X: out}
}

// pair returns the items of a short tuple or list, such as an image and its label.
func pair(v Value) (items []Value, ok bool) {
	const few = 8
	switch x := v.X.(type) {
	case Tuple:
		items = x
	case *List:
		if x.Open == nil && !x.endless {
			items = x.Items
		}
	}
	return items, 0 < len(items) && len(items) <= few
}

// unknownList returns a list whose items and length are unknown.
func unknownList(why *Cause, consumed bool) List {
	return List{Items: []Value{{X: Unknown{why}}}, Open: why, consumed: consumed}
}

func joinDicts(a, b Dict, why *Cause) Dict {
	merged := Dict{missing: b.missing, dotted: b.dotted, root: b.root}
	for i, key := range b.Keys {
		v := b.Values[i]
		if other, ok := a.get(key); ok {
			v = joinValues(other, v, why)
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
	if merged.Open == nil {
		if merged.Open = a.Open; merged.Open == nil {
			merged.Open = b.Open
		}
	}
	return merged
}

// same reports whether two values are identical to the program, or are built from the
// same values, to a depth.
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
		return ok && (x == y || x.Open == nil && y.Open == nil && !x.endless && !y.endless && sameItems(x.Items, y.Items, depth))
	case *Dict:
		y, ok := b.X.(*Dict)
		return ok && (x == y || x.Open == nil && y.Open == nil && sameItems(x.Keys, y.Keys, depth) && sameItems(x.Values, y.Values, depth))
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
