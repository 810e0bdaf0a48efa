package keras

import (
	"fmt"
	"slices"
)

// Where a tape records that another is asked for a gradient, that gradient is
// differentiated again, as in a penalty on it: the operations that make it are then
// operations of the forward pass. So they are where a tape is asked for a jacobian, which
// is a gradient of each element of the target: see lanes.

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
// input (tensorflow/python/ops/nn_grad.py, array_grad.py).
var straight = map[string]bool{
	"MatMul": true, "Conv": true, "DepthwiseConv": true, "BiasAdd": true, "relu": true, "leaky_relu": true, "relu6": true, "Dropout": true, "dropout": true,
	"Reshape": true, "Add": true, "Subtract": true, "mean": true, "sum": true, "Mean": true, "Pad": true, "AvgPool": true, "MaxPool": true, "Cast": true,
	"Concat": true, "Resize": true, "UpSample": true, "negative": true, "identity": true, "ReadVariable": true, "Sum": true, "Scale": true, "Tile": true,
	"BroadcastTo": true, "Transpose": true, "Slice": true, "StridedSlice": true, "Pack": true, "Select": true, "Gather": true, "GatherV2": true, "Const": true,
	"Max": true, "Maximum": true, "Minimum": true, "abs": true, "UpSampling": true,
}

// zeroed are those of them whose gradient has zeros for its gradient by what it keeps, instead of
// none: these flow on to the weights before (tensorflow/python/ops/nn_grad.py, _ReluGradGrad and its
// like, _MaxPoolGradGrad; tensorflow/python/ops/math_grad.py, _SignGrad, of abs).
var zeroed = map[string]bool{"relu": true, "leaky_relu": true, "relu6": true, "MaxPool": true, "abs": true}

// tiled are the operations whose gradient wants what it keeps in the shape of what comes
// back: pfor repeats it for each turn (tensorflow/python/ops/parallel_for/pfor.py,
// _convert_grads).
var tiled = map[string]bool{
	"elu": true, "leaky_relu": true, "reciprocal": true, "relu6": true, "relu": true, "rsqrt": true, "selu": true, "sigmoid": true, "softplus": true,
	"softsign": true, "sqrt": true, "tanh": true,
}

// differentiable is why the gradient of an operation cannot be an operation that has a
// gradient itself, or empty.
func differentiable(op *Op) string {
	switch {
	case op.Gradient != nil:
		return "a gradient that several tapes are asked for is not followed"
	case len(op.Out) != 1, len(op.Extra) > 0 && !straight[op.Name]:
		return fmt.Sprintf("the gradient of the gradient of %s is not followed", op.Name)
	case len(op.Weights) == 0 || op.Read || op.Name == "BiasAdd":
		return ""
	case op.Name != "MatMul" && op.Name != "Conv" && op.Name != "DepthwiseConv":
		return fmt.Sprintf("the gradient of the gradient of %s is not followed", op.Name)
	}
	return ""
}

// An expansion makes operations of a gradient.
type expansion struct {
	l    *stepLowering
	d    *Gradient
	back map[*Tensor]*Tensor
	// byWeight are the gradients of the weights that are asked for.
	byWeight map[*Weight]*Tensor
	// lanes are how many gradients are made at once, each tensor having them as its first
	// dimension; 0 where one is.
	lanes int64
}

// expand adds the operations of a gradient that is differentiated again.
func (l *stepLowering) expand(n *node, in []*Tensor, d *Gradient) error {
	if l.g.eager && len(d.Weights) > 0 {
		return fmt.Errorf("of a step that runs operation by operation a gradient of a gradient is not followed: what the tapes hold is not known")
	}
	targets := in[:len(in)-len(d.Sources)]
	if n.asks.of == together {
		out, err := l.expansion(d, targets, 0)
		if err != nil {
			return err
		}
		l.putAll(n, out)
		return nil
	}
	return l.jacobian(n, targets[0], d)
}

// putAll notes the tensors that a request returns.
func (l *stepLowering) putAll(n *node, out []*Tensor) {
	for i, s := range n.out {
		l.put(s, out[i])
	}
	for len(l.times) < len(l.g.Ops) {
		l.times = append(l.times, n.at)
	}
}

// expansion adds the operations of a gradient, and returns those of the weights and then
// those of the sources.
func (l *stepLowering) expansion(d *Gradient, targets []*Tensor, lanes int64) ([]*Tensor, error) {
	e := &expansion{l: l, d: d, back: map[*Tensor]*Tensor{}, byWeight: map[*Weight]*Tensor{}, lanes: lanes}
	for _, t := range targets {
		one, _ := l.g.add("Const", nil, e.laned(t.Shape), t.DType)
		e.add(t, one)
	}
	for _, w := range d.Weights {
		e.byWeight[w] = nil
	}
	for i := len(d.Ops) - 1; i >= 0; i-- {
		op := d.Ops[i]
		at := slices.IndexFunc(op.Out, func(t *Tensor) bool { return e.back[t] != nil })
		if at < 0 {
			continue // what only holds tensors has no output at all
		}
		g := e.back[op.Out[at]]
		if why := differentiable(op); why != "" {
			return nil, fmt.Errorf("%s", why)
		}
		for _, w := range op.Weights {
			if before, asked := e.byWeight[w]; asked {
				e.byWeight[w] = e.sum(before, e.ofWeight(op, w, g))
			}
		}
		for j, t := range op.In {
			if d.Flows[t] && !slices.Contains(op.NoGradOf, j) {
				if slices.Contains(op.ZerosOf, j) {
					e.add(t, e.orZeros(nil, t.Shape, t.DType))
					continue
				}
				e.add(t, e.backwards(op, j, g))
			}
		}
	}
	var out []*Tensor
	for _, w := range d.Weights {
		out = append(out, e.orZeros(e.byWeight[w], w.Shape, w.DType))
	}
	for _, t := range d.Sources {
		out = append(out, e.orZeros(e.back[t], t.Shape, t.DType))
	}
	return out, nil
}

// laned is a shape in all lanes.
func (e *expansion) laned(shape Shape) Shape {
	if e.lanes == 0 {
		return shape
	}
	return append(Shape{e.lanes}, shape...)
}

func (e *expansion) orZeros(t *Tensor, shape Shape, d DType) *Tensor {
	if t == nil {
		t, _ = e.l.g.add("Const", nil, e.laned(shape), d)
	}
	return t
}

func (e *expansion) add(t, g *Tensor) { e.back[t] = e.sum(e.back[t], g) }

func (e *expansion) sum(before, g *Tensor) *Tensor {
	if before == nil {
		return g
	}
	sum, op := e.l.g.add("Add", []*Tensor{before, g}, g.Shape, g.DType)
	op.InPlace, op.GradSame = true, true
	return sum
}

// ofWeight is the gradient of a weight of an operation: for a product, another product, of
// the input and of what comes back.
func (e *expansion) ofWeight(op *Op, w *Weight, g *Tensor) *Tensor {
	shape := e.laned(w.Shape)
	switch {
	case op.Read:
		return g
	case op.Name == "BiasAdd":
		out, _ := e.l.g.add("Sum", []*Tensor{g}, shape, w.DType)
		return out
	}
	if e.lanes > 0 {
		// The lanes are moved behind the columns, and back from there
		// (tensorflow/python/ops/parallel_for/pfor.py, _convert_matmul and
		// _convert_conv2d_backprop_filter).
		g, _ = e.l.g.add("Transpose", []*Tensor{g}, g.Shape, g.DType)
	}
	out, product := e.l.g.add("MatMul", []*Tensor{op.In[0], g}, shape, w.DType)
	product.keepsInputs()
	if e.lanes > 0 {
		out, _ = e.l.g.add("Transpose", []*Tensor{out}, shape, w.DType)
	}
	return out
}

// backwards is the gradient of an input of an operation, given that of its output. Its
// own gradient reads what it reads, and makes gradients of the weights again.
func (e *expansion) backwards(op *Op, input int, g *Tensor) *Tensor {
	t := op.In[input]
	shape := e.laned(t.Shape)
	switch {
	case op.Reshapes():
		return view(e.l.g, g, shape)
	case op.GradSame && t.Bytes()*max(e.lanes, 1) == g.Bytes():
		return g
	case op.Product:
		return e.factor(op, input, g)
	}
	weights := op.Weights
	if op.Name == "BiasAdd" {
		weights = nil
	}
	in := []*Tensor{g}
	var skipped, zeros []int
	if len(weights) == 0 {
		read := op.Keep
		if op.Loss != "" {
			read = op.In
		}
		for j, kept := range read {
			if (op.Name == "MatMul" || op.Name == "BatchMatMul") && kept == t && slices.Index(read, kept) == j && slices.ContainsFunc(op.In, func(x *Tensor) bool { return x != t }) {
				continue // what comes back is multiplied by the other factor
			}
			if zeroed[op.Name] {
				zeros = append(zeros, len(in))
			} else if straight[op.Name] && op.Name != "MatMul" {
				skipped = append(skipped, len(in))
			}
			if e.lanes > 0 && tiled[op.Name] {
				kept = e.tile(kept)
			}
			in = append(in, kept)
		}
	}
	out, back := e.l.g.add(op.Name, in, shape, t.DType)
	back.Layer, back.NoGradOf, back.ZerosOf, back.Linear = op.Layer, skipped, zeros, op.Linear
	back.InPlace, back.GradInPlace = op.GradInPlace, op.InPlace
	back.ForwardTemp = op.BackwardTemp * max(e.lanes, 1)
	if len(weights) > 0 {
		back.Keep = []*Tensor{g}
		back.trains(weights...)
	} else {
		back.Keep = in[1:]
		if !straight[op.Name] || op.Name == "MatMul" {
			back.Keep = in
		}
	}
	out.Grad = true
	return out
}

// factor is the gradient of a factor of a product: the other times what comes back.
func (e *expansion) factor(op *Op, input int, g *Tensor) *Tensor {
	t := op.In[input]
	out, product := e.l.g.add("Multiply", []*Tensor{g, op.In[1-input]}, g.Shape, g.DType)
	product.InPlace, product.Product = true, true
	product.keepsInputs()
	out.Grad = true
	if shape := e.laned(t.Shape); t.Bytes()*max(e.lanes, 1) < g.Bytes() {
		out, _ = e.l.g.add("Sum", []*Tensor{out}, shape, t.DType)
		out.Grad = true
	}
	return out
}

// tile repeats a tensor in all lanes.
func (e *expansion) tile(t *Tensor) *Tensor {
	out, _ := e.l.g.add("Tile", []*Tensor{t}, e.laned(t.Shape), t.DType)
	return out
}
