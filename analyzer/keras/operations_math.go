package keras

import (
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// elementwiseFunctions are the kinds of elementwise functions, each with the name of its function.
// What their gradients read follows tensorflow/python/ops/math_grad.py and nn_grad.py.
var elementwiseFunctions = slices.Concat([]*Kind{OpExp, OpSqrt, OpRsqrt, OpReciprocal, OpLog, OpLog1p, OpSquare, OpAbs, OpNegative},
	family(BySize, Curved, over|readsOutputs, "expm1", "asinh", "arcsinh", "acosh", "arccosh", "erfinv", "exp2"),
	family(BySize, Curved, over|readsInputs, "sin", "cos", "tan", "erf", "lgamma", "sinh", "cosh", "atan", "arctan", "asin", "arcsin", "acos", "arccos", "atanh", "arctanh",
		"local_response_normalization", "lrn", "digamma", "reciprocal_no_nan", "fake_quant_with_min_max_args", "clip", "clip_by_value", "clip_by_norm", "nan_to_num"),
	family(BySize, Curved, over, "identity", "cumsum", "copy", "convert_to_tensor", "adjust_brightness", "random_brightness", "stateless_random_brightness",
		"random_flip_left_right", "random_flip_up_down", "stateless_random_flip_left_right", "stateless_random_flip_up_down",
		"flip_left_right", "flip_up_down", "reverse", "flip", "roll", "band_part", "tril", "triu", "quantize_and_dequantize"),
	family(BySize, NoGradient, over, "sign", "floor", "ceil", "round", "rint", "stop_gradient", "zeros_like", "ones_like", "full_like", "logical_not",
		"is_nan", "is_finite", "is_inf", "isinf", "isnan", "isfinite", "digitize"),
	// Nothing is overwritten (tensorflow/core/kernels/fake_quant_ops.cc, quantize_and_dequantize_op.cc).
	family(BySize, Curved, readsInputs, "fake_quant_with_min_max_vars", "fake_quant_with_min_max_vars_per_channel", "quantize_and_dequantize_v2"))

var binaryFunctions = map[string]*Kind{
	"add": OpAdd, "subtract": OpSubtract, "multiply": OpMultiply, "divide": OpDivide, "truediv": OpDivide, "true_divide": OpDivide, "div": OpDivide, "divide_no_nan": OpDivide, "div_no_nan": OpDivide,
	"maximum": OpMaximum, "minimum": OpMinimum, "pow": OpPow, "power": OpPow, "squared_difference": OpSquaredDifference, "floordiv": OpFloorDiv, "mod": OpFloorMod, "floormod": OpFloorMod,
	"equal": OpEqual, "not_equal": OpNotEqual, "greater": OpGreater, "greater_equal": OpGreaterEqual, "less": OpLess, "less_equal": OpLessEqual,
	"logical_and": OpLogicalAnd, "logical_or": OpLogicalOr, "logical_xor": OpLogicalXor, "bias_add": OpAdd, "atan2": OpDivide, "xlogy": OpXlogy, "linalg.cross": OpCross,
}

var operators = map[string]*Kind{
	"+": OpAdd, "-": OpSubtract, "*": OpMultiply, "/": OpDivide, "**": OpPow, "//": OpFloorDiv, "%": OpFloorMod, "@": OpMatMul,
	"==": OpEqual, "!=": OpNotEqual, ">": OpGreater, ">=": OpGreaterEqual, "<": OpLess, "<=": OpLessEqual,
	"&": OpLogicalAnd, "|": OpLogicalOr, "^": OpLogicalXor,
}

// mathFunctions are elementwise functions.
var mathFunctions = slices.Concat(unaryRows(), []functionRow{
	{unaryFunction(OpAbs), "absolute"},
	{unaryFunction(curved("math.log_sigmoid", over|readsInputs)), "log_sigmoid"},
	{binaryFunction, strings.Join(slices.Collect(maps.Keys(binaryFunctions)), " ")},
	{activationFunction, "relu relu6 elu selu sigmoid tanh softmax softplus softsign swish silu gelu leaky_relu hard_sigmoid mish log_softmax linear hard_silu hard_swish"},
	{activationFunction, "celu glu hard_tanh hard_shrink soft_shrink tanh_shrink squareplus sparse_plus sparse_sigmoid ops.gelu"},
	{addN, "add_n accumulate_n"},
	{bothSigns, "crelu"},
	{cumulativeProduct, "cumprod"},
	{castFunction, "cast to_float saturate_cast"},
	{dropoutFunction, "dropout"},
	{preprocess, "preprocess_input"},
})

func unaryRows() (rows []functionRow) {
	for _, kind := range elementwiseFunctions {
		rows = append(rows, functionRow{unaryFunction(kind), kind.Name})
	}
	return rows
}

func unaryFunction(kind *Kind) function {
	return func(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
		first := objects.First(args)
		switch first.X.(type) {
		case *dimension, *vector:
			return first
		}
		return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			if kind == OpAbs && realOf(x.DType) != x.DType {
				return []*Tensor{magnitude(g, x)}, nil
			}
			if name == "identity" {
				return []*Tensor{x}, nil // the graph optimizer removes it, or Python holds x once
			}
			out := unary(g, kind, x)
			if name == "clip_by_norm" && g.eager {
				out.From.ForwardTemp = x.Bytes() // the product with the norm, which is then divided (tensorflow/python/ops/clip_ops.py)
			}
			switch name {
			case "zeros_like", "ones_like":
				out.DType = arrays.DTypeAt(args, 1, "dtype", x.DType)
			case "full_like":
				out.DType = arrays.DTypeAt(args, 2, "dtype", x.DType)
			}
			return []*Tensor{out}, nil
		})
	}
}

// unary adds an elementwise function.
func unary(g *Graph, kind *Kind, x *Tensor) *Tensor {
	out, op := g.add(kind, []*Tensor{x}, x.Shape, x.DType)
	if kind == OpAbs { // its sign, which waits for no gradient (_AbsGrad)
		op.ahead(op.In, x.Bytes())
	}
	return out
}

// magnitude is the absolute value of complex numbers. Its gradient reads both
// (tensorflow/python/ops/math_grad.py, _ComplexAbsGrad).
func magnitude(g *Graph, x *Tensor) *Tensor {
	return g.tensor(OpComplexAbs, []*Tensor{x}, x.Shape, realOf(x.DType))
}

// cumulativeProduct keeps both: the gradient computes the product again, which TensorFlow's graph
// optimizer merges with the existing one (_CumprodGrad).
func cumulativeProduct(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, op := g.add(OpCumprod, []*Tensor{x}, x.Shape, x.DType)
		op.BackwardTemp = x.Bytes() // the gradient times the product, which is summed
		return []*Tensor{out}, nil
	})
}

// opsGelu is the name for keras.ops.gelu here, which is approximate by default
// (keras/src/ops/nn.py).
const opsGelu = "ops.gelu"

// bothSigns is tf.nn.crelu: relu of a tensor and of its negative
// (tensorflow/python/ops/nn_ops.py, crelu).
func bothSigns(h *host, in *value.Interp, _ string, args *value.Args) value.Value {
	axis, ok := args.Get(2, "axis")
	if !ok {
		axis = value.Value{X: int64(-1)}
	}
	c, x := calls{h, in}, objects.First(args)
	return c.do("relu", c.do("concat", value.Value{X: value.Tuple{x, c.do("negative", x)}}, axis))
}

func activationFunction(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	if name == "gelu" || name == opsGelu {
		approximate := name == opsGelu
		if v, ok := objects.Passed(args, 1, "approximate"); ok {
			approximate = v.X == true
		}
		if name = "gelu"; approximate {
			name = approximateGelu
		}
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, ok := activation(g, name, x)
		if !ok {
			return nil, value.Because(value.ArrayShape, "the activation %q is not known", name)
		}
		return []*Tensor{out}, nil
	})
}

func binaryFunction(h *host, in *value.Interp, name string, args *value.Args) value.Value {
	a := objects.First(args)
	b, ok := objects.Passed(args, 1, "y", "x2", "b", "bias")
	if !ok {
		return h.unknown(value.MissingArgument, "%s is called with one argument", name)
	}
	if op := map[string]string{"minimum": "min", "maximum": "max"}[name]; op != "" {
		if d, ok := b.X.(*dimension); ok {
			return d.Binary(in, op, a, true)
		}
		if d, ok := a.X.(*dimension); ok {
			return d.Binary(in, op, b, false)
		}
	}
	for op, kind := range operators {
		if _, isNumber := a.X.(*symbolicValue); !isNumber && kind == binaryFunctions[name] {
			switch a.X.(type) {
			case *dimension, *vector:
				return in.Binary(op, a, b)
			}
		}
	}
	return h.binary(binaryFunctions[name], a, b)
}

// binaryOperator is a op b, or b op a if reflected.
func (h *host) binaryOperator(_ *value.Interp, op string, a, b value.Value, reflected bool) value.Value {
	kind := operators[op]
	if kind == nil {
		return h.unknown(value.UnmodelledOperation, "the operator %s on a tensor of a model is not followed", op)
	}
	if reflected {
		a, b = b, a
	}
	if kind == OpMatMul {
		return h.matmul(a, b, false, false, false, "")
	}
	return h.binary(kind, a, b)
}

// number reports whether a value is a number, which has no gradient.
func number(v value.Value) bool {
	switch x := v.X.(type) {
	case int64, float64, bool, *dimension:
		return true
	case *array:
		return len(x.Shape) == 0
	}
	return false
}

// binary is an elementwise operation on two values, at least one of them a tensor.
func (h *host) binary(kind *Kind, a, b value.Value) value.Value {
	if number(a) || number(b) {
		x, left := b, true
		if number(b) {
			x, left = a, false
		}
		s, why := h.operand(x)
		if why != nil {
			return why.Unknown()
		}
		return h.operate(kind.Name, []*Symbolic{s}, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			return []*Tensor{withNumber(g, kind, in[0], left)}, nil
		})
	}
	pair, why := h.operands([]value.Value{a, b})
	if why != nil {
		return why.Unknown()
	}
	return h.operate(kind.Name, pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return one(combine(g, kind, in[0], in[1]))
	})
}

// withNumber adds an operation on a tensor and a number. A product keeps only the number. A
// power, a maximum and a quotient by the tensor keep their operands.
func withNumber(g *Graph, kind *Kind, x *Tensor, left bool) *Tensor {
	d := x.DType
	if kind.Is(boolean) {
		d = "bool"
	} else if kind == OpDivide && !d.Floating() {
		d = "float32"
	}
	out, op := g.add(kind, []*Tensor{x}, x.Shape, d)
	op.InPlace, op.GradInPlace = d == x.DType, true
	switch {
	case kind == OpPow && !left:
		// x ** (n-1), of the gradient n · x ** (n-1), waits for no gradient
		// (tensorflow/python/ops/math_grad.py, _PowGrad; other gradient functions delay such
		// products with control_dependencies).
		op.ahead([]*Tensor{x}, x.Bytes())
	case kind == OpMaximum, kind == OpMinimum:
		op.decides()
	case kind == OpDivide && left:
		op.ahead([]*Tensor{x}, x.Bytes(), x.Bytes())
	case kind == OpPow, kind == OpSquaredDifference:
		op.keepsInputs()
	case kind == OpMultiply, kind == OpDivide:
		op.ScalarScale = true
	}
	return out
}

// combine adds an operation on two tensors. The gradient of one factor of a product reads the
// other factor, and is summed if the factor was broadcast.
func combine(g *Graph, kind *Kind, a, b *Tensor) (*Tensor, error) {
	shape, err := tensor.Broadcast(a.Shape, b.Shape)
	if err != nil {
		return nil, err
	}
	d := a.DType
	if b.DType.Floating() && (!d.Floating() || len(a.Shape) == 0 || b.DType == "float64") {
		d = b.DType // an operand that is not a tensor takes the type of the other
	}
	switch {
	case kind.Is(boolean):
		d = "bool"
	case kind == OpDivide && !d.Floating() && d.Size() > 2: // tensorflow/python/ops/math_ops.py, _truediv_python3
		d = "float64"
	case kind == OpDivide && !d.Floating():
		d = "float32"
	}
	if kind == OpSubtract {
		return g.shared(kind, a, b, shape, func() *Tensor {
			out, op := g.add(kind, []*Tensor{a, b}, shape, d)
			op.InPlace, op.GradInPlace = true, true
			return out
		}), nil
	}
	out, op := g.add(kind, []*Tensor{a, b}, shape, d)
	op.InPlace = true
	switch {
	case kind.Second == NoGradient:
	case kind == OpAdd:
		op.GradSame = true
	case kind == OpMultiply:
		op.Product = true
		if a.Grad {
			op.Keep = append(op.Keep, b)
		}
		if b.Grad {
			op.Keep = append(op.Keep, a)
		}
	case kind == OpDivide:
		op.divides()
	case kind == OpMaximum, kind == OpMinimum:
		op.decides()
	default:
		op.keepsInputs()
		if kind == OpPow {
			op.keepsOutputs()
		}
		op.GradInPlace = kind == OpSquaredDifference // the differences times the incoming gradient, twice
		op.InPlace = kind != OpCross                 // tensorflow/core/kernels/cross_op.cc
	}
	return out, nil
}

func addN(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	items, ok := objects.Sequence(objects.First(args))
	if !ok {
		return h.unknown(value.ArrayShape, "the tensors of %s are not known: %s", name, objects.Because(objects.First(args)))
	}
	parts, why := h.operands(items)
	if why != nil || len(parts) == 0 {
		return h.unknown(value.ArrayShape, "the tensors of %s are not known: %s", name, why)
	}
	return h.operate(name, parts, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return []*Tensor{g.tensor(OpAddN, in, in[0].Shape, in[0].DType)}, nil
	})
}

func castFunction(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	first := objects.First(args)
	switch first.X.(type) {
	case *dimension, *vector, int64, float64, bool:
		return first
	}
	to, ok := objects.Passed(args, 1, "dtype")
	d, known := to.X.(string)
	if !ok || !known {
		return h.unknown(value.ArrayShape, "the type of a cast is not known: %s", objects.Because(to))
	}
	return h.onOne("Cast", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out := cast(g, x, DType(d))
		if !DType(d).Floating() {
			out.Grad = false
		}
		return []*Tensor{out}, nil
	})
}

func dropoutFunction(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	rate, _ := objects.Passed(args, 1, "rate")
	return h.onOne("dropout", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if rate.X == 0.0 || rate.X == int64(0) {
			return []*Tensor{x}, nil
		}
		return one(dropout(0.5, wholeMask)(nil, g, x))
	})
}

// preprocess is the preprocessing of images for a Keras application: it scales them, or subtracts
// ImageNet's mean from each channel (keras/src/applications/imagenet_utils.py,
// _preprocess_symbolic_input).
func preprocess(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if !x.DType.Floating() {
			x = cast(g, x, "float32")
		}
		return []*Tensor{g.tensor(OpPreprocessInput, []*Tensor{x}, x.Shape, x.DType)}, nil
	})
}
