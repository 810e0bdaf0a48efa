package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// If a tape records a request to another tape, that gradient is differentiated again, as for a
// gradient penalty. The operations that compute it are then operations of the forward pass. The
// same holds for a jacobian, which is a gradient of each element of the target: see lanes.

// again reports whether a tape records the request of a node, and is asked later.
func (l *stepLowering) again(n *Node) bool {
	return slices.ContainsFunc(l.step.Nodes, func(later *Node) bool { return later.Asks != nil && later.At > n.At && later.Asks.recorded(n.At) })
}

// differentiable says why the gradient of an operation cannot itself be an operation with a
// gradient, or returns nil.
func differentiable(op *Op) *value.Cause {
	switch {
	case op.Gradient != nil:
		return value.Because(value.UnmodelledTraining, "a gradient that several tapes are asked for is not followed")
	case op.Kind.Second == NotFollowed, len(op.Out) != 1, len(op.Extra) > 0 && !op.Kind.straight(),
		len(op.Weights) > 0 && !op.Read && op.Kind != OpBiasAdd && !op.Kind.Is(kernel):
		return value.Because(value.UnmodelledTraining, "the gradient of the gradient of %s is not followed", op.Kind.Name)
	}
	return nil
}

// An expansion adds the operations of a gradient.
type expansion struct {
	l    *stepLowering
	d    *Gradient
	back map[*Tensor]*Tensor
	// byWeight holds the gradients of the weights that are asked for.
	byWeight map[*Weight]*Tensor
	// lanes is how many gradients are computed at once, as the first dimension of each tensor; 0
	// for a single one.
	lanes int64
}

// expand adds the operations of a gradient that is differentiated again.
func (l *stepLowering) expand(n *Node, in []*Tensor, d *Gradient) error {
	if l.g.Eagerly && len(d.Weights) > 0 {
		return value.Because(value.UnmodelledTraining, "a gradient of a gradient is not followed in an eager step: the memory that its tapes hold is not known")
	}
	targets := in[:len(in)-len(d.Sources)]
	if n.Asks.Of == Together {
		out, err := l.expansion(d, targets, 0)
		if err != nil {
			return err
		}
		l.putAll(n, out)
		return nil
	}
	return l.jacobian(n, targets[0], d)
}

// putAll records the tensors that a request returns.
func (l *stepLowering) putAll(n *Node, out []*Tensor) {
	for i, s := range n.Out {
		l.put(s, out[i])
	}
	for len(l.times) < len(l.g.Ops) {
		l.times = append(l.times, n.At)
	}
}

// expansion adds the operations of a gradient, and returns those of the weights and then those of
// the sources.
func (l *stepLowering) expansion(d *Gradient, targets []*Tensor, lanes int64) ([]*Tensor, error) {
	e := &expansion{l: l, d: d, back: map[*Tensor]*Tensor{}, byWeight: map[*Weight]*Tensor{}, lanes: lanes}
	for _, t := range targets {
		one := l.g.Tensor(OpConst, nil, e.laned(t.Shape), t.DType)
		e.add(t, one)
	}
	for _, w := range d.Weights {
		e.byWeight[w] = nil
	}
	for i := len(d.Ops) - 1; i >= 0; i-- {
		op := d.Ops[i]
		at := slices.IndexFunc(op.Out, func(t *Tensor) bool { return e.back[t] != nil })
		if at < 0 {
			continue // an operation that only holds tensors has no output
		}
		g := e.back[op.Out[at]]
		if why := differentiable(op); why != nil {
			return nil, why
		}
		for _, w := range op.Weights {
			if before, asked := e.byWeight[w]; asked {
				e.byWeight[w] = e.sum(before, e.ofWeight(op, w, g))
			}
		}
		for j, t := range op.In {
			if d.Flows[t] && !slices.Contains(op.NoGradOf, j) {
				if slices.Contains(op.ZeroGradOf, j) {
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

// laned returns a shape with all lanes.
func (e *expansion) laned(shape tensor.Shape) tensor.Shape {
	if e.lanes == 0 {
		return shape
	}
	return append(tensor.Shape{e.lanes}, shape...)
}

func (e *expansion) orZeros(t *Tensor, shape tensor.Shape, d tensor.DType) *Tensor {
	if t == nil {
		t = e.l.g.Tensor(OpConst, nil, e.laned(shape), d)
	}
	return t
}

func (e *expansion) add(t, g *Tensor) { e.back[t] = e.sum(e.back[t], g) }

func (e *expansion) sum(before, g *Tensor) *Tensor {
	if before == nil {
		return g
	}
	sum, op := e.l.g.Add(OpAdd, []*Tensor{before, g}, g.Shape, g.DType)
	op.InPlace, op.GradSame = true, true
	return sum
}

// ofWeight returns the gradient of an operation's weight. For a product it is another product, of
// the input and the incoming gradient.
func (e *expansion) ofWeight(op *Op, w *Weight, g *Tensor) *Tensor {
	shape := e.laned(w.Shape)
	switch {
	case op.Read:
		return g
	case op.Kind == OpBiasAdd:
		return e.l.g.Tensor(OpSum, []*Tensor{g}, shape, w.DType)
	}
	if e.lanes > 0 {
		// The lanes are moved behind the columns, and back
		// (tensorflow/python/ops/parallel_for/pfor.py, _convert_matmul and
		// _convert_conv2d_backprop_filter).
		g = e.l.g.Tensor(OpTranspose, []*Tensor{g}, g.Shape, g.DType)
	}
	out, product := e.l.g.Add(OpMatMul, []*Tensor{op.In[0], g}, shape, w.DType)
	product.KeepsInputs()
	if e.lanes > 0 {
		out = e.l.g.Tensor(OpTranspose, []*Tensor{out}, shape, w.DType)
	}
	return out
}

// backwards returns the gradient of an operation's input, given that of its output. The gradient
// of the result reads what it reads, and computes gradients of the weights again.
func (e *expansion) backwards(op *Op, input int, g *Tensor) *Tensor {
	t := op.In[input]
	shape := e.laned(t.Shape)
	switch {
	case op.Reshapes():
		return View(e.l.g, g, shape)
	case op.GradSame && t.Bytes()*max(e.lanes, 1) == g.Bytes():
		return g
	case op.Product:
		return e.factor(op, input, g)
	}
	weights := op.Weights
	if op.Kind == OpBiasAdd {
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
			if (op.Kind == OpMatMul || op.Kind == OpBatchMatMul) && kept == t && slices.Index(read, kept) == j && slices.ContainsFunc(op.In, func(x *Tensor) bool { return x != t }) {
				continue // the incoming gradient is multiplied by the other factor
			}
			if op.Kind.Second == Zeroed {
				zeros = append(zeros, len(in))
			} else if op.Kind.Second == Straight && op.Kind != OpMatMul {
				skipped = append(skipped, len(in))
			}
			if e.lanes > 0 && op.Kind.Is(tiled) {
				kept = e.tile(kept)
			}
			in = append(in, kept)
		}
	}
	out, back := e.l.g.Add(op.Kind, in, shape, t.DType)
	back.Layer, back.NoGradOf, back.ZeroGradOf, back.Linear = op.Layer, skipped, zeros, op.Linear
	back.InPlace, back.GradInPlace, back.GradSame, back.View = op.GradInPlace, op.InPlace, false, false
	back.ForwardTemp = op.BackwardTemp * max(e.lanes, 1)
	if len(weights) > 0 {
		back.Keep = []*Tensor{g}
		back.Trains(weights...)
	} else {
		back.Keep = in[1:]
		if !op.Kind.straight() || op.Kind == OpMatMul {
			back.Keep = in
		}
	}
	out.Grad = true
	return out
}

// factor returns the gradient of a factor of a product: the other factor times the incoming
// gradient.
func (e *expansion) factor(op *Op, input int, g *Tensor) *Tensor {
	t := op.In[input]
	out, product := e.l.g.Add(OpMultiply, []*Tensor{g, op.In[1-input]}, g.Shape, g.DType)
	product.InPlace, product.Product = true, true
	product.KeepsInputs()
	out.Grad = true
	if shape := e.laned(t.Shape); t.Bytes()*max(e.lanes, 1) < g.Bytes() {
		out = e.l.g.Tensor(OpSum, []*Tensor{out}, shape, t.DType)
		out.Grad = true
	}
	return out
}

// tile repeats a tensor in all lanes.
func (e *expansion) tile(t *Tensor) *Tensor {
	return e.l.g.Tensor(OpTile, []*Tensor{t}, e.laned(t.Shape), t.DType)
}
