package keras

import (
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

var mergingLayers = map[string]layerClass{
	"Add":         {noWeights, func(*argParser) layerImpl { return elementwise(OpAdd) }},
	"Subtract":    {noWeights, func(*argParser) layerImpl { return elementwise(OpSubtract) }},
	"Multiply":    {noWeights, func(*argParser) layerImpl { return elementwise(OpMultiply) }},
	"Average":     {noWeights, func(*argParser) layerImpl { return elementwise(OpAverage) }},
	"Maximum":     {noWeights, func(*argParser) layerImpl { return elementwise(OpMaximum) }},
	"Minimum":     {noWeights, func(*argParser) layerImpl { return elementwise(OpMinimum) }},
	"Concatenate": {noWeights, func(r *argParser) layerImpl { return concatenate(int(r.number(0, "axis", -1))) }},
	"Dot":         {noWeights, dot},
}

// merging is a layer without weights that takes several tensors.
type merging func(l *Layer, g *Graph, in []*Tensor) (*Tensor, error)

func (merging) build(*Layer, []Shape) error { return nil }

func (s merging) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	if len(in) == 0 {
		return nil, value.Because(value.KerasRaises, "TensorFlow will raise: it merges a list of tensors, and gets none")
	}
	out, err := s(l, g, in)
	if err != nil {
		return nil, err
	}
	return []*Tensor{out}, nil
}

// elementwise is Add, Multiply and their like, which merge one tensor after the other
// (keras/src/layers/merging/base_merge.py, _merge_function).
func elementwise(kind *Kind) merging {
	return func(_ *Layer, g *Graph, in []*Tensor) (*Tensor, error) {
		in = sameRank(g, in)
		out := in[0]
		for _, t := range in[1:] {
			shape, err := tensor.Broadcast(out.Shape, t.Shape)
			if err != nil {
				return nil, err
			}
			y, op := g.add(kind, []*Tensor{out, t}, shape, in[0].DType)
			op.InPlace = true
			op.Product = kind == OpMultiply
			switch kind {
			case OpMultiply:
				op.keepsInputs()
			case OpMaximum, OpMinimum:
				op.decides()
			case OpAdd, OpAverage:
				op.GradSame = true
			default:
				op.GradInPlace = true
			}
			out = y
		}
		if kind == OpAverage {
			mean, op := g.add(OpScale, []*Tensor{out}, out.Shape, out.DType)
			op.InPlace, op.GradInPlace = true, true
			if g.eager {
				op.BackwardTemp = 2 * out.Bytes() // the gradient of the number, too (tensorflow/python/ops/math_grad.py, _RealDivGrad)
			}
			out = mean
		}
		return out, nil
	}
}

// sameRank inserts missing dimensions after the batch, so that all tensors have the same rank
// (keras/src/layers/merging/base_merge.py, call).
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
			return nil, value.Because(value.KerasRaises, "TensorFlow will raise: %d is not a dimension of %s", axis, shape)
		}
		for _, t := range in[1:] {
			if len(t.Shape) != len(shape) {
				return nil, value.Because(value.KerasRaises, "TensorFlow will raise: %s and %s cannot be joined", in[0].Shape, t.Shape)
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
					return nil, value.Because(value.KerasRaises, "TensorFlow will raise: %s and %s differ in a dimension other than the one they are joined along", in[0].Shape, t.Shape)
				}
			}
		}
		return g.tensor(OpConcat, in, shape, in[0].DType), nil
	}
}

// dot is Dot: a product of two tensors along an axis of each, per example
// (keras/src/layers/merging/dot.py, batch_dot).
func dot(r *argParser) layerImpl {
	pair := r.numbers(0, "axes", 2, nil)
	if pair == nil {
		pair = []int64{-1, -1} // dot([a, b])
	}
	normalize := r.bool(1, "normalize", false)
	return merging(func(_ *Layer, g *Graph, in []*Tensor) (*Tensor, error) {
		if len(in) != 2 {
			return nil, value.Because(value.KerasRaises, "TensorFlow will raise: it takes two tensors and gets %d", len(in))
		}
		var at [2]int
		for i, t := range in {
			found, err := within([]int{int(pair[i])}, len(t.Shape))
			if err != nil {
				return nil, err
			}
			if at[i] = found[0]; at[i] == 0 {
				return nil, value.Because(value.KerasRaises, "TensorFlow will raise: the batch cannot be multiplied along")
			}
		}
		a, b := in[0], in[1]
		if x, y := a.Shape[at[0]], b.Shape[at[1]]; x >= 0 && y >= 0 && x != y {
			return nil, value.Because(value.KerasRaises, "TensorFlow will raise: the shapes %s and %s differ along the axes %d and %d", a.Shape, b.Shape, at[0], at[1])
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
		// The contracted dimension of the first must be last, and that of the second must follow
		// the batch. A tensor with another order is copied.
		if at[0] != len(a.Shape)-1 {
			a = transposed(g, a)
		}
		if at[1] != 1 {
			b = transposed(g, b)
		}
		out, op := g.add(OpBatchMatMul, []*Tensor{a, b}, shape, a.DType)
		op.keepsInputs()
		return out, nil
	})
}

// transposed adds a copy of x with permuted dimensions; only its size matters.
func transposed(g *Graph, x *Tensor) *Tensor {
	return g.tensor(OpTranspose, []*Tensor{x}, x.Shape, x.DType)
}

// unit divides x by its norm along an axis. The product keeps x and the reciprocal root.
func unit(g *Graph, x *Tensor, axis int) *Tensor {
	out, op := g.add(OpUnitNorm, []*Tensor{x}, x.Shape, x.DType)
	if n, ok := x.Shape.With(axis, 1).Elements(); ok {
		op.Extra = []int64{round256(n * x.DType.Size()), round256(n * x.DType.Size())}
	}
	return out
}
