package ops

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// ConcatFunctions join tensors, and take them apart.
var ConcatFunctions = []FunctionRow{
	{join, shapes.Names(shapes.Joins)},
	{unstack, "unstack unbind"},
	{split, "split ops.split array_split"},
	{copies, "tile repeat repeat_elements"},
	{repeatedVector, "tensorflow.keras.backend.repeat"},
	{padFunction, "pad"},
}

// repeatedVector is K.repeat: each row of a matrix n times (keras/src/legacy/backend.py).
func repeatedVector(h *state.Host, in *value.Interp, _ string, args *value.Args) value.Value {
	c, one := calls{h, in}, value.Value{X: int64(1)}
	n, _ := args.Get(1, "n")
	return c.do("tile", c.do("expand_dims", objects.First(args), one), value.Value{X: value.Tuple{one, n, one}})
}

// join concatenates or stacks tensors, or shapes.
func join(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	first := objects.First(args)
	if v, ok := first.X.(*Vector); ok && name != "stack" {
		return value.Value{X: v}
	}
	if _, ok := first.X.(*repeated); ok && name == "stack" && args.Keywords.Len() == 0 && len(args.Positional) == 1 {
		return converted(h, in, name, args)
	}
	items, ok := objects.Sequence(first)
	if !ok || len(items) == 0 {
		return h.Unknown(value.ArrayShape, "the tensors of %s are not known: %s", name, objects.Because(first))
	}
	vectors := items
	if name == "stack" {
		vectors = []value.Value{first}
	}
	if all := joined(vectors); all != nil {
		return NewVector(all)
	}
	parts, why := Operands(h, items)
	if why != nil {
		return why.Unknown()
	}
	class := "Concat"
	if name == "stack" {
		class = "Pack"
	}
	return Operate(h, class, parts, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return one(joinTensors(g, name, in, args))
	})
}

func joinTensors(g *graph.Graph, name string, in []*graph.Tensor, args *value.Args) (*graph.Tensor, error) {
	of := make([]tensor.Shape, len(in))
	for i, t := range in {
		of[i] = t.Shape
	}
	j, err := shapes.Join(name, of, args)
	if err != nil {
		return nil, err
	}
	if name == "stack" {
		return g.Tensor(graph.OpPack, in, j.Shape, in[0].DType), nil
	}
	parts := slices.Clone(in)
	for i, t := range in {
		if len(t.Shape) != len(j.Parts[i]) {
			parts[i] = graph.View(g, t, j.Parts[i])
		}
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return g.Tensor(graph.OpConcat, parts, j.Shape, in[0].DType), nil
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
	out := OnOne(h, "Unpack", args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		at, err := shapes.AxisArgument(args, position, 0, x.Shape)
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
	shapes := slices.Repeat([]tensor.Shape{shape}, n)
	for i, size := range sizes {
		shapes[i] = shape.With(at, size)
	}
	return graph.Split(g, kind, x, shapes...), nil
}

func split(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	number, _ := objects.Passed(args, 1, "num_or_size_splits", "indices_or_sections")
	cut := map[string]shapes.Cut{"split": shapes.Sizes, opsSplit: shapes.Even, "array_split": shapes.Uneven}[name]
	out := OnOne(h, "Split", args, []value.Value{number}, func(g *graph.Graph, x *graph.Tensor, resolve func(value.Value) value.Value) ([]*graph.Tensor, error) {
		at, err := shapes.AxisArgument(args, 2, 0, x.Shape)
		if err != nil {
			return nil, err
		}
		list, err := shapes.Split(resolve(number), cut, x.Shape[at])
		if err != nil {
			return nil, err
		}
		sizes := make([]int64, len(list))
		for i, part := range list {
			sizes[i] = part.Size
		}
		return parts(g, graph.OpSplit, x, at, sizes, x.Shape)
	})
	return listed(out)
}

// opsSplit is the name for keras.ops.split here. Its list gives the places to cut, not the sizes
// of the parts (keras/src/ops/numpy.py, split).
const opsSplit = "ops.split"

// copies is tile or repeat.
func copies(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	times, _ := objects.Passed(args, 1, "multiples", "repeats", "rep", "n")
	if v, ok := objects.First(args).X.(*Vector); ok {
		return value.Value{X: v}
	}
	return shaped(h, "Tile", graph.OpTile, args, []value.Value{times}, func(s tensor.Shape, resolve func(value.Value) value.Value) (tensor.Shape, error) {
		times := resolve(times)
		if name == "tile" {
			_, _, to, err := shapes.Tile(s, times)
			return to, err
		}
		if _, ok := times.X.(*SymbolicValue); ok { // as often as the data says
			times.X = value.None{}
		}
		r, err := shapes.Repeat(s, times, args)
		return r.To, err
	})
}

func padFunction(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	pads, _ := objects.Passed(args, 1, "paddings", "pad_width")
	return shaped(h, "Pad", graph.OpPad, args, []value.Value{pads}, func(s tensor.Shape, resolve func(value.Value) value.Value) (tensor.Shape, error) {
		return shapes.Pad(s, resolve(pads))
	})
}
