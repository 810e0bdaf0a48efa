package executor

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// A Builder makes the kernels of a step from the operations of a forward pass.
type Builder struct {
	*Step
	// Values, grads and pending are indexed by tensor number. grads are contributions that are
	// not summed yet. pending are the gradients of weights that were asked for, if the tensors
	// are such gradients.
	Values  []*Buffer
	grads   [][]*Buffer
	pending [][]pending
	// Extras, ahead and untaken are indexed by operation number. ahead is what an operation's gradient
	// computes before the gradient of its output comes. untaken are the zeros of a branch not taken.
	Extras         [][]*Buffer
	ahead, untaken []*Buffer
	// KeptBytes is the size of what stays for the gradients, kept and extras.
	KeptBytes int64
	Folded    int   // number of constants that TensorFlow folds
	Open      int64 // bytes that are beside the others in one order of what TensorFlow leaves open
	// Asked is what is being differentiated. wanted are the resulting gradients, by weight index.
	Asked  *graph.Gradient
	wanted []want
	// penalties are the gradients of regularizers, by weight index; nil if there are none.
	penalties     [][]pending
	weightsFirst  bool           // of what is ready together, the gradients of weights run first
	olds          []*Buffer      // gradients of the previous step that are still held
	previous      [][]*Buffer    // what was computed from them, for each Hold that releases it
	dataGradients []dataGradient // gradients of data that are still held: see arrives
	through       []*graph.Op    // what is being differentiated
	// decayed holds weights as they were read before weight decay changed their variables.
	decayed   map[*graph.Weight]*Buffer
	constants []*Buffer       // of tensors that operations fill
	zeroed    []*graph.Weight // one of each shape whose sums become zeros
	tiled     []*graph.Weight // one of each shape that a regularizer's factor is tiled to
	// scattered are weights of which each step updates some rows. Each read of them makes a copy.
	scattered map[*graph.Weight]bool
	// updated are the kernels of the updates of weights, by weight index; nil if there is one
	// update and nothing follows it.
	updated [][]*Kernel
	// stepped is the last of the kernels that stand for the gradients of an unrolled loop's steps, while
	// those of the loop are added.
	stepped *Kernel
	// seeds are the kernels that gave layers the seeds of their next calls.
	seeds     map[*graph.Layer]*Kernel
	optimizer *graph.Optimizer
	Infers    bool // no gradient follows
	shared    bool // replicas sum their gradients before they apply them
	// Recording is the region in which operations keep what their gradients need. It is nil in
	// the forward pass, for operations in no region.
	Recording *graph.Region
	Places    *weightIndex
}

// A pending is the gradient of a weight before it is applied.
type pending struct {
	gradient *Buffer
	rows     int64
}

// A want is what is known of a weight's gradient, if that is asked for.
type want struct {
	asked bool
	parts []pending
}

// Training builds a step: its computations, gradients and updates.
func Training(l *Lowered, own *graph.Step) *Builder { return training(l, own, own == nil) }

// Turned is Training with the other order of the gradients that are ready together: see backward.
func Turned(l *Lowered, own *graph.Step) *Builder { return training(l, own, own != nil) }

func training(l *Lowered, own *graph.Step, weightsFirst bool) *Builder {
	b, g := NewBuilder(l), l.Graph
	b.Ordered = g.Eagerly
	b.weightsFirst, b.shared = weightsFirst && !b.Ordered, l.Shared
	b.Separate = b.Ordered
	if own != nil && b.Ordered && own.Repeats {
		b.last(g)
	}
	var early [][]*Buffer
	updates := 0
	rows := b.Places.sparse(g.Ops)
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
			at := b.Places.Slot(op, i)
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
		b.updated = make([][]*Kernel, b.Places.Count)
	}
	b.fill(g.Ops)
	for _, op := range g.Ops {
		b.Layer = op.Layer
		switch {
		case op.Gradient != nil:
			b.Phase, b.Layer = Backward, nil
			b.differentiate(op, g.Ops)
		case op.Update != nil:
			b.Phase, b.Layer = Update, nil
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
			b.Phase = Forward
			b.loss(op)
		default:
			b.Phase = Forward
			b.forward(op)
		}
	}
	return b
}

// Evaluation builds the step in which evaluate runs a model: a forward pass with its losses and
// metrics. Nothing keeps the outputs.
func Evaluation(l *Lowered, optimizer *graph.Optimizer) *Step {
	b := NewBuilder(l)
	b.Infers, b.Ordered, b.optimizer = true, l.Graph.Eagerly, optimizer
	b.Separate, b.Phase = b.Ordered, Forward
	for _, op := range l.Graph.Ops {
		if b.Layer = op.Layer; op.Loss != "" {
			b.loss(op)
		} else {
			b.forward(op)
		}
	}
	return b.Step
}

// hold keeps tensors alive until here, because names of Python refer to them.
func (b *Builder) hold(op *graph.Op) {
	var held []*Buffer
	if op.HoldsPrevious && len(b.previous) > 0 {
		held, b.previous = b.previous[0], b.previous[1:]
	}
	for _, t := range op.In {
		for ; t != nil; t = t.Logits {
			if v := b.Values[t.Number]; v != nil {
				held = append(held, v)
				continue
			}
			for _, p := range b.pending[t.Number] {
				held = append(held, p.gradient)
			}
		}
	}
	b.Run(held)
}

// last adds the gradients of the previous iteration. A name holds them until it refers to those
// of this one.
func (b *Builder) last(g *graph.Graph) {
	b.Phase = Backward
	before := func(all []*graph.Tensor) (olds []*Buffer) {
		for _, t := range all {
			old := b.made(t.Bytes(), nil)
			old.Kind = Gradients
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
func (b *Builder) value(t *graph.Tensor) *Buffer {
	if v := b.Values[t.Number]; v != nil {
		return v
	}
	parts := b.pending[t.Number]
	if len(parts) == 0 {
		return nil
	}
	v := b.sum(parts, t.Bytes())
	if parts[0].rows > 0 && len(parts) == 1 {
		v = b.made(t.Bytes(), nil, v)
		v.Kind = Gradients
	}
	b.Values[t.Number] = v
	return v
}

// sum adds up several gradients of one weight. Rows are made a tensor of the weight's size if another
// part is one (tensorflow/python/framework/indexed_slices.py, _indexed_slices_to_tensor).
func (b *Builder) sum(parts []pending, size int64) *Buffer {
	if len(parts) == 1 {
		return parts[0].gradient
	}
	all := make([]*Buffer, len(parts))
	dense := slices.ContainsFunc(parts, func(p pending) bool { return p.rows == 0 })
	for i, p := range parts {
		all[i] = p.gradient
		if dense && p.rows > 0 {
			all[i] = b.made(size, nil, p.gradient)
		}
	}
	sum := b.Add(Buffer{Size: size, Kind: Gradients, Over: [2]*Buffer{all[0], all[1]}})
	b.Run(all, sum)
	return sum
}

func NewBuilder(l *Lowered) *Builder {
	a := l.Arena
	a.Clear()
	b := &Builder{
		Step: &Step{Arena: a}, Places: &l.Places, Extras: a.Shares.Take(len(l.Graph.Ops)),
		Values: a.Lists.Take(l.Tensors), grads: a.Shares.Take(l.Tensors), pending: a.pending.Take(l.Tensors),
		ahead: a.Lists.Take(len(l.Graph.Ops)), untaken: a.Lists.Take(len(l.Graph.Ops)),
	}
	for _, t := range l.Graph.Inputs {
		b.Values[t.Number] = b.Add(Buffer{Pinned: true}) // the batch is resident
	}
	return b
}
