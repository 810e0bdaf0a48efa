package memory

import "github.com/tfmem/tfmem/analyzer/keras"

// A builder makes the kernels of a step from the operations of a forward pass.
type builder struct {
	*step
	values map[*keras.Tensor]*buffer
	grads  map[*keras.Tensor][]*buffer // contributions that were not summed yet
	extras map[*keras.Op][]*buffer
	ahead  map[*keras.Op]*buffer // what its gradient makes before one comes
	kept   map[*buffer]bool
	// keptBytes are those that stay for the gradients.
	keptBytes int64

	optimizer *keras.Optimizer
	infers    bool // no gradient follows
}

type pending struct {
	weight   *keras.Weight
	gradient *buffer
	rows     int64
}

// training builds the step of a forward pass, its gradients and the updates.
func training(g *keras.Graph, outputs []*keras.Tensor, losses *keras.Compile, optimizer *keras.Optimizer) *builder {
	b := newBuilder(g)
	b.optimizer = optimizer
	weights := trainedOnce(g)
	early := map[*keras.Weight][]*buffer{}
	for _, w := range weights {
		early[w] = b.early(w)
	}
	b.forwards(g)
	b.phase, b.layer = Backward, nil
	for i, t := range outputs {
		b.loss(t, losses.Loss(i))
	}
	gradients := map[*keras.Weight][]pending{}
	for i := len(g.Ops) - 1; i >= 0; i-- {
		b.layer = g.Ops[i].Layer
		for _, p := range b.backward(g.Ops[i]) {
			gradients[p.weight] = append(gradients[p.weight], p)
		}
	}
	b.phase, b.layer = Update, nil
	b.apply(weights, gradients, early)
	return b
}

func newBuilder(g *keras.Graph) *builder {
	b := &builder{
		step:   &step{},
		values: map[*keras.Tensor]*buffer{}, grads: map[*keras.Tensor][]*buffer{},
		extras: map[*keras.Op][]*buffer{}, ahead: map[*keras.Op]*buffer{}, kept: map[*buffer]bool{},
	}
	for _, t := range g.Inputs {
		b.values[t] = &buffer{pinned: true} // the batch is resident
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
		b.values[op.Out[0]] = b.values[op.In[0]]
		return
	}
	if op.Read {
		b.values[op.Out[0]] = &buffer{pinned: true} // the variable itself
		return
	}
	k := &kernel{temp: op.ForwardTemp}
	for _, t := range op.In {
		k.reads = append(k.reads, b.values[t])
	}
	for _, t := range op.Out {
		out := &buffer{size: t.Bytes(), kind: Activations}
		b.values[t] = out
		k.writes = append(k.writes, out)
		if op.InPlace || b.infers && overwrites(op) {
			for _, in := range op.In {
				if in.Bytes() == out.size && !b.values[in].pinned {
					out.over = []*buffer{b.values[in]}
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
			k.temp += size
		}
	} else if needsGradient(op) {
		for _, size := range op.Extra {
			extra := &buffer{size: size, kind: Activations}
			k.writes = append(k.writes, extra)
			b.extras[op] = append(b.extras[op], extra)
			b.keptBytes += size
		}
		// What the gradient reads is counted as kept when it is, once a buffer.
		for _, t := range op.Keep {
			b.keep(t)
		}
	}
	b.run(k)
	if !b.infers && needsGradient(op) {
		b.makeAhead(op)
	}
}

// makeAhead adds what the gradient of an operation makes before the gradient of its
// output is there.
func (b *builder) makeAhead(op *keras.Op) {
	var reads []*buffer
	for _, t := range op.Ahead {
		b.keep(t)
		reads = append(reads, b.values[t])
	}
	var over []*buffer // what is kept is not written over
	for _, size := range op.AheadSizes {
		made := &buffer{size: size, kind: Activations, over: over}
		b.run(&kernel{reads: reads, writes: []*buffer{made}})
		b.ahead[op] = made
		reads = []*buffer{made}
		over = reads
	}
}

// keep counts a tensor among what stays between the passes.
func (b *builder) keep(t *keras.Tensor) {
	v := b.values[t]
	if v == nil || v.pinned || b.kept[v] {
		return
	}
	b.kept[v] = true
	b.keptBytes += v.size
}

// gradient is the sum of what came back to a tensor, or nil.
func (b *builder) gradient(t *keras.Tensor) *buffer {
	parts := b.grads[t]
	delete(b.grads, t)
	for len(parts) > 1 {
		sum := &buffer{size: t.Bytes(), over: parts[:2]}
		b.run(&kernel{reads: parts[:2], writes: []*buffer{sum}})
		parts = append([]*buffer{sum}, parts[2:]...)
	}
	if len(parts) == 0 {
		return nil
	}
	return parts[0]
}

// backward adds the gradient of an operation, and returns the gradients of its
// weights.
func (b *builder) backward(op *keras.Op) []pending {
	var reads []*buffer
	for _, t := range op.Out {
		if g := b.gradient(t); g != nil {
			reads = append(reads, g)
		}
	}
	if len(reads) == 0 || !needsGradient(op) {
		return nil
	}
	d := reads[0]
	if op.Read { // what comes back to a variable is its gradient
		return []pending{{weight: op.Weights[0], gradient: d}}
	}
	if op.View {
		b.grads[op.In[0]] = append(b.grads[op.In[0]], d)
		return nil
	}
	if op.Product {
		b.factors(op, d)
		return nil
	}
	reads = append(reads, b.extras[op]...)
	for _, t := range op.Keep {
		reads = append(reads, b.values[t])
	}
	var over []*buffer
	if ahead := b.ahead[op]; ahead != nil {
		reads, over = append(reads, ahead), []*buffer{ahead}
	}
	if op.GradInPlace {
		// The gradients of the weights read it first; then it may be written over.
		out := b.weights(op, reads, d)
		b.inputs(op, reads, d, []*buffer{d})
		return out
	}
	b.inputs(op, reads, d, over)
	return b.weights(op, reads, d)
}

// factors adds the gradients of the two factors of a product, in the place of what
// comes back or of the other factor where nobody else needs that
// (tensorflow/python/ops/math_grad.py, _MulGrad).
func (b *builder) factors(op *keras.Op, d *buffer) {
	for i, t := range op.In {
		if !t.Grad {
			continue
		}
		other := b.values[op.In[1-i]]
		g := &buffer{size: op.Out[0].Bytes(), over: []*buffer{d, other}}
		b.run(&kernel{reads: []*buffer{d, other}, writes: []*buffer{g}})
		if t.Bytes() < g.size {
			sum := &buffer{size: t.Bytes()}
			b.run(&kernel{reads: []*buffer{g}, writes: []*buffer{sum}})
			g = sum
		}
		b.grads[t] = append(b.grads[t], g)
	}
}

// inputs adds the gradients of an operation's inputs, which may be written over one
// of what they are made of.
func (b *builder) inputs(op *keras.Op, reads []*buffer, d *buffer, over []*buffer) {
	temp := op.BackwardTemp
	for i, t := range op.In {
		if !t.Grad || skipped(op, i) {
			continue
		}
		if op.GradSame && t.Bytes() == d.size {
			b.grads[t] = append(b.grads[t], d)
			continue
		}
		g := &buffer{size: t.Bytes(), over: over}
		b.run(&kernel{reads: reads, writes: []*buffer{g}, temp: temp})
		temp = 0
		b.grads[t] = append(b.grads[t], g)
	}
}

// weights adds the gradients of an operation's weights.
func (b *builder) weights(op *keras.Op, reads []*buffer, d *buffer) []pending {
	var out []pending
	for _, w := range op.Weights {
		size := w.Bytes()
		k := &kernel{reads: reads}
		g := &buffer{size: size, kind: Gradients}
		if op.SparseRows > 0 {
			g.size = op.SparseRows * w.DType.Size()
			g.over = []*buffer{d}
		}
		k.writes = []*buffer{g}
		b.run(k)
		out = append(out, pending{w, g, op.SparseRows})
	}
	return out
}

func skipped(op *keras.Op, i int) bool {
	for _, n := range op.NoGradOf {
		if n == i {
			return true
		}
	}
	return false
}
