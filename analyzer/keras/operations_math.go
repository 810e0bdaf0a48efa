package keras

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// reads is what a function's gradient reads (tensorflow/python/ops/math_grad.py and
// nn_grad.py), besides the gradient of its output.
type reads uint8

const (
	readsNothing reads = iota
	readsInput
	readsOutput
	readsApart // the input; nothing is written over another (tensorflow/core/kernels/fake_quant_ops.cc, quantize_and_dequantize_op.cc)
	readsSign  // of the input, which waits for no gradient (_AbsGrad)
	hasNoGradient
)

var elementwiseFunctions = map[string]reads{
	"exp": readsOutput, "sqrt": readsOutput, "rsqrt": readsOutput, "reciprocal": readsOutput, "expm1": readsOutput,
	"log": readsInput, "log1p": readsInput, "square": readsInput, "abs": readsSign, "absolute": readsSign, "sin": readsInput, "cos": readsInput,
	"tan": readsInput, "erf": readsInput, "lgamma": readsInput, "log_sigmoid": readsInput, "sinh": readsInput, "cosh": readsInput, "atan": readsInput,
	"arctan": readsInput, "asin": readsInput, "arcsin": readsInput, "acos": readsInput, "arccos": readsInput, "atanh": readsInput, "arctanh": readsInput,
	"asinh": readsOutput, "arcsinh": readsOutput, "acosh": readsOutput, "arccosh": readsOutput,
	"negative": readsNothing, "identity": readsNothing, "cumsum": readsNothing, "copy": readsNothing,
	"convert_to_tensor": readsNothing, "adjust_brightness": readsNothing, "random_brightness": readsNothing, "stateless_random_brightness": readsNothing,
	"random_flip_left_right": readsNothing, "random_flip_up_down": readsNothing, "stateless_random_flip_left_right": readsNothing, "stateless_random_flip_up_down": readsNothing,
	"flip_left_right": readsNothing, "flip_up_down": readsNothing, "reverse": readsNothing, "flip": readsNothing, "roll": readsNothing,
	"band_part": readsNothing, "tril": readsNothing, "triu": readsNothing, "local_response_normalization": readsInput, "lrn": readsInput,
	"sign": hasNoGradient, "floor": hasNoGradient, "ceil": hasNoGradient, "round": hasNoGradient, "rint": hasNoGradient, "stop_gradient": hasNoGradient,
	"zeros_like": hasNoGradient, "ones_like": hasNoGradient, "full_like": hasNoGradient, "logical_not": hasNoGradient, "is_nan": hasNoGradient, "is_finite": hasNoGradient, "is_inf": hasNoGradient, "isinf": hasNoGradient, "isnan": hasNoGradient, "isfinite": hasNoGradient,
	"digamma": readsInput, "reciprocal_no_nan": readsInput, "erfinv": readsOutput, "exp2": readsOutput, "digitize": hasNoGradient,
	"fake_quant_with_min_max_args": readsInput, "fake_quant_with_min_max_vars": readsApart, "fake_quant_with_min_max_vars_per_channel": readsApart,
	"quantize_and_dequantize": readsNothing, "quantize_and_dequantize_v2": readsApart,
	"clip": readsInput, "clip_by_value": readsInput, "clip_by_norm": readsInput, "nan_to_num": readsInput,
}

var binaryFunctions = map[string]string{
	"add": "Add", "subtract": "Subtract", "multiply": "Multiply", "divide": "Divide", "truediv": "Divide", "true_divide": "Divide", "div": "Divide", "divide_no_nan": "Divide", "div_no_nan": "Divide",
	"maximum": "Maximum", "minimum": "Minimum", "pow": "Pow", "power": "Pow", "squared_difference": "SquaredDifference", "floordiv": "FloorDiv", "mod": "FloorMod", "floormod": "FloorMod",
	"equal": "Equal", "not_equal": "NotEqual", "greater": "Greater", "greater_equal": "GreaterEqual", "less": "Less", "less_equal": "LessEqual",
	"logical_and": "LogicalAnd", "logical_or": "LogicalOr", "logical_xor": "LogicalXor", "bias_add": "Add", "atan2": "Divide", "xlogy": "Xlogy",
}

var operators = map[string]string{
	"+": "Add", "-": "Subtract", "*": "Multiply", "/": "Divide", "**": "Pow", "//": "FloorDiv", "%": "FloorMod", "@": "MatMul",
	"==": "Equal", "!=": "NotEqual", ">": "Greater", ">=": "GreaterEqual", "<": "Less", "<=": "LessEqual",
	"&": "LogicalAnd", "|": "LogicalOr", "^": "LogicalXor",
}

func init() {
	for name, kind := range elementwiseFunctions {
		define(unaryFunction(kind), name)
	}
	for name := range binaryFunctions {
		define(binaryFunction, name)
	}
	for _, name := range []string{"relu", "relu6", "elu", "selu", "sigmoid", "tanh", "softmax", "softplus", "softsign", "swish", "silu", "gelu", "leaky_relu", "hard_sigmoid", "mish", "log_softmax", "linear", "hard_silu", "hard_swish",
		"celu", "glu", "hard_tanh", "hard_shrink", "soft_shrink", "tanh_shrink", "squareplus", "sparse_plus", "sparse_sigmoid"} {
		define(activationFunction, name)
	}
	define(activationFunction, opsGelu)
	define(addN, "add_n", "accumulate_n")
	define(bothSigns, "crelu")
	define(cumulativeProduct, "cumprod")
	define(castFunction, "cast", "to_float", "saturate_cast")
	define(dropoutFunction, "dropout")
	define(preprocess, "preprocess_input")
}

func unaryFunction(kind reads) function {
	return func(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
		first := objects.First(args)
		switch first.X.(type) {
		case *dimension, *vector:
			return first
		}
		return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			if name == "abs" && realOf(x.DType) != x.DType {
				return []*Tensor{magnitude(g, x)}, nil
			}
			if name == "identity" {
				return []*Tensor{x}, nil // which the graph optimizer takes out, or Python holds once
			}
			out := unary(g, name, x, kind)
			if name == "clip_by_norm" && g.eager {
				out.From.ForwardTemp = x.Bytes() // it times the norm, which is divided then (tensorflow/python/ops/clip_ops.py)
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

// unary is a function of each element by itself.
func unary(g *Graph, name string, x *Tensor, kind reads) *Tensor {
	out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
	op.InPlace, op.GradInPlace = kind != readsApart, kind != readsApart
	switch kind {
	case readsInput, readsApart:
		op.keepsInputs()
	case readsOutput:
		op.keepsOutputs()
	case readsSign:
		op.ahead([]*Tensor{x}, x.Bytes())
	case hasNoGradient:
		out.Grad = false
	}
	return out
}

// magnitude is the absolute value of complex numbers, whose gradient reads both
// (tensorflow/python/ops/math_grad.py, _ComplexAbsGrad).
func magnitude(g *Graph, x *Tensor) *Tensor {
	out, op := g.add("ComplexAbs", []*Tensor{x}, x.Shape, realOf(x.DType))
	op.keepsInputs()
	op.keepsOutputs()
	return out
}

// cumulativeProduct keeps both: the gradient makes the product again, which
// TensorFlow's graph optimizer takes for the one there is (_CumprodGrad).
func cumulativeProduct(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.keepsInputs()
		op.keepsOutputs()
		op.BackwardTemp = x.Bytes() // the gradient times the product, of which the sums are made
		return []*Tensor{out}, nil
	})
}

// opsGelu is what keras.ops.gelu is called here, which is approximate unless it is told
// otherwise (keras/src/ops/nn.py).
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
			return nil, fmt.Errorf("the activation %q is not known", name)
		}
		return []*Tensor{out}, nil
	})
}

func binaryFunction(h *host, in *value.Interp, name string, args *value.Args) value.Value {
	a := objects.First(args)
	b, ok := objects.Passed(args, 1, "y", "x2", "b", "bias")
	if !ok {
		return h.unknown("%s is called with one argument", name)
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

// binaryOperator is a op b, or b op a where it is reflected.
func (h *host) binaryOperator(_ *value.Interp, op string, a, b value.Value, reflected bool) value.Value {
	name := operators[op]
	if name == "" {
		return h.unknown("the operator %s on a tensor of a model is not followed", op)
	}
	if reflected {
		a, b = b, a
	}
	if name == "MatMul" {
		return h.matmul(a, b, false, false, false, "")
	}
	return h.binary(name, a, b)
}

// number tells whether a value is a number, which no gradient flows to.
func number(v value.Value) bool {
	switch x := v.X.(type) {
	case int64, float64, bool, *dimension:
		return true
	case *array:
		return len(x.Shape) == 0
	}
	return false
}

// binary is an elementwise operation on two values, one of which is a tensor.
func (h *host) binary(name string, a, b value.Value) value.Value {
	kind := binaryKind(name)
	if number(a) || number(b) {
		x, left := b, true
		if number(b) {
			x, left = a, false
		}
		s, why := h.operand(x)
		if why != "" {
			return h.unknown("%s", why)
		}
		return h.operate(name, []*Symbolic{s}, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			return []*Tensor{withNumber(g, name, in[0], left, kind)}, nil
		})
	}
	pair, why := h.operands([]value.Value{a, b})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate(name, pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return one(combine(g, name, in[0], in[1], kind))
	})
}

// binaryKind tells comparisons, whose results are bools, from arithmetic.
func binaryKind(name string) reads {
	switch name {
	case "Equal", "NotEqual", "Greater", "GreaterEqual", "Less", "LessEqual", "LogicalAnd", "LogicalOr", "LogicalXor", "FloorDiv", "FloorMod":
		return hasNoGradient
	case "Add", "Subtract":
		return readsNothing
	}
	return readsInput
}

func boolean(name string) bool {
	return binaryKind(name) == hasNoGradient && !strings.HasPrefix(name, "Floor")
}

// withNumber is an operation on a tensor and a number: a product keeps only the
// number, a power, a maximum and a quotient by the tensor what they are of.
func withNumber(g *Graph, name string, x *Tensor, left bool, kind reads) *Tensor {
	d := x.DType
	if boolean(name) {
		d = "bool"
	} else if name == "Divide" && !d.Floating() {
		d = "float32"
	}
	out, op := g.add(name, []*Tensor{x}, x.Shape, d)
	op.InPlace, op.GradInPlace = d == x.DType, true
	switch {
	case kind == hasNoGradient:
		out.Grad = false
	case name == "Pow" && !left:
		// x ** (n-1), of the gradient n · x ** (n-1), waits for no gradient
		// (tensorflow/python/ops/math_grad.py, _PowGrad; those of other functions hold
		// such products back by control_dependencies).
		op.ahead([]*Tensor{x}, x.Bytes())
	case name == "Maximum", name == "Minimum":
		op.decides()
	case name == "Divide" && left:
		op.ahead([]*Tensor{x}, x.Bytes(), x.Bytes())
	case name == "Pow", name == "SquaredDifference":
		op.keepsInputs()
	case name == "Multiply", name == "Divide":
		op.ScalarScale = true
	}
	return out
}

// combine is an operation on two tensors. The gradient of a product for one
// factor reads the other, and is summed where that was broadcast.
func combine(g *Graph, name string, a, b *Tensor, kind reads) (*Tensor, error) {
	shape, err := tensor.Broadcast(a.Shape, b.Shape)
	if err != nil {
		return nil, err
	}
	d := a.DType
	if b.DType.Floating() && (!d.Floating() || len(a.Shape) == 0) {
		d = b.DType
	}
	switch {
	case boolean(name):
		d = "bool"
	case name == "Divide" && !d.Floating() && d.Size() > 2: // tensorflow/python/ops/math_ops.py, _truediv_python3
		d = "float64"
	case name == "Divide" && !d.Floating():
		d = "float32"
	}
	out, op := g.add(name, []*Tensor{a, b}, shape, d)
	op.InPlace = true
	switch {
	case kind == hasNoGradient:
		out.Grad = false
	case name == "Add":
		op.GradSame = true
	case name == "Multiply":
		op.Product = true
		if a.Grad {
			op.Keep = append(op.Keep, b)
		}
		if b.Grad {
			op.Keep = append(op.Keep, a)
		}
	case name == "Divide":
		op.divides()
	case name == "Maximum", name == "Minimum":
		op.decides()
	case kind == readsInput:
		op.keepsInputs()
		if name == "Pow" {
			op.keepsOutputs()
		}
		op.GradInPlace = name == "SquaredDifference" // the differences times what comes back, twice
	default:
		op.GradInPlace = true
	}
	return out, nil
}

func addN(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	items, ok := objects.Sequence(objects.First(args))
	if !ok {
		return h.unknown("the tensors of %s are not known: %s", name, objects.Because(objects.First(args)))
	}
	parts, why := h.operands(items)
	if why != "" || len(parts) == 0 {
		return h.unknown("the tensors of %s are not known: %s", name, why)
	}
	return h.operate(name, parts, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, op := g.add("AddN", in, in[0].Shape, in[0].DType)
		op.InPlace, op.GradSame = true, true
		return []*Tensor{out}, nil
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
		return h.unknown("the type of a cast is not known: %s", objects.Because(to))
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

// preprocess is what an application of Keras does to images before they reach it:
// it scales them, or takes the mean of ImageNet from each channel
// (keras/src/applications/imagenet_utils.py, _preprocess_symbolic_input).
func preprocess(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if !x.DType.Floating() {
			x = cast(g, x, "float32")
		}
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.InPlace, op.GradInPlace = true, true
		return []*Tensor{out}, nil
	})
}
