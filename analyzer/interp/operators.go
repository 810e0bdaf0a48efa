package interp

import (
	"math"
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// dunders are the special methods of the binary operators.
var dunders = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
	"&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
	"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}

// Binary evaluates a op b for an arithmetic or bitwise operator.
func Binary(in *value.Interp, op string, a, b value.Value) value.Value {
	v := binary(in, op, a, b)
	if v.Known() {
		v.Overridable = v.Overridable || a.Overridable || b.Overridable
	}
	return v
}

// broadcastLength returns the length of an operation on an unknown value and a number.
func broadcastLength(v, number value.Value) int64 {
	switch number.X.(type) {
	case int64, float64:
		return v.Length
	}
	return 0
}

func binary(in *value.Interp, op string, a, b value.Value) value.Value {
	if v, ok := overloaded(in, op, a, b); ok {
		return v
	}
	a, b = value.Plain(a), value.Plain(b)
	switch {
	case value.StaysMany(op, a, b):
		if b.Many() {
			a = b
		}
		return value.Value{X: a.X}
	case !a.Known(): // any other result may be a small number
		return value.Value{X: value.Unknown{Cause: a.Cause()}, Length: broadcastLength(a, b)}
	case !b.Known():
		return value.Value{X: value.Unknown{Cause: b.Cause()}, Length: broadcastLength(b, a)}
	}
	if x, y, ok := value.Wholes(a.X, b.X); ok {
		out := in.WholeNumbers(op, x, y)
		switch { // BATCH_SIZE * 1, of one GPU, is still the literal
		case y == 1 && (op == "*" || op == "//"), y == 0 && (op == "+" || op == "-"):
			out.Lit = a.Lit
		case x == 1 && op == "*", x == 0 && op == "+":
			out.Lit = b.Lit
		}
		return out
	}
	if x, y, ok := value.Floats(a.X, b.X); ok {
		return in.FloatNumbers(op, x, y)
	}
	switch x := a.X.(type) {
	case string:
		switch y := b.X.(type) {
		case string:
			if op == "+" {
				return in.Str(x + y)
			}
		case int64, bool:
			if op == "*" {
				return in.RepeatText(x, b)
			}
		}
		if op == "%" {
			return percent(in, x, b)
		}
	case int64, bool:
		switch y := b.X.(type) {
		case string:
			if op == "*" {
				return in.RepeatText(y, a)
			}
		case *value.List, value.Tuple:
			if op == "*" {
				return in.Repeat(b, a)
			}
		}
	case *value.List:
		switch y := b.X.(type) {
		case *value.List:
			if op == "+" {
				return in.Concat(x, y)
			}
		case int64, bool:
			if op == "*" {
				return in.Repeat(a, b)
			}
		}
	case value.Tuple:
		switch y := b.X.(type) {
		case value.Tuple:
			if op == "+" && in.Spend(len(x)+len(y)) {
				return value.Value{X: append(slices.Clip(x), y...)}
			}
		case int64, bool:
			if op == "*" {
				return in.Repeat(a, b)
			}
		}
	case *value.Dict:
		if y, ok := b.X.(*value.Dict); ok && op == "|" {
			d := in.CopyDict(x)
			Update(in, d, value.Value{X: y})
			return value.Value{X: d}
		}
	case *value.Set:
		if y, ok := b.X.(*value.Set); ok {
			return Sets(in, op, x, y)
		}
	case value.External:
		return UnknownExternal(in, x)
	}
	if y, ok := b.X.(value.External); ok {
		return UnknownExternal(in, y)
	}
	return in.Unknown(value.WillRaise, "%s %s %s raises TypeError, or is not modelled", Describe(in, a), op, Describe(in, b))
}

// overloaded asks the operands that are objects of the Host or of the program.
func overloaded(in *value.Interp, op string, a, b value.Value) (value.Value, bool) {
	for _, reflected := range []bool{false, true} {
		v, other := a, b
		if reflected {
			v, other = b, a
		}
		h, ok := v.X.(value.Object)
		if o, isObject := v.X.(*value.Instance); isObject {
			prefix := "__"
			if reflected {
				prefix = "__r"
			}
			if method, found := o.Class.Lookup(prefix + dunders[op] + "__"); found {
				return callMember(in, v, method, &value.Args{Positional: []value.Value{other}}), true
			}
			h, ok = o.Host, o.Host != nil
		}
		if ok {
			if in.HostMuted > 0 {
				return mutedResult(in), true
			}
			return h.Binary(in, op, in.Handed(other), reflected), true
		}
	}
	return value.Value{}, false
}

func unary(in *value.Interp, op string, v value.Value) value.Value {
	overridable := v.Overridable
	v = value.Plain(v)
	switch x := v.X.(type) {
	case int64:
		switch op {
		case "-":
			if x == math.MinInt64 {
				return value.Overflow("*", x, -1)
			}
			return value.Value{X: -x, Overridable: overridable}
		case "~":
			return value.Value{X: ^x, Overridable: overridable}
		}
		return value.Value{X: x, Overridable: overridable}
	case bool:
		n, _ := value.Whole(x)
		return unary(in, op, value.Value{X: n, Overridable: overridable})
	case float64:
		switch op {
		case "-":
			return value.Value{X: -x, Overridable: overridable}
		case "+":
			return value.Value{X: x, Overridable: overridable}
		}
	case value.Unknown:
		return value.Value{X: x}
	case value.Object:
		if op == "-" && in.HostMuted == 0 { // the gradient keeps the same tensors as for a product
			return x.Binary(in, "*", value.Value{X: int64(-1)}, false)
		}
		if inverted := in.Slots(x).Invert(in); op == "~" && inverted.X != nil {
			return inverted
		}
	}
	return in.Unknown(value.UnmodelledPython, "%s%s is not modelled", op, Describe(in, v))
}
