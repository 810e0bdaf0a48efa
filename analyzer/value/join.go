package value

import (
	"reflect"
	"slices"
)

// joinDeltas joins the changes of code that may have ended in several ways: contents on
// which they agree are known; for the rest it says why they are not.
func (in *Interp) joinDeltas(why *Cause, ways ...*Delta) *Delta {
	if len(ways) == 1 {
		return ways[0]
	}
	joined := &Delta{at: map[Cell]int{}}
	for _, way := range ways {
		in.Spend(len(way.Changes) * len(ways) / 2)
		for _, c := range way.Changes {
			if _, ok := joined.at[c.cell]; ok {
				continue
			}
			var merged any
			for i, other := range ways {
				content, ok := other.after(c.cell)
				if !ok {
					content = c.Old
				}
				if i == 0 {
					merged = content
				} else {
					merged = in.joinCell(c.cell, merged, content, why)
				}
			}
			joined.add(change{c.cell, c.Old, merged})
		}
	}
	return joined
}

// joinCell joins two contents of a cell.
func (in *Interp) joinCell(c Cell, a, b any, why *Cause) any {
	switch c := c.(type) {
	case variable:
		a, b := a.(Value), b.(Value)
		if !in.Followable(a, b) {
			return TooLarge.Unknown()
		}
		if bound := in.preferBound(c, a, b); bound.X != nil {
			return bound
		}
		return in.Join(a, b, why)
	case *List:
		a, b := a.(List), b.(List)
		if !in.Followable(Value{X: &a}, Value{X: &b}) {
			return UnknownList(TooLarge, b.Consumed)
		}
		return joinLists(a, b, why)
	case *Set:
		a, b := a.(Set), b.(Set)
		if a.Open == nil && b.Open == nil && len(a.Items) == len(b.Items) && HoldsAll(b.Items, a.Items) {
			return b
		}
		return Set{Open: why}
	case *Dict:
		a, b := a.(Dict), b.(Dict)
		if !in.Followable(Value{X: &a}, Value{X: &b}) {
			merged := Dict{Open: TooLarge, Missing: b.Missing, Dotted: b.Dotted, Root: b.Root}
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
	if o := c.space.Instance; o != nil {
		if _, ok := o.Class.Lookup(c.name); ok {
			return Value{}
		}
	}
	if a.X != nil {
		return a
	}
	return b
}

// Join joins two values according to a test, which may know more about them.
func (in *Interp) Join(a, b Value, why *Cause) Value {
	if !in.Followable(a, b) {
		return TooLarge.Unknown()
	}
	if in.selector != nil && !Same(a, b, 4) {
		if v, ok := in.selector.Select(a, b); ok {
			return v
		}
	}
	return JoinValues(a, b, why)
}

// JoinValues joins two values.
func JoinValues(a, b Value, why *Cause) Value {
	if !Same(a, b, 4) {
		return Value{X: joinDistinct(a, b, why, 4)}
	}
	if a.Lit != b.Lit {
		b.Lit = NoLiteral
	}
	if a.Scalar != b.Scalar {
		b.Scalar = nil
	}
	if a.Length != b.Length {
		b.Length = 0
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
			if !Same(x[i], y[i], depth) {
				out[i] = Value{X: joinDistinct(x[i], y[i], why, depth-1)}
			}
		}
		return out
	}
	return Unknown{Cause: why}
}

func joinLists(a, b List, why *Cause) List {
	if a.Open != nil || b.Open != nil || a.Endless || b.Endless || len(a.Items) != len(b.Items) {
		out := UnknownList(why, b.Consumed)
		if out.Typical = widenElements(a, b); a.Limit == b.Limit {
			out.Limit = b.Limit
		}
		if out.appended = a.appended; a.appended != b.appended {
			out.appended = appended{since: new(byte)}
		}
		return out
	}
	b.Items = slices.Clone(b.Items)
	for i := range b.Items {
		b.Items[i] = JoinValues(a.Items[i], b.Items[i], why)
	}
	if a.appended != b.appended {
		b.appended = appended{since: new(byte)}
	}
	return b
}

// widenElements widens the items of two lists to one value, or to nothing.
func widenElements(a, b List) Value {
	x, some := a.Widened()
	y, others := b.Widened()
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

// Widened returns the value that covers all items of a list, or nothing; ok is false if
// the list is empty.
func (l *List) Widened() (v Value, ok bool) {
	if l.Open != nil {
		return l.Typical, true
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
	if depth < deep && a.Known() && Same(a, b, 1) { // next to other items of a tuple
		return a
	}
	if o, ok := a.X.(*Instance); ok && alike(o, b) { // an object shows what the others look like
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
			out[i].X = Unknown{Cause: Because(UnmodelledPython, "which item of a list it is of")}
			continue
		}
		some = true
	}
	if !some {
		return Value{}
	}
	return Value{X: out}
}

// alike reports whether another value is an object of the same class, in which no number or text
// that both have differs.
func alike(o *Instance, other Value) bool {
	b, ok := other.X.(*Instance)
	if !ok || o == b {
		return ok
	}
	if o.Class != b.Class || o.Holds != nil || b.Holds != nil {
		return false
	}
	for name, v := range o.Attrs.All() {
		w, both := b.Attrs.Get(name)
		if both && v.Known() && w.Known() && (TypeName(v) != "" || TypeName(w) != "") && !Same(v, w, 2) {
			return false
		}
	}
	return true
}

// pair returns the items of a short tuple or list, such as an image and its label.
func pair(v Value) (items []Value, ok bool) {
	const few = 8
	switch x := v.X.(type) {
	case Tuple:
		items = x
	case *List:
		if x.Open == nil && !x.Endless {
			items = x.Items
		}
	}
	return items, 0 < len(items) && len(items) <= few
}

// UnknownList returns a list whose items and length are unknown.
func UnknownList(why *Cause, consumed bool) List {
	return List{Items: []Value{{X: Unknown{Cause: why}}}, Open: why, Consumed: consumed}
}

func joinDicts(a, b Dict, why *Cause) Dict {
	merged := Dict{Missing: b.Missing, Dotted: b.Dotted, Root: b.Root}
	for i, key := range b.Keys {
		v := b.Values[i]
		if other, ok := a.At(key); ok {
			v = JoinValues(other, v, why)
		} else {
			v, merged.Open = Value{X: Unknown{Cause: why}}, why
		}
		merged.Put(key, v)
	}
	for _, key := range a.Keys {
		if _, ok := b.At(key); !ok {
			merged.Put(key, Value{X: Unknown{Cause: why}})
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

// Same reports whether two values are identical to the program, or are built from the
// same values, to a depth.
func Same(a, b Value, depth int) bool {
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
		return ok && (x == y || x.Open == nil && y.Open == nil && !x.Endless && !y.Endless && sameItems(x.Items, y.Items, depth))
	case *Dict:
		y, ok := b.X.(*Dict)
		return ok && (x == y || x.Open == nil && y.Open == nil && sameItems(x.Keys, y.Keys, depth) && sameItems(x.Values, y.Values, depth))
	case Slice:
		return false
	}
	return ComparableType(a.X) && ComparableType(b.X) && a.X == b.X
}

func sameItems(a, b []Value, depth int) bool {
	if len(a) != len(b) || depth == 0 || len(a) > 64 {
		return false
	}
	for i := range a {
		if !Same(a[i], b[i], depth-1) {
			return false
		}
	}
	return true
}

// ComparableType reports whether == on a dynamic type does not panic.
func ComparableType(x any) bool { return x == nil || reflect.TypeOf(x).Comparable() }
