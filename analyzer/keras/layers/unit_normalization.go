package layers

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/value"
)

// unitNormalization is UnitNormalization: the input times the reciprocal root of its sum of squares
// along the axes (keras/src/layers/normalization/unit_normalization.py;
// keras/src/ops/nn.py, _normalize).
func unitNormalization(r *ArgParser) graph.Impl {
	if v, given := r.Args.Get(0, "axis"); given && v.X == (value.None{}) {
		r.note(value.Because(value.KerasRaises, "TensorFlow will raise: axis is None"))
	}
	axes := axes(r)
	return Plain(func(l *graph.Layer, g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
		at, err := shapes.Within(axes, x.Shape)
		if err != nil {
			return nil, err
		}
		out, op := g.Add(graph.OpUnitNorm, []*graph.Tensor{x}, x.Shape, x.DType)
		few := Rows(x, at)
		// The reciprocal root and the minimum of it and 1/epsilon. tf_keras keeps the sum of squares
		// instead of the minimum (tensorflow/python/ops/nn_impl.py, l2_normalize).
		op.Extra = []int64{few, few}
		g.Taped(op, x.Bytes()) // the squares, of which the sum is computed
		return out, nil
	})
}
