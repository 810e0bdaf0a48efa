package numpy

import (
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/python"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// NumberFunctions are the functions that compute numbers.
var NumberFunctions = []NumericFunction{
	{Names: "abs absolute sign negative square sqrt exp log log2 log10 log1p sin cos tan tanh", run: (*Call).element},
	{
		Names:    "sum prod max min amax amin mean any all reduce_sum reduce_prod reduce_max reduce_min reduce_mean reduce_any reduce_all",
		keywords: "axis keepdims", run: (*Call).fold,
	},
	{Names: "add subtract multiply divide true_divide floor_divide mod remainder power", run: (*Call).operator},
	{Names: "isnan isinf isfinite is_nan is_inf is_finite", run: (*Call).tested},
	{Names: "around", keywords: "decimals", run: (*Call).same},
	{Names: "digitize", keywords: "bins right", run: (*Call).binned},
	{Names: "cumsum cumprod", run: (*Call).cumulate},
	{Names: "sort unique", keywords: "return_counts", run: (*Call).sorted},
}

// element is an elementwise function.
func (c *Call) element(a *Array) value.Value {
	if len(a.Shape) == 0 {
		return value.Value{} // a Python number has functions of its own
	}
	zero, d := value.Value{X: int64(0)}, a.DType
	var f func(v value.Value) value.Value
	switch c.Name {
	case "abs", "absolute":
		d = d.Real()
		f = func(v value.Value) value.Value {
			if below(v, zero) {
				return calculated(c.In, "-", zero, v)
			}
			return v
		}
	case "negative":
		f = func(v value.Value) value.Value { return calculated(c.In, "-", zero, v) }
	case "square":
		f = func(v value.Value) value.Value { return calculated(c.In, "*", v, v) }
	case "sign":
		f = func(v value.Value) value.Value {
			switch {
			case below(v, zero):
				return value.Value{X: int64(-1)}
			case below(zero, v):
				return value.Value{X: int64(1)}
			}
			return zero
		}
	default:
		if !d.Floating() {
			d = "float64"
		}
		real := python.Real(c.Name)
		f = func(v value.Value) value.Value {
			if y := real(float(v)); !math.IsNaN(y) && !math.IsInf(y, 0) {
				return value.Value{X: y}
			}
			return value.Value{}
		}
	}
	out := a.each(d, f)
	if out == nil {
		out = &Array{Base: a.Base, Lib: a.Lib, Shape: a.Shape, DType: d}
	}
	return value.Value{X: out}
}

// operator is a function of NumPy that is one of Python's operators.
func (c *Call) operator(a *Array) value.Value {
	second, _ := objects.Passed(c.Args, 1, "x2")
	if b := c.Lib.asArray(c.In, second); b == nil || len(c.Args.Positional) != 2 || !strings.HasPrefix(c.Function, "numpy.") {
		return value.Value{}
	}
	op := operations[c.Name]
	switch c.Name {
	case "true_divide":
		op = "/"
	case "remainder":
		op = "%"
	}
	return a.Binary(c.In, op, second, false)
}

// tested is a bool for each element.
func (c *Call) tested(a *Array) value.Value {
	if len(a.Shape) == 0 {
		return value.Value{} // a Python number has functions of its own
	}
	return c.Lib.Array(a.Shape, "bool")
}

// same is a function of whose result only the shape and the type are known: those of the array.
func (c *Call) same(a *Array) value.Value {
	if len(a.Shape) == 0 {
		return value.Value{} // see tested
	}
	return c.Lib.Array(a.Shape, a.DType)
}

// binned is the number of a bin for each element.
func (c *Call) binned(a *Array) value.Value {
	d := tensor.DType("int64")
	if !strings.HasPrefix(c.Function, "numpy.") {
		d = "int32"
	}
	return c.Lib.Array(a.Shape, d)
}

// summed returns NumPy's type of sums and products of integers, which has 64 bits; of the number
// of true ones, too.
func summed(d tensor.DType) tensor.DType {
	switch {
	case strings.HasPrefix(string(d), "uint"):
		return "uint64"
	case strings.HasPrefix(string(d), "int"), d == "bool":
		return "int64"
	}
	return d
}

// fold is the sum, the product, the mean or an extreme along dimensions.
func (c *Call) fold(a *Array) value.Value {
	axes, err := shapes.Axes(c.Args, 1, a.Shape, "axis")
	keep := c.Args.Keywords.Value("keepdims")
	if err != nil || keep.X != nil && keep.X != true && keep.X != false || len(c.Args.Positional) > 2 {
		return value.Value{}
	}
	var combine func(x, y value.Value) value.Value
	name, of := strings.TrimPrefix(c.Name, "reduce_"), a.DType
	if a.DType == "bool" && (name == "sum" || name == "mean" || name == "prod") {
		a = a.converted(c.In, "int64") // of bools: the number of true ones
	}
	switch name {
	case "sum", "mean":
		combine = func(x, y value.Value) value.Value { return calculated(c.In, "+", x, y) }
	case "any", "all":
		a = a.converted(c.In, "bool")
		combine = func(x, y value.Value) value.Value {
			if x.X == (name == "any") {
				return x
			}
			return y
		}
	case "prod":
		combine = func(x, y value.Value) value.Value { return calculated(c.In, "*", x, y) }
	default:
		smallest := strings.HasSuffix(name, "min")
		combine = func(x, y value.Value) value.Value {
			if below(y, x) == smallest {
				return y
			}
			return x
		}
	}
	out := a.folded(axes, keep.X == true, combine)
	if name == "mean" {
		n := int64(1)
		for _, axis := range axes {
			n *= a.Shape[axis]
		}
		if divided := out.arithmetic(c.In, "/", c.Lib.asArray(c.In, value.Value{X: n})); divided != nil {
			out = divided
		} else {
			out.items = nil
		}
		if strings.HasPrefix(c.Function, "numpy.") && !out.DType.Floating() {
			out.DType = "float64"
		}
	}
	switch {
	case (name == "sum" || name == "prod") && strings.HasPrefix(c.Function, "numpy."):
		out.DType = summed(of)
	case strings.HasPrefix(c.Function, "tensorflow.keras.ops."):
		out.DType = OpsReduced(name, of)
	case name == "mean" && strings.HasPrefix(c.Function, "tensorflow.") && !of.Floating():
		out.DType, out.items = of, nil // TensorFlow's mean of integers is an integer
	}
	if len(out.Shape) == 0 && out.Known() == nil {
		if strings.HasSuffix(name, "max") || strings.HasSuffix(name, "min") {
			return c.classMost(a)
		}
		return value.Value{} // an unknown number
	}
	return out.scalar()
}

// cumulate is the running sums or products along one dimension. Without an axis, NumPy and Keras,
// but not TensorFlow, flatten the array (keras/src/backend/tensorflow/numpy.py, cumsum).
func (c *Call) cumulate(a *Array) value.Value {
	d := a.DType
	if strings.HasPrefix(c.Function, "numpy.") {
		d = summed(d)
	}
	if n, ok := a.Shape.Elements(); ok && len(a.Shape) != 1 && len(c.Args.Positional) == 1 && !strings.HasPrefix(c.Function, "tensorflow.math.") && c.Function != "tensorflow."+c.Name {
		return c.Lib.Array(tensor.Shape{n}, d)
	}
	if len(a.Shape) != 1 || len(c.Args.Positional) > 1 {
		return value.Value{}
	}
	op := map[string]string{"cumsum": "+", "cumprod": "*"}[c.Name]
	var last value.Value
	out := a.each(d, func(v value.Value) value.Value {
		if last.X != nil {
			v = calculated(c.In, op, last, v)
		}
		last = v
		return v
	})
	if out == nil {
		return value.Value{}
	}
	return value.Value{X: out}
}

// sorted is the sorted numbers of one dimension; for unique each of them once.
func (c *Call) sorted(a *Array) value.Value {
	items := slices.Clone(a.Known())
	if items == nil && c.Name == "unique" && strings.HasPrefix(c.Function, "numpy.") {
		return c.distinct(a)
	}
	if items == nil || c.Args.Keywords.Len() > 0 || len(c.Args.Positional) > 1 || c.Name == "sort" && len(a.Shape) != 1 || !strings.HasPrefix(c.Function, "numpy.") {
		return value.Value{}
	}
	slices.SortStableFunc(items, func(x, y value.Value) int {
		switch {
		case below(x, y):
			return -1
		case below(y, x):
			return 1
		}
		return 0
	})
	if c.Name == "unique" {
		items = slices.CompactFunc(items, func(x, y value.Value) bool { return !below(x, y) && !below(y, x) })
	}
	return value.Value{X: c.Lib.Row(items, a.DType)}
}

// below reports whether a number is smaller than another.
func below(a, b value.Value) bool { return float(a) < float(b) }

// float returns a number as a float64.
func float(v value.Value) float64 {
	x, _ := value.Number(v.X)
	return x
}
