package layers

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

var recurrentLayers = map[string]layerClass{
	"LSTM": {MayHaveWeights, recurrentOf(lstmCell)}, "GRU": {MayHaveWeights, recurrentOf(gruCell)}, "SimpleRNN": {MayHaveWeights, recurrentOf(simpleCell)},
	"CuDNNLSTM": {MayHaveWeights, cudnnOf(lstmCell)}, "CuDNNGRU": {MayHaveWeights, cudnnOf(gruCell)},
	"LSTMCell": {MayHaveWeights, lstmCell.factory()}, "GRUCell": {MayHaveWeights, gruCell.factory()}, "SimpleRNNCell": {MayHaveWeights, simpleCell.factory()},
	"StackedRNNCells": {MayHaveWeights, func(r *ArgParser) graph.Impl {
		v, _ := r.Get(0, "cells")
		return stackOf(r, "cells", v)
	}},
	"RNN":        {MayHaveWeights, loopOf},
	"ConvLSTM1D": {MayHaveWeights, convLSTM(1)}, "ConvLSTM2D": {MayHaveWeights, convLSTM(2)}, "ConvLSTM3D": {MayHaveWeights, convLSTM(3)},
}

// recurring is an Impl that iterates over time: an RNN layer of any cell.
type recurring interface {
	graph.Impl
	// clone returns a layer of the same arguments without weights. With reverse, it reads time in
	// the other direction.
	clone(reverse bool) recurring
	// returns reports whether every step is returned, and how many states are.
	returns() (sequences bool, states int)
}

// Walk is what all recurrent layers have in common.
type Walk struct {
	sequences bool // return_sequences
	state     bool // return_state
	backwards bool // go_backwards
	unroll    bool // its steps are operations one after the other, not iterations of a loop
}

func (r *ArgParser) Walk() Walk {
	return Walk{r.Bool(-1, "return_sequences", false), r.Bool(-1, "return_state", false), r.Bool(-1, "go_backwards", false), r.Bool(-1, "unroll", false)}
}

func (w Walk) turned(reverse bool) Walk {
	w.backwards = w.backwards != reverse
	return w
}

// Steps moves the time dimension of a sequence to the front, as the loop and cuDNN's kernels need
// it, and reverses it if necessary (keras/src/backend/tensorflow/rnn.py).
func (w Walk) Steps(g *graph.Graph, x *graph.Tensor) *graph.Tensor {
	swapped := append(tensor.Shape{x.Shape[1], x.Shape[0]}, x.Shape[2:]...)
	x = g.Tensor(graph.OpTranspose, []*graph.Tensor{x}, swapped, x.DType)
	if w.backwards {
		x = g.Tensor(graph.OpReverseSteps, []*graph.Tensor{x}, swapped, x.DType)
	}
	return x
}

// Result returns the output and the states of a loop; made is all its steps, time first.
func (w Walk) Result(g *graph.Graph, made *graph.Tensor, states []tensor.Shape) []*graph.Tensor {
	var outs []*graph.Tensor
	if w.sequences {
		back := append(tensor.Shape{made.Shape[1], made.Shape[0]}, made.Shape[2:]...)
		y := g.Tensor(graph.OpTranspose, []*graph.Tensor{made}, back, made.DType)
		outs = append(outs, y)
	} else {
		y := g.Tensor(graph.OpSlice, []*graph.Tensor{made}, made.Shape[1:], made.DType)
		outs = append(outs, y)
	}
	if w.state {
		for _, s := range states {
			y := g.Tensor(graph.OpState, []*graph.Tensor{made}, s, made.DType)
			outs = append(outs, y)
		}
	}
	return outs
}

// RecurrentArguments returns the arguments of a recurrent layer's call.
func RecurrentArguments(r *ArgParser) []value.Value {
	x, _ := r.Args.Get(0, "sequences")
	if v, ok := r.Args.Keywords.Get("inputs"); ok {
		x = v
	}
	in := []value.Value{x}
	if v, ok := r.Get(1, "initial_state"); ok {
		if items, several := objects.Sequence(v); several {
			return append(in, items...)
		}
		return append(in, v)
	}
	return in
}

// Recurrent is LSTM, GRU and SimpleRNN.
type Recurrent struct {
	Cell
	Walk
	Cudnn bool // its arguments allow cuDNN's kernel on a GPU
	// hinders is set if it sets supports_jit to False, for a cuDNN kernel that it may not even
	// use.
	hinders bool
}

func recurrentOf(kind cellKind) layerFactory {
	return func(r *ArgParser) graph.Impl {
		s := &Recurrent{Cell: *kind.cell(r), Walk: r.Walk()}
		// What makes Keras 3 use cuDNN's kernels (keras/src/layers/rnn/lstm.py, gru.py).
		s.hinders = kind.gates > 1 && s.bias && !s.unroll && s.wantsCudnn(r) &&
			s.activation.name == "tanh" && s.recurrent.name == "sigmoid" && (kind.gates == 4 || s.resetAfter)
		s.Cudnn = s.hinders && s.recurrentDrop == 0
		return s
	}
}

// wantsCudnn reads use_cudnn. The default is "auto".
func (*Recurrent) wantsCudnn(r *ArgParser) bool {
	if v, ok := r.Args.Keywords.Get("use_cudnn"); ok && v.X == "auto" {
		return true
	}
	return r.Bool(-1, "use_cudnn", true)
}

// cudnnOf is CuDNNLSTM and CuDNNGRU of tf.compat.v1, with cuDNN's two biases
// (tf_keras/layers/rnn/cudnn_lstm.py, build).
func cudnnOf(kind cellKind) layerFactory {
	return func(r *ArgParser) graph.Impl {
		s := &Recurrent{Walk: r.Walk(), Cudnn: true, hinders: true}
		s.Cell = Cell{cellKind: kind, units: r.Number(0, "units", tensor.None), bias: true, resetAfter: true}
		return s
	}
}

func (s *Recurrent) clone(reverse bool) recurring {
	c := *s
	c.Walk = s.turned(reverse)
	return &c
}

func (s *Recurrent) returns() (bool, int) {
	if !s.state {
		return s.sequences, 0
	}
	return s.sequences, len(s.states())
}

func (s *Recurrent) Arguments(r *ArgParser) ([]value.Value, graph.Impl) {
	return RecurrentArguments(r), s
}

// HindersXLA reports whether the layer sets supports_jit to False.
func (s *Recurrent) HindersXLA() bool { return s.hinders }

func (s *Recurrent) Build(l *graph.Layer, in []tensor.Shape) error {
	if err := graph.CheckRank(in, 3); err != nil {
		return err
	}
	return s.Cell.Build(l, []tensor.Shape{{in[0][0], in[0][2]}})
}

func (s *Recurrent) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	if err := graph.CheckRank([]tensor.Shape{x.Shape}, 3); err != nil {
		return nil, err
	}
	if n := x.Shape.Last(); n >= 0 && n != l.Weights[0].Shape[0] {
		return nil, value.Refused("the kernel takes %d features and the input has the shape %s", l.Weights[0].Shape[0], x.Shape)
	}
	if g.Mode == graph.PredictionMode {
		still := *s
		still.drop, still.recurrentDrop = 0, 0
		s = &still
	}
	x = graph.Cast(g, x, l.DType)
	steps := s.Steps(g, x)
	if s.drop > 0 && g.Mode != graph.PredictionMode {
		// One mask for all steps; the masked input is kept beside it.
		masked, op := g.Add(graph.OpDropout, []*graph.Tensor{steps}, steps.Shape, steps.DType)
		op.Extra = []int64{perStep(x, x.Shape.Last()) * l.DType.Size()}
		steps = masked
	}
	shape := tensor.Shape{x.Shape[1], x.Shape[0], s.units}
	if !s.Cudnn && !s.sequences {
		shape[0] = 1 // the list has one entry, which each step overwrites
	}
	out, op := g.Add(graph.OpRNN, append([]*graph.Tensor{steps}, in[1:]...), shape, l.DType)
	op.Keep = []*graph.Tensor{steps} // the first states are in the lists of states
	op.Trains(l.Trained(g, l.Weights...)...)
	if n, ok := shape.Elements(); ok {
		if s.Cudnn {
			op.KeepsOutputs()
			op.Extra = append(op.Extra, tensor.Round256(s.reserve()*n*l.DType.Size()))
		} else {
			kept, iterations, taped := s.kept(), x.Shape[1], g.Eagerly && !s.keras2
			if taped {
				kept, iterations = s.taped().times(s.units), iterations+1
			}
			keepsIterations(op, kept, iterations, x.Shape[0], l.DType.Size())
			s.loops(op, steps)
			s.keepsCut(op, s.cut(l, g, true), s.cut(l, g, steps.Grad || taped), x.Shape[1], l.DType.Size())
			gradients, half := s.gradients(l, g)
			s.sums(op, gradients, half, x.Shape[1])
			s.partly(op, s, l)
			s.iterates(op, s.ahead()*x.Shape[0], s.cut(l, g, s.unroll), x.Shape[1], l.DType.Size())
			op.Loop = bodyLoop(s, l, g, x, s.Walk)
		}
	}
	return s.Result(g, out, ofBatch(x.Shape[0], s.states())), nil
}

// loops makes the operation a loop over the steps of a sequence, or their unrolled calls. The list
// for the gradients of a loop's steps is created as zeros ahead of any gradient, and so are the sums
// of the weights' gradients (tensorflow/python/ops/while_v2.py, _grad_fn and _preprocess_grad;
// list_ops.py, _TensorListGetItemGrad).
func (w Walk) loops(op *graph.Op, steps *graph.Tensor) {
	if w.unroll {
		op.UnrolledSteps = steps.Shape[0]
		return
	}
	op.Loops = true
	if steps.Grad {
		op.Ahead([]*graph.Tensor{steps}, steps.Bytes())
	}
}

// iterates records what steps need in inference, where they keep no lists. Products of the input and
// copies of kernels do not wait for the states: those of all unrolled steps are there at once. Of what
// a loop runs ahead, op.Loop says more. The list of outputs is copied into one tensor at the end.
func (w Walk) iterates(op *graph.Op, products, kernels, iterations, size int64) {
	var ahead int64
	if w.unroll {
		ahead = iterations
	}
	op.InferenceTemp = tensor.Round256(((ahead+2)*products + ahead*kernels) * size)
	if w.sequences {
		op.InferenceTemp += op.Out[0].Bytes()
	}
}

// keepsCut makes each step of the operation list so many numbers of kernels, and keep those of them that
// gradients read: the list of the others is freed at the end of the loop.
func (w Walk) keepsCut(op *graph.Op, listed, kept, steps, size int64) {
	if steps <= 0 {
		return
	}
	if kept > 0 {
		ahead := min(steps, graph.Parallel)
		op.Extra = append(op.Extra, kept*size*ahead)
		if !w.unroll {
			op.Independent = len(op.Extra)
		}
		if steps > ahead {
			op.Extra = append(op.Extra, kept*size*(steps-ahead))
		}
	}
	op.ForwardTemp += (listed - kept) * size * steps
}

// sums records what an iteration of the gradient's loop computes of the weights' gradients before it
// adds them to their sums. The iteration has taken its own part from the lists by then.
func (w Walk) sums(op *graph.Op, gradients, half, steps int64) {
	if steps <= 0 {
		return
	}
	if w.unroll { // all steps have a gradient of each weight; one is in half precision still
		op.WeightTemp = half
		return
	}
	gradients += half
	for _, listed := range op.Extra {
		gradients -= listed / steps
	}
	op.WeightTemp = max(gradients, 0)
}

// partly records how many gradients of each weight an unrolled step computes.
func (w Walk) partly(op *graph.Op, c stepper, cell *graph.Layer) {
	if !w.unroll {
		return
	}
	for _, weight := range op.Weights {
		op.CallGradients = append(op.CallGradients, c.parts(cell, weight))
	}
}

// perStep returns n numbers for each example, or 0.
func perStep(x *graph.Tensor, n int64) int64 {
	if x.Shape[0] < 0 || n < 0 {
		return 0
	}
	return x.Shape[0] * n
}

// reserve returns how many tensors of [time, batch, units] cuDNN reserves for the gradient: 5 for
// an LSTM, 6 for a GRU.
func (s *Recurrent) reserve() int64 {
	if s.gates == 4 {
		return 5
	}
	return 6
}

// loop is RNN: a cell, or several stacked ones, run step by step.
type loop struct {
	Walk
	cell *graph.Layer
}

func loopOf(r *ArgParser) graph.Impl {
	v, ok := r.Get(0, "cell")
	if !ok {
		r.Fail("cell", value.Because(value.MissingArgument, "it is not passed"))
		return nil
	}
	cell := state.LayerOf(v)
	if _, several := objects.Sequence(v); several {
		s := stackOf(r, "cell", v)
		if s == nil {
			return nil
		}
		cell = &graph.Layer{Class: "StackedRNNCells", Name: "stacked_rnn_cells", Trainable: true, Impl: s}
	}
	if cell == nil {
		r.Fail("cell", value.Because(value.UnmodelledLayer, "a cell that the program writes is not followed"))
		return nil
	}
	if s, ok := cell.Impl.(interface{ Loop(r *ArgParser) graph.Impl }); ok && r.In != nil {
		return s.Loop(r)
	}
	if _, ok := cell.Impl.(stepper); !ok {
		r.Fail("cell", value.Because(value.WrongType, "%s is not a cell", cell.Class))
		return nil
	}
	return &loop{r.Walk(), cell}
}

func (s *loop) Children() []*graph.Layer { return []*graph.Layer{s.cell} }

func (s *loop) clone(reverse bool) recurring {
	return &loop{s.turned(reverse), cloneCell(s.cell)}
}

// cloneCell returns a cell of the same arguments without weights.
func cloneCell(l *graph.Layer) *graph.Layer {
	c := &graph.Layer{Class: l.Class, Name: l.Name, Node: l.Node, Trainable: l.Trainable, DType: l.DType, Store: l.Store, Penalties: l.Penalties, Initializers: l.Initializers}
	c.Impl = l.Impl.(stepper).copied()
	return c
}

func (s *loop) returns() (bool, int) {
	if !s.state {
		return s.sequences, 0
	}
	return s.sequences, len(s.cell.Impl.(stepper).states())
}

func (s *loop) Arguments(r *ArgParser) ([]value.Value, graph.Impl) { return RecurrentArguments(r), s }

func (s *loop) Build(_ *graph.Layer, in []tensor.Shape) error {
	if err := graph.CheckRank(in, 3); err != nil {
		return err
	}
	if s.cell.Built {
		return nil
	}
	s.cell.Built = true
	return s.cell.Impl.Build(s.cell, []tensor.Shape{{in[0][0], in[0][2]}})
}

func (s *loop) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	if err := graph.CheckRank([]tensor.Shape{x.Shape}, 3); err != nil {
		return nil, err
	}
	c := s.cell.Impl.(stepper)
	if want := c.features(s.cell); x.Shape.Last() != want {
		return nil, value.Refused("the cell takes %d features and the input has the shape %s", want, x.Shape)
	}
	x = graph.Cast(g, x, l.DType)
	steps := s.Steps(g, x)
	shape := tensor.Shape{x.Shape[1], x.Shape[0], c.size()}
	if !s.sequences {
		shape[0] = 1
	}
	out, op := g.Add(graph.OpRNN, append([]*graph.Tensor{steps}, in[1:]...), shape, l.DType)
	op.Keep = []*graph.Tensor{steps}
	s.cell.Visit(g.Snapshot, true, map[*graph.Weight]bool{}, func(w *graph.Weight, trained bool) {
		if trained {
			op.Trains(w)
		}
	})
	if x.Shape[0] >= 0 && x.Shape[1] >= 0 {
		keepsIterations(op, c.kept(), x.Shape[1], x.Shape[0], l.DType.Size())
		if n := c.masked(s.cell, steps.Grad); n > 0 && g.Mode != graph.PredictionMode {
			op.Extra = append(op.Extra, tensor.Round256(n*x.Shape[1]*x.Shape[0]*l.DType.Size()))
		}
		s.loops(op, steps)
		s.keepsCut(op, c.cut(s.cell, g, true), c.cut(s.cell, g, steps.Grad), x.Shape[1], l.DType.Size())
		gradients, half := c.gradients(s.cell, g)
		s.sums(op, gradients, half, x.Shape[1])
		s.partly(op, c, s.cell)
		s.iterates(op, c.ahead()*x.Shape[0], c.cut(s.cell, g, s.unroll), x.Shape[1], l.DType.Size())
		op.Loop = bodyLoop(c, s.cell, g, x, s.Walk)
	}
	return s.Result(g, out, ofBatch(x.Shape[0], c.states())), nil
}

// ofBatch returns the shapes of states of the given sizes.
func ofBatch(batch int64, sizes []int64) (states []tensor.Shape) {
	for _, n := range sizes {
		states = append(states, tensor.Shape{batch, n})
	}
	return states
}

// perIteration is how many numbers a recurrent layer's loop keeps per iteration and example.
type perIteration struct {
	// stays lives until the gradient has run.
	stays int64
	// passes lives until the loop has run: it is in a list that no gradient reads.
	passes int64
	// compares lives until the gradient has computed masks from it, which needs no incoming
	// gradient.
	compares int64
	// makes is what the gradient also computes before an iteration's gradient arrives.
	makes int64
}

func (t perIteration) plus(o perIteration) perIteration {
	return perIteration{t.stays + o.stays, t.passes + o.passes, t.compares + o.compares, t.makes + o.makes}
}

func (t perIteration) times(n int64) perIteration {
	return perIteration{t.stays * n, t.passes * n, t.compares * n, t.makes * n}
}

// keepsIterations makes the operation a loop of so many iterations, each of which keeps so many bytes
// per example.
func keepsIterations(op *graph.Op, t perIteration, iterations, batch, size int64) {
	ahead := min(iterations, graph.Parallel)
	op.Extra = append(op.Extra, tensor.Round256((t.stays*iterations+t.compares*(iterations-ahead))*batch*size))
	op.ForwardTemp += t.passes * iterations * batch * size
	op.SpillBytes = t.compares * ahead * batch * size
	op.SpillUntil = (t.compares + t.makes*size) * ahead * batch // a mask is a byte for each number
}

// gates returns what a step keeps of its recurrent activation beside its result, which the
// products with it keep. tanhs is how many gates are multiplied with the result of an activation;
// that activation's own gradient reads the result, too.
func (a act) gates(n, tanhs int64, keras2 bool) perIteration {
	switch {
	case a.name != "hard_sigmoid":
		return perIteration{}
	case keras2:
		// clip_by_value(0.2 x + 0.5) of tf_keras/src/backend.py. The gradients of Minimum and
		// Maximum compare their inputs. The gradient of the product also covers the 0.2
		// (tensorflow/python/ops/math_grad.py, _MaximumMinimumGrad and _MulGrad), until Grappler
		// drops it: x is in a list that nothing reads.
		return perIteration{passes: n, compares: 2 * n}
	}
	// relu6(x + 3) / 6 of keras/src/backend/tensorflow/nn.py. The gradient of relu6 reads its
	// result. Grappler pushes the 6 into the product with the gradient, and what that computes of
	// a gate's factor waits. It overwrites the factor if nothing else reads that.
	return perIteration{stays: n, makes: tanhs}
}
