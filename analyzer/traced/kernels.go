package traced

// A kernel is what is known of the memory of TensorFlow's kernel of an operation.
type kernel struct {
	// over are the inputs whose memory the first output may take if nothing else needs it
	// (forward_input_or_allocate_output); every stands for all of them.
	over []int
	// out is the output that may, if it is not the first.
	out int
	// view is set if the output is the first input's memory in another shape.
	view bool
	// shares tells whether a node's outputs are parts of its first input, or all of it, in place.
	shares func(n *node) bool
	// temp is what lives while the kernel runs.
	temp func(n *node) int64
}

var (
	first = []int{0}
	both  = []int{0, 1}
	every = []int{-1}
)

// kernels are those that do more than allocate what they return.
var kernels = map[string]kernel{}

func list(k kernel, types ...string) {
	for _, t := range types {
		kernels[t] = k
	}
}

func init() {
	// tensorflow/core/kernels/cwise_ops_common.h, UnaryOp and BinaryOp.
	list(kernel{over: first}, "Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "BesselI0e", "BesselI1e", "Ceil", "Conj", "Cos", "Cosh", "Digamma", "Erf", "Erfc",
		"Erfinv", "Exp", "Expm1", "Floor", "Inv", "Invert", "Lgamma", "Log", "Log1p", "LogicalNot", "Ndtri", "Neg", "Reciprocal", "Rint", "Round", "Rsqrt", "Sigmoid", "Sign", "Sin",
		"Sinh", "Sqrt", "Square", "Tan", "Tanh", "_UnaryOpsComposition")
	list(kernel{over: both}, "Add", "AddV2", "Atan2", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Div", "DivNoNan", "FloorDiv", "FloorMod", "LeftShift", "LogicalAnd", "LogicalOr",
		"Maximum", "Minimum", "Mod", "Mul", "MulNoNan", "NextAfter", "Pow", "RealDiv", "RightShift", "SquaredDifference", "Sub", "TruncateDiv", "TruncateMod", "Xdivy", "Xlog1py", "Xlogy")
	// SimpleBinaryOp, and tensorflow/core/kernels/relu_op.h, BinaryElementWiseOp.
	list(kernel{over: both}, "InvGrad", "ReciprocalGrad", "RsqrtGrad", "SigmoidGrad", "SqrtGrad", "TanhGrad", "EluGrad", "LeakyReluGrad", "Relu6Grad", "ReluGrad", "SeluGrad", "SoftplusGrad", "SoftsignGrad")
	list(kernel{over: first}, "Elu", "LeakyRelu", "Relu", "Relu6", "Selu", "Softplus", "Softsign", "BiasAdd", "BiasAddV1", "Softmax", "LogSoftmax", "ClipByValue", "ZerosLike", "OnesLike", "FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
	// tensorflow/core/kernels/aggregate_ops.cc, AddNOp.
	list(kernel{over: every}, "AddN", "AccumulateNV2")
	// tensorflow/core/kernels/cwise_op_select.cc.
	list(kernel{over: []int{1, 2}}, "Select", "SelectV2")
	// tensorflow/core/kernels/xent_op.cc and sparse_xent_op.cc: a number of each row besides.
	list(kernel{over: first, out: 1, temp: func(n *node) int64 { return n.Out[0].Bytes() }}, "SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits")

	list(kernel{view: true}, "Bitcast", "CheckNumerics", "EnsureShape", "ExpandDims", "Identity", "PreventGradient", "Reshape", "Snapshot", "Squeeze", "StopGradient", "PlaceholderWithDefault", "_EagerConst")
	list(kernel{shares: sameSize}, "BroadcastTo", "Cast", "Pad", "PadV2", "MirrorPad", "Tile", "Pack", "ConcatV2", "Slice")
	list(kernel{shares: sameOrder}, "Transpose", "ConjugateTranspose")
	list(kernel{shares: rowsOf}, "StridedSlice", "Split", "SplitV", "Unpack")
	list(kernel{temp: einsum}, "Einsum")
	list(kernel{temp: reduction}, "All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum")
}

// sameSize: all of the input is the output (the kernels return their input then).
func sameSize(n *node) bool {
	in := n.tensor(0)
	if in == nil || len(n.Out) != 1 || n.Out[0].DType != in.DType || n.Out[0].Bytes() != in.Bytes() {
		return false
	}
	return n.Type != "Pack" && n.Type != "ConcatV2" || len(n.in) == 1 || n.elements(1) == 0
}

// sameOrder: a transposition that moves only dimensions of 1 (tensorflow/core/kernels/transpose_op.cc).
func sameOrder(n *node) bool {
	in := n.tensor(0)
	if in == nil || !in.Ranked || len(n.in) < 2 {
		return false
	}
	perm := n.value(1)
	if len(perm) != len(in.Shape) {
		return false
	}
	last := int64(-1)
	for _, p := range perm {
		if p < 0 || p >= int64(len(in.Shape)) || in.Shape[p] == 1 {
			continue
		}
		if p < last {
			return false
		}
		last = p
	}
	return true
}

// rowsOf: rows of the input, one after the other, if the allocator's alignment allows it
// (tensorflow/core/kernels/split_op.cc, strided_slice_op.cc, unpack_op.cc).
func rowsOf(n *node) bool {
	at := 0
	if n.Type == "Split" {
		at = 1
	}
	in := n.tensor(at)
	if in == nil || !in.Ranked || len(in.Shape) == 0 {
		return false
	}
	row, ok := in.Shape[1:].Elements()
	if !ok || row*in.width()%alignment != 0 && !(n.Type == "StridedSlice" && sameSize(n)) {
		return false
	}
	for i := range n.Out {
		out := &n.Out[i]
		if !out.Ranked {
			return false
		}
		rest := out.Shape
		switch {
		case len(rest) == len(in.Shape):
			rest = rest[1:]
		case len(rest)+1 != len(in.Shape):
			return false
		case n.Type == "Unpack" && n.Axis != 0:
			return false
		}
		for j, d := range rest {
			if d != in.Shape[1+j] {
				return false
			}
		}
	}
	return true
}

// alignment is that of Eigen's tensors, to which parts of one must be aligned.
const alignment = 64

// reduction: a reduction writes into a tensor of its own, which is then the output. Where it is neither
// over the first, the last, nor the middle of the dimensions, it transposes its input first
// (tensorflow/core/kernels/reduction_ops_common.h).
func reduction(n *node) int64 {
	in := n.tensor(0)
	if in == nil || !in.Ranked || len(n.in) < 2 {
		return 0
	}
	reduced := make([]bool, len(in.Shape))
	for _, axis := range n.value(1) {
		if axis < 0 {
			axis += int64(len(in.Shape))
		}
		if axis >= 0 && axis < int64(len(in.Shape)) {
			reduced[axis] = true
		}
	}
	runs, last := 0, false
	for i, d := range in.Shape {
		if d == 1 {
			continue
		}
		if runs == 0 || reduced[i] != last {
			runs, last = runs+1, reduced[i]
		}
	}
	if runs > 3 {
		return in.Bytes()
	}
	return 0
}
