package memory

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/keras"
)

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
			op.HoistedGrad, op.HoistedSizes = op.Out, []int64{op.Out[0].Bytes()}
		}
	}
}

// scaled reports whether a tensor is another one times a number, with at most a mask added,
// and nothing else reads what is between.
func scaled(t *keras.Tensor, readers []int) bool {
	for t.From != nil && readers[t.Number] == 1 {
		op := t.From
		switch {
		case op.Name != "Add":
			return op.ScalarScale && t.Grad
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

// mergeSums follows TensorFlow's graph optimizer where it merges a tree of sums of one
// shape, whose inner sums nothing else reads, into one
// (tensorflow/core/grappler/optimizers/arithmetic_optimizer.cc, AddOpsRewriteStage): all
// summands are live until the last of them exists.
func (l *lowered) mergeSums() {
	var readers []int
	for _, op := range l.graph.Ops {
		if !isSum(op) || op.In[0].From == nil && op.In[1].From == nil {
			continue
		}
		if readers == nil {
			readers = l.readers()
		}
		var in []*keras.Tensor
		for i, t := range op.In {
			switch part := t.From; {
			case part != nil && isSum(part) && readers[t.Number] == 1:
				if in == nil {
					in = append(in, op.In[:i]...)
				}
				in = append(in, part.In...)
				part.In = nil // it is in this one
			case in != nil:
				in = append(in, t)
			}
		}
		if in != nil {
			op.In = in
		}
	}
	if readers == nil {
		return
	}
	before := len(l.graph.Ops)
	l.graph.Ops = slices.DeleteFunc(l.graph.Ops, func(op *keras.Op) bool { return adds(op) && op.In == nil })
	if len(l.graph.Ops) == before {
		return
	}
	for n, op := range l.graph.Ops {
		op.Number = n
	}
	l.places.find(l.graph.Ops)
}

// adds tells whether an operation adds: in an Average, too, before that divides.
func adds(op *keras.Op) bool { return (op.Name == "Add" || op.Name == "Average") && op.GradSame }

// isSum tells whether an operation is the sum of tensors of one shape.
func isSum(op *keras.Op) bool {
	if !adds(op) || op.Remat != nil || len(op.In) < 2 {
		return false
	}
	for _, t := range op.In {
		if !slices.Equal(t.Shape, op.Out[0].Shape) || t.DType != op.Out[0].DType {
			return false
		}
	}
	return true
}

// readers are how many read each tensor, by its number: operations, requests for gradients
// and who calls the model.
func (l *lowered) readers() []int {
	n := make([]int, l.tensors)
	for _, op := range l.graph.Ops {
		for _, t := range op.In {
			n[t.Number]++
		}
		if op.Gradient != nil {
			for _, t := range op.Gradient.Sources {
				n[t.Number]++
			}
		}
	}
	for _, t := range l.outputs {
		n[t.Number]++
	}
	return n
}
