package ops

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Functions that take parts of a tensor: by index, by position, by condition.

// GatherFunctions read some elements of a tensor.
var GatherFunctions = []FunctionRow{
	{alongAxis, "take_along_axis"},
	{slice, "slice strided_slice"},
	{gather, "gather take embedding_lookup gather_nd"},
	{where, "where tensorflow.keras.backend.switch"},
	{shuffled, "shuffle"},
	{backwards, "reverse_sequence"},
	{getItem, "get_item"},
	{chosen, "select"},
}

// item is x[index].
func item(h *state.Host, x *graph.Symbolic, index value.Value) value.Value {
	if why := objects.UnknownIn(index); why != nil {
		return h.Unknown(value.ArrayShape, "an index is not known: %s", why)
	}
	return Operate(h, "StridedSlice", []*graph.Symbolic{x}, []value.Value{index}, func(g *graph.Graph, in []*graph.Tensor, resolve func(value.Value) value.Value) ([]*graph.Tensor, error) {
		shape, err := numpy.Indexed(in[0].Shape, resolve(index))
		if err != nil {
			return nil, err
		}
		return []*graph.Tensor{g.Tensor(graph.OpStridedSlice, in, shape, in[0].DType)}, nil
	})
}

func slice(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	begin, _ := objects.Passed(args, 1, "begin", "start_indices")
	size, _ := objects.Passed(args, 2, "size", "shape")
	if name == "strided_slice" {
		return stridedSlice(h, args)
	}
	return shaped(h, "Slice", graph.OpSlice, args, []value.Value{begin, size}, func(s tensor.Shape, resolve func(value.Value) value.Value) (tensor.Shape, error) {
		start, ok := objects.Sizes(resolve(begin))
		sizes, ok2 := objects.Sizes(resolve(size))
		if !ok || !ok2 || len(start) != len(s) || len(sizes) != len(s) {
			return nil, value.Because(value.ArrayShape, "the part that a slice takes is not known")
		}
		said, _ := objects.Sequence(resolve(size))
		shape := tensor.Shape(slices.Clone(sizes))
		for i := range said {
			if said[i].X == int64(-1) && s[i] >= 0 && start[i] >= 0 { // the rest
				shape[i] = max(s[i]-start[i], 0)
			}
		}
		return shape, nil
	})
}

// lookedUp takes rows of a variable, as the layer Embedding does: its gradient has these rows alone
// (tensorflow/python/ops/array_grad.py, _GatherV2Grad).
func lookedUp(h *state.Host, v *Variable, indices value.Value) value.Value {
	return OnAll(h, "GatherV2", []value.Value{indices}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		out, op := g.Add(graph.OpEmbedding, in, append(slices.Clone(in[0].Shape), v.Weight.Shape[1:]...), v.Weight.DType)
		op.NoGradOf, op.Keep = []int{0}, in
		op.Trains(v.trained(g)...)
		if rows, ok := out.Shape.Elements(); ok {
			op.SparseRows = rows
		}
		return []*graph.Tensor{out}, nil
	})
}

// gather takes rows of a tensor or a variable.
func gather(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	params, indices := objects.First(args), value.Value{}
	indices, _ = objects.Passed(args, 1, "indices", "ids")
	position := 3
	if name == "take" {
		position = 2
	}
	batch, _ := passedInt(args, 4, "batch_dims")
	if v, ok := params.X.(*Variable); ok && name != "gather_nd" && batch == 0 && !v.casts() {
		if at, err := shapes.AxisArgument(args, position, 0, v.Weight.Shape); err == nil && at == 0 && len(v.Weight.Shape) > 0 {
			return lookedUp(h, v, indices)
		}
	}
	return OnAll(h, "GatherV2", []value.Value{params, indices}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		x, i := in[0], in[1]
		var shape tensor.Shape
		if name == "gather_nd" {
			depth := i.Shape.Last()
			if depth < 0 || batch < 0 || batch+int(depth) > len(x.Shape) {
				return nil, value.Because(value.ArrayShape, "the depth of the indices %s of gather_nd is not known", i.Shape)
			}
			shape = append(slices.Clone(i.Shape[:len(i.Shape)-1]), x.Shape[batch+int(depth):]...)
		} else {
			at, err := shapes.AxisArgument(args, position, 0, x.Shape)
			if err != nil {
				return nil, err
			}
			if batch < 0 || batch > len(i.Shape) || batch > at && at != 0 {
				return nil, value.Refused("%d batch dimensions of %s", batch, i.Shape)
			}
			if at == 0 && batch > 0 {
				at = batch
			}
			if at >= len(x.Shape) {
				return nil, value.Refused("%d is not a dimension of %s", at, x.Shape)
			}
			shape = append(append(slices.Clone(x.Shape[:at]), i.Shape[batch:]...), x.Shape[at+1:]...)
		}
		out, op := g.Add(graph.OpGather, in, shape, x.DType)
		out.Grad = x.Grad
		op.NoGradOf = []int{1}
		op.Keep = append(op.Keep, i)
		return []*graph.Tensor{out}, nil
	})
}

func where(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	x, okX := objects.Passed(args, 1, "x", "x1", "then_expression")
	y, okY := objects.Passed(args, 2, "y", "x2", "else_expression")
	if !okX || !okY {
		return h.Unknown(value.DataDependent, "how many elements tf.where finds depends on the data")
	}
	cond := objects.First(args)
	if v, ok := args.Keywords.Get("condition"); ok {
		cond = v
	}
	return OnAll(h, "Select", []value.Value{cond, x, y}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return one(graph.Choice(g, in))
	})
}

// shuffled permutes rows. TensorFlow has no gradient for it.
func shuffled(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	return shaped(h, name, graph.OpShuffle, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		return s, nil
	})
}

// stridedSlice is tf.strided_slice: x[a:b:c].
func stridedSlice(h *state.Host, args *value.Args) value.Value {
	for _, mask := range []string{"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"} {
		if _, given := args.Keywords.Get(mask); given {
			return h.Unknown(value.UnmodelledArgument, "a tf.strided_slice by masks is not followed")
		}
	}
	s, why := Operand(h, objects.First(args))
	if why != nil {
		return why.Unknown()
	}
	var bounds [3][]value.Value
	for i, name := range []string{"begin", "end", "strides"} {
		v, given := args.Get(i+1, name)
		items, ok := objects.Sequence(v)
		if !ok && (given || name != "strides") {
			return h.Unknown(value.ArrayShape, "the %s of a tf.strided_slice is not known: %s", name, objects.Because(v))
		}
		bounds[i] = items
	}
	var index value.Tuple
	for i, from := range bounds[0] {
		part := value.Slice{Start: from, Stop: value.Value{X: value.None{}}, Step: value.Value{X: value.None{}}}
		if i < len(bounds[1]) {
			part.Stop = bounds[1][i]
		}
		if i < len(bounds[2]) {
			part.Step = bounds[2][i]
		}
		index = append(index, value.Value{X: part})
	}
	return item(h, s, value.Value{X: index})
}

// backwards is tf.reverse_sequence: it reverses the beginning of each row. Its gradient reads the
// lengths.
func backwards(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	lengths, _ := objects.Passed(args, 1, "seq_lengths")
	return OnAll(h, name, []value.Value{objects.First(args), lengths}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		out, op := g.Add(graph.OpReverseSequence, in, in[0].Shape, in[0].DType)
		out.Grad = in[0].Grad
		op.NoGradOf = []int{1}
		op.Keep = append(op.Keep, in[1])
		return []*graph.Tensor{out}, nil
	})
}

// getItem is keras.ops.get_item: x[key].
func getItem(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	key, _ := args.Get(1, "key")
	s, why := Operand(h, objects.First(args))
	if why != nil {
		return why.Unknown()
	}
	return item(h, s, key)
}

// chosen is keras.ops.select: at each position the choice of the first condition that holds.
func chosen(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	conditions, ok := args.Get(0, "condlist")
	choices, ok2 := args.Get(1, "choicelist")
	holds, known := objects.Sequence(conditions)
	from, known2 := objects.Sequence(choices)
	if !ok || !ok2 || !known || !known2 || len(holds) != len(from) {
		return h.Unknown(value.WrongType, "what %s chooses from is not known", name)
	}
	out, given := args.Get(2, "default")
	if !given {
		out = value.Value{X: 0.0}
	}
	for i := len(holds) - 1; i >= 0; i-- {
		out = calls{h, in}.do("where", holds[i], from[i], out)
	}
	return out
}

// alongAxis takes elements by indices along one axis (keras/src/ops/numpy.py, TakeAlongAxis).
func alongAxis(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	indices, _ := objects.Passed(args, 1, "indices")
	return OnAll(h, name, []value.Value{objects.First(args), indices}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		x, at := in[0], in[1]
		i, err := shapes.AxisArgument(args, 2, -1, x.Shape)
		if err != nil {
			return nil, err
		}
		shape, err := tensor.Broadcast(x.Shape.With(i, 1), at.Shape)
		if err != nil {
			return nil, err
		}
		return []*graph.Tensor{g.Tensor(graph.OpTakeAlongAxis, in, shape, x.DType)}, nil
	})
}
