package graph

import (
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Extent says of what a request takes a gradient.
type Extent uint8

const (
	Together Extent = iota // of the sum of the target's elements
	Elements               // of each element, by tape.jacobian
	Columns                // of each element of an example, by tape.batch_jacobian
)

// A Jacobian is a call of tape.jacobian or batch_jacobian.
type Jacobian struct {
	Node syntax.Node // the call
	// Outputs is the number of elements whose gradients it computes, by batch_jacobian of one example.
	Outputs int64
	// Largest is the bytes of the largest tensor between sources and target, of the whole batch, and
	// Result those of what the call returns.
	Largest, Result int64
	Loops           bool // it computes one gradient after the other, and not all by pfor
}

// jacobian adds the operations of a jacobian. pfor computes the gradients of all elements of the
// target at once, as the first dimension of each operation (tensorflow/python/eager/backprop.py,
// GradientTape.jacobian and batch_jacobian). Without pfor they are computed one after the other,
// into a list.
func (l *stepLowering) jacobian(n *Node, target *Tensor, d *Gradient) error {
	shape := target.Shape
	if n.Asks.Of == Columns {
		if len(shape) < 2 {
			return value.Refused("batch_jacobian of a tensor of shape %s", shape)
		}
		shape = shape[1:]
	}
	lanes, known := shape.Elements()
	if !known || lanes < 1 {
		return value.Because(value.UnmodelledTraining, "the number of elements of a jacobian's target is not known")
	}
	at := lanes
	if n.Asks.Loops {
		if l.again(n) {
			return value.Because(value.UnmodelledTraining, "the gradient of a jacobian that is computed in a loop is not followed")
		}
		at = 0
	}
	made, err := l.expansion(d, []*Tensor{target}, at)
	if err != nil {
		return err
	}
	out := make([]*Tensor, len(made))
	for i, t := range made {
		if n.Asks.Loops {
			list := lanes * t.Bytes()
			stacked, op := l.g.Add(OpPack, []*Tensor{t}, append(tensor.Shape{lanes}, t.Shape...), t.DType)
			op.ForwardTemp, t = list, stacked
		}
		if n.Asks.Of == Columns {
			t = l.g.Tensor(OpTranspose, []*Tensor{t}, t.Shape, t.DType)
		}
		t.Grad = true
		out[i] = View(l.g, t, JacobianShape(n.Asks.Of, target.Shape, t.Shape[1:]))
		out[i].Grad = true
	}
	l.putAll(n, out)
	return nil
}

// JacobianShape returns the shape of the jacobian of a target by a source.
func JacobianShape(e Extent, target, source tensor.Shape) tensor.Shape {
	switch {
	case e == Elements:
		return append(append(tensor.Shape{}, target...), source...)
	case e == Columns && len(source) > 0:
		return append(append(tensor.Shape{}, target...), source[1:]...)
	}
	return source
}
