package keras

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

var wrapperLayers = map[string]maker{
	"Bidirectional": bidirectionalOf,
	"TimeDistributed": func(r *reader) spec {
		if inner := r.layer(0, "layer"); inner != nil {
			return &timeDistributed{inner, r.keras2()}
		}
		return nil
	},
	"SpectralNormalization": func(r *reader) spec {
		if inner := r.layer(0, "layer"); inner != nil {
			return &spectral{inner}
		}
		return nil
	},
	"Pipeline": func(r *reader) spec {
		v, _ := r.get(0, "layers")
		items, ok := objects.Sequence(v)
		if !ok {
			r.fail("layers", "it is no list of layers")
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
	},
}

// bidirectional runs a layer and one that reads backwards.
type bidirectional struct {
	forward, backward *Layer
	merge             string // empty for merge_mode=None
}

func bidirectionalOf(r *reader) spec {
	inner := r.layer(0, "layer")
	if inner == nil {
		return nil
	}
	forward, ok := inner.spec.(recurring)
	if !ok {
		r.fail("layer", "it is no recurrent layer that is known")
		return nil
	}
	copyOf := func(name string, l *Layer, s spec) *Layer {
		return &Layer{Class: l.Class, Name: name + l.Name, Node: l.Node, Trainable: l.Trainable, DType: l.DType, Store: l.Store, spec: s, penalties: l.penalties}
	}
	s := &bidirectional{merge: "concat", forward: copyOf("forward_", inner, forward.clone(false)), backward: copyOf("backward_", inner, forward.clone(true))}
	if v, ok := r.args.Get(1, "merge_mode"); ok {
		s.merge = r.text(1, "merge_mode", "")
		if _, none := v.X.(value.None); !none && s.merge != "concat" && s.merge != "sum" && s.merge != "mul" && s.merge != "ave" {
			r.fail("merge_mode", "Keras knows no "+s.merge)
		}
	}
	if v, ok := r.get(3, "backward_layer"); ok {
		other := layerOf(v)
		if other == nil {
			r.fail("backward_layer", objects.Because(v))
			return nil
		}
		backward, ok := other.spec.(recurring)
		if !ok {
			r.fail("backward_layer", "it is no recurrent layer that is known")
			return nil
		}
		s.backward = copyOf("", other, backward.clone(false))
	}
	return s
}

func (s *bidirectional) children() []*Layer { return []*Layer{s.forward, s.backward} }

func (s *bidirectional) arguments(r *reader) ([]value.Value, spec) { return recurrentArguments(r), s }

func (s *bidirectional) build(_ *Layer, in []Shape) error {
	for _, inner := range s.children() {
		if inner.built {
			continue
		}
		if err := inner.spec.build(inner, in[:min(len(in), 1)]); err != nil {
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
	if sequences, _ := s.backward.spec.(recurring).returns(); sequences {
		second, _ = g.add("Reverse", []*Tensor{second}, second.Shape, second.DType)
	}
	pair := []*Tensor{a[0], second}
	var out *Tensor
	switch s.merge {
	case "concat":
		out, err = concatenate(-1)(l, g, pair)
	case "sum":
		out, err = elementwise("Add")(l, g, pair)
	case "mul":
		out, err = elementwise("Multiply")(l, g, pair)
	case "ave":
		out, err = elementwise("Average")(l, g, pair)
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

// timeDistributed is TimeDistributed: Keras 3 calls the layer inside once for each step of
// time, whose results it lays on top of each other
// (keras/src/layers/rnn/time_distributed.py, call), Keras 2 once on the steps of all examples
// in a row (tf_keras/src/layers/rnn/time_distributed.py, call).
type timeDistributed struct {
	inner *Layer
	rows  bool // all in a row
}

func (s *timeDistributed) children() []*Layer { return []*Layer{s.inner} }

func (s *timeDistributed) build(_ *Layer, in []Shape) error {
	if len(in) == 0 || len(in[0]) < 3 {
		return fmt.Errorf("TensorFlow will raise: it expects an input of at least 3 dimensions")
	}
	return nil // the layer inside is built when it is applied
}

func (s *timeDistributed) call(_ *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if len(x.Shape) < 3 {
		return nil, fmt.Errorf("TensorFlow will raise: it expects an input of at least 3 dimensions")
	}
	if !s.rows && !g.follows && x.Shape[1] > 1 {
		if out, err := s.unrolled(g, x); out != nil || err != nil {
			return out, err
		}
	}
	return s.inRows(g, x)
}

// mostUnrolled bounds the operations of all steps of time: beyond, a step more or less at a
// time is nothing.
const mostUnrolled = 10_000

// unrolled calls the layer step by step; there is no result where that is too much.
func (s *timeDistributed) unrolled(g *Graph, x *Tensor) ([]*Tensor, error) {
	from, steps := len(g.Ops), x.Shape[1]
	shape := slices.Clone(x.Shape)
	shape[0], shape[1] = steps, x.Shape[0]
	byTime, _ := g.add("Transpose", []*Tensor{x}, shape, x.DType)
	var each []*Tensor
	for range steps {
		step, op := g.add("StridedSlice", []*Tensor{byTime}, shape[1:], x.DType)
		// A part of the first dimension is no copy where it begins at a multiple of 64 bytes
		// (tensorflow/core/framework/ops_util.h, IsDim0SliceAligned). Its gradient has the size
		// of all.
		if n, ok := step.Shape.Elements(); ok {
			op.View = n*step.DType.Size()%64 == 0
		}
		out, err := s.inner.apply(g, []*Tensor{step})
		if err != nil {
			return nil, err
		}
		if len(out) == 0 || len(out[0].Shape) == 0 {
			return nil, fmt.Errorf("what the layer inside returns has no batch")
		}
		each = append(each, out[0])
		if int64(len(g.Ops)-from)*steps > mostUnrolled*int64(len(each)) {
			g.Ops = g.Ops[:from]
			return nil, nil
		}
	}
	y, _ := g.add("Pack", each, append(Shape{steps}, each[0].Shape...), each[0].DType)
	shape = slices.Clone(y.Shape)
	shape[0], shape[1] = shape[1], steps
	y, _ = g.add("Transpose", []*Tensor{y}, shape, y.DType)
	return []*Tensor{y}, nil
}

// inRows calls the layer once, on the steps of all examples.
func (s *timeDistributed) inRows(g *Graph, x *Tensor) ([]*Tensor, error) {
	rows := None
	if x.Shape[0] >= 0 && x.Shape[1] >= 0 {
		rows = x.Shape[0] * x.Shape[1]
	}
	steps, op := g.add("Unstack", []*Tensor{x}, append(Shape{rows}, x.Shape[2:]...), x.DType)
	op.View = s.rows
	if n := x.Shape[1]; n > 2 && !s.rows {
		// The gradient of each step is as large as all steps together, and all of
		// these wait to be summed (keras/src/layers/rnn/time_distributed.py,
		// step_function; tensorflow/python/ops/array_grad.py, _StridedSliceGrad).
		if op.BackwardTemp = product(Shape{n - 2, x.Bytes()}); op.BackwardTemp < 0 {
			return nil, fmt.Errorf("the gradients of %d steps of %d bytes are more than any memory", n, x.Bytes())
		}
	}
	from := len(g.Ops)
	out, err := s.inner.apply(g, []*Tensor{steps})
	if err != nil {
		return nil, err
	}
	if !s.rows && x.Shape[1] > 1 {
		for _, op := range g.Ops[from:] {
			if len(op.Weights) > 0 {
				op.Parts = max(op.Parts, 1) * x.Shape[1]
			}
		}
	}
	if len(out) == 0 || len(out[0].Shape) == 0 {
		return nil, fmt.Errorf("what the layer inside returns has no batch")
	}
	if s.rows && s.inner.Inner != nil && !g.eager && g.mode != predicts && !g.follows {
		if err := s.masked(g, steps, from); err != nil {
			return nil, err
		}
	}
	y, op := g.add("Pack", out[:1], append(Shape{x.Shape[0], x.Shape[1]}, out[0].Shape[1:]...), out[0].DType)
	op.View = s.rows
	return []*Tensor{y}, nil
}

// masked asks a model for the mask of its output, for which Keras 2 calls it once more
// (tf_keras/src/layers/rnn/time_distributed.py, compute_mask; functional.py and sequential.py,
// compute_mask). A graph is rid of all that but the moving averages of normalizations, which
// are updated twice, and what leads to them. The first operation of the call stands at first.
func (s *timeDistributed) masked(g *Graph, steps *Tensor, first int) error {
	from := len(g.Ops)
	if _, err := s.inner.apply(g, []*Tensor{steps}); err != nil {
		return err
	}
	averages := func(op *Op) bool {
		return op.Layer != nil && strings.HasSuffix(op.Layer.Class, "BatchNormalization") && strings.HasSuffix(op.Name, "BatchNorm") && g.phase.trains(&op.Layer.Trainable)
	}
	// Each starts from what the call before has made of the averages.
	before := map[*Layer]*Tensor{}
	for _, op := range g.Ops[first:from] {
		if averages(op) {
			before[op.Layer] = op.Out[0]
		}
	}
	again := g.Ops[from:]
	g.Ops = slices.Clone(g.Ops[:from])
	wanted := map[*Tensor]bool{}
	var kept []*Op
	for _, op := range slices.Backward(again) {
		if !averages(op) && !slices.ContainsFunc(op.Out, func(t *Tensor) bool { return wanted[t] }) {
			continue
		}
		if t := before[op.Layer]; t != nil && averages(op) {
			mean, _ := g.add("Assign", []*Tensor{t}, Shape{1}, t.DType)
			mean.Grad = false
			op.In = append(op.In, mean)
		}
		for _, t := range op.In {
			wanted[t] = true
		}
		op.forget()
		kept = append(kept, op)
	}
	slices.Reverse(kept)
	g.Ops = append(g.Ops, kept...)
	return nil
}

// spectral is SpectralNormalization: a layer whose kernel is divided by its
// greatest singular value before each step, with the vector that finds that.
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
		return fmt.Errorf("TensorFlow will raise: the layer inside has no kernel")
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
