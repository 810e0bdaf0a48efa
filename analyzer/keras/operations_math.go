package keras

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// What a function's gradient reads (tensorflow/python/ops/math_grad.py and
// nn_grad.py), besides the gradient of its output.
type reads uint8

const (
	readsNothing reads = iota
	readsInput
	readsOutput
	hasNoGradient
)

var elementwiseFunctions = map[string]reads{
	"exp": readsOutput, "sqrt": readsOutput, "rsqrt": readsOutput, "reciprocal": readsOutput, "expm1": readsOutput,
	"log": readsInput, "log1p": readsInput, "square": readsInput, "abs": readsInput, "absolute": readsInput, "sin": readsInput, "cos": readsInput,
	"tan": readsInput, "erf": readsInput, "lgamma": readsInput, "log_sigmoid": readsInput, "sinh": readsInput, "cosh": readsInput, "atan": readsInput,
	"negative": readsNothing, "identity": readsNothing, "cumsum": readsNothing, "copy": readsNothing,
	"convert_to_tensor": readsNothing, "adjust_brightness": readsNothing, "random_flip_left_right": readsNothing, "random_flip_up_down": readsNothing,
	"flip_left_right": readsNothing, "flip_up_down": readsNothing, "reverse": readsNothing, "flip": readsNothing, "roll": readsNothing,
	"band_part": readsNothing, "tril": readsNothing, "triu": readsNothing, "local_response_normalization": readsInput, "lrn": readsInput,
	"sign": hasNoGradient, "floor": hasNoGradient, "ceil": hasNoGradient, "round": hasNoGradient, "rint": hasNoGradient, "stop_gradient": hasNoGradient,
	"zeros_like": hasNoGradient, "ones_like": hasNoGradient, "logical_not": hasNoGradient, "is_nan": hasNoGradient, "is_finite": hasNoGradient, "is_inf": hasNoGradient, "isinf": hasNoGradient, "isnan": hasNoGradient, "isfinite": hasNoGradient,
	"clip": readsInput, "clip_by_value": readsInput, "clip_by_norm": readsInput, "nan_to_num": readsInput,
}

var binaryFunctions = map[string]string{
	"add": "Add", "subtract": "Subtract", "multiply": "Multiply", "divide": "Divide", "truediv": "Divide", "true_divide": "Divide", "div": "Divide", "divide_no_nan": "Divide", "div_no_nan": "Divide",
	"maximum": "Maximum", "minimum": "Minimum", "pow": "Pow", "power": "Pow", "squared_difference": "SquaredDifference", "floordiv": "FloorDiv", "mod": "FloorMod", "floormod": "FloorMod",
	"equal": "Equal", "not_equal": "NotEqual", "greater": "Greater", "greater_equal": "GreaterEqual", "less": "Less", "less_equal": "LessEqual",
	"logical_and": "LogicalAnd", "logical_or": "LogicalOr", "logical_xor": "LogicalXor", "bias_add": "Add", "atan2": "Divide",
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
	for _, name := range []string{"relu", "relu6", "elu", "selu", "sigmoid", "tanh", "softmax", "softplus", "softsign", "swish", "silu", "gelu", "leaky_relu", "hard_sigmoid", "mish", "log_softmax", "linear", "hard_silu", "hard_swish"} {
		define(activationFunction, name)
	}
	for _, name := range []string{"mean", "sum", "max", "min", "prod", "std", "var", "variance", "any", "all", "logsumexp", "euclidean_norm"} {
		define(reduction, name, "reduce_"+name)
	}
	define(reduction, "reduce_std", "amax", "amin", "norm", "count_nonzero")
	define(moments, "moments")
	define(cumulativeProduct, "cumprod")
	define(normalized, "batch_normalization")
	define(addN, "add_n", "accumulate_n")
	define(matmul, "matmul", "dot")
	define(tensordot, "tensordot")
	define(einsum, "einsum")
	define(castFunction, "cast", "to_float", "saturate_cast")
	define(l2normalize, "l2_normalize", "normalize")
	define(dropoutFunction, "dropout")
	define(preprocess, "preprocess_input")
	define(scalar, "size", "rank", "ndim")
}

func unaryFunction(kind reads) function {
	return func(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
		first := firstOf(args)
		switch first.X.(type) {
		case *dimension, *vector:
			return first
		}
		return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			if name == "abs" && realOf(x.DType) != x.DType {
				return []*Tensor{magnitude(g, x)}, nil
			}
			out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
			op.InPlace, op.GradInPlace = true, true
			switch kind {
			case readsInput:
				op.keepsInputs()
			case readsOutput:
				op.keepsOutputs()
			case hasNoGradient:
				out.Grad = false
			}
			return []*Tensor{out}, nil
		})
	}
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

func activationFunction(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	if name == "gelu" || name == opsGelu {
		approximate := name == opsGelu
		if v, ok := passed(args, 1, "approximate"); ok {
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
	a := firstOf(args)
	b, ok := passed(args, 1, "y", "x2", "b", "bias")
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
		return h.matmul(a, b, false, false, false)
	}
	return h.binary(name, a, b)
}

// number tells whether a value is a number, which no gradient flows to.
func number(v value.Value) bool {
	switch x := v.X.(type) {
	case int64, float64, bool, *dimension:
		return true
	case *array:
		return len(x.shape) == 0
	}
	return false
}

// binary is an elementwise operation on two values of which one is a tensor.
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
	} else if name == "Divide" && !floating(d) {
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
	case name == "Pow", name == "Maximum", name == "Minimum", name == "SquaredDifference", name == "Divide" && left:
		op.keepsInputs()
	case name == "Multiply", name == "Divide":
		op.ByNumber = true
	}
	return out
}

// combine is an operation on two tensors. The gradient of a product for one
// factor reads the other, and is summed where that was broadcast.
func combine(g *Graph, name string, a, b *Tensor, kind reads) (*Tensor, error) {
	shape, err := broadcast(a.Shape, b.Shape)
	if err != nil {
		return nil, err
	}
	d := a.DType
	if floating(b.DType) && (!floating(d) || len(a.Shape) == 0) {
		d = b.DType
	}
	if boolean(name) {
		d = "bool"
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
		if b.Grad {
			op.Keep = append(op.Keep, a)
		}
		op.Keep = append(op.Keep, b)
	case kind == readsInput:
		op.keepsInputs()
		if name == "Pow" {
			op.keepsOutputs()
		}
	default:
		op.GradInPlace = true
	}
	return out, nil
}

func addN(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	items, ok := sequence(firstOf(args))
	if !ok {
		return h.unknown("the tensors of %s are not known: %s", name, because(firstOf(args)))
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

func reduction(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	name = strings.TrimPrefix(name, "reduce_")
	first := firstOf(args)
	if v, ok := first.X.(*vector); ok && name == "prod" {
		out := value.Value{X: int64(1)}
		for _, item := range v.items {
			m, isNumber := out.X.(int64)
			n, ok := item.X.(int64)
			d, isDimension := out.X.(*dimension)
			if !isDimension {
				if d, isDimension = item.X.(*dimension); isDimension {
					item = out
				}
			}
			switch {
			case isNumber && ok:
				out = value.Value{X: product(Shape{m, n})}
			case isDimension:
				out = d.Binary(nil, "*", item, false)
			default:
				return h.unknown("the product of a shape is not known, a dimension of which is not")
			}
		}
		return out
	}
	axis, given := passed(args, 1, "axis", "reduction_indices", "axes")
	if name == "norm" {
		axis, given = passed(args, 2, "axis")
	}
	keep, _ := passed(args, 2, "keepdims", "keep_dims")
	keepdims, _ := keep.X.(bool)
	var axes []int64
	if _, none := axis.X.(value.None); given && !none {
		var ok bool
		if axes, ok = dims(axis); !ok {
			return h.unknown("the axis of %s is not known: %s", name, because(axis))
		}
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := reduced(x.Shape, axes, keepdims)
		if err != nil {
			return nil, err
		}
		d := x.DType
		if d == "bool" && name != "any" && name != "all" {
			d = "int32"
		}
		out, op := g.add(name, []*Tensor{x}, shape, d)
		switch name {
		case "max", "min", "amax", "amin":
			op.selects()
		case "prod", "norm", "euclidean_norm":
			op.keepsInputs()
			op.keepsOutputs()
		case "std", "var", "variance", "logsumexp":
			// The differences from the mean, or the exponentials.
			op.Extra = append(op.Extra, x.Bytes())
		case "any", "all", "count_nonzero":
			out.Grad = false
		}
		return []*Tensor{out}, nil
	})
}

// reduced is a shape without some dimensions: without all where none is named.
func reduced(shape Shape, axes []int64, keepdims bool) (Shape, error) {
	out := Shape{}
	gone := map[int]bool{}
	for _, a := range axes {
		at, err := axisOf(int(a), shape)
		if err != nil {
			return nil, err
		}
		gone[at] = true
	}
	for i, n := range shape {
		switch {
		case axes != nil && !gone[i]:
			out = append(out, n)
		case keepdims:
			out = append(out, 1)
		}
	}
	return out, nil
}

// moments are tf.nn.moments: the variance's gradient reads the input and the mean.
func moments(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	axis, _ := passed(args, 1, "axes", "axis")
	axes, ok := dims(axis)
	if !ok {
		return h.unknown("the axes of moments are not known: %s", because(axis))
	}
	keep, _ := passed(args, 3, "keepdims")
	keepdims, _ := keep.X.(bool)
	return h.onOne("moments", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := reduced(x.Shape, axes, keepdims)
		if err != nil {
			return nil, err
		}
		mean, _ := g.add("Mean", []*Tensor{x}, shape, x.DType)
		variance, op := g.add("Variance", []*Tensor{x}, shape, x.DType)
		op.keepsInputs()
		op.ForwardTemp, op.BackwardTemp = x.Bytes(), x.Bytes()
		return []*Tensor{mean, variance}, nil
	})
}

// normalized is tf.nn.batch_normalization: (x - mean) · scale / √variance + offset,
// whose gradient reads the input.
func normalized(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	in := []value.Value{firstOf(args)}
	for i, name := range []string{"mean", "variance", "offset", "scale"} {
		v, ok := passed(args, i+1, name)
		if _, none := v.X.(value.None); ok && !none && !number(v) {
			in = append(in, v)
		}
	}
	tensors, why := h.operands(in)
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("BatchNorm", tensors, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, op := g.add("BatchNorm", in, in[0].Shape, in[0].DType)
		op.keepsInputs()
		return []*Tensor{out}, nil
	})
}

func matmul(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	b, ok := passed(args, 1, "b", "y", "x2")
	if !ok {
		return h.unknown("%s is called with one argument", name)
	}
	ta, _ := passed(args, 2, "transpose_a")
	tb, _ := passed(args, 3, "transpose_b")
	transposeA, _ := ta.X.(bool)
	transposeB, _ := tb.X.(bool)
	return h.matmul(firstOf(args), b, transposeA, transposeB, name == opsMatmul)
}

// opsMatmul is what keras.ops.matmul is called here. A matrix that it takes tensors of
// more dimensions times is multiplied by all their rows at once, as by tf.tensordot
// (keras/src/backend/tensorflow/numpy.py, matmul).
const opsMatmul = "ops.matmul"

func (h *host) matmul(a, b value.Value, transposeA, transposeB, byRows bool) value.Value {
	pair, why := h.operands([]value.Value{a, b})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("MatMul", pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		x, y := in[0].Shape, in[1].Shape
		if len(x) < 2 || len(y) < 2 {
			if len(x) >= 1 && len(y) >= 1 && len(x)+len(y) >= 3 { // a vector among them, as NumPy's
				shape := slices.Clone(x[:len(x)-1])
				if len(y) == 2 {
					shape = append(shape, y[1])
				}
				return contract(g, "MatMul", in, shape)
			}
			return nil, fmt.Errorf("TensorFlow will raise: a product of the shapes %s and %s", x, y)
		}
		rows, inner := x[len(x)-2], x[len(x)-1]
		if transposeA {
			rows, inner = inner, rows
		}
		other, columns := y[len(y)-2], y[len(y)-1]
		if transposeB {
			other, columns = columns, other
		}
		if inner >= 0 && other >= 0 && inner != other {
			return nil, fmt.Errorf("TensorFlow will raise: a product of the shapes %s and %s", x, y)
		}
		batch, err := broadcast(x[:len(x)-2], y[:len(y)-2])
		if err != nil {
			return nil, err
		}
		out, err := contract(g, "MatMul", in, append(slices.Clone(batch), rows, columns))
		if byRows && len(y) == 2 {
			return out, err
		}
		for i, t := range in {
			out[0].From.spreads(i, t, append(slices.Clone(batch), t.Shape[len(t.Shape)-2:]...))
		}
		return out, err
	})
}

// contract is a product whose gradient for one factor reads the other.
func contract(g *Graph, name string, in []*Tensor, shape Shape) ([]*Tensor, error) {
	d := in[0].DType
	out, op := g.add(name, in, shape, d)
	op.Contraction = len(in) == 2
	for i, t := range in {
		for j, other := range in {
			if i != j && other.Grad && !slices.Contains(op.Keep, t) {
				op.Keep = append(op.Keep, t)
			}
		}
	}
	return []*Tensor{out}, nil
}

func tensordot(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	b, _ := passed(args, 1, "b", "x2")
	axes, ok := passed(args, 2, "axes")
	pair, why := h.operands([]value.Value{firstOf(args), b})
	if why != "" {
		return h.unknown("%s", why)
	}
	var left, right []int64
	n, single := axes.Int()
	if items, isList := sequence(axes); !ok {
		n, single = 2, true
	} else if isList && len(items) == 2 {
		var okLeft, okRight bool
		left, okLeft = dims(items[0])
		right, okRight = dims(items[1])
		ok = okLeft && okRight
	} else if !single {
		ok = false
	}
	if !ok && !single {
		return h.unknown("the axes of %s are not known: %s", name, because(axes))
	}
	return h.operate(name, pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		l, r := left, right
		if single {
			if n < 0 || int(n) > len(in[0].Shape) || int(n) > len(in[1].Shape) {
				return nil, fmt.Errorf("TensorFlow will raise: %d is no number of axes of %s", n, in[0].Shape)
			}
			l, r = nil, nil
			for i := range n {
				l, r = append(l, int64(len(in[0].Shape))-n+i), append(r, i)
			}
		}
		a, err := reduced(in[0].Shape, nonNil(l), false)
		if err != nil {
			return nil, err
		}
		b, err := reduced(in[1].Shape, nonNil(r), false)
		if err != nil {
			return nil, err
		}
		return contract(g, "MatMul", in, append(a, b...))
	})
}

func nonNil(axes []int64) []int64 {
	if axes == nil {
		return []int64{}
	}
	return axes
}

func einsum(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	equation, ok := firstOf(args).X.(string)
	if !ok || len(args.Positional) < 2 {
		return h.unknown("the equation of einsum is not known: %s", because(firstOf(args)))
	}
	in, why := h.operands(args.Positional[1:])
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("Einsum", in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shapes := make([]Shape, len(in))
		for i, t := range in {
			shapes[i] = t.Shape
		}
		shape, err := einsumShape(equation, shapes)
		if err != nil {
			return nil, err
		}
		made, err := contract(g, "Einsum", in, shape)
		if err == nil {
			op := made[0].From
			op.ForwardTemp, op.BackwardTemp = einsumCopies(equation, in, made[0])
		}
		return made, err
	})
}

// einsumShape is the shape of what an equation such as "bij,bjk->bik" computes.
func einsumShape(equation string, in []Shape) (Shape, error) {
	equation = strings.ReplaceAll(equation, " ", "")
	left, right, explicit := strings.Cut(equation, "->")
	terms := strings.Split(left, ",")
	wrong := fmt.Errorf("TensorFlow will raise: the equation %q for %v", equation, in)
	if len(terms) != len(in) {
		return nil, wrong
	}
	sizes := map[byte]int64{}
	var rest Shape // what ... stands for
	count := map[byte]int{}
	for i, term := range terms {
		shape := in[i]
		at := 0
		for j := 0; j < len(term); j++ {
			if strings.HasPrefix(term[j:], "...") {
				n := len(shape) - (len(term) - 3)
				if n < 0 || at+n > len(shape) {
					return nil, wrong
				}
				both, err := broadcast(rest, shape[at:at+n])
				if err != nil {
					return nil, err
				}
				rest = both
				at += n
				j += 2
				continue
			}
			if at >= len(shape) {
				return nil, wrong
			}
			c := term[j]
			count[c]++
			if old, ok := sizes[c]; !ok || old < 0 || old == 1 {
				sizes[c] = shape[at]
			} else if shape[at] >= 0 && shape[at] != 1 && shape[at] != old {
				return nil, wrong
			}
			at++
		}
		if at != len(shape) {
			return nil, wrong
		}
	}
	if !explicit {
		for c := byte('A'); c <= 'z'; c++ {
			if count[c] == 1 {
				right += string(c)
			}
		}
	}
	out := Shape{}
	for j := 0; j < len(right); j++ {
		if strings.HasPrefix(right[j:], "...") {
			out = append(out, rest...)
			j += 2
			continue
		}
		n, ok := sizes[right[j]]
		if !ok {
			return nil, wrong
		}
		out = append(out, n)
	}
	return out, nil
}

func castFunction(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	first := firstOf(args)
	switch first.X.(type) {
	case *dimension, *vector, int64, float64, bool:
		return first
	}
	to, ok := passed(args, 1, "dtype")
	d, known := to.X.(string)
	if !ok || !known {
		return h.unknown("the type of a cast is not known: %s", because(to))
	}
	return h.onOne("Cast", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out := cast(g, x, DType(d))
		if !floating(DType(d)) {
			out.Grad = false
		}
		return []*Tensor{out}, nil
	})
}

func l2normalize(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	return h.onOne("l2_normalize", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, op := g.add("l2_normalize", []*Tensor{x}, x.Shape, x.DType)
		op.keepsInputs()
		op.BackwardTemp = x.Bytes()
		return []*Tensor{out}, nil
	})
}

func dropoutFunction(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	rate, _ := passed(args, 1, "rate")
	return h.onOne("dropout", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if rate.X == 0.0 || rate.X == int64(0) {
			return []*Tensor{x}, nil
		}
		return one(dropout(0.5, wholeMask)(nil, g, x))
	})
}

// scalar is tf.size and tf.rank.
func scalar(h *host, in *value.Interp, name string, args *value.Args) value.Value {
	s, why := h.operand(firstOf(args))
	if why != "" {
		return h.unknown("%s", why)
	}
	if name != "size" {
		return value.Value{X: int64(len(s.Shape))}
	}
	n := value.Value{X: int64(1)}
	for _, d := range shapeOf(s) {
		n = in.Binary("*", n, d)
	}
	return n
}

// scalarFunctions are those that give a number for a number, without a tensor.
var scalarFunctions = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "exp": math.Exp, "log": math.Log, "square": func(x float64) float64 { return x * x },
	"rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) }, "abs": math.Abs, "ceil": math.Ceil, "floor": math.Floor,
}

// comparisons are the functions that compare two numbers.
var comparisons = map[string]func(a, b float64) bool{
	"equal": func(a, b float64) bool { return a == b }, "not_equal": func(a, b float64) bool { return a != b },
	"less": func(a, b float64) bool { return a < b }, "less_equal": func(a, b float64) bool { return a <= b },
	"greater": func(a, b float64) bool { return a > b }, "greater_equal": func(a, b float64) bool { return a >= b },
}

// onNumber is a function of TensorFlow or Keras on numbers of Python's.
func onNumber(name string, args *value.Args) (value.Value, bool) {
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
	if short == "cast" || short == "constant" || short == "convert_to_tensor" {
		return x, true
	}
	if f := scalarFunctions[short]; f != nil {
		return value.Value{X: f(n), Soft: x.Soft}, true
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

// preprocess is what an application of Keras does to images before they reach it:
// it scales them, or takes the mean of ImageNet from each channel
// (keras/src/applications/imagenet_utils.py, _preprocess_symbolic_input).
func preprocess(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if !floating(x.DType) {
			x = cast(g, x, "float32")
		}
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.InPlace, op.GradInPlace = true, true
		return []*Tensor{out}, nil
	})
}
