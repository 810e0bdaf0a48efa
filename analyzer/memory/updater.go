package memory

import "github.com/tfmem/tfmem/analyzer/keras"

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

// later is op for a kernel of a slot, which is read again after it was assigned
// (tensorflow/core/kernels/resource_variable_ops.cc, ReadVariableOp).
func (u *updater) later(after *kernel, reads ...*buffer) *buffer {
	if !u.b.ordered {
		read := u.b.run(nil)
		u.b.after(read, after)
		after = read
	}
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

// dense is the update by a dense gradient, as in keras/src/optimizers, with its operations
// run one by one.
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
		increment := u.op(u.op(g), u.op(root))
		if len(early) == 1 {
			u.assign(u.op(early[0], increment))
			return
		}
		u.assign(increment)
	case "Adagrad":
		v := u.assign(u.op(g, g))
		u.assign(u.op(u.op(g), u.op(u.later(v))))
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
	case "Nadam":
		// The gradient has a part in the step besides its moments.
		u.assign(u.moments(g, u.op(u.op(g))))
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

// moments is the step of Adam and its relatives: both moments, and what is made of them
// and of what is added to the first.
func (u *updater) moments(g *buffer, added ...*buffer) *buffer {
	square := u.op(u.op(g, g))
	first := u.op(g)
	m := u.assign(u.op(first))
	v := u.assign(u.op(square))
	step := u.later(m)
	for _, part := range added {
		step = u.op(u.op(step), part)
	}
	root := u.op(u.later(v)) // and epsilon
	return u.op(step, root)
}

// scatters tells whether an update by rows changes those of the weight alone, and not all of
// it: then every read of the variable makes a copy
// (tensorflow/core/kernels/resource_variable_ops.cc, EnsureSparseVariableAccess).
func scatters(o *keras.Optimizer) bool {
	switch o.Class {
	case "SGD", "RMSprop":
		return !o.Momentum
	}
	return o.Class == "Adagrad" || o.Class == "Adadelta"
}

// sparse is the update by rows: before anything is added to them they are summed into a
// tensor of the weight's size, and what is derived of them alone has theirs
// (keras/src/backend/tensorflow/sparse.py, elementwise_binary_union).
func (u *updater) sparse(rows *buffer, early []*buffer) {
	derived := func(from ...*buffer) *buffer {
		var over *buffer
		if from[0].size == rows.size && !u.b.separate {
			over = from[0]
		}
		return u.b.made(rows.size, over, from...)
	}
	added := func(to, rows *buffer) *buffer { return u.op(to, u.op(rows)) }
	switch u.b.optimizer.Class {
	case "SGD":
		if len(early) == 1 {
			u.assign(added(early[0], derived(rows)))
			return
		}
		u.assign(derived(rows))
	case "Adagrad":
		// Of sums that rows were scattered into a read makes a copy. Rows divided by its root
		// are other rows where that is zero or no number anywhere, so that all of it is looked
		// at (keras/src/backend/tensorflow/sparse.py, elementwise_division).
		scaled, squares := derived(rows), u.assign(derived(rows))
		copied := u.op()
		u.b.after(copied.writer, squares)
		root := u.op(u.op(copied))
		flag := func(over *buffer, of ...*buffer) *buffer { return u.b.made(u.size/4, over, of...) }
		zero := flag(nil, root)
		either := u.assign(flag(zero, zero, flag(nil, root)))
		gathered := u.b.made(rows.size, nil, root)
		u.b.after(gathered.writer, either)
		u.assign(derived(scaled, gathered))
	case "RMSprop":
		v := u.assign(added(early[0], derived(rows)))
		early = early[1:]
		root := u.later(v)
		if u.b.optimizer.Centered {
			average := u.assign(added(early[0], derived(rows)))
			early = early[1:]
			root = u.op(root, u.later(average))
		}
		increment := derived(rows, root)
		if len(early) == 1 {
			u.assign(added(early[0], increment))
			return
		}
		u.assign(increment)
	case "Adadelta":
		squares := u.assign(added(early[0], derived(rows)))
		step := derived(rows, early[2], u.later(squares))
		u.assign(added(early[1], derived(step)))
		u.assign(step)
	case "Adamax":
		m := u.assign(u.op(u.op(u.op(rows)))) // summed, less m, times a number
		v := u.assign(added(early[0], derived(rows)))
		u.assign(u.op(u.later(m), u.later(v)))
	case "Ftrl":
		u.ftrl(rows, early[0])
	case "Lion":
		u.assign(added(early[0], derived(rows)))
		u.assign(added(early[1], derived(rows)))
	default:
		square := derived(rows)
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
	size := min(rows.size, u.size) // of those with one index one is left
	derived := func(from *buffer) *buffer { return u.b.made(size, nil, from) }
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
	case "Adagrad": // the rows of the sums are gathered once the squares are in them
		gathered := u.b.made(size, nil)
		u.b.after(gathered.writer, u.assign(derived(distinct)))
		u.assign(u.b.made(size, distinct, distinct, gathered))
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

// averaged adds the kernels that take a weight into its moving average once it is updated
// (keras/src/optimizers/base_optimizer.py, _update_model_variables_moving_average).
func (u *updater) averaged(early *buffer) {
	kernels := u.b.kernels
	u.assign(u.op(early, u.later(kernels[len(kernels)-1])))
}
