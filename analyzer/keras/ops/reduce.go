package ops

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// ReduceFunctions are those along dimensions.
var ReduceFunctions = []FunctionRow{
	{reduction, "mean sum max min prod std var variance any all logsumexp euclidean_norm amax amin norm count_nonzero"},
	{reduction, "reduce_mean reduce_sum reduce_max reduce_min reduce_prod reduce_std reduce_var reduce_variance reduce_any reduce_all reduce_logsumexp reduce_euclidean_norm"},
	{reduction, "ops.mean ops.std ops.var ops.median ops.sum ops.prod ops.count_nonzero"},
	{moments, "moments"},
	{normalized, "batch_normalization"},
	{l2normalize, "l2_normalize normalize"},
	{byRow, "layer_normalization rms_normalization"},
	{average, "ops.average"},
	{differences, "ops.diff"},
}

// Reductions are their kinds, by the functions' names. Some keep the exponentials. Variances are
// several operations.
var Reductions = func() map[string]*graph.Kind {
	product := graph.NewCurved("prod", graph.ReadsInputs|graph.ReadsOutputs)
	return map[string]*graph.Kind{
		"mean": graph.OpMean, "sum": graph.OpSum, "max": graph.OpMax, "min": graph.OpMax, "amax": graph.OpMax, "amin": graph.OpMax, "any": graph.OpAny, "all": graph.OpAny,
		"prod": product, "norm": product, "euclidean_norm": product, "logsumexp": graph.NewCurved("logsumexp", graph.KeepsOne),
		"count_nonzero": graph.Ungraded("count_nonzero"), "median": graph.NewCurved("median"),
	}
}()

func reduction(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	name, ops := strings.CutPrefix(strings.TrimPrefix(name, "reduce_"), opsPrefix)
	first := objects.First(args)
	if v, ok := first.X.(*Vector); ok && name == "prod" {
		out := value.Value{X: int64(1)}
		for _, item := range v.items {
			m, isNumber := out.X.(int64)
			n, ok := item.X.(int64)
			d, isDimension := out.X.(*dimension)
			if !isDimension {
				if d, isDimension = item.X.(*dimension); isDimension {
					item = out
				}
			}
			switch {
			case isNumber && ok:
				out = value.Value{X: tensor.Shape{m, n}.Product()}
			case isDimension:
				out = d.Binary(nil, "*", item, false)
			default:
				return h.Unknown(value.ArrayShape, "the product of a shape with an unknown dimension is not known")
			}
		}
		return out
	}
	position := 1
	if name == "norm" {
		position = 2
	}
	keep, _ := objects.Passed(args, 2, "keepdims", "keep_dims")
	keepdims, _ := keep.X.(bool)
	count := numpy.DTypeAt(args, 3, "dtype", "int64")
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		axes, err := shapes.Axes(args, position, x.Shape, "axis", "reduction_indices", "axes")
		if err != nil {
			return nil, err
		}
		shape := shapes.Reduced(x.Shape, axes, keepdims)
		var out *graph.Tensor
		switch name {
		case "var", "variance", "std":
			out, err = variance(g, x, shapes.Reduced(x.Shape, axes, true), shape)
			if err != nil {
				return nil, err
			}
			if name == "std" {
				out = graph.Unary(g, graph.OpSqrt, out)
			}
		default:
			out = graph.Reduce(g, Reductions[name], x, shape)
		}
		switch {
		case ops:
			out.DType = numpy.OpsReduced(name, x.DType)
		case name == "count_nonzero":
			out.DType = count
		}
		return []*graph.Tensor{out}, nil
	})
}

// variance adds the mean of the squares of the differences from the mean
// (tensorflow/python/ops/math_ops.py, reduce_variance). whole is the shape of the mean with all
// dimensions.
func variance(g *graph.Graph, x *graph.Tensor, whole, shape tensor.Shape) (*graph.Tensor, error) {
	difference, err := graph.Combine(g, graph.OpSubtract, x, graph.Reduce(g, graph.OpMean, x, whole))
	if err != nil {
		return nil, err
	}
	return graph.Reduce(g, graph.OpMean, graph.Unary(g, graph.OpSquare, difference), shape), nil
}

// moments is tf.nn.moments: the variance's gradient reads the input and the mean.
func moments(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	keep, _ := objects.Passed(args, 3, "keepdims")
	keepdims, _ := keep.X.(bool)
	return OnOne(h, "moments", args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		axes, err := shapes.Axes(args, 1, x.Shape, "axes", "axis")
		if err != nil {
			return nil, err
		}
		shape := shapes.Reduced(x.Shape, axes, keepdims)
		mean := g.Tensor(graph.OpMean, []*graph.Tensor{x}, shape, x.DType)
		variance, op := g.Add(graph.OpMoments, []*graph.Tensor{x}, shape, x.DType)
		op.ForwardTemp, op.BackwardTemp = x.Bytes(), x.Bytes()
		return []*graph.Tensor{mean, variance}, nil
	})
}

// normalized is tf.nn.batch_normalization: (x - mean) · scale / √variance + offset. Its gradient
// reads the input.
func normalized(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	in := []value.Value{objects.First(args)}
	for i, name := range []string{"mean", "variance", "offset", "scale"} {
		if v, ok := objects.Given(args, i+1, name); ok && !IsNumber(v) {
			in = append(in, v)
		}
	}
	return OnAll(h, "BatchNorm", in, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		out, op := g.Add(graph.OpBatchNorm, in, in[0].Shape, in[0].DType)
		op.KeepsInputs()
		return []*graph.Tensor{out}, nil
	})
}

func l2normalize(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	return OnOne(h, "l2_normalize", args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		out, op := g.Add(graph.OpL2Normalize, []*graph.Tensor{x}, x.Shape, x.DType)
		op.BackwardTemp = x.Bytes()
		return []*graph.Tensor{out}, nil
	})
}

// byRow is keras.ops.layer_normalization and rms_normalization: it normalizes each row by its
// mean and variance, or by its mean square, then applies the scale and the center.
func byRow(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	rms := name == "rms_normalization"
	kind, last, keyword := graph.OpLayerNormalization, 3, "gamma"
	if rms {
		kind, last, keyword = graph.OpRMSNormalization, 2, "scale"
	}
	if axis, given := args.Get(last, "axis"); given && axis.X != int64(-1) {
		return h.Unknown(value.UnmodelledArgument, "%s of another dimension than the last is not followed", name)
	}
	scale, scaled := objects.Given(args, 1, keyword)
	out := OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		if len(x.Shape) == 0 {
			return nil, value.Refused("%s of a number", name)
		}
		out, op := g.Add(kind, []*graph.Tensor{x}, x.Shape, x.DType)
		few := layers.Rows(x, []int{len(x.Shape) - 1})
		op.Extra = []int64{few}
		if !rms {
			op.Extra = append(op.Extra, few, few) // the mean, and the scaled mean
		}
		if scaled {
			op.Extra = append(op.Extra, x.Bytes()) // the scale times the reciprocal root
		}
		op.BackwardTemp = x.Bytes()
		return []*graph.Tensor{out}, nil
	})
	if scaled && out.Known() {
		out = Binary(h, graph.OpMultiply, out, scale)
	}
	if beta, ok := objects.Given(args, 2, "beta"); ok && !rms && beta.Known() {
		out = Binary(h, graph.OpAdd, out, beta)
	}
	return out
}

// average is keras.ops.average without weights.
func average(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	if _, given := objects.Given(args, 2, "weights"); given {
		return h.Unknown(value.UnmodelledArgument, "%s by weights is not followed", name)
	}
	with := &value.Args{Positional: args.Positional[:min(len(args.Positional), 2)], Keywords: args.Keywords}
	return state.Loaded().Functions[opsPrefix+"mean"](h, in, opsPrefix+"mean", with)
}

// differences is keras.ops.diff: of each number and the one before it.
func differences(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	if n, given := args.Get(1, "n"); given && n.X != int64(1) {
		return h.Unknown(value.UnmodelledArgument, "%s of differences is not followed", name)
	}
	return shaped(h, name, graph.OpSubtract, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		return shapes.Diff(s, 1, args)
	})
}
