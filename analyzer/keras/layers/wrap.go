package layers

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/classes"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

var wrapperLayers = map[string]layerClass{
	"Bidirectional": {MayHaveWeights, bidirectionalOf},
	"TimeDistributed": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		if inner := r.layer(0, "layer"); inner != nil {
			return &timeDistributed{inner, r.keras2()}
		}
		return nil
	}},
	"SpectralNormalization": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		if inner := r.layer(0, "layer"); inner != nil {
			return &spectral{inner}
		}
		return nil
	}},
	"Pipeline": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		v, _ := r.Get(0, "layers")
		items, ok := objects.Sequence(v)
		if !ok {
			r.Fail("layers", value.Because(value.WrongType, "it is not a list of layers"))
			return nil
		}
		s := &pipeline{}
		for _, item := range items {
			l := state.LayerOf(item)
			if l == nil {
				r.Fail("layers", objects.Because(item))
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
	forward, backward *graph.Layer
	merge             string // empty for merge_mode=None
}

func bidirectionalOf(r *ArgParser) graph.Impl {
	inner, forward := r.recurring(0, "layer")
	if forward == nil {
		return nil
	}
	copyOf := func(name string, l *graph.Layer, s graph.Impl) *graph.Layer {
		return &graph.Layer{Class: l.Class, Name: name + l.Name, Node: l.Node, Trainable: l.Trainable, DType: l.DType, Store: l.Store, Impl: s, Penalties: l.Penalties, Initializers: l.Initializers}
	}
	s := &bidirectional{merge: "concat", forward: copyOf("forward_", inner, forward.clone(false)), backward: copyOf("backward_", inner, forward.clone(true))}
	if v, ok := r.Args.Get(1, "merge_mode"); ok {
		s.merge = r.Text(1, "merge_mode", "")
		if _, none := v.X.(value.None); !none && s.merge != "concat" && s.merge != "sum" && s.merge != "mul" && s.merge != "ave" {
			r.Fail("merge_mode", value.Because(value.WrongType, "Keras knows no %s", s.merge))
		}
	}
	if _, ok := r.Get(3, "backward_layer"); ok {
		other, backward := r.recurring(3, "backward_layer")
		if backward == nil {
			return nil
		}
		s.backward = copyOf("", other, backward.clone(false))
	}
	return s
}

// recurring returns an argument that is a recurrent layer.
func (r *ArgParser) recurring(position int, keyword string) (*graph.Layer, recurring) {
	l := r.layer(position, keyword)
	if l == nil {
		return nil, nil
	}
	s, ok := l.Impl.(recurring)
	_, ofKeras := classes.LayerArguments()[3][l.Class]
	switch {
	case ok:
	case ofKeras:
		r.note(value.Refused("%s is no recurrent layer", l.Class))
	default:
		r.Fail(keyword, value.Because(value.WrongType, "it is not a known recurrent layer"))
	}
	return l, s
}

func (s *bidirectional) Children() []*graph.Layer { return []*graph.Layer{s.forward, s.backward} }

func (s *bidirectional) Arguments(r *ArgParser) ([]value.Value, graph.Impl) {
	return RecurrentArguments(r), s
}

func (s *bidirectional) Build(_ *graph.Layer, in []tensor.Shape) error {
	for _, inner := range s.Children() {
		if inner.Built {
			continue
		}
		if err := inner.Impl.Build(inner, in[:min(len(in), 1)]); err != nil {
			return err
		}
		inner.Built = true
	}
	return nil
}

// sideBySide has the loops of both directions end together: neither waits for the other, and their
// iterations alternate. What each lists for no gradient is there until then.
func sideBySide(g *graph.Graph, ops []*graph.Op) {
	if g.Eagerly {
		return
	}
	var temps int64
	for _, op := range ops {
		if op.Kind == graph.OpRNN {
			temps += op.ForwardTemp
			op.ForwardTemp = temps
		}
	}
}

func (s *bidirectional) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	half, start := (len(in)-1)/2, len(g.Ops)
	a, err := s.forward.Apply(g, append([]*graph.Tensor{in[0]}, in[1:1+half]...))
	if err != nil {
		return nil, err
	}
	b, err := s.backward.Apply(g, append([]*graph.Tensor{in[0]}, in[1+half:]...))
	if err != nil {
		return nil, err
	}
	sideBySide(g, g.Ops[start:])
	second := b[0]
	if sequences, _ := s.backward.Impl.(recurring).returns(); sequences {
		second = g.Tensor(graph.OpReverseSteps, []*graph.Tensor{second}, second.Shape, second.DType)
	}
	pair := []*graph.Tensor{a[0], second}
	var out *graph.Tensor
	switch s.merge {
	case "concat":
		out, err = Concatenate(-1)(l, g, pair)
	case "sum":
		out, err = Elementwise(graph.OpAdd)(l, g, pair)
	case "mul":
		out, err = Elementwise(graph.OpMultiply)(l, g, pair)
	case "ave":
		out, err = Elementwise(graph.OpAverage)(l, g, pair)
	}
	if err != nil {
		return nil, err
	}
	outs := pair // merge_mode=None
	if out != nil {
		outs = []*graph.Tensor{out}
	}
	return append(append(outs, a[1:]...), b[1:]...), nil
}

// spectral is SpectralNormalization. Before each step it divides the kernel of a layer by the
// kernel's greatest singular value. A vector stores the estimate.
type spectral struct{ inner *graph.Layer }

func (s *spectral) Children() []*graph.Layer { return []*graph.Layer{s.inner} }

func (s *spectral) Build(l *graph.Layer, in []tensor.Shape) error {
	tensors := make([]*graph.Tensor, len(in))
	for i, shape := range in {
		tensors[i] = &graph.Tensor{Shape: shape, DType: l.DType}
	}
	if err := s.inner.Build(tensors); err != nil {
		return err
	}
	kernel := cmp.Or(s.inner.Named("kernel"), s.inner.Named("embeddings"))
	if kernel == nil || len(kernel.Shape) == 0 {
		return value.Refused("the layer inside has no kernel")
	}
	l.Weight("vector_u", false, 1, kernel.Shape[len(kernel.Shape)-1])
	return nil
}

func (s *spectral) Call(_ *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	return s.inner.Apply(g, in)
}

// pipeline is Pipeline: layers of preprocessing one after the other.
type pipeline struct{ layers []*graph.Layer }

func (s *pipeline) Children() []*graph.Layer { return s.layers }

func (*pipeline) Build(*graph.Layer, []tensor.Shape) error { return nil }

func (s *pipeline) Call(_ *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	for _, l := range s.layers {
		var err error
		if in, err = l.Apply(g, in); err != nil {
			return nil, err
		}
	}
	return in, nil
}
