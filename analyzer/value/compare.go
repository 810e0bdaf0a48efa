package value

import (
	"cmp"
	"math"
	"strings"
)

// Identical evaluates a is b.
func Identical(a, b Value) (truth, known bool) {
	if !a.Known() || !b.Known() {
		return false, false
	}
	_, aNone := a.X.(None)
	_, bNone := b.X.(None)
	if aNone || bNone {
		for _, v := range []Value{a, b} {
			if x, ok := v.X.(External); ok && !IsLibrary(x.Name) {
				return false, false
			}
		}
		return aNone && bNone, true
	}
	switch a.X.(type) {
	case bool, *List, *Dict, *Set, *Func, *Class, *Instance, Ellipsis:
		return ComparableType(b.X) && a.X == b.X, true
	}
	if x, ok := a.X.(Object); ok {
		if same, known := x.Is(b); known {
			return same, true
		}
	}
	// Whether two equal numbers or texts are one object depends on the implementation;
	// programs that compare them with "is" mean ==.
	return Equal(a, b, 16)
}

// Equals reports whether a == b.
func (in *Interp) Equals(a, b Value) (truth, known bool) {
	if !in.Followable(a, b) {
		return false, false
	}
	return Equal(a, b, 16)
}

// Equal reports whether a == b, to a depth. One of them must be followable.
func Equal(a, b Value, depth int) (truth, known bool) {
	a, b = Plain(a), Plain(b)
	if !a.Known() || !b.Known() || depth == 0 {
		return false, false
	}
	if known, ok := differForeign(a, b); ok {
		return false, known
	}
	if x, y, ok := Wholes(a.X, b.X); ok {
		return x == y, true
	}
	if x, y, ok := Floats(a.X, b.X); ok {
		return x == y, comparableNumbers(a, b)
	}
	switch x := a.X.(type) {
	case *List:
		if y, ok := b.X.(*List); ok {
			if x == y {
				return true, true
			}
			if x.Open != nil || y.Open != nil || x.Consumed || y.Consumed || x.View || y.View {
				return false, false
			}
			return equalItems(x.Items, y.Items, depth)
		}
	case Tuple:
		if y, ok := b.X.(Tuple); ok {
			return equalItems(x, y, depth)
		}
	case *Dict:
		if y, ok := b.X.(*Dict); ok {
			return equalDicts(x, y, depth)
		}
	case *Set:
		if y, ok := b.X.(*Set); ok {
			if x.Open != nil || y.Open != nil {
				return false, false
			}
			return len(x.Items) == len(y.Items) && HoldsAll(y.Items, x.Items), true
		}
	case External:
		if y, ok := b.X.(External); ok {
			if x == y {
				return true, true
			}
			return false, IsLibrary(x.Name) && IsLibrary(y.Name)
		}
		return false, IsLibrary(x.Name)
	case Object:
		return ComparableType(a.X) && ComparableType(b.X) && a.X == b.X, ComparableType(a.X) && a.X == b.X
	case *Instance:
		if y, ok := b.X.(*Instance); ok && x == y {
			return true, true
		} else if ok && x.Class == y.Class && x.Class.Fields != nil {
			return equalItems(x.FieldValues(), y.FieldValues(), depth)
		}
	}
	switch y := b.X.(type) {
	case External:
		return false, IsLibrary(y.Name)
	case Object:
		return false, false
	}
	return ComparableType(a.X) && ComparableType(b.X) && a.X == b.X, true
}

// comparableNumbers reports whether an integer and a float can be compared as floats.
func comparableNumbers(a, b Value) bool {
	for _, v := range []Value{a, b} {
		if n, ok := Whole(v.X); ok && !exact(n) {
			return false
		}
	}
	return true
}

func equalItems(a, b []Value, depth int) (truth, known bool) {
	if len(a) != len(b) {
		return false, true
	}
	known = true
	for i := range a {
		t, k := Equal(a[i], b[i], depth-1)
		if k && !t {
			return false, true
		}
		known = known && k
	}
	return known, known
}

func equalDicts(a, b *Dict, depth int) (truth, known bool) {
	if a == b {
		return true, true
	}
	if a.Open != nil || b.Open != nil {
		return false, false
	}
	if len(a.Keys) != len(b.Keys) {
		return false, true
	}
	known = true
	for i, key := range a.Keys {
		other, ok := b.At(key)
		if !ok {
			return false, true
		}
		t, k := Equal(a.Values[i], other, depth-1)
		if k && !t {
			return false, true
		}
		known = known && k
	}
	return known, known
}

// Ordered reports whether a op b for <, <=, > and >=.
func (in *Interp) Ordered(op string, a, b Value) (truth, known bool) {
	c, known := Compare(Plain(a), Plain(b), 16)
	switch {
	case !known:
		return false, false
	case c == NotOrdered:
		return false, true
	}
	switch op {
	case "<":
		return c < 0, true
	case "<=":
		return c <= 0, true
	case ">":
		return c > 0, true
	case ">=":
		return c >= 0, true
	}
	return false, false
}

// NotOrdered is the order of values that are neither less, equal nor greater: NaN.
const NotOrdered = 2

// Compare orders two numbers, texts or sequences.
func Compare(a, b Value, depth int) (order int, known bool) {
	if x, y, ok := Wholes(a.X, b.X); ok {
		return cmp.Compare(x, y), true
	}
	if x, y, ok := Floats(a.X, b.X); ok {
		switch {
		case !comparableNumbers(a, b):
			return 0, false
		case math.IsNaN(x), math.IsNaN(y):
			return NotOrdered, true
		}
		return cmp.Compare(x, y), true
	}
	if x, ok := a.X.(string); ok {
		y, ok := b.X.(string)
		return strings.Compare(x, y), ok
	}
	x, ok := SequenceOf(a)
	y, ok2 := SequenceOf(b)
	if !ok || !ok2 || depth == 0 {
		return 0, false
	}
	for i := range min(len(x), len(y)) {
		if same, known := Equal(x[i], y[i], depth-1); !known {
			return 0, false
		} else if !same {
			return Compare(Plain(x[i]), Plain(y[i]), depth-1)
		}
	}
	return cmp.Compare(len(x), len(y)), true
}

// SequenceOf returns the items of a known list or tuple.
func SequenceOf(v Value) ([]Value, bool) {
	switch x := v.X.(type) {
	case *List:
		return x.Items, x.Open == nil && !x.Consumed
	case Tuple:
		return x, true
	case *Instance:
		return x.FieldValues(), x.Class.Tuple
	}
	return nil, false
}
