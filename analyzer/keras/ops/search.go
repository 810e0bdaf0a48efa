package ops

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Functions that find places in a tensor: by order, by value, or at random.

// SearchFunctions return places, and order.
var SearchFunctions = []FunctionRow{
	{occurrences, "bincount"},
	{argument, "argmax argmin argsort sort ops.argmax ops.argmin ops.argsort"},
	{topK, "top_k"},
	{inTopK, "in_top_k"},
	{searchSorted, "searchsorted"},
	{drawn, "categorical"},
}

func argument(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	index := numpy.DTypeAt(args, 2, "output_type", "int64")
	short, ops := strings.CutPrefix(name, opsPrefix)
	if ops || name == "argsort" {
		name, index = short, "int32"
	}
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		shape := x.Shape
		if !strings.HasSuffix(name, "sort") {
			axes, err := shapes.Axes(args, 1, shape, "axis", "dimension")
			if err != nil {
				return nil, err
			}
			if _, given := objects.Passed(args, 1, "axis", "dimension"); !given && !ops {
				axes = axes[:min(len(axes), 1)] // the first
			}
			shape = shapes.Reduced(shape, axes, args.Keywords.Value("keepdims").X == true)
		}
		if name != "sort" {
			return []*graph.Tensor{g.Tensor(graph.OpIndices, []*graph.Tensor{x}, shape, index)}, nil
		}
		// It is a TopKV2, whose gradient reads where each number was
		// (tensorflow/python/ops/sort_ops.py, _descending_sort; nn_grad.py, _TopKGrad).
		out, op := g.Add(graph.OpSort, []*graph.Tensor{x}, shape, x.DType)
		op.Extra = append(op.Extra, (&graph.Tensor{Shape: shape, DType: "int32"}).Bytes())
		return []*graph.Tensor{out}, nil
	})
}

func topK(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	k, ok := passedInt(args, 1, "k")
	if !ok {
		return h.Unknown(value.ArrayShape, "the k of top_k is not known")
	}
	out := OnOne(h, "TopK", args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		if len(x.Shape) == 0 || k < 0 {
			return nil, value.Refused("the top %d of %s", k, x.Shape)
		}
		shape := x.Shape.With(-1, int64(k))
		values, op := g.Add(graph.OpTopK, []*graph.Tensor{x}, shape, x.DType)
		indices := g.Tensor(graph.OpTopK, []*graph.Tensor{x}, shape, "int32")
		indices.Grad = false
		op.Extra = append(op.Extra, indices.Bytes())
		return []*graph.Tensor{values, indices}, nil
	})
	pair, ok := objects.Sequence(out)
	if !ok {
		return out
	}
	class := interp.Call(in, value.Value{X: value.External{Name: "collections.namedtuple"}}, &value.Args{Positional: []value.Value{text("TopKV2"), text("values indices")}, Node: args.Node})
	return interp.Call(in, class, &value.Args{Positional: pair, Node: args.Node})
}

// inTopK reports for each row whether its target is among the largest.
func inTopK(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	targets, ok := objects.Passed(args, 0, "targets")
	if !ok {
		return h.Unknown(value.MissingArgument, "%s is called without targets", name)
	}
	return indexes(h, name, targets, "bool", nil)
}

// indexes returns a tensor without a gradient, of the shape of another or of a shape derived from
// it.
func indexes(h *state.Host, name string, of value.Value, d tensor.DType, shape func(tensor.Shape) tensor.Shape) value.Value {
	return OnOne(h, name, &value.Args{Positional: []value.Value{of}}, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		to := x.Shape
		if shape != nil {
			to = shape(to)
		}
		return []*graph.Tensor{g.Tensor(graph.OpIndices, []*graph.Tensor{x}, to, d)}, nil
	})
}

// searchSorted returns where values belong among sorted ones.
func searchSorted(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	values, ok := objects.Passed(args, 1, "values")
	if !ok {
		return h.Unknown(value.MissingArgument, "%s is called with one argument", name)
	}
	return indexes(h, name, values, numpy.DTypeAt(args, 3, "out_type", "int32"), nil)
}

// occurrences counts each number. Its length depends on the largest number.
func occurrences(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	if len(args.Positional) != 1 || args.Keywords.Len() > 0 {
		return h.Unknown(value.UnmodelledOperation, "what %s counts is not followed", name)
	}
	return indexes(h, name, args.Positional[0], "int32", func(tensor.Shape) tensor.Shape { return tensor.Shape{tensor.None} })
}

// drawn samples class numbers from logits.
func drawn(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	count, ok := passedInt(args, 1, "num_samples")
	if !ok {
		return h.Unknown(value.ArrayShape, "the number of samples that %s draws is not known", name)
	}
	return indexes(h, name, objects.First(args), numpy.DTypeAt(args, 2, "dtype", "int64"), func(s tensor.Shape) tensor.Shape { return append(slices.Clone(graph.OneARow(s)), int64(count)) })
}
