package keras

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/tensor"
)

var mergingLayers = map[string]layerFactory{
	"Add":         func(*argParser) layerImpl { return elementwise("Add") },
	"Subtract":    func(*argParser) layerImpl { return elementwise("Subtract") },
	"Multiply":    func(*argParser) layerImpl { return elementwise("Multiply") },
	"Average":     func(*argParser) layerImpl { return elementwise("Average") },
	"Maximum":     func(*argParser) layerImpl { return elementwise("Maximum") },
	"Minimum":     func(*argParser) layerImpl { return elementwise("Minimum") },
	"Concatenate": func(r *argParser) layerImpl { return concatenate(int(r.number(0, "axis", -1))) },
	"Dot":         dot,
}

// merging is a layer without weights that takes several tensors.
type merging func(l *Layer, g *Graph, in []*Tensor) (*Tensor, error)

func (merging) build(*Layer, []Shape) error { return nil }

func (s merging) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("TensorFlow will raise: it merges a list of tensors, and gets none")
	}
	out, err := s(l, g, in)
	if err != nil {
		return nil, err
	}
	return []*Tensor{out}, nil
}

// elementwise is Add, Multiply and their like, which merge one tensor after the
// other (keras/src/layers/merging/base_merge.py, _merge_function).
func elementwise(name string) merging {
	return func(_ *Layer, g *Graph, in []*Tensor) (*Tensor, error) {
		in = sameRank(g, in)
		out := in[0]
		for _, t := range in[1:] {
			shape, err := tensor.Broadcast(out.Shape, t.Shape)
			if err != nil {
				return nil, err
			}
			y, op := g.add(name, []*Tensor{out, t}, shape, in[0].DType)
			op.InPlace = true
			op.Product = name == "Multiply"
			switch name {
			case "Multiply":
				op.keepsInputs()
			case "Maximum", "Minimum":
				op.decides()
			case "Add", "Average":
				op.GradSame = true
			default:
				op.GradInPlace = true
			}
			out = y
		}
		if name == "Average" {
			mean, op := g.add("Scale", []*Tensor{out}, out.Shape, out.DType)
			op.InPlace, op.GradInPlace = true, true
			if g.eager {
				op.BackwardTemp = 2 * out.Bytes() // the gradient of the number, too (tensorflow/python/ops/math_grad.py, _RealDivGrad)
			}
			out = mean
		}
		return out, nil
	}
}

// sameRank gives tensors of fewer dimensions the ones that they lack, behind
// the batch (keras/src/layers/merging/base_merge.py, call).
func sameRank(g *Graph, in []*Tensor) []*Tensor {
	most := 0
	for _, t := range in {
		most = max(most, len(t.Shape))
	}
	out := append([]*Tensor(nil), in...)
	for i, t := range in {
		if len(t.Shape) == 0 || len(t.Shape) == most {
			continue
		}
		shape := Shape{t.Shape[0]}
		for range most - len(t.Shape) {
			shape = append(shape, 1)
		}
		out[i] = view(g, t, append(shape, t.Shape[1:]...))
	}
	return out
}

func concatenate(axis int) merging {
	return func(_ *Layer, g *Graph, in []*Tensor) (*Tensor, error) {
		shape := append(Shape(nil), in[0].Shape...)
		at := axis
		if at < 0 {
			at += len(shape)
		}
		if at < 0 || at >= len(shape) {
			return nil, fmt.Errorf("TensorFlow will raise: %d is no dimension of %s", axis, shape)
		}
		for _, t := range in[1:] {
			if len(t.Shape) != len(shape) {
				return nil, fmt.Errorf("TensorFlow will raise: %s and %s cannot be joined", in[0].Shape, t.Shape)
			}
			for i, d := range t.Shape {
				switch {
				case i == at && (shape[i] < 0 || d < 0):
					shape[i] = None
				case i == at:
					shape[i] += d
				case shape[i] < 0:
					shape[i] = d
				case d >= 0 && d != shape[i]:
					return nil, fmt.Errorf("TensorFlow will raise: %s and %s differ beside the dimension they are joined along", in[0].Shape, t.Shape)
				}
			}
		}
		out, _ := g.add("Concat", in, shape, in[0].DType)
		return out, nil
	}
}

// dot is Dot: a product of two tensors along an axis of each, the batch kept
// (keras/src/layers/merging/dot.py, batch_dot).
func dot(r *argParser) layerImpl {
	pair := r.numbers(0, "axes", 2, nil)
	if pair == nil {
		pair = []int64{-1, -1} // dot([a, b])
	}
	normalize := r.bool(1, "normalize", false)
	return merging(func(_ *Layer, g *Graph, in []*Tensor) (*Tensor, error) {
		if len(in) != 2 {
			return nil, fmt.Errorf("TensorFlow will raise: it takes two tensors and gets %d", len(in))
		}
		var at [2]int
		for i, t := range in {
			found, err := within([]int{int(pair[i])}, len(t.Shape))
			if err != nil {
				return nil, err
			}
			if at[i] = found[0]; at[i] == 0 {
				return nil, fmt.Errorf("TensorFlow will raise: the batch cannot be multiplied along")
			}
		}
		a, b := in[0], in[1]
		if x, y := a.Shape[at[0]], b.Shape[at[1]]; x >= 0 && y >= 0 && x != y {
			return nil, fmt.Errorf("TensorFlow will raise: the shapes %s and %s differ along the axes %d and %d", a.Shape, b.Shape, at[0], at[1])
		}
		if normalize {
			a, b = unit(g, a, at[0]), unit(g, b, at[1])
		}
		shape := Shape{a.Shape[0]}
		shape = append(append(shape, a.Shape[1:at[0]]...), a.Shape[at[0]+1:]...)
		shape = append(append(shape, b.Shape[1:at[1]]...), b.Shape[at[1]+1:]...)
		if len(shape) == 1 {
			shape = append(shape, 1)
		}
		// The contracted dimension of the first stands last, that of the second
		// behind the batch; what does not stand so is copied.
		if at[0] != len(a.Shape)-1 {
			a = transposed(g, a)
		}
		if at[1] != 1 {
			b = transposed(g, b)
		}
		out, op := g.add("BatchMatMul", []*Tensor{a, b}, shape, a.DType)
		op.keepsInputs()
		return out, nil
	})
}

// transposed is a copy of x with permuted dimensions; only its size matters.
func transposed(g *Graph, x *Tensor) *Tensor {
	out, _ := g.add("Transpose", []*Tensor{x}, x.Shape, x.DType)
	return out
}

// unit divides x by its norm along an axis: the product keeps x and the
// reciprocal root.
func unit(g *Graph, x *Tensor, axis int) *Tensor {
	out, op := g.add("UnitNorm", []*Tensor{x}, x.Shape, x.DType)
	op.keepsInputs()
	if n, ok := x.Shape.With(axis, 1).Elements(); ok {
		op.Extra = []int64{round256(n * x.DType.Size()), round256(n * x.DType.Size())}
	}
	return out
}
