package executor

import "github.com/tfmem/tfmem/analyzer/graph"

// composed reports whether an operation is a batch normalization of small kernels that wait for
// each other. Ten of them run forward and fourteen backward, one after the other. Meanwhile other
// branches of the model and the updates of other weights get as many kernels ahead.
func (b *Builder) composed(op *graph.Op) bool {
	return op.Normalization != nil && !b.Ordered && !b.Infers
}

// normalize adds the forward pass of a batch normalization, operation by operation
// (tensorflow/python/ops/nn_impl.py, moments and batch_normalization). recomputes is set if it runs a
// second time for its gradient; then it keeps nothing.
func (b *Builder) normalize(op *graph.Op, x, out *Buffer, recomputes bool) {
	n := op.Normalization
	var mean, inverse *Buffer
	if n.Moments {
		mean = b.made(n.Channel, nil, x)
		difference := b.made(out.Size, nil, mean, x)
		variance := b.made(n.Channel, nil, difference)
		inverse = b.made(n.Channel, variance, variance) // in another shape
		inverse = b.made(n.Channel, inverse, inverse)   // + epsilon
	} else {
		inverse = b.made(n.Channel, nil)
	}
	root := b.made(n.Channel, inverse, inverse)
	inverse = root
	if n.Scaled {
		inverse = b.made(n.Channel, nil, root)
		b.behind(inverse.Writer, op)
	}
	shift := b.made(n.Channel, nil, inverse, mean)
	shift = b.made(n.Channel, shift, shift)
	b.behind(shift.Writer, op)
	scaled := b.made(out.Size, nil, inverse, x)
	out.Over[0] = scaled
	b.Run([]*Buffer{scaled, shift}, out)
	if recomputes || !NeedsGradient(op) {
		return
	}
	kept := []*Buffer{root}
	if n.Scaled {
		kept = append(kept, inverse)
	}
	if n.Moments {
		kept = append(kept, mean)
	}
	for _, v := range kept {
		v.Kind = Activations
		if b.Phase == Forward {
			b.KeptBytes += v.Size
		}
	}
	b.Extras[op.Number] = kept
}

// normalizationGradient adds the gradient of a batch normalization, operation by operation
// (tensorflow/python/ops/math_grad.py, _MulGrad, _AddGrad, _RsqrtGrad, _MeanGrad,
// _SquaredDifferenceGrad).
func (b *Builder) normalizationGradient(op *graph.Op, d *Buffer) {
	n, x, kept := op.Normalization, b.Values[op.In[0].Number], b.Extras[op.Number]
	root, inverse := kept[0], kept[0]
	if n.Scaled {
		inverse = kept[1]
	}
	var mean *Buffer // a known mean is a variable
	if n.Moments {
		mean = kept[len(kept)-1]
	}
	few := func(over *Buffer, reads ...*Buffer) *Buffer { return b.made(n.Channel, over, reads...) }
	whole := func(over *Buffer, reads ...*Buffer) *Buffer { return b.made(d.Size, over, reads...) }

	gamma, beta := b.asks(op, "gamma"), b.asks(op, "beta")
	flows := b.Flows(op.In[0])
	moments := flows && n.Moments
	// Up to three kernels read the incoming gradient, and the last may overwrite it. A hash
	// decides which is last (see backward). In the recorded graphs it is the sum if the mean and
	// the variance are those of the batch, and the gradient of the input otherwise.
	var direct, product, shift *Buffer
	if moments {
		direct = whole(d, d, inverse)
	}
	if moments || gamma != nil {
		product = whole(d, d, x)
	}
	if moments || gamma != nil || beta != nil {
		shift = few(nil, d)
		shift = few(shift, shift) // in another shape
	}
	if flows && !moments {
		b.comes(op.In[0], whole(d, d, inverse))
	}
	if beta != nil {
		shift.Kind = Gradients
		b.pend(beta, pending{gradient: shift}, op.Summed)
	}
	if product == nil {
		return
	}
	scale := few(nil, product)
	scale = few(scale, scale) // in another shape
	negative := few(nil, shift)
	scale = few(scale, scale, few(nil, negative, mean))
	if gamma != nil {
		g := few(nil, scale, root)
		g.Kind = Gradients
		b.pend(gamma, pending{gradient: g}, op.Summed)
	}
	if !moments {
		return
	}
	spread := func(of *Buffer) *Buffer { // the gradient of a mean
		of = whole(nil, few(of, of))
		return whole(of, of)
	}
	ofMean := spread(few(negative, negative, inverse))
	if n.Scaled {
		scale = few(scale, scale)
	}
	ofVariance := spread(few(scale, scale, root))
	// The differences to the mean are computed when the gradient of the variance is there. That
	// gradient is doubled afterwards (tensorflow/python/ops/math_grad.py,
	// _SquaredDifferenceGrad).
	difference := whole(x, x, mean, ofVariance)
	twice := whole(ofVariance, ofVariance, difference)
	b.comes(op.In[0], whole(direct, direct, ofMean, whole(twice, twice, difference)))
}

// asks returns what is wanted of the gradient of a weight with a name, or nil.
func (b *Builder) asks(op *graph.Op, name string) *want {
	for i, w := range op.Weights {
		if wanted := b.want(op, i); w.Name == name && wanted.asked {
			return wanted
		}
	}
	return nil
}
