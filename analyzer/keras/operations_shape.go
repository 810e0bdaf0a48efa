package keras

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

func init() {
	define(shapeFunction, "shape", "int_shape", "get_static_shape")
	define(reshapeFunction, "reshape")
	define(flattenFunction, "flatten", "batch_flatten", "ravel")
	define(transpose, "transpose", "permute_dimensions", "matrix_transpose", "swapaxes", "moveaxis")
	define(expandDims, "expand_dims")
	define(squeeze, "squeeze")
	define(concat, "concat", "concatenate", "hstack", "vstack")
	define(stackFunction, "stack")
	define(unstack, "unstack", "unbind")
	define(split, "split")
	define(tile, "tile", "repeat", "repeat_elements")
	define(padFunction, "pad")
	define(slice, "slice", "strided_slice")
	define(gather, "gather", "take", "embedding_lookup", "gather_nd")
	define(broadcastTo, "broadcast_to")
	define(where, "where", "switch")
	define(oneHot, "one_hot")
	define(cropAndResize, "crop_and_resize")
	define(argument, "argmax", "argmin", "argsort", "sort", "in_top_k")
	define(topK, "top_k")
	define(resize, "resize", "resize_images", "resize_with_pad", "resize_with_crop_or_pad", "resize_bilinear", "resize_nearest_neighbor", "central_crop", "random_crop")
	define(spaceToDepth, "space_to_depth", "depth_to_space")
	define(filled, "zeros", "ones", "fill", "normal", "uniform", "truncated_normal", "random_normal", "random_uniform", "full", "stateless_normal", "stateless_uniform", "bernoulli")
	define(rangeFunction, "range", "arange")
	define(extractPatches, "extract_patches")
	define(convolve, "conv2d", "conv1d", "conv3d", "depthwise_conv2d", "max_pool2d", "max_pool", "avg_pool2d", "avg_pool", "average_pool", "max_pool1d", "avg_pool1d")
}

func shapeFunction(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	switch x := firstOf(args).X.(type) {
	case *vector:
		return shapeValue(Shape{int64(len(x.items))})
	case *dimension, int64, float64:
		return newVector(nil)
	}
	s, why := h.operand(firstOf(args))
	if why != "" {
		return h.unknown("%s", why)
	}
	if name == "int_shape" {
		return shapeValue(s.Shape)
	}
	return newVector(shapeOf(s))
}

// fill gives -1 its size: that which makes the elements as many as x has. Where
// only the batch of both is not known, it is taken to be the same.
func fill(x, to Shape) (Shape, error) {
	out := slices.Clone(to)
	var open []int
	rest := int64(1)
	for i, d := range to {
		if d < 0 {
			open = append(open, i)
		} else {
			rest *= d
		}
	}
	all, ok := x.Elements()
	switch {
	case ok && len(open) == 0 && all != rest, ok && len(open) == 1 && (rest == 0 || all%rest != 0):
		return nil, fmt.Errorf("TensorFlow will raise: %s cannot take the shape %s", x, to)
	case ok && len(open) == 1:
		out[open[0]] = all / rest
	case !ok && len(open) == 2 && open[0] == 0 && len(x) > 0 && x[0] < 0:
		if n, ok := x[1:].Elements(); ok && rest > 0 && n%rest == 0 {
			out[open[1]] = n / rest
		}
	}
	return out, nil
}

func reshapeFunction(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	to, _ := passed(args, 1, "shape", "newshape")
	if v, ok := firstOf(args).X.(*vector); ok {
		return value.Value{X: v}
	}
	return h.onOne("Reshape", args, []value.Value{to}, func(g *Graph, x *Tensor, at func(value.Value) value.Value) ([]*Tensor, error) {
		want, err := shapeArgument(at(to))
		if err != nil {
			return nil, err
		}
		shape, err := fill(x.Shape, want)
		if err != nil {
			return nil, err
		}
		return []*Tensor{view(g, x, shape)}, nil
	})
}

func flattenFunction(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if name == "batch_flatten" && len(x.Shape) > 1 {
			return one(flatten(nil, g, x))
		}
		return []*Tensor{view(g, x, Shape{product(x.Shape)})}, nil
	})
}

func transpose(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	perm, given := passed(args, 1, "perm", "axes", "pattern")
	var order []int64
	if _, none := perm.X.(value.None); given && !none && name != "swapaxes" && name != "moveaxis" {
		var ok bool
		if order, ok = dims(perm); !ok {
			return h.unknown("the order of a transpose is not known: %s", because(perm))
		}
	}
	a, okA := passedInt(args, 1, "axis1", "source")
	b, okB := passedInt(args, 2, "axis2", "destination")
	if (name == "swapaxes" || name == "moveaxis") && (!okA || !okB) {
		return h.unknown("the axes of %s are not known", name)
	}
	return h.onOne("Transpose", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		order := order
		n := len(x.Shape)
		if order == nil {
			for i := range n {
				order = append(order, int64(n-1-i))
			}
		}
		if name == "matrix_transpose" || name == "swapaxes" || name == "moveaxis" {
			order = nil
			for i := range n {
				order = append(order, int64(i))
			}
			from, to := n-2, n-1
			if name != "matrix_transpose" {
				var err error
				if from, err = axisOf(a, x.Shape); err != nil {
					return nil, err
				}
				if to, err = axisOf(b, x.Shape); err != nil {
					return nil, err
				}
			}
			if from < 0 {
				return nil, fmt.Errorf("TensorFlow will raise: a transpose of %s", x.Shape)
			}
			if name == "moveaxis" {
				moved := order[from]
				order = slices.Insert(slices.Delete(order, from, from+1), to, moved)
			} else {
				order[from], order[to] = order[to], order[from]
			}
		}
		if len(order) != n {
			return nil, fmt.Errorf("TensorFlow will raise: %v is no order of the dimensions of %s", order, x.Shape)
		}
		shape := Shape{}
		for _, i := range order {
			at, err := axisOf(int(i), x.Shape)
			if err != nil {
				return nil, err
			}
			shape = append(shape, x.Shape[at])
		}
		out, _ := g.add("Transpose", []*Tensor{x}, shape, x.DType)
		return []*Tensor{out}, nil
	})
}

func passedInt(args *value.Args, position int, names ...string) (int, bool) {
	v, ok := passed(args, position, names...)
	n, isInt := v.Int()
	return int(n), ok && isInt
}

func expandDims(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	axis, err := axisArgument(args, 1, -1)
	if err != nil {
		return h.unknown("%s", err)
	}
	return h.onOne("ExpandDims", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		at := axis
		if at < 0 {
			at += len(x.Shape) + 1
		}
		if at < 0 || at > len(x.Shape) {
			return nil, fmt.Errorf("TensorFlow will raise: %d is no place for a dimension in %s", axis, x.Shape)
		}
		return []*Tensor{view(g, x, slices.Insert(slices.Clone(x.Shape), at, 1))}, nil
	})
}

func squeeze(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	axis, given := passed(args, 1, "axis", "squeeze_dims")
	if _, none := axis.X.(value.None); none {
		given = false
	}
	axes, ok := dims(axis)
	if given && !ok {
		return h.unknown("the axis of a squeeze is not known: %s", because(axis))
	}
	return h.onOne("Squeeze", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		shape := Shape{}
		if given {
			var err error
			if shape, err = reduced(x.Shape, axes, false); err != nil {
				return nil, err
			}
		} else {
			for _, d := range x.Shape {
				if d != 1 {
					shape = append(shape, d)
				}
			}
		}
		return []*Tensor{view(g, x, shape)}, nil
	})
}

func concat(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	first := firstOf(args)
	if v, ok := first.X.(*vector); ok {
		return value.Value{X: v}
	}
	items, ok := sequence(first)
	if !ok || len(items) == 0 {
		return h.unknown("the tensors of %s are not known: %s", name, because(first))
	}
	if all := joined(items); all != nil {
		return newVector(all)
	}
	otherwise := -1
	if name == "vstack" || name == "concat" {
		otherwise = 0
	}
	if name == "hstack" {
		otherwise = 1
	}
	axis, err := axisArgument(args, 1, otherwise)
	if err != nil {
		return h.unknown("%s", err)
	}
	in, why := h.operands(items)
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("Concat", in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if len(in) == 1 {
			return in, nil
		}
		return one(concatenate(axis)(nil, g, in))
	})
}

// joined are the items of several shapes, one behind the other; nil where they
// are not all shapes.
func joined(parts []value.Value) []value.Value {
	var out []value.Value
	for _, part := range parts {
		items, ok := sequence(part)
		if !ok {
			return nil
		}
		for _, item := range items {
			switch item.X.(type) {
			case int64, *dimension:
			default:
				return nil
			}
		}
		out = append(out, items...)
	}
	return out
}

// stack adds a dimension along which tensors are joined.
func stack(g *Graph, in []*Tensor, axis int) ([]*Tensor, error) {
	shape := in[0].Shape
	for _, t := range in[1:] {
		if len(t.Shape) != len(shape) {
			return nil, fmt.Errorf("TensorFlow will raise: %s and %s cannot be stacked", shape, t.Shape)
		}
		var err error
		if shape, err = broadcast(shape, t.Shape); err != nil {
			return nil, err
		}
	}
	at := axis
	if at < 0 {
		at += len(shape) + 1
	}
	if at < 0 || at > len(shape) {
		return nil, fmt.Errorf("TensorFlow will raise: %d is no place for a dimension in %s", axis, shape)
	}
	out, _ := g.add("Pack", in, slices.Insert(slices.Clone(shape), at, int64(len(in))), in[0].DType)
	return []*Tensor{out}, nil
}

func stackFunction(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	first := firstOf(args)
	items, ok := sequence(first)
	if !ok || len(items) == 0 {
		return h.unknown("the tensors of a stack are not known: %s", because(first))
	}
	if all := joined([]value.Value{first}); all != nil {
		return newVector(all)
	}
	axis, err := axisArgument(args, 1, 0)
	if err != nil {
		return h.unknown("%s", err)
	}
	in, why := h.operands(items)
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("Pack", in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return stack(g, in, axis)
	})
}

// maxParts bounds the tensors that one is taken apart into.
const maxParts = 4096

func unstack(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	if v, ok := firstOf(args).X.(*vector); ok {
		return value.Value{X: &value.List{Items: v.items}}
	}
	position := 2
	if name == "unbind" {
		position = 1
	}
	axis, err := axisArgument(args, position, 0)
	if err != nil {
		return h.unknown("%s", err)
	}
	out := h.onOne("Unpack", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		at, err := axisOf(axis, x.Shape)
		if err != nil {
			return nil, err
		}
		return parts(g, "Unpack", x, at, nil, slices.Delete(slices.Clone(x.Shape), at, at+1))
	})
	return listed(out)
}

// listed is a list of one where an operation has one output.
func listed(v value.Value) value.Value {
	if _, ok := v.X.(*symbolicValue); ok {
		return value.Value{X: &value.List{Items: []value.Value{v}}}
	}
	return v
}

// parts takes a tensor apart along a dimension: into as many as that is long, or
// of the given sizes.
func parts(g *Graph, name string, x *Tensor, at int, sizes []int64, shape Shape) ([]*Tensor, error) {
	n := len(sizes)
	if sizes == nil {
		n = int(x.Shape[at])
	}
	if n < 0 {
		return nil, fmt.Errorf("the dimension of %s along which it is taken apart is not known", x.Shape)
	}
	if n > maxParts {
		return nil, fmt.Errorf("it is taken apart into %d tensors", n)
	}
	if n == 0 {
		return nil, nil
	}
	_, op := g.add(name, []*Tensor{x}, shape, x.DType)
	first := op.Out[0]
	op.Out = nil
	for i := range n {
		t := *first
		if sizes != nil {
			t.Shape = shape.with(at, sizes[i])
		}
		op.Out = append(op.Out, &t)
	}
	return op.Out, nil
}

func split(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	number, _ := passed(args, 1, "num_or_size_splits", "indices_or_sections")
	_, indices := args.Keywords.Get("indices_or_sections")
	axis, err := axisArgument(args, 2, 0)
	if err != nil {
		return h.unknown("%s", err)
	}
	out := h.onOne("Split", args, []value.Value{number}, func(g *Graph, x *Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		at, err := axisOf(axis, x.Shape)
		if err != nil {
			return nil, err
		}
		number := resolve(number)
		var sizes []int64
		if n, ok := number.Int(); ok {
			if n < 1 || n > maxParts || x.Shape[at] >= 0 && x.Shape[at]%n != 0 {
				return nil, fmt.Errorf("TensorFlow will raise: %s in %d parts", x.Shape, n)
			}
			size := None
			if x.Shape[at] >= 0 {
				size = x.Shape[at] / n
			}
			sizes = same(int(n), size)
		} else if list, ok := whole(number); ok && len(list) <= maxParts {
			sizes = list
			if indices {
				return nil, fmt.Errorf("a split at indices is not followed")
			}
			open, rest := -1, x.Shape[at]
			for i, n := range list {
				if n < 0 {
					open = i
				} else {
					rest -= n
				}
			}
			if open >= 0 && rest >= 0 {
				sizes = slices.Clone(list)
				sizes[open] = rest
			}
		} else {
			return nil, fmt.Errorf("the parts of a split are not known: %s", because(number))
		}
		return parts(g, "Split", x, at, sizes, x.Shape)
	})
	return listed(out)
}

func tile(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	times, _ := passed(args, 1, "multiples", "repeats", "rep", "n")
	axis, given := passed(args, 2, "axis")
	if v, ok := firstOf(args).X.(*vector); ok {
		return value.Value{X: v}
	}
	return h.onOne("Tile", args, []value.Value{times}, func(g *Graph, x *Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		times := resolve(times)
		shape := slices.Clone(x.Shape)
		if name == "tile" {
			factors, ok := dims(times)
			if !ok {
				return nil, fmt.Errorf("how often a tensor is repeated is not known: %s", because(times))
			}
			for len(shape) < len(factors) {
				shape = slices.Insert(shape, 0, 1)
			}
			for i, f := range factors {
				j := len(shape) - len(factors) + i
				shape[j] = product(Shape{shape[j], f})
			}
		} else {
			n, isInt := axis.Int()
			if _, none := axis.X.(value.None); none || !given {
				shape, n, isInt = Shape{product(shape)}, 0, true // it is flattened
			}
			if !isInt {
				return nil, fmt.Errorf("the axis of a repeat is not known")
			}
			at, err := axisOf(int(n), shape)
			if err != nil {
				return nil, err
			}
			if items, ok := sequence(times); ok && len(items) == 1 {
				times = items[0] // for each element
			}
			switch f := times.X.(type) {
			case int64:
				shape[at] = product(Shape{shape[at], f})
			case value.None:
				shape[at] = None
			default:
				return nil, fmt.Errorf("how often a tensor is repeated is not known: %s", because(times))
			}
		}
		out, _ := g.add("Tile", []*Tensor{x}, shape, x.DType)
		return []*Tensor{out}, nil
	})
}

func padFunction(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	pads, _ := passed(args, 1, "paddings", "pad_width")
	return h.onOne("Pad", args, []value.Value{pads}, func(g *Graph, x *Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		items, ok := sequence(resolve(pads))
		if !ok || len(items) != len(x.Shape) {
			return nil, fmt.Errorf("the padding is not known: %s", because(pads))
		}
		shape := slices.Clone(x.Shape)
		for i, item := range items {
			pair, ok := whole(item)
			if !ok || len(pair) != 2 {
				return nil, fmt.Errorf("the padding is not known: %s", because(item))
			}
			if shape[i] >= 0 && pair[0] >= 0 && pair[1] >= 0 {
				shape[i] += pair[0] + pair[1]
			} else if pair[0] != 0 || pair[1] != 0 {
				shape[i] = None
			}
		}
		out, _ := g.add("Pad", []*Tensor{x}, shape, x.DType)
		return []*Tensor{out}, nil
	})
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

// cropAndResize cuts boxes out of images. The gradient of the images reads the
// boxes and not the images (tensorflow/python/ops/image_grad.py,
// _CropAndResizeGrad).
func cropAndResize(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	boxes, _ := passed(args, 1, "boxes")
	which, _ := passed(args, 2, "box_indices", "box_ind")
	size, _ := passed(args, 3, "crop_size")
	to, ok := dims(size)
	if !ok || len(to) != 2 {
		return h.unknown("the size that boxes are resized to is not known: %s", because(size))
	}
	in, why := h.operands([]value.Value{firstOf(args), boxes, which})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("CropAndResize", in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		images, boxes, which := in[0], in[1], in[2]
		if len(images.Shape) != 4 || len(boxes.Shape) != 2 {
			return nil, fmt.Errorf("TensorFlow will raise: %s crops boxes of the shape %s out of %s", name, boxes.Shape, images.Shape)
		}
		out, op := g.add("CropAndResize", in, Shape{boxes.Shape[0], to[0], to[1], images.Shape[3]}, "float32")
		out.Grad = images.Grad || boxes.Grad
		op.NoGradOf = []int{2}
		op.Keep = append(op.Keep, boxes, which)
		if boxes.Grad {
			op.Keep = append(op.Keep, images)
		}
		return []*Tensor{out}, nil
	})
}

func broadcastTo(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	to, _ := passed(args, 1, "shape")
	return h.onOne("BroadcastTo", args, []value.Value{to}, func(g *Graph, x *Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := shapeArgument(resolve(to))
		if err != nil {
			return nil, err
		}
		out, _ := g.add("BroadcastTo", []*Tensor{x}, shape, x.DType)
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

// resize is tf.image.resize: all but the shape is the image's; the result is
// float32 (tensorflow/python/ops/image_ops_impl.py, resize_images_v2).
func resize(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	if name == "random_crop" || name == "central_crop" || name == "resize_images" {
		return h.unknown("the operation tf.image.%s on a tensor of a model is not followed", name)
	}
	size, _ := passed(args, 1, "size", "target_height")
	if width, ok := passed(args, 2, "target_width"); ok && strings.HasPrefix(name, "resize_with") {
		size = value.Value{X: value.Tuple{size, width}}
	}
	return h.onOne("Resize", args, []value.Value{size}, func(g *Graph, x *Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		to, err := shapeArgument(resolve(size))
		n := len(x.Shape)
		if err != nil || len(to) != 2 || n < 3 || n > 4 {
			return nil, fmt.Errorf("the size that an image is resized to is not known: %s", because(size))
		}
		shape := x.Shape.with(n-3, to[0]).with(n-2, to[1])
		d := x.DType
		if !floating(d) {
			d = "float32"
		}
		out, _ := g.add("Resize", []*Tensor{x}, shape, d)
		return []*Tensor{out}, nil
	})
}

func spaceToDepth(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	block, ok := passedInt(args, 1, "block_size")
	if !ok || block < 1 || block > 1<<16 {
		return h.unknown("the block of %s is not known", name)
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if err := rank([]Shape{x.Shape}, 4); err != nil {
			return nil, err
		}
		shape, b := slices.Clone(x.Shape), int64(block)
		for i := 1; i < 3; i++ {
			switch {
			case shape[i] < 0:
			case name == "depth_to_space":
				shape[i] *= b
			default:
				shape[i] /= b
			}
		}
		if name == "depth_to_space" {
			shape[3] /= b * b
		} else {
			shape[3] *= b * b
		}
		out, _ := g.add(name, []*Tensor{x}, shape, x.DType)
		return []*Tensor{out}, nil
	})
}

// filled makes a tensor of a shape that depends on those of others.
func filled(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	to, _ := passed(args, 0, "shape", "dims")
	if _, isTensor := to.X.(*symbolicValue); isTensor {
		return h.unknown("a shape that depends on data")
	}
	d := h.dtypeArgument(&value.Args{Keywords: args.Keywords}, "float32")
	return h.operate("Const", nil, []value.Value{to}, func(g *Graph, _ []*Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := shapeArgument(resolve(to))
		if err != nil {
			return nil, err
		}
		out, _ := g.add("Const", nil, shape, d)
		return []*Tensor{out}, nil
	})
}

func rangeFunction(h *host, in *value.Interp, _ string, args *value.Args) value.Value {
	start, limit := value.Value{X: int64(0)}, firstOf(args)
	if v, ok := args.Keywords.Get("start"); ok {
		start = v
	} else if len(args.Positional) > 1 {
		start = args.Positional[0]
	}
	if v, ok := passed(args, 1, "limit", "stop"); ok {
		limit = v
	}
	if delta, ok := passed(args, 2, "delta", "step"); ok && delta.X != int64(1) {
		return h.unknown("a range in steps is not followed")
	}
	length := in.Binary("-", limit, start)
	if _, ok := length.X.(*dimension); !ok {
		if _, ok := length.Int(); !ok {
			return h.unknown("the length of a range is not known: %s", because(length))
		}
	}
	return filled(h, in, "range", &value.Args{Positional: []value.Value{{X: value.Tuple{length}}}, Keywords: value.Named("dtype", value.Value{X: "int32"})})
}

// extractPatches is tf.image.extract_patches.
func extractPatches(h *host, _ *value.Interp, _ string, args *value.Args) value.Value {
	r := &reader{args: args}
	sizes := r.numbers(1, "sizes", -1, nil)
	strides := r.numbers(2, "strides", -1, nil)
	if len(sizes) != 4 { // keras.ops.image names one side, or two
		r.why = ""
		n := r.numbers(1, "size", 2, nil)
		if n != nil {
			sizes = []int64{1, n[0], n[1], 1}
		}
		strides = sizes
		if _, given := args.Keywords.Get("strides"); given {
			if s := r.numbers(-1, "strides", 2, nil); s != nil {
				strides = []int64{1, s[0], s[1], 1}
			}
		}
	}
	rates := []int64{1, 1, 1, 1}
	if v, given := passed(args, 3, "rates", "dilation_rate"); given {
		named, ok := dims(v)
		switch {
		case ok && len(named) == 4:
			rates = named
		case ok && len(named) > 0 && len(named) < 3:
			rates = []int64{1, named[0], named[len(named)-1], 1}
		default:
			r.why = because(v)
		}
	}
	padding := strings.ToLower(r.text(4, "padding", "valid"))
	if r.why != "" || len(sizes) != 4 || len(strides) != 4 {
		return h.unknown("the patches that are extracted are not known: %s", r.why)
	}
	return h.onOne("ExtractPatches", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		if err := rank([]Shape{x.Shape}, 4); err != nil {
			return nil, err
		}
		shape := slices.Clone(x.Shape)
		for i := 1; i < 3; i++ {
			n, err := window(shape[i], (sizes[i]-1)*rates[i]+1, strides[i], padding)
			if err != nil {
				return nil, err
			}
			shape[i] = n
		}
		shape[3] = product(Shape{shape[3], sizes[1], sizes[2]})
		out, _ := g.add("ExtractPatches", []*Tensor{x}, shape, x.DType)
		return []*Tensor{out}, nil
	})
}

// convolve is a convolution by a kernel that is given, and the pools.
func convolve(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	rnk := 2
	if strings.HasSuffix(name, "1d") {
		rnk = 1
	} else if strings.HasSuffix(name, "3d") {
		rnk = 3
	}
	r := &reader{args: args}
	spatial := func(position int, keyword string, otherwise []int64) []int64 {
		v, ok := r.get(position, keyword)
		if n, isInt := v.Int(); ok && isInt {
			return same(rnk, n)
		}
		if list, isList := whole(v); ok && isList {
			switch len(list) {
			case rnk + 2:
				return list[1 : rnk+1]
			case rnk:
				return list
			case 1:
				return same(rnk, list[0])
			}
		}
		if ok {
			r.fail(keyword, "it is no number a dimension")
		}
		return otherwise
	}
	if strings.Contains(name, "pool") {
		keyword := "ksize"
		if _, ok := args.Keywords.Get("pool_size"); ok {
			keyword = "pool_size"
		}
		size := spatial(1, keyword, same(rnk, 2))
		strides := spatial(2, "strides", size)
		padding := strings.ToLower(r.text(3, "padding", "valid"))
		if r.why != "" {
			return h.unknown("%s: %s", name, r.why)
		}
		do := pooling(strings.HasPrefix(name, "av"), layout{}, size, strides, padding)
		return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			return one(do(nil, g, x))
		})
	}
	kernel, _ := passed(args, 1, "filters", "kernel", "filter")
	strides := spatial(2, "strides", same(rnk, 1))
	padding := strings.ToLower(r.text(3, "padding", "valid"))
	dilation := spatial(-1, "dilations", same(rnk, 1))
	if r.why != "" {
		return h.unknown("%s: %s", name, r.why)
	}
	pair, why := h.operands([]value.Value{firstOf(args), kernel})
	if why != "" {
		return h.unknown("%s", why)
	}
	return h.operate("Conv", pair, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		x, k := in[0].Shape, in[1].Shape
		if len(x) != rnk+2 || len(k) != rnk+2 {
			return nil, fmt.Errorf("TensorFlow will raise: a convolution of %s by %s", x, k)
		}
		shape := slices.Clone(x)
		for i := range rnk {
			if k[i] < 0 {
				return nil, fmt.Errorf("the size of a kernel is not known: %s", k)
			}
			n, err := window(x[i+1], dilation[i]*(k[i]-1)+1, strides[i], padding)
			if err != nil {
				return nil, err
			}
			shape[i+1] = n
		}
		shape[rnk+1] = k[rnk+1]
		if name == "depthwise_conv2d" {
			shape[rnk+1] = product(Shape{k[rnk], k[rnk+1]})
		}
		return contract(g, "Conv", in, shape)
	})
}
