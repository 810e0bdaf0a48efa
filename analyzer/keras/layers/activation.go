package layers

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// activationOf returns the activation that a function of TensorFlow or Keras is, or "".
func activationOf(name string) string {
	for _, prefix := range []string{"tensorflow.nn.", "tensorflow.keras.activations.", "tensorflow.keras.ops.nn.", "tensorflow.keras.ops.", "tensorflow.", "tensorflow.math."} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			if rest == "gelu" && strings.Contains(prefix, "keras.ops.") {
				return graph.ApproximateGelu // the default (keras/src/ops/nn.py, gelu)
			}
			if _, ok := graph.Activations[rest]; ok || rest == "linear" {
				return rest
			}
		}
	}
	return ""
}

// An act is a layer's activation=: a function of Keras by its name, one of the program, or a layer with
// weights, which Keras tracks as a part of the layer then.
type act struct {
	name    string
	program OwnActivation
	layer   *graph.Layer
}

// layers returns the layer that an activation is, if it is one.
func (a act) layers() []*graph.Layer {
	if a.layer == nil {
		return nil
	}
	return []*graph.Layer{a.layer}
}

// An OwnActivation is an activation function of the program.
type OwnActivation interface {
	Call(g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error)
}

func (a act) apply(g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
	if l := g.Layer; l != nil && l.Remat != nil && l.Remat.Mode == "activations" {
		defer g.Recompute(len(g.Ops))
	}
	if a.program != nil {
		return a.program.Call(g, x)
	}
	if a.layer != nil {
		out, err := a.layer.Apply(g, []*graph.Tensor{x})
		if err != nil {
			return nil, err
		}
		return out[0], nil
	}
	out, ok := graph.WithScores(g, a.name, x)
	if !ok {
		return nil, value.Because(value.UnmodelledLayer, "its activation %q is not known", a.name)
	}
	return out, nil
}

// An activator is a layer that only applies an activation.
type activator interface{ activation() act }

type activationLayer struct {
	Plain
	act act
}

func (a activationLayer) activation() act          { return a.act }
func (a activationLayer) Children() []*graph.Layer { return a.act.layers() }

func activationSpec(name string) graph.Impl { return actSpec(act{name: name}) }

func actSpec(a act) graph.Impl {
	return activationLayer{func(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) { return a.apply(g, x) }, a}
}

// activation returns an activation given by name, by function or by layer.
func (r *ArgParser) activation(position int, keyword string) act {
	v, ok := r.Get(position, keyword)
	if !ok {
		return act{}
	}
	if l := state.LayerOf(v); l != nil {
		if a, ok := l.Impl.(activator); ok {
			return a.activation()
		}
		if _, ok := l.Impl.(*prelu); ok {
			return act{layer: l}
		}
	}
	switch x := v.X.(type) {
	case string:
		if _, known := graph.Activations[x]; !known && !(effects.Library{}).Exports("tensorflow.keras.activations", x) && r.H != nil {
			r.note(noActivation(r.H, x))
		}
		return act{name: x}
	case value.External:
		if name := activationOf(x.Name); name != "" {
			return act{name: name}
		}
		r.Fail(keyword, value.Because(value.WrongType, "%s is not a known activation", x.Name))
		return act{}
	case *value.Func, *value.Bound:
		if r.Own != nil {
			return act{program: r.Own(v)}
		}
	}
	r.Fail(keyword, objects.Unlike(v, "no activation that is known"))
	return act{}
}

// looped is activation for a layer that repeats a cell.
func (r *ArgParser) looped(position int, keyword string) act {
	a := r.activation(position, keyword)
	if a.layer != nil {
		r.Fail(keyword, value.Because(value.UnmodelledLayer, "a %s as the activation of a loop is not modelled", a.layer.Class))
	}
	return a
}

// noActivation returns why there is no activation of a name, or nil if there may be. Only Keras 2
// looks up the names that the program gives (keras/src/activations/__init__.py, get) and those of
// the layers that are activations (tf_keras/src/activations.py, deserialize).
func noActivation(h *state.Host, name string) *value.Cause {
	isLayer := slices.Contains([]string{"ELU", "LeakyReLU", "PReLU", "ReLU", "Softmax", "ThresholdedReLU"}, name)
	switch own := namesOwnObjects(h.Interp.Info(), name); {
	case !own && !isLayer:
		return value.Refused("no activation is called %q", name)
	case h.Keras() == 3:
		return FromKeras3("no activation is called %q", name)
	}
	return nil
}

// namesOwnObjects reports whether a program may give a name to an object for Keras, such as an
// activation. A library that it imports may have registered Addons>mish.
func namesOwnObjects(info *names.Info, name string) bool {
	return strings.Contains(name, ">") || slices.ContainsFunc(info.Program(), func(m *names.Info) bool {
		for _, word := range []string{"get_custom_objects", "custom_object_scope", "CustomObjectScope", "custom_objects", "register_keras_serializable"} {
			if len(m.Identifiers(word)) > 0 {
				return true
			}
		}
		return false
	})
}

var activationLayers = map[string]layerClass{
	"Activation": {NoWeights, func(r *ArgParser) graph.Impl { return actSpec(r.activation(0, "activation")) }},
	"ReLU": {NoWeights, func(r *ArgParser) graph.Impl {
		most, capped := r.Get(0, "max_value")
		slope := r.Float(1, "negative_slope", r.Float(-1, "alpha", 0))
		threshold := r.Float(2, "threshold", 0)
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
	"LeakyReLU": {NoWeights, func(r *ArgParser) graph.Impl {
		if slope := r.Float(0, "negative_slope", 0.3); slope < 0 && !r.keras2() {
			r.note(FromKeras3("negative_slope is %v", slope))
		}
		return activationSpec("leaky_relu")
	}},
	"ELU": {NoWeights, func(r *ArgParser) graph.Impl {
		if r.Float(0, "alpha", 1) != 1 {
			return activationSpec("elu, scaled")
		}
		return activationSpec("elu")
	}},
	"ThresholdedReLU": {NoWeights, func(*ArgParser) graph.Impl { return activationSpec("relu, thresholded") }},
	"PReLU":           {MayHaveWeights, func(r *ArgParser) graph.Impl { return &prelu{r.Numbers(-1, "shared_axes", -1, nil)} }},
	"Softmax": {NoWeights, func(r *ArgParser) graph.Impl {
		if v, ok := r.Get(0, "axis"); ok {
			if list, ok := objects.Whole(v); ok && len(list) > 1 {
				return &softmaxLayer{Plain(softmaxOverSeveral), r.keras2()}
			}
		}
		return &softmaxLayer{activationSpec("softmax"), r.keras2()}
	}},
}

// softmaxLayer is Softmax, which may be called with a mask.
type softmaxLayer struct {
	graph.Impl
	keras2 bool
}

func (s *softmaxLayer) Arguments(r *ArgParser) ([]value.Value, graph.Impl) {
	x, _ := r.Args.Get(0, "inputs")
	mask, ok := r.Get(1, "mask")
	if !ok {
		return []value.Value{x}, s
	}
	return []value.Value{x, mask}, &maskedSoftmax{s}
}

// maskedSoftmax is a Softmax with a mask. Keras 3 selects before and after
// (keras/src/layers/activations/softmax.py, call), Keras 2 adds a large negative number
// (tf_keras/src/layers/activation/softmax.py, call).
type maskedSoftmax struct{ *softmaxLayer }

func (s *maskedSoftmax) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	if len(in) != 2 {
		return nil, value.Refused("it takes a tensor and a mask, and gets %d tensors", len(in))
	}
	x, mask := in[0], in[1]
	shape, err := tensor.Broadcast(x.Shape, mask.Shape)
	if err != nil {
		return nil, err
	}
	if s.keras2 {
		sum := g.Tensor(graph.OpAdd, []*graph.Tensor{x, mask}, shape, x.DType)
		return s.softmaxLayer.Call(l, g, []*graph.Tensor{sum})
	}
	chosen := func(x *graph.Tensor) *graph.Tensor {
		out, op := g.Add(graph.OpSelect, []*graph.Tensor{mask, x}, shape, x.DType)
		op.Keep = append(op.Keep, mask)
		op.NoGradOf = []int{0}
		return out
	}
	out, err := s.softmaxLayer.Call(l, g, []*graph.Tensor{chosen(x)})
	if err != nil {
		return nil, err
	}
	return []*graph.Tensor{chosen(out[0])}, nil
}

// softmaxOverSeveral is exp(x - logsumexp(x)): it keeps both exponentials
// (keras/src/layers/activations/softmax.py).
func softmaxOverSeveral(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
	out, op := g.Add(graph.OpSoftmax, []*graph.Tensor{x}, x.Shape, x.DType)
	op.InPlace, op.GradInPlace = false, false
	op.Extra = []int64{x.Bytes()}
	return out, nil
}

// prelu is PReLU: relu(x) - alpha · relu(-x).
type prelu struct{ shared []int64 }

func (s *prelu) Build(l *graph.Layer, in []tensor.Shape) error {
	if len(in) == 0 || len(in[0]) == 0 {
		return value.Refused("it expects a batch")
	}
	shape := append(tensor.Shape(nil), in[0][1:]...)
	for _, a := range s.shared {
		at := int(a) - 1 // as Python counts: 0 is the last dimension (keras/src/layers/activations/prelu.py, build)
		if at < 0 {
			at += len(shape)
		}
		if at < 0 || at >= len(shape) {
			return value.Refused("%d is not a dimension of %s", a, in[0])
		}
		shape[at] = 1
	}
	for _, d := range shape {
		if err := graph.CheckKnown(d, "a dimension of its input"); err != nil {
			return err
		}
	}
	l.Weight("alpha", true, shape...)
	return nil
}

func (s *prelu) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	out, op := g.Add(graph.OpPReLU, []*graph.Tensor{x}, x.Shape, x.DType)
	op.Extra = []int64{x.Bytes(), x.Bytes()}
	op.ExtraOver = true // relu(-x) is
	op.InferenceTemp = x.Bytes() + l.Weights[0].Bytes()
	op.BackwardTemp = x.Bytes()
	op.Trains(l.Trained(g, l.Weights[0])...)
	return []*graph.Tensor{out}, nil
}
