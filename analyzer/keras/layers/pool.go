package layers

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

var poolingLayers = map[string]layerClass{
	"MaxPooling1D": {NoWeights, pool(false, 1)}, "MaxPooling2D": {NoWeights, pool(false, 2)}, "MaxPooling3D": {NoWeights, pool(false, 3)},
	"AveragePooling1D": {NoWeights, pool(true, 1)}, "AveragePooling2D": {NoWeights, pool(true, 2)}, "AveragePooling3D": {NoWeights, pool(true, 3)},
	"GlobalAveragePooling1D": {NoWeights, global(true, 1)}, "GlobalAveragePooling2D": {NoWeights, global(true, 2)}, "GlobalAveragePooling3D": {NoWeights, global(true, 3)},
	"GlobalMaxPooling1D": {NoWeights, global(false, 1)}, "GlobalMaxPooling2D": {NoWeights, global(false, 2)}, "GlobalMaxPooling3D": {NoWeights, global(false, 3)},
	"AdaptiveAveragePooling1D": {NoWeights, adaptive(true, 1)}, "AdaptiveAveragePooling2D": {NoWeights, adaptive(true, 2)}, "AdaptiveAveragePooling3D": {NoWeights, adaptive(true, 3)},
	"AdaptiveMaxPooling1D": {NoWeights, adaptive(false, 1)}, "AdaptiveMaxPooling2D": {NoWeights, adaptive(false, 2)}, "AdaptiveMaxPooling3D": {NoWeights, adaptive(false, 3)},
}

// pool is the pooling layers with a window.
func pool(average bool, rnk int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		if _, given := r.Get(0, "pool_size"); average && !given && !r.keras2() {
			r.note(FromKeras3("AveragePooling%dD is made without a pool_size", rnk))
		}
		size := r.Numbers(0, "pool_size", rnk, Repeated(rnk, 2))
		strides := r.Numbers(1, "strides", rnk, size)
		padding, at := r.padding(2), r.layout(3)
		return Pooling(average, at, size, strides, padding)
	}
}

// Pooling is a pool with a window, a size for each spatial dimension.
func Pooling(average bool, at Layout, size, strides []int64, padding string) Plain {
	return func(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		if err := graph.CheckRank([]tensor.Shape{x.Shape}, len(size)+2); err != nil {
			return nil, err
		}
		shape := at.last(x.Shape)
		for i := range size {
			d, err := Window(shape[i+1], size[i], strides[i], padding)
			if err != nil {
				return nil, err
			}
			shape[i+1] = d
		}
		return pooled(g, average, x, at.back(shape)), nil
	}
}

// pooled adds a pool. The gradient of max pooling looks for the maxima again.
func pooled(g *graph.Graph, average bool, x *graph.Tensor, shape tensor.Shape) *graph.Tensor {
	if average {
		return g.Tensor(graph.OpAvgPool, []*graph.Tensor{x}, shape, x.DType)
	}
	return g.Tensor(graph.OpMaxPool, []*graph.Tensor{x}, shape, x.DType)
}

func global(average bool, rnk int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		return GlobalPooling(average, r.layout(0), r.Bool(1, "keepdims", false), rnk, !r.keras2())
	}
}

// GlobalPooling reduces all spatial dimensions. Keras 3 computes a mean of half precision in
// float32 (keras/src/backend/tensorflow/numpy.py, mean).
func GlobalPooling(average bool, at Layout, keepdims bool, rnk int, wider bool) Plain {
	return func(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		if err := graph.CheckRank([]tensor.Shape{x.Shape}, rnk+2); err != nil {
			return nil, err
		}
		shape := tensor.Shape{x.Shape[0]}
		if keepdims {
			shape = append(shape, Repeated(rnk, 1)...)
		}
		shape = append(shape, at.last(x.Shape).Last())
		if keepdims {
			shape = at.back(shape)
		}
		if average {
			d := x.DType
			if wider && (g.Apart || g.Eagerly) { // XLA converts it as it sums it up
				x = graph.Cast(g, x, wide(d))
			}
			return graph.Cast(g, g.Tensor(graph.OpMean, []*graph.Tensor{x}, shape, x.DType), d), nil
		}
		out, op := g.Add(graph.OpMax, []*graph.Tensor{x}, shape, x.DType)
		op.Selects()
		return out, nil
	}
}

// adaptive is AdaptivePooling. Along each spatial dimension in turn it computes a pool with small
// windows and one with big windows at every position, and gathers some of the results
// (keras/src/backend/tensorflow/nn.py, _adaptive_max_pool2d).
func adaptive(average bool, rnk int) layerFactory {
	return func(r *ArgParser) graph.Impl {
		size, at := r.Numbers(0, "output_size", rnk, Repeated(rnk, tensor.None)), r.layout(1)
		return Plain(func(_ *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
			if err := graph.CheckRank([]tensor.Shape{x.Shape}, rnk+2); err != nil {
				return nil, err
			}
			shape := at.last(x.Shape)
			for i, want := range size {
				if err := positive(want, "output_size"); err != nil {
					return nil, err
				}
				n := shape[i+1]
				if err := graph.CheckKnown(n, "a dimension of its input"); err != nil {
					return nil, err
				}
				small := (n + want - 1) / want
				if n < small+1 {
					return nil, value.Refused("a window of %d does not fit into %d", small+1, n)
				}
				a := pooled(g, average, x, at.back(shape.With(i+1, n-small+1)))
				b := pooled(g, average, x, at.back(shape.With(i+1, n-small)))
				both := g.Tensor(graph.OpConcat, []*graph.Tensor{a, b}, at.back(shape.With(i+1, 2*(n-small)+1)), x.DType)
				shape = shape.With(i+1, want)
				x = g.Tensor(graph.OpGather, []*graph.Tensor{both}, at.back(shape), x.DType)
			}
			return x, nil
		})
	}
}
