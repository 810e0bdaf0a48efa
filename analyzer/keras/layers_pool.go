package keras

import "github.com/tfmem/tfmem/analyzer/value"

var poolingLayers = map[string]layerClass{
	"MaxPooling1D": {noWeights, pool(false, 1)}, "MaxPooling2D": {noWeights, pool(false, 2)}, "MaxPooling3D": {noWeights, pool(false, 3)},
	"AveragePooling1D": {noWeights, pool(true, 1)}, "AveragePooling2D": {noWeights, pool(true, 2)}, "AveragePooling3D": {noWeights, pool(true, 3)},
	"GlobalAveragePooling1D": {noWeights, global(true, 1)}, "GlobalAveragePooling2D": {noWeights, global(true, 2)}, "GlobalAveragePooling3D": {noWeights, global(true, 3)},
	"GlobalMaxPooling1D": {noWeights, global(false, 1)}, "GlobalMaxPooling2D": {noWeights, global(false, 2)}, "GlobalMaxPooling3D": {noWeights, global(false, 3)},
	"AdaptiveAveragePooling1D": {noWeights, adaptive(true, 1)}, "AdaptiveAveragePooling2D": {noWeights, adaptive(true, 2)}, "AdaptiveAveragePooling3D": {noWeights, adaptive(true, 3)},
	"AdaptiveMaxPooling1D": {noWeights, adaptive(false, 1)}, "AdaptiveMaxPooling2D": {noWeights, adaptive(false, 2)}, "AdaptiveMaxPooling3D": {noWeights, adaptive(false, 3)},
}

// pool is the pooling layers with a window.
func pool(average bool, rnk int) layerFactory {
	return func(r *argParser) layerImpl {
		if _, given := r.get(0, "pool_size"); average && !given && !r.keras2() {
			r.note(from3("AveragePooling%dD is made without a pool_size", rnk))
		}
		size := r.numbers(0, "pool_size", rnk, same(rnk, 2))
		strides := r.numbers(1, "strides", rnk, size)
		padding, at := r.padding(2), r.layout(3)
		return pooling(average, at, size, strides, padding)
	}
}

// pooling is a pool with a window, a size for each spatial dimension.
func pooling(average bool, at layout, size, strides []int64, padding string) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if err := rank([]Shape{x.Shape}, len(size)+2); err != nil {
			return nil, err
		}
		shape := at.last(x.Shape)
		for i := range size {
			d, err := window(shape[i+1], size[i], strides[i], padding)
			if err != nil {
				return nil, err
			}
			shape[i+1] = d
		}
		return pooled(g, average, x, at.back(shape)), nil
	}
}

// pooled adds a pool. The gradient of max pooling looks for the maxima again.
func pooled(g *Graph, average bool, x *Tensor, shape Shape) *Tensor {
	if average {
		return g.tensor(OpAvgPool, []*Tensor{x}, shape, x.DType)
	}
	return g.tensor(OpMaxPool, []*Tensor{x}, shape, x.DType)
}

func global(average bool, rnk int) layerFactory {
	return func(r *argParser) layerImpl {
		return globalPooling(average, r.layout(0), r.bool(1, "keepdims", false), rnk)
	}
}

// globalPooling reduces all spatial dimensions.
func globalPooling(average bool, at layout, keepdims bool, rnk int) plain {
	return func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
		if err := rank([]Shape{x.Shape}, rnk+2); err != nil {
			return nil, err
		}
		shape := Shape{x.Shape[0]}
		if keepdims {
			for range rnk {
				shape = append(shape, 1)
			}
		}
		shape = append(shape, at.last(x.Shape).Last())
		if keepdims {
			shape = at.back(shape)
		}
		if average {
			return g.tensor(OpMean, []*Tensor{x}, shape, x.DType), nil
		}
		out, op := g.add(OpMax, []*Tensor{x}, shape, x.DType)
		op.selects()
		return out, nil
	}
}

// adaptive is AdaptivePooling. Along each spatial dimension in turn it computes a pool with small
// windows and one with big windows at every position, and gathers some of the results
// (keras/src/backend/tensorflow/nn.py, _adaptive_max_pool2d).
func adaptive(average bool, rnk int) layerFactory {
	return func(r *argParser) layerImpl {
		size, at := r.numbers(0, "output_size", rnk, same(rnk, None)), r.layout(1)
		return plain(func(_ *Layer, g *Graph, x *Tensor) (*Tensor, error) {
			if err := rank([]Shape{x.Shape}, rnk+2); err != nil {
				return nil, err
			}
			shape := at.last(x.Shape)
			for i, want := range size {
				if err := positive(want, "output_size"); err != nil {
					return nil, err
				}
				n := shape[i+1]
				if err := known(n, "a dimension of its input"); err != nil {
					return nil, err
				}
				small := (n + want - 1) / want
				if n < small+1 {
					return nil, value.Because(value.KerasRaises, "TensorFlow will raise: a window of %d does not fit into %d", small+1, n)
				}
				a := pooled(g, average, x, at.back(shape.With(i+1, n-small+1)))
				b := pooled(g, average, x, at.back(shape.With(i+1, n-small)))
				both := g.tensor(OpConcat, []*Tensor{a, b}, at.back(shape.With(i+1, 2*(n-small)+1)), x.DType)
				shape = shape.With(i+1, want)
				x = g.tensor(OpGather, []*Tensor{both}, at.back(shape), x.DType)
			}
			return x, nil
		})
	}
}
