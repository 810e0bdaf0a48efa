package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

var recurrentLayers = map[string]layerClass{
	"LSTM": {mayHaveWeights, recurrentOf(lstmCell)}, "GRU": {mayHaveWeights, recurrentOf(gruCell)}, "SimpleRNN": {mayHaveWeights, recurrentOf(simpleCell)},
	"CuDNNLSTM": {mayHaveWeights, cudnnOf(lstmCell)}, "CuDNNGRU": {mayHaveWeights, cudnnOf(gruCell)},
	"LSTMCell": {mayHaveWeights, lstmCell.factory()}, "GRUCell": {mayHaveWeights, gruCell.factory()}, "SimpleRNNCell": {mayHaveWeights, simpleCell.factory()},
	"StackedRNNCells": {mayHaveWeights, func(r *argParser) layerImpl {
		v, _ := r.get(0, "cells")
		return stackOf(r, "cells", v)
	}},
	"RNN":        {mayHaveWeights, loopOf},
	"ConvLSTM1D": {mayHaveWeights, convLSTM(1)}, "ConvLSTM2D": {mayHaveWeights, convLSTM(2)}, "ConvLSTM3D": {mayHaveWeights, convLSTM(3)},
}

// recurring is a layerImpl that iterates over time: an RNN layer of any cell.
type recurring interface {
	layerImpl
	// clone returns a layer of the same arguments without weights. With reverse, it reads time in
	// the other direction.
	clone(reverse bool) recurring
	// returns reports whether every step is returned, and how many states are.
	returns() (sequences bool, states int)
}

// walk is what all recurrent layers have in common.
type walk struct {
	sequences bool // return_sequences
	state     bool // return_state
	backwards bool // go_backwards
}

func (r *argParser) walk() walk {
	return walk{r.bool(-1, "return_sequences", false), r.bool(-1, "return_state", false), r.bool(-1, "go_backwards", false)}
}

func (w walk) turned(reverse bool) walk {
	w.backwards = w.backwards != reverse
	return w
}

// steps moves the time dimension of a sequence to the front, as the loop and cuDNN's kernels need
// it, and reverses it if necessary (keras/src/backend/tensorflow/rnn.py).
func (w walk) steps(g *Graph, x *Tensor) *Tensor {
	swapped := append(Shape{x.Shape[1], x.Shape[0]}, x.Shape[2:]...)
	x = g.tensor(OpTranspose, []*Tensor{x}, swapped, x.DType)
	if w.backwards {
		x = g.tensor(OpReverseSteps, []*Tensor{x}, swapped, x.DType)
	}
	return x
}

// result returns the output and the states of a loop; made is all its steps, time first.
func (w walk) result(g *Graph, made *Tensor, states []Shape) []*Tensor {
	var outs []*Tensor
	if w.sequences {
		back := append(Shape{made.Shape[1], made.Shape[0]}, made.Shape[2:]...)
		y := g.tensor(OpTranspose, []*Tensor{made}, back, made.DType)
		outs = append(outs, y)
	} else {
		y := g.tensor(OpSlice, []*Tensor{made}, made.Shape[1:], made.DType)
		outs = append(outs, y)
	}
	if w.state {
		for _, s := range states {
			y := g.tensor(OpState, []*Tensor{made}, s, made.DType)
			outs = append(outs, y)
		}
	}
	return outs
}

// recurrentArguments returns the arguments of a recurrent layer's call.
func recurrentArguments(r *argParser) []value.Value {
	x, _ := r.args.Get(0, "sequences")
	if v, ok := r.args.Keywords.Get("inputs"); ok {
		x = v
	}
	in := []value.Value{x}
	if v, ok := r.get(1, "initial_state"); ok {
		if items, several := objects.Sequence(v); several {
			return append(in, items...)
		}
		return append(in, v)
	}
	return in
}

// recurrent is LSTM, GRU and SimpleRNN.
type recurrent struct {
	cell
	walk
	cudnn bool // its arguments allow cuDNN's kernel on a GPU
	// hinders is set if it sets supports_jit to False, for a cuDNN kernel that it may not even
	// use.
	hinders bool
}

func recurrentOf(kind cellKind) layerFactory {
	return func(r *argParser) layerImpl {
		s := &recurrent{cell: *kind.cell(r), walk: r.walk()}
		// What makes Keras 3 use cuDNN's kernels (keras/src/layers/rnn/lstm.py, gru.py).
		s.hinders = kind.gates > 1 && s.bias && !r.bool(-1, "unroll", false) && s.wantsCudnn(r) &&
			s.activation.name == "tanh" && s.recurrent.name == "sigmoid" && (kind.gates == 4 || s.resetAfter)
		s.cudnn = s.hinders && s.recurrentDrop == 0
		return s
	}
}

// wantsCudnn reads use_cudnn. The default is "auto".
func (*recurrent) wantsCudnn(r *argParser) bool {
	if v, ok := r.args.Keywords.Get("use_cudnn"); ok && v.X == "auto" {
		return true
	}
	return r.bool(-1, "use_cudnn", true)
}

// cudnnOf is CuDNNLSTM and CuDNNGRU of tf.compat.v1, with cuDNN's two biases
// (tf_keras/layers/rnn/cudnn_lstm.py, build).
func cudnnOf(kind cellKind) layerFactory {
	return func(r *argParser) layerImpl {
		s := &recurrent{walk: r.walk(), cudnn: true, hinders: true}
		s.cell = cell{cellKind: kind, units: r.number(0, "units", None), bias: true, resetAfter: true}
		return s
	}
}

func (s *recurrent) clone(reverse bool) recurring {
	c := *s
	c.walk = s.turned(reverse)
	return &c
}

func (s *recurrent) returns() (bool, int) {
	if !s.state {
		return s.sequences, 0
	}
	return s.sequences, len(s.states())
}

func (s *recurrent) arguments(r *argParser) ([]value.Value, layerImpl) {
	return recurrentArguments(r), s
}

// hindersXLA reports whether the layer sets supports_jit to False.
func (s *recurrent) hindersXLA() bool { return s.hinders }

func (s *recurrent) build(l *Layer, in []Shape) error {
	if err := rank(in, 3); err != nil {
		return err
	}
	return s.cell.build(l, []Shape{{in[0][0], in[0][2]}})
}

func (s *recurrent) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if err := rank([]Shape{x.Shape}, 3); err != nil {
		return nil, err
	}
	if n := x.Shape.Last(); n >= 0 && n != l.Weights[0].Shape[0] {
		return nil, value.Because(value.KerasRaises, "TensorFlow will raise: the kernel takes %d features and the input has the shape %s", l.Weights[0].Shape[0], x.Shape)
	}
	if g.mode == predicts {
		still := *s
		still.drop, still.recurrentDrop = 0, 0
		s = &still
	}
	x = cast(g, x, l.DType)
	steps := s.steps(g, x)
	if s.drop > 0 && g.mode != predicts {
		// One mask for all steps; the masked input is kept beside it.
		masked, op := g.add(OpDropout, []*Tensor{steps}, steps.Shape, steps.DType)
		op.Extra = []int64{perStep(x, x.Shape.Last()) * l.DType.Size()}
		steps = masked
	}
	shape := Shape{x.Shape[1], x.Shape[0], s.units}
	taped := g.eager && !s.cudnn && !s.keras2
	if taped && !s.sequences {
		shape[0] = 1 // the list has one entry, which each step overwrites
	}
	out, op := g.add(OpRNN, append([]*Tensor{steps}, in[1:]...), shape, l.DType)
	op.Keep = []*Tensor{steps} // the first states are in the lists of states
	op.trains(l.trained(g, l.Weights...)...)
	if n, ok := shape.Elements(); ok {
		if s.cudnn {
			op.keepsOutputs()
			op.Extra = append(op.Extra, round256(s.reserve()*n*l.DType.Size()))
		} else {
			kept, iterations := s.kept(), x.Shape[1]
			if taped {
				kept, iterations = s.taped().times(s.units), iterations+1
			}
			op.keepsIterations(kept, iterations, x.Shape[0], l.DType.Size())
			op.loops(steps)
		}
		op.keepsCut(s.cut(l)*l.DType.Size(), x.Shape[1])
	}
	var states []Shape
	for _, units := range s.states() {
		states = append(states, Shape{x.Shape[0], units})
	}
	return s.result(g, out, states), nil
}

// loops makes the operation a loop over the steps of a sequence. The list for the gradients of
// the steps is created as zeros ahead of any gradient, and so are the sums of the weights'
// gradients (tensorflow/python/ops/while_v2.py, _grad_fn and _preprocess_grad; list_ops.py,
// _TensorListGetItemGrad).
func (op *Op) loops(steps *Tensor) {
	op.Loops = true
	if steps.Grad {
		op.ahead([]*Tensor{steps}, steps.Bytes())
	}
}

// keepsCut makes the operation keep so many bytes of kernels for each step.
func (op *Op) keepsCut(bytes, steps int64) {
	if bytes > 0 && steps > 0 {
		op.Extra = append(op.Extra, bytes*steps)
	}
}

// perStep returns n numbers for each example, or 0.
func perStep(x *Tensor, n int64) int64 {
	if x.Shape[0] < 0 || n < 0 {
		return 0
	}
	return x.Shape[0] * n
}

// reserve returns how many tensors of [time, batch, units] cuDNN reserves for the gradient: 5 for
// an LSTM, 6 for a GRU.
func (s *recurrent) reserve() int64 {
	if s.gates == 4 {
		return 5
	}
	return 6
}

// loop is RNN: a cell, or several stacked ones, run step by step.
type loop struct {
	walk
	cell *Layer
}

func loopOf(r *argParser) layerImpl {
	v, ok := r.get(0, "cell")
	if !ok {
		r.fail("cell", value.Because(value.MissingArgument, "it is not passed"))
		return nil
	}
	cell := layerOf(v)
	if _, several := objects.Sequence(v); several {
		s := stackOf(r, "cell", v)
		if s == nil {
			return nil
		}
		cell = &Layer{Class: "StackedRNNCells", Name: "stacked_rnn_cells", Trainable: true, impl: s}
	}
	if cell == nil {
		r.fail("cell", value.Because(value.UnmodelledLayer, "a cell that the program writes is not followed"))
		return nil
	}
	if s, ok := cell.impl.(interface{ loop(r *argParser) layerImpl }); ok && r.in != nil {
		return s.loop(r)
	}
	if _, ok := cell.impl.(stepper); !ok {
		r.fail("cell", value.Because(value.WrongType, "%s is not a cell", cell.Class))
		return nil
	}
	return &loop{r.walk(), cell}
}

func (s *loop) children() []*Layer { return []*Layer{s.cell} }

func (s *loop) clone(reverse bool) recurring {
	return &loop{s.turned(reverse), cloneCell(s.cell)}
}

// cloneCell returns a cell of the same arguments without weights.
func cloneCell(l *Layer) *Layer {
	c := &Layer{Class: l.Class, Name: l.Name, Node: l.Node, Trainable: l.Trainable, DType: l.DType, Store: l.Store, penalties: l.penalties}
	c.impl = l.impl.(stepper).copied()
	return c
}

func (s *loop) returns() (bool, int) {
	if !s.state {
		return s.sequences, 0
	}
	return s.sequences, len(s.cell.impl.(stepper).states())
}

func (s *loop) arguments(r *argParser) ([]value.Value, layerImpl) { return recurrentArguments(r), s }

func (s *loop) build(_ *Layer, in []Shape) error {
	if err := rank(in, 3); err != nil {
		return err
	}
	if s.cell.built {
		return nil
	}
	s.cell.built = true
	return s.cell.impl.build(s.cell, []Shape{{in[0][0], in[0][2]}})
}

func (s *loop) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if err := rank([]Shape{x.Shape}, 3); err != nil {
		return nil, err
	}
	c := s.cell.impl.(stepper)
	if want := c.features(s.cell); x.Shape.Last() != want {
		return nil, value.Because(value.KerasRaises, "TensorFlow will raise: the cell takes %d features and the input has the shape %s", want, x.Shape)
	}
	x = cast(g, x, l.DType)
	steps := s.steps(g, x)
	out, op := g.add(OpRNN, append([]*Tensor{steps}, in[1:]...), Shape{x.Shape[1], x.Shape[0], c.size()}, l.DType)
	op.Keep = []*Tensor{steps}
	s.cell.visit(g.snapshot, true, map[*Weight]bool{}, func(w *Weight, trained bool) {
		if trained {
			op.trains(w)
		}
	})
	if x.Shape[0] >= 0 && x.Shape[1] >= 0 {
		op.keepsIterations(c.kept(), x.Shape[1], x.Shape[0], l.DType.Size())
		op.loops(steps)
		op.keepsCut(c.cut(s.cell)*l.DType.Size(), x.Shape[1])
	}
	var states []Shape
	for _, units := range c.states() {
		states = append(states, Shape{x.Shape[0], units})
	}
	return s.result(g, out, states), nil
}
