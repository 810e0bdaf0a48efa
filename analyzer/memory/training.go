package memory

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/keras"
)

// A builder makes the kernels of a step from the operations of a forward pass.
type builder struct {
	*step
	// values and grads are by the numbers of tensors; grads are contributions that
	// were not summed yet.
	values []*buffer
	grads  [][]*buffer
	// extras and ahead are by the numbers of operations; ahead is what its gradient
	// makes before one comes.
	extras [][]*buffer
	ahead  []*buffer
	// keptBytes is the size of what stays for the gradients, of kept and of extras.
	keptBytes int64

	gradients map[*keras.Weight][]pending
	optimizer *keras.Optimizer
	infers    bool // no gradient follows
	parts     slab[pending]
}

// pending is the gradient of a weight that was not applied yet.
type pending struct {
	gradient *buffer
	rows     int64
}

// training builds the step of a forward pass, its gradients and the updates.
func training(l *lowered, losses *keras.Compile, optimizer *keras.Optimizer) *builder {
	b, g := newBuilder(l), l.graph
	b.optimizer = optimizer
	weights := trainedOnce(g)
	early := make([][]*buffer, len(weights))
	for i, w := range weights {
		early[i] = b.early(w)
	}
	b.forwards(g)
	b.phase, b.layer = Backward, nil
	for i, t := range l.outputs {
		b.loss(t, losses.Loss(i))
	}
	b.gradients = make(map[*keras.Weight][]pending, len(weights))
	for i := len(g.Ops) - 1; i >= 0; i-- {
		b.layer = g.Ops[i].Layer
		b.backward(g.Ops[i])
	}
	b.phase, b.layer = Update, nil
	b.apply(weights, early)
	return b
}

func newBuilder(l *lowered) *builder {
	a := l.arena
	b := &builder{
		step: &step{arena: a}, values: a.lists.take(l.tensors), grads: a.shares.take(l.tensors),
		extras: a.shares.take(len(l.graph.Ops)), ahead: a.lists.take(len(l.graph.Ops)),
	}
	for _, t := range l.graph.Inputs {
		b.values[t.Number] = b.add(buffer{pinned: true}) // the batch is resident
	}
	return b
}

// forwards adds the forward pass.
func (b *builder) forwards(g *keras.Graph) {
	b.phase = Forward
	for _, op := range g.Ops {
		b.layer = op.Layer
		b.forward(op)
	}
}

// trainedOnce are the weights of the graph that get a gradient, each once, the
// last first, as the gradients come.
func trainedOnce(g *keras.Graph) []*keras.Weight {
	var out []*keras.Weight
	seen := map[*keras.Weight]bool{}
	for i := len(g.Ops) - 1; i >= 0; i-- {
		for _, w := range g.Ops[i].Weights {
			if !seen[w] {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	return out
}

func needsGradient(op *keras.Op) bool {
	for _, t := range op.Out {
		if t.Grad {
			return true
		}
	}
	return false
}

func (b *builder) forward(op *keras.Op) {
	if op.View || b.infers && idle(op) {
		b.values[op.Out[0].Number] = b.values[op.In[0].Number]
		return
	}
	if op.Read {
		b.values[op.Out[0].Number] = b.add(buffer{pinned: true}) // the variable itself
		return
	}
	temp := op.ForwardTemp
	b.reads, b.writes = b.reads[:0], b.writes[:0]
	for _, t := range op.In {
		b.reads = append(b.reads, b.values[t.Number])
	}
	for _, t := range op.Out {
		out := b.add(buffer{size: t.Bytes(), kind: Activations})
		b.values[t.Number] = out
		b.writes = append(b.writes, out)
		if op.InPlace || b.infers && overwrites(op) {
			for _, in := range op.In {
				if in.Bytes() == out.size && !b.values[in.Number].pinned {
					out.over[0] = b.values[in.Number]
					break
				}
			}
		}
	}
	if b.infers {
		// What a gradient would keep beside the output is made all the same, and
		// freed at once: a recurrent layer's reserve, a kernel's copy in half
		// precision.
		for _, size := range op.Extra {
			temp += size
		}
	} else if needsGradient(op) {
		for _, size := range op.Extra {
			extra := b.add(buffer{size: size, kind: Activations})
			b.writes = append(b.writes, extra)
			b.extras[op.Number] = append(b.extras[op.Number], extra)
			b.keptBytes += size
		}
		// What the gradient reads is counted as kept when it is, once a buffer.
		for _, t := range op.Keep {
			b.keep(t)
		}
	}
	b.run(b.reads, b.writes...).temp = temp
	if !b.infers && needsGradient(op) {
		b.makeAhead(op)
	}
}

// makeAhead adds what the gradient of an operation makes before the gradient of its
// output is there.
func (b *builder) makeAhead(op *keras.Op) {
	b.reads = b.reads[:0]
	for _, t := range op.Ahead {
		b.keep(t)
		b.reads = append(b.reads, b.values[t.Number])
	}
	var before *buffer // what is kept is not written over
	for _, size := range op.AheadSizes {
		made := b.add(buffer{size: size, kind: Activations, over: [2]*buffer{before}})
		b.run(b.reads, made)
		b.ahead[op.Number] = made
		b.reads = append(b.reads[:0], made)
		before = made
	}
}

// keep counts a tensor among what stays between the passes.
func (b *builder) keep(t *keras.Tensor) {
	v := b.values[t.Number]
	if v != nil && !v.pinned {
		b.stays(v)
	}
}

// stays counts a buffer among what stays between the passes.
func (b *builder) stays(v *buffer) {
	if v.kept {
		return
	}
	v.kept = true
	b.kept = append(b.kept, v)
	b.keptBytes += v.size
}

// comes adds a contribution to the gradient of a tensor.
func (b *builder) comes(t *keras.Tensor, d *buffer) {
	parts := b.grads[t.Number]
	if parts == nil {
		parts = b.lists.take(1)[:0] // most often there is one
	}
	b.grads[t.Number] = append(parts, d)
}

// gradient is the sum of what came back to a tensor, or nil.
func (b *builder) gradient(t *keras.Tensor) *buffer {
	parts := b.grads[t.Number]
	b.grads[t.Number] = nil
	for len(parts) > 1 {
		sum := b.add(buffer{size: t.Bytes(), over: [2]*buffer{parts[0], parts[1]}})
		b.run(parts[:2], sum)
		parts = parts[1:]
		parts[0] = sum
	}
	if len(parts) == 0 {
		return nil
	}
	return parts[0]
}

// backward adds the gradient of an operation.
func (b *builder) backward(op *keras.Op) {
	reads := b.reads[:0]
	for _, t := range op.Out {
		if g := b.gradient(t); g != nil {
			reads = append(reads, g)
		}
	}
	if len(reads) == 0 || !needsGradient(op) {
		return
	}
	d := reads[0]
	switch {
	case op.Read: // what comes back to a variable is its gradient
		b.pend(op.Weights[0], pending{gradient: d})
		return
	case op.View:
		b.comes(op.In[0], d)
		return
	case op.Product:
		b.factors(op, d)
		return
	}
	reads = append(reads, b.extras[op.Number]...)
	for _, t := range op.Keep {
		reads = append(reads, b.values[t.Number])
	}
	ahead := b.ahead[op.Number]
	reads = append(reads, ahead)
	b.reads = reads
	if op.GradInPlace {
		// The gradients of the weights read it first; then it may be written over.
		b.weights(op, reads, d)
		b.inputs(op, reads, d, d)
		return
	}
	// Which of the two runs first depends on a hash of addresses in Grappler, which goes
	// through the readers of a node in the order of a set of pointers
	// (tensorflow/core/grappler/optimizers/constant_folding.cc, MaterializeShapes). By the
	// records it is the weight's for most, and what was kept for it is gone then.
	b.weights(op, reads, d)
	if op.Linear {
		reads = append(append(b.reads[:0], d), b.extras[op.Number]...)
	}
	b.inputs(op, reads, d, ahead)
}

// pend notes the gradient of a weight.
func (b *builder) pend(w *keras.Weight, p pending) {
	parts := b.gradients[w]
	if parts == nil {
		parts = b.parts.take(1)[:0] // most often there is one
	}
	b.gradients[w] = append(parts, p)
}

// factors adds the gradients of the two factors of a product, in the place of what
// comes back or of the other factor where nobody else needs that
// (tensorflow/python/ops/math_grad.py, _MulGrad).
func (b *builder) factors(op *keras.Op, d *buffer) {
	for i, t := range op.In {
		if !t.Grad {
			continue
		}
		other := b.values[op.In[1-i].Number]
		g := b.add(buffer{size: op.Out[0].Bytes(), over: [2]*buffer{d, other}})
		b.run([]*buffer{d, other}, g)
		if t.Bytes() < g.size {
			sum := b.add(buffer{size: t.Bytes()})
			b.run([]*buffer{g}, sum)
			g = sum
		}
		b.comes(t, g)
	}
}

// inputs adds the gradients of an operation's inputs, which may be written over one
// of what they are made of.
func (b *builder) inputs(op *keras.Op, reads []*buffer, d, over *buffer) {
	temp := op.BackwardTemp
	for i, t := range op.In {
		if !t.Grad || skipped(op, i) {
			continue
		}
		if op.GradSame && t.Bytes() == d.size {
			b.comes(t, d)
			continue
		}
		g := b.add(buffer{size: t.Bytes(), over: [2]*buffer{over}})
		b.run(reads, g).temp = temp
		temp = 0
		b.comes(t, g)
	}
}

// weights adds the gradients of an operation's weights.
func (b *builder) weights(op *keras.Op, reads []*buffer, d *buffer) {
	for _, w := range op.Weights {
		g := b.add(buffer{size: w.Bytes(), kind: Gradients})
		if op.SparseRows > 0 {
			g.size = op.SparseRows * w.DType.Size()
			g.over[0] = d
		}
		b.run(reads, g)
		b.pend(w, pending{g, op.SparseRows})
	}
}

func skipped(op *keras.Op, i int) bool { return slices.Contains(op.NoGradOf, i) }
