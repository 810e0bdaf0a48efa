package keras

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Functions that take parts of a tensor: by index, by place, by condition, by order.

func init() {
	define(slice, "slice", "strided_slice")
	define(gather, "gather", "take", "embedding_lookup", "gather_nd")
	define(where, "where", "switch")
	define(oneHot, "one_hot", opsPrefix+"one_hot")
	define(occurrences, "bincount")
	define(argument, "argmax", "argmin", "argsort", "sort", opsPrefix+"argmax", opsPrefix+"argmin", opsPrefix+"argsort")
	define(topK, "top_k")
	define(inTopK, "in_top_k")
	define(searchSorted, "searchsorted")
	define(drawn, "categorical")
	define(shuffled, "shuffle")
	define(segments, "unsorted_segment_sum", "unsorted_segment_mean", "unsorted_segment_max", "unsorted_segment_min", "segment_sum", "segment_mean", "segment_max", "segment_min")
	define(scattered, "scatter_nd", "scatter")
	define(scatteredInto, "tensor_scatter_nd_update", "tensor_scatter_nd_add", "tensor_scatter_nd_sub")
	define(backwards, "reverse_sequence")
	define(getItem, "get_item")
	define(chosen, "select")
}

// item is x[index].
func (h *host) item(x *Symbolic, index value.Value) value.Value {
	if why := objects.UnknownIn(index); why != "" {
		return h.unknown("an index is not known: %s", why)
	}
	return h.operate("StridedSlice", []*Symbolic{x}, []value.Value{index}, func(g *Graph, in []*Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := arrays.Indexed(in[0].Shape, resolve(index))
		if err != nil {
			return nil, err
		}
		out, _ := g.add("StridedSlice", in, shape, in[0].DType)
		return []*Tensor{out}, nil
	})
}

func slice(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	begin, _ := objects.Passed(args, 1, "begin", "start_indices")
	size, _ := objects.Passed(args, 2, "size", "shape")
	if name == "strided_slice" {
		return stridedSlice(h, args)
	}
	return h.onOne("Slice", args, []value.Value{begin, size}, func(g *Graph, x *Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		start, ok := objects.Whole(resolve(begin))
		sizes, ok2 := objects.Whole(resolve(size))
		if !ok || !ok2 || len(start) != len(x.Shape) || len(sizes) != len(x.Shape) {
			return nil, fmt.Errorf("the part that a slice takes is not known")
		}
		shape := Shape(slices.Clone(sizes))
		for i, n := range shape {
			if n < 0 && x.Shape[i] >= 0 && start[i] >= 0 {
				shape[i] = max(x.Shape[i]-start[i], 0)
			}
		}
		out, _ := g.add("Slice", []*Tensor{x}, shape, x.DType)
		return []*Tensor{out}, nil
	})
}

// gather takes rows of a tensor or a variable: its gradient comes as rows.
func gather(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	params, indices := objects.First(args), value.Value{}
	indices, _ = objects.Passed(args, 1, "indices", "ids")
	fallback, position := 0, 3
	if name == "take" {
		position = 2
	}
	axis, err := axisArgument(args, position, fallback)
	if err != nil {
		return h.unknown("%s", err)
	}
	batch, _ := passedInt(args, 4, "batch_dims")
	pair, why := h.operands([]value.Value{params, indices})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("GatherV2", pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		x, i := in[0], in[1]
		var shape Shape
		if name == "gather_nd" {
			depth := i.Shape.Last()
			if depth < 0 || batch < 0 || batch+int(depth) > len(x.Shape) {
				return nil, fmt.Errorf("the depth of the indices %s of gather_nd is not known", i.Shape)
			}
			shape = append(slices.Clone(i.Shape[:len(i.Shape)-1]), x.Shape[batch+int(depth):]...)
		} else {
			at, err := axisOf(axis, x.Shape)
			if err != nil {
				return nil, err
			}
			if batch < 0 || batch > len(i.Shape) || batch > at && axis != 0 {
				return nil, fmt.Errorf("TensorFlow will raise: %d batch dimensions of %s", batch, i.Shape)
			}
			if axis == 0 && batch > 0 {
				at = batch
			}
			if at >= len(x.Shape) {
				return nil, fmt.Errorf("TensorFlow will raise: %d is no dimension of %s", at, x.Shape)
			}
			shape = append(append(slices.Clone(x.Shape[:at]), i.Shape[batch:]...), x.Shape[at+1:]...)
		}
		out, op := g.add("GatherV2", in, shape, x.DType)
		out.Grad = x.Grad
		op.NoGradOf = []int{1}
		op.Keep = append(op.Keep, i)
		return []*Tensor{out}, nil
	})
}

func where(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	x, okX := objects.Passed(args, 1, "x", "x1", "then_expression")
	y, okY := objects.Passed(args, 2, "y", "x2", "else_expression")
	if !okX || !okY {
		return h.unknown("how many elements tf.where finds depends on the data")
	}
	cond := objects.First(args)
	if v, ok := args.Keywords.Get("condition"); ok {
		cond = v
	}
	in, why := h.operands([]value.Value{cond, x, y})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("Select", in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return one(choice(g, in))
	})
}

// choice is a tensor or another, by a condition that comes first; what is missing is a
// number.
func choice(g *Graph, in []*Tensor) (*Tensor, error) {
	shape, d := in[0].Shape, in[1].DType
	for _, t := range in[1:] {
		var err error
		if shape, err = tensor.Broadcast(shape, t.Shape); err != nil {
			return nil, err
		}
		if len(in[1].Shape) == 0 {
			d = t.DType
		}
	}
	out, op := g.add("Select", in, shape, d)
	op.Keep = append(op.Keep, in[0])
	op.NoGradOf = []int{0}
	op.InPlace, op.GradInPlace = true, true // tensorflow/core/kernels/cwise_op_select.cc, SelectV2Op
	return out, nil
}

func oneHot(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	depth, _ := objects.Passed(args, 1, "depth", "num_classes")
	n, ok := depth.Int()
	if !ok {
		return h.unknown("the depth of one_hot is not known: %s", objects.Because(depth))
	}
	d := arrays.HotType(args)
	if name != "one_hot" {
		d = arrays.DTypeAt(args, 3, "dtype", "float32") // as keras.ops has it
	}
	return h.onOne("OneHot", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, _ := g.add("OneHot", []*Tensor{x}, append(slices.Clone(x.Shape), n), d)
		out.Grad = false
		return []*Tensor{out}, nil
	})
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
		return h.unknown("%s", err)
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape, d := x.Shape, index
		if strings.HasPrefix(name, "arg") && !strings.HasSuffix(name, "sort") {
			var err error
			if shape, err = reduced(shape, []int64{int64(axis)}, false); err != nil {
				return nil, err
			}
		}
		if name == "sort" {
			d = x.DType
		}
		out, op := g.add(name, []*Tensor{x}, shape, d)
		out.Grad = name == "sort" && x.Grad
		if name == "sort" {
			// It is a TopKV2, whose gradient reads where each number was
			// (tensorflow/python/ops/sort_ops.py, _descending_sort; nn_grad.py, _TopKGrad).
			op.Extra = append(op.Extra, (&Tensor{Shape: shape, DType: "int32"}).Bytes())
		}
		return []*Tensor{out}, nil
	})
}

func topK(h *host, in *value.Interp, _ string, args *value.Args) value.Value {
	k, ok := passedInt(args, 1, "k")
	if !ok {
		return h.unknown("the k of top_k is not known")
	}
	out := h.onOne("TopK", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if len(x.Shape) == 0 || k < 0 {
			return nil, fmt.Errorf("TensorFlow will raise: the top %d of %s", k, x.Shape)
		}
		shape := x.Shape.With(-1, int64(k))
		values, op := g.add("TopK", []*Tensor{x}, shape, x.DType)
		indices, _ := g.add("TopK", []*Tensor{x}, shape, "int32")
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

// inTopK tells of each row whether its target is among the largest.
func inTopK(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	targets, ok := objects.Passed(args, 0, "targets")
	if !ok {
		return h.unknown("%s is called without targets", name)
	}
	return h.indexes(name, targets, "bool", nil)
}

// indexes is a tensor through which no gradient flows, of the shape of another, or of
// what is made of that.
func (h *host) indexes(name string, of value.Value, d DType, shape func(Shape) Shape) value.Value {
	return h.onOne(name, &value.Args{Positional: []value.Value{of}}, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		to := x.Shape
		if shape != nil {
			to = shape(to)
		}
		out, _ := g.add(name, []*Tensor{x}, to, d)
		out.Grad = false
		return []*Tensor{out}, nil
	})
}

// searchSorted is where values belong among sorted ones.
func searchSorted(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	values, ok := objects.Passed(args, 1, "values")
	if !ok {
		return h.unknown("%s is called with one argument", name)
	}
	return h.indexes(name, values, arrays.DTypeAt(args, 3, "out_type", "int32"), nil)
}

// occurrences is how often each number comes: as many as the largest of them.
func occurrences(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	if len(args.Positional) != 1 || args.Keywords.Len() > 0 {
		return h.unknown("what %s counts is not followed", name)
	}
	return h.indexes(name, args.Positional[0], "int32", func(Shape) Shape { return Shape{None} })
}

// drawn is numbers of classes, drawn by their logits.
func drawn(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	count, ok := passedInt(args, 1, "num_samples")
	if !ok {
		return h.unknown("how many samples %s draws is not known", name)
	}
	return h.indexes(name, objects.First(args), arrays.DTypeAt(args, 2, "dtype", "int64"), func(s Shape) Shape { return append(slices.Clone(oneARow(s)), int64(count)) })
}

// shuffled is rows in another order, which TensorFlow has no gradient of.
func shuffled(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, _ := g.add(name, []*Tensor{x}, x.Shape, x.DType)
		out.Grad = false
		return []*Tensor{out}, nil
	})
}

// segments are the rows of a tensor brought together by their numbers: sums, of which the
// gradient reads the numbers alone, means, which are sums over counts, and extrema
// (tensorflow/python/ops/math_grad.py, _UnsortedSegmentSumGrad, _SegmentMinOrMaxGrad).
func segments(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	data, _ := objects.Passed(args, 0, "data")
	ids, _ := objects.Passed(args, 1, "segment_ids")
	number, given := args.Get(2, "num_segments")
	if _, none := number.X.(value.None); none || !given {
		return h.unknown("how many segments %s makes depends on the data", name)
	}
	pair, why := h.operands([]value.Value{data, ids})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate(name, pair, []value.Value{number}, func(g *Graph, in []*Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		many := resolve(number)
		n, ok := many.Int()
		switch many.X.(type) {
		case value.None, *symbolicValue: // as many as there will be rows, or as the data says
			n, ok = None, true
		}
		if !ok {
			return nil, fmt.Errorf("how many segments %s makes is not known: %s", name, objects.Because(number))
		}
		x, at := in[0], in[1]
		if len(at.Shape) > len(x.Shape) {
			return nil, fmt.Errorf("TensorFlow will raise: segments of %s by %s", x.Shape, at.Shape)
		}
		out, op := g.add(name, in, append(Shape{n}, x.Shape[len(at.Shape):]...), x.DType)
		out.Grad = x.Grad
		op.NoGradOf = []int{1}
		op.Keep = append(op.Keep, at)
		// Beside the gathered rows: which of their numbers are none, and zeros for those.
		op.BackwardTemp = 2 * x.Bytes()
		switch {
		case strings.HasSuffix(name, "max"), strings.HasSuffix(name, "min"):
			op.Keep = append(op.Keep, x)
			op.keepsOutputs()
		case strings.HasSuffix(name, "mean"):
			counts, _ := g.add("Const", nil, Shape{n}, x.DType)
			mean, divided := g.add("Divide", []*Tensor{out, counts}, out.Shape, x.DType)
			divided.Keep, divided.InPlace, divided.GradInPlace = []*Tensor{counts}, true, true
			out = mean
		}
		return []*Tensor{out}, nil
	})
}

// scattered is a tensor of zeros with rows in some places: the gradient takes them out.
func scattered(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	places, _ := args.Get(0, "indices")
	rows, _ := objects.Passed(args, 1, "updates", "values")
	to, _ := args.Get(2, "shape")
	pair, why := h.operands([]value.Value{rows, places})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate(name, pair, []value.Value{to}, func(g *Graph, in []*Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := shapeArgument(resolve(to))
		if err != nil {
			return nil, err
		}
		out, op := g.add(name, in, shape, in[0].DType)
		out.Grad = in[0].Grad
		op.NoGradOf = []int{1}
		op.Keep = append(op.Keep, in[1])
		return []*Tensor{out}, nil
	})
}

// scatteredInto is a tensor with other rows in some places, or with rows added there
// (tensorflow/python/ops/array_grad.py, _TensorScatterUpdateGrad).
func scatteredInto(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	places, _ := args.Get(1, "indices")
	rows, _ := args.Get(2, "updates")
	all, why := h.operands([]value.Value{objects.First(args), rows, places})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate(name, all, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, op := g.add(name, in, in[0].Shape, in[0].DType)
		out.Grad = in[0].Grad || in[1].Grad
		op.NoGradOf = []int{2}
		op.Keep = append(op.Keep, in[2])
		op.InPlace = true
		return []*Tensor{out}, nil
	})
}

// stridedSlice is tf.strided_slice of beginnings, ends and steps: x[a:b:c].
func stridedSlice(h *host, args *value.Args) value.Value {
	for _, mask := range []string{"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"} {
		if _, given := args.Keywords.Get(mask); given {
			return h.unknown("a tf.strided_slice by masks is not followed")
		}
	}
	s, why := h.operand(objects.First(args))
	if why != "" {
		return h.unknown("%s", why)
	}
	var bounds [3][]value.Value
	for i, name := range []string{"begin", "end", "strides"} {
		v, given := args.Get(i+1, name)
		items, ok := objects.Sequence(v)
		if !ok && (given || name != "strides") {
			return h.unknown("the %s of a tf.strided_slice is not known: %s", name, objects.Because(v))
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
	return h.item(s, value.Value{X: index})
}

// backwards is tf.reverse_sequence: the beginnings of rows turned round, whose lengths the
// gradient reads.
func backwards(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	lengths, _ := objects.Passed(args, 1, "seq_lengths")
	pair, why := h.operands([]value.Value{objects.First(args), lengths})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate(name, pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, op := g.add(name, in, in[0].Shape, in[0].DType)
		out.Grad = in[0].Grad
		op.NoGradOf = []int{1}
		op.Keep = append(op.Keep, in[1])
		return []*Tensor{out}, nil
	})
}

// getItem is keras.ops.get_item: x[key].
func getItem(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	key, _ := args.Get(1, "key")
	s, why := h.operand(objects.First(args))
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.item(s, key)
}

// chosen is keras.ops.select: of each place what belongs to the first condition that holds.
func chosen(h *host, in *value.Interp, name string, args *value.Args) value.Value {
	conditions, ok := args.Get(0, "condlist")
	choices, ok2 := args.Get(1, "choicelist")
	holds, known := objects.Sequence(conditions)
	from, known2 := objects.Sequence(choices)
	if !ok || !ok2 || !known || !known2 || len(holds) != len(from) {
		return h.unknown("what %s chooses from is not known", name)
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
