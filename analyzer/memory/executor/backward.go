package executor

import (
	"math"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// differentiate adds the gradients that an op asks for.
func (b *Builder) differentiate(op *graph.Op, before []*graph.Op) {
	b.Asked, b.wanted = op.Gradient, Zeros(b.wanted, b.Places.Count)
	for i := range op.Gradient.Weights {
		at := b.Places.Slot(op, i)
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
	InTurn(through, b.Recording, func(made *graph.Op) {
		b.Layer = made.Layer
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
		parts := b.wanted[b.Places.Slot(op, i)].parts
		if b.Ordered && len(parts) > 1 {
			parts = []pending{{gradient: b.sum(parts, w.Bytes())}}
		}
		b.pending[op.Out[i].Number] = parts
	}
	if n := len(op.Out); len(b.olds) >= n {
		b.Run(b.olds[:n])
		b.olds = b.olds[n:]
	}
}

// one returns the gradient of a loss with respect to itself, a constant.
func (b *Builder) one() *Buffer { return b.Add(Buffer{Pinned: true, folded: !b.Ordered}) }

// folds reports whether a tensor is folded together with the constant of that it is computed
// from.
func (b *Builder) folds(of *Buffer, size int64) bool {
	if !of.folded || size > tensor.Foldable {
		return false
	}
	b.Folded++
	return true
}

// arrives records the gradient of an input, which may need none. Without tf.function, the gradient
// function of an elementwise operation on two tensors of one shape computes both gradients
// (tensorflow/python/ops/math_grad.py, _AddGrad, _SubGrad, _MulGrad, _SquaredDifferenceGrad). The
// tape holds that of data until it has run all operations that read them
// (tensorflow/c/eager/tape.h, ComputeGradient).
func (b *Builder) arrives(t *graph.Tensor, d *Buffer) {
	if b.Flows(t) {
		b.comes(t, d)
		return
	}
	for _, op := range b.through {
		if slices.Contains(op.In, t) && b.Differs(op) {
			b.dataGradients = append(b.dataGradients, dataGradient{d, op})
			return
		}
	}
}

// A dataGradient is a gradient of data, and the operation whose gradient frees it.
type dataGradient struct {
	gradient *Buffer
	until    *graph.Op
}

// releaseData frees the gradients of data that no further operation reads.
func (b *Builder) releaseData(op *graph.Op) {
	b.dataGradients = slices.DeleteFunc(b.dataGradients, func(g dataGradient) bool {
		if g.until == op {
			b.Run(b.List(g.gradient))
		}
		return g.until == op
	})
}

// computesBoth reports whether the gradients of both inputs of an operation are computed: see arrives.
func (b *Builder) computesBoth(op *graph.Op) bool {
	if !b.Ordered || len(op.In) != 2 || !slices.Equal(op.In[0].Shape, op.In[1].Shape) {
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
func (b *Builder) found(out, source *graph.Tensor) {
	if b.Values[out.Number] != nil {
		return
	}
	if d := b.gradient(source); d != nil {
		b.Values[out.Number] = d
		b.comes(source, d)
	}
}

// backward adds the gradient of an operation.
func (b *Builder) backward(op *graph.Op) {
	reads := b.Reads[:0]
	for _, t := range op.Out {
		if g := b.gradient(t); g != nil {
			reads = append(reads, g)
		}
	}
	if len(reads) == 0 || !b.Differs(op) {
		return
	}
	if zeros := b.untaken[op.Number]; zeros != nil && b.Flows(op.In[0]) {
		b.comes(op.In[0], zeros)
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
		if !b.Ordered && !d.Pinned && !d.view {
			d = b.reshaped(d) // a no-op reshape is a kernel too; of several, one remains
		}
		b.comes(op.In[0], d)
		return
	case b.Ordered:
		held := append(make([]*Buffer, 0, len(op.Keep)+1), d)
		for _, t := range op.Keep {
			held = append(held, b.Values[t.Number])
		}
		defer b.Run(held) // until the gradient function has returned
	}
	if op.Product {
		b.factors(op, d)
		return
	}
	if op.Kind == graph.OpSquare && len(op.In) == 1 && !b.Ordered && !d.folded {
		b.squared(op, d)
		return
	}
	if b.composed(op) && b.Extras[op.Number] != nil {
		b.normalizationGradient(op, d)
		return
	}
	reads = append(reads, b.Extras[op.Number]...)
	for _, t := range op.Keep {
		reads = append(reads, b.Values[t.Number])
	}
	ahead := b.ahead[op.Number]
	if ahead != nil {
		reads = append(reads, ahead)
	}
	b.Reads = reads
	if op.Kind == graph.OpSoftmax && ahead != nil {
		b.hoisted(op, d, ahead)
		return
	}
	if op.GradInPlace {
		// The gradients of the weights read it first. Then it may be overwritten.
		b.weights(op, reads, d)
		b.inputs(op, reads, d, d)
		return
	}
	if !b.weightsFirst && !(op.UnrolledSteps > 1 && op.Kind == graph.OpRNN) {
		// Gradient functions compute the gradient of the input first
		// (tensorflow/python/ops/nn_grad.py, _Conv2DGrad). That also holds in most recorded
		// graphs of custom steps, where the order is not certain: see below.
		b.inputs(op, reads, d, ahead)
		b.weights(op, reads, d)
		return
	}
	// Which of the two runs first is decided by Grappler's passes, several of which sort the nodes
	// (tensorflow/core/grappler/optimizers/dependency_optimizer.cc). It differs between
	// layers of one program. In most recorded graphs the weight's gradient comes first, and what was
	// kept for it is freed.
	b.weights(op, reads, d)
	if op.Linear {
		reads = append(append(b.Reads[:0], d), b.Extras[op.Number]...)
	}
	b.inputs(op, reads, d, ahead)
	b.stepped = nil
}

// hoisted adds the gradient of a softmax that was multiplied by a constant ahead of time. The last
// product reads that in place of the softmax, so the first one, of which the sum is taken, may
// overwrite the softmax (tensorflow/python/ops/nn_grad.py, _SoftmaxGrad).
func (b *Builder) hoisted(op *graph.Op, d, ahead *Buffer) {
	softmax := b.Values[op.Out[0].Number]
	product := b.made(softmax.Size, softmax, d, softmax)
	g := b.Add(Buffer{Size: op.In[0].Bytes(), Over: [2]*Buffer{d, ahead}})
	b.Run([]*Buffer{d, product, ahead}, g)
	b.arrives(op.In[0], g)
}

// Flows reports whether the requested gradient flows through a tensor.
func (b *Builder) Flows(t *graph.Tensor) bool { return flows(b.Asked, t) }

func flows(asked *graph.Gradient, t *graph.Tensor) bool {
	if asked == nil || asked.Ops == nil {
		return t.Grad
	}
	return asked.Flows[t]
}

// Differs reports whether a gradient flows back through an operation.
func (b *Builder) Differs(op *graph.Op) bool { return Differs(b.Asked, op) }

func Differs(asked *graph.Gradient, op *graph.Op) bool {
	return slices.ContainsFunc(op.Out, func(t *graph.Tensor) bool { return flows(asked, t) })
}

// comes adds a contribution to the gradient of a tensor.
func (b *Builder) comes(t *graph.Tensor, d *Buffer) {
	parts := b.grads[t.Number]
	if parts == nil {
		parts = b.Lists.Take(1)[:0] // usually there is one
	}
	b.grads[t.Number] = append(parts, d)
}

// gradient returns the sum of the contributions to a tensor's gradient, or nil. One kernel adds
// them once all are there (tensorflow/core/kernels/aggregate_ops.cc, AddNOp).
func (b *Builder) gradient(t *graph.Tensor) *Buffer {
	parts := b.grads[t.Number]
	b.grads[t.Number] = nil
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	sum := b.Add(Buffer{Size: t.Bytes(), Over: [2]*Buffer{parts[0], parts[1]}})
	b.Run(parts, sum)
	return sum
}

// want returns what is known of the gradient of an operation's i-th weight.
func (b *Builder) want(op *graph.Op, i int) *want { return &b.wanted[b.Places.Slot(op, i)] }

// pend records a gradient of a weight, which a loop sums iteration by iteration.
func (b *Builder) pend(w *want, p pending, summed bool) {
	if summed && !b.Ordered && len(w.parts) == 1 && w.parts[0].rows == 0 && p.rows == 0 {
		w.parts[0].gradient = b.sum([]pending{w.parts[0], p}, p.gradient.Size)
		return
	}
	if w.parts == nil {
		w.parts = b.parts.Take(1)[:0] // usually there is one
	}
	w.parts = append(w.parts, p)
}

// factors adds the gradients of the two factors of a product. Each overwrites the incoming
// gradient or the other factor if nothing else needs that (tensorflow/python/ops/math_grad.py,
// _MulGrad).
func (b *Builder) factors(op *graph.Op, d *Buffer) {
	both := b.computesBoth(op)
	for i, t := range op.In {
		if !b.Flows(t) && !both {
			continue
		}
		if i == 1 && t == op.In[0] && !b.Ordered {
			// The two gradients of x·x are equal. TensorFlow's graph optimizer computes one, and
			// doubles it in place (tensorflow/core/grappler/optimizers/arithmetic_optimizer.cc,
			// DedupComputations and SimplifyAggregation).
			continue
		}
		other := b.Values[op.In[1-i].Number]
		g := b.Add(Buffer{Size: op.Out[0].Bytes(), Over: [2]*Buffer{d, other}})
		b.Run([]*Buffer{d, other}, g)
		if t.Bytes() < g.Size {
			g = b.made(t.Bytes(), nil, g)
		}
		b.arrives(t, g)
	}
}

// squared adds the gradient of a square. It is twice the input times the incoming gradient; the
// first product waits for that gradient (tensorflow/python/ops/math_grad.py, _SquareGrad). A
// constant incoming gradient is doubled by constant folding instead. If the operation is
// differentiated twice, it has two inputs and is a product.
func (b *Builder) squared(op *graph.Op, d *Buffer) {
	t := op.In[0]
	x := b.Values[t.Number]
	twice := b.made(t.Bytes(), x, d, x)
	g := b.Add(Buffer{Size: t.Bytes(), Over: [2]*Buffer{d, twice}})
	b.Run([]*Buffer{d, twice}, g)
	b.comes(t, g)
}

// inputs adds the gradients of an operation's inputs. They may overwrite what they are computed
// from.
func (b *Builder) inputs(op *graph.Op, reads []*Buffer, d, over *Buffer) {
	temp := op.BackwardTemp
	if b.Separate && op.Kind == graph.OpMean {
		// The incoming gradient is broadcast, and then divided
		// (tensorflow/python/ops/math_grad.py, _MeanGrad).
		temp += op.In[0].Bytes()
	}
	if old := b.before(op); old != nil && op.Cast == 0 && op.SparseRows == 0 && !op.InPlace {
		reads = append(slices.Clone(reads), old...)
	}
	// The gradient of a variable, or of an adapted kernel, is computed first, like that of a weight
	// (see backward).
	both := b.computesBoth(op)
	last := b.weightsFirst && len(op.In) == 2 && isKernel(op.In[1]) && !isKernel(op.In[0])
	for i := range op.In {
		if last {
			i = 1 - i
		}
		t := op.In[i]
		if !b.Flows(t) && !both || Skipped(op, i) {
			continue
		}
		if op.GradSame && t.Bytes() == d.Size {
			b.arrives(t, d)
			continue
		}
		if slices.Contains(op.ZeroGradOf, i) {
			// A graph stores them as a constant of one number, however large they are
			// (tensorflow/core/grappler/optimizers/constant_folding.cc, MaterializeConstantValuedNode).
			zeros := b.one()
			if b.Ordered {
				zeros = b.made(t.Bytes(), nil)
			}
			b.comes(t, zeros)
			continue
		}
		if op.Contraction {
			reads = append(b.List(d), b.Values[op.In[1-i].Number])
		}
		if len(reads) == 1 && len(op.Weights) == 0 && b.folds(d, t.Bytes()) { // variables are no constants
			b.comes(t, d)
			continue
		}
		var g *Buffer
		if i < len(op.Spread) && op.Spread[i] > 0 {
			whole := b.made(op.Spread[i], over, reads...)
			whole.Writer.Temp = temp
			g = b.made(t.Bytes(), nil, whole)
		} else {
			g = b.made(t.Bytes(), over, reads...)
			g.Writer.Temp = temp
			if !b.Separate {
				g.Over[1] = b.ahead[op.Number] // a product may overwrite either factor
				if g.Over[1] == nil && op.GradInPlace && len(op.Keep) > 0 {
					g.Over[1] = b.Values[op.Keep[0].Number]
				}
			}
			if b.stepped != nil { // it is computed step by step, and whole with the last one
				g = b.reshaped(g)
				b.after(g.Writer, b.stepped)
			}
		}
		temp = 0
		b.arrives(t, g)
	}
}

// isKernel reports whether a tensor is a variable as it was read, or with its adapters added.
func isKernel(t *graph.Tensor) bool {
	op := t.From
	return op != nil && (op.Read || op.Kind == graph.OpAdd && t.Bytes() == op.In[0].Bytes() && isKernel(op.In[0]))
}

// weights adds the gradients of an operation's weights.
func (b *Builder) weights(op *graph.Op, reads []*Buffer, d *Buffer) {
	if op.UnrolledSteps > 1 && op.SparseRows == 0 {
		b.summed(op, reads)
		return
	}
	temp := op.WeightTemp // of all at once
	if op.Loops && b.Ordered {
		temp = 0
	}
	for i, w := range op.Weights {
		wanted := b.want(op, i)
		if !wanted.asked {
			continue
		}
		g := b.Add(Buffer{Size: w.Bytes(), Kind: Gradients})
		if op.SparseRows > 0 {
			g.Size = op.RowBytes(w)
			g.Over[0] = d
		}
		reads := reads
		if op.Loops && !b.Ordered {
			zeros := b.made(g.Size, nil)
			zeros.Kind = Gradients
			g.Over[0] = zeros
			reads = append(b.List(zeros), reads...)
		}
		if op.ByExample > 0 {
			reads = b.List(b.made(op.ByExample, nil, reads...))
		}
		if op.Cast > 0 {
			// The gradient of the copy comes first.
			reads = b.List(b.made(op.Cast, nil, reads...))
		}
		b.Run(reads, g).Temp, temp = temp, 0
		b.pend(wanted, pending{g, op.SparseRows}, op.Summed)
	}
}

// summed adds the gradients of weights that consist of one part per call. All parts are live
// before they are summed (tensorflow/python/eager/backprop.py, aggregate_grads).
func (b *Builder) summed(op *graph.Op, reads []*Buffer) {
	var firsts, others []*Buffer
	for i, w := range op.Weights {
		if !b.want(op, i).asked {
			continue
		}
		calls := op.UnrolledSteps
		if op.CallGradients != nil {
			calls *= op.CallGradients[i]
		}
		if w.Bytes() > math.MaxInt64/calls {
			calls = 1 // more than any memory holds: this avoids an overflow
		}
		firsts = append(firsts, b.Add(Buffer{Size: w.Bytes(), Kind: Gradients}))
		others = append(others, b.Add(Buffer{Size: w.Bytes() * (calls - 1), Kind: Gradients}))
	}
	b.Run(reads, firsts...)
	k := b.Run(firsts, others...)
	k.Temp = op.WeightTemp // what the first read is freed by then
	if op.Kind == graph.OpRNN && !b.Ordered {
		// Each step waits for the next one's gradient. Those of other branches are computed meanwhile.
		for range min(op.UnrolledSteps, simulated) {
			k = b.follow(k)
		}
		b.stepped = k
	}
	for i, w := range op.Weights {
		if wanted := b.want(op, i); wanted.asked {
			sum := b.Add(Buffer{Size: w.Bytes(), Kind: Gradients, Over: [2]*Buffer{firsts[0]}})
			add := b.Run([]*Buffer{firsts[0], others[0]}, sum)
			if b.stepped != nil {
				b.after(add, b.stepped)
			}
			b.pend(wanted, pending{gradient: sum}, op.Summed)
			firsts, others = firsts[1:], others[1:]
		}
	}
}

func Skipped(op *graph.Op, i int) bool { return slices.Contains(op.NoGradOf, i) }
