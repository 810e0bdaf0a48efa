package pipelines

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// generated is Dataset.from_generator. Its elements follow the output signature; what that leaves
// open is what the generator yields. If their first dimension is open, they may be batches.
func generated(c *state.Call) value.Value {
	h, args := c.H, c.Args
	d := newSource(h, args, value.Because(value.ArrayShape, "the shape that a generator yields is not declared"))
	d.Batched, d.Batch = true, h.Unknown(value.BatchSize, "a generator may yield batches of any size")
	seen := yielded(c)
	form, declared := args.Keywords.Get("output_signature")
	if !declared {
		types, ok := args.Get(1, "output_types")
		shapes, ok2 := args.Get(2, "output_shapes")
		switch declared = ok2; {
		case ok && ok2:
			form = specified(h, types, shapes)
		case ok && len(seen) == len(Flat(types)) && !slices.Contains(seen, nil):
			form = typed(h, types, seen)
		default:
			if ok {
				d.unshaped = unshaped(h, types, d.Why)
			}
			return d.note()
		}
	}
	if len(seen) != len(Flat(form)) {
		seen = make([]*numpy.Array, len(Flat(form)))
	}
	whole, rows := true, value.Value{}
	for i, part := range Flat(form) {
		a, ok := part.X.(*numpy.Array)
		if !ok {
			return d.note()
		}
		shape := a.Shape
		whole = whole && len(shape) > 0 && (shape[0] < 0 || !declared)
		if like := seen[i]; like != nil && len(like.Shape) == len(shape) && len(shape) > 0 {
			for axis, n := range like.Shape {
				if shape[axis] < 0 {
					shape = shape.With(axis, n)
				}
			}
			if i == 0 {
				rows = value.Value{X: shape[0], Lit: like.Rows}
			}
		}
		if len(shape) == 0 || rows.X != shape[0] {
			rows = value.Value{}
		}
		d.Elements = append(d.Elements, graph.Input{Shape: shape, DType: a.DType})
	}
	if d.form, d.Why = form, nil; !whole {
		d.Batched, d.Batch = false, value.Value{}
		return d.note()
	}
	if n, ok := rows.Int(); ok && n > 0 {
		d.Batch = rows
	}
	for i, e := range d.Elements {
		d.Elements[i].Shape = e.Shape[1:]
	}
	return d.note()
}

// yielded returns the arrays that the program's own generator yields, nil in place of those that
// are not known, and where those of its elements differ. The dataset runs the generator when it is
// iterated over: what that changes is taken back.
func yielded(c *state.Call) (parts []*numpy.Array) {
	in := c.In
	generator, _ := c.Args.Get(0, "generator")
	given, _ := c.Args.Get(3, "args")
	positional, _ := objects.Sequence(given)
	in.DryRun(min(value.MaxGenerator, in.Left()/2), func() {
		made := interp.Call(in, generator, &value.Args{Positional: positional, Node: c.Args.Node})
		if first, ok := interp.First(in, made); ok {
			parts = arraysOf(c.H, first)
		} else {
			parts = arraysOf(c.H, interp.Sample(in, made))
		}
		items, _ := interp.Items(in, made)
		for _, item := range items {
			for i, other := range arraysOf(c.H, item) {
				if i < len(parts) && parts[i] != nil && (other == nil || !slices.Equal(other.Shape, parts[i].Shape)) {
					parts[i] = nil
				}
			}
		}
	})
	return parts
}

// arraysOf returns the arrays that an element consists of, nil for those that are not known.
func arraysOf(h *state.Host, element value.Value) (parts []*numpy.Array) {
	for _, part := range Flat(element) {
		a, ok := part.X.(*numpy.Array)
		if !ok {
			if shape, t, known := numpy.Of(part); known {
				a, _ = h.Arrays.Array(shape, t).X.(*numpy.Array)
			}
		}
		parts = append(parts, a)
	}
	return parts
}

// unshaped returns arrays of given types and unknown shapes, which map may crop or resize.
func unshaped(h *state.Host, types value.Value, why *value.Cause) value.Value {
	return eachElement(types, func(t value.Value) value.Value {
		name, _ := t.X.(string)
		return h.Arrays.OfUnknownShape(tensor.DType(name), why)
	})
}

// typed returns arrays of given types, with the shapes of those that a generator yields.
func typed(h *state.Host, types value.Value, seen []*numpy.Array) value.Value {
	i := -1
	return eachElement(types, func(t value.Value) value.Value {
		i++
		name, ok := t.X.(string)
		if !ok {
			return h.Unknown(value.ArrayShape, "the types that a generator yields are not known")
		}
		return h.Arrays.Array(seen[i].Shape, tensor.DType(name))
	})
}

// specified returns arrays, given their types and shapes.
func specified(h *state.Host, types, shapes value.Value) value.Value {
	if parts, ok := types.X.(value.Tuple); ok {
		others, ok := shapes.X.(value.Tuple)
		if !ok || len(others) != len(parts) {
			return h.Unknown(value.ArrayShape, "the shapes that a generator yields are not known")
		}
		var out value.Tuple
		for i := range parts {
			out = append(out, specified(h, parts[i], others[i]))
		}
		return value.Value{X: out}
	}
	return spec(h, &value.Args{Positional: []value.Value{shapes, types}})
}

// spec is tf.TensorSpec, here an array of its shape and type.
func spec(h *state.Host, args *value.Args) value.Value {
	given, _ := args.Get(0, "shape")
	shape, ok := objects.Dims(given)
	if !ok {
		return h.Unknown(value.ArrayShape, "the shape of a TensorSpec is not known: %s", objects.Because(given))
	}
	d := tensor.DType("float32")
	if t, ok := args.Get(1, "dtype"); ok {
		name, ok := t.X.(string)
		if d = tensor.DType(name); !ok {
			return h.Unknown(value.ArrayShape, "the type of a TensorSpec is not known")
		}
	}
	return h.Arrays.Array(shape, d)
}

// Data may come from an object of the program that is asked for one batch after the other: a
// keras.utils.Sequence, or PyDataset as Keras 3 calls it; or from a generator.

// FirstBatch returns the first batch of such an object.
func FirstBatch(in *value.Interp, data value.Value) (value.Value, bool) {
	if first, ok := interp.First(in, data); ok {
		return first, true
	}
	o, ok := data.X.(*value.Instance)
	if !ok || !o.Class.Inherits("tensorflow.keras.utils.Sequence") && !o.Class.Inherits("tensorflow.keras.utils.PyDataset") {
		return value.Value{}, false
	}
	defer func(before bool) { in.Batching = before }(in.Batching)
	in.Batching = true
	return interp.CallMethod(in, o, "__getitem__", &value.Args{Positional: []value.Value{{X: int64(0)}}}), true
}
