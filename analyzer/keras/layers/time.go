package layers

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// timeDistributed is TimeDistributed. Keras 3 calls the inner layer once per time step and stacks
// the results (keras/src/layers/rnn/time_distributed.py, call). Keras 2 calls it once on the
// steps of all examples, reshaped into one batch (tf_keras/src/layers/rnn/time_distributed.py,
// call).
type timeDistributed struct {
	inner *graph.Layer
	rows  bool // all in one batch
}

func (s *timeDistributed) Children() []*graph.Layer { return []*graph.Layer{s.inner} }

func (s *timeDistributed) Build(l *graph.Layer, in []tensor.Shape) error {
	if len(in) == 0 || len(in[0]) < 3 {
		return value.Refused("it expects an input of at least 3 dimensions")
	}
	if !s.rows && s.inner.Inner == nil {
		// Keras 3 runs only what the layer's call does, under the type of TimeDistributed: weights
		// are cast to that.
		s.inner.DType = l.DType
	}
	return nil // the inner layer is built when it is applied
}

func (s *timeDistributed) Call(_ *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	x := in[0]
	if len(x.Shape) < 3 {
		return nil, value.Refused("it expects an input of at least 3 dimensions")
	}
	if !s.rows && g.By == nil && x.Shape[1] > 1 {
		if out, err := s.unrolled(g, x); out != nil || err != nil {
			return out, err
		}
	}
	return s.inRows(g, x)
}

// mostUnrolled bounds the operations of all time steps. Beyond it, one step more or less does not
// matter.
const mostUnrolled = 10_000

// unrolled calls the layer step by step. It returns nothing if that is too much.
func (s *timeDistributed) unrolled(g *graph.Graph, x *graph.Tensor) ([]*graph.Tensor, error) {
	from, losses, steps := len(g.Ops), len(g.Losses), x.Shape[1]
	shape := slices.Clone(x.Shape)
	shape[0], shape[1] = steps, x.Shape[0]
	byTime := g.Tensor(graph.OpTranspose, []*graph.Tensor{x}, shape, x.DType)
	var each []*graph.Tensor
	for range steps {
		step, op := g.Add(graph.OpStridedSlice, []*graph.Tensor{byTime}, shape[1:], x.DType)
		// A slice of the first dimension is not a copy if it begins at a multiple of 64 bytes
		// (tensorflow/core/framework/ops_util.h, IsDim0SliceAligned). Its gradient has the size
		// of the whole.
		if n, ok := step.Shape.Elements(); ok {
			op.View = n*step.DType.Size()%64 == 0
		}
		out, err := s.inner.Run(s.inner.Impl, g, []*graph.Tensor{step})
		if err != nil {
			return nil, err
		}
		if len(out) == 0 || len(out[0].Shape) == 0 {
			return nil, value.Because(value.UnmodelledLayer, "the output of the layer inside has no batch")
		}
		each = append(each, out[0])
		if int64(len(g.Ops)-from)*steps > mostUnrolled*int64(len(each)) {
			g.Ops, g.Losses = g.Ops[:from], g.Losses[:losses]
			return nil, nil
		}
	}
	y := g.Tensor(graph.OpPack, each, append(tensor.Shape{steps}, each[0].Shape...), each[0].DType)
	shape = slices.Clone(y.Shape)
	shape[0], shape[1] = shape[1], steps
	return []*graph.Tensor{g.Tensor(graph.OpTranspose, []*graph.Tensor{y}, shape, y.DType)}, nil
}

// inRows calls the layer once, on the steps of all examples.
func (s *timeDistributed) inRows(g *graph.Graph, x *graph.Tensor) ([]*graph.Tensor, error) {
	rows := tensor.None
	if x.Shape[0] >= 0 && x.Shape[1] >= 0 {
		rows = x.Shape[0] * x.Shape[1]
	}
	steps, op := g.Add(graph.OpUnpack, []*graph.Tensor{x}, append(tensor.Shape{rows}, x.Shape[2:]...), x.DType)
	op.View = s.rows
	if n := x.Shape[1]; n > 2 && !s.rows {
		// The gradient of each step is as large as all steps together, and all of these wait to
		// be summed (keras/src/layers/rnn/time_distributed.py, step_function;
		// tensorflow/python/ops/array_grad.py, _StridedSliceGrad).
		if op.BackwardTemp = (tensor.Shape{n - 2, x.Bytes()}).Product(); op.BackwardTemp < 0 {
			return nil, value.Because(value.TooLong, "the gradients of %d steps of %d bytes are more than any memory", n, x.Bytes())
		}
	}
	from, call := len(g.Ops), s.inner.Run // Keras 3 runs only what call does
	if s.rows {
		call = s.inner.ApplyAs
	}
	out, err := call(s.inner.Impl, g, []*graph.Tensor{steps})
	if err != nil {
		return nil, err
	}
	if !s.rows && x.Shape[1] > 1 {
		for _, op := range g.Ops[from:] {
			if len(op.Weights) > 0 {
				op.UnrolledSteps = max(op.UnrolledSteps, 1) * x.Shape[1]
			}
		}
	}
	if len(out) == 0 || len(out[0].Shape) == 0 {
		return nil, value.Because(value.UnmodelledLayer, "the output of the layer inside has no batch")
	}
	if m := s.inner.Inner; s.rows && m != nil && (m.Class == "Functional" || m.Class == "Sequential") && g.Mode != graph.PredictionMode && !g.Eagerly && g.By == nil {
		if err := s.masked(g, steps, from); err != nil {
			return nil, err
		}
	}
	y, op := g.Add(graph.OpPack, out[:1], append(tensor.Shape{x.Shape[0], x.Shape[1]}, out[0].Shape[1:]...), out[0].DType)
	op.View = s.rows
	return []*graph.Tensor{y}, nil
}

// masked asks a model for the mask of its output. Keras 2 calls the model once more for that
// (tf_keras/src/layers/rnn/time_distributed.py, compute_mask; functional.py and sequential.py,
// compute_mask). A graph drops those operations if they add nothing to the loss. The moving
// averages of normalizations, and what leads to them, remain: they are updated twice. first is
// the index of the previous call's first operation.
func (s *timeDistributed) masked(g *graph.Graph, steps *graph.Tensor, first int) error {
	from, losses := len(g.Ops), len(g.Losses)
	if _, err := s.inner.Apply(g, []*graph.Tensor{steps}); err != nil {
		return err
	}
	if len(g.Losses) > losses {
		return nil // the call adds to the loss
	}
	averages := func(op *graph.Op) bool {
		return op.Layer != nil && strings.HasSuffix(op.Layer.Class, "BatchNormalization") && (op.Kind == graph.OpBatchNorm || op.Kind == graph.OpFusedBatchNorm) && g.Snapshot.Trains(&op.Layer.Trainable)
	}
	// Each starts from the averages that the previous call updated.
	before := map[*graph.Layer]*graph.Tensor{}
	for _, op := range g.Ops[first:from] {
		if averages(op) {
			before[op.Layer] = op.Out[0]
		}
	}
	again := g.Ops[from:]
	g.Ops = slices.Clone(g.Ops[:from])
	wanted := map[*graph.Tensor]bool{}
	var kept []*graph.Op
	for _, op := range slices.Backward(again) {
		if !averages(op) && !slices.ContainsFunc(op.Out, func(t *graph.Tensor) bool { return wanted[t] }) {
			continue
		}
		if t := before[op.Layer]; t != nil && averages(op) {
			mean := g.Tensor(graph.OpAssign, []*graph.Tensor{t}, tensor.Shape{1}, t.DType)
			op.In = append(op.In, mean)
		}
		for _, t := range op.In {
			wanted[t] = true
		}
		op.Forget()
		kept = append(kept, op)
	}
	slices.Reverse(kept)
	g.Ops = append(g.Ops, kept...)
	return nil
}
