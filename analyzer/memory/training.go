package memory

import "github.com/tfmem/tfmem/analyzer/keras"

// A builder makes the kernels of a step from the operations of a forward pass.
type builder struct {
	*step
	values map[*keras.Tensor]*buffer
	grads  map[*keras.Tensor][]*buffer // contributions that were not summed yet
	extras map[*keras.Op][]*buffer
	ahead  map[*keras.Op][]*buffer // what its gradient makes before one comes
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
func training(g *keras.Graph, outputs []*keras.Tensor, optimizer *keras.Optimizer) *builder {
	b := newBuilder(g)
	b.optimizer = optimizer
	weights := trainedOnce(g)
	early := map[*keras.Weight][]*buffer{}
	for _, w := range weights {
		early[w] = b.early(w)
	}
	b.forwards(g)
	b.phase, b.layer = Backward, nil
	for _, t := range outputs {
		b.loss(t)
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
		extras: map[*keras.Op][]*buffer{}, ahead: map[*keras.Op][]*buffer{}, kept: map[*buffer]bool{},
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
					out.over = b.values[in]
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
		for _, t := range op.Ahead {
			b.keep(t)
			made := &buffer{size: t.Bytes(), kind: Activations}
			b.run(&kernel{reads: []*buffer{b.values[t]}, writes: []*buffer{made}})
			b.ahead[op] = append(b.ahead[op], made)
		}
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

// loss makes the gradient of an output: as large as the output, besides which
// the loss keeps as much.
func (b *builder) loss(t *keras.Tensor) {
	kept := &buffer{size: t.Bytes(), kind: Activations}
	b.kept[kept] = true
	b.keptBytes += kept.size
	b.run(&kernel{reads: []*buffer{b.values[t]}, writes: []*buffer{kept}})
	d := &buffer{size: t.Bytes(), over: kept}
	b.run(&kernel{reads: []*buffer{kept}, writes: []*buffer{d}})
	b.grads[t] = append(b.grads[t], d)
}

// gradient is the sum of what came back to a tensor, or nil.
func (b *builder) gradient(t *keras.Tensor) *buffer {
	parts := b.grads[t]
	delete(b.grads, t)
	for len(parts) > 1 {
		sum := &buffer{size: t.Bytes(), over: parts[0]}
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
	var d *buffer
	for _, t := range op.Out {
		if g := b.gradient(t); g != nil && d == nil {
			d = g
		}
	}
	if d == nil || !needsGradient(op) {
		return nil
	}
	if op.Read { // what comes back to a variable is its gradient
		return []pending{{weight: op.Weights[0], gradient: d}}
	}
	if op.View {
		b.grads[op.In[0]] = append(b.grads[op.In[0]], d)
		return nil
	}
	reads := []*buffer{d}
	for _, t := range op.Keep {
		reads = append(reads, b.values[t])
	}
	reads = append(append(reads, b.extras[op]...), b.ahead[op]...)
	if op.GradInPlace {
		// The gradients of the weights read it first; then it may be written over.
		out := b.weights(op, reads, d)
		b.inputs(op, reads, d)
		return out
	}
	b.inputs(op, reads, d)
	return b.weights(op, reads, d)
}

// inputs adds the gradients of an operation's inputs.
func (b *builder) inputs(op *keras.Op, reads []*buffer, d *buffer) {
	temp := op.BackwardTemp
	for i, t := range op.In {
		if !t.Grad || skipped(op, i) {
			continue
		}
		if op.GradSame && t.Bytes() == d.size {
			b.grads[t] = append(b.grads[t], d)
			continue
		}
		g := &buffer{size: t.Bytes()}
		k := &kernel{reads: reads, writes: []*buffer{g}, temp: temp}
		if op.GradInPlace {
			g.over = d
		}
		temp = 0
		b.run(k)
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
			g.over = d
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
