package executor

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// PushConstants models a rewrite by TensorFlow's graph optimizer that changes what a step keeps:
// the product of two tensors and a constant becomes one tensor times the constant, times the
// other tensor (tensorflow/core/grappler/optimizers/constant_folding.cc, ConstantPushDown). If
// scores are scaled and go through a softmax, the gradient is such a product of the softmax and
// the incoming gradient. The softmax is multiplied first, ahead of time, if its name sorts before
// that of the gradient, which begins with gradient_tape
// (tensorflow/core/grappler/utils/canonicalizer.cc, CanonicalizeNode). Names begin with that of
// the model that is trained, or of a model or layer that a custom step calls.
func PushConstants(m *graph.Model, l *Lowered) {
	before := func(name string) bool { return name <= "gradient_tape" }
	var late map[*graph.Layer]bool // in a custom step that calls several models
	if m.Own != nil {
		late = map[*graph.Layer]bool{}
		called := m.Layers()
		if !slices.ContainsFunc(called, func(l *graph.Layer) bool { return before(l.Name) }) {
			return
		}
		for _, c := range called {
			if !before(c.Name) {
				within(c, late)
			}
		}
	} else if !before(m.Name) {
		return
	}
	readers := make([]int, l.Tensors)
	for _, op := range l.Graph.Ops {
		for _, t := range op.In {
			readers[t.Number]++
		}
	}
	for _, op := range l.Graph.Ops {
		if op.Kind == graph.OpSoftmax && !late[op.Layer] && scaled(op.In[0], readers) {
			op.HoistedGrad, op.HoistedSizes = op.Out, []int64{op.Out[0].Bytes()}
		}
	}
}

// within adds a layer and all layers inside it to a set.
func within(l *graph.Layer, set map[*graph.Layer]bool) {
	if set[l] {
		return
	}
	set[l] = true
	inside := l.Parts()
	if l.Inner != nil {
		inside = l.Inner.Layers()
	}
	for _, c := range inside {
		within(c, set)
	}
}

// scaled reports whether a tensor is another one times a number, with at most a mask added, and
// nothing else reads the tensors between.
func scaled(t *graph.Tensor, readers []int) bool {
	for t.From != nil && readers[t.Number] == 1 {
		op := t.From
		switch {
		case op.Kind != graph.OpAdd:
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

// MergeSums models a rewrite by TensorFlow's graph optimizer: it merges a tree of sums of one
// shape into one sum, if nothing else reads the inner sums
// (tensorflow/core/grappler/optimizers/arithmetic_optimizer.cc, AddOpsRewriteStage). All summands
// are then live until the last of them exists.
func (l *Lowered) MergeSums() {
	var readers []int
	for _, op := range l.Graph.Ops {
		if !isSum(op) || op.In[0].From == nil && op.In[1].From == nil {
			continue
		}
		if readers == nil {
			readers = l.readers()
		}
		var in []*graph.Tensor
		for i, t := range op.In {
			switch part := t.From; {
			case part != nil && isSum(part) && readers[t.Number] == 1:
				if in == nil {
					in = append(in, op.In[:i]...)
				}
				in = append(in, part.In...)
				part.In = nil // it is merged into op
			case in != nil:
				in = append(in, t)
			}
		}
		if in != nil {
			op.In = in
		}
	}
	if readers != nil {
		l.dropAll(func(op *graph.Op) bool { return adds(op) && op.In == nil })
	}
}

// adds reports whether an operation adds. An Average does, before it divides.
func adds(op *graph.Op) bool { return op.Kind.Is(graph.Adds) && op.GradSame }

// isSum reports whether an operation is the sum of tensors of one shape.
func isSum(op *graph.Op) bool {
	if !adds(op) || op.Remat != nil || len(op.In) < 2 {
		return false
	}
	return !slices.ContainsFunc(op.In, func(t *graph.Tensor) bool {
		return !slices.Equal(t.Shape, op.Out[0].Shape) || t.DType != op.Out[0].DType
	})
}

// readers counts the readers of each tensor, by tensor number: operations, those that only wait for it,
// requests for gradients, and the caller of the model. TensorFlow's graph optimizer, too, merges nothing
// that drives a control dependency (arithmetic_optimizer.cc, CanOptimize).
func (l *Lowered) readers() []int {
	n := make([]int, l.Tensors)
	for _, op := range l.Graph.Ops {
		for _, t := range op.In {
			n[t.Number]++
		}
		for _, t := range op.After {
			n[t.Number]++
		}
		if op.Gradient != nil {
			for _, t := range op.Gradient.Sources {
				n[t.Number]++
			}
		}
	}
	for _, t := range l.Outputs {
		n[t.Number]++
	}
	return n
}
