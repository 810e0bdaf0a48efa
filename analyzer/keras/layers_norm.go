package keras

import "fmt"

// normalization is BatchNormalization and LayerNormalization, as Keras 3 has
// them: not fused on TensorFlow's backend.
type normalization struct {
	axes          []int
	batch         bool
	scale, center bool
}

// shape is that of the weights: the dimensions that are kept apart.
func (s *normalization) shape(in []Shape) ([]int64, error) {
	var shape []int64
	for _, a := range s.axes {
		i := a
		if i < 0 {
			i += len(in[0])
		}
		if i < 0 || i >= len(in[0]) {
			return nil, fmt.Errorf("TensorFlow will raise: %d is no dimension of %s", a, in[0])
		}
		if err := known(in[0][i], "the dimension it normalizes"); err != nil {
			return nil, err
		}
		shape = append(shape, in[0][i])
	}
	return shape, nil
}

func (s *normalization) build(l *Layer, in []Shape) error {
	shape, err := s.shape(in)
	if err != nil {
		return err
	}
	if s.scale {
		l.weight("gamma", true, shape...)
	}
	if s.center {
		l.weight("beta", true, shape...)
	}
	if s.batch {
		l.weight("moving_mean", false, shape...)
		l.weight("moving_variance", false, shape...)
	}
	return nil
}

func (s *normalization) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	x := in[0]
	if s.batch && !l.Trainable {
		// Frozen, it runs as in inference: a scale and a shift, whose gradient
		// reads neither.
		out, op := g.add("BatchNorm", []*Tensor{x}, x.Shape, x.DType)
		op.InPlace, op.GradInPlace = true, true
		return []*Tensor{out}, nil
	}
	low := x.DType.Size() < 4
	wide := x
	if low {
		// float16 is computed in float32 (keras/src/layers/normalization).
		wide = cast(g, x, "float32")
	}
	name := "LayerNorm"
	if s.batch {
		name = "BatchNorm"
	}
	out, op := g.add(name, []*Tensor{wide}, x.Shape, "float32")
	op.keepsInputs()
	op.trains(l.trained(l.named("gamma"), l.named("beta"))...)
	full := wide.Bytes()
	if s.batch {
		// The squared differences of the variance are gone before the output is made.
		op.BackwardTemp = 2 * full
		op.GradInPlace = true
	} else {
		// The scale, broadcast to the input's size, is kept beside the input.
		op.Extra = []int64{full}
		op.BackwardTemp = full
	}
	if low {
		out = cast(g, out, x.DType)
	}
	return []*Tensor{out}, nil
}

// recorded is Normalization: statistics that adapt measured, or that are given.
type recorded struct {
	axes  []int
	given bool
}

func (s *recorded) build(l *Layer, in []Shape) error {
	if s.given {
		return nil
	}
	n := normalization{axes: s.axes}
	shape, err := n.shape(in)
	if err != nil {
		return err
	}
	l.weight("mean", false, shape...)
	l.weight("variance", false, shape...)
	l.weight("count", false)
	return nil
}

func (s *recorded) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	out, err := arithmetic("Normalization")(l, g, in[0])
	return []*Tensor{out}, err
}
