package keras

import "fmt"

// Where a tape records that another is asked for a gradient, that gradient is
// differentiated again, as in a penalty on it: the operations that make it are then
// operations of the forward pass.

// again tells whether a tape records the request of a node, and is asked later.
func (l *stepLowering) again(n *node) bool {
	for _, later := range l.step.nodes {
		if later.asks != nil && later.at > n.at && later.asks.recorded(n.at) {
			return true
		}
	}
	return false
}

// straight are the operations whose gradient is linear in what comes back, and depends
// on what it keeps only by the sign of that, or not at all: it has no gradient by its
// input (tensorflow/python/ops/nn_grad.py).
var straight = map[string]bool{
	"MatMul": true, "Conv": true, "DepthwiseConv": true, "BiasAdd": true, "relu": true, "leaky_relu": true, "relu6": true, "Dropout": true, "dropout": true,
	"Reshape": true, "Add": true, "Subtract": true, "mean": true, "sum": true, "Mean": true, "Pad": true, "AvgPool": true, "MaxPool": true, "Cast": true,
	"Concat": true, "Resize": true, "UpSample": true, "negative": true, "identity": true,
}

// expand adds the operations of a gradient that is differentiated again.
func (l *stepLowering) expand(n *node, in []*Tensor, d *Gradient) error {
	if len(d.Weights) > 0 {
		return fmt.Errorf("the gradient of the gradient of a weight is not followed")
	}
	back := map[*Tensor]*Tensor{}
	add := func(t, g *Tensor) {
		if before := back[t]; before != nil {
			sum, op := l.g.add("Add", []*Tensor{before, g}, t.Shape, t.DType)
			op.InPlace, op.GradSame = true, true
			g = sum
		}
		back[t] = g
	}
	for _, t := range in[:len(in)-len(d.Sources)] {
		one, _ := l.g.add("Const", nil, t.Shape, t.DType)
		add(t, one)
	}
	for i := len(d.Ops) - 1; i >= 0; i-- {
		op := d.Ops[i]
		g := back[op.Out[0]]
		if g == nil {
			continue
		}
		if !straight[op.Name] || len(op.Out) != 1 {
			return fmt.Errorf("the gradient of the gradient of %s is not followed", op.Name)
		}
		for j, t := range op.In {
			if d.Flows[t] {
				add(t, l.backwards(op, j, g))
			}
		}
	}
	for i, s := range n.out {
		t := back[d.Sources[i]]
		if t == nil {
			t, _ = l.g.add("Const", nil, d.Sources[i].Shape, d.Sources[i].DType)
		}
		l.put(s, t)
	}
	for len(l.times) < len(l.g.Ops) {
		l.times = append(l.times, n.at)
	}
	return nil
}

// backwards is the gradient of an input of an operation, given that of its output. Its
// own gradient reads what it reads, and makes gradients of the weights again.
func (l *stepLowering) backwards(op *Op, input int, g *Tensor) *Tensor {
	t := op.In[input]
	switch {
	case op.View:
		return view(l.g, g, t.Shape)
	case op.GradSame && t.Bytes() == g.Bytes():
		return g
	}
	in := []*Tensor{g}
	var skipped []int
	weights := op.Weights
	if op.Name == "BiasAdd" {
		weights = nil
	}
	if len(weights) == 0 {
		for _, kept := range op.Keep {
			skipped = append(skipped, len(in))
			in = append(in, kept)
		}
	}
	out, back := l.g.add(op.Name, in, t.Shape, t.DType)
	back.Layer, back.NoGradOf, back.Linear = op.Layer, skipped, op.Linear
	back.InPlace, back.GradInPlace = op.GradInPlace, op.InPlace
	if len(weights) > 0 {
		back.Keep = []*Tensor{g}
		back.trains(weights...)
	} else {
		back.Keep = in[1:]
	}
	out.Grad = true
	return out
}
