package memory

import "github.com/tfmem/tfmem/analyzer/keras"

// early adds the parts of a weight's update that need no gradient: TensorFlow
// runs them at once, and they stay until the gradient comes. They are products
// of a slot with a constant, as momentum × m in keras/src/optimizers/sgd.py.
func (b *builder) early(w *keras.Weight) []*buffer {
	if b.ordered {
		return nil // each operation runs when Python comes to it
	}
	return b.ofSlots(w)
}

// ofSlots are those parts of a weight's update.
func (b *builder) ofSlots(w *keras.Weight) []*buffer {
	if b.optimizer.Fused {
		return nil
	}
	n := 0
	switch b.optimizer.Class {
	case "SGD":
		if b.optimizer.Momentum {
			n = 1 // momentum × m
		}
	case "RMSprop":
		n = 1 // rho × v
		if b.optimizer.Momentum {
			n = 2 // momentum × m
		}
	}
	var out []*buffer
	for range n {
		t := b.add(buffer{size: w.Bytes()})
		b.run(nil, t)
		out = append(out, t)
	}
	return out
}

// apply adds the updates of all weights of an update.
func (b *builder) apply(op *keras.Op, early [][]*buffer) {
	b.optimizer = op.Update.Optimizer
	var barrier []*buffer
	if b.optimizer.Barrier {
		for _, t := range op.In {
			for _, p := range b.applied(t) {
				barrier = append(barrier, p.gradient)
			}
		}
	}
	var gate *kernel
	if barrier != nil {
		gate = b.run(barrier)
	}
	if b.waits(op) {
		gate = b.behindAll()
	}
	var reduced []*buffer
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
			b.run(early[i])
			continue
		}
		from := len(b.kernels)
		g := b.sum(parts, w.Bytes())
		u := updater{b: b, gate: gate, size: w.Bytes()}
		sparse := parts[0].rows > 0 && len(parts) == 1
		switch {
		case b.optimizer.Fused:
			u.fused(g)
		case sparse && b.optimizer.Keras == 2:
			u.scattered(g)
		case sparse:
			u.sparse(g)
		case b.ordered:
			u.dense(g, b.ofSlots(w))
		default:
			u.dense(g, early[i])
		}
		if b.updated != nil {
			b.updated[w] = append(b.updated[w], b.kernels[from:]...)
		}
	}
}

// waits tells whether an update applies what variables hold: it is a step of its own,
// after those that summed the gradients.
func (b *builder) waits(op *keras.Op) bool {
	return len(op.In) > 0 && op.In[0].From != nil && op.In[0].From.Read
}

// behindAll is a kernel that waits for all that were added.
func (b *builder) behindAll() *kernel {
	before := len(b.kernels)
	k := b.run(nil)
	for _, other := range b.kernels[:before] {
		if other.next == nil {
			b.after(k, other)
		}
	}
	return k
}

// applied is what an update reads of a gradient: its parts, where nobody else has
// summed them.
func (b *builder) applied(t *keras.Tensor) []pending {
	if v := b.values[t.Number]; v != nil {
		return []pending{{gradient: v}}
	}
	return b.pending[t.Number]
}

// accumulate adds a gradient to the variable that sums gradients.
func (b *builder) accumulate(op *keras.Op) {
	for _, t := range op.In {
		if g := b.value(t); g != nil {
			b.run([]*buffer{g})
		}
	}
}

// An updater adds the kernels that update one weight.
type updater struct {
	b    *builder
	gate *kernel
	size int64
}

// op adds a kernel that makes one tensor of the weight's size from two at most, in
// the memory of one of them where it can.
func (u *updater) op(reads ...*buffer) *buffer {
	out := u.b.add(buffer{size: u.size})
	n := 0
	for _, r := range reads {
		if r.size == u.size && !u.b.separate {
			out.over[n] = r
			n++
		}
	}
	k := u.b.run(reads, out)
	if u.gate != nil {
		u.b.after(k, u.gate)
	}
	return out
}

// assign adds the kernel that takes a tensor into a variable.
func (u *updater) assign(t *buffer) *kernel { return u.b.run([]*buffer{t}) }

// later is op for a kernel that reads a slot after it was assigned.
func (u *updater) later(after *kernel, reads ...*buffer) *buffer {
	t := u.op(reads...)
	u.b.after(t.writer, after)
	return t
}

// fused is an update by one kernel.
func (u *updater) fused(g *buffer) {
	k := u.assign(g)
	if u.gate != nil {
		u.b.after(k, u.gate)
	}
}

// dense is the update by a whole gradient, as keras/src/optimizers has it with
// its operations run one by one.
func (u *updater) dense(g *buffer, early []*buffer) {
	switch u.b.optimizer.Class {
	case "SGD":
		if len(early) == 1 {
			u.assign(u.op(early[0], u.op(g)))
			return
		}
		u.assign(u.op(g))
	case "RMSprop":
		square := u.op(u.op(g, g))
		v := u.assign(u.op(early[0], square))
		root := u.later(v)
		if u.b.ordered && len(early) == 1 {
			// The name denominator stands for what the root is taken of, until the update
			// returns (keras/src/optimizers/rmsprop.py, update_step).
			denominator := root
			root = u.op(denominator)
			u.b.run([]*buffer{u.op(u.op(g), root), denominator})
			return
		}
		increment := u.op(u.op(g), root)
		if len(early) == 2 {
			u.assign(u.op(early[1], increment))
			return
		}
		u.assign(increment)
	case "Adagrad":
		v := u.assign(u.op(g, g))
		u.assign(u.op(u.op(g), u.later(v)))
	default:
		// Adam and its relatives: two moments, then the step from both.
		square := u.op(u.op(g, g))
		first := u.op(g)
		m := u.assign(u.op(first))
		v := u.assign(u.op(square))
		step := u.later(m)
		root := u.later(v)
		u.assign(u.op(step, root))
	}
}

// sparse is the update by rows: they are summed into tensors of the weight's
// size (keras/src/backend/tensorflow/sparse.py, IndexedSlices).
func (u *updater) sparse(rows *buffer) {
	switch u.b.optimizer.Class {
	case "SGD", "Adagrad":
		u.assign(rows)
	case "RMSprop":
		u.assign(u.op(rows))
	default:
		square := u.b.add(buffer{size: rows.size})
		u.b.run([]*buffer{rows}, square)
		m, v := u.assign(u.op(rows)), u.assign(u.op(square))
		step, root := u.later(m), u.later(v)
		u.assign(u.op(step, root))
	}
}

// scattered is the update by rows as Keras 2 has it: those of one index are summed,
// and scattered into the slots, which were multiplied by a constant as soon as the
// step began. Where rows are read of a variable or scattered into it, every read and
// every assignment of the whole makes a copy
// (tensorflow/core/kernels/resource_variable_ops.cc, EnsureSparseVariableAccess).
func (u *updater) scattered(rows *buffer) {
	derived := func(from *buffer) *buffer {
		out := u.b.add(buffer{size: rows.size})
		u.b.run([]*buffer{from}, out)
		return out
	}
	whole := func(t *buffer) *kernel {
		k := u.assign(t)
		k.temp = u.size
		return k
	}
	distinct := derived(rows)
	slot := func() *kernel {
		decayed := whole(u.op())
		scatter := u.assign(derived(distinct))
		u.b.after(scatter, decayed)
		return scatter
	}
	switch u.b.optimizer.Class {
	case "SGD":
		whole(u.later(slot()))
	case "RMSprop":
		u.b.run([]*buffer{u.later(slot()), derived(distinct)})
	case "Adagrad":
		u.assign(derived(distinct))
		u.assign(derived(distinct))
	default:
		m, v := slot(), slot()
		whole(u.op(u.later(m), u.later(v)))
	}
}
