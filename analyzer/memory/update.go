package memory

import "github.com/tfmem/tfmem/analyzer/keras"

// early adds the parts of a weight's update that need no gradient: TensorFlow
// runs them at once, and they stay until the gradient comes. They are made of slots, as
// momentum × m in keras/src/optimizers/sgd.py. rows is the size of a gradient by rows,
// or 0.
func (b *builder) early(w *keras.Weight, rows int64) []*buffer {
	switch {
	case b.ordered: // each operation runs when Python comes to it
		return nil
	case b.optimizer.Branches:
		return b.averages(w)
	}
	return append(b.averages(w), b.ofSlots(w, rows, nil)...)
}

// averages is ema_momentum × the average of a weight, where the optimizer has that.
func (b *builder) averages(w *keras.Weight) []*buffer {
	if !b.optimizer.Averages || b.optimizer.Fused {
		return nil
	}
	t := b.add(buffer{size: w.Bytes()})
	b.run(nil, t)
	return b.list(t)
}

// decays adds that a weight is made smaller at once, as far as that goes: while anything
// that read it is to come, it is there as it was, too
// (keras/src/optimizers/base_optimizer.py, _apply_weight_decay;
// tensorflow/core/kernels/training_op_helpers.h, PrepareToUpdateVariable).
func (b *builder) decays(w *keras.Weight) {
	if !b.optimizer.Decays || b.optimizer.Branches || b.ordered {
		return
	}
	less, before := b.add(buffer{size: w.Bytes()}), b.add(buffer{size: w.Bytes()})
	b.run(nil, less)
	b.run(b.list(less), before)
	if b.decayed == nil {
		b.decayed = map[*keras.Weight]*buffer{}
	}
	b.decayed[w] = before
}

// before is the weights of an operation as they were before they decayed.
func (b *builder) before(op *keras.Op) (old []*buffer) {
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

// ofSlots are those parts of a weight's update, behind a gate if there is one.
func (b *builder) ofSlots(w *keras.Weight, rows int64, gate *kernel) []*buffer {
	if b.optimizer.Fused {
		return nil
	}
	var out []*buffer
	made := func(from *buffer, size int64) {
		var reads []*buffer
		if from != nil {
			reads = b.list(from)
		}
		t := b.add(buffer{size: size, over: [2]*buffer{from}})
		k := b.run(reads, t)
		if gate != nil {
			b.after(k, gate)
		}
		out = append(out, t)
	}
	product := func() { made(nil, w.Bytes()) }
	if rows > 0 && b.optimizer.Keras == 2 && b.optimizer.Class != "Ftrl" { // others write their products into the slots at once
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
		root := b.add(buffer{size: w.Bytes()})
		b.run(nil, root)
		if rows == 0 {
			rows = w.Bytes()
		}
		made(root, rows) // the root of the squared steps, of the gradient's rows
	case "Adamax":
		product() // beta_2 × u
	case "Ftrl":
		product() // the accumulator to a power
	case "Lion":
		product() // beta_1 × m
		product() // beta_2 × m
	}
	return out
}

// sparse is the sizes of the gradients by rows, of weights that have no other.
func sparse(g *keras.Graph) map[*keras.Weight]int64 {
	rows, readers := map[*keras.Weight]int64{}, map[*keras.Weight]int{}
	for _, op := range g.Ops {
		for _, w := range op.Weights {
			if readers[w]++; readers[w] == 1 && op.SparseRows > 0 && w.Penalties == 0 {
				rows[w] = op.SparseRows * w.DType.Size()
			} else {
				delete(rows, w)
			}
		}
	}
	return rows
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
		own := early[i]
		var average *buffer
		if b.optimizer.Averages && !b.optimizer.Fused {
			if b.ordered {
				own = b.averages(w)
			}
			average, own = own[0], own[1:]
		}
		if b.ordered || b.optimizer.Branches {
			rows := int64(0)
			if sparse {
				rows = parts[0].rows * w.DType.Size()
			}
			own = b.ofSlots(w, rows, gate)
		}
		switch {
		case b.optimizer.Fused:
			u.fused(g)
		case sparse && b.optimizer.Keras == 2:
			u.scattered(g, own)
		case sparse:
			u.sparse(g, own)
		default:
			u.dense(g, own)
		}
		if average != nil {
			u.averaged(average)
		}
		if b.updated != nil {
			b.updated[w] = append(b.updated[w], b.kernels[from:]...)
		}
	}
	if b.ordered {
		// Each gradient is in a tuple until all are applied
		// (keras/src/optimizers/base_optimizer.py, apply_gradients).
		b.hold(op)
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

// averaged adds the kernels that take a weight into its moving average once it is updated
// (keras/src/optimizers/base_optimizer.py, _update_model_variables_moving_average).
func (u *updater) averaged(early *buffer) {
	kernels := u.b.kernels
	u.assign(u.op(early, u.later(kernels[len(kernels)-1])))
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
		early = early[1:]
		root := u.later(v)
		if u.b.optimizer.Centered {
			average := u.assign(u.op(early[0], u.op(g)))
			early = early[1:]
			root = u.op(root, u.later(average))
		}
		if u.b.ordered && len(early) == 0 {
			// The name denominator stands for what the root is taken of, until the update
			// returns (keras/src/optimizers/rmsprop.py, update_step).
			denominator := root
			root = u.op(denominator)
			u.b.run([]*buffer{u.op(u.op(g), root), denominator})
			return
		}
		increment := u.op(u.op(g), root)
		if len(early) == 1 {
			u.assign(u.op(early[0], increment))
			return
		}
		u.assign(increment)
	case "Adagrad":
		v := u.assign(u.op(g, g))
		u.assign(u.op(u.op(g), u.later(v)))
	case "Adadelta":
		squares := u.assign(u.op(early[0], u.op(g, g)))
		step := u.op(u.op(early[2], g), u.later(squares))
		u.assign(u.op(early[1], u.op(step)))
		u.assign(u.op(step))
	case "Adamax":
		m := u.assign(u.op(u.op(g)))
		v := u.assign(u.op(early[0], u.op(g)))
		u.assign(u.op(u.later(m), u.later(v)))
	case "Ftrl":
		u.ftrl(g, early[0])
	case "Lion":
		u.assign(u.op(early[0], u.op(g)))
		u.assign(u.op(early[1], u.op(g)))
	case "Lamb":
		step := u.moments(g)
		norm := u.op(step) // of the squares
		k := u.assign(norm)
		last := u.op(step)
		u.b.after(last.writer, k)
		u.assign(last)
	default:
		u.assign(u.moments(g))
	}
}

// ftrl is the update of FTRL (keras/src/optimizers/ftrl.py, update_step): the new
// accumulator is there until the weight is updated.
func (u *updater) ftrl(g, power *buffer) {
	accumulator := u.op(u.op(g, g))
	linear := u.assign(u.op(u.op(u.op(accumulator), power), g))
	u.assign(u.op(u.later(linear), u.op(accumulator)))
	u.assign(accumulator)
}

// moments is the step of Adam and its relatives: both moments, and what is made of them.
func (u *updater) moments(g *buffer) *buffer {
	square := u.op(u.op(g, g))
	first := u.op(g)
	m := u.assign(u.op(first))
	v := u.assign(u.op(square))
	step := u.later(m)
	root := u.later(v)
	return u.op(step, root)
}

// sparse is the update by rows: they are summed into tensors of the weight's
// size (keras/src/backend/tensorflow/sparse.py, IndexedSlices).
func (u *updater) sparse(rows *buffer, early []*buffer) {
	// A tensor with rows added to it has the size of the weight, rows of one theirs.
	add := func(whole, rows *buffer) *buffer { return u.op(whole, rows) }
	take := func(from ...*buffer) *buffer {
		out := u.b.add(buffer{size: rows.size})
		u.b.run(from, out)
		return out
	}
	switch u.b.optimizer.Class {
	case "SGD":
		if len(early) == 1 {
			u.assign(add(early[0], rows))
			return
		}
		u.assign(rows)
	case "Adagrad":
		u.assign(rows)
	case "RMSprop":
		v := u.assign(add(early[0], take(rows)))
		early = early[1:]
		root := u.later(v)
		if u.b.optimizer.Centered {
			average := u.assign(add(early[0], take(rows)))
			early = early[1:]
			root = u.op(root, u.later(average))
		}
		increment := take(rows, root)
		if len(early) == 1 {
			u.assign(add(early[0], increment))
			return
		}
		u.assign(increment)
	case "Adadelta":
		squares := u.assign(add(early[0], take(rows)))
		step := take(rows, early[2], u.later(squares))
		u.assign(add(early[1], take(step)))
		u.assign(step)
	case "Adamax":
		m := u.assign(u.op(rows))
		v := u.assign(add(early[0], take(rows)))
		u.assign(u.op(u.later(m), u.later(v)))
	case "Ftrl":
		u.ftrl(rows, early[0])
	case "Lion":
		u.assign(add(early[0], rows))
		u.assign(add(early[1], rows))
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
func (u *updater) scattered(rows *buffer, early []*buffer) {
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
	if u.b.optimizer.Class == "Ftrl" { // it adds a tensor to the rows, and so has one
		u.ftrl(u.op(rows), early[0])
		return
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
	case "Adadelta": // a tensor times rows is one of the whole size
		squares := slot()
		step := u.op(u.op(early[1], distinct), u.later(squares))
		whole(u.op(early[0], u.op(step)))
		whole(u.op(step))
	case "Lion":
		m := slot()
		whole(u.later(m))
		whole(u.later(m))
	default:
		m, v := slot(), slot()
		whole(u.op(u.later(m), u.later(v)))
	}
}
