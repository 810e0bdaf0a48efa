package models

import (
	"errors"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// ownLoop is an RNN over a custom cell. The cell's call runs for one step
// (keras/src/layers/rnn/rnn.py).
type ownLoop struct {
	layers.Walk
	cell   *custom
	states []tensor.Shape // without the batch
}

// Loop returns the layer that runs the cell on one time step after the other.
func (s *customImpl) Loop(r *layers.ArgParser) graph.Impl { return ownLoopOf(r, s.v) }

func ownLoopOf(r *layers.ArgParser, cell *custom) graph.Impl {
	if cell.object == nil {
		r.Fail("cell", value.Because(value.WrongType, "%s is not a cell", cell.layer.Class))
		return nil
	}
	size := interp.Attr(r.In, value.Value{X: cell.object}, "state_size")
	sizes, ok := objects.Dims(size)
	if !ok || sizes.Product() < 0 {
		r.Fail("the state of "+cell.layer.Class, objects.Because(size))
		return nil
	}
	var states []tensor.Shape
	for _, n := range sizes {
		states = append(states, tensor.Shape{n})
	}
	if _, shape := size.X.(*ops.Vector); shape { // a TensorShape is the shape of one state
		states = []tensor.Shape{sizes}
	}
	return &ownLoop{r.Walk(), cell, states}
}

func (s *ownLoop) Children() []*graph.Layer { return []*graph.Layer{s.cell.layer} }

func (s *ownLoop) Arguments(r *layers.ArgParser) ([]value.Value, graph.Impl) {
	return layers.RecurrentArguments(r), s
}

func (s *ownLoop) Build(_ *graph.Layer, in []tensor.Shape) error { return nil }

func (s *ownLoop) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	if len(x.Shape) < 3 {
		return nil, graph.CheckRank([]tensor.Shape{x.Shape}, 3)
	}
	x = graph.Cast(g, x, l.DType)
	steps := s.Steps(g, x)
	step := []*graph.Tensor{{Shape: append(tensor.Shape{x.Shape[0]}, x.Shape[2:]...), DType: l.DType, Grad: true}}
	for _, shape := range s.states {
		step = append(step, &graph.Tensor{Shape: append(tensor.Shape{x.Shape[0]}, shape...), DType: l.DType, Grad: true})
	}
	b, err := s.body(step)
	if err != nil {
		return nil, err
	}
	kept, err := s.kept(b, step)
	if err != nil {
		return nil, err
	}
	shape := append(tensor.Shape{x.Shape[1], x.Shape[0]}, b.Out[0].Shape[min(1, len(b.Out[0].Shape)):]...)
	out, op := g.Add(graph.OpRNN, append([]*graph.Tensor{steps}, in[1:]...), shape, l.DType)
	op.Keep = []*graph.Tensor{steps}
	s.cell.layer.Visit(g.Snapshot, true, map[*graph.Weight]bool{}, func(w *graph.Weight, trained bool) {
		if trained {
			op.Trains(w)
		}
	})
	if x.Shape[0] >= 0 && x.Shape[1] >= 0 {
		op.Extra = []int64{kept * x.Shape[1]}
	}
	var ends []tensor.Shape
	for _, shape := range s.states {
		ends = append(ends, append(tensor.Shape{x.Shape[0]}, shape...))
	}
	return s.Result(g, out, ends), nil
}

// body returns the calls of the cell for the inputs of one step: recorded for the same shapes
// earlier, or run now.
func (s *ownLoop) body(in []*graph.Tensor) (*graph.Body, error) {
	if b := s.cell.traced(in); b != nil && len(b.Out) > 0 {
		return b, nil
	}
	var fresh []*graph.Symbolic
	states := &value.List{}
	for i, t := range in {
		x := &graph.Symbolic{Shape: t.Shape, DType: t.DType}
		fresh = append(fresh, x)
		if i > 0 {
			states.Items = append(states.Items, ops.Tensor(s.cell.h, x))
		}
	}
	args := &value.Args{Positional: []value.Value{ops.Tensor(s.cell.h, fresh[0]), {X: states}}}
	_, b, why := s.cell.trace(s.cell.interp, args, fresh)
	switch {
	case why != nil:
		return nil, why
	case len(b.Out) == 0:
		return nil, errors.New("what " + s.cell.layer.Class + " returns is not known")
	}
	return b, nil
}

// kept returns the bytes that the gradient of one step reads. A loop keeps a list of each such
// tensor, with an entry per step (tensorflow/python/ops/while_v2.py).
func (s *ownLoop) kept(b *graph.Body, in []*graph.Tensor) (bytes int64, err error) {
	g := &graph.Graph{}
	if _, err := b.Lower(g, in); err != nil {
		return 0, err
	}
	seen := map[*graph.Tensor]bool{}
	for _, op := range g.Ops {
		bytes += op.KeptCast()
		for _, t := range op.Keep {
			if !seen[t] && (t.From == nil || !t.From.Read) {
				seen[t] = true
				bytes += t.Bytes()
			}
		}
	}
	return bytes, nil
}
