package layers

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

var mergingLayers = map[string]layerClass{
	"Add":         {NoWeights, func(*ArgParser) graph.Impl { return Elementwise(graph.OpAdd) }},
	"Subtract":    {NoWeights, func(*ArgParser) graph.Impl { return Elementwise(graph.OpSubtract) }},
	"Multiply":    {NoWeights, func(*ArgParser) graph.Impl { return Elementwise(graph.OpMultiply) }},
	"Average":     {NoWeights, func(*ArgParser) graph.Impl { return Elementwise(graph.OpAverage) }},
	"Maximum":     {NoWeights, func(*ArgParser) graph.Impl { return Elementwise(graph.OpMaximum) }},
	"Minimum":     {NoWeights, func(*ArgParser) graph.Impl { return Elementwise(graph.OpMinimum) }},
	"Concatenate": {NoWeights, func(r *ArgParser) graph.Impl { return Concatenate(int(r.Number(0, "axis", -1))) }},
	"Dot":         {NoWeights, Dot},
}

// Merging is a layer without weights that takes several tensors.
type Merging func(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) (*graph.Tensor, error)

func (Merging) Build(*graph.Layer, []tensor.Shape) error { return nil }

func (s Merging) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	if len(in) == 0 {
		return nil, value.Refused("it merges a list of tensors, and gets none")
	}
	out, err := s(l, g, in)
	if err != nil {
		return nil, err
	}
	return []*graph.Tensor{out}, nil
}

// Elementwise is Add, Multiply and their like, which merge one tensor after the other
// (keras/src/layers/merging/base_merge.py, _merge_function).
func Elementwise(kind *graph.Kind) Merging {
	return func(_ *graph.Layer, g *graph.Graph, in []*graph.Tensor) (*graph.Tensor, error) {
		in = sameRank(g, in)
		out := in[0]
		for _, t := range in[1:] {
			shape, err := tensor.Broadcast(out.Shape, t.Shape)
			if err != nil {
				return nil, err
			}
			y, op := g.Add(kind, []*graph.Tensor{out, t}, shape, in[0].DType)
			op.InPlace = true
			op.Product = kind == graph.OpMultiply
			switch kind {
			case graph.OpMultiply:
				op.KeepsInputs()
			case graph.OpMaximum, graph.OpMinimum:
				op.Decides()
			case graph.OpAdd, graph.OpAverage:
				op.GradSame = true
			default:
				op.GradInPlace = true
			}
			out = y
		}
		if kind == graph.OpAverage {
			mean, op := g.Add(graph.OpScale, []*graph.Tensor{out}, out.Shape, out.DType)
			op.InPlace, op.GradInPlace = true, true
			if g.Eagerly {
				op.BackwardTemp = 2 * out.Bytes() // the gradient of the number, too (tensorflow/python/ops/math_grad.py, _RealDivGrad)
			}
			out = mean
		}
		return out, nil
	}
}

// sameRank inserts missing dimensions after the batch, so that all tensors have the same rank
// (keras/src/layers/merging/base_merge.py, call).
func sameRank(g *graph.Graph, in []*graph.Tensor) []*graph.Tensor {
	most := 0
	for _, t := range in {
		most = max(most, len(t.Shape))
	}
	out := append([]*graph.Tensor(nil), in...)
	for i, t := range in {
		if len(t.Shape) == 0 || len(t.Shape) == most {
			continue
		}
		shape := append(tensor.Shape{t.Shape[0]}, Repeated(most-len(t.Shape), 1)...)
		out[i] = graph.View(g, t, append(shape, t.Shape[1:]...))
	}
	return out
}

func Concatenate(axis int) Merging {
	return func(_ *graph.Layer, g *graph.Graph, in []*graph.Tensor) (*graph.Tensor, error) {
		of := make([]tensor.Shape, len(in))
		for i, t := range in {
			of[i] = t.Shape
		}
		at, err := shapes.Axis(int64(axis), of[0])
		if err != nil {
			return nil, err
		}
		shape, err := shapes.Concatenate(of, at)
		if err != nil {
			return nil, err
		}
		return g.Tensor(graph.OpConcat, in, shape, in[0].DType), nil
	}
}

// Dot is Dot: a product of two tensors along an axis of each, per example
// (keras/src/layers/merging/dot.py, batch_dot).
func Dot(r *ArgParser) graph.Impl {
	pair := r.Numbers(0, "axes", 2, nil)
	if pair == nil {
		pair = []int64{-1, -1} // dot([a, b])
	}
	normalize := r.Bool(1, "normalize", false)
	return Merging(func(_ *graph.Layer, g *graph.Graph, in []*graph.Tensor) (*graph.Tensor, error) {
		if len(in) != 2 {
			return nil, value.Refused("it takes two tensors and gets %d", len(in))
		}
		var at [2]int
		for i, t := range in {
			var err error
			if at[i], err = shapes.Axis(pair[i], t.Shape); err != nil {
				return nil, err
			}
			if at[i] == 0 {
				return nil, value.Refused("the batch cannot be multiplied along")
			}
		}
		a, b := in[0], in[1]
		if x, y := a.Shape[at[0]], b.Shape[at[1]]; x >= 0 && y >= 0 && x != y {
			return nil, value.Refused("the shapes %s and %s differ along the axes %d and %d", a.Shape, b.Shape, at[0], at[1])
		}
		if normalize {
			a, b = unit(g, a, at[0]), unit(g, b, at[1])
		}
		shape := tensor.Shape{a.Shape[0]}
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
		out, op := g.Add(graph.OpBatchMatMul, []*graph.Tensor{a, b}, shape, a.DType)
		op.KeepsInputs()
		return out, nil
	})
}

// transposed adds a copy of x with permuted dimensions; only its size matters.
func transposed(g *graph.Graph, x *graph.Tensor) *graph.Tensor {
	return g.Tensor(graph.OpTranspose, []*graph.Tensor{x}, x.Shape, x.DType)
}

// unit divides x by its norm along an axis. The product keeps x and the reciprocal root.
func unit(g *graph.Graph, x *graph.Tensor, axis int) *graph.Tensor {
	out, op := g.Add(graph.OpUnitNorm, []*graph.Tensor{x}, x.Shape, x.DType)
	if n, ok := x.Shape.With(axis, 1).Elements(); ok {
		op.Extra = []int64{tensor.Round256(n * x.DType.Size()), tensor.Round256(n * x.DType.Size())}
	}
	return out
}
