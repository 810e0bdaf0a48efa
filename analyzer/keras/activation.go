package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A keeping is what the gradient of an elementwise function keeps besides what its kind reads:
// intermediate tensors of the input's size, and masks of a byte per element. What each gradient
// reads follows tensorflow/python/ops/nn_grad.py and math_grad.py. How functions are composed
// follows keras/src/activations and keras/src/backend/tensorflow/nn.py.
type keeping struct {
	kind         *Kind
	extra, masks int64
	temp         int64 // tensors that live while the gradient runs
	// taped counts the further tensors that a tape holds in eager execution. later counts those
	// that live while the gradient does.
	taped, later int64
	// ahead is set if a function of the input is computed before a gradient comes, and kept in
	// place of the input.
	ahead bool
}

// activations are the functions that keras.activations exports, and the further forms that
// activation layers have.
var activations = map[string]keeping{
	"relu": {kind: OpRelu}, "relu6": {kind: OpRelu6}, "elu": {kind: OpElu}, "selu": {kind: OpSelu}, "sigmoid": {kind: OpSigmoid}, "tanh": {kind: OpTanh},
	"exponential": {kind: OpExp}, "exp": {kind: OpExp}, "log_softmax": {kind: OpLogSoftmax},
	"softmax": {kind: OpSoftmax, temp: 1},
	"glu":     {kind: OpGlu}, "leaky_relu": {kind: OpLeakyRelu}, "softsign": {kind: OpSoftsign},
	// The sigmoid of the input waits for no gradient (_SoftplusGrad).
	"softplus": {kind: OpSoftplus, ahead: true},
	// tf.nn.silu is a custom gradient. It keeps only its input and computes the sigmoid again
	// (tensorflow/python/ops/nn_impl.py, swish).
	"silu": {kind: OpSilu, temp: 2, taped: 1, later: 2}, "swish": {kind: OpSilu, temp: 2, taped: 1, later: 2},
	// relu6(x + 3) / 6: the relu's output is kept, not the quotient. The second is x times that,
	// a product that keeps both factors.
	"hard_sigmoid": {kind: curved("hard_sigmoid", gradInPlace), extra: 1, later: 2},
	"hard_silu":    {kind: OpHardSilu, extra: 2, temp: 1}, "hard_swish": {kind: OpHardSilu, extra: 2, temp: 1},
	// Not approximate (tensorflow/python/ops/nn_ops.py, gelu): the gradients of the products read
	// 0.5·x, -x/√2 and its erfc, and overwrite them. They do not read x.
	"gelu": {kind: OpGelu, extra: 3, taped: 1, later: 1},
	// 0.5·x, the tanh and 1 + tanh, and x² of the gradient of x³.
	approximateGelu: {kind: curved(approximateGelu, gradInPlace), extra: 3, taped: 3, ahead: true},
	// Both factors. The sigmoid of softplus's gradient is computed ahead.
	"mish":        {kind: curved("mish", gradInPlace|readsInputs), extra: 1, ahead: true},
	"log_sigmoid": {kind: curved("log_sigmoid", gradInPlace), extra: 1}, "celu": {kind: curved("celu", gradInPlace|readsInputs), extra: 1},
	"tanh_shrink": {kind: curved("tanh_shrink", gradInPlace), extra: 1}, "hard_tanh": {kind: curved("hard_tanh", gradInPlace|readsInputs), extra: 1}, "squareplus": {kind: curved("squareplus", gradInPlace|readsInputs), extra: 1},
	"hard_shrink": {kind: curved("hard_shrink", gradInPlace), masks: 1}, "soft_shrink": {kind: curved("soft_shrink", gradInPlace), masks: 2}, "sparse_sigmoid": {kind: curved("sparse_sigmoid", gradInPlace), masks: 2}, "sparse_plus": {kind: curved("sparse_plus", gradInPlace), extra: 1, masks: 2},
	"sparsemax": {kind: curved("sparsemax", gradInPlace), extra: 2, masks: 1},

	"relu, capped": {kind: curved("relu, capped", gradInPlace), extra: 2}, "relu, from a threshold": {kind: curved("relu, from a threshold", gradInPlace), masks: 1}, "relu, leaky and capped": {kind: curved("relu, leaky and capped", gradInPlace|readsInputs), extra: 2},
	"elu, scaled": {kind: curved("elu, scaled", gradInPlace), extra: 1, masks: 1}, "relu, thresholded": {kind: curved("relu, thresholded", gradInPlace), extra: 1},
}

// approximateGelu is gelu with a tanh.
const approximateGelu = "gelu, approximate"

// activation adds an activation function to g.
//
// The same function of the same tensor is computed once: TensorFlow's graph optimizer merges
// common subexpressions (tensorflow/core/grappler/optimizers, dedup of the arithmetic optimizer).
func activation(g *Graph, name string, x *Tensor) (*Tensor, bool) {
	kind := activations[name].kind
	for out := x.activated; out != nil && !g.eager; out = out.before {
		if out.From.Kind == kind {
			return out, true
		}
	}
	out, ok := newActivation(g, name, x)
	if ok && out != x {
		out.before, x.activated = x.activated, out
	}
	return out, ok
}

// withScores is activation as Keras calls it: in eager execution, the outputs of a sigmoid and a
// softmax hold the input as an attribute (keras/src/activations/activations.py, _keras_logits).
func withScores(g *Graph, name string, x *Tensor) (*Tensor, bool) {
	out, ok := activation(g, name, x)
	if g.eager && ok && (name == "sigmoid" || name == "softmax") {
		out.From.keepsInputs()
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
	k, ok := activations[name]
	if !ok {
		return nil, false
	}
	out, op := g.add(k.kind, []*Tensor{x}, x.Shape, x.DType)
	if k.ahead {
		op.ahead(op.In, x.Bytes())
	}
	for range k.extra {
		op.Extra = append(op.Extra, x.Bytes())
	}
	if n, ok := x.Shape.Elements(); ok {
		for range k.masks {
			op.Extra = append(op.Extra, round256(n))
		}
	}
	op.BackwardTemp = k.temp * x.Bytes()
	for range k.taped {
		g.taped(op, x.Bytes())
	}
	if g.eager {
		op.BackwardTemp += k.later * x.Bytes()
	}
	return out, true
}

// gated adds glu: one half of the last dimension times the sigmoid of the other.
func gated(g *Graph, x *Tensor) (*Tensor, bool) {
	n := x.Shape.Last()
	if len(x.Shape) == 0 || n%2 != 0 && n != None {
		return nil, false
	}
	half := x.Shape
	if n >= 0 {
		half = x.Shape.With(-1, n/2)
	}
	out, op := g.add(OpGlu, []*Tensor{x}, half, x.DType)
	op.Extra = []int64{out.Bytes(), out.Bytes()}
	return out, true
}

// activationOf returns the activation that a function of TensorFlow or Keras is, or "".
func activationOf(name string) string {
	for _, prefix := range []string{"tensorflow.nn.", "tensorflow.keras.activations.", "tensorflow.keras.ops.nn.", "tensorflow.keras.ops.", "tensorflow.", "tensorflow.math."} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			if rest == "gelu" && strings.Contains(prefix, "keras.ops.") {
				return approximateGelu // the default (keras/src/ops/nn.py, gelu)
			}
			if _, ok := activations[rest]; ok || rest == "linear" {
				return rest
			}
		}
	}
	return ""
}

// An act is a layer's activation=: a function of Keras by its name, or one of the program.
type act struct {
	name    string
	program ownActivation
}

// An ownActivation is an activation function of the program.
type ownActivation interface {
	call(g *Graph, x *Tensor) (*Tensor, error)
}

func (a act) apply(g *Graph, x *Tensor) (*Tensor, error) {
	if l := g.layer; l != nil && l.remat != nil && l.remat.mode == "activations" {
		defer g.recompute(len(g.Ops))
	}
	if a.program != nil {
		return a.program.call(g, x)
	}
	out, ok := withScores(g, a.name, x)
	if !ok {
		return nil, value.Because(value.UnmodelledLayer, "its activation %q is not known", a.name)
	}
	return out, nil
}

// An activator is a layer that only applies an activation.
type activator interface{ activation() act }

type activationLayer struct {
	plain
	act act
}

func (a activationLayer) activation() act { return a.act }

func activationSpec(name string) layerImpl { return actSpec(act{name: name}) }

func actSpec(a act) layerImpl {
	return activationLayer{func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) { return a.apply(g, x) }, a}
}

// activation returns an activation given by name, by function or by layer.
func (r *argParser) activation(position int, keyword string) act {
	v, ok := r.get(position, keyword)
	if !ok {
		return act{}
	}
	if l := layerOf(v); l != nil {
		if a, ok := l.impl.(activator); ok {
			return a.activation()
		}
	}
	switch x := v.X.(type) {
	case string:
		return act{name: x}
	case value.External:
		if name := activationOf(x.Name); name != "" {
			return act{name: name}
		}
		r.fail(keyword, value.Because(value.WrongType, "%s is not a known activation", x.Name))
		return act{}
	case *value.Func, *value.Bound:
		if r.own != nil {
			return act{program: r.own(v)}
		}
	}
	r.fail(keyword, objects.Unlike(v, "no activation that is known"))
	return act{}
}

var activationLayers = map[string]layerClass{
	"Activation": {noWeights, func(r *argParser) layerImpl { return actSpec(r.activation(0, "activation")) }},
	"ReLU": {noWeights, func(r *argParser) layerImpl {
		most, capped := r.get(0, "max_value")
		slope := r.float(1, "negative_slope", r.float(-1, "alpha", 0))
		threshold := r.float(2, "threshold", 0)
		six := false
		switch x := most.X.(type) {
		case int64:
			six = x == 6
		case float64:
			six = x == 6
		}
		switch {
		case slope != 0 && capped:
			return activationSpec("relu, leaky and capped")
		case slope != 0:
			return activationSpec("leaky_relu")
		case threshold != 0:
			return activationSpec("relu, from a threshold")
		case six:
			return activationSpec("relu6")
		case capped:
			return activationSpec("relu, capped")
		}
		return activationSpec("relu")
	}},
	"LeakyReLU": {noWeights, func(*argParser) layerImpl { return activationSpec("leaky_relu") }},
	"ELU": {noWeights, func(r *argParser) layerImpl {
		if r.float(0, "alpha", 1) != 1 {
			return activationSpec("elu, scaled")
		}
		return activationSpec("elu")
	}},
	"ThresholdedReLU": {noWeights, func(*argParser) layerImpl { return activationSpec("relu, thresholded") }},
	"PReLU":           {mayHaveWeights, func(r *argParser) layerImpl { return &prelu{r.numbers(-1, "shared_axes", -1, nil)} }},
	"Softmax": {noWeights, func(r *argParser) layerImpl {
		if v, ok := r.get(0, "axis"); ok {
			if list, ok := objects.Whole(v); ok && len(list) > 1 {
				return &softmaxLayer{plain(softmaxOverSeveral), r.keras2()}
			}
		}
		return &softmaxLayer{activationSpec("softmax"), r.keras2()}
	}},
}

// softmaxLayer is Softmax, which may be called with a mask.
type softmaxLayer struct {
	layerImpl
	keras2 bool
}

func (s *softmaxLayer) arguments(r *argParser) ([]value.Value, layerImpl) {
	x, _ := r.args.Get(0, "inputs")
	mask, ok := r.get(1, "mask")
	if !ok {
		return []value.Value{x}, s
	}
	return []value.Value{x, mask}, &maskedSoftmax{s}
}

// maskedSoftmax is a Softmax with a mask. Keras 3 selects before and after
// (keras/src/layers/activations/softmax.py, call), Keras 2 adds a large negative number
// (tf_keras/src/layers/activation/softmax.py, call).
type maskedSoftmax struct{ *softmaxLayer }

func (s *maskedSoftmax) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	if len(in) != 2 {
		return nil, value.Because(value.KerasRaises, "TensorFlow will raise: it takes a tensor and a mask, and gets %d tensors", len(in))
	}
	x, mask := in[0], in[1]
	shape, err := tensor.Broadcast(x.Shape, mask.Shape)
	if err != nil {
		return nil, err
	}
	if s.keras2 {
		sum := g.tensor(OpAdd, []*Tensor{x, mask}, shape, x.DType)
		return s.softmaxLayer.call(l, g, []*Tensor{sum})
	}
	chosen := func(x *Tensor) *Tensor {
		out, op := g.add(OpSelect, []*Tensor{mask, x}, shape, x.DType)
		op.Keep = append(op.Keep, mask)
		op.NoGradOf = []int{0}
		return out
	}
	out, err := s.softmaxLayer.call(l, g, []*Tensor{chosen(x)})
	if err != nil {
		return nil, err
	}
	return []*Tensor{chosen(out[0])}, nil
}

// softmaxOverSeveral is exp(x - logsumexp(x)): it keeps both exponentials
// (keras/src/layers/activations/softmax.py).
func softmaxOverSeveral(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
	out, op := g.add(OpSoftmax, []*Tensor{x}, x.Shape, x.DType)
	op.InPlace, op.GradInPlace = false, false
	op.Extra = []int64{x.Bytes()}
	return out, nil
}

// prelu is PReLU: relu(x) - alpha · relu(-x).
type prelu struct{ shared []int64 }

func (s *prelu) build(l *Layer, in []Shape) error {
	if len(in) == 0 || len(in[0]) == 0 {
		return value.Because(value.KerasRaises, "TensorFlow will raise: it expects a batch")
	}
	shape := append(Shape(nil), in[0][1:]...)
	for _, a := range s.shared {
		if a < 1 || int(a) > len(shape) {
			return value.Because(value.KerasRaises, "TensorFlow will raise: %d is not a dimension of %s", a, in[0])
		}
		shape[a-1] = 1
	}
	for _, d := range shape {
		if err := known(d, "a dimension of its input"); err != nil {
			return err
		}
	}
	l.weight("alpha", true, shape...)
	return nil
}

func (s *prelu) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	out, op := g.add(OpPReLU, []*Tensor{x}, x.Shape, x.DType)
	op.Extra = []int64{x.Bytes(), x.Bytes()}
	op.BackwardTemp = x.Bytes()
	op.trains(l.trained(g, l.Weights[0])...)
	return []*Tensor{out}, nil
}
