package ops

import (
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// elementwiseFunctions are the kinds of elementwise functions, each with the name of its function.
// What their gradients read follows tensorflow/python/ops/math_grad.py and nn_grad.py.
var elementwiseFunctions = slices.Concat([]*graph.Kind{graph.OpExp, graph.OpSqrt, graph.OpRsqrt, graph.OpReciprocal, graph.OpLog, graph.OpLog1p, graph.OpSquare, graph.OpAbs, graph.OpNegative},
	graph.Family(graph.BySize, graph.Curved, graph.Over|graph.ReadsOutputs, "expm1", "asinh", "arcsinh", "acosh", "arccosh", "erfinv", "exp2"),
	graph.Family(graph.BySize, graph.Curved, graph.Over|graph.ReadsInputs, "sin", "cos", "tan", "erf", "lgamma", "sinh", "cosh", "atan", "arctan", "asin", "arcsin", "acos", "arccos", "atanh", "arctanh",
		"local_response_normalization", "lrn", "digamma", "reciprocal_no_nan", "fake_quant_with_min_max_args", "clip", "clip_by_value", "clip_by_norm", "nan_to_num"),
	graph.Family(graph.BySize, graph.Curved, graph.Over, "identity", "cumsum", "copy", "adjust_brightness", "random_brightness", "stateless_random_brightness",
		"random_flip_left_right", "random_flip_up_down", "stateless_random_flip_left_right", "stateless_random_flip_up_down",
		"flip_left_right", "flip_up_down", "reverse", "flip", "roll", "band_part", "tril", "triu", "quantize_and_dequantize"),
	graph.Family(graph.BySize, graph.NoGradient, graph.Over, "sign", "floor", "ceil", "round", "rint", "stop_gradient", "logical_not",
		"is_nan", "is_finite", "is_inf", "isinf", "isnan", "isfinite", "digitize"),
	graph.Family(graph.BySize, graph.NoGradient, graph.Over|graph.Fills, "zeros_like", "ones_like", "full_like"),
	// Nothing is overwritten (tensorflow/core/kernels/fake_quant_ops.cc, quantize_and_dequantize_op.cc).
	graph.Family(graph.BySize, graph.Curved, graph.ReadsInputs, "fake_quant_with_min_max_vars", "fake_quant_with_min_max_vars_per_channel", "quantize_and_dequantize_v2"))

var BinaryFunctions = map[string]*graph.Kind{
	"add": graph.OpAdd, "subtract": graph.OpSubtract, "multiply": graph.OpMultiply, "multiply_no_nan": graph.OpMultiply, "divide": graph.OpDivide, "truediv": graph.OpDivide, "true_divide": graph.OpDivide, "div": graph.OpDivide, "divide_no_nan": graph.OpDivide, "div_no_nan": graph.OpDivide,
	"maximum": graph.OpMaximum, "minimum": graph.OpMinimum, "pow": graph.OpPow, "power": graph.OpPow, "squared_difference": graph.OpSquaredDifference, "floordiv": graph.OpFloorDiv, "mod": graph.OpFloorMod, "floormod": graph.OpFloorMod,
	"equal": graph.OpEqual, "not_equal": graph.OpNotEqual, "greater": graph.OpGreater, "greater_equal": graph.OpGreaterEqual, "less": graph.OpLess, "less_equal": graph.OpLessEqual,
	"logical_and": graph.OpLogicalAnd, "logical_or": graph.OpLogicalOr, "logical_xor": graph.OpLogicalXor, "bias_add": graph.OpAdd, "atan2": graph.OpDivide, "xlogy": graph.OpXlogy, "linalg.cross": graph.OpCross,
}

var Operators = map[string]*graph.Kind{
	"+": graph.OpAdd, "-": graph.OpSubtract, "*": graph.OpMultiply, "/": graph.OpDivide, "**": graph.OpPow, "//": graph.OpFloorDiv, "%": graph.OpFloorMod, "@": graph.OpMatMul,
	"==": graph.OpEqual, "!=": graph.OpNotEqual, ">": graph.OpGreater, ">=": graph.OpGreaterEqual, "<": graph.OpLess, "<=": graph.OpLessEqual,
	"&": graph.OpLogicalAnd, "|": graph.OpLogicalOr, "^": graph.OpLogicalXor,
}

// MathFunctions are elementwise functions.
var MathFunctions = slices.Concat(unaryRows(), []FunctionRow{
	{unaryFunction(graph.OpAbs), "absolute"},
	{unaryFunction(graph.NewCurved("math.log_sigmoid", graph.Over|graph.ReadsInputs)), "log_sigmoid"},
	{binaryFunction, strings.Join(slices.Collect(maps.Keys(BinaryFunctions)), " ")},
	{activationFunction, "relu relu6 elu selu sigmoid tanh softmax softplus softsign swish silu gelu leaky_relu hard_sigmoid mish log_softmax linear hard_silu hard_swish"},
	{activationFunction, "celu glu hard_tanh hard_shrink soft_shrink tanh_shrink squareplus sparse_plus sparse_sigmoid ops.gelu"},
	{addN, "add_n accumulate_n"},
	{bothSigns, "crelu"},
	{cumulativeProduct, "cumprod"},
	{cumulated, "ops.cumsum ops.cumprod"},
	{castFunction, "cast to_float saturate_cast"},
	{converted, "convert_to_tensor constant"},
	{dropoutFunction, "dropout"},
	{preprocess, "preprocess_input"},
})

func unaryRows() (rows []FunctionRow) {
	for _, kind := range elementwiseFunctions {
		rows = append(rows, FunctionRow{unaryFunction(kind), kind.Name})
	}
	return rows
}

func unaryFunction(kind *graph.Kind) state.Function {
	return func(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
		first := objects.First(args)
		switch first.X.(type) {
		case *dimension, *Vector:
			return first
		}
		return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
			if kind == graph.OpAbs && x.DType.Real() != x.DType {
				return []*graph.Tensor{magnitude(g, x)}, nil
			}
			if name == "identity" {
				return []*graph.Tensor{x}, nil // the graph optimizer removes it, or Python holds x once
			}
			out := graph.Unary(g, kind, x)
			if name == "clip_by_norm" && g.Eagerly {
				out.From.ForwardTemp = x.Bytes() // the product with the norm, which is then divided (tensorflow/python/ops/clip_ops.py)
			}
			switch name {
			case "zeros_like", "ones_like":
				out.DType = numpy.DTypeAt(args, 1, "dtype", x.DType)
			case "full_like":
				out.DType = numpy.DTypeAt(args, 2, "dtype", x.DType)
			}
			return []*graph.Tensor{out}, nil
		})
	}
}

// converted is a tensor as it is, or in another type.
func converted(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	first := objects.First(args)
	switch first.X.(type) {
	case *dimension, *Vector:
		return first
	}
	x, why := Operand(h, first)
	if why != nil {
		return why.Unknown()
	}
	if to, given := objects.Given(args, 1, "dtype"); given && to.X != string(x.DType) {
		return (calls{h, in}).do("cast", Tensor(h, x), to)
	}
	return Tensor(h, x)
}

// magnitude is the absolute value of complex numbers. Its gradient reads both
// (tensorflow/python/ops/math_grad.py, _ComplexAbsGrad).
func magnitude(g *graph.Graph, x *graph.Tensor) *graph.Tensor {
	return g.Tensor(graph.OpComplexAbs, []*graph.Tensor{x}, x.Shape, x.DType.Real())
}

// cumulativeProduct keeps both: the gradient computes the product again, which TensorFlow's graph
// optimizer merges with the existing one (_CumprodGrad).
func cumulativeProduct(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		out, op := g.Add(graph.OpCumprod, []*graph.Tensor{x}, x.Shape, x.DType)
		op.BackwardTemp = x.Bytes() // the gradient times the product, which is summed
		return []*graph.Tensor{out}, nil
	})
}

// cumulated is keras.ops.cumsum or cumprod, which flatten the tensor if no axis is passed
// (keras/src/backend/tensorflow/numpy.py).
func cumulated(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	name = strings.TrimPrefix(name, opsPrefix)
	if _, given := objects.Given(args, 1, "axis"); !given {
		args = &value.Args{Positional: []value.Value{calls{h, in}.do("ravel", objects.First(args))}}
	}
	return state.Loaded().Functions[name](h, in, name, args)
}

// opsGelu is the name for keras.ops.gelu here, which is approximate by default
// (keras/src/ops/nn.py).
const opsGelu = "ops.gelu"

// bothSigns is tf.nn.crelu: relu of a tensor and of its negative
// (tensorflow/python/ops/nn_ops.py, crelu).
func bothSigns(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	axis, ok := args.Get(2, "axis")
	if !ok {
		axis = value.Value{X: int64(-1)}
	}
	c, x := calls{h, in}, objects.First(args)
	return c.do("relu", c.do("concat", value.Value{X: value.Tuple{x, c.do("negative", x)}}, axis))
}

func activationFunction(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	if name == "gelu" || name == opsGelu {
		approximate := name == opsGelu
		if v, ok := objects.Passed(args, 1, "approximate"); ok {
			approximate = v.X == true
		}
		if name = "gelu"; approximate {
			name = graph.ApproximateGelu
		}
	}
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		out, ok := graph.Activation(g, name, x)
		if !ok {
			return nil, value.Because(value.ArrayShape, "the activation %q is not known", name)
		}
		return []*graph.Tensor{out}, nil
	})
}

func binaryFunction(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	a := objects.First(args)
	b, ok := objects.Passed(args, 1, "y", "x2", "b", "bias")
	if !ok {
		return h.Unknown(value.MissingArgument, "%s is called with one argument", name)
	}
	if op := map[string]string{"minimum": "min", "maximum": "max"}[name]; op != "" {
		if d, ok := b.X.(*dimension); ok {
			return d.Binary(in, op, a, true)
		}
		if d, ok := a.X.(*dimension); ok {
			return d.Binary(in, op, b, false)
		}
	}
	for op, kind := range Operators {
		if _, isNumber := a.X.(*SymbolicValue); !isNumber && kind == BinaryFunctions[name] {
			switch a.X.(type) {
			case *dimension, *Vector:
				return interp.Binary(in, op, a, b)
			}
		}
	}
	return Binary(h, BinaryFunctions[name], a, b)
}

// binaryOperator is a op b, or b op a if reflected.
func binaryOperator(h *state.Host, _ *value.Interp, op string, a, b value.Value, reflected bool) value.Value {
	kind := Operators[op]
	if kind == nil {
		return h.Unknown(value.UnmodelledOperation, "the operator %s on a tensor of a model is not followed", op)
	}
	if reflected {
		a, b = b, a
	}
	if kind == graph.OpMatMul {
		return multiplyMatrices(h, "matmul", a, b, &value.Args{})
	}
	return Binary(h, kind, a, b)
}

// IsNumber reports whether a value is a number, which has no gradient.
func IsNumber(v value.Value) bool {
	switch x := v.X.(type) {
	case int64, float64, bool, *dimension:
		return true
	case *numpy.Array:
		return len(x.Shape) == 0
	}
	return false
}

// Binary is an elementwise operation on two values, at least one of them a tensor.
func Binary(h *state.Host, kind *graph.Kind, a, b value.Value) value.Value {
	if IsNumber(a) || IsNumber(b) {
		x, left := b, true
		if IsNumber(b) {
			x, left = a, false
		}
		s, why := Operand(h, x)
		if why != nil {
			return why.Unknown()
		}
		return Operate(h, kind.Name, []*graph.Symbolic{s}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
			return []*graph.Tensor{graph.WithNumber(g, kind, in[0], left)}, nil
		})
	}
	return OnAll(h, kind.Name, []value.Value{a, b}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return one(graph.Combine(g, kind, in[0], in[1]))
	})
}

func addN(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	items, ok := objects.Sequence(objects.First(args))
	if !ok {
		return h.Unknown(value.ArrayShape, "the tensors of %s are not known: %s", name, objects.Because(objects.First(args)))
	}
	parts, why := Operands(h, items)
	if why != nil || len(parts) == 0 {
		return h.Unknown(value.ArrayShape, "the tensors of %s are not known: %s", name, why)
	}
	return Operate(h, name, parts, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return []*graph.Tensor{g.Tensor(graph.OpAddN, in, in[0].Shape, in[0].DType)}, nil
	})
}

func castFunction(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	first := objects.First(args)
	switch first.X.(type) {
	case *dimension, *Vector, int64, float64, bool:
		return first
	}
	to, ok := objects.Passed(args, 1, "dtype")
	d, known := to.X.(string)
	if !ok || !known {
		return h.Unknown(value.ArrayShape, "the type of a cast is not known: %s", objects.Because(to))
	}
	return OnOne(h, "Cast", args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		out := graph.Cast(g, x, tensor.DType(d))
		if !tensor.DType(d).Floating() {
			out.Grad = false
		}
		return []*graph.Tensor{out}, nil
	})
}

func dropoutFunction(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	rate, _ := objects.Passed(args, 1, "rate")
	return OnOne(h, "dropout", args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		if rate.X == 0.0 || rate.X == int64(0) {
			return []*graph.Tensor{x}, nil
		}
		return one(layers.Dropout(0.5, layers.WholeMask)(nil, g, x))
	})
}

// preprocess is the preprocessing of images for a Keras application: it scales them, or subtracts
// ImageNet's mean from each channel (keras/src/applications/imagenet_utils.py,
// _preprocess_symbolic_input).
func preprocess(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		if !x.DType.Floating() {
			x = graph.Cast(g, x, "float32")
		}
		return []*graph.Tensor{g.Tensor(graph.OpPreprocessInput, []*graph.Tensor{x}, x.Shape, x.DType)}, nil
	})
}
