package executor

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// early adds the parts of a weight's update that need no gradient, such as momentum × m in
// keras/src/optimizers/sgd.py. TensorFlow computes them from slots at once, and they stay until
// the gradient comes. rows is the size of a sparse gradient, or 0.
func (b *Builder) early(w *graph.Weight, rows int64) []*Buffer {
	if b.Ordered { // each operation runs when Python comes to it
		return nil
	}
	out := append(b.zeros(w), b.averages(w)...)
	if b.optimizer.Branches {
		return out
	}
	return append(out, b.ofSlots(w, rows, nil)...)
}

// zeros adds what the sum of a weight's gradients becomes once they are applied
// (keras/src/optimizers/base_optimizer.py, _backend_reset_gradient_accumulators). The old sum is
// there until the last gradient was added to it. Zeros are constants of the graph, one for all
// weights of a shape (tensorflow/core/grappler/optimizers/common_subgraph_elimination.cc).
func (b *Builder) zeros(w *graph.Weight) []*Buffer {
	if !b.optimizer.Accumulates || b.optimizer.Fused {
		return nil
	}
	if slices.ContainsFunc(b.zeroed, w.Alike) {
		b.Shared += w.Bytes()
	} else {
		b.zeroed = append(b.zeroed, w)
	}
	return b.List(b.made(w.Bytes(), nil))
}

// averages adds ema_momentum × the average of a weight, if the optimizer averages weights.
func (b *Builder) averages(w *graph.Weight) []*Buffer {
	if !b.optimizer.Averages {
		return nil
	}
	return b.List(b.made(w.Bytes(), nil))
}

// decays adds the decay of a weight, which runs at once. The old value stays as long as readers
// of it are to come (keras/src/optimizers/base_optimizer.py, _apply_weight_decay;
// tensorflow/core/kernels/training_op_helpers.h, PrepareToUpdateVariable).
func (b *Builder) decays(w *graph.Weight) {
	if !b.optimizer.Decays || b.optimizer.Branches || b.Ordered {
		return
	}
	before := b.made(w.Bytes(), nil, b.made(w.Bytes(), nil))
	if b.decayed == nil {
		b.decayed = map[*graph.Weight]*Buffer{}
	}
	b.decayed[w] = before
}

// before returns the weights of an operation as they were before they decayed.
func (b *Builder) before(op *graph.Op) (old []*Buffer) {
	if b.decayed == nil {
		return nil
	}
	for _, w := range op.Weights {
		if t := b.decayed[w]; t != nil {
			old = append(old, t)
		}
	}
	return old
}

// ofSlots adds the parts of a weight's update that come from slots, behind a gate if there is
// one.
func (b *Builder) ofSlots(w *graph.Weight, rows int64, gate *Kernel) []*Buffer {
	if b.optimizer.Fused {
		return nil
	}
	from := len(b.Kernels)
	if gate != nil {
		defer func() {
			for _, k := range b.Kernels[from:] {
				b.after(k, gate)
			}
		}()
	}
	var out []*Buffer
	product := func() { out = append(out, b.made(w.Bytes(), nil)) }
	if b.optimizer.Composed {
		for range b.optimizer.Waiting {
			product()
		}
		return out
	}
	if rows > 0 && b.optimizer.Keras == 2 && b.optimizer.Class != "Ftrl" { // other optimizers write their products into the slots at once
		if b.optimizer.Class == "Adadelta" {
			product() // rho × the squared steps
			product() // their root
		}
		return out
	}
	switch b.optimizer.Class {
	case "SGD":
		if b.optimizer.Momentum {
			product() // momentum × m
		}
	case "RMSprop":
		product() // rho × v
		if b.optimizer.Centered {
			product() // rho × the average gradient
		}
		if b.optimizer.Momentum {
			product() // momentum × m
		}
	case "Adadelta":
		product() // rho × the squared gradients
		product() // rho × the squared steps
		sum := b.made(w.Bytes(), nil)
		if rows == 0 {
			rows = w.Bytes()
		}
		out = append(out, b.made(rows, sum, sum)) // the root of the squared steps, of the gradient's rows
	case "Adamax":
		product() // beta_2 × u
	case "Ftrl":
		product() // the accumulator to a power
	case "Lion":
		product() // beta_1 × m
		product() // beta_2 × m
	case "Muon":
		if b.optimizer.Extra(w) == 0 {
			product() // (momentum - 1) × m
		}
	case "ScheduleFreeAdamW":
		product() // the average so far, of the weight and m
	}
	return out
}

// apply adds the updates of all weights of an update.
func (b *Builder) apply(op *graph.Op, early [][]*Buffer) {
	b.optimizer = op.Update.Optimizer
	gate := b.gate(op)
	var reduced []*Buffer
	if b.shared {
		reduced = b.reduced(op)
	}
	for i, w := range op.Update.Weights {
		parts := b.applied(op.In[i])
		if reduced != nil && reduced[i] != nil {
			parts = []pending{{gradient: reduced[i]}}
		}
		if len(parts) == 0 {
			// Nothing flows back to it in this step: the early parts are freed.
			b.Run(early[i])
			continue
		}
		from := len(b.Kernels)
		b.update(w, parts, early[i], gate)
		if b.updated != nil {
			at := b.Places.Slot(op, i)
			b.updated[at] = append(b.updated[at], b.Kernels[from:]...)
		}
	}
	if b.Ordered {
		// Each gradient is in a tuple until all are applied
		// (keras/src/optimizers/base_optimizer.py, apply_gradients).
		b.hold(op)
	}
}

// gate returns the kernel that the updates of all weights wait for, or nil.
func (b *Builder) gate(op *graph.Op) (gate *Kernel) {
	if b.optimizer.Barrier {
		var all []*Buffer
		for _, t := range op.In {
			for _, p := range b.applied(t) {
				all = append(all, b.normed(p.gradient))
			}
		}
		if all != nil {
			gate = b.Run(all)
		}
	}
	if b.waits(op) {
		gate = b.behindAll(b.constants...)
	}
	return gate
}

// normed returns the part of a gradient that a barrier waits for.
func (b *Builder) normed(gradient *Buffer) *Buffer {
	if !b.optimizer.Squares {
		return gradient
	}
	return b.made(4, nil, b.made(gradient.Size, nil, gradient))
}

// update adds the update of a weight by the parts of its gradient. early are the parts of the
// update that need no gradient.
func (b *Builder) update(w *graph.Weight, parts []pending, early []*Buffer, gate *Kernel) {
	u := updater{b: b, gate: gate, size: w.Bytes(), weight: w}
	g := b.sum(parts, w.Bytes())
	sparse := parts[0].rows > 0 && len(parts) == 1
	if b.optimizer.Accumulates && !b.optimizer.Fused {
		if b.Ordered {
			early = b.zeros(w)
		}
		g, early, sparse = u.accumulated(g, early[0]), early[1:], false
	}
	if b.optimizer.ClipsEach && !sparse {
		g = u.clipped(g)
	}
	var average *Buffer
	if b.optimizer.Averages {
		if b.Ordered {
			early = b.averages(w)
		}
		average, early = early[0], early[1:]
	}
	if b.Ordered || b.optimizer.Branches {
		rows := int64(0)
		if sparse {
			rows = parts[0].rows * w.DType.Size()
		}
		early = b.ofSlots(w, rows, gate)
	}
	switch {
	case b.optimizer.Composed: // rows of a gradient become a whole one
		u.composed(g, early)
	case b.optimizer.Fused:
		if sparse {
			g = u.distinct(g)
		}
		u.fused(g)
	case sparse && b.optimizer.Keras == 2:
		u.scattered(g, early)
	case sparse:
		u.sparse(g, early)
	default:
		u.dense(g, early)
	}
	if average != nil {
		u.averaged(average)
	}
}

// waits reports whether an update applies what variables hold: it is a step of its own, after the
// steps that summed the gradients.
func (b *Builder) waits(op *graph.Op) bool {
	return len(op.In) > 0 && op.In[0].From != nil && op.In[0].From.Read
}

// behindAll returns a kernel that waits for all kernels so far, and reads some buffers.
func (b *Builder) behindAll(reads ...*Buffer) *Kernel {
	before := len(b.Kernels)
	k := b.Run(reads)
	for _, other := range b.Kernels[:before] {
		if other.next == nil {
			b.after(k, other)
		}
	}
	return k
}

// applied returns what an update reads of a gradient: its parts, if nothing else has summed them.
func (b *Builder) applied(t *graph.Tensor) []pending {
	if v := b.Values[t.Number]; v != nil {
		return []pending{{gradient: v}}
	}
	return b.pending[t.Number]
}

// accumulate adds a gradient to the variable that sums gradients.
func (b *Builder) accumulate(op *graph.Op) {
	for _, t := range op.In {
		if g := b.value(t); g != nil && !slices.Contains(b.constants, g) {
			b.Run([]*Buffer{g})
		}
	}
}

// penalize adds what regularizers compute from the updated weights: their squares or absolute
// values, the sums of these, and the gradients of the sums. None needs a batch. TensorFlow
// computes all of them when the step begins, and the gradients wait for those of the loss
// (keras/src/regularizers/regularizers.py; tensorflow/python/ops/math_grad.py, _SquareGrad,
// _AbsGrad).
//
// The gradient of a sum is the factor, tiled to the weight's size. A graph has it as a constant,
// one for all weights of a shape, unless it is too large to fold. In what order tiles and squares are
// made, TensorFlow leaves open: here squares come first, and are summed before their gradients.
// Keras 2 sums squares in one kernel, whose gradient is the weight times a number
// (tf_keras/src/regularizers.py; tensorflow/python/ops/nn_grad.py, _L2LossGrad).
func (b *Builder) penalize(update *graph.Op) {
	b.Phase, b.Layer = Forward, nil
	keras3 := b.optimizer.Keras == 3
	var sums []*Buffer
	for i, w := range update.Update.Weights {
		for _, penalty := range w.Penalties {
			var gradient *Buffer
			switch {
			case penalty.Squares && !keras3:
				gradient = b.made(w.Bytes(), nil)
			case b.Ordered || b.optimizer.Branches || penalty.Tensor && keras3 || w.Bytes() > tensor.Foldable:
				sums = append(sums, b.made(w.Bytes(), nil))
				tile := b.made(w.Bytes(), nil)
				b.Open += w.Bytes()
				of := b.made(w.Bytes(), nil, tile)
				gradient = b.made(w.Bytes(), of, of, tile)
			default:
				b.tile(w)
				sums = append(sums, b.made(w.Bytes(), nil))
				gradient = b.made(w.Bytes(), nil)
			}
			if b.penalties == nil {
				b.penalties = make([][]pending, b.Places.Count)
			}
			gradient.Kind = Gradients
			at := b.Places.Slot(update, i)
			b.penalties[at] = append(b.penalties[at], pending{gradient: gradient})
		}
	}
	for _, each := range sums {
		b.Run([]*Buffer{each})
	}
}

// tile adds the constant that is a factor tiled to the shape of a weight, if no other weight has it.
// Two factors for one shape are taken for one.
func (b *Builder) tile(w *graph.Weight) {
	if !slices.ContainsFunc(b.tiled, w.Alike) {
		b.tiled = append(b.tiled, w)
		b.Run(nil, b.Add(Buffer{Size: w.Bytes(), Pinned: true}))
	}
}

// reduced returns the gradients of an update, by weight, summed over the replicas of a strategy.
// It is nil for sparse gradients, and for gradients that do not come.
//
// In a graph, all of them are concatenated into one tensor, which is reduced in place and split
// again, so each gradient is there twice (tensorflow/python/distribute/cross_device_utils.py,
// batch_all_reduce: bytes_per_pack is 0). In eager execution, each is reduced by itself.
func (b *Builder) reduced(op *graph.Op) []*Buffer {
	out := make([]*Buffer, len(op.Update.Weights))
	var from, to []*Buffer
	pack := int64(0)
	for i, w := range op.Update.Weights {
		parts := b.applied(op.In[i])
		if len(parts) == 0 || parts[0].rows > 0 && len(parts) == 1 {
			continue
		}
		g := b.sum(parts, w.Bytes())
		out[i] = b.Add(Buffer{Size: w.Bytes(), Kind: Gradients})
		if b.Ordered {
			b.Run(b.List(g), out[i])
			continue
		}
		from, to, pack = append(from, g), append(to, out[i]), pack+w.Bytes()
	}
	if from != nil {
		whole := b.made(pack, nil, from...)
		whole.Kind = Gradients
		b.Run(b.List(whole), to...)
	}
	return out
}
