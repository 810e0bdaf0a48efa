package ops

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// ShapeFunctions return a shape, or the same numbers in another one.
var ShapeFunctions = []FunctionRow{
	{scalar, "size rank ndim"},
	{shapeFunction, "shape int_shape get_static_shape"},
	{reshapeFunction, "reshape"},
	{ensureShape, "ensure_shape"},
	{viewFunction, shapes.Names(shapes.Views)},
	{flattenBatch, "batch_flatten"},
	{transpose, shapes.Names(shapes.Orders)},
	{broadcastTo, "broadcast_to"},
}

func shapeFunction(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	switch x := objects.First(args).X.(type) {
	case *Vector:
		return objects.ShapeValue(tensor.Shape{int64(len(x.items))})
	case *dimension, int64, float64:
		return NewVector(nil)
	case *copied:
		return NewVector(shapeOf(x.of.S))
	}
	s, why := Operand(h, objects.First(args))
	if why != nil {
		return why.Unknown()
	}
	if name == "int_shape" {
		return objects.ShapeValue(s.Shape)
	}
	return NewVector(shapeOf(s))
}

// rowsTo returns how many rows a tensor has for each that the first number of a shape counts: as
// many, unless a reshape changed the number.
func rowsTo(v, shape value.Value) shapes.Ratio {
	s, ok := v.X.(*SymbolicValue)
	items, _ := objects.Sequence(shape)
	if !ok || len(items) == 0 {
		return shapes.Ratio{Rows: 1, Per: 1}
	}
	own := rowsOfBatch(s.S)
	d, ok := items[0].X.(*dimension)
	if !ok || len(d.of) != 1 || len(d.of[0].Shape) == 0 {
		return own
	}
	const some = 7919
	if d.eval(map[*graph.Symbolic]tensor.Shape{d.of[0]: d.of[0].Shape.With(0, some)}) != some { // it is another dimension
		return own
	}
	of := rowsOfBatch(d.of[0])
	return shapes.Ratio{Rows: own.Rows * of.Per, Per: own.Per * of.Rows}.Reduced()
}

// rowsOfBatch returns the number of rows of a tensor for each row of the batch that it is
// computed from: a reshape may make several windows of an image.
func rowsOfBatch(s *graph.Symbolic) shapes.Ratio {
	const far = 1000
	r := shapes.Ratio{Rows: 1, Per: 1}
	for range far {
		if s.From == nil {
			break
		}
		at := slices.IndexFunc(s.From.In, func(in *graph.Symbolic) bool { return len(in.Shape) > 0 && in.Shape[0] < 0 })
		if at < 0 {
			break
		}
		in := s.From.In[at]
		if s.From.Layer != nil && s.From.Layer.Class == "Reshape" && len(s.Shape) > 0 {
			whole, ok := in.Shape[1:].Elements()
			each, also := s.Shape[1:].Elements()
			if ok && also && whole > 0 && each > 0 {
				r = shapes.Ratio{Rows: r.Rows * whole, Per: r.Per * each}.Reduced()
			}
		}
		s = in
	}
	return r
}

func reshapeFunction(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	to, _ := objects.Passed(args, 1, "shape", "newshape")
	if v, ok := objects.First(args).X.(*Vector); ok {
		return value.Value{X: v}
	}
	rows := rowsTo(objects.First(args), to)
	return OnOne(h, "Reshape", args, []value.Value{to}, func(g *graph.Graph, x *graph.Tensor, at func(value.Value) value.Value) ([]*graph.Tensor, error) {
		want, err := ShapeArgument(at(to))
		if err != nil {
			return nil, err
		}
		if d := computedBatch(to); d != nil && len(want) > 0 && want[0] < 0 {
			return []*graph.Tensor{graph.View(g, x, rowsOf(objects.First(args), d, x.Shape, want))}, nil
		}
		shape, err := shapes.Reshape(x.Shape, want, rows)
		if err != nil {
			return nil, err
		}
		return []*graph.Tensor{graph.View(g, x, shape)}, nil
	})
}

// computedBatch returns the first number of a shape if it is computed from dimensions: when
// windows are joined to images, their number changes.
func computedBatch(to value.Value) *dimension {
	items, _ := objects.Sequence(to)
	if len(items) == 0 {
		return nil
	}
	if d, ok := items[0].X.(*dimension); ok && d.computed {
		return d
	}
	return nil
}

// rowsOf returns the shape of a tensor whose first dimension is computed from its own size. A
// following open dimension is known if any two numbers of rows give the same size for it.
func rowsOf(v value.Value, first *dimension, x, to tensor.Shape) tensor.Shape {
	s, ok := v.X.(*SymbolicValue)
	open := -1
	rest := int64(1)
	for i, d := range to[1:] {
		switch {
		case d < 0 && open >= 0:
			return to
		case d < 0:
			open = i + 1
		default:
			rest *= d
		}
	}
	if !ok || open < 0 || len(x) == 0 || x[0] >= 0 || slices.ContainsFunc(first.of, func(o *graph.Symbolic) bool { return o != s.S }) {
		return to
	}
	var found [2]int64
	for i, rows := range []int64{720720, 2 * 720720} { // divisible by most small numbers
		all, ok := x.With(0, rows).Elements()
		n := first.eval(map[*graph.Symbolic]tensor.Shape{s.S: x.With(0, rows)})
		if !ok || n <= 0 || rest <= 0 || all%(n*rest) != 0 {
			return to
		}
		found[i] = all / (n * rest)
	}
	if found[0] != found[1] {
		return to
	}
	return to.With(open, found[0])
}

func viewFunction(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	class := map[string]string{"expand_dims": "ExpandDims", "squeeze": "Squeeze"}[name]
	return shaped(h, cmp.Or(class, name), graph.OpReshape, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		return shapes.Views[name](s, args)
	})
}

func flattenBatch(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	return OnOne(h, name, args, nil, func(g *graph.Graph, x *graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
		return one(layers.Flatten(nil, g, x))
	})
}

func transpose(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	return shaped(h, "Transpose", graph.OpTranspose, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		order, err := shapes.Orders[name](s, args)
		if err != nil {
			return nil, err
		}
		return shapes.Permuted(s, order), nil
	})
}

func broadcastTo(h *state.Host, _ *value.Interp, _ string, args *value.Args) value.Value {
	to, _ := objects.Passed(args, 1, "shape")
	return shaped(h, "BroadcastTo", graph.OpBroadcastTo, args, []value.Value{to}, func(s tensor.Shape, resolve func(value.Value) value.Value) (tensor.Shape, error) {
		return ShapeArgument(resolve(to))
	})
}

// ensureShape returns a tensor with the shape that the program states.
func ensureShape(h *state.Host, _ *value.Interp, name string, args *value.Args) value.Value {
	to, _ := objects.Passed(args, 1, "shape")
	said, ok := objects.Dims(to)
	return shaped(h, name, graph.OpEnsureShape, args, nil, func(s tensor.Shape, _ func(value.Value) value.Value) (tensor.Shape, error) {
		shape := s
		if ok {
			var err error
			if shape, err = shape.Merged(said); err != nil {
				return nil, err
			}
		}
		return shape, nil
	})
}

// scalar is tf.size and tf.rank.
func scalar(h *state.Host, in *value.Interp, name string, args *value.Args) value.Value {
	s, why := Operand(h, objects.First(args))
	if why != nil {
		return why.Unknown()
	}
	if name != "size" {
		return value.Value{X: int64(len(s.Shape))}
	}
	n := value.Value{X: int64(1)}
	for _, d := range shapeOf(s) {
		n = interp.Binary(in, "*", n, d)
	}
	return n
}
