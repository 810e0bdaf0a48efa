package keras

import "fmt"

// recurrent is LSTM, GRU and SimpleRNN.
type recurrent struct {
	gates      int64 // 4, 3, 1
	units      int64
	sequences  bool // return_sequences
	state      bool // return_state
	bias       bool
	resetAfter bool // of a GRU: two biases
	cudnn      bool // by its arguments, the kernel of cuDNN is used on a GPU
}

func (s *recurrent) build(l *Layer, in []Shape) error {
	if err := rank(in, 3); err != nil {
		return err
	}
	if err := known(in[0].last(), "the number of features of its input"); err != nil {
		return err
	}
	if err := known(s.units, "units"); err != nil {
		return err
	}
	l.weight("kernel", true, in[0].last(), s.gates*s.units)
	l.weight("recurrent_kernel", true, s.units, s.gates*s.units)
	switch {
	case s.bias && s.resetAfter:
		l.weight("bias", true, 2, s.gates*s.units)
	case s.bias:
		l.weight("bias", true, s.gates*s.units)
	}
	return nil
}

func (s *recurrent) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := cast(g, in[0], l.DType)
	if x.Shape.last() != l.Weights[0].Shape[0] {
		return nil, fmt.Errorf("TensorFlow will raise: the kernel takes %d features and the input has the shape %s", l.Weights[0].Shape[0], x.Shape)
	}
	sequence := Shape{x.Shape[0], x.Shape[1], s.units}
	out, op := g.add("RNN", []*Tensor{x}, sequence, l.DType)
	op.keepsInputs()
	op.keepsOutputs()
	op.trains(l.trained(l.Weights...)...)
	if step, ok := sequence.Elements(); ok {
		op.Extra = []int64{round256(s.kept() * step * l.DType.Size())}
	}
	result := out
	if !s.sequences {
		last, _ := g.add("Slice", []*Tensor{out}, Shape{x.Shape[0], s.units}, l.DType)
		result = last
	}
	outs := []*Tensor{result}
	if s.state {
		states := 1
		if s.gates == 4 {
			states = 2
		}
		for range states {
			t, _ := g.add("State", []*Tensor{out}, Shape{x.Shape[0], s.units}, l.DType)
			outs = append(outs, t)
		}
	}
	return outs, nil
}

// kept is how many tensors of [time, batch, units] stay for the gradient
// besides input and output: the reserve of cuDNN, 5 for an LSTM and 6 for a
// GRU, or the lists of the loop that runs without it.
func (s *recurrent) kept() int64 {
	switch {
	case s.gates == 4 && s.cudnn:
		return 5
	case s.gates == 3 && s.cudnn:
		return 6
	}
	return s.gates + 3
}

// bidirectional runs a layer and a copy of it that reads backwards.
type bidirectional struct {
	forward, backward *Layer
	merge             string
}

func (s *bidirectional) build(l *Layer, in []Shape) error {
	for _, inner := range []*Layer{s.forward, s.backward} {
		if err := inner.spec.build(inner, in); err != nil {
			return err
		}
		inner.built = true
		l.Weights = append(l.Weights, inner.Weights...)
	}
	return nil
}

func (s *bidirectional) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	s.forward.Trainable, s.backward.Trainable = l.Trainable, l.Trainable
	a, err := s.forward.spec.call(s.forward, g, in)
	if err != nil {
		return nil, err
	}
	reversed, _ := g.add("Reverse", in[:1], in[0].Shape, in[0].DType)
	b, err := s.backward.spec.call(s.backward, g, []*Tensor{reversed})
	if err != nil {
		return nil, err
	}
	second := b[0]
	if len(second.Shape) == 3 {
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
	default:
		return pair, nil
	}
	return []*Tensor{out}, err
}

// timeDistributed applies a layer to each step of time.
type timeDistributed struct{ inner *Layer }

func (s *timeDistributed) build(l *Layer, in []Shape) error {
	if len(in) == 0 || len(in[0]) < 3 {
		return fmt.Errorf("TensorFlow will raise: it expects an input of at least 3 dimensions")
	}
	step := append(Shape{in[0][0]}, in[0][2:]...)
	if s.inner.Inner != nil {
		return nil
	}
	if err := s.inner.spec.build(s.inner, []Shape{step}); err != nil {
		return err
	}
	s.inner.built = true
	l.Weights = s.inner.Weights
	return nil
}

func (s *timeDistributed) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	s.inner.Trainable = l.Trainable
	x := in[0]
	rows := None
	if x.Shape[0] >= 0 && x.Shape[1] >= 0 {
		rows = x.Shape[0] * x.Shape[1]
	}
	out, err := s.inner.apply(g, []*Tensor{view(g, x, append(Shape{rows}, x.Shape[2:]...))})
	if err != nil {
		return nil, err
	}
	return []*Tensor{view(g, out[0], append(Shape{x.Shape[0], x.Shape[1]}, out[0].Shape[1:]...))}, nil
}
