package ops

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// ConcatFunctions join tensors, and take them apart.
var ConcatFunctions = []FunctionRow{
	{concat, "concat concatenate hstack vstack"},
	{stackFunction, "stack"},
	{unstack, "unstack unbind"},
	{split, "split ops.split"},
	{nearlyEven, "array_split"},
	{tile, "tile repeat repeat_elements"},
	{padFunction, "pad"},
}

// backendConcatenate is the variant that concatenates along the last dimension by default.
const backendConcatenate = "backend.concatenate"

func concat(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	first := objects.First(args)
	if v, ok := first.X.(*Vector); ok {
		return value.Value{X: v}
	}
	items, ok := objects.Sequence(first)
	if !ok || len(items) == 0 {
		return h.Unknown(value.ArrayShape, "the tensors of %s are not known: %s", name, objects.Because(first))
	}
	if all := joined(items); all != nil {
		return NewVector(all)
	}
	fallback := 0 // keras/src/ops/numpy.py, concatenate, and numpy's
	switch name {
	case backendConcatenate:
		fallback = -1 // tf_keras/src/backend.py
	case "hstack":
		fallback = 1
	}
	axis, err := axisArgument(args, 1, fallback)
	if err != nil {
		return value.From(err).Unknown()
	}
	in, why := Operands(h, items)
	if why != nil {
		return why.Unknown()
	}
	return Operate(h, "Concat", in, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		if len(in) == 1 {
			return in, nil
		}
		return one(layers.Concatenate(axis)(nil, g, in))
	})
}

// joined concatenates the items of several shapes; nil if some part is not a shape.
func joined(parts []value.Value) []value.Value {
	var out []value.Value
	for _, part := range parts {
		items, ok := objects.Sequence(part)
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

// stack concatenates tensors along a new dimension.
func stack(g *graph.Graph, in []*graph.Tensor, axis int) ([]*graph.Tensor, error) {
	shape := in[0].Shape
	for _, t := range in[1:] {
		if len(t.Shape) != len(shape) {
			return nil, value.Because(value.KerasRaises, "TensorFlow will raise: %s and %s cannot be stacked", shape, t.Shape)
		}
		var err error
		if shape, err = tensor.Broadcast(shape, t.Shape); err != nil {
			return nil, err
		}
	}
	at := axis
	if at < 0 {
		at += len(shape) + 1
	}
	if at < 0 || at > len(shape) {
		return nil, value.Because(value.KerasRaises, "TensorFlow will raise: %d is not a position for a dimension in %s", axis, shape)
	}
	return []*graph.Tensor{g.Tensor(graph.OpPack, in, slices.Insert(slices.Clone(shape), at, int64(len(in))), in[0].DType)}, nil
}

func stackFunction(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	first := objects.First(args)
	items, ok := objects.Sequence(first)
	if !ok || len(items) == 0 {
		return h.Unknown(value.ArrayShape, "the tensors of a stack are not known: %s", objects.Because(first))
	}
	if all := joined([]value.Value{first}); all != nil {
		return NewVector(all)
	}
	axis, err := axisArgument(args, 1, 0)
	if err != nil {
		return value.From(err).Unknown()
	}
	in, why := Operands(h, items)
	if why != nil {
		return why.Unknown()
	}
	return Operate(h, "Pack", in, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return stack(g, in, axis)
	})
}

// MaxParts bounds the tensors that one is split into.
const MaxParts = 4096

func unstack(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	if v, ok := objects.First(args).X.(*Vector); ok {
		return value.Value{X: &value.List{Items: v.items}}
	}
	position := 2
	if name == "unbind" {
		position = 1
	}
	axis, err := axisArgument(args, position, 0)
	if err != nil {
		return value.From(err).Unknown()
	}
	out := OnOne(h, "Unpack", args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		at, err := axisOf(axis, x.Shape)
		if err != nil {
			return nil, err
		}
		return parts(g, graph.OpUnpack, x, at, nil, slices.Delete(slices.Clone(x.Shape), at, at+1))
	})
	return listed(out)
}

// listed wraps the output of an operation with one output in a list.
func listed(v value.Value) value.Value {
	if _, ok := v.X.(*SymbolicValue); ok {
		return value.Value{X: &value.List{Items: []value.Value{v}}}
	}
	return v
}

// parts splits a tensor along a dimension, into slices of 1 or of the given sizes.
func parts(g *graph.Graph, kind *graph.Kind, x *graph.Tensor, at int, sizes []int64, shape tensor.Shape) ([]*graph.Tensor, error) {
	n := len(sizes)
	if sizes == nil {
		n = int(x.Shape[at])
	}
	if n < 0 {
		return nil, value.Because(value.ArrayShape, "the dimension of %s along which it is taken apart is not known", x.Shape)
	}
	if n > MaxParts {
		return nil, value.Because(value.UnmodelledOperation, "it is taken apart into %d tensors", n)
	}
	if n == 0 {
		return nil, nil
	}
	_, op := g.Add(kind, []*graph.Tensor{x}, shape, x.DType)
	first := op.Out[0]
	op.Out = nil
	for i := range n {
		t := *first
		if sizes != nil {
			t.Shape = shape.With(at, sizes[i])
		}
		op.Out = append(op.Out, &t)
	}
	return op.Out, nil
}

func split(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	number, _ := objects.Passed(args, 1, "num_or_size_splits", "indices_or_sections")
	indices := name == opsSplit
	axis, err := axisArgument(args, 2, 0)
	if err != nil {
		return value.From(err).Unknown()
	}
	out := OnOne(h, "Split", args, []value.Value{number}, func(g *graph.Graph, x *graph.Tensor, resolve func(value.Value) value.Value) ([]*graph.Tensor, error) {
		at, err := axisOf(axis, x.Shape)
		if err != nil {
			return nil, err
		}
		number := resolve(number)
		var sizes []int64
		if n, ok := number.Int(); ok {
			if n < 1 || n > MaxParts || x.Shape[at] >= 0 && x.Shape[at]%n != 0 {
				return nil, value.Because(value.KerasRaises, "TensorFlow will raise: %s in %d parts", x.Shape, n)
			}
			size := tensor.None
			if x.Shape[at] >= 0 {
				size = x.Shape[at] / n
			}
			sizes = layers.Repeated(int(n), size)
		} else if list, ok := objects.Whole(number); ok && len(list) <= MaxParts {
			sizes = list
			if indices {
				return parts(g, graph.OpSplit, x, at, cutAt(list, x.Shape[at]), x.Shape)
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
			return nil, value.Because(value.ArrayShape, "the parts of a split are not known: %s", objects.Because(number))
		}
		return parts(g, graph.OpSplit, x, at, sizes, x.Shape)
	})
	return listed(out)
}

// opsSplit is the name for keras.ops.split here. Its list gives the places to cut, not the sizes
// of the parts (keras/src/ops/numpy.py, split).
const opsSplit = "ops.split"

// cutAt returns the sizes of the parts of so many rows, cut at the given places.
func cutAt(places []int64, rows int64) []int64 {
	place := func(i int64) int64 {
		switch {
		case rows >= 0 && i < 0:
			return max(i+rows, 0)
		case rows >= 0:
			return min(i, rows)
		}
		return i
	}
	sizes := make([]int64, len(places)+1)
	last := int64(0)
	for i := range sizes {
		next := rows
		if i < len(places) {
			next = place(places[i])
		}
		if sizes[i] = tensor.None; last >= 0 && next >= 0 {
			sizes[i] = max(next-last, 0)
		}
		last = next
	}
	return sizes
}

func tile(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	times, _ := objects.Passed(args, 1, "multiples", "repeats", "rep", "n")
	axis, given := objects.Passed(args, 2, "axis")
	if v, ok := objects.First(args).X.(*Vector); ok {
		return value.Value{X: v}
	}
	return OnOne(h, "Tile", args, []value.Value{times}, func(g *graph.Graph, x *graph.Tensor, resolve func(value.Value) value.Value) ([]*graph.Tensor, error) {
		times := resolve(times)
		shape := slices.Clone(x.Shape)
		if name == "tile" {
			factors, ok := objects.Dims(times)
			if !ok {
				return nil, value.Because(value.ArrayShape, "how often a tensor is repeated is not known: %s", objects.Because(times))
			}
			for len(shape) < len(factors) {
				shape = slices.Insert(shape, 0, 1)
			}
			for i, f := range factors {
				j := len(shape) - len(factors) + i
				shape[j] = graph.Product(tensor.Shape{shape[j], f})
			}
		} else {
			n, isInt := axis.Int()
			if _, none := axis.X.(value.None); none || !given {
				shape, n, isInt = tensor.Shape{graph.Product(shape)}, 0, true // it is flattened
			}
			if !isInt {
				return nil, value.Because(value.ArrayShape, "the axis of a repeat is not known")
			}
			at, err := axisOf(int(n), shape)
			if err != nil {
				return nil, err
			}
			if items, ok := objects.Sequence(times); ok && len(items) == 1 {
				times = items[0] // for each element
			}
			switch f := times.X.(type) {
			case int64:
				shape[at] = graph.Product(tensor.Shape{shape[at], f})
			case value.None, *SymbolicValue: // as often as the data says
				shape[at] = tensor.None
			default:
				return nil, value.Because(value.ArrayShape, "how often a tensor is repeated is not known: %s", objects.Because(times))
			}
		}
		return []*graph.Tensor{g.Tensor(graph.OpTile, []*graph.Tensor{x}, shape, x.DType)}, nil
	})
}

func padFunction(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	pads, _ := objects.Passed(args, 1, "paddings", "pad_width")
	return OnOne(h, "Pad", args, []value.Value{pads}, func(g *graph.Graph, x *graph.Tensor, resolve func(value.Value) value.Value) ([]*graph.Tensor, error) {
		items, ok := objects.Sequence(resolve(pads))
		if !ok || len(items) != len(x.Shape) {
			return nil, value.Because(value.ArrayShape, "the padding is not known: %s", objects.Because(pads))
		}
		shape := slices.Clone(x.Shape)
		for i, item := range items {
			pair, ok := objects.Whole(item)
			if !ok || len(pair) != 2 {
				return nil, value.Because(value.ArrayShape, "the padding is not known: %s", objects.Because(item))
			}
			if shape[i] >= 0 && pair[0] >= 0 && pair[1] >= 0 {
				shape[i] += pair[0] + pair[1]
			} else if pair[0] != 0 || pair[1] != 0 {
				shape[i] = tensor.None
			}
		}
		return []*graph.Tensor{g.Tensor(graph.OpPad, []*graph.Tensor{x}, shape, x.DType)}, nil
	})
}

// nearlyEven is array_split: if the parts are not even, the first ones are longer by one.
func nearlyEven(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	number, _ := args.Get(1, "indices_or_sections")
	parts, known := number.Int()
	axis, err := axisArgument(args, 2, 0)
	s, why := Operand(h, objects.First(args))
	if err != nil || why != nil || !known || parts < 1 || parts > MaxParts {
		return h.Unknown(value.ArrayShape, "the parts of %s are not known", name)
	}
	at, err := axisOf(axis, s.Shape)
	if err != nil || s.Shape[at] < 0 {
		return h.Unknown(value.ArrayShape, "the parts of %s are not known", name)
	}
	sizes := make(value.Tuple, parts)
	for i := range sizes {
		n := s.Shape[at] / parts
		if int64(i) < s.Shape[at]%parts {
			n++
		}
		sizes[i] = value.Value{X: n}
	}
	return calls{h, in}.do("split", Tensor(h, s), value.Value{X: sizes}, value.Value{X: int64(at)})
}
