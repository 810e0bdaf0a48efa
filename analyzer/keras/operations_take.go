package keras

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// Functions that take parts of a tensor: by index, by place, by condition, by order.

func init() {
	define(slice, "slice", "strided_slice")
	define(gather, "gather", "take", "embedding_lookup", "gather_nd")
	define(where, "where", "switch")
	define(oneHot, "one_hot")
	define(argument, "argmax", "argmin", "argsort", "sort", "in_top_k")
	define(topK, "top_k")
}

// item is x[index].
func (h *host) item(x *Symbolic, index value.Value) value.Value {
	if why := unknownIn(index); why != "" {
		return h.unknown("an index is not known: %s", why)
	}
	return h.operate("StridedSlice", []*Symbolic{x}, []value.Value{index}, func(g *Graph, in []*Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := indexed(in[0].Shape, resolve(index))
		if err != nil {
			return nil, err
		}
		out, _ := g.add("StridedSlice", in, shape, in[0].DType)
		return []*Tensor{out}, nil
	})
}

func unknownIn(v value.Value) string {
	if why := v.Why(); why != "" {
		return why
	}
	if items, ok := sequence(v); ok {
		for _, item := range items {
			if why := unknownIn(item); why != "" {
				return why
			}
		}
	}
	return ""
}

func slice(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	begin, _ := passed(args, 1, "begin", "start_indices")
	size, _ := passed(args, 2, "size", "shape")
	if name != "slice" {
		return h.unknown("the operation tf.strided_slice on a tensor of a model is not followed")
	}
	return h.onOne("Slice", args, []value.Value{begin, size}, func(g *Graph, x *Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		start, ok := whole(resolve(begin))
		sizes, ok2 := whole(resolve(size))
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
	params, indices := firstOf(args), value.Value{}
	indices, _ = passed(args, 1, "indices", "ids")
	otherwise, position := 0, 3
	if name == "take" {
		position = 2
	}
	axis, err := axisArgument(args, position, otherwise)
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
			depth := i.Shape.last()
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
	x, okX := passed(args, 1, "x", "x1", "then_expression")
	y, okY := passed(args, 2, "y", "x2", "else_expression")
	if !okX || !okY {
		return h.unknown("how many elements tf.where finds depends on the data")
	}
	cond := firstOf(args)
	if v, ok := args.Keywords.Get("condition"); ok {
		cond = v
	}
	in, why := h.operands([]value.Value{cond, x, y})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("Select", in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := broadcast(in[1].Shape, in[2].Shape)
		if err != nil {
			return nil, err
		}
		if shape, err = broadcast(shape, in[0].Shape); err != nil {
			return nil, err
		}
		d := in[1].DType
		if len(in[1].Shape) == 0 {
			d = in[2].DType
		}
		out, op := g.add("Select", in, shape, d)
		op.Keep = append(op.Keep, in[0])
		op.NoGradOf = []int{0}
		return []*Tensor{out}, nil
	})
}

func oneHot(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	depth, _ := passed(args, 1, "depth", "num_classes")
	n, ok := depth.Int()
	if !ok {
		return h.unknown("the depth of one_hot is not known: %s", because(depth))
	}
	return h.onOne("OneHot", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		out, _ := g.add("OneHot", []*Tensor{x}, append(slices.Clone(x.Shape), n), "float32")
		out.Grad = false
		return []*Tensor{out}, nil
	})
}

func argument(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	otherwise := 0
	if strings.HasSuffix(name, "sort") {
		otherwise = -1
	}
	axis, err := axisArgument(args, 1, otherwise)
	if err != nil {
		return h.unknown("%s", err)
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape, d := x.Shape, DType("int64")
		if strings.HasPrefix(name, "arg") && !strings.HasSuffix(name, "sort") {
			var err error
			if shape, err = reduced(shape, []int64{int64(axis)}, false); err != nil {
				return nil, err
			}
		}
		if name == "sort" {
			d = x.DType
		}
		out, _ := g.add(name, []*Tensor{x}, shape, d)
		out.Grad = name == "sort" && x.Grad
		return []*Tensor{out}, nil
	})
}

func topK(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	k, ok := passedInt(args, 1, "k")
	if !ok {
		return h.unknown("the k of top_k is not known")
	}
	return h.onOne("TopK", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if len(x.Shape) == 0 || k < 0 {
			return nil, fmt.Errorf("TensorFlow will raise: the top %d of %s", k, x.Shape)
		}
		shape := x.Shape.with(-1, int64(k))
		values, op := g.add("TopK", []*Tensor{x}, shape, x.DType)
		indices, _ := g.add("TopK", []*Tensor{x}, shape, "int32")
		indices.Grad = false
		op.Extra = append(op.Extra, indices.Bytes())
		return []*Tensor{values, indices}, nil
	})
}
