package memory

import "github.com/tfmem/tfmem/analyzer/keras"

// pushConstants follows TensorFlow's graph optimizer where it changes what a step
// keeps: a product of two tensors times a constant becomes the one times the
// constant times the other (tensorflow/core/grappler/optimizers/constant_folding.cc,
// ConstantPushDown). Where scores are scaled and go through a softmax, the gradient
// is such a product, of the softmax and of what comes back; it is the softmax that
// is multiplied first, ahead of time, where its name sorts before that of the
// gradient, which begins with gradient_tape (tensorflow/core/grappler/utils/
// canonicalizer.cc, CanonicalizeNode). Names begin with the model's.
func pushConstants(m *keras.Model, l *lowered) {
	if m.Name > "gradient_tape" {
		return
	}
	readers := make([]int, l.tensors)
	for _, op := range l.graph.Ops {
		for _, t := range op.In {
			readers[t.Number]++
		}
	}
	for _, op := range l.graph.Ops {
		if op.Name == "softmax" && scaled(op.In[0], readers) {
			op.Ahead, op.AheadSizes = op.Out, []int64{op.Out[0].Bytes()}
		}
	}
}

// scaled tells whether a tensor is another times a number, with at most a mask
// added, and nobody else reads what is between.
func scaled(t *keras.Tensor, readers []int) bool {
	for t.From != nil && readers[t.Number] == 1 {
		op := t.From
		switch {
		case op.Name != "Add":
			return op.ByNumber && t.Grad
		case len(op.In) == 2 && op.In[0].Grad != op.In[1].Grad:
			if t = op.In[0]; !t.Grad {
				t = op.In[1]
			}
		default:
			return false
		}
	}
	return false
}
