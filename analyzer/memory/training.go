package memory

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// A builder makes the kernels of a step from the operations of a forward pass.
type builder struct {
	*step
	// values, grads and pending are indexed by tensor number. grads are contributions that are
	// not summed yet. pending are the gradients of weights that were asked for, if the tensors
	// are such gradients.
	values  []*buffer
	grads   [][]*buffer
	pending [][]pending
	// extras and ahead are indexed by operation number. ahead is what an operation's gradient
	// computes before the gradient of its output comes.
	extras [][]*buffer
	ahead  []*buffer
	// keptBytes is the size of what stays for the gradients, kept and extras.
	keptBytes  int64
	folded     int   // number of constants that TensorFlow folds
	mostFolded int64 // bytes of the largest one

	// asked is what is being differentiated. wanted are the resulting gradients, by weight index.
	asked  *graph.Gradient
	wanted []want
	// penalties are the gradients of regularizers, by weight index; nil if there are none.
	penalties     [][]pending
	own           bool           // the program writes the step itself, or the step is not a graph
	olds          []*buffer      // gradients of the previous step that are still held
	previous      [][]*buffer    // what was computed from them, for each Hold that releases it
	dataGradients []dataGradient // gradients of data that are still held: see arrives
	through       []*graph.Op    // what is being differentiated
	// decayed holds weights as they were read before weight decay changed their variables.
	decayed map[*graph.Weight]*buffer
	// scattered are weights of which each step updates some rows. Each read of them makes a copy.
	scattered map[*graph.Weight]bool
	// updated are the kernels of the updates of weights, by weight index; nil if there is one
	// update and nothing follows it.
	updated [][]*kernel
	// seeds are the kernels that gave layers the seeds of their next calls.
	seeds     map[*graph.Layer]*kernel
	optimizer *graph.Optimizer
	infers    bool // no gradient follows
	shared    bool // replicas sum their gradients before they apply them
	// recording is the region in which operations keep what their gradients need. It is nil in
	// the forward pass, for operations in no region.
	recording *graph.Region
	places    *weightIndex
}

// A pending is the gradient of a weight before it is applied.
type pending struct {
	gradient *buffer
	rows     int64
}

// A want is what is known of a weight's gradient, if that is asked for.
type want struct {
	asked bool
	parts []pending
}

// training builds a step: its computations, gradients and updates.
func training(l *lowered, own *graph.Step) *builder {
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
					b.scattered = map[*graph.Weight]bool{}
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
		case op.Kind == graph.OpHold:
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

// hold keeps tensors alive until here, because names of Python refer to them.
func (b *builder) hold(op *graph.Op) {
	var held []*buffer
	if op.HoldsPrevious && len(b.previous) > 0 {
		held, b.previous = b.previous[0], b.previous[1:]
	}
	for _, t := range op.In {
		for ; t != nil; t = t.Logits {
			if v := b.values[t.Number]; v != nil {
				held = append(held, v)
				continue
			}
			for _, p := range b.pending[t.Number] {
				held = append(held, p.gradient)
			}
		}
	}
	b.run(held)
}

// last adds the gradients of the previous iteration. A name holds them until it refers to those
// of this one.
func (b *builder) last(g *graph.Graph) {
	b.phase = Backward
	before := func(all []*graph.Tensor) (olds []*buffer) {
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
		case op.HoldsPrevious:
			b.previous = append(b.previous, before(op.In))
		}
	}
}

// value returns the buffer of a tensor. If the tensor is a weight's gradient, that is the sum of
// its parts.
func (b *builder) value(t *graph.Tensor) *buffer {
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

// sum adds up several gradients of one weight.
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
