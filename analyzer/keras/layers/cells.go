package layers

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A stepper is a cell: what an RNN does in one step.
type stepper interface {
	graph.Impl
	states() []int64               // the sizes of its states
	size() int64                   // of its output
	features(l *graph.Layer) int64 // that its input must have
	kept() perIteration            // what each step keeps for the gradient
	// cut returns how many numbers of the kernels each step keeps. grad is set if the gradient of its
	// input is among those that read them.
	cut(l *graph.Layer, g *graph.Graph, grad bool) int64
	// masked returns the numbers of an example that a step keeps of a dropout of its input. grad is set
	// if a gradient flows to that.
	masked(l *graph.Layer, grad bool) int64
	// parts returns how many parts of a weight a step reads, each of which has a gradient of the size of
	// the whole (tensorflow/python/ops/array_grad.py, _StridedSliceGrad).
	parts(l *graph.Layer, w *graph.Weight) int64
	// gradients returns the bytes that the gradients of the weights take in one step before they are
	// added to those of the other steps, and of the last in half precision, before it is converted.
	gradients(l *graph.Layer, g *graph.Graph) (n, half int64)
	copied() graph.Impl // the same without weights
	ahead() int64       // numbers of an example that a step computes without its states
	compute(l *graph.Layer, b *body, x int) int
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

// A Cell is LSTMCell, GRUCell or SimpleRNNCell.
type Cell struct {
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

func (k cellKind) factory() layerFactory { return func(r *ArgParser) graph.Impl { return k.cell(r) } }

func (k cellKind) cell(r *ArgParser) *Cell {
	s := &Cell{
		cellKind: k, units: r.Number(0, "units", tensor.None), bias: r.Bool(k.at[2], "use_bias", true),
		activation: r.looped(k.at[0], "activation"), recurrent: r.looped(k.at[1], "recurrent_activation"),
		drop: r.Float(-1, "dropout", 0), recurrentDrop: r.Float(-1, "recurrent_dropout", 0), keras2: r.keras2(),
	}
	if _, ok := r.Args.Get(k.at[0], "activation"); !ok {
		s.activation.name = "tanh"
	}
	if _, ok := r.Args.Get(k.at[1], "recurrent_activation"); !ok {
		s.recurrent.name = "sigmoid"
	}
	s.resetAfter = k.gates == 3 && r.Bool(-1, "reset_after", true)
	// keras/src/layers/rnn/lstm.py, gru.py: only the first of the two implementations supports
	// recurrent_dropout.
	s.gateByGate = k.gates > 1 && (s.recurrentDrop > 0 || r.Number(-1, "implementation", 2) == 1)
	return s
}

func (s *Cell) states() []int64 {
	if s.gates == 4 {
		return []int64{s.units, s.units}
	}
	return []int64{s.units}
}

func (s *Cell) size() int64 { return s.units }

func (s *Cell) features(l *graph.Layer) int64 { return l.Weights[0].Shape[0] }

func (s *Cell) copied() graph.Impl { c := *s; return &c }

func (s *Cell) kept() perIteration { return s.lists().times(s.units) }

// cut returns the copies and slices of both kernels that the products of a step keep for their
// gradients. The loop computes them in each iteration: it reads the variables inside its body
// (keras/src/layers/rnn/lstm.py, call). XLA's loops list what they read in any case.
func (s *Cell) cut(l *graph.Layer, g *graph.Graph, grad bool) (n int64) {
	copied := s.gateByGate || g.Apart && l.DType != l.Weights[0].DType
	if copied && grad {
		n = l.Weights[0].Elements()
	}
	if copied || s.gates == 3 && !s.resetAfter { // the new state's part of the recurrent kernel is for what the reset gate left
		n += l.Weights[1].Elements()
	}
	return n
}

// masked: a cell with gates one by one has a mask for each. Keras 2 makes the masks anew in each step, and
// keeps them for the gradient of what they are applied to (tf_keras/src/layers/rnn/dropout_rnn_cell_mixin.py).
func (s *Cell) masked(l *graph.Layer, grad bool) int64 {
	if s.drop == 0 {
		return 0
	}
	n := s.features(l)
	if s.gateByGate {
		n *= s.gates
	}
	if s.keras2 && grad {
		n *= 2
	}
	return n
}

// parts: an LSTM splits its kernel, whose gradient is put together from those of its parts.
func (s *Cell) parts(l *graph.Layer, w *graph.Weight) int64 {
	switch {
	case s.gateByGate && (w == l.Weights[1] || w == l.Weights[0] && s.gates == 3):
		return s.gates
	case w == l.Weights[1] && s.gates == 3 && !s.resetAfter:
		return 2
	}
	return 1
}

// gradients: each part of the recurrent kernel is converted by itself. A GRU has added the kernel's
// gradient by then: it takes the input's product apart later than the state's.
func (s *Cell) gradients(l *graph.Layer, g *graph.Graph) (n, half int64) {
	kernel, recurrent := l.Weights[0], l.Weights[1]
	n = recurrent.Bytes() * s.parts(l, recurrent)
	if s.gates == 3 {
		n = max(n, kernel.Bytes())
	} else {
		n += kernel.Bytes()
	}
	if g.Apart && l.DType != recurrent.DType {
		half = recurrent.Elements() * l.DType.Size()
	}
	return n, half
}

func (s *Cell) ahead() int64 { return s.gates * s.units }

// lists returns the tensors of [batch, units] that the loop keeps per step.
func (s *Cell) lists() perIteration {
	t := perIteration{stays: s.cellKind.lists}
	if s.recurrentDrop > 0 {
		t.stays += s.gates // the state masked for each gate
		if s.keras2 {
			t.stays += s.gates // and the masks
		}
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
func (s *Cell) taped() perIteration {
	switch s.gates {
	case 4:
		return perIteration{stays: 20}
	case 3:
		return perIteration{stays: 22}
	}
	return perIteration{stays: 3}
}

func (s *Cell) Build(l *graph.Layer, in []tensor.Shape) error {
	if err := graph.CheckRank(in, 2); err != nil {
		return err
	}
	if err := graph.Checks(graph.CheckKnown(in[0].Last(), "the number of features of its input"), graph.CheckKnown(s.units, "units")); err != nil {
		return err
	}
	l.Weight("kernel", true, in[0].Last(), s.gates*s.units)
	l.Weight("recurrent_kernel", true, s.units, s.gates*s.units)
	switch {
	case s.bias && s.resetAfter:
		l.Weight("bias", true, 2, s.gates*s.units)
	case s.bias:
		l.Weight("bias", true, s.gates*s.units)
	}
	return nil
}

// Arguments returns the arguments of a direct call of a cell: the input of a step and the states.
func (s *Cell) Arguments(r *ArgParser) ([]value.Value, graph.Impl) {
	x, _ := r.Args.Get(0, "inputs")
	in := []value.Value{x}
	if v, ok := r.Get(1, "states"); ok {
		if items, several := objects.Sequence(v); several {
			return append(in, items...), s
		}
		return append(in, v), s
	}
	return in, s
}

// Results returns the output, and the states in a list.
func (s *Cell) Results(out []value.Value) value.Value {
	return value.Value{X: value.Tuple{out[0], {X: &value.List{Items: out[1:]}}}}
}

func (s *Cell) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	if err := graph.CheckRank([]tensor.Shape{x.Shape}, 2); err != nil {
		return nil, err
	}
	if n := x.Shape.Last(); n >= 0 && n != l.Weights[0].Shape[0] {
		return nil, value.Refused("the kernel takes %d features and the input has the shape %s", l.Weights[0].Shape[0], x.Shape)
	}
	out, op := g.Add(graph.OpCell, in, x.Shape.With(-1, s.units), l.DType)
	op.Trains(l.Trained(g, l.Weights...)...)
	if s.gates == 1 {
		op.KeepsOutputs()
	} else {
		op.Extra = slices.Repeat([]int64{out.Bytes()}, 5)
	}
	outs := []*graph.Tensor{out, out}
	if s.gates == 4 {
		memory := g.Tensor(graph.OpState, []*graph.Tensor{out}, out.Shape, l.DType)
		outs = append(outs, memory)
	}
	return outs, nil
}

// stacked is StackedRNNCells: each cell runs on the output of the one before.
type stacked struct{ cells []*graph.Layer }

func stackOf(r *ArgParser, keyword string, v value.Value) graph.Impl {
	items, ok := objects.Sequence(v)
	if !ok || len(items) == 0 {
		r.Fail(keyword, value.Because(value.WrongType, "it is not a list of cells"))
		return nil
	}
	s := &stacked{}
	for _, item := range items {
		l := state.LayerOf(item)
		if l == nil {
			r.Fail(keyword, value.Because(value.UnmodelledLayer, "a cell that the program writes is not followed"))
			return nil
		}
		if _, ok := l.Impl.(stepper); !ok {
			r.Fail(keyword, value.Because(value.WrongType, "%s is not a cell", l.Class))
			return nil
		}
		s.cells = append(s.cells, l)
	}
	if r.tooMany(keyword, s.cells) {
		return nil
	}
	return s
}

func (s *stacked) Children() []*graph.Layer { return s.cells }

func (s *stacked) states() (out []int64) {
	for _, c := range s.cells {
		out = append(out, c.Impl.(stepper).states()...)
	}
	return out
}

func (s *stacked) size() int64 { return s.cells[len(s.cells)-1].Impl.(stepper).size() }

func (s *stacked) features(*graph.Layer) int64 { return s.cells[0].Impl.(stepper).features(s.cells[0]) }

func (s *stacked) kept() (t perIteration) {
	for _, c := range s.cells {
		t = t.plus(c.Impl.(stepper).kept())
	}
	return t
}

func (s *stacked) cut(_ *graph.Layer, g *graph.Graph, grad bool) (n int64) {
	for i, c := range s.cells {
		n += c.Impl.(stepper).cut(c, g, grad || i > 0)
	}
	return n
}

func (s *stacked) masked(_ *graph.Layer, grad bool) (n int64) {
	for i, c := range s.cells {
		n += c.Impl.(stepper).masked(c, grad || i > 0)
	}
	return n
}

func (s *stacked) parts(_ *graph.Layer, w *graph.Weight) int64 {
	for _, c := range s.cells {
		if n := c.Impl.(stepper).parts(c, w); n > 1 {
			return n
		}
	}
	return 1
}

func (s *stacked) gradients(_ *graph.Layer, g *graph.Graph) (n, half int64) {
	for _, c := range s.cells {
		if m, h := c.Impl.(stepper).gradients(c, g); m+h > n+half {
			n, half = m, h
		}
	}
	return n, half
}

func (s *stacked) ahead() int64 { return s.cells[0].Impl.(stepper).ahead() }

func (s *stacked) copied() graph.Impl {
	out := &stacked{}
	for _, c := range s.cells {
		out.cells = append(out.cells, cloneCell(c))
	}
	return out
}

func (s *stacked) Build(_ *graph.Layer, in []tensor.Shape) error {
	for _, c := range s.cells {
		if !c.Built {
			if err := c.Impl.Build(c, in); err != nil {
				return err
			}
			c.Built = true
		}
		in = []tensor.Shape{in[0].With(-1, c.Impl.(stepper).size())}
	}
	return nil
}

func (s *stacked) Call(*graph.Layer, *graph.Graph, []*graph.Tensor) ([]*graph.Tensor, error) {
	return nil, value.Because(value.UnmodelledLayer, "a call of stacked cells by themselves is not modelled")
}

// convolving is ConvLSTM: an LSTM with convolutions instead of products.
type convolving struct {
	Walk
	conv                convolution // of the input; its filters are the units
	bias                bool
	drop, recurrentDrop float64
	recurrent           act
	keras2              bool
}

func convLSTM(rank int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		s := &convolving{Walk: r.Walk(), bias: r.Bool(8, "use_bias", true), drop: r.Float(-1, "dropout", 0), recurrentDrop: r.Float(-1, "recurrent_dropout", 0), keras2: r.keras2()}
		s.recurrent = r.looped(7, "recurrent_activation")
		if _, ok := r.Args.Get(7, "recurrent_activation"); !ok && s.keras2 {
			s.recurrent.name = "hard_sigmoid" // tf_keras/src/layers/rnn/base_conv_lstm.py
		}
		s.conv = convolution{
			rank: rank, groups: 1, filters: r.Number(0, "filters", tensor.None), kernel: r.Numbers(1, "kernel_size", rank, Repeated(rank, tensor.None)),
			strides: r.Numbers(2, "strides", rank, Repeated(rank, 1)), padding: r.padding(3), at: r.layout(4),
			dilation: r.Numbers(5, "dilation_rate", rank, Repeated(rank, 1)),
		}
		return s
	}
}

func (s *convolving) clone(reverse bool) recurring {
	c := *s
	c.Walk = s.turned(reverse)
	return &c
}

func (s *convolving) returns() (bool, int) {
	if !s.state {
		return s.sequences, 0
	}
	return s.sequences, 2
}

func (s *convolving) Arguments(r *ArgParser) ([]value.Value, graph.Impl) {
	return RecurrentArguments(r), s
}

// step returns the shape of one step's input.
func (s *convolving) step(in tensor.Shape) tensor.Shape {
	return append(tensor.Shape{in[0]}, in[2:]...)
}

func (s *convolving) Build(l *graph.Layer, in []tensor.Shape) error {
	if err := graph.CheckRank(in, s.conv.rank+3); err != nil {
		return err
	}
	filters, channels := s.conv.filters, s.conv.at.last(s.step(in[0])).Last()
	err := graph.Checks(graph.CheckKnown(filters, "filters"), graph.CheckKnown(channels, "the number of channels of its input"), graph.CheckKnown(slices.Min(s.conv.kernel), "kernel_size"))
	if err != nil {
		return err
	}
	kernel := append([]int64(nil), s.conv.kernel...)
	l.Weight("kernel", true, append(append([]int64(nil), kernel...), channels, 4*filters)...)
	l.Weight("recurrent_kernel", true, append(kernel, filters, 4*filters)...)
	if s.bias {
		l.Weight("bias", true, 4*filters)
	}
	return nil
}

func (s *convolving) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	if err := graph.CheckRank([]tensor.Shape{x.Shape}, s.conv.rank+3); err != nil {
		return nil, err
	}
	place := s.conv.at.last(s.step(x.Shape))
	if want := l.Weights[0].Shape[s.conv.rank]; place.Last() >= 0 && place.Last() != want {
		return nil, value.Refused("the kernel takes %d channels and the input has the shape %s", want, x.Shape)
	}
	for i := range s.conv.rank {
		n, err := s.conv.length(place[i+1], i)
		if err != nil {
			return nil, err
		}
		place[i+1] = n
	}
	place = s.conv.at.back(place.With(-1, s.conv.filters))
	x = graph.Cast(g, x, l.DType)
	steps := s.Steps(g, x)
	shape := append(tensor.Shape{x.Shape[1]}, place...)
	if !s.sequences {
		shape[0] = 1
	}
	out, op := g.Add(graph.OpRNN, append([]*graph.Tensor{steps}, in[1:]...), shape, l.DType)
	op.Keep = []*graph.Tensor{steps}
	op.Trains(l.Trained(g, l.Weights...)...)
	if n, ok := place.Elements(); ok && x.Shape[1] >= 0 {
		lists := perIteration{stays: lstmCell.lists}
		if s.recurrentDrop > 0 {
			lists.stays += s.dropped()
		}
		keepsIterations(op, lists.plus(s.recurrent.gates(3, 2, s.keras2)), x.Shape[1], n, l.DType.Size())
		s.loops(op, steps)
		if s.drop > 0 {
			n := s.dropped()
			if !steps.Grad {
				n = 4 // no gradient reads the masks
			}
			op.Extra = append(op.Extra, n*steps.Bytes())
		}
		// Every step splits the kernels into the kernels of the gates.
		for _, w := range l.Weights[:2] {
			op.Extra = append(op.Extra, max(x.Shape[1], 0)*w.Elements()*l.DType.Size())
		}
		s.iterates(op, 4*n, l.Weights[1].Elements(), x.Shape[1], l.DType.Size())
		op.Loop = s.loop(l, g, x, n)
	}
	return s.Result(g, out, []tensor.Shape{place, place}), nil
}

// dropped returns how many tensors a step keeps of a dropout of what the gates read: each gate has its own,
// and in Keras 2 the loop makes the masks anew (tf_keras/src/layers/rnn/base_conv_lstm.py, call).
func (s *convolving) dropped() int64 {
	if s.keras2 {
		return 8
	}
	return 4
}
