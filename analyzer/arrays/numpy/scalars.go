package numpy

import (
	"math"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/python"
	"github.com/tfmem/tfmem/analyzer/value"
)

// scalarFunctions are the functions of a number that neither NumPy nor Python's math have, or that
// return integers there.
var scalarFunctions = map[string]func(float64) float64{
	"square": func(x float64) float64 { return x * x }, "rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) }, "abs": math.Abs, "ceil": math.Ceil, "floor": math.Floor,
	"expm1": math.Expm1, "negative": func(x float64) float64 { return -x }, "reciprocal": func(x float64) float64 { return 1 / x },
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
func (c *Call) onNumber() value.Value {
	if len(c.Args.Positional) == 0 {
		return value.Value{}
	}
	x := c.Args.Positional[0]
	n, ok := value.Number(x.X)
	if !ok || x.X == true || x.X == false {
		return value.Value{}
	}
	if d := DTypeArgument(c.Args, ""); c.Name == "cast" && strings.Contains(string(d), "int") {
		return value.Value{X: int64(n), Overridable: x.Overridable} // truncated
	}
	if c.Name == "cast" || c.Name == "constant" || c.Name == "convert_to_tensor" {
		return x
	}
	f := scalarFunctions[c.Name]
	if f == nil {
		f = python.Real(c.Name)
	}
	if f != nil {
		if y := f(n); !math.IsNaN(y) && !math.IsInf(y, 0) {
			return value.Value{X: y, Overridable: x.Overridable}
		}
		return value.Value{}
	}
	if len(c.Args.Positional) != 2 {
		return value.Value{}
	}
	y := c.Args.Positional[1]
	m, ok := value.Number(y.X)
	if !ok || y.X == true || y.X == false {
		return value.Value{}
	}
	if op := operations[c.Name]; op != "" {
		return interp.Binary(c.In, op, x, y)
	}
	if compare := comparisons[c.Name]; compare != nil {
		return value.Value{X: compare(n, m)}
	}
	switch c.Name {
	case "minimum", "maximum":
		if (c.Name == "minimum") == (n <= m) {
			return x
		}
		return y
	}
	return value.Value{}
}
