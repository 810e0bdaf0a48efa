package memory

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/keras"
)

// A builder makes the kernels of a step from the operations of a forward pass.
type builder struct {
	*step
	// values, grads and pending are by the numbers of tensors. grads are contributions that
	// were not summed yet, pending the gradients of weights that were asked for, where the
	// tensors are such gradients.
	values  []*buffer
	grads   [][]*buffer
	pending [][]pending
	// extras and ahead are by the numbers of operations; ahead is what its gradient
	// makes before one comes.
	extras [][]*buffer
	ahead  []*buffer
	// keptBytes is the size of what stays for the gradients, of kept and of extras.
	keptBytes  int64
	folded     int   // constants that TensorFlow computes beforehand
	mostFolded int64 // bytes of one

	// asked is what is being differentiated, and wanted the gradients that come of it, by
	// the places of the weights.
	asked  *keras.Gradient
	wanted []want
	// penalties are the gradients that come of regularizers, by the places of the weights;
	// nil where there are none.
	penalties [][]pending
	own       bool        // the step is one that the program writes itself, or that is no graph
	olds      []*buffer   // gradients of the step before, which are held still
	renewed   [][]*buffer // what was made of them, for each hold that ends it
	// decayed are weights as they were read, whose variables have other values by now.
	decayed map[*keras.Weight]*buffer
	// scattered are weights of which each step updates some rows, and each read makes a copy.
	scattered map[*keras.Weight]bool
	// updated are the kernels of the updates of weights, by the places of these; nil where
	// there is one update, which nothing follows.
	updated [][]*kernel
	// seeds are the kernels that gave layers the seeds of their next calls.
	seeds     map[*keras.Layer]*kernel
	optimizer *keras.Optimizer
	infers    bool // no gradient follows
	shared    bool // replicas sum their gradients before they apply them
	// recording is the region whose operations keep what their gradients need: nil in the
	// forward pass, for what is in none.
	recording *keras.Region
	places    *weightIndex
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
	b.ordered = g.Eager()
	b.own, b.shared = own != nil || b.ordered, l.shared
	b.separate = b.ordered
	if own != nil && b.ordered && own.Repeats {
		b.last(g)
	}
	var early [][]*buffer
	updates := 0
	rows := b.places.sparse(g.Ops)
	for _, op := range g.Ops {
		if op.Update == nil {
			continue
		}
		updates++
		if op.Update.Optimizer == nil {
			continue
		}
		b.optimizer = op.Update.Optimizer
		for i, w := range op.Update.Weights {
			at := b.places.slot(op, i)
			early = append(early, b.early(w, rows[at]))
			if rows[at] > 0 && b.optimizer.Keras == 3 && !b.optimizer.Fused && scatters(b.optimizer) {
				if b.scattered == nil {
					b.scattered = map[*keras.Weight]bool{}
				}
				b.scattered[w] = true
			}
			b.decays(w)
		}
		if own == nil {
			b.penalize(op)
		}
	}
	if updates > 1 {
		b.updated = make([][]*kernel, b.places.count)
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
	if op.Renews && len(b.renewed) > 0 {
		held, b.renewed = b.renewed[0], b.renewed[1:]
	}
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
	before := func(all []*keras.Tensor) (olds []*buffer) {
		for _, t := range all {
			old := b.made(t.Bytes(), nil)
			old.kind = Gradients
			olds = append(olds, old)
		}
		return olds
	}
	for _, op := range g.Ops {
		switch {
		case op.Gradient != nil:
			b.olds = append(b.olds, before(op.Out)...)
		case op.Renews:
			b.renewed = append(b.renewed, before(op.In))
		}
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
		v = b.made(t.Bytes(), nil, v)
		v.kind = Gradients
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

func newBuilder(l *lowered) *builder {
	a := l.arena
	a.clear()
	b := &builder{
		step: &step{arena: a}, places: &l.places, extras: a.shares.take(len(l.graph.Ops)),
		values: a.lists.take(l.tensors), grads: a.shares.take(l.tensors), pending: a.pending.take(l.tensors),
		ahead: a.lists.take(len(l.graph.Ops)), mostFolded: cmp.Or(l.mostFolded, foldable),
	}
	for _, t := range l.graph.Inputs {
		b.values[t.Number] = b.add(buffer{pinned: true}) // the batch is resident
	}
	return b
}
