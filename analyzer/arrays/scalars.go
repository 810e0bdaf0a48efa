package arrays

import (
	"math"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// scalarFunctions are the functions that return a number for a number, without a tensor.
var scalarFunctions = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "exp": math.Exp, "log": math.Log, "square": func(x float64) float64 { return x * x },
	"rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) }, "abs": math.Abs, "ceil": math.Ceil, "floor": math.Floor,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
	"asin": math.Asin, "arcsin": math.Asin, "acos": math.Acos, "arccos": math.Acos, "atan": math.Atan, "arctan": math.Atan,
	"log1p": math.Log1p, "expm1": math.Expm1, "negative": func(x float64) float64 { return -x }, "reciprocal": func(x float64) float64 { return 1 / x },
}

// comparisons are the functions that compare two numbers.
var comparisons = map[string]func(a, b float64) bool{
	"equal": func(a, b float64) bool { return a == b }, "not_equal": func(a, b float64) bool { return a != b },
	"less": func(a, b float64) bool { return a < b }, "less_equal": func(a, b float64) bool { return a <= b },
	"greater": func(a, b float64) bool { return a > b }, "greater_equal": func(a, b float64) bool { return a >= b },
}

// operations are the functions that equal a Python operator for two numbers.
var operations = map[string]string{
	"mod": "%", "floormod": "%", "floordiv": "//", "floor_divide": "//", "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "truediv": "/", "pow": "**", "power": "**",
}

// onNumber is a function of TensorFlow or Keras on Python numbers.
func onNumber(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	if !strings.HasPrefix(name, "tensorflow.") || len(args.Positional) == 0 {
		return value.Value{}, false
	}
	x := args.Positional[0]
	short := name[strings.LastIndexByte(name, '.')+1:]
	n := 0.0
	switch v := x.X.(type) {
	case int64:
		n = float64(v)
	case float64:
		n = v
	default:
		return value.Value{}, false
	}
	if d := DTypeArgument(args, ""); short == "cast" && strings.Contains(string(d), "int") {
		return value.Value{X: int64(n), Overridable: x.Overridable}, true // truncated
	}
	if short == "cast" || short == "constant" || short == "convert_to_tensor" {
		return x, true
	}
	if f := scalarFunctions[short]; f != nil {
		if y := f(n); !math.IsNaN(y) && !math.IsInf(y, 0) {
			return value.Value{X: y, Overridable: x.Overridable}, true
		}
		return value.Value{}, false
	}
	if op := operations[short]; op != "" && len(args.Positional) == 2 {
		switch y := args.Positional[1]; y.X.(type) {
		case int64, float64:
			return in.Binary(op, x, y), true
		}
	}
	if compare := comparisons[short]; compare != nil && len(args.Positional) == 2 {
		switch y := args.Positional[1].X.(type) {
		case int64:
			return value.Value{X: compare(n, float64(y))}, true
		case float64:
			return value.Value{X: compare(n, y)}, true
		}
	}
	return value.Value{}, false
}
