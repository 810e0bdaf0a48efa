package keras

import "github.com/tfmem/tfmem/analyzer/value"

// extent says of what a request takes a gradient.
type extent uint8

const (
	together extent = iota // of the sum of the target's elements
	elements               // of each element, by tape.jacobian
	columns                // of each element of an example, by tape.batch_jacobian
)

// jacobian adds the operations of a jacobian. pfor computes the gradients of all elements of the
// target at once, as the first dimension of each operation (tensorflow/python/eager/backprop.py,
// GradientTape.jacobian and batch_jacobian). Without pfor they are computed one after the other,
// into a list.
func (l *stepLowering) jacobian(n *node, target *Tensor, d *Gradient) error {
	shape := target.Shape
	if n.asks.of == columns {
		if len(shape) < 2 {
			return value.Because(value.KerasRaises, "TensorFlow will raise: batch_jacobian of a tensor of shape %s", shape)
		}
		shape = shape[1:]
	}
	lanes, known := shape.Elements()
	if !known || lanes < 1 {
		return value.Because(value.UnmodelledTraining, "how many elements a jacobian is taken of is not known")
	}
	at := lanes
	if n.asks.loops {
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
		if n.asks.loops {
			list := lanes * t.Bytes()
			stacked, op := l.g.add(OpPack, []*Tensor{t}, append(Shape{lanes}, t.Shape...), t.DType)
			op.ForwardTemp, t = list, stacked
		}
		if n.asks.of == columns {
			t = l.g.tensor(OpTranspose, []*Tensor{t}, t.Shape, t.DType)
		}
		t.Grad = true
		out[i] = view(l.g, t, jacobianShape(n.asks.of, target.Shape, t.Shape[1:]))
		out[i].Grad = true
	}
	l.putAll(n, out)
	return nil
}

// jacobianShape returns the shape of the jacobian of a target by a source.
func jacobianShape(e extent, target, source Shape) Shape {
	switch {
	case e == elements:
		return append(append(Shape{}, target...), source...)
	case e == columns && len(source) > 0:
		return append(append(Shape{}, target...), source[1:]...)
	}
	return source
}
