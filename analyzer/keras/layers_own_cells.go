package keras

import (
	"errors"

	"github.com/tfmem/tfmem/analyzer/value"
)

// ownLoop is RNN over a cell that the program writes: its call runs for one step
// (keras/src/layers/rnn/rnn.py).
type ownLoop struct {
	walk
	cell   *custom
	states []Shape // without the batch
}

func ownLoopOf(r *reader, cell *custom) spec {
	if cell.object == nil {
		r.fail("cell", cell.layer.Class+" is no cell")
		return nil
	}
	size := r.in.Attr(value.Value{X: cell.object}, "state_size")
	sizes, ok := dims(size)
	if !ok || product(sizes) < 0 {
		r.fail("the state of "+cell.layer.Class, because(size))
		return nil
	}
	var states []Shape
	for _, n := range sizes {
		states = append(states, Shape{n})
	}
	if _, shape := size.X.(*vector); shape { // a TensorShape is that of one state
		states = []Shape{sizes}
	}
	return &ownLoop{r.walk(), cell, states}
}

func (s *ownLoop) children() []*Layer { return []*Layer{s.cell.layer} }

func (s *ownLoop) arguments(r *reader) ([]value.Value, spec) { return recurrentArguments(r), s }

func (s *ownLoop) build(_ *Layer, in []Shape) error { return nil }

func (s *ownLoop) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if len(x.Shape) < 3 {
		return nil, rank([]Shape{x.Shape}, 3)
	}
	x = cast(g, x, l.DType)
	steps := s.steps(g, x)
	h := s.cell.h
	step := &Symbolic{Shape: append(Shape{x.Shape[0]}, x.Shape[2:]...), DType: l.DType}
	fresh := []*Symbolic{step}
	states := &value.List{}
	for _, shape := range s.states {
		state := &Symbolic{Shape: append(Shape{x.Shape[0]}, shape...), DType: l.DType}
		fresh = append(fresh, state)
		states.Items = append(states.Items, h.tensor(state))
	}
	_, b, why := s.cell.trace(s.cell.interp, &value.Args{Positional: []value.Value{h.tensor(step), {X: states}}}, fresh)
	switch {
	case why != "":
		return nil, errors.New(why)
	case len(b.out) == 0:
		return nil, errors.New("what " + s.cell.layer.Class + " returns is not known")
	}
	kept, err := s.kept(b, fresh)
	if err != nil {
		return nil, err
	}
	shape := append(Shape{x.Shape[1], x.Shape[0]}, b.out[0].Shape[min(1, len(b.out[0].Shape)):]...)
	out, op := g.add("RNN", append([]*Tensor{steps}, in[1:]...), shape, l.DType)
	op.Keep = []*Tensor{steps}
	s.cell.layer.visit(true, map[*Weight]bool{}, func(w *Weight, trained bool) {
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

// kept is what the gradient of one step reads, in bytes: a loop keeps a list of
// each such tensor, an entry a step (tensorflow/python/ops/while_v2.py).
func (s *ownLoop) kept(b *body, inputs []*Symbolic) (bytes int64, err error) {
	g := &Graph{}
	in := make([]*Tensor, len(inputs))
	for i, x := range inputs {
		in[i] = &Tensor{Shape: x.Shape, DType: x.DType, Grad: true}
	}
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
