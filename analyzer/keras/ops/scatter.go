package ops

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Functions that write values at given places of a tensor.

// ScatterFunctions write some elements of a tensor.
var ScatterFunctions = []FunctionRow{
	{updated, "slice_update scatter_update"},
	{segments, "unsorted_segment_sum unsorted_segment_mean unsorted_segment_max unsorted_segment_min segment_sum segment_mean segment_max segment_min"},
	{scattered, "scatter_nd scatter"},
	{scatteredInto, "tensor_scatter_nd_update tensor_scatter_nd_add tensor_scatter_nd_sub"},
}

// updated returns a tensor with other numbers in some places.
func updated(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	updates, ok := objects.Passed(args, 2, "updates")
	if !ok {
		return h.Unknown(value.MissingArgument, "%s is called without updates", name)
	}
	return OnAll(h, name, []value.Value{objects.First(args), updates}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return []*graph.Tensor{g.Tensor(graph.OpScatter, in, in[0].Shape, in[0].DType)}, nil
	})
}

// segments reduces the rows of a tensor by segment number. The gradient of a sum reads only the
// numbers. Means are sums divided by counts. There are minima and maxima, too
// (tensorflow/python/ops/math_grad.py, _UnsortedSegmentSumGrad, _SegmentMinOrMaxGrad).
func segments(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	data, _ := objects.Passed(args, 0, "data")
	ids, _ := objects.Passed(args, 1, "segment_ids")
	number, given := objects.Given(args, 2, "num_segments")
	if !given {
		return h.Unknown(value.DataDependent, "how many segments %s makes depends on the data", name)
	}
	return OnAll(h, name, []value.Value{data, ids}, []value.Value{number}, func(g *graph.Graph, in []*graph.Tensor, resolve func(value.Value) value.Value) ([]*graph.Tensor, error) {
		many := resolve(number)
		n, ok := many.Int()
		switch many.X.(type) {
		case value.None, *SymbolicValue: // as many as there will be rows, or as the data says
			n, ok = tensor.None, true
		}
		if !ok {
			return nil, value.Because(value.ArrayShape, "the number of segments that %s makes is not known: %s", name, objects.Because(number))
		}
		x, at := in[0], in[1]
		if len(at.Shape) > len(x.Shape) {
			return nil, value.Refused("segments of %s by %s", x.Shape, at.Shape)
		}
		out, op := g.Add(graph.OpSegments, in, append(tensor.Shape{n}, x.Shape[len(at.Shape):]...), x.DType)
		out.Grad = x.Grad
		op.NoGradOf = []int{1}
		op.Keep = append(op.Keep, at)
		// Beside the gathered rows: a mask of the invalid segment numbers, and zeros for those
		// rows.
		op.BackwardTemp = 2 * x.Bytes()
		switch {
		case strings.HasSuffix(name, "max"), strings.HasSuffix(name, "min"):
			op.Keep = append(op.Keep, x)
			op.KeepsOutputs()
		case strings.HasSuffix(name, "mean"):
			counts := g.Tensor(graph.OpConst, nil, tensor.Shape{n}, x.DType)
			mean, divided := g.Add(graph.OpDivide, []*graph.Tensor{out, counts}, out.Shape, x.DType)
			divided.Keep, divided.InPlace, divided.GradInPlace = []*graph.Tensor{counts}, true, true
			out = mean
		}
		return []*graph.Tensor{out}, nil
	})
}

// scattered is a tensor of zeros with rows in some places. Its gradient gathers them.
func scattered(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	places, _ := args.Get(0, "indices")
	rows, _ := objects.Passed(args, 1, "updates", "values")
	to, _ := args.Get(2, "shape")
	return OnAll(h, name, []value.Value{rows, places}, []value.Value{to}, func(g *graph.Graph, in []*graph.Tensor, resolve func(value.Value) value.Value) ([]*graph.Tensor, error) {
		shape, err := ShapeArgument(resolve(to))
		if err != nil {
			return nil, err
		}
		out, op := g.Add(graph.OpScatter, in, shape, in[0].DType)
		out.Grad = in[0].Grad
		op.NoGradOf = []int{1}
		op.Keep = append(op.Keep, in[1])
		return []*graph.Tensor{out}, nil
	})
}

// scatteredInto replaces or adds rows of a tensor (tensorflow/python/ops/array_grad.py,
// _TensorScatterUpdateGrad).
func scatteredInto(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	places, _ := args.Get(1, "indices")
	rows, _ := args.Get(2, "updates")
	return OnAll(h, name, []value.Value{objects.First(args), rows, places}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		out, op := g.Add(graph.OpScatter, in, in[0].Shape, in[0].DType)
		out.Grad = in[0].Grad || in[1].Grad
		op.NoGradOf = []int{2}
		op.Keep = append(op.Keep, in[2])
		op.InPlace = true
		return []*graph.Tensor{out}, nil
	})
}
