package memory

import (
	"math"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// differentiate adds the gradients that an op asks for.
func (b *builder) differentiate(op *graph.Op, before []*graph.Op) {
	b.asked, b.wanted = op.Gradient, zeros(b.wanted, b.places.count)
	for i := range op.Gradient.Weights {
		at := b.places.slot(op, i)
		b.wanted[at].asked = true
		if b.penalties != nil {
			b.wanted[at].parts = slices.Clone(b.penalties[at])
		}
	}
	for _, t := range op.In {
		b.comes(t, b.one())
	}
	through := op.Gradient.Ops
	if through == nil {
		through = before[:op.Number]
	}
	b.through = through
	sources := op.Out[len(op.Gradient.Weights):]
	inTurn(through, b.recording, func(made *graph.Op) {
		b.layer = made.Layer
		for j, t := range op.Gradient.Sources {
			if t.From == made {
				b.found(sources[j], t)
			}
		}
		b.backward(made)
		b.releaseData(made)
	}, b.recompute)
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

// one returns the gradient of a loss with respect to itself, a constant.
func (b *builder) one() *buffer { return b.add(buffer{pinned: true, folded: !b.ordered}) }

// foldable is the size up to which TensorFlow's graph optimizer folds constants
// (tensorflow/core/grappler/optimizers/constant_folding.cc, kMaxConstantSize).
const foldable = 10 << 20

// folds reports whether a tensor is folded together with the constant of that it is computed
// from.
func (b *builder) folds(of *buffer, size int64) bool {
	if !of.folded || size > b.mostFolded {
		return false
	}
	b.folded++
	return true
}

// arrives records the gradient of an input, which may need none. Without tf.function, the gradient
// function of an elementwise operation on two tensors of one shape computes both gradients
// (tensorflow/python/ops/math_grad.py, _AddGrad, _SubGrad, _MulGrad, _SquaredDifferenceGrad). The
// tape holds that of data until it has run all operations that read them
// (tensorflow/c/eager/tape.h, ComputeGradient).
func (b *builder) arrives(t *graph.Tensor, d *buffer) {
	if b.flows(t) {
		b.comes(t, d)
		return
	}
	for _, op := range b.through {
		if slices.Contains(op.In, t) && b.differs(op) {
			b.dataGradients = append(b.dataGradients, dataGradient{d, op})
			return
		}
	}
}

// A dataGradient is a gradient of data, and the operation whose gradient frees it.
type dataGradient struct {
	gradient *buffer
	until    *graph.Op
}

// releaseData frees the gradients of data that no further operation reads.
func (b *builder) releaseData(op *graph.Op) {
	b.dataGradients = slices.DeleteFunc(b.dataGradients, func(g dataGradient) bool {
		if g.until == op {
			b.run(b.list(g.gradient))
		}
		return g.until == op
	})
}

// computesBoth reports whether the gradients of both inputs of an operation are computed: see arrives.
func (b *builder) computesBoth(op *graph.Op) bool {
	if !b.ordered || len(op.In) != 2 || !slices.Equal(op.In[0].Shape, op.In[1].Shape) {
		return false
	}
	switch op.Kind {
	case graph.OpMultiply:
		return op.Out[0].DType == "float32"
	case graph.OpAdd, graph.OpSubtract, graph.OpSquaredDifference:
		return true
	}
	return squared(op)
}

// found records the gradient of a source. The gradient may flow on to what the source was
// computed from.
func (b *builder) found(out, source *graph.Tensor) {
	if b.values[out.Number] != nil {
		return
	}
	if d := b.gradient(source); d != nil {
		b.values[out.Number] = d
		b.comes(source, d)
	}
}

// backward adds the gradient of an operation.
func (b *builder) backward(op *graph.Op) {
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
	case op.Read: // the gradient that reaches a variable is its gradient
		if w := b.want(op, 0); w.asked {
			b.pend(w, pending{gradient: d}, op.Summed)
		}
		return
	case op.Reshapes():
		if !b.ordered && !d.pinned && !d.view {
			d = b.reshaped(d) // a no-op reshape is a kernel too; of several, one remains
		}
		b.comes(op.In[0], d)
		return
	case b.ordered:
		held := append(make([]*buffer, 0, len(op.Keep)+1), d)
		for _, t := range op.Keep {
			held = append(held, b.values[t.Number])
		}
		defer b.run(held) // until the gradient function has returned
	}
	if op.Product {
		b.factors(op, d)
		return
	}
	if op.Kind == graph.OpSquare && len(op.In) == 1 && !b.ordered && !d.folded {
		b.squared(op, d)
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
	if ahead != nil {
		reads = append(reads, ahead)
	}
	b.reads = reads
	if op.GradInPlace {
		// The gradients of the weights read it first. Then it may be overwritten.
		b.weights(op, reads, d)
		b.inputs(op, reads, d, d)
		return
	}
	if b.own {
		// Gradient functions compute the gradient of the input first
		// (tensorflow/python/ops/nn_grad.py, _Conv2DGrad). That also holds in most recorded
		// graphs of custom steps, where the order is not certain: see below.
		b.inputs(op, reads, d, ahead)
		b.weights(op, reads, d)
		return
	}
	// Which of the two runs first depends on a hash of addresses: Grappler visits the readers of
	// a node in the order of a set of pointers
	// (tensorflow/core/grappler/optimizers/constant_folding.cc, MaterializeShapes). In most
	// recorded graphs the weight's gradient comes first, and what was kept for it is freed.
	b.weights(op, reads, d)
	if op.Linear {
		reads = append(append(b.reads[:0], d), b.extras[op.Number]...)
	}
	b.inputs(op, reads, d, ahead)
}

// flows reports whether the requested gradient flows through a tensor.
func (b *builder) flows(t *graph.Tensor) bool { return flows(b.asked, t) }

func flows(asked *graph.Gradient, t *graph.Tensor) bool {
	if asked == nil || asked.Ops == nil {
		return t.Grad
	}
	return asked.Flows[t]
}

// differs reports whether a gradient flows back through an operation.
func (b *builder) differs(op *graph.Op) bool { return differs(b.asked, op) }

func differs(asked *graph.Gradient, op *graph.Op) bool {
	for _, t := range op.Out {
		if flows(asked, t) {
			return true
		}
	}
	return false
}

// comes adds a contribution to the gradient of a tensor.
func (b *builder) comes(t *graph.Tensor, d *buffer) {
	parts := b.grads[t.Number]
	if parts == nil {
		parts = b.lists.take(1)[:0] // usually there is one
	}
	b.grads[t.Number] = append(parts, d)
}

// gradient returns the sum of the contributions to a tensor's gradient, or nil. One kernel adds
// them once all are there (tensorflow/core/kernels/aggregate_ops.cc, AddNOp).
func (b *builder) gradient(t *graph.Tensor) *buffer {
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

// want returns what is known of the gradient of an operation's i-th weight.
func (b *builder) want(op *graph.Op, i int) *want { return &b.wanted[b.places.slot(op, i)] }

// pend records a gradient of a weight, which a loop sums iteration by iteration.
func (b *builder) pend(w *want, p pending, summed bool) {
	if summed && !b.ordered && len(w.parts) == 1 && w.parts[0].rows == 0 && p.rows == 0 {
		w.parts[0].gradient = b.sum([]pending{w.parts[0], p}, p.gradient.size)
		return
	}
	if w.parts == nil {
		w.parts = b.parts.take(1)[:0] // usually there is one
	}
	w.parts = append(w.parts, p)
}

// factors adds the gradients of the two factors of a product. Each overwrites the incoming
// gradient or the other factor if nothing else needs that (tensorflow/python/ops/math_grad.py,
// _MulGrad).
func (b *builder) factors(op *graph.Op, d *buffer) {
	both := b.computesBoth(op)
	for i, t := range op.In {
		if !b.flows(t) && !both {
			continue
		}
		if i == 1 && t == op.In[0] && !b.ordered {
			// The two gradients of x·x are equal. TensorFlow's graph optimizer computes one, and
			// doubles it in place (tensorflow/core/grappler/optimizers/arithmetic_optimizer.cc,
			// DedupComputations and SimplifyAggregation).
			continue
		}
		other := b.values[op.In[1-i].Number]
		g := b.add(buffer{size: op.Out[0].Bytes(), over: [2]*buffer{d, other}})
		b.run([]*buffer{d, other}, g)
		if t.Bytes() < g.size {
			g = b.made(t.Bytes(), nil, g)
		}
		b.arrives(t, g)
	}
}

// squared adds the gradient of a square. It is twice the input times the incoming gradient; the
// first product waits for that gradient (tensorflow/python/ops/math_grad.py, _SquareGrad). A
// constant incoming gradient is doubled by constant folding instead. If the operation is
// differentiated twice, it has two inputs and is a product.
func (b *builder) squared(op *graph.Op, d *buffer) {
	t := op.In[0]
	x := b.values[t.Number]
	twice := b.made(t.Bytes(), x, d, x)
	g := b.add(buffer{size: t.Bytes(), over: [2]*buffer{d, twice}})
	b.run([]*buffer{d, twice}, g)
	b.comes(t, g)
}

// inputs adds the gradients of an operation's inputs. They may overwrite what they are computed
// from.
func (b *builder) inputs(op *graph.Op, reads []*buffer, d, over *buffer) {
	temp := op.BackwardTemp
	if b.separate && op.Kind == graph.OpMean {
		// The incoming gradient is broadcast, and then divided
		// (tensorflow/python/ops/math_grad.py, _MeanGrad).
		temp += op.In[0].Bytes()
	}
	if old := b.before(op); old != nil && op.SparseRows == 0 && !op.InPlace {
		reads = append(slices.Clone(reads), old...)
	}
	// The gradient of a variable is computed first, like that of a weight (see backward).
	both := b.computesBoth(op)
	last := !b.own && len(op.In) == 2 && isRead(op.In[1]) && !isRead(op.In[0])
	for i := range op.In {
		if last {
			i = 1 - i
		}
		t := op.In[i]
		if !b.flows(t) && !both || skipped(op, i) {
			continue
		}
		if op.GradSame && t.Bytes() == d.size {
			b.arrives(t, d)
			continue
		}
		if slices.Contains(op.ZeroGradOf, i) {
			// A graph stores them as a constant of one number, however large they are
			// (tensorflow/core/grappler/optimizers/constant_folding.cc, MaterializeConstantValuedNode).
			zeros := b.one()
			if b.ordered {
				zeros = b.made(t.Bytes(), nil)
			}
			b.comes(t, zeros)
			continue
		}
		if op.Contraction {
			reads = append(b.list(d), b.values[op.In[1-i].Number])
		}
		if len(reads) == 1 && b.folds(d, t.Bytes()) {
			b.comes(t, d)
			continue
		}
		var g *buffer
		if i < len(op.Spread) && op.Spread[i] > 0 {
			whole := b.made(op.Spread[i], over, reads...)
			whole.writer.temp = temp
			g = b.made(t.Bytes(), nil, whole)
		} else {
			g = b.made(t.Bytes(), over, reads...)
			g.writer.temp = temp
			if !b.separate {
				g.over[1] = b.ahead[op.Number] // a product may overwrite either factor
				if g.over[1] == nil && op.GradInPlace && len(op.Keep) > 0 {
					g.over[1] = b.values[op.Keep[0].Number]
				}
			}
		}
		temp = 0
		b.arrives(t, g)
	}
}

// isRead reports whether a tensor is a variable as it was read.
func isRead(t *graph.Tensor) bool { return t.From != nil && t.From.Read }

// weights adds the gradients of an operation's weights.
func (b *builder) weights(op *graph.Op, reads []*buffer, d *buffer) {
	for i, w := range op.Weights {
		wanted := b.want(op, i)
		if !wanted.asked {
			continue
		}
		g := b.add(buffer{size: w.Bytes(), kind: Gradients})
		if op.SparseRows > 0 {
			g.size = op.RowBytes(w)
			g.over[0] = d
		}
		reads := reads
		if op.Loops && !b.ordered {
			zeros := b.made(g.size, nil)
			zeros.kind = Gradients
			g.over[0] = zeros
			reads = append(b.list(zeros), reads...)
		}
		if op.UnrolledSteps > 1 && op.SparseRows == 0 {
			g = b.summed(reads, g, op.UnrolledSteps)
		} else {
			b.run(reads, g)
		}
		b.pend(wanted, pending{g, op.SparseRows}, op.Summed)
	}
}

// summed returns the gradient of a weight with one part per call. All parts are live before they
// are summed (tensorflow/python/eager/backprop.py, aggregate_grads).
func (b *builder) summed(reads []*buffer, sum *buffer, parts int64) *buffer {
	if sum.size > math.MaxInt64/parts {
		parts = 1 // more than any memory holds: this avoids an overflow
	}
	all := b.add(buffer{size: sum.size * (parts - 1), kind: Gradients})
	first := b.add(buffer{size: sum.size, kind: Gradients})
	b.run(reads, all, first)
	sum.over[0] = first
	b.run([]*buffer{all, first}, sum)
	return sum
}

func skipped(op *graph.Op, i int) bool { return slices.Contains(op.NoGradOf, i) }
