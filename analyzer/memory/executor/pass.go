package executor

import (
	"cmp"
	"slices"
	"sync"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Lowered is a forward pass on a batch, with the memory in which its step is built. For a large
// model that memory is megabytes, and the next batch reuses it.
type Lowered struct {
	Graph   *graph.Graph
	Outputs []*graph.Tensor
	Tensors int // one more than the largest tensor number
	Arena   *Arena
	Shared  bool // replicas sum its gradients
	Places  weightIndex
	// derived holds the gradients of the weights that fit trains, which updates apply.
	derived []graph.Tensor
	updates []*graph.Tensor
	// bypassed is set for each output with a loss that reads the scores before the output's
	// softmax. It is nil with XLA.
	bypassed []bool
	Truth    int64       // bytes of the targets that a custom loss compares the output with
	Compared []*graph.Op // of losses that the program writes
}

// Unused pools values without a pass. An estimate of 1,000 layers prices several trainings, and
// takes an eighth longer without the pool.
var Unused = sync.Pool{New: NewLowered}

func NewLowered() any { return &Lowered{Graph: &graph.Graph{}, Arena: &Arena{}} }

// Free returns the memory to the pool.
func (l *Lowered) Free() {
	l.Graph.Clear()
	if l.Arena.Compiler != nil {
		l.Arena.Compiler.Forget()
	}
	l.Places.forget()
	Unused.Put(l)
}

// Batch returns the bytes of the data.
func (l *Lowered) Batch() (n int64) {
	for _, t := range l.Graph.Inputs {
		n += t.Bytes()
	}
	return n
}

// OnLower is called by Lower, unless it is nil. A test has it panic.
var OnLower func(*graph.Model)

// Lower computes the pass for another batch or another model. If the program writes the training
// step itself and trains is set, it computes the whole step.
func (l *Lowered) Lower(m *graph.Model, inputs []graph.Input, trains bool) (err error) {
	if OnLower != nil {
		OnLower(m)
	}
	if len(m.Unresolved) > 0 {
		return m.Unresolved[0]
	}
	if m.Step != nil && m.Own == nil {
		return m.Step
	}
	g := l.Graph
	g.Clear()
	g.In(m)
	g.Trains = trains && m.Own == nil
	for _, in := range inputs {
		if _, ok := in.Shape.Elements(); !ok {
			why := value.Because(value.ArrayShape, "the shape of its data is known only in part: %s", in.Shape)
			why.Shape = in.Shape
			return why
		}
		g.Inputs = append(g.Inputs, &graph.Tensor{Shape: in.Shape, DType: in.DType})
	}
	l.Outputs, l.bypassed, l.Truth, l.Compared = nil, nil, 0, l.Compared[:0]
	if trains && m.Own != nil {
		err = m.Own.Lower(g, g.Inputs)
	} else {
		l.Outputs, err = m.Lower(g, g.Inputs)
	}
	if err != nil {
		return err
	}
	var sum int64
	for _, op := range g.Ops {
		for _, t := range op.Out {
			n, ok := t.Shape.Elements()
			if !ok && slices.Min(t.Shape) < 0 {
				return value.Because(value.ArrayShape, "the size of what layer %q makes is not known: %s", name(op.Layer), t.Shape)
			}
			if sum += min(n, mostBytes) * t.DType.Size(); !ok || sum > mostBytes {
				return value.Because(value.TooLong, "what layer %q makes, %s, is with what comes before it larger than any memory", name(op.Layer), t.Shape)
			}
		}
	}
	l.Tensors = g.Count()
	l.Places.find(g.Ops)
	return nil
}

// mostBytes bounds the sum of all tensors of a forward pass. A step has several times as much,
// which must fit into 64 bits.
const mostBytes = 1 << 56

func name(l *graph.Layer) string {
	if l == nil {
		return "?"
	}
	return l.Name
}

// Fitted completes a forward pass to the step in which fit trains a model: the losses of its
// outputs, the gradients of all trained weights, and their update.
func (l *Lowered) Fitted(m *graph.Model, optimizer *graph.Optimizer) {
	losses, eager := m.Compiled, l.Graph.Eagerly
	compared := l.Evaluated(losses, optimizer)
	if eager { // the tape also watches the variables of networks in losses
		l.Places.find(l.Graph.Ops)
	}
	weights := l.Places.trained
	asks := &graph.Op{Kind: graph.OpGradient, In: compared, Gradient: &graph.Gradient{Weights: weights}}
	l.derived, l.updates = Zeros(l.derived, len(weights)), l.updates[:0]
	for i, w := range weights {
		l.derived[i].Shape, l.derived[i].DType = w.Shape, w.DType
		l.updates = append(l.updates, &l.derived[i])
	}
	l.then(asks, l.updates...)
	if eager {
		weights, l.updates = l.updated(m, asks)
	}
	l.then(&graph.Op{Kind: graph.OpUpdate, In: l.updates, Update: &graph.Update{Optimizer: optimizer, Weights: weights}})
	if !eager {
		return
	}
	// Metrics run at the end, while names still refer to the results of the step. In tf_keras,
	// names of its optimizer refer to the gradients (keras/src/backend/tensorflow/trainer.py and
	// tf_keras/src/engine/training.py, train_step).
	held := slices.Concat(l.Outputs, asks.In)
	if optimizer.Keras == 3 {
		held = append(held, l.updates...)
	}
	for i := range l.Outputs {
		if losses.Skips(i) {
			continue
		}
		l.measure(losses, i, optimizer)()
	}
	l.then(&graph.Op{Kind: graph.OpHold, In: held})
}

// Evaluated completes a forward pass to the step in which evaluate runs a model: the losses of its
// outputs, which it returns, and its metrics, unless they run in eager mode.
func (l *Lowered) Evaluated(losses *graph.Compile, optimizer *graph.Optimizer) (all []*graph.Tensor) {
	for i := range l.Outputs {
		if losses.Skips(i) {
			continue
		}
		rest := func() {}
		if !l.Graph.Eagerly {
			rest = l.measure(losses, i, optimizer)
		}
		loss := l.ownLoss(losses, i, l.Outputs[i])
		if loss == nil && len(l.Graph.Losses) > 0 && !losses.Asked() {
			rest()
			continue
		}
		if loss == nil {
			loss = &graph.Tensor{DType: "float32", Grad: true}
			l.then(&graph.Op{Kind: graph.OpLoss, Loss: cmp.Or(losses.Loss(i), "?"), In: []*graph.Tensor{l.compared(i)}}, loss)
		}
		all = append(all, loss)
		rest()
	}
	return append(all, l.Graph.Losses...)
}

// updated returns the weights that a model trains, and their gradients. Without tf.function, a
// tape also watches the variables of frozen layers, and holds their gradients until it has all
// (tensorflow/c/eager/tape.h, ComputeGradient).
func (l *Lowered) updated(m *graph.Model, asks *graph.Op) (weights []*graph.Weight, gradients []*graph.Tensor) {
	trains := map[*graph.Weight]bool{}
	m.Weights(func(w *graph.Weight, trained bool) { trains[w] = trained })
	for i, w := range asks.Gradient.Weights {
		if trains[w] {
			weights, gradients = append(weights, w), append(gradients, asks.Out[i])
		}
	}
	l.then(&graph.Op{Kind: graph.OpHold, In: asks.Out})
	return weights, gradients
}

// then adds an operation with the given outputs.
func (l *Lowered) then(op *graph.Op, out ...*graph.Tensor) {
	for _, t := range out {
		t.Number, t.From = l.Tensors, op
		l.Tensors++
	}
	op.Number, op.Out = len(l.Graph.Ops), out
	l.Graph.Ops = append(l.Graph.Ops, op)
	l.Places.add(op)
}

// CublasWorkspace is the workspace of cuBLAS (4 MiB before Hopper, 32 MiB on it).
const CublasWorkspace = 4 << 20
