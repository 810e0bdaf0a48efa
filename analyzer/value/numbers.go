package value

import (
	"math"
	"math/bits"
)

// Wholes returns two integers; bools are 0 and 1.
func Wholes(a, b any) (x, y int64, ok bool) {
	x, ok = Whole(a)
	if ok {
		y, ok = Whole(b)
	}
	return x, y, ok
}

// Whole returns an integer; bools are 0 and 1.
func Whole(x any) (int64, bool) {
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

func WholeOf(v Value) (int64, bool) { return Whole(Plain(v).X) }

// Floats returns two numbers as floats.
func Floats(a, b any) (x, y float64, ok bool) {
	x, ok = Number(a)
	if ok {
		y, ok = Number(b)
	}
	return x, y, ok
}

// Number returns a number as a float.
func Number(x any) (float64, bool) {
	if f, ok := x.(float64); ok {
		return f, true
	}
	i, ok := Whole(x)
	return float64(i), ok
}

// Overflow returns the Unknown for an integer beyond 64 bits.
func Overflow(op string, x, y int64) Value {
	return Because(NumberRange, "%d %s %d is larger than 64 bits", x, op, y).Unknown()
}

// WholeNumbers evaluates x op y.
func (b *Bounds) WholeNumbers(op string, x, y int64) Value {
	switch op {
	case "+":
		if s := x + y; (s > x) == (y > 0) {
			return Value{X: s}
		}
		return Overflow(op, x, y)
	case "-":
		if d := x - y; (d < x) == (y > 0) {
			return Value{X: d}
		}
		return Overflow(op, x, y)
	case "*":
		if p, ok := Times(x, y); ok {
			return Value{X: p}
		}
		return Overflow(op, x, y)
	case "/":
		if y == 0 {
			return Because(NumberRange, "a division by zero").Unknown()
		}
		if exact(x) && exact(y) {
			return Value{X: float64(x) / float64(y)}
		}
		return Overflow(op, x, y)
	case "//", "%":
		if y == 0 {
			return Because(NumberRange, "a division by zero").Unknown()
		}
		if x == math.MinInt64 && y == -1 {
			return Overflow(op, x, y)
		}
		q, r := FloorDiv(x, y)
		if op == "%" {
			return Value{X: r}
		}
		return Value{X: q}
	case "**":
		return b.power(x, y)
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
			return Overflow(op, x, y)
		}
	case ">>":
		if y >= 0 {
			return Value{X: x >> min(uint64(y), 63)}
		}
	}
	return Because(WillRaise, "%d %s %d raises an error", x, op, y).Unknown()
}

// exact reports whether a float represents an integer without rounding.
func exact(x int64) bool {
	return Magnitude(x) <= 1<<53 || Magnitude(x) < 1<<62 && int64(float64(x)) == x
}

// FloorDiv rounds towards minus infinity, as Python does.
func FloorDiv(x, y int64) (q, r int64) {
	q, r = x/y, x%y
	if r != 0 && (r < 0) != (y < 0) {
		q--
		r += y
	}
	return q, r
}

// Times multiplies; it returns false if the product is larger than 64 bits.
func Times(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(Magnitude(x), Magnitude(y))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (x < 0) != (y < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

// Magnitude returns the absolute value.
func Magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func (b *Bounds) power(x, y int64) Value {
	if y < 0 {
		if x == 0 {
			return Because(NumberRange, "a division by zero").Unknown()
		}
		return b.FloatNumbers("**", float64(x), float64(y))
	}
	result, base, rest, ok := int64(1), x, y, true
	for rest > 0 {
		if rest&1 == 1 {
			if result, ok = Times(result, base); !ok {
				return Overflow("**", x, y)
			}
		}
		if rest >>= 1; rest > 0 {
			if base, ok = Times(base, base); !ok {
				return Overflow("**", x, y)
			}
		}
	}
	return Value{X: result}
}

// FloatNumbers evaluates x op y.
func (b *Bounds) FloatNumbers(op string, x, y float64) Value {
	switch op {
	case "+":
		return Value{X: x + y}
	case "-":
		return Value{X: x - y}
	case "*":
		return Value{X: x * y}
	case "/", "//", "%":
		if y == 0 {
			return Because(NumberRange, "a division by zero").Unknown()
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
			return Because(NumberRange, "a power that is not a real number").Unknown()
		}
		b.Spend(64)
		p := pow(x, y)
		if math.IsInf(p, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
			return Because(NumberRange, "a power that is too large").Unknown()
		}
		return Value{X: p}
	}
	return Because(WillRaise, "%s of fractions raises TypeError", op).Unknown()
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
