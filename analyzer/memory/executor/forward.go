package executor

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// Forwards adds the forward pass.
func (b *Builder) Forwards(g *graph.Graph) {
	b.Phase = Forward
	for _, op := range g.Ops {
		b.Layer = op.Layer
		b.forward(op)
	}
}

func NeedsGradient(op *graph.Op) bool {
	return slices.ContainsFunc(op.Out, func(t *graph.Tensor) bool { return t.Grad })
}

func (b *Builder) forward(op *graph.Op) {
	for _, t := range op.After {
		b.value(t) // the sum of a gradient's parts
	}
	if op.View || b.Infers && Idle(op) {
		v := b.value(op.In[0])
		// A reshape of a reshape is one; a metric's view has another type.
		if !b.Infers && !b.Ordered && !v.Pinned && (!v.view || op.Kind == graph.OpMetrics) {
			v = b.reshaped(v)
		}
		b.Values[op.Out[0].Number] = v
		return
	}
	if op.Read {
		v := b.Add(Buffer{Pinned: true}) // the variable itself
		if b.changed(op) {               // a read of unchanged weights runs when the step starts
			b.behind(b.Run(nil, v), op)
		} else if old := b.before(op); old != nil {
			v = old[0]
		}
		b.Values[op.Out[0].Number] = v
		return
	}
	if b.fills(op) && b.Values[op.Out[0].Number] != nil {
		return
	}
	temp, recomputes := op.ForwardTemp, op.Remat != b.Recording
	drawn := op.Random && !b.Ordered && op.Remat == nil
	var shed *Buffer
	for _, t := range op.In {
		b.value(t)
	}
	b.Reads, b.Writes = b.Reads[:0], b.Writes[:0]
	for _, t := range op.In {
		b.Reads = append(b.Reads, b.Values[t.Number])
	}
	if op.Cast > 0 {
		b.cast(op, recomputes)
	} else {
		b.Reads = append(b.Reads, b.before(op)...)
	}
	for _, w := range op.Weights {
		if b.scattered[w] {
			b.Reads = append(b.Reads, b.made(w.Bytes(), nil)) // when the step starts
		}
	}
	for _, t := range op.Out {
		out := b.Add(Buffer{Size: t.Bytes(), Kind: Activations})
		b.Values[t.Number] = out
		b.Writes = append(b.Writes, out)
		if !b.Separate && op.InPlace || b.Infers && op.Kind.Is(graph.Overwrites) {
			if n := len(op.In); n > 2 && op.GradSame {
				// Over any of them (tensorflow/core/kernels/aggregate_ops.cc, AddNOp); usually
				// over one that was made for it.
				if !b.Separate {
					out.Over = [2]*Buffer{b.Values[op.In[n-1].Number], b.Values[op.In[0].Number]}
				}
				continue
			}
			// Over the first input that nothing else needs (forward_input_or_allocate_output).
			n := 0
			for _, in := range op.In {
				if v := b.Values[in.Number]; v != nil && in.Bytes() == out.Size && !v.Pinned { // nil: a gradient that nothing leads to
					out.Over[n] = v
					if n++; n == len(out.Over) {
						break
					}
				}
			}
		}
	}
	switch {
	case b.Infers && (op.InferenceTemp > 0 || op.Kind.Is(graph.Overwrites)):
		temp = op.InferenceTemp
	case b.Infers || recomputes:
		// Without a gradient, extra outputs are still computed, and freed at once: a recurrent
		// layer's reserve, a kernel's copy in half precision.
		for _, size := range op.Extra {
			temp += size
		}
		temp += op.SpillBytes
	case NeedsGradient(op):
		for i, size := range op.Extra {
			extra := b.Add(Buffer{Size: size, Kind: Activations})
			if i+1 == op.Independent && !b.Ordered {
				b.behind(b.Run(nil, extra), op)
			} else {
				b.Writes = append(b.Writes, extra)
			}
			if op.ExtraOver && !b.Separate && b.Extras[op.Number] == nil {
				extra.Over[0] = b.Values[op.In[0].Number]
			}
			b.Extras[op.Number] = append(b.Extras[op.Number], extra)
			if b.Phase == Forward {
				b.KeptBytes += size
			}
		}
		if op.SpillBytes+op.SpillUntil > 0 {
			shed = b.Add(Buffer{Size: op.SpillBytes, Kind: Activations})
			b.Writes = append(b.Writes, shed)
		}
		// What the gradient reads counts as kept when it is computed, once per buffer.
		for _, t := range op.Keep {
			b.keep(t)
		}
	}
	first := !b.Infers && !recomputes && b.Phase == Forward && len(op.HoistedGrad) > 0 && NeedsGradient(op) && ofInputs(op)
	if first {
		reads := slices.Clone(b.Reads)
		b.makeAhead(op)
		b.Reads = reads
	}
	switch {
	case b.simulates(op) && !recomputes:
		b.loop(op, b.Reads, b.Writes[0])
	case b.composed(op):
		b.normalize(op, b.Reads[0], b.Writes[0], recomputes)
	case drawn:
		b.drop(op, b.Reads[0], b.Writes)
	default:
		k := b.Run(b.Reads, b.Writes...)
		k.Temp = temp
		b.behind(k, op)
		b.afterAll(k, op)
	}
	switch {
	case b.Infers || !NeedsGradient(op):
	case recomputes:
		b.keepInputs(op)
	default:
		if !first {
			b.makeAhead(op)
		}
		b.spill(op, shed)
		if in := op.In[0]; op.Switched && in.Grad {
			// They take their shape from the branch that is taken, which has the input at once
			// (tensorflow/python/ops/control_flow_grad.py, _SwitchGrad;
			// tensorflow/python/ops/control_flow_state.py, ZerosLikeOutsideLoop).
			zeros := b.made(in.Bytes(), nil, b.Values[in.Number])
			zeros.Kind = Activations
			b.Stays(zeros)
			b.untaken[op.Number] = zeros
		}
	}
}

// fills reports whether an operation makes a tensor of one number in the shape of a variable. A graph has
// it as a constant.
func (b *Builder) fills(op *graph.Op) bool {
	return !b.Ordered && op.Kind.Is(graph.Fills) && op.In[0].From != nil && op.In[0].From.Read
}

// fill adds the constants of operations that fill a tensor. They are as old as the graph, and one for all
// variables of a shape. Most become what sums of gradients are once these are applied. A variable takes the
// memory of a constant and gives its own back (tensorflow/core/kernels/resource_variable_ops.cc,
// AssignVariableOp), so that both are there until then.
func (b *Builder) fill(ops []*graph.Op) {
	var made []*graph.Op
	for _, op := range ops {
		if !b.fills(op) {
			continue
		}
		out := op.Out[0]
		same := func(other *graph.Op) bool {
			t := other.Out[0]
			return other.Kind == op.Kind && t.DType == out.DType && slices.Equal(t.Shape, out.Shape)
		}
		if i := slices.IndexFunc(made, same); i >= 0 {
			b.Values[out.Number] = b.Values[made[i].Out[0].Number]
			continue
		}
		v := b.made(out.Bytes(), nil)
		b.Values[out.Number] = v
		b.constants, made = append(b.constants, v), append(made, op)
	}
}

// cast adds the copy of a weight in the type in which an operation computes. It waits for no data:
// a graph makes it when the step starts.
func (b *Builder) cast(op *graph.Op, recomputes bool) {
	made := b.Add(Buffer{Size: op.Cast, Kind: Activations})
	b.behind(b.Run(b.before(op), made), op)
	b.Reads = append(b.Reads, made)
	if !b.Infers && !recomputes && op.KeptCast() > 0 && NeedsGradient(op) {
		b.Extras[op.Number] = append(b.Extras[op.Number], made)
		if b.Phase == Forward {
			b.KeptBytes += op.Cast
		}
	}
}

// drop adds a dropout, kernel by kernel. The random numbers depend on nothing but a seed. The
// input is scaled as soon as it is there; a batch when the step starts
// (tensorflow/python/ops/nn_ops.py, _dropout). writes are the output and, if the gradient needs
// it, the mask.
func (b *Builder) drop(op *graph.Op, x *Buffer, writes []*Buffer) {
	out := writes[0]
	mask := b.Add(Buffer{Size: op.Extra[0]})
	if len(writes) > 1 {
		mask = writes[1]
	}
	drawn := b.made(op.ForwardTemp, nil)
	if op.Layer != nil && b.optimizer != nil && b.optimizer.Keras == 3 {
		b.after(drawn.Writer, b.seed(op.Layer))
	}
	b.Run([]*Buffer{drawn}, mask)
	scaled := b.Add(Buffer{Size: out.Size, Over: [2]*Buffer{x}})
	var batch *Kernel
	if x.Pinned {
		batch = b.Run(nil) // it is an operation, too
	}
	k := b.Run([]*Buffer{x}, scaled)
	if batch != nil {
		b.after(k, batch)
	}
	out.Over[0] = scaled
	b.Run([]*Buffer{mask, scaled}, out)
}

// seed returns the last of the kernels that compute a seed from the state of a layer. The layer's
// next call has another state (keras/src/random/seed_generator.py, next;
// keras/src/backend/tensorflow/random.py, tf_draw_seed).
func (b *Builder) seed(l *graph.Layer) *Kernel {
	follow := func(before *Kernel) *Kernel {
		k := b.Run(nil)
		if before != nil {
			b.after(k, before)
		}
		return k
	}
	read := follow(b.seeds[l])
	if b.seeds == nil {
		b.seeds = map[*graph.Layer]*Kernel{}
	}
	b.seeds[l] = follow(follow(read)) // the next state is added up and assigned
	product := follow(read)
	rest := follow(product)
	whole := follow(rest)
	return follow(whole) // the key of the generator
}

// ofInputs reports whether what an operation's gradient computes ahead depends on the inputs.
func ofInputs(op *graph.Op) bool {
	return !slices.ContainsFunc(op.HoistedGrad, func(t *graph.Tensor) bool { return !slices.Contains(op.In, t) })
}

// behind makes a kernel that reads weights wait for their updates, as tf.function does
// (tensorflow/python/framework/auto_control_deps.py).
func (b *Builder) behind(k *Kernel, op *graph.Op) {
	if b.updated == nil {
		return
	}
	for i := range op.Weights {
		for _, before := range b.updated[b.Places.Slot(op, i)] {
			b.after(k, before)
		}
	}
}

// afterAll makes a kernel wait for what its operation does not read.
func (b *Builder) afterAll(k *Kernel, op *graph.Op) {
	for _, t := range op.After {
		if v := b.Values[t.Number]; v != nil && v.Writer != nil && !b.Ordered {
			b.after(k, v.Writer)
		}
	}
}

// changed reports whether this step has updated weights that an operation reads.
func (b *Builder) changed(op *graph.Op) bool {
	for i := range op.Weights {
		if b.updated != nil && len(b.updated[b.Places.Slot(op, i)]) > 0 {
			return true
		}
	}
	return false
}

// spill adds the tensors that the gradient of an operation reads, computed from spilled ones that
// are freed then. In eager execution, the gradient reads the spilled ones, because nothing is
// computed before it comes.
func (b *Builder) spill(op *graph.Op, spilled *Buffer) {
	if spilled == nil {
		return
	}
	stays := spilled
	if !b.Ordered {
		stays = b.made(op.SpillUntil, nil, spilled)
		stays.Kind = Activations
	}
	b.Extras[op.Number] = append(b.Extras[op.Number], stays)
	b.Stays(stays)
}

// makeAhead adds what the gradient of an operation computes before the gradient of its output is
// there.
func (b *Builder) makeAhead(op *graph.Op) {
	b.Reads = b.Reads[:0]
	over := op.GradInPlace && len(op.Keep) == 0 // the gradient reads nothing but what is made here
	for _, t := range op.HoistedGrad {
		if !over {
			b.keep(t)
		}
		b.Reads = append(b.Reads, b.Values[t.Number])
	}
	var before *Buffer // what is kept is not overwritten
	if over && len(b.Reads) > 0 {
		before = b.Reads[0]
	}
	for _, size := range op.HoistedSizes {
		made := b.made(size, before, b.Reads...)
		made.Kind = Activations
		b.ahead[op.Number] = made
		b.Reads = append(b.Reads[:0], made)
		before = made
	}
}

// keep counts a tensor among those that stay between the passes.
func (b *Builder) keep(t *graph.Tensor) {
	v := b.Values[t.Number]
	if v != nil && v.view {
		v = v.Over[0]
	}
	if v != nil && !v.Pinned {
		b.Stays(v)
	}
}

// Stays counts a buffer among those that stay between the passes.
func (b *Builder) Stays(v *Buffer) {
	if v.kept || b.Phase == Backward && b.Recording != nil {
		return
	}
	v.kept = true
	b.Kept = append(b.Kept, v)
	b.KeptBytes += v.Size
}
