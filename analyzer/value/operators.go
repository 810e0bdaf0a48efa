package value

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

// dunders are the special methods of the binary operators.
var dunders = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
	"&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
	"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}

// Binary evaluates a op b for an arithmetic or bitwise operator.
func (in *Interp) Binary(op string, a, b Value) Value {
	v := in.binary(op, a, b)
	if v.Known() {
		v.Overridable = v.Overridable || a.Overridable || b.Overridable
	}
	return v
}

func (in *Interp) binary(op string, a, b Value) Value {
	if v, ok := in.overloaded(op, a, b); ok {
		return v
	}
	a, b = plain(a), plain(b)
	switch {
	case !a.Known():
		return Value{X: a.X}
	case !b.Known():
		return Value{X: b.X}
	}
	if x, y, ok := wholes(a.X, b.X); ok {
		return in.wholeNumbers(op, x, y)
	}
	if x, y, ok := floats(a.X, b.X); ok {
		return in.floatNumbers(op, x, y)
	}
	switch x := a.X.(type) {
	case string:
		switch y := b.X.(type) {
		case string:
			if op == "+" {
				return in.str(x + y)
			}
		case int64, bool:
			if op == "*" {
				return in.repeatText(x, b)
			}
		}
		if op == "%" {
			return in.percent(x, b)
		}
	case int64, bool:
		switch y := b.X.(type) {
		case string:
			if op == "*" {
				return in.repeatText(y, a)
			}
		case *List, Tuple:
			if op == "*" {
				return in.repeat(b, a)
			}
		}
	case *List:
		switch y := b.X.(type) {
		case *List:
			if op == "+" {
				return in.concat(x, y)
			}
		case int64, bool:
			if op == "*" {
				return in.repeat(a, b)
			}
		}
	case Tuple:
		switch y := b.X.(type) {
		case Tuple:
			if op == "+" && in.Spend(len(x)+len(y)) {
				return Value{X: append(slices.Clip(x), y...)}
			}
		case int64, bool:
			if op == "*" {
				return in.repeat(a, b)
			}
		}
	case *Dict:
		if y, ok := b.X.(*Dict); ok && op == "|" {
			d := in.copyDict(x)
			in.update(d, Value{X: y})
			return Value{X: d}
		}
	case *Set:
		if y, ok := b.X.(*Set); ok {
			return in.sets(op, x, y)
		}
	case External:
		return in.unknownExternal(x)
	}
	if y, ok := b.X.(External); ok {
		return in.unknownExternal(y)
	}
	return in.Unknown(WillRaise, "%s %s %s raises TypeError, or is not modelled", in.describe(a), op, in.describe(b))
}

// overloaded asks the operands that are objects of the Host or of the program.
func (in *Interp) overloaded(op string, a, b Value) (Value, bool) {
	for _, reflected := range []bool{false, true} {
		v, other := a, b
		if reflected {
			v, other = b, a
		}
		h, ok := v.X.(Object)
		if o, isObject := v.X.(*Instance); isObject {
			prefix := "__"
			if reflected {
				prefix = "__r"
			}
			if method, found := o.Class.lookup(prefix + dunders[op] + "__"); found {
				return in.callMember(v, method, &Args{Positional: []Value{other}}), true
			}
			h, ok = o.Host, o.Host != nil
		}
		if ok {
			if in.hostMuted > 0 {
				return in.mutedResult(), true
			}
			return h.Binary(in, op, in.handed(other), reflected), true
		}
	}
	return Value{}, false
}

// wholes returns two integers; bools are 0 and 1.
func wholes(a, b any) (x, y int64, ok bool) {
	x, ok = whole(a)
	if ok {
		y, ok = whole(b)
	}
	return x, y, ok
}

// whole returns an integer; bools are 0 and 1.
func whole(x any) (int64, bool) {
	switch x := x.(type) {
	case int64:
		return x, true
	case bool:
		if x {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

func wholeOf(v Value) (int64, bool) { return whole(plain(v).X) }

// floats returns two numbers as floats.
func floats(a, b any) (x, y float64, ok bool) {
	x, ok = number(a)
	if ok {
		y, ok = number(b)
	}
	return x, y, ok
}

// number returns a number as a float.
func number(x any) (float64, bool) {
	if f, ok := x.(float64); ok {
		return f, true
	}
	i, ok := whole(x)
	return float64(i), ok
}

// tooLarge returns the Unknown for an integer beyond 64 bits.
func (in *Interp) tooLarge(op string, x, y int64) Value {
	return in.Unknown(NumberRange, "%d %s %d is larger than 64 bits", x, op, y)
}

// wholeNumbers evaluates x op y.
func (in *Interp) wholeNumbers(op string, x, y int64) Value {
	switch op {
	case "+":
		if s := x + y; (s > x) == (y > 0) {
			return Value{X: s}
		}
		return in.tooLarge(op, x, y)
	case "-":
		if d := x - y; (d < x) == (y > 0) {
			return Value{X: d}
		}
		return in.tooLarge(op, x, y)
	case "*":
		if p, ok := times(x, y); ok {
			return Value{X: p}
		}
		return in.tooLarge(op, x, y)
	case "/":
		if y == 0 {
			return in.Unknown(NumberRange, "a division by zero")
		}
		if exact(x) && exact(y) {
			return Value{X: float64(x) / float64(y)}
		}
		return in.tooLarge(op, x, y)
	case "//", "%":
		if y == 0 {
			return in.Unknown(NumberRange, "a division by zero")
		}
		if x == math.MinInt64 && y == -1 {
			return in.tooLarge(op, x, y)
		}
		q, r := floorDiv(x, y)
		if op == "%" {
			return Value{X: r}
		}
		return Value{X: q}
	case "**":
		return in.power(x, y)
	case "&":
		return Value{X: x & y}
	case "|":
		return Value{X: x | y}
	case "^":
		return Value{X: x ^ y}
	case "<<":
		if y >= 0 && y < 63 && x>>(63-y) == 0 || x == 0 && y >= 0 {
			return Value{X: x << min(uint64(y), 63)}
		}
		if y >= 0 {
			return in.tooLarge(op, x, y)
		}
	case ">>":
		if y >= 0 {
			return Value{X: x >> min(uint64(y), 63)}
		}
	}
	return in.Unknown(WillRaise, "%d %s %d raises an error", x, op, y)
}

// exact reports whether a float represents an integer without rounding.
func exact(x int64) bool {
	return magnitude(x) <= 1<<53 || magnitude(x) < 1<<62 && int64(float64(x)) == x
}

// floorDiv rounds towards minus infinity, as Python does.
func floorDiv(x, y int64) (q, r int64) {
	q, r = x/y, x%y
	if r != 0 && (r < 0) != (y < 0) {
		q--
		r += y
	}
	return q, r
}

// times multiplies; it returns false if the product is larger than 64 bits.
func times(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(x), magnitude(y))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (x < 0) != (y < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

// magnitude returns the absolute value.
func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func (in *Interp) power(x, y int64) Value {
	if y < 0 {
		if x == 0 {
			return in.Unknown(NumberRange, "a division by zero")
		}
		return in.floatNumbers("**", float64(x), float64(y))
	}
	result, base, rest, ok := int64(1), x, y, true
	for rest > 0 {
		if rest&1 == 1 {
			if result, ok = times(result, base); !ok {
				return in.tooLarge("**", x, y)
			}
		}
		if rest >>= 1; rest > 0 {
			if base, ok = times(base, base); !ok {
				return in.tooLarge("**", x, y)
			}
		}
	}
	return Value{X: result}
}

// floatNumbers evaluates x op y.
func (in *Interp) floatNumbers(op string, x, y float64) Value {
	switch op {
	case "+":
		return Value{X: x + y}
	case "-":
		return Value{X: x - y}
	case "*":
		return Value{X: x * y}
	case "/", "//", "%":
		if y == 0 {
			return in.Unknown(NumberRange, "a division by zero")
		}
		if op == "/" {
			return Value{X: x / y}
		}
		q, r := floatDivmod(x, y)
		if op == "%" {
			return Value{X: r}
		}
		return Value{X: q}
	case "**":
		if x == 0 && y < 0 || x < 0 && y != math.Trunc(y) {
			return in.Unknown(NumberRange, "a power that is not a real number")
		}
		in.Spend(64)
		p := pow(x, y)
		if math.IsInf(p, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
			return in.Unknown(NumberRange, "a power that is too large")
		}
		return Value{X: p}
	}
	return in.Unknown(WillRaise, "%s of fractions raises TypeError", op)
}

// floatDivmod computes what CPython's float_divmod computes.
func floatDivmod(x, y float64) (div, mod float64) {
	mod = math.Mod(x, y)
	div = (x - mod) / y
	if mod != 0 {
		if (y < 0) != (mod < 0) {
			mod += y
			div--
		}
	} else {
		mod = math.Copysign(0, y)
	}
	if div == 0 {
		return math.Copysign(0, x/y), mod
	}
	floor := math.Floor(div)
	if div-floor > 0.5 {
		floor++
	}
	return floor, mod
}

func (in *Interp) unary(op string, v Value) Value {
	overridable := v.Overridable
	v = plain(v)
	switch x := v.X.(type) {
	case int64:
		switch op {
		case "-":
			if x == math.MinInt64 {
				return in.tooLarge("*", x, -1)
			}
			return Value{X: -x, Overridable: overridable}
		case "~":
			return Value{X: ^x, Overridable: overridable}
		}
		return Value{X: x, Overridable: overridable}
	case bool:
		n, _ := whole(x)
		return in.unary(op, Value{X: n, Overridable: overridable})
	case float64:
		switch op {
		case "-":
			return Value{X: -x, Overridable: overridable}
		case "+":
			return Value{X: x, Overridable: overridable}
		}
	case Unknown:
		return Value{X: x}
	case Object:
		if op == "-" && in.hostMuted == 0 { // the gradient keeps the same tensors as for a product
			return x.Binary(in, "*", Value{X: int64(-1)}, false)
		}
		if inverted := in.slots(x).Invert(in); op == "~" && inverted.X != nil {
			return inverted
		}
	}
	return in.Unknown(UnmodelledPython, "%s%s, which is not modelled", op, in.describe(v))
}

// repeatText evaluates text * n.
func (in *Interp) repeatText(text string, n Value) Value {
	times, _ := whole(n.X)
	if times <= 0 || text == "" {
		return Value{X: ""}
	}
	if times > maxText || int64(len(text))*times > maxText {
		return textTooLong().Unknown()
	}
	return in.str(strings.Repeat(text, int(times)))
}

// repeat evaluates list * n or tuple * n, with the same items repeated.
func (in *Interp) repeat(v, n Value) Value {
	times, _ := whole(n.X)
	var items []Value
	switch x := v.X.(type) {
	case *List:
		if x.Open != nil {
			return Value{X: Unknown{x.Open}}
		}
		items = x.Items
	case Tuple:
		items = x
	}
	var out []Value
	if times > 0 {
		if times > maxItems || int64(len(items))*times > maxItems || !in.Spend(len(items)*int(times)) {
			return in.Unknown(TooLong, "a list of too many items to follow")
		}
		out = slices.Repeat(items, int(times))
	}
	if _, ok := v.X.(Tuple); ok {
		return Value{X: Tuple(out)}
	}
	return Value{X: &List{Items: out}}
}

// concat evaluates a + b.
func (in *Interp) concat(a, b *List) Value {
	for _, l := range []*List{a, b} {
		if l.Open != nil {
			l := unknownList(l.Open, false)
			return Value{X: &l}
		}
	}
	if len(a.Items)+len(b.Items) > maxItems || !in.Spend(len(a.Items)+len(b.Items)) {
		return in.Unknown(TooLong, "a list of too many items to follow")
	}
	return Value{X: &List{Items: slices.Concat(a.Items, b.Items)}}
}
