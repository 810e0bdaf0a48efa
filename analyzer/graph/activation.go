package graph

import "github.com/tfmem/tfmem/analyzer/tensor"

// A keeping is what the gradient of an elementwise function keeps besides what its kind reads:
// intermediate tensors of the input's size, and masks of a byte per element. What each gradient
// reads follows tensorflow/python/ops/nn_grad.py and math_grad.py. How functions are composed
// follows keras/src/activations and keras/src/backend/tensorflow/nn.py.
type keeping struct {
	Kind         *Kind
	extra, masks int64
	temp         int64 // tensors that live while the gradient runs
	// spare and spareMasks count the tensors and masks that live beside the input in inference,
	// where the last of its kernels overwrites the input.
	spare, spareMasks int64
	// over is set if the last kernel that reads the input writes one of the extra tensors over it.
	over bool
	// taped counts the further tensors that a tape holds in eager execution. later counts those
	// that live while the gradient does.
	taped, later int64
	// ahead is set if a function of the input is computed before a gradient comes, and kept in
	// place of the input.
	ahead bool
}

// Activations are the functions that keras.activations exports, and the further forms that
// activation layers have.
var Activations = map[string]keeping{
	"relu": {Kind: OpRelu}, "relu6": {Kind: OpRelu6}, "elu": {Kind: OpElu}, "selu": {Kind: OpSelu}, "sigmoid": {Kind: OpSigmoid}, "tanh": {Kind: OpTanh},
	"exponential": {Kind: OpExp}, "exp": {Kind: OpExp}, "log_softmax": {Kind: OpLogSoftmax},
	"softmax": {Kind: OpSoftmax, temp: 1},
	"glu":     {Kind: OpMultiply}, "leaky_relu": {Kind: OpLeakyRelu}, "softsign": {Kind: OpSoftsign},
	// The sigmoid of the input waits for no gradient (_SoftplusGrad).
	"softplus": {Kind: OpSoftplus, ahead: true},
	// tf.nn.silu is a custom gradient. It keeps only its input and computes the sigmoid again
	// (tensorflow/python/ops/nn_impl.py, swish).
	"silu": {Kind: OpSilu, temp: 2, spare: 1, taped: 1, later: 2}, "swish": {Kind: OpSilu, temp: 2, spare: 1, taped: 1, later: 2},
	// relu6(x + 3) / 6: the relu's output is kept, not the quotient. The second is x times that,
	// a product that keeps both factors.
	"hard_sigmoid": {Kind: NewCurved("hard_sigmoid", gradInPlace|Overwrites), extra: 1, later: 2},
	"hard_silu":    {Kind: OpHardSilu, extra: 2, temp: 1, spare: 1}, "hard_swish": {Kind: OpHardSilu, extra: 2, temp: 1, spare: 1},
	// Not approximate (tensorflow/python/ops/nn_ops.py, gelu): the gradients of the products read
	// 0.5·x, -x/√2 and its erfc, and overwrite them. They do not read x: one of the first two
	// products, whichever runs last, overwrites it.
	"gelu": {Kind: OpGelu, extra: 3, over: true, spare: 1, taped: 1, later: 1},
	// 0.5·x, the tanh and 1 + tanh, and x² of the gradient of x³.
	ApproximateGelu: {Kind: NewCurved(ApproximateGelu, gradInPlace|Overwrites), extra: 3, over: true, spare: 2, taped: 3, ahead: true},
	// Both factors. The sigmoid of softplus's gradient is computed ahead.
	"mish":        {Kind: NewCurved("mish", gradInPlace|ReadsInputs|Overwrites), extra: 1, spare: 1, ahead: true},
	"log_sigmoid": {Kind: NewCurved("log_sigmoid", gradInPlace|Overwrites), extra: 1}, "celu": {Kind: NewCurved("celu", gradInPlace|ReadsInputs|Overwrites), extra: 1, spare: 1},
	"tanh_shrink": {Kind: NewCurved("tanh_shrink", gradInPlace|Overwrites), extra: 1, spare: 1}, "hard_tanh": {Kind: NewCurved("hard_tanh", gradInPlace|ReadsInputs|Overwrites), extra: 1}, "squareplus": {Kind: NewCurved("squareplus", gradInPlace|ReadsInputs|Overwrites), extra: 1, spare: 1},
	"hard_shrink": {Kind: NewCurved("hard_shrink", gradInPlace|Overwrites), masks: 1, spare: 1, spareMasks: 1}, "soft_shrink": {Kind: NewCurved("soft_shrink", gradInPlace|Overwrites), masks: 2, spare: 1, spareMasks: 2}, "sparse_sigmoid": {Kind: NewCurved("sparse_sigmoid", gradInPlace|Overwrites), masks: 2, spareMasks: 2}, "sparse_plus": {Kind: NewCurved("sparse_plus", gradInPlace|Overwrites), extra: 1, masks: 2, spare: 1, spareMasks: 2},
	"sparsemax": {Kind: NewCurved("sparsemax", gradInPlace|Overwrites), extra: 2, spare: 2, masks: 1},

	"relu, capped": {Kind: NewCurved("relu, capped", gradInPlace|Overwrites), extra: 2}, "relu, from a threshold": {Kind: NewCurved("relu, from a threshold", gradInPlace|Overwrites), masks: 1, spare: 1, spareMasks: 1}, "relu, leaky and capped": {Kind: NewCurved("relu, leaky and capped", gradInPlace|ReadsInputs|Overwrites), extra: 2, spare: 1},
	"elu, scaled": {Kind: NewCurved("elu, scaled", gradInPlace|Overwrites), extra: 1, masks: 1, spare: 1, spareMasks: 1}, "relu, thresholded": {Kind: NewCurved("relu, thresholded", gradInPlace|Overwrites), extra: 1, spare: 1},
}

// ApproximateGelu is gelu with a tanh.
const ApproximateGelu = "gelu, approximate"

// Activation adds an activation function to g.
//
// The same function of the same tensor is computed once: TensorFlow's graph optimizer merges
// common subexpressions (tensorflow/core/grappler/optimizers, dedup of the arithmetic optimizer).
func Activation(g *Graph, name string, x *Tensor) (*Tensor, bool) {
	kind := Activations[name].Kind
	for out := x.Activated; out != nil && !g.Eagerly; out = out.Before {
		if out.From.Kind == kind {
			return out, true
		}
	}
	out, ok := newActivation(g, name, x)
	if ok && out != x {
		out.Before, x.Activated = x.Activated, out
	}
	return out, ok
}

// WithScores is activation as Keras calls it: in eager execution, the outputs of a sigmoid and a
// softmax hold the input as an attribute (keras/src/activations/activations.py, _keras_logits).
func WithScores(g *Graph, name string, x *Tensor) (*Tensor, bool) {
	out, ok := Activation(g, name, x)
	if g.Eagerly && ok && (name == "sigmoid" || name == "softmax") {
		out.From.KeepsInputs()
		out.Logits = x
	}
	return out, ok
}

// newActivation is activation for a function that the graph does not have yet.
func newActivation(g *Graph, name string, x *Tensor) (*Tensor, bool) {
	switch name {
	case "", "linear":
		return x, true
	case "glu":
		return gated(g, x)
	}
	k, ok := Activations[name]
	if !ok {
		return nil, false
	}
	out, op := g.Add(k.Kind, []*Tensor{x}, x.Shape, x.DType)
	if k.ahead {
		op.Ahead(op.In, x.Bytes())
	}
	op.ExtraOver = k.over
	for range k.extra {
		op.Extra = append(op.Extra, x.Bytes())
	}
	if n, ok := x.Shape.Elements(); ok {
		for range k.masks {
			op.Extra = append(op.Extra, tensor.Round256(n))
		}
		op.InferenceTemp = k.spare*x.Bytes() + k.spareMasks*tensor.Round256(n)
	}
	op.BackwardTemp = k.temp * x.Bytes()
	for range k.taped {
		g.Taped(op, x.Bytes())
	}
	if g.Eagerly {
		op.BackwardTemp += k.later * x.Bytes()
	}
	return out, true
}

// gated adds glu: one half of the last dimension times the sigmoid of the other
// (keras/src/backend/tensorflow/nn.py, glu).
func gated(g *Graph, x *Tensor) (*Tensor, bool) {
	n := x.Shape.Last()
	if len(x.Shape) == 0 || n%2 != 0 && n != tensor.None {
		return nil, false
	}
	half := x.Shape
	if n >= 0 {
		half = x.Shape.With(-1, n/2)
	}
	halves := Split(g, OpSplit, x, half, half)
	gate, _ := Activation(g, "sigmoid", halves[1])
	out, err := Combine(g, OpMultiply, halves[0], gate)
	return out, err == nil
}
