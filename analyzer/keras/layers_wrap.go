package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

var wrapperLayers = map[string]layerClass{
	"Bidirectional": {mayHaveWeights, bidirectionalOf},
	"TimeDistributed": {mayHaveWeights, func(r *argParser) layerImpl {
		if inner := r.layer(0, "layer"); inner != nil {
			return &timeDistributed{inner, r.keras2()}
		}
		return nil
	}},
	"SpectralNormalization": {mayHaveWeights, func(r *argParser) layerImpl {
		if inner := r.layer(0, "layer"); inner != nil {
			return &spectral{inner}
		}
		return nil
	}},
	"Pipeline": {mayHaveWeights, func(r *argParser) layerImpl {
		v, _ := r.get(0, "layers")
		items, ok := objects.Sequence(v)
		if !ok {
			r.fail("layers", value.Because(value.WrongType, "it is not a list of layers"))
			return nil
		}
		s := &pipeline{}
		for _, item := range items {
			l := layerOf(item)
			if l == nil {
				r.fail("layers", objects.Because(item))
				return nil
			}
			s.layers = append(s.layers, l)
		}
		if r.tooMany("layers", s.layers) {
			return nil
		}
		return s
	}},
}

// bidirectional runs a layer and one that reads backwards.
type bidirectional struct {
	forward, backward *Layer
	merge             string // empty for merge_mode=None
}

func bidirectionalOf(r *argParser) layerImpl {
	inner := r.layer(0, "layer")
	if inner == nil {
		return nil
	}
	forward, ok := inner.impl.(recurring)
	if !ok {
		r.fail("layer", value.Because(value.WrongType, "it is not a known recurrent layer"))
		return nil
	}
	copyOf := func(name string, l *Layer, s layerImpl) *Layer {
		return &Layer{Class: l.Class, Name: name + l.Name, Node: l.Node, Trainable: l.Trainable, DType: l.DType, Store: l.Store, impl: s, penalties: l.penalties}
	}
	s := &bidirectional{merge: "concat", forward: copyOf("forward_", inner, forward.clone(false)), backward: copyOf("backward_", inner, forward.clone(true))}
	if v, ok := r.args.Get(1, "merge_mode"); ok {
		s.merge = r.text(1, "merge_mode", "")
		if _, none := v.X.(value.None); !none && s.merge != "concat" && s.merge != "sum" && s.merge != "mul" && s.merge != "ave" {
			r.fail("merge_mode", value.Because(value.WrongType, "Keras knows no %s", s.merge))
		}
	}
	if v, ok := r.get(3, "backward_layer"); ok {
		other := layerOf(v)
		if other == nil {
			r.fail("backward_layer", objects.Because(v))
			return nil
		}
		backward, ok := other.impl.(recurring)
		if !ok {
			r.fail("backward_layer", value.Because(value.WrongType, "it is not a known recurrent layer"))
			return nil
		}
		s.backward = copyOf("", other, backward.clone(false))
	}
	return s
}

func (s *bidirectional) children() []*Layer { return []*Layer{s.forward, s.backward} }

func (s *bidirectional) arguments(r *argParser) ([]value.Value, layerImpl) {
	return recurrentArguments(r), s
}

func (s *bidirectional) build(_ *Layer, in []Shape) error {
	for _, inner := range s.children() {
		if inner.built {
			continue
		}
		if err := inner.impl.build(inner, in[:min(len(in), 1)]); err != nil {
			return err
		}
		inner.built = true
	}
	return nil
}

func (s *bidirectional) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	half := (len(in) - 1) / 2
	a, err := s.forward.apply(g, append([]*Tensor{in[0]}, in[1:1+half]...))
	if err != nil {
		return nil, err
	}
	b, err := s.backward.apply(g, append([]*Tensor{in[0]}, in[1+half:]...))
	if err != nil {
		return nil, err
	}
	second := b[0]
	if sequences, _ := s.backward.impl.(recurring).returns(); sequences {
		second = g.tensor(OpReverseSteps, []*Tensor{second}, second.Shape, second.DType)
	}
	pair := []*Tensor{a[0], second}
	var out *Tensor
	switch s.merge {
	case "concat":
		out, err = concatenate(-1)(l, g, pair)
	case "sum":
		out, err = elementwise(OpAdd)(l, g, pair)
	case "mul":
		out, err = elementwise(OpMultiply)(l, g, pair)
	case "ave":
		out, err = elementwise(OpAverage)(l, g, pair)
	}
	if err != nil {
		return nil, err
	}
	outs := pair // merge_mode=None
	if out != nil {
		outs = []*Tensor{out}
	}
	return append(append(outs, a[1:]...), b[1:]...), nil
}

// spectral is SpectralNormalization. Before each step it divides the kernel of a layer by the
// kernel's greatest singular value. A vector stores the estimate.
type spectral struct{ inner *Layer }

func (s *spectral) children() []*Layer { return []*Layer{s.inner} }

func (s *spectral) build(l *Layer, in []Shape) error {
	tensors := make([]*Tensor, len(in))
	for i, shape := range in {
		tensors[i] = &Tensor{Shape: shape, DType: l.DType}
	}
	if err := s.inner.build(tensors); err != nil {
		return err
	}
	kernel := s.inner.named("kernel")
	if kernel == nil {
		kernel = s.inner.named("embeddings")
	}
	if kernel == nil || len(kernel.Shape) == 0 {
		return value.Because(value.KerasRaises, "TensorFlow will raise: the layer inside has no kernel")
	}
	l.weight("vector_u", false, 1, kernel.Shape[len(kernel.Shape)-1])
	return nil
}

func (s *spectral) call(_ *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	return s.inner.apply(g, in)
}

// pipeline is Pipeline: layers of preprocessing one after the other.
type pipeline struct{ layers []*Layer }

func (s *pipeline) children() []*Layer { return s.layers }

func (*pipeline) build(*Layer, []Shape) error { return nil }

func (s *pipeline) call(_ *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	for _, l := range s.layers {
		out, err := l.apply(g, in)
		if err != nil {
			return nil, err
		}
		in = out
	}
	return in, nil
}
