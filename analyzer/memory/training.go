package memory

import (
	"math"
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

	// pending are the gradients of weights that were asked for, by the numbers of the
	// tensors that they are; asked is what is being differentiated, and wanted the
	// gradients that come of it, by the places of the weights.
	pending map[int][]pending
	asked   *keras.Gradient
	wanted  []want
	// penalties are the gradients that come of regularizers.
	penalties map[*keras.Weight][]pending
	own       bool      // the step is one that the program writes itself
	olds      []*buffer // gradients of the step before, which are held still
	// decayed are weights as they were read, whose variables have other values by now.
	decayed map[*keras.Weight]*buffer
	// updated are the kernels that a weight's updates end with.
	updated   map[*keras.Weight][]*kernel
	optimizer *keras.Optimizer
	infers    bool // no gradient follows
	shared    bool // replicas sum their gradients before they apply them
	// recording is the region whose operations keep what their gradients need: nil in the
	// forward pass, for what is in none.
	recording *keras.Region
	parts     slab[pending]
	places    *places
}

// pending is the gradient of a weight that was not applied yet.
type pending struct {
	gradient *buffer
	rows     int64
}

// A want is what came of a weight's gradient, if that is asked for.
type want struct {
	asked bool
	parts []pending
}

// training builds a step: what it computes, asks the gradients of and updates.
func training(l *lowered, own *keras.Step) *builder {
	b, g := newBuilder(l), l.graph
	b.own, b.shared = own != nil, l.shared
	b.ordered = b.own && !own.Compiled
	b.separate = b.ordered
	if b.ordered && own.Repeats {
		b.last(g)
	}
	var early [][]*buffer
	updates := 0
	rows := sparse(g)
	for _, op := range g.Ops {
		if op.Update == nil || op.Update.Optimizer == nil {
			continue
		}
		updates++
		b.optimizer = op.Update.Optimizer
		for _, w := range op.Update.Weights {
			early = append(early, b.early(w, rows[w]))
			b.decays(w)
		}
	}
	if own == nil {
		b.penalize(l.places.trained)
	}
	b.pending = make(map[int][]pending, len(early))
	if updates > 1 {
		b.updated = map[*keras.Weight][]*kernel{}
	}
	for _, op := range g.Ops {
		b.layer = op.Layer
		switch {
		case op.Gradient != nil:
			b.phase, b.layer = Backward, nil
			b.differentiate(op, g.Ops)
		case op.Update != nil:
			b.phase, b.layer = Update, nil
			if op.Update.Optimizer == nil {
				b.accumulate(op)
				continue
			}
			n := len(op.Update.Weights)
			b.apply(op, early[:n])
			early = early[n:]
		case op.Name == "Hold":
			b.hold(op)
		case op.Loss != "":
			b.phase = Forward
			b.loss(op)
		default:
			b.phase = Forward
			b.forward(op)
		}
	}
	return b
}

// hold keeps tensors alive until here: names of Python stand for them.
func (b *builder) hold(op *keras.Op) {
	var held []*buffer
	for _, t := range op.In {
		if v := b.values[t.Number]; v != nil {
			held = append(held, v)
			continue
		}
		for _, p := range b.pending[t.Number] {
			held = append(held, p.gradient)
		}
	}
	b.run(held)
}

// last adds the gradients of the turn before, which a name holds until it stands for
// those of this one.
func (b *builder) last(g *keras.Graph) {
	b.phase = Backward
	for _, op := range g.Ops {
		if op.Gradient == nil {
			continue
		}
		for _, t := range op.Out {
			old := b.add(buffer{size: t.Bytes(), kind: Gradients})
			b.run(nil, old)
			b.olds = append(b.olds, old)
		}
	}
}

// differentiate adds the gradients of what an op asks for.
func (b *builder) differentiate(op *keras.Op, before []*keras.Op) {
	b.asked, b.wanted = op.Gradient, zeros(b.wanted, b.places.count)
	for i, w := range op.Gradient.Weights {
		wanted := &b.wanted[b.places.slot(op, i)]
		wanted.asked = true
		wanted.parts = append(wanted.parts, b.penalties[w]...)
	}
	for _, t := range op.In {
		b.comes(t, b.one())
	}
	through := op.Gradient.Ops
	if through == nil {
		through = before[:op.Number]
	}
	sources := op.Out[len(op.Gradient.Weights):]
	inTurn(through, b.recording, func(made *keras.Op) {
		b.layer = made.Layer
		for j, t := range op.Gradient.Sources {
			if t.From == made {
				b.found(sources[j], t)
			}
		}
		b.backward(made)
	}, b.again)
	for j, t := range op.Gradient.Sources {
		b.found(sources[j], t)
		b.grads[t.Number] = nil
	}
	for i, w := range op.Gradient.Weights {
		parts := b.wanted[b.places.slot(op, i)].parts
		if b.ordered && len(parts) > 1 {
			parts = []pending{{gradient: b.sum(parts, w.Bytes())}}
		}
		b.pending[op.Out[i].Number] = parts
	}
	if n := len(op.Out); len(b.olds) >= n {
		b.run(b.olds[:n])
		b.olds = b.olds[n:]
	}
}

// one is the gradient of a loss by itself, a constant.
func (b *builder) one() *buffer { return b.add(buffer{pinned: true}) }

// found notes the gradient of a source, which may go on to what it was made of.
func (b *builder) found(out, source *keras.Tensor) {
	if b.values[out.Number] != nil {
		return
	}
	if d := b.gradient(source); d != nil {
		b.values[out.Number] = d
		b.comes(source, d)
	}
}

// value is the buffer of a tensor. That of a weight's gradient is the sum of what came.
func (b *builder) value(t *keras.Tensor) *buffer {
	if v := b.values[t.Number]; v != nil {
		return v
	}
	parts := b.pending[t.Number]
	if len(parts) == 0 {
		return nil
	}
	v := b.sum(parts, t.Bytes())
	if parts[0].rows > 0 && len(parts) == 1 {
		whole := b.add(buffer{size: t.Bytes(), kind: Gradients})
		b.run([]*buffer{v}, whole)
		v = whole
	}
	b.values[t.Number] = v
	return v
}

// sum is several gradients of one weight together.
func (b *builder) sum(parts []pending, size int64) *buffer {
	if len(parts) == 1 {
		return parts[0].gradient
	}
	all := make([]*buffer, len(parts))
	for i, p := range parts {
		all[i] = p.gradient
	}
	sum := b.add(buffer{size: size, kind: Gradients, over: [2]*buffer{all[0], all[1]}})
	b.run(all, sum)
	return sum
}

// flows tells whether the gradient that is asked for flows through a tensor.
func (b *builder) flows(t *keras.Tensor) bool { return flows(b.asked, t) }

func flows(asked *keras.Gradient, t *keras.Tensor) bool {
	if asked == nil || asked.Ops == nil {
		return t.Grad
	}
	return asked.Flows[t]
}

func newBuilder(l *lowered) *builder {
	a := l.arena
	b := &builder{
		step: &step{arena: a}, places: &l.places, extras: a.shares.take(len(l.graph.Ops)),
		values: a.lists.take(l.tensors), grads: a.shares.take(l.tensors), ahead: a.lists.take(len(l.graph.Ops)),
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
		v := b.add(buffer{pinned: true}) // the variable itself
		if old := b.before(op); old != nil {
			v = old[0]
		}
		b.values[op.Out[0].Number] = v
		return
	}
	temp, again := op.ForwardTemp, op.Again != b.recording
	if op.Draws && !b.ordered && op.Again == nil {
		temp = 0
	}
	var shed *buffer
	for _, t := range op.In {
		b.value(t)
	}
	b.reads, b.writes = b.reads[:0], b.writes[:0]
	for _, t := range op.In {
		b.reads = append(b.reads, b.values[t.Number])
	}
	b.reads = append(b.reads, b.before(op)...)
	for _, t := range op.Out {
		out := b.add(buffer{size: t.Bytes(), kind: Activations})
		b.values[t.Number] = out
		b.writes = append(b.writes, out)
		if !b.separate && op.InPlace || b.infers && overwrites(op) {
			for _, in := range op.In {
				if in.Bytes() == out.size && !b.values[in.Number].pinned {
					out.over[0] = b.values[in.Number]
					break
				}
			}
		}
	}
	if b.infers || again {
		// What a gradient would keep beside the output is made all the same, and
		// freed at once: a recurrent layer's reserve, a kernel's copy in half
		// precision.
		for _, size := range op.Extra {
			temp += size
		}
		temp += op.Sheds
	} else if needsGradient(op) {
		for _, size := range op.Extra {
			extra := b.add(buffer{size: size, kind: Activations})
			b.writes = append(b.writes, extra)
			b.extras[op.Number] = append(b.extras[op.Number], extra)
			if b.phase == Forward {
				b.keptBytes += size
			}
		}
		if op.Sheds+op.Makes > 0 {
			shed = b.add(buffer{size: op.Sheds, kind: Activations})
			b.writes = append(b.writes, shed)
		}
		// What the gradient reads is counted as kept when it is, once a buffer.
		for _, t := range op.Keep {
			b.keep(t)
		}
	}
	if b.composed(op) {
		b.normalize(op, b.reads[0], b.writes[0], again)
	} else {
		k := b.run(b.reads, b.writes...)
		k.temp = temp
		b.behind(k, op)
	}
	switch {
	case b.infers || !needsGradient(op):
	case again:
		b.keepInputs(op)
	default:
		b.makeAhead(op)
		b.turns(op, shed)
	}
}

// behind makes a kernel that reads weights wait for their updates, as tf.function has
// it (tensorflow/python/framework/auto_control_deps.py).
func (b *builder) behind(k *kernel, op *keras.Op) {
	if b.updated == nil {
		return
	}
	for _, w := range op.Weights {
		for _, before := range b.updated[w] {
			b.after(k, before)
		}
	}
}

// turns adds what the gradient of an operation makes of what it needs no longer then.
// Where operations run one by one, nothing is made before a gradient comes.
func (b *builder) turns(op *keras.Op, shed *buffer) {
	if shed == nil {
		return
	}
	stays := shed
	if !b.ordered {
		stays = b.add(buffer{size: op.Makes, kind: Activations})
		b.run(b.list(shed), stays)
	}
	b.extras[op.Number] = append(b.extras[op.Number], stays)
	b.stays(stays)
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
	if v.kept || b.phase == Backward && b.recording != nil {
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

// gradient is the sum of what came back to a tensor, or nil. It is one kernel, once all
// has come (tensorflow/core/kernels/aggregate_ops.cc, AddNOp).
func (b *builder) gradient(t *keras.Tensor) *buffer {
	parts := b.grads[t.Number]
	b.grads[t.Number] = nil
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	sum := b.add(buffer{size: t.Bytes(), over: [2]*buffer{parts[0], parts[1]}})
	b.run(parts, sum)
	return sum
}

// backward adds the gradient of an operation.
func (b *builder) backward(op *keras.Op) {
	reads := b.reads[:0]
	for _, t := range op.Out {
		if g := b.gradient(t); g != nil {
			reads = append(reads, g)
		}
	}
	if len(reads) == 0 || !b.differs(op) {
		return
	}
	d := reads[0]
	switch {
	case op.Loss != "":
		b.lossGradient(op, d)
		return
	case op.Read: // what comes back to a variable is its gradient
		if w := b.want(op, 0); w.asked {
			b.pend(w, pending{gradient: d}, op.Summed)
		}
		return
	case op.View:
		b.comes(op.In[0], d)
		return
	case b.ordered && pinned(op):
		held := make([]*buffer, len(op.In))
		for i, t := range op.In {
			held[i] = b.values[t.Number]
		}
		defer b.run(held) // until the function of the gradient has returned
	}
	if op.Product {
		b.factors(op, d)
		return
	}
	if b.composed(op) && b.extras[op.Number] != nil {
		b.normalizationGradient(op, d)
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
	if b.own {
		// The functions of gradients make that of the input first
		// (tensorflow/python/ops/nn_grad.py, _Conv2DGrad). Of steps that programs write, it
		// also is so in most records of graphs, where it is not certain: see below.
		b.inputs(op, reads, d, ahead)
		b.weights(op, reads, d)
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

// differs tells whether a gradient flows back through an operation.
func (b *builder) differs(op *keras.Op) bool { return differs(b.asked, op) }

func differs(asked *keras.Gradient, op *keras.Op) bool {
	for _, t := range op.Out {
		if flows(asked, t) {
			return true
		}
	}
	return false
}

// want is what came of the gradient of the weight with index i of an operation.
func (b *builder) want(op *keras.Op, i int) *want { return &b.wanted[b.places.slot(op, i)] }

// pend notes a gradient of a weight, which a loop sums turn by turn.
func (b *builder) pend(w *want, p pending, summed bool) {
	if summed && !b.ordered && len(w.parts) == 1 && w.parts[0].rows == 0 && p.rows == 0 {
		w.parts[0].gradient = b.sum([]pending{w.parts[0], p}, p.gradient.size)
		return
	}
	if w.parts == nil {
		w.parts = b.parts.take(1)[:0] // most often there is one
	}
	w.parts = append(w.parts, p)
}

// factors adds the gradients of the two factors of a product, in the place of what
// comes back or of the other factor where nobody else needs that
// (tensorflow/python/ops/math_grad.py, _MulGrad).
func (b *builder) factors(op *keras.Op, d *buffer) {
	for i, t := range op.In {
		if !b.flows(t) {
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

// order is the places of an operation's inputs as their gradients are made: those of
// variables first, as those of weights are (see backward).
func (b *builder) order(op *keras.Op) []int {
	var first, rest []int
	for i, t := range op.In {
		if !b.own && t.From != nil && t.From.Read {
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	return append(first, rest...)
}

// inputs adds the gradients of an operation's inputs, which may be written over one
// of what they are made of.
func (b *builder) inputs(op *keras.Op, reads []*buffer, d, over *buffer) {
	temp := op.BackwardTemp
	if b.separate && averages(op) {
		// What comes back is spread out, and then divided (tensorflow/python/ops/math_grad.py,
		// _MeanGrad).
		temp += op.In[0].Bytes()
	}
	if old := b.before(op); old != nil && op.SparseRows == 0 && !op.InPlace {
		reads = append(slices.Clone(reads), old...)
	}
	for _, i := range b.order(op) {
		t := op.In[i]
		if !b.flows(t) || skipped(op, i) {
			continue
		}
		if op.GradSame && t.Bytes() == d.size {
			b.comes(t, d)
			continue
		}
		if op.Contraction {
			reads = append(b.list(d), b.values[op.In[1-i].Number])
		}
		g := b.add(buffer{size: t.Bytes(), over: [2]*buffer{over}})
		made := g
		if i < len(op.Spread) && op.Spread[i] > 0 {
			made = b.add(buffer{size: op.Spread[i]})
		}
		b.run(reads, made).temp = temp
		temp = 0
		if made != g {
			b.run(b.list(made), g)
		}
		b.comes(t, g)
	}
}

// weights adds the gradients of an operation's weights.
func (b *builder) weights(op *keras.Op, reads []*buffer, d *buffer) {
	for i, w := range op.Weights {
		wanted := b.want(op, i)
		if !wanted.asked {
			continue
		}
		g := b.add(buffer{size: w.Bytes(), kind: Gradients})
		if op.SparseRows > 0 {
			g.size = op.SparseRows * w.DType.Size()
			g.over[0] = d
		}
		reads := reads
		if op.Loops && !b.ordered {
			zeros := b.add(buffer{size: g.size, kind: Gradients})
			b.run(nil, zeros)
			g.over[0] = zeros
			reads = append(b.list(zeros), reads...)
		}
		if op.Parts > 1 && op.SparseRows == 0 {
			g = b.summed(reads, g, op.Parts)
		} else {
			b.run(reads, g)
		}
		b.pend(wanted, pending{g, op.SparseRows}, op.Summed)
	}
}

// summed is the gradient of a weight that so many calls have a part in, which are all
// there before they are summed (tensorflow/python/eager/backprop.py, aggregate_grads).
func (b *builder) summed(reads []*buffer, sum *buffer, parts int64) *buffer {
	if sum.size > math.MaxInt64/parts {
		parts = 1 // more than any memory: the step is priced for less
	}
	all := b.add(buffer{size: sum.size * (parts - 1), kind: Gradients})
	first := b.add(buffer{size: sum.size, kind: Gradients})
	b.run(reads, all, first)
	sum.over[0] = first
	b.run([]*buffer{all, first}, sum)
	return sum
}

func skipped(op *keras.Op, i int) bool { return slices.Contains(op.NoGradOf, i) }

// pinned tells whether a tape holds the inputs of an operation though its gradient
// only looks at their shapes, where operations run one by one.
func pinned(op *keras.Op) bool {
	switch op.Name {
	case "Add", "Concat", "AvgPool", "Pad":
		return true
	}
	return averages(op)
}

// averages tells whether an operation takes means.
func averages(op *keras.Op) bool { return op.Name == "mean" || op.Name == "Mean" }
