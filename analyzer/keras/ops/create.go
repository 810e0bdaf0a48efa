package ops

import (
	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Functions that make a tensor from a shape or a few numbers.

// CreateFunctions create tensors.
var CreateFunctions = []FunctionRow{
	{sequenceMask, "sequence_mask"},
	{meshgrid, "meshgrid"},
	{oneHot, "one_hot ops.one_hot"},
	{filled, "zeros ones fill normal uniform truncated_normal random_normal random_uniform full stateless_normal stateless_uniform bernoulli randint"},
	{rangeFunction, "range arange"},
}

// sequenceMask is a row of bools for each length.
func sequenceMask(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	longest := tensor.None
	if v, ok := objects.Passed(args, 1, "maxlen"); ok {
		if n, known := v.Int(); known {
			longest = n
		}
	}
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return []*graph.Tensor{g.Tensor(graph.OpIndices, []*graph.Tensor{x}, append(append(tensor.Shape(nil), x.Shape...), longest), numpy.DTypeAt(args, 2, "dtype", "bool"))}, nil
	})
}

// meshgrid returns the coordinates of a grid's points, an array for each dimension.
func meshgrid(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	in, why := Operands(h, args.Positional)
	if why != nil || len(in) == 0 {
		return h.Unknown(value.ArrayShape, "the axes of a grid are not known: %s", why)
	}
	var points tensor.Shape
	for _, s := range in {
		points = append(points, s.Shape.Product())
	}
	shape, _ := shapes.Grid(points, args)
	return listed(Operate(h, name, in, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		var out []*graph.Tensor
		for _, x := range in {
			t := g.Tensor(graph.OpMeshgrid, []*graph.Tensor{x}, shape, x.DType)
			out = append(out, t)
		}
		return out, nil
	}))
}

func oneHot(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	depth, _ := objects.Passed(args, 1, "depth", "num_classes")
	n, ok := depth.Int()
	if !ok {
		return h.Unknown(value.ArrayShape, "the depth of one_hot is not known: %s", objects.Because(depth))
	}
	d, position := numpy.HotType(args), 4
	if name != "one_hot" { // as in keras.ops
		d, position = numpy.DTypeAt(args, 3, "dtype", "float32"), 2
	}
	return OnOne(h, "OneHot", args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		shape, err := shapes.OneHot(x.Shape, n, position, args)
		if err != nil {
			return nil, err
		}
		return []*graph.Tensor{g.Tensor(graph.OpOneHot, []*graph.Tensor{x}, shape, d)}, nil
	})
}

// filled creates a tensor of a shape that depends on other tensors' shapes.
func filled(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	to, _ := objects.Passed(args, 0, "shape", "dims")
	if _, isTensor := to.X.(*SymbolicValue); isTensor {
		return h.Unknown(value.DataDependent, "a shape that depends on data")
	}
	switch to.X.(type) {
	case int64, *dimension: // one dimension
		to = value.Value{X: value.Tuple{to}}
	}
	fallback := tensor.DType("float32")
	if name == "randint" {
		fallback = "int32"
	}
	d := numpy.CreatedType(name, args, fallback)
	return Operate(h, "Const", nil, []value.Value{to}, func(g *graph.Graph, _ []*graph.Tensor, resolve func(value.Value) value.Value) ([]*graph.Tensor, error) {
		shape, err := ShapeArgument(resolve(to))
		if err != nil {
			return nil, err
		}
		return []*graph.Tensor{g.Tensor(graph.OpConst, nil, shape, d)}, nil
	})
}

func rangeFunction(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	start, limit := value.Value{X: int64(0)}, objects.First(args)
	if v, ok := args.Keywords.Get("start"); ok {
		start = v
	} else if len(args.Positional) > 1 {
		start = args.Positional[0]
	}
	if v, ok := objects.Passed(args, 1, "limit", "stop"); ok {
		limit = v
	}
	if delta, ok := objects.Passed(args, 2, "delta", "step"); ok && delta.X != int64(1) {
		return h.Unknown(value.UnmodelledArgument, "a range in steps is not followed")
	}
	length := interp.Binary(in, "-", limit, start)
	if _, ok := length.X.(*dimension); !ok {
		if _, ok := length.Int(); !ok {
			return h.Unknown(value.ArrayShape, "the length of a range is not known: %s", objects.Because(length))
		}
	}
	return filled(h, in, "range", &value.Args{Positional: []value.Value{{X: value.Tuple{length}}}, Keywords: value.Named("dtype", value.Value{X: "int32"})})
}
