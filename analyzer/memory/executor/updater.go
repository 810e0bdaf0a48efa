package executor

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// An updater adds the kernels that update one weight.
type updater struct {
	b      *Builder
	gate   *Kernel
	size   int64
	weight *graph.Weight
}

// op adds a kernel that computes a tensor of the weight's size from at most two others, in the
// memory of one of them if possible.
func (u *updater) op(reads ...*Buffer) *Buffer {
	out := u.b.Add(Buffer{Size: u.size})
	n := 0
	for _, r := range reads {
		if r.Size == u.size && !u.b.Separate {
			out.Over[n] = r
			n++
		}
	}
	k := u.b.Run(reads, out)
	if u.gate != nil {
		u.b.after(k, u.gate)
	}
	return out
}

// assign adds the kernel that assigns a tensor to a variable.
func (u *updater) assign(t *Buffer) *Kernel { return u.b.Run([]*Buffer{t}) }

// later is op for a kernel that reads a slot again after its assignment
// (tensorflow/core/kernels/resource_variable_ops.cc, ReadVariableOp).
func (u *updater) later(after *Kernel) *Buffer {
	if !u.b.Ordered {
		read := u.b.Run(nil)
		u.b.after(read, after)
		after = read
	}
	t := u.op()
	u.b.after(t.Writer, after)
	return t
}

// distinct adds the sum of the rows of one index. One row remains for each index
// (tf_keras/src/optimizers/optimizer.py, _deduplicate_sparse_grad).
func (u *updater) distinct(rows *Buffer) *Buffer {
	return u.b.made(min(rows.Size, u.size), nil, rows)
}

// fused adds an update in one kernel. What comes before and after it, such as clipping, weight decay
// and moving averages, is not part of that.
func (u *updater) fused(g *Buffer) {
	k := u.assign(g)
	if u.gate != nil {
		u.b.after(k, u.gate)
	}
}

// composed adds an update whose slots and weight are computed anew from early, the parts that need no
// gradient, as Keras before 2.4 does.
func (u *updater) composed(g *Buffer, early []*Buffer) {
	step := u.op(g)
	if u.b.optimizer.Class == "SGD" && !u.b.optimizer.Nesterov { // the weight plus the new moment
		u.assign(u.op(u.later(u.assign(u.op(early[0], step)))))
		return
	}
	if len(early) == 0 { // a norm of the gradient, or a copy of the weight
		step = u.op(step, g)
	}
	for _, part := range early {
		step = u.op(step, u.later(u.assign(u.op(part, g))))
	}
	u.assign(step)
}

// dense adds the update by a dense gradient, as in keras/src/optimizers, operation by operation.
func (u *updater) dense(g *Buffer, early []*Buffer) {
	switch u.b.optimizer.Class {
	case "SGD":
		if len(early) == 1 {
			scaled := u.op(g)
			m := u.assign(u.op(early[0], scaled))
			if u.b.optimizer.Nesterov {
				u.assign(u.op(u.later(m), scaled))
			}
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
		if u.b.Ordered && len(early) == 0 {
			// The name denominator refers to the radicand until the update returns
			// (keras/src/optimizers/rmsprop.py, update_step).
			denominator := root
			root = u.op(denominator)
			u.b.Run([]*Buffer{u.op(u.op(g), root), denominator})
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
		// The gradient is part of the step besides its moments.
		u.assign(u.moments(g, u.op(u.op(g))))
	case "Adafactor":
		u.adafactor(g)
	case "Muon":
		if len(early) == 0 {
			u.assign(u.moments(g))
			return
		}
		u.muon(g, early[0])
	case "ScheduleFreeAdamW":
		v := u.assign(u.op(u.op(u.op(g, g))))
		m := u.assign(u.op(u.op(g), u.op(u.later(v))))
		u.assign(u.op(u.later(m), u.op(early[0], u.later(m))))
	case "Lamb":
		step := u.moments(g)
		norm := u.op(step) // of the squares
		k := u.assign(norm)
		last := u.op(step)
		u.b.after(last.Writer, k)
		u.assign(last)
	default:
		u.assign(u.moments(g))
	}
}

// ftrl adds the update of FTRL (keras/src/optimizers/ftrl.py, update_step). The new accumulator
// is live until the weight is updated.
func (u *updater) ftrl(g, power *Buffer) {
	accumulator := u.op(u.op(g, g))
	linear := u.assign(u.op(u.op(u.op(accumulator), power), g))
	u.assign(u.op(u.later(linear), u.op(accumulator)))
	u.assign(accumulator)
}

// moments adds the step of Adam and its relatives: both moments, and what is computed from them.
// The added parts join the first moment.
func (u *updater) moments(g *Buffer, added ...*Buffer) *Buffer {
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

// accumulated adds the mean of a gradient and the sum of those before it. The gradient comes into
// the branch through a Switch and an Identity (tensorflow/core/common_runtime/lower_if_op.cc).
func (u *updater) accumulated(g, sum *Buffer) *Buffer {
	total := u.op(g, sum)
	if !u.b.Ordered {
		passed, inside := u.assign(g), u.assign(g)
		u.b.after(inside, passed)
		u.b.after(total.Writer, inside)
	}
	return u.op(total)
}

// clipped adds a gradient clipped by its norm, which is computed from its squares. A sum of zero has
// no root to differentiate, so the sum is compared, replaced, and chosen after the root
// (tensorflow/python/ops/clip_ops.py, clip_by_norm). Gradients wait meanwhile.
func (u *updater) clipped(g *Buffer) *Buffer {
	norm := u.b.made(4, nil, u.op(g, g))
	for range 5 { // Greater, Select, Sqrt, Select, Maximum
		norm = u.b.made(4, nil, norm)
	}
	scaled := u.op(g)
	out := u.b.Add(Buffer{Size: u.size, Over: [2]*Buffer{scaled}})
	u.b.Run([]*Buffer{scaled, norm}, out)
	return out
}

// adafactor adds the update of Adafactor (keras/src/optimizers/adafactor.py, update_step). A
// vector has no factors.
func (u *updater) adafactor(g *Buffer) {
	square := u.op(u.op(g, g)) // and epsilon
	v := u.assign(square)
	if len(u.weight.Shape) > 1 {
		v = u.b.Run([]*Buffer{u.later(v)}) // the product of the factors
	}
	step := u.op(g, u.op(u.later(v)))
	norm := u.b.made(4, nil, u.op(step))
	out := u.b.Add(Buffer{Size: u.size, Over: [2]*Buffer{step}})
	u.b.Run([]*Buffer{step, norm}, out)
	u.assign(u.op(out))
}

// muon adds the update of a matrix by Muon (keras/src/optimizers/muon.py, _muon_update_step). early
// is a part of the momentum.
func (u *updater) muon(g, early *Buffer) {
	m := u.assign(u.op(early, g))
	x := u.later(m)
	if u.b.optimizer.Nesterov {
		x = u.op(x, g)
	}
	rows, columns := u.weight.Shape[0], u.weight.Shape[1]
	turned := func(x *Buffer) *Buffer { return u.b.made(u.size, nil, x) }
	if rows > columns {
		x = turned(x)
	}
	norm := u.b.made(4, nil, u.op(x, x))
	normed := u.b.Add(Buffer{Size: u.size, Over: [2]*Buffer{x}})
	u.b.Run([]*Buffer{x, norm}, normed)
	x = normed
	side := min(rows, columns)
	small := tensor.Round256(side * side * u.weight.DType.Size())
	for range u.b.optimizer.Iterations {
		squares := u.b.made(small, nil, x) // x times its transpose
		scaled := u.op(x)
		first, second := u.b.made(small, nil, squares), u.b.made(small, squares, squares)
		sum := u.b.made(small, first, first, u.b.made(small, nil, second, squares))
		x = u.op(scaled, u.b.made(u.size, nil, sum, x))
	}
	if rows > columns {
		x = turned(x)
	}
	u.assign(u.op(x))
}

// scatters reports whether a sparse update changes only some rows of the weight. Then every read
// of the variable makes a copy (tensorflow/core/kernels/resource_variable_ops.cc,
// EnsureSparseVariableAccess).
func scatters(o *graph.Optimizer) bool {
	switch o.Class {
	case "SGD", "RMSprop":
		return !o.Momentum
	}
	return o.Class == "Adagrad" || o.Class == "Adadelta"
}

// sparse adds the update by a sparse gradient. Its rows are summed into a tensor of the weight's
// size before anything is added to them. What is derived from them alone has their size
// (keras/src/backend/tensorflow/sparse.py, elementwise_binary_union).
func (u *updater) sparse(rows *Buffer, early []*Buffer) {
	derived := func(from ...*Buffer) *Buffer {
		var over *Buffer
		if from[0].Size == rows.Size && !u.b.Separate {
			over = from[0]
		}
		return u.b.made(rows.Size, over, from...)
	}
	added := func(to, rows *Buffer) *Buffer { return u.op(to, u.op(rows)) }
	switch u.b.optimizer.Class {
	case "SGD":
		if len(early) == 1 {
			u.assign(added(early[0], derived(rows)))
			return
		}
		u.assign(derived(rows))
	case "Adagrad":
		// A read of sums that rows were scattered into makes a copy. Rows divided by the root are
		// other rows if the root is zero or NaN anywhere, so all of it is examined
		// (keras/src/backend/tensorflow/sparse.py, elementwise_division).
		scaled, squares := derived(rows), u.assign(derived(rows))
		copied := u.op()
		u.b.after(copied.Writer, squares)
		root := u.op(u.op(copied))
		flag := func(over *Buffer, of ...*Buffer) *Buffer { return u.b.made(u.size/4, over, of...) }
		zero := flag(nil, root)
		either := u.assign(flag(zero, zero, flag(nil, root)))
		gathered := u.b.made(rows.Size, nil, root)
		u.b.after(gathered.Writer, either)
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

// scattered adds the update by a sparse gradient as in Keras 2. Rows of one index are summed, and
// scattered into the slots, which were multiplied by a constant when the step began. If rows of a
// variable are read or scattered, every read and every assignment of the whole variable makes a
// copy (tensorflow/core/kernels/resource_variable_ops.cc, EnsureSparseVariableAccess).
func (u *updater) scattered(rows *Buffer, early []*Buffer) {
	size := min(rows.Size, u.size) // one row remains for each index
	derived := func(from *Buffer) *Buffer { return u.b.made(size, nil, from) }
	whole := func(t *Buffer) *Kernel {
		k := u.assign(t)
		k.Temp = u.size
		return k
	}
	if u.b.optimizer.Class == "Ftrl" { // it adds a tensor to the rows, which makes them dense
		u.ftrl(u.op(rows), early[0])
		return
	}
	distinct := u.distinct(rows)
	slot := func() *Kernel {
		decayed := whole(u.op())
		scatter := u.assign(derived(distinct))
		u.b.after(scatter, decayed)
		return scatter
	}
	switch u.b.optimizer.Class {
	case "SGD":
		whole(u.later(slot()))
	case "RMSprop":
		u.b.Run([]*Buffer{u.later(slot()), derived(distinct)})
	case "Adagrad": // the rows of the sums are gathered once the squares are in them
		gathered := u.b.made(size, nil)
		u.b.after(gathered.Writer, u.assign(derived(distinct)))
		u.assign(u.b.made(size, distinct, distinct, gathered))
	case "Adadelta": // a tensor times rows has the whole size
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

// averaged adds the kernels that take an updated weight into its moving average
// (keras/src/optimizers/base_optimizer.py, _update_model_variables_moving_average).
func (u *updater) averaged(early *Buffer) {
	kernels := u.b.Kernels
	u.assign(u.op(early, u.later(kernels[len(kernels)-1])))
}
