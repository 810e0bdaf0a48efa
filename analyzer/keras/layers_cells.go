package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A stepper is a cell: what an RNN does in one step.
type stepper interface {
	layerImpl
	states() []int64         // the sizes of its states
	size() int64             // of its output
	features(l *Layer) int64 // that its input must have
	kept() perIteration      // what each step keeps for the gradient
	cut(l *Layer) int64      // numbers of the kernels that each step keeps
	copied() layerImpl       // the same without weights
}

// A cellKind is one of Keras's three kinds of cells.
type cellKind struct {
	gates int64
	// lists is how many tensors of [batch, units] the loop keeps per step: the gates, what they
	// are applied to, the new state. SimpleRNN keeps only its output.
	lists int64
	// at are the positions of activation, recurrent_activation and use_bias.
	at [3]int
}

var (
	lstmCell   = cellKind{4, 7, [3]int{1, 2, 3}}
	gruCell    = cellKind{3, 6, [3]int{1, 2, 3}}
	simpleCell = cellKind{1, 1, [3]int{1, -1, 2}}
)

// A cell is LSTMCell, GRUCell or SimpleRNNCell.
type cell struct {
	cellKind
	units                 int64
	bias                  bool
	resetAfter            bool // of a GRU: two biases
	activation, recurrent act
	drop, recurrentDrop   float64
	// gateByGate is set if a step has one product per gate, with a slice of the kernel, instead
	// of one product for all gates.
	gateByGate bool
	keras2     bool
}

func (k cellKind) factory() layerFactory { return func(r *argParser) layerImpl { return k.cell(r) } }

func (k cellKind) cell(r *argParser) *cell {
	s := &cell{
		cellKind: k, units: r.number(0, "units", None), bias: r.bool(k.at[2], "use_bias", true),
		activation: r.activation(k.at[0], "activation"), recurrent: r.activation(k.at[1], "recurrent_activation"),
		drop: r.float(-1, "dropout", 0), recurrentDrop: r.float(-1, "recurrent_dropout", 0), keras2: r.keras2(),
	}
	if _, ok := r.args.Get(k.at[0], "activation"); !ok {
		s.activation.name = "tanh"
	}
	if _, ok := r.args.Get(k.at[1], "recurrent_activation"); !ok {
		s.recurrent.name = "sigmoid"
	}
	s.resetAfter = k.gates == 3 && r.bool(-1, "reset_after", true)
	// keras/src/layers/rnn/lstm.py, gru.py: only the first of the two implementations supports
	// recurrent_dropout.
	s.gateByGate = k.gates > 1 && (s.recurrentDrop > 0 || r.number(-1, "implementation", 2) == 1)
	return s
}

func (s *cell) states() []int64 {
	if s.gates == 4 {
		return []int64{s.units, s.units}
	}
	return []int64{s.units}
}

func (s *cell) size() int64             { return s.units }
func (s *cell) features(l *Layer) int64 { return l.Weights[0].Shape[0] }
func (s *cell) copied() layerImpl       { c := *s; return &c }
func (s *cell) kept() perIteration      { return s.lists().times(s.units) }

// cut returns the slices of both kernels that the products of a step keep for their gradients.
// The loop computes them in each iteration.
func (s *cell) cut(l *Layer) int64 {
	switch {
	case s.gateByGate:
		return l.Weights[0].Elements() + l.Weights[1].Elements()
	case s.gates == 3 && !s.resetAfter: // the new state's part of the recurrent kernel is for what the reset gate left
		return l.Weights[1].Elements()
	}
	return 0
}

// lists returns the tensors of [batch, units] that the loop keeps per step.
func (s *cell) lists() perIteration {
	t := perIteration{stays: s.cellKind.lists}
	if s.recurrentDrop > 0 {
		t.stays += s.gates + 1 // the state masked for each gate
	}
	switch s.gates {
	case 4:
		return t.plus(s.recurrent.gates(3, 2, s.keras2))
	case 3:
		return t.plus(s.recurrent.gates(2, 0, s.keras2))
	}
	return t
}

// taped returns the tensors of [batch, units] that a tape holds per step in eager execution.
// Keras 3's loop then also runs eagerly, and computes the first step twice
// (keras/src/backend/tensorflow/rnn.py; recorded for each kind with a bias). Keras 2 compiles the
// loop.
func (s *cell) taped() perIteration {
	switch s.gates {
	case 4:
		return perIteration{stays: 20}
	case 3:
		return perIteration{stays: 22}
	}
	return perIteration{stays: 3}
}

func (s *cell) build(l *Layer, in []Shape) error {
	if err := rank(in, 2); err != nil {
		return err
	}
	if err := known(in[0].Last(), "the number of features of its input"); err != nil {
		return err
	}
	if err := known(s.units, "units"); err != nil {
		return err
	}
	l.weight("kernel", true, in[0].Last(), s.gates*s.units)
	l.weight("recurrent_kernel", true, s.units, s.gates*s.units)
	switch {
	case s.bias && s.resetAfter:
		l.weight("bias", true, 2, s.gates*s.units)
	case s.bias:
		l.weight("bias", true, s.gates*s.units)
	}
	return nil
}

// arguments returns the arguments of a direct call of a cell: the input of a step and the states.
func (s *cell) arguments(r *argParser) ([]value.Value, layerImpl) {
	x, _ := r.args.Get(0, "inputs")
	in := []value.Value{x}
	if v, ok := r.get(1, "states"); ok {
		if items, several := objects.Sequence(v); several {
			return append(in, items...), s
		}
		return append(in, v), s
	}
	return in, s
}

// results returns the output, and the states in a list.
func (s *cell) results(out []value.Value) value.Value {
	return value.Value{X: value.Tuple{out[0], {X: &value.List{Items: out[1:]}}}}
}

func (s *cell) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if err := rank([]Shape{x.Shape}, 2); err != nil {
		return nil, err
	}
	if n := x.Shape.Last(); n >= 0 && n != l.Weights[0].Shape[0] {
		return nil, value.Because(value.KerasRaises, "TensorFlow will raise: the kernel takes %d features and the input has the shape %s", l.Weights[0].Shape[0], x.Shape)
	}
	out, op := g.add(OpCell, in, x.Shape.With(-1, s.units), l.DType)
	op.trains(l.trained(g, l.Weights...)...)
	if s.gates == 1 {
		op.keepsOutputs()
	} else {
		for range 5 {
			op.Extra = append(op.Extra, out.Bytes())
		}
	}
	outs := []*Tensor{out, out}
	if s.gates == 4 {
		memory := g.tensor(OpState, []*Tensor{out}, out.Shape, l.DType)
		outs = append(outs, memory)
	}
	return outs, nil
}

// stacked is StackedRNNCells: each cell runs on the output of the one before.
type stacked struct{ cells []*Layer }

func stackOf(r *argParser, keyword string, v value.Value) layerImpl {
	items, ok := objects.Sequence(v)
	if !ok || len(items) == 0 {
		r.fail(keyword, value.Because(value.WrongType, "it is not a list of cells"))
		return nil
	}
	s := &stacked{}
	for _, item := range items {
		l := layerOf(item)
		if l == nil {
			r.fail(keyword, value.Because(value.UnmodelledLayer, "a cell that the program writes is not followed"))
			return nil
		}
		if _, ok := l.impl.(stepper); !ok {
			r.fail(keyword, value.Because(value.WrongType, "%s is not a cell", l.Class))
			return nil
		}
		s.cells = append(s.cells, l)
	}
	if r.tooMany(keyword, s.cells) {
		return nil
	}
	return s
}

func (s *stacked) children() []*Layer { return s.cells }

func (s *stacked) states() (out []int64) {
	for _, c := range s.cells {
		out = append(out, c.impl.(stepper).states()...)
	}
	return out
}

func (s *stacked) size() int64           { return s.cells[len(s.cells)-1].impl.(stepper).size() }
func (s *stacked) features(*Layer) int64 { return s.cells[0].impl.(stepper).features(s.cells[0]) }

func (s *stacked) kept() (t perIteration) {
	for _, c := range s.cells {
		t = t.plus(c.impl.(stepper).kept())
	}
	return t
}

func (s *stacked) cut(*Layer) (n int64) {
	for _, c := range s.cells {
		n += c.impl.(stepper).cut(c)
	}
	return n
}

func (s *stacked) copied() layerImpl {
	out := &stacked{}
	for _, c := range s.cells {
		out.cells = append(out.cells, cloneCell(c))
	}
	return out
}

func (s *stacked) build(_ *Layer, in []Shape) error {
	for _, c := range s.cells {
		if !c.built {
			if err := c.impl.build(c, in); err != nil {
				return err
			}
			c.built = true
		}
		in = []Shape{in[0].With(-1, c.impl.(stepper).size())}
	}
	return nil
}

func (s *stacked) call(*Layer, *Graph, []*Tensor) ([]*Tensor, error) {
	return nil, value.Because(value.UnmodelledLayer, "a call of stacked cells by themselves is not modelled")
}

// convolving is ConvLSTM: an LSTM with convolutions instead of products.
type convolving struct {
	walk
	conv                convolution // of the input; its filters are the units
	bias                bool
	drop, recurrentDrop float64
	recurrent           act
	keras2              bool
}

func convLSTM(rank int) layerFactory {
	return func(r *argParser) layerImpl {
		s := &convolving{walk: r.walk(), bias: r.bool(8, "use_bias", true), drop: r.float(-1, "dropout", 0), recurrentDrop: r.float(-1, "recurrent_dropout", 0), keras2: r.keras2()}
		s.recurrent = r.activation(7, "recurrent_activation")
		if _, ok := r.args.Get(7, "recurrent_activation"); !ok && s.keras2 {
			s.recurrent.name = "hard_sigmoid" // tf_keras/src/layers/rnn/base_conv_lstm.py
		}
		s.conv = convolution{
			rank: rank, groups: 1, filters: r.number(0, "filters", None), kernel: r.numbers(1, "kernel_size", rank, same(rank, None)),
			strides: r.numbers(2, "strides", rank, same(rank, 1)), padding: r.padding(3), at: r.layout(4),
			dilation: r.numbers(5, "dilation_rate", rank, same(rank, 1)),
		}
		return s
	}
}

func (s *convolving) clone(reverse bool) recurring {
	c := *s
	c.walk = s.turned(reverse)
	return &c
}

func (s *convolving) returns() (bool, int) {
	if !s.state {
		return s.sequences, 0
	}
	return s.sequences, 2
}

func (s *convolving) arguments(r *argParser) ([]value.Value, layerImpl) {
	return recurrentArguments(r), s
}

// step returns the shape of one step's input.
func (s *convolving) step(in Shape) Shape { return append(Shape{in[0]}, in[2:]...) }

func (s *convolving) build(l *Layer, in []Shape) error {
	if err := rank(in, s.conv.rank+3); err != nil {
		return err
	}
	filters := s.conv.filters
	if err := known(filters, "filters"); err != nil {
		return err
	}
	channels := s.conv.at.last(s.step(in[0])).Last()
	if err := known(channels, "the number of channels of its input"); err != nil {
		return err
	}
	for _, k := range s.conv.kernel {
		if err := known(k, "kernel_size"); err != nil {
			return err
		}
	}
	kernel := append([]int64(nil), s.conv.kernel...)
	l.weight("kernel", true, append(append([]int64(nil), kernel...), channels, 4*filters)...)
	l.weight("recurrent_kernel", true, append(kernel, filters, 4*filters)...)
	if s.bias {
		l.weight("bias", true, 4*filters)
	}
	return nil
}

func (s *convolving) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if err := rank([]Shape{x.Shape}, s.conv.rank+3); err != nil {
		return nil, err
	}
	place := s.conv.at.last(s.step(x.Shape))
	if want := l.Weights[0].Shape[s.conv.rank]; place.Last() >= 0 && place.Last() != want {
		return nil, value.Because(value.KerasRaises, "TensorFlow will raise: the kernel takes %d channels and the input has the shape %s", want, x.Shape)
	}
	for i := range s.conv.rank {
		n, err := s.conv.length(place[i+1], i)
		if err != nil {
			return nil, err
		}
		place[i+1] = n
	}
	place = s.conv.at.back(place.With(-1, s.conv.filters))
	x = cast(g, x, l.DType)
	steps := s.steps(g, x)
	shape := append(Shape{x.Shape[1]}, place...)
	out, op := g.add(OpRNN, append([]*Tensor{steps}, in[1:]...), shape, l.DType)
	op.Keep = []*Tensor{steps}
	op.trains(l.trained(g, l.Weights...)...)
	if n, ok := place.Elements(); ok && x.Shape[1] >= 0 {
		lists := perIteration{stays: lstmCell.lists}
		if s.recurrentDrop > 0 {
			lists.stays += 4
		}
		op.keepsIterations(lists.plus(s.recurrent.gates(3, 2, s.keras2)), x.Shape[1], n, l.DType.Size())
		op.loops(steps)
		// Every step splits the kernels into the kernels of the gates.
		for _, w := range l.Weights[:2] {
			op.Extra = append(op.Extra, max(x.Shape[1], 0)*w.Elements()*l.DType.Size())
		}
	}
	return s.result(g, out, []Shape{place, place}), nil
}
