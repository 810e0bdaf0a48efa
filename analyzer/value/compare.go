package value

import (
	"cmp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// comparison evaluates a chain of comparisons: a < b < c.
func (in *Interp) comparison(n syntax.Node) Value {
	var left, result Value
	op := ""
	for c := range n.Children() {
		switch {
		case c.Kind() == syntax.Comment:
			continue
		case c.Kind() == syntax.Operator:
			op = strings.Join(strings.Fields(c.Text()), " ")
			continue
		case op == "":
			left = in.Eval(c)
			continue
		}
		right := in.Eval(c)
		v := in.Compare(op, left, right)
		left = right
		if result.X == nil {
			result = v
		} else {
			v.Overridable = v.Overridable || result.Overridable
			if _, known := in.Truth(result); known || !v.Known() {
				result = v // all comparisons before it hold, or none is known
			}
		}
		truth, known := in.Truth(v)
		if known && !truth {
			return v // whatever the other comparisons give
		}
	}
	return result
}

// Compare evaluates a op b, where op is a comparison, in, not in, is or is not.
func (in *Interp) Compare(op string, a, b Value) Value {
	truth, known := false, false
	switch op {
	case "is", "is not":
		if _, ok := a.X.(Tuple); ok && !in.Followable(a, b) {
			return tooLarge.Unknown()
		}
		truth, known = identical(a, b)
	case "in", "not in":
		truth, known = in.member(b, a)
	default:
		if v, ok := in.overloaded(op, a, b); ok {
			return v
		}
		if op == "<>" {
			op = "!="
		}
		if op == "==" || op == "!=" {
			truth, known = in.equals(a, b)
		} else if in.Followable(a, b) {
			truth, known = in.ordered(op, a, b)
		}
	}
	if !known {
		for _, v := range []Value{a, b} {
			if v.Cause() != nil {
				return Value{X: v.X}
			}
		}
		return in.Unknown(UnmodelledPython, "%s %s %s, which is not known", in.describe(a), op, in.describe(b))
	}
	if op == "!=" || op == "not in" || op == "is not" {
		truth = !truth
	}
	return Value{X: truth, Overridable: a.Overridable || b.Overridable}
}

// identical evaluates a is b.
func identical(a, b Value) (truth, known bool) {
	if !a.Known() || !b.Known() {
		return false, false
	}
	_, aNone := a.X.(None)
	_, bNone := b.X.(None)
	if aNone || bNone {
		for _, v := range []Value{a, b} {
			if x, ok := v.X.(External); ok && !isLibrary(x.Name) {
				return false, false
			}
		}
		return aNone && bNone, true
	}
	switch a.X.(type) {
	case bool, *List, *Dict, *Set, *Func, *Class, *Instance, Ellipsis:
		return comparableType(b.X) && a.X == b.X, true
	}
	if x, ok := a.X.(Object); ok {
		if same, known := x.Is(b); known {
			return same, true
		}
	}
	// Whether two equal numbers or texts are one object depends on the implementation;
	// programs that compare them with "is" mean ==.
	return equal(a, b, 16)
}

// equals reports whether a == b.
func (in *Interp) equals(a, b Value) (truth, known bool) {
	if !in.Followable(a, b) {
		return false, false
	}
	return equal(a, b, 16)
}

// equal reports whether a == b, to a depth. One of them must be followable.
func equal(a, b Value, depth int) (truth, known bool) {
	a, b = plain(a), plain(b)
	if !a.Known() || !b.Known() || depth == 0 {
		return false, false
	}
	if same, known, ok := isForeign(a, b); ok {
		return same, known
	}
	if x, y, ok := wholes(a.X, b.X); ok {
		return x == y, true
	}
	if x, y, ok := floats(a.X, b.X); ok {
		return x == y, comparableNumbers(a, b)
	}
	switch x := a.X.(type) {
	case *List:
		if y, ok := b.X.(*List); ok {
			if x == y {
				return true, true
			}
			if x.Open != nil || y.Open != nil || x.consumed || y.consumed || x.view || y.view {
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
			return len(x.Items) == len(y.Items) && holdsAll(y.Items, x.Items), true
		}
	case External:
		if y, ok := b.X.(External); ok {
			if x == y {
				return true, true
			}
			return false, isLibrary(x.Name) && isLibrary(y.Name)
		}
		return false, isLibrary(x.Name)
	case Object:
		return comparableType(a.X) && comparableType(b.X) && a.X == b.X, comparableType(a.X) && a.X == b.X
	case *Instance:
		if y, ok := b.X.(*Instance); ok && x == y {
			return true, true
		} else if ok && x.Class == y.Class && x.Class.fields != nil {
			return equalFields(x, y, depth)
		}
	}
	switch y := b.X.(type) {
	case External:
		return false, isLibrary(y.Name)
	case Object:
		return false, false
	}
	return comparableType(a.X) && comparableType(b.X) && a.X == b.X, true
}

// comparableNumbers reports whether an integer and a float can be compared as floats.
func comparableNumbers(a, b Value) bool {
	for _, v := range []Value{a, b} {
		if n, ok := whole(v.X); ok && !exact(n) {
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
		t, k := equal(a[i], b[i], depth-1)
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
		other, ok := b.get(key)
		if !ok {
			return false, true
		}
		t, k := equal(a.Values[i], other, depth-1)
		if k && !t {
			return false, true
		}
		known = known && k
	}
	return known, known
}

// ordered reports whether a op b for <, <=, > and >=.
func (in *Interp) ordered(op string, a, b Value) (truth, known bool) {
	c, known := compare(plain(a), plain(b), 16)
	switch {
	case !known:
		return false, false
	case c == unordered:
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

// unordered is the order of values that are neither less, equal nor greater: NaN.
const unordered = 2

// compare orders two numbers, texts or sequences.
func compare(a, b Value, depth int) (order int, known bool) {
	if x, y, ok := wholes(a.X, b.X); ok {
		switch {
		case x < y:
			return -1, true
		case x > y:
			return 1, true
		}
		return 0, true
	}
	if x, y, ok := floats(a.X, b.X); ok {
		switch {
		case !comparableNumbers(a, b):
			return 0, false
		case x < y:
			return -1, true
		case x > y:
			return 1, true
		case x == y:
			return 0, true
		}
		return unordered, true
	}
	if x, ok := a.X.(string); ok {
		y, ok := b.X.(string)
		return strings.Compare(x, y), ok
	}
	x, ok := sequenceOf(a)
	y, ok2 := sequenceOf(b)
	if !ok || !ok2 || depth == 0 {
		return 0, false
	}
	for i := range min(len(x), len(y)) {
		if same, known := equal(x[i], y[i], depth-1); !known {
			return 0, false
		} else if !same {
			return compare(plain(x[i]), plain(y[i]), depth-1)
		}
	}
	return cmp.Compare(len(x), len(y)), true
}

// sequenceOf returns the items of a known list or tuple.
func sequenceOf(v Value) ([]Value, bool) {
	switch x := v.X.(type) {
	case *List:
		return x.Items, x.Open == nil && !x.consumed
	case Tuple:
		return x, true
	case *Instance:
		return x.fieldValues(), x.Class.tuple
	}
	return nil, false
}

// Truth is bool(v); known is false if it cannot be decided.
func (in *Interp) Truth(v Value) (truth, known bool) {
	switch x := plain(v).X.(type) {
	case bool:
		return x, true
	case int64:
		return x != 0, true
	case float64:
		return x != 0, true
	case string:
		return x != "", true
	case None:
		return false, true
	case Tuple:
		return len(x) > 0, true
	case *List:
		if x.consumed {
			return true, true
		}
		return len(x.Items) > 0, x.Open == nil
	case *Set:
		return len(x.Items) > 0, x.Open == nil
	case *Dict:
		return len(x.Keys) > 0, x.Open == nil || len(x.Keys) > 0 && x.certain()
	case Range:
		return x.Length() > 0, true
	case *Func, *Bound, *Class, Method, Ellipsis, Slice:
		return true, true
	case External:
		return true, isLibrary(x.Name)
	case *Instance:
		return in.instanceTruth(x)
	case Object:
		return x.Bool(in)
	}
	return false, false
}

func (in *Interp) instanceTruth(o *Instance) (truth, known bool) {
	for _, name := range []string{"__bool__", "__len__"} {
		if _, ok := o.Class.lookup(name); ok {
			return in.Truth(in.CallMethod(o, name, &Args{}))
		}
	}
	if o.Host != nil {
		return o.Host.Bool(in)
	}
	if o.holds != nil {
		return in.Truth(held(Value{X: o}))
	}
	return true, true
}
