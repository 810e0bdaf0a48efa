package layers

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

var regularizationLayers = map[string]layerClass{
	"Dropout": {NoWeights, func(r *ArgParser) graph.Impl {
		rate, noise := r.fraction(0, "rate", 0.5, false), r.Numbers(1, "noise_shape", -1, nil)
		return switched(r, Dropout(rate, func(s tensor.Shape) tensor.Shape {
			if noise == nil || len(noise) != len(s) {
				return s
			}
			mask := append(tensor.Shape(nil), s...)
			for i, d := range noise {
				if d >= 0 {
					mask[i] = d
				}
			}
			return mask
		}))
	}},
	"SpatialDropout1D":       {NoWeights, spatialDropout(1, -1)},
	"SpatialDropout2D":       {NoWeights, spatialDropout(2, 1)},
	"SpatialDropout3D":       {NoWeights, spatialDropout(3, 1)},
	"AlphaDropout":           {NoWeights, func(r *ArgParser) graph.Impl { return switched(r, noise(r.Float(0, "rate", 1), 1)) }},
	"GaussianDropout":        {NoWeights, func(r *ArgParser) graph.Impl { return switched(r, noise(r.fraction(0, "rate", 1, true), 1)) }},
	"GaussianNoise":          {NoWeights, func(r *ArgParser) graph.Impl { return switched(r, noise(r.fraction(0, "stddev", 1, true), 0)) }},
	"ActivityRegularization": {NoWeights, func(*ArgParser) graph.Impl { return Plain(Identity) }},
}

// spatialDropout drops whole channels: all positions share a mask.
func spatialDropout(rank, format int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		rate, at := r.fraction(0, "rate", 0.5, false), Layout{}
		if format >= 0 {
			at = r.layout(format)
		}
		drop := switched(r, Dropout(rate, func(s tensor.Shape) tensor.Shape {
			mask := at.last(s)
			for i := 1; i < len(mask)-1; i++ {
				mask[i] = 1
			}
			return mask
		}))
		return Plain(func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
			if err := graph.CheckRank([]tensor.Shape{x.Shape}, rank+2); err != nil {
				return nil, err
			}
			return drop(l, g, x)
		})
	}
}

// WholeMask returns the shape of a mask as large as the input.
func WholeMask(s tensor.Shape) tensor.Shape { return s }

// Dropout keeps its mask, a byte per element, for the gradient
// (tf.nn.experimental.stateless_dropout).
func Dropout(rate float64, mask func(tensor.Shape) tensor.Shape) Plain {
	return func(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		if rate == 0 || g.Mode == graph.PredictionMode {
			return x, nil
		}
		out, op := g.Add(graph.OpDropout, []*graph.Tensor{x}, x.Shape, x.DType)
		if n, ok := mask(x.Shape).Elements(); ok {
			op.Extra = []int64{tensor.Round256(n)}
			op.ForwardTemp, op.Random = tensor.Round256(n*4), true
		}
		g.Taped(op, x.Bytes()) // the scaled input, part of which passes
		if g.Eagerly {
			// The gradient of the selection is computed for the zeros too, and both before they
			// are scaled (tensorflow/python/ops/math_grad.py, _SelectGradV2).
			op.BackwardTemp = 2 * x.Bytes()
		}
		op.InPlace, op.GradInPlace = true, true
		return out, nil
	}
}

// noise multiplies by noise, or adds noise. The gradient of a product keeps that many tensors of
// x's size.
func noise(amount float64, kept int) Plain {
	return func(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		if amount == 0 || g.Mode == graph.PredictionMode {
			return x, nil
		}
		out, op := g.Add(graph.OpNoise, []*graph.Tensor{x}, x.Shape, x.DType)
		op.ForwardTemp = x.Bytes()
		op.Extra = slices.Repeat([]int64{x.Bytes()}, kept)
		g.Taped(op, x.Bytes()) // the noise
		return out, nil
	}
}

// switched adds a layer's operation as one of two branches where TensorFlow 1 has switches. There a
// dropout multiplies by a mask of its input's type, whose shape it takes from the input
// (tensorflow/python/ops/nn_ops.py of TensorFlow 1.15, dropout_v2).
func switched(r *ArgParser, add Plain) Plain {
	if !r.switches() {
		return add
	}
	return func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		out, err := add(l, g, x)
		if err == nil && out != x {
			op := out.From
			op.Switched, op.Random = true, false
			if op.Kind == graph.OpDropout {
				op.Extra = []int64{op.ForwardTemp}
			}
		}
		return out, err
	}
}
