package memory

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// forwards adds the forward pass.
func (b *builder) forwards(g *graph.Graph) {
	b.phase = Forward
	for _, op := range g.Ops {
		b.layer = op.Layer
		b.forward(op)
	}
}

func needsGradient(op *graph.Op) bool {
	for _, t := range op.Out {
		if t.Grad {
			return true
		}
	}
	return false
}

func (b *builder) forward(op *graph.Op) {
	if op.View || b.infers && idle(op) {
		v := b.value(op.In[0])
		// A reshape of a reshape is one; a metric's view has another type.
		if !b.infers && !b.ordered && !v.pinned && (!v.view || op.Kind == graph.OpMetrics) {
			v = b.reshaped(v)
		}
		b.values[op.Out[0].Number] = v
		return
	}
	if op.Read {
		v := b.add(buffer{pinned: true}) // the variable itself
		if old := b.before(op); old != nil {
			v = old[0]
		} else if b.changed(op) { // a read of unchanged weights runs when the step starts
			b.behind(b.run(nil, v), op)
		}
		b.values[op.Out[0].Number] = v
		return
	}
	temp, recomputes := op.ForwardTemp, op.Remat != b.recording
	drawn := op.Random && !b.ordered && op.Remat == nil
	var shed *buffer
	for _, t := range op.In {
		b.value(t)
	}
	b.reads, b.writes = b.reads[:0], b.writes[:0]
	for _, t := range op.In {
		b.reads = append(b.reads, b.values[t.Number])
	}
	b.reads = append(b.reads, b.before(op)...)
	for _, w := range op.Weights {
		if b.scattered[w] {
			b.reads = append(b.reads, b.made(w.Bytes(), nil)) // when the step starts
		}
	}
	for _, t := range op.Out {
		out := b.add(buffer{size: t.Bytes(), kind: Activations})
		b.values[t.Number] = out
		b.writes = append(b.writes, out)
		if !b.separate && op.InPlace || b.infers && op.Kind.Is(graph.Overwrites) {
			if n := len(op.In); n > 2 && op.GradSame {
				// Over any of them (tensorflow/core/kernels/aggregate_ops.cc, AddNOp); usually
				// over one that was made for it.
				if !b.separate {
					out.over = [2]*buffer{b.values[op.In[n-1].Number], b.values[op.In[0].Number]}
				}
				continue
			}
			// Over the first input that nothing else needs (forward_input_or_allocate_output).
			n := 0
			for _, in := range op.In {
				if v := b.values[in.Number]; v != nil && in.Bytes() == out.size && !v.pinned { // nil: a gradient that nothing leads to
					out.over[n] = v
					if n++; n == len(out.over) {
						break
					}
				}
			}
		}
	}
	if b.infers || recomputes {
		// Without a gradient, extra outputs are still computed, and freed at once: a recurrent
		// layer's reserve, a kernel's copy in half precision.
		for _, size := range op.Extra {
			temp += size
		}
		temp += op.SpillBytes
	} else if needsGradient(op) {
		for _, size := range op.Extra {
			extra := b.add(buffer{size: size, kind: Activations})
			b.writes = append(b.writes, extra)
			b.extras[op.Number] = append(b.extras[op.Number], extra)
			if b.phase == Forward {
				b.keptBytes += size
			}
		}
		if op.SpillBytes+op.SpillUntil > 0 {
			shed = b.add(buffer{size: op.SpillBytes, kind: Activations})
			b.writes = append(b.writes, shed)
		}
		// What the gradient reads counts as kept when it is computed, once per buffer.
		for _, t := range op.Keep {
			b.keep(t)
		}
	}
	first := !b.infers && !recomputes && b.phase == Forward && len(op.HoistedGrad) > 0 && needsGradient(op) && ofInputs(op)
	if first {
		reads := slices.Clone(b.reads)
		b.makeAhead(op)
		b.reads = reads
	}
	switch {
	case b.composed(op):
		b.normalize(op, b.reads[0], b.writes[0], recomputes)
	case drawn:
		b.drop(op, b.reads[0], b.writes)
	default:
		k := b.run(b.reads, b.writes...)
		k.temp = temp
		b.behind(k, op)
	}
	switch {
	case b.infers || !needsGradient(op):
	case recomputes:
		b.keepInputs(op)
	default:
		if !first {
			b.makeAhead(op)
		}
		b.spill(op, shed)
	}
}

// drop adds a dropout, kernel by kernel. The random numbers depend on nothing but a seed. The
// input is scaled as soon as it is there; a batch when the step starts
// (tensorflow/python/ops/nn_ops.py, _dropout). writes are the output and, if the gradient needs
// it, the mask.
func (b *builder) drop(op *graph.Op, x *buffer, writes []*buffer) {
	out := writes[0]
	mask := b.add(buffer{size: op.Extra[0]})
	if len(writes) > 1 {
		mask = writes[1]
	}
	drawn := b.made(op.ForwardTemp, nil)
	if op.Layer != nil && b.optimizer != nil && b.optimizer.Keras == 3 {
		b.after(drawn.writer, b.seed(op.Layer))
	}
	b.run([]*buffer{drawn}, mask)
	scaled := b.add(buffer{size: out.size, over: [2]*buffer{x}})
	var batch *kernel
	if x.pinned {
		batch = b.run(nil) // it is an operation, too
	}
	k := b.run([]*buffer{x}, scaled)
	if batch != nil {
		b.after(k, batch)
	}
	out.over[0] = scaled
	b.run([]*buffer{mask, scaled}, out)
}

// seed returns the last of the kernels that compute a seed from the state of a layer. The layer's
// next call has another state (keras/src/random/seed_generator.py, next;
// keras/src/backend/tensorflow/random.py, tf_draw_seed).
func (b *builder) seed(l *graph.Layer) *kernel {
	follow := func(before *kernel) *kernel {
		k := b.run(nil)
		if before != nil {
			b.after(k, before)
		}
		return k
	}
	read := follow(b.seeds[l])
	if b.seeds == nil {
		b.seeds = map[*graph.Layer]*kernel{}
	}
	b.seeds[l] = follow(follow(read)) // the next state is added up and assigned
	product := follow(read)
	rest := follow(product)
	whole := follow(rest)
	return follow(whole) // the key of the generator
}

// ofInputs reports whether what an operation's gradient computes ahead depends on the inputs.
func ofInputs(op *graph.Op) bool {
	for _, t := range op.HoistedGrad {
		if !slices.Contains(op.In, t) {
			return false
		}
	}
	return true
}

// behind makes a kernel that reads weights wait for their updates, as tf.function does
// (tensorflow/python/framework/auto_control_deps.py).
func (b *builder) behind(k *kernel, op *graph.Op) {
	if b.updated == nil {
		return
	}
	for i := range op.Weights {
		for _, before := range b.updated[b.places.slot(op, i)] {
			b.after(k, before)
		}
	}
}

// changed reports whether this step has updated weights that an operation reads.
func (b *builder) changed(op *graph.Op) bool {
	for i := range op.Weights {
		if b.updated != nil && len(b.updated[b.places.slot(op, i)]) > 0 {
			return true
		}
	}
	return false
}

// spill adds the tensors that the gradient of an operation reads, computed from spilled ones that
// are freed then. In eager execution, the gradient reads the spilled ones, because nothing is
// computed before it comes.
func (b *builder) spill(op *graph.Op, spilled *buffer) {
	if spilled == nil {
		return
	}
	stays := spilled
	if !b.ordered {
		stays = b.made(op.SpillUntil, nil, spilled)
		stays.kind = Activations
	}
	b.extras[op.Number] = append(b.extras[op.Number], stays)
	b.stays(stays)
}

// makeAhead adds what the gradient of an operation computes before the gradient of its output is
// there.
func (b *builder) makeAhead(op *graph.Op) {
	b.reads = b.reads[:0]
	for _, t := range op.HoistedGrad {
		b.keep(t)
		b.reads = append(b.reads, b.values[t.Number])
	}
	var before *buffer // what is kept is not overwritten
	for _, size := range op.HoistedSizes {
		made := b.made(size, before, b.reads...)
		made.kind = Activations
		b.ahead[op.Number] = made
		b.reads = append(b.reads[:0], made)
		before = made
	}
}

// keep counts a tensor among those that stay between the passes.
func (b *builder) keep(t *graph.Tensor) {
	v := b.values[t.Number]
	if v != nil && v.view {
		v = v.over[0]
	}
	if v != nil && !v.pinned {
		b.stays(v)
	}
}

// stays counts a buffer among those that stay between the passes.
func (b *builder) stays(v *buffer) {
	if v.kept || b.phase == Backward && b.recording != nil {
		return
	}
	v.kept = true
	b.kept = append(b.kept, v)
	b.keptBytes += v.size
}
