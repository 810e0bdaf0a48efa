package numpy

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// ShapeFunctions are the functions that return the same numbers in another shape or order.
var ShapeFunctions = []NumericFunction{
	{Names: "array asarray constant convert_to_tensor copy ascontiguousarray", keywords: "dtype copy", run: (*Call).copied},
	{Names: "reshape", keywords: "shape newshape", run: (*Call).reshape},
	{Names: shapes.Names(shapes.Views), keywords: "axis", run: (*Call).viewed},
	{Names: "transpose", keywords: "axes perm", run: (*Call).transpose},
	{Names: "flip reverse", keywords: "axis", run: (*Call).flip},
	{Names: "repeat", keywords: "repeats axis", run: (*Call).repeat},
	{Names: "tile", keywords: "reps multiples repeats", run: (*Call).tile},
	{Names: "split array_split", keywords: "indices_or_sections num_or_size_splits axis", run: (*Call).split},
}

// axisAmong returns an axis counted from the front. ok is false if it is not one of n.
func axisAmong(v value.Value, n int) (int, bool) {
	x, ok := v.Int()
	if x < 0 {
		x += int64(n)
	}
	return int(x), ok && x >= 0 && x < int64(n)
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
		return value.Value{X: a.reshaped(a.Shape)}
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

func (c *Call) transpose(a *Array) value.Value {
	order := make([]int, len(a.Shape))
	for i := range order {
		order[i] = len(order) - 1 - i
	}
	v, given := objects.Passed(c.Args, 1, "axes", "perm")
	if given {
		axes, ok := objects.Whole(v)
		if !ok || len(axes) != len(order) {
			return value.Value{}
		}
		for i, axis := range axes {
			if order[i], ok = axisAmong(value.Value{X: axis}, len(order)); !ok {
				return value.Value{}
			}
		}
	}
	return value.Value{X: a.permuted(order)}
}

// axes returns the dimensions that axis=, at a position, names; all if it is not passed.
func (c *Call) axes(a *Array, position int) ([]int, bool) {
	v, given := objects.Passed(c.Args, position, "axis")
	if _, none := v.X.(value.None); !given || none {
		all := make([]int, len(a.Shape))
		for i := range all {
			all[i] = i
		}
		return all, true
	}
	named, ok := objects.Dims(v)
	axes := make([]int, len(named))
	for i, axis := range named {
		at, inside := axisAmong(value.Value{X: axis}, len(a.Shape))
		axes[i], ok = at, ok && inside
	}
	return axes, ok
}

func (c *Call) flip(a *Array) value.Value {
	axes, ok := c.axes(a, 1)
	if !ok || a.Known() == nil {
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
	times, ok := objects.Dims(by)
	at, given := objects.Passed(c.Args, 2, "axis")
	if _, none := at.X.(value.None); !given || none {
		n, known := a.Shape.Elements()
		a, at.X, ok = a.reshaped(tensor.Shape{n}), int64(0), ok && known
	}
	axis, inside := axisAmong(at, len(a.Shape))
	if !ok || !inside || a.Shape[axis] < 0 || a.Shape[axis] > MostNumbers || len(times) != 1 && int64(len(times)) != a.Shape[axis] {
		return value.Value{}
	}
	var places []int64
	for i := range a.Shape[axis] {
		n := times[int(i)%len(times)]
		if n < 0 || int64(len(places))+n > MostNumbers {
			return value.Value{}
		}
		for range n {
			places = append(places, i)
		}
	}
	return value.Value{X: a.taken(axis, places)}
}

func (c *Call) tile(a *Array) value.Value {
	v, _ := objects.Passed(c.Args, 1, "reps", "multiples", "repeats")
	times, ok := objects.Dims(v)
	for len(times) < len(a.Shape) {
		times = append(tensor.Shape{1}, times...)
	}
	for ok && len(a.Shape) < len(times) {
		a = a.reshaped(append(tensor.Shape{1}, a.Shape...))
	}
	for axis, n := range times {
		d := a.Shape[axis]
		if !ok || d < 0 || n < 0 || n > MostNumbers || n > 0 && d > MostNumbers/n {
			return value.Value{}
		}
		if n != 1 {
			places := make([]int64, 0, n*d)
			for range n {
				places = append(places, UpTo(d)...)
			}
			a = a.taken(axis, places)
		}
	}
	return value.Value{X: a}
}

// split splits an array: into so many parts, at places (numpy.split, keras.ops.split), or into
// parts of these sizes (tf.split).
func (c *Call) split(a *Array) value.Value {
	v, _ := objects.Passed(c.Args, 1, "indices_or_sections", "num_or_size_splits")
	if places, ok := v.X.(*Array); ok && places.Known() != nil {
		v = places.nested()
	}
	at, given := objects.Passed(c.Args, 2, "axis")
	if !given {
		at.X = int64(0)
	}
	axis, ok := axisAmong(at, len(a.Shape))
	named, known := objects.Dims(v)
	if !ok || !known || a.Shape[axis] < 0 || a.Shape[axis] > MostNumbers {
		return value.Value{}
	}
	n, bounds := a.Shape[axis], []int64{0}
	_, parts := v.Int()
	switch {
	case parts && (named[0] < 1 || named[0] > MostNumbers || n%named[0] != 0 && c.Name == "split"):
		return value.Value{} // an error
	case parts:
		for i := range named[0] { // the first parts have one more
			bounds = append(bounds, bounds[i]+n/named[0]+min(1, max(0, n%named[0]-i)))
		}
	case c.Function == "tensorflow.split":
		for i, size := range named {
			bounds = append(bounds, bounds[i]+size)
		}
	default:
		bounds = append(append(bounds, named...), n)
	}
	list := &value.List{}
	for i, stop := range bounds[1:] {
		start := min(max(bounds[i], 0), n)
		stop = min(max(stop, start), n)
		list.Items = append(list.Items, value.Value{X: a.taken(axis, UpTo(n)[start:stop])})
	}
	return value.Value{X: list}
}
