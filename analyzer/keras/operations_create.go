package keras

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Functions that make a tensor from a shape or a few numbers.

// createFunctions create tensors.
var createFunctions = []functionRow{
	{sequenceMask, "sequence_mask"},
	{meshgrid, "meshgrid"},
	{oneHot, "one_hot ops.one_hot"},
	{filled, "zeros ones fill normal uniform truncated_normal random_normal random_uniform full stateless_normal stateless_uniform bernoulli randint"},
	{rangeFunction, "range arange"},
}

// sequenceMask is a row of bools for each length.
func sequenceMask(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	longest := None
	if v, ok := objects.Passed(args, 1, "maxlen"); ok {
		if n, known := v.Int(); known {
			longest = n
		}
	}
	return h.onOne(name, args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return []*Tensor{g.tensor(OpIndices, []*Tensor{x}, append(append(Shape(nil), x.Shape...), longest), arrays.DTypeAt(args, 2, "dtype", "bool"))}, nil
	})
}

// meshgrid returns the coordinates of a grid's points, an array for each dimension.
func meshgrid(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	in, why := h.operands(args.Positional)
	if why != nil || len(in) == 0 {
		return h.unknown(value.ArrayShape, "the axes of a grid are not known: %s", why)
	}
	var shape Shape
	for _, s := range in {
		shape = append(shape, product(s.Shape))
	}
	indexing, given := args.Keywords.Get("indexing")
	if len(shape) > 1 && (!given || indexing.X == "xy") {
		shape[0], shape[1] = shape[1], shape[0]
	}
	return listed(h.operate(name, in, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		var out []*Tensor
		for _, x := range in {
			t := g.tensor(OpMeshgrid, []*Tensor{x}, shape, x.DType)
			out = append(out, t)
		}
		return out, nil
	}))
}

func oneHot(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	depth, _ := objects.Passed(args, 1, "depth", "num_classes")
	n, ok := depth.Int()
	if !ok {
		return h.unknown(value.ArrayShape, "the depth of one_hot is not known: %s", objects.Because(depth))
	}
	d := arrays.HotType(args)
	if name != "one_hot" {
		d = arrays.DTypeAt(args, 3, "dtype", "float32") // as in keras.ops
	}
	return h.onOne("OneHot", args, nil, func(g *Graph, x *Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
		return []*Tensor{g.tensor(OpOneHot, []*Tensor{x}, append(slices.Clone(x.Shape), n), d)}, nil
	})
}

// filled creates a tensor of a shape that depends on other tensors' shapes.
func filled(h *host, _ *value.Interp, name string, args *value.Args) value.Value {
	to, _ := objects.Passed(args, 0, "shape", "dims")
	if _, isTensor := to.X.(*symbolicValue); isTensor {
		return h.unknown(value.DataDependent, "a shape that depends on data")
	}
	switch to.X.(type) {
	case int64, *dimension: // one dimension
		to = value.Value{X: value.Tuple{to}}
	}
	fallback := DType("float32")
	if name == "randint" {
		fallback = "int32"
	}
	position := 3 // after the limits, or the mean and the deviation
	switch {
	case name == "zeros", name == "ones":
		position = 1
	case name == "fill", name == "full":
		position = 2
	case strings.HasPrefix(name, "stateless_"):
		position = 4
	}
	d := arrays.DTypeAt(args, position, "dtype", fallback)
	return h.operate("Const", nil, []value.Value{to}, func(g *Graph, _ []*Tensor, resolve func(value.Value) value.Value) ([]*Tensor, error) {
		shape, err := shapeArgument(resolve(to))
		if err != nil {
			return nil, err
		}
		return []*Tensor{g.tensor(OpConst, nil, shape, d)}, nil
	})
}

func rangeFunction(h *host, in *value.Interp, _ string, args *value.Args) value.Value {
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
		return h.unknown(value.UnmodelledArgument, "a range in steps is not followed")
	}
	length := in.Binary("-", limit, start)
	if _, ok := length.X.(*dimension); !ok {
		if _, ok := length.Int(); !ok {
			return h.unknown(value.ArrayShape, "the length of a range is not known: %s", objects.Because(length))
		}
	}
	return filled(h, in, "range", &value.Args{Positional: []value.Value{{X: value.Tuple{length}}}, Keywords: value.Named("dtype", value.Value{X: "int32"})})
}
