package keras

import "strings"

// activation adds an activation function to g. What each gradient reads is
// tensorflow/python/ops/nn_grad.py's and math_grad.py's.
//
// The same function of the same tensor is computed once: TensorFlow's graph
// optimizer merges common subexpressions (tensorflow/core/grappler/optimizers,
// dedup of the arithmetic optimizer).
func activation(g *Graph, name string, x *Tensor) (*Tensor, bool) {
	key := applied{name, x}
	if out := g.applied[key]; out != nil {
		return out, true
	}
	out, ok := newActivation(g, name, x)
	if ok {
		if g.applied == nil {
			g.applied = map[applied]*Tensor{}
		}
		g.applied[key] = out
	}
	return out, ok
}

// applied is an activation function of a tensor.
type applied struct {
	name string
	x    *Tensor
}

// newActivation is activation, for one that the graph does not have yet.
func newActivation(g *Graph, name string, x *Tensor) (*Tensor, bool) {
	switch name {
	case "", "linear":
		return x, true
	case "relu", "relu6", "elu", "selu", "sigmoid", "tanh", "softmax", "exponential", "log_softmax", "hard_tanh":
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.InPlace, op.GradInPlace = true, true
		op.keepsOutputs()
		if name == "softmax" {
			op.BackwardTemp = out.Bytes()
		}
		return out, true
	case "hard_sigmoid":
		// relu6(x + 3) / 6: the relu's output is kept, not the quotient.
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.GradInPlace = true
		op.Extra = []int64{x.Bytes()}
		return out, true
	case "hard_silu", "hard_swish":
		// x times that: the product keeps both factors.
		out, op := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		op.keepsInputs()
		op.Extra = []int64{x.Bytes(), x.Bytes()}
		op.BackwardTemp = x.Bytes()
		return out, true
	case "leaky_relu", "softplus", "softsign":
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

// activationOf is the activation that a function of TensorFlow or Keras is, or
// empty.
func activationOf(name string) string {
	for _, prefix := range []string{"tensorflow.nn.", "tensorflow.keras.activations.", "tensorflow.keras.ops.", "tensorflow.", "tensorflow.math."} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			switch rest {
			case "relu", "relu6", "elu", "selu", "sigmoid", "tanh", "softmax", "softplus", "softsign", "swish", "silu", "gelu", "leaky_relu",
				"linear", "exponential", "hard_sigmoid", "mish", "log_softmax":
				return rest
			}
		}
	}
	return ""
}
