package keras

// activation adds an activation function to g. What each gradient reads is
// tensorflow/python/ops/nn_grad.py's and math_grad.py's.
func activation(g *Graph, name string, x *Tensor) (*Tensor, bool) {
	switch name {
	case "", "linear":
		return x, true
	case "relu", "relu6", "elu", "selu", "sigmoid", "tanh", "softmax", "exponential", "log_softmax", "hard_sigmoid", "hard_tanh":
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.InPlace, op.GradInPlace = true, true
		op.keepsOutputs()
		if name == "softmax" {
			op.BackwardTemp = out.Bytes()
		}
		return out, true
	case "leaky_relu", "softplus", "softsign", "hard_silu", "hard_swish":
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.GradInPlace = true
		op.keepsInputs()
		return out, true
	case "swish", "silu":
		// tf.nn.silu is a custom gradient that keeps its input alone and makes the
		// sigmoid again (tensorflow/python/ops/nn_impl.py, swish).
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.keepsInputs()
		op.BackwardTemp = 2 * x.Bytes()
		return out, true
	case "gelu":
		// Not approximate (tensorflow/python/ops/nn_ops.py, gelu): 0.5·x, -x/√2 and
		// its erfc are read by the gradients of the products; x itself is not.
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.Extra = []int64{x.Bytes(), x.Bytes(), x.Bytes()}
		op.BackwardTemp = x.Bytes()
		return out, true
	case "mish":
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.keepsInputs()
		op.Extra = []int64{x.Bytes(), x.Bytes()}
		return out, true
	}
	return nil, false
}
