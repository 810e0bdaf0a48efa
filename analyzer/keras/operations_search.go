package keras

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Functions that find places in a tensor: by order, by value, or at random.

// searchFunctions return places, and order.
var searchFunctions = []functionRow{
	{occurrences, "bincount"},
	{argument, "argmax argmin argsort sort ops.argmax ops.argmin ops.argsort"},
	{topK, "top_k"},
	{inTopK, "in_top_k"},
	{searchSorted, "searchsorted"},
	{drawn, "categorical"},
}

func argument(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	fallback, index := 0, arrays.DTypeAt(args, 2, "output_type", "int64")
	if short, ops := strings.CutPrefix(name, opsPrefix); ops || name == "argsort" {
		name, index = short, "int32"
	}
	if strings.HasSuffix(name, "sort") {
		fallback = -1
	}
	axis, err := axisArgument(args, 1, fallback)
	if err != nil {
		return value.From(err).Unknown()
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape := x.Shape
		if strings.HasPrefix(name, "arg") && !strings.HasSuffix(name, "sort") {
			var err error
			if shape, err = reduced(shape, []int64{int64(axis)}, false); err != nil {
				return nil, err
			}
		}
		if name != "sort" {
			return []*Tensor{g.tensor(OpIndices, []*Tensor{x}, shape, index)}, nil
		}
		// It is a TopKV2, whose gradient reads where each number was
		// (tensorflow/python/ops/sort_ops.py, _descending_sort; nn_grad.py, _TopKGrad).
		out, op := g.add(OpSort, []*Tensor{x}, shape, x.DType)
		op.Extra = append(op.Extra, (&Tensor{Shape: shape, DType: "int32"}).Bytes())
		return []*Tensor{out}, nil
	})
}

func topK(h *host, in *value.Interp, _ string, args *value.Args) value.Value {
	k, ok := passedInt(args, 1, "k")
	if !ok {
		return h.unknown(value.ArrayShape, "the k of top_k is not known")
	}
	out := h.onOne("TopK", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if len(x.Shape) == 0 || k < 0 {
			return nil, value.Because(value.KerasRaises, "TensorFlow will raise: the top %d of %s", k, x.Shape)
		}
		shape := x.Shape.With(-1, int64(k))
		values, op := g.add(OpTopK, []*Tensor{x}, shape, x.DType)
		indices := g.tensor(OpTopK, []*Tensor{x}, shape, "int32")
		indices.Grad = false
		op.Extra = append(op.Extra, indices.Bytes())
		return []*Tensor{values, indices}, nil
	})
	pair, ok := objects.Sequence(out)
	if !ok {
		return out
	}
	class := in.Call(value.Value{X: value.External{Name: "collections.namedtuple"}}, &value.Args{Positional: []value.Value{text("TopKV2"), text("values indices")}, Node: args.Node})
	return in.Call(class, &value.Args{Positional: pair, Node: args.Node})
}

// inTopK reports for each row whether its target is among the largest.
func inTopK(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	targets, ok := objects.Passed(args, 0, "targets")
	if !ok {
		return h.unknown(value.MissingArgument, "%s is called without targets", name)
	}
	return h.indexes(name, targets, "bool", nil)
}

// indexes returns a tensor without a gradient, of the shape of another or of a shape derived from
// it.
func (h *host) indexes(name string, of value.Value, d DType, shape func(Shape) Shape) value.Value {
	return h.onOne(name, &value.Args{Positional: []value.Value{of}}, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		to := x.Shape
		if shape != nil {
			to = shape(to)
		}
		return []*Tensor{g.tensor(OpIndices, []*Tensor{x}, to, d)}, nil
	})
}

// searchSorted returns where values belong among sorted ones.
func searchSorted(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	values, ok := objects.Passed(args, 1, "values")
	if !ok {
		return h.unknown(value.MissingArgument, "%s is called with one argument", name)
	}
	return h.indexes(name, values, arrays.DTypeAt(args, 3, "out_type", "int32"), nil)
}

// occurrences counts each number. Its length depends on the largest number.
func occurrences(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	if len(args.Positional) != 1 || args.Keywords.Len() > 0 {
		return h.unknown(value.UnmodelledOperation, "what %s counts is not followed", name)
	}
	return h.indexes(name, args.Positional[0], "int32", func(Shape) Shape { return Shape{None} })
}

// drawn samples class numbers from logits.
func drawn(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	count, ok := passedInt(args, 1, "num_samples")
	if !ok {
		return h.unknown(value.ArrayShape, "how many samples %s draws is not known", name)
	}
	return h.indexes(name, objects.First(args), arrays.DTypeAt(args, 2, "dtype", "int64"), func(s Shape) Shape { return append(slices.Clone(oneARow(s)), int64(count)) })
}
