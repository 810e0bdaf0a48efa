package keras

import (
	"errors"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// ownLoop is an RNN over a custom cell. The cell's call runs for one step
// (keras/src/layers/rnn/rnn.py).
type ownLoop struct {
	walk
	cell   *custom
	states []Shape // without the batch
}

// loop returns the layer that runs the cell on one time step after the other.
func (s *customImpl) loop(r *argParser) layerImpl { return ownLoopOf(r, s.v) }

func ownLoopOf(r *argParser, cell *custom) layerImpl {
	if cell.object == nil {
		r.fail("cell", value.Because(value.WrongType, "%s is not a cell", cell.layer.Class))
		return nil
	}
	size := r.in.Attr(value.Value{X: cell.object}, "state_size")
	sizes, ok := objects.Dims(size)
	if !ok || product(sizes) < 0 {
		r.fail("the state of "+cell.layer.Class, objects.Because(size))
		return nil
	}
	var states []Shape
	for _, n := range sizes {
		states = append(states, Shape{n})
	}
	if _, shape := size.X.(*vector); shape { // a TensorShape is the shape of one state
		states = []Shape{sizes}
	}
	return &ownLoop{r.walk(), cell, states}
}

func (s *ownLoop) children() []*Layer { return []*Layer{s.cell.layer} }

func (s *ownLoop) arguments(r *argParser) ([]value.Value, layerImpl) { return recurrentArguments(r), s }

func (s *ownLoop) build(_ *Layer, in []Shape) error { return nil }

func (s *ownLoop) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if len(x.Shape) < 3 {
		return nil, rank([]Shape{x.Shape}, 3)
	}
	x = cast(g, x, l.DType)
	steps := s.steps(g, x)
	step := []*Tensor{{Shape: append(Shape{x.Shape[0]}, x.Shape[2:]...), DType: l.DType, Grad: true}}
	for _, shape := range s.states {
		step = append(step, &Tensor{Shape: append(Shape{x.Shape[0]}, shape...), DType: l.DType, Grad: true})
	}
	b, err := s.body(step)
	if err != nil {
		return nil, err
	}
	kept, err := s.kept(b, step)
	if err != nil {
		return nil, err
	}
	shape := append(Shape{x.Shape[1], x.Shape[0]}, b.out[0].Shape[min(1, len(b.out[0].Shape)):]...)
	out, op := g.add(OpRNN, append([]*Tensor{steps}, in[1:]...), shape, l.DType)
	op.Keep = []*Tensor{steps}
	s.cell.layer.visit(g.snapshot, true, map[*Weight]bool{}, func(w *Weight, trained bool) {
		if trained {
			op.trains(w)
		}
	})
	if x.Shape[0] >= 0 && x.Shape[1] >= 0 {
		op.Extra = []int64{kept * x.Shape[1]}
	}
	var ends []Shape
	for _, shape := range s.states {
		ends = append(ends, append(Shape{x.Shape[0]}, shape...))
	}
	return s.result(g, out, ends), nil
}

// body returns the calls of the cell for the inputs of one step: recorded for the same shapes
// earlier, or run now.
func (s *ownLoop) body(in []*Tensor) (*body, error) {
	if b := s.cell.traced(in); b != nil && len(b.out) > 0 {
		return b, nil
	}
	var fresh []*Symbolic
	states := &value.List{}
	for i, t := range in {
		x := &Symbolic{Shape: t.Shape, DType: t.DType}
		fresh = append(fresh, x)
		if i > 0 {
			states.Items = append(states.Items, s.cell.h.tensor(x))
		}
	}
	args := &value.Args{Positional: []value.Value{s.cell.h.tensor(fresh[0]), {X: states}}}
	_, b, why := s.cell.trace(s.cell.interp, args, fresh)
	switch {
	case why != nil:
		return nil, why
	case len(b.out) == 0:
		return nil, errors.New("what " + s.cell.layer.Class + " returns is not known")
	}
	return b, nil
}

// kept returns the bytes that the gradient of one step reads. A loop keeps a list of each such
// tensor, with an entry per step (tensorflow/python/ops/while_v2.py).
func (s *ownLoop) kept(b *body, in []*Tensor) (bytes int64, err error) {
	g := &Graph{}
	if _, err := b.lower(g, in); err != nil {
		return 0, err
	}
	seen := map[*Tensor]bool{}
	for _, op := range g.Ops {
		for _, t := range op.Keep {
			if !seen[t] && (t.From == nil || !t.From.Read) {
				seen[t] = true
				bytes += t.Bytes()
			}
		}
	}
	return bytes, nil
}
