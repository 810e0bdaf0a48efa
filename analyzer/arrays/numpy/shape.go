package numpy

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/value"
)

// ShapeFunctions are the functions that return the same numbers in another shape or order.
var ShapeFunctions = []NumericFunction{
	{Names: "array asarray constant convert_to_tensor copy ascontiguousarray", keywords: "dtype copy", run: (*Call).copied},
	{Names: "reshape", keywords: "shape newshape", run: (*Call).reshape},
	{Names: shapes.Names(shapes.Views), keywords: "axis", run: (*Call).viewed},
	{Names: shapes.Names(shapes.Orders), keywords: "axes perm pattern axis1 axis2 source destination", run: (*Call).ordered},
	{Names: "flip reverse", keywords: "axis", run: (*Call).flip},
	{Names: "repeat", keywords: "repeats axis", run: (*Call).repeat},
	{Names: "tile", keywords: "reps multiples repeats", run: (*Call).tile},
	{Names: "split array_split", keywords: "indices_or_sections num_or_size_splits axis", run: (*Call).split},
}

func (c *Call) copied(a *Array) value.Value {
	if len(a.Shape) == 0 {
		return value.Value{}
	}
	d := DTypeArgument(c.Args, a.DType)
	if d != a.DType {
		return value.Value{X: a.converted(c.In, d)}
	}
	if c.Name == "asarray" || a.Known() == nil {
		same := a.reshaped(a.Shape)
		if c.Name == "array" || c.Name == "copy" {
			same.base = nil
		}
		return value.Value{X: same}
	}
	return value.Value{X: c.Lib.numbered(a.Shape, a.DType, a.Known())}
}

func (c *Call) reshape(a *Array) value.Value {
	to, _ := objects.Passed(c.Args, 1, "newshape", "shape")
	want, ok := objects.Dims(to)
	shape, err := shapes.Reshape(a.Shape, want, shapes.Ratio{Rows: 1, Per: 1})
	if !ok || err != nil {
		return value.Value{}
	}
	return value.Value{X: a.reshaped(shape)}
}

// viewed is a function that returns the same numbers in the same order.
func (c *Call) viewed(a *Array) value.Value {
	shape, err := shapes.Views[c.Name](a.Shape, c.Args)
	if err != nil {
		return value.Value{}
	}
	return a.reshaped(shape).scalar()
}

// ordered is a function that puts the dimensions in another order.
func (c *Call) ordered(a *Array) value.Value {
	order, err := shapes.Orders[c.Name](a.Shape, c.Args)
	if err != nil {
		return value.Value{}
	}
	return value.Value{X: a.permuted(order)}
}

func (c *Call) flip(a *Array) value.Value {
	axes, err := shapes.Axes(c.Args, 1, a.Shape, "axis")
	if err != nil || a.Known() == nil {
		return value.Value{}
	}
	for _, axis := range axes {
		places := UpTo(a.Shape[axis])
		slices.Reverse(places)
		a = a.taken(axis, places)
	}
	return value.Value{X: a}
}

func (c *Call) repeat(a *Array) value.Value {
	by, _ := objects.Passed(c.Args, 1, "repeats")
	r, err := shapes.Repeat(a.Shape, by, c.Args)
	if err != nil {
		return value.Value{}
	}
	n, most := r.From[r.Axis], r.To[r.Axis]
	if n < 0 || most < 0 || most > MostNumbers {
		return c.Lib.Array(r.To, a.DType)
	}
	places := make([]int64, 0, most)
	for i := range n {
		places = append(places, slices.Repeat([]int64{i}, int(r.Times[int(i)%len(r.Times)]))...)
	}
	return value.Value{X: a.reshaped(r.From).taken(r.Axis, places)}
}

func (c *Call) tile(a *Array) value.Value {
	v, _ := objects.Passed(c.Args, 1, "reps", "multiples", "repeats")
	from, times, to, err := shapes.Tile(a.Shape, v)
	if err != nil {
		return value.Value{}
	}
	a = a.reshaped(from)
	for axis, n := range times {
		if d := from[axis]; d < 0 || n < 0 || to[axis] < 0 || to[axis] > MostNumbers {
			return c.Lib.Array(to, a.DType)
		} else if n != 1 {
			a = a.taken(axis, slices.Repeat(UpTo(d), int(n)))
		}
	}
	return value.Value{X: a}
}

func (c *Call) split(a *Array) value.Value {
	by, _ := objects.Passed(c.Args, 1, "indices_or_sections", "num_or_size_splits")
	cut := shapes.Even
	switch {
	case c.Name == "array_split":
		cut = shapes.Uneven
	case c.Function == "tensorflow.split":
		cut = shapes.Sizes
	}
	axis, err := shapes.AxisArgument(c.Args, 2, 0, a.Shape)
	if err != nil || a.Shape[axis] < 0 || a.Shape[axis] > MostNumbers {
		return value.Value{}
	}
	parts, err := shapes.Split(plain(by), cut, a.Shape[axis])
	if err != nil {
		return value.Value{}
	}
	list := &value.List{}
	for _, part := range parts {
		list.Items = append(list.Items, value.Value{X: a.taken(axis, UpTo(part.Start + part.Size)[part.Start:])})
	}
	return value.Value{X: list}
}

// plain returns the numbers of an array, if they are known, as lists.
func plain(v value.Value) value.Value {
	if a, ok := v.X.(*Array); ok && a.Known() != nil {
		return a.nested()
	}
	return v
}
