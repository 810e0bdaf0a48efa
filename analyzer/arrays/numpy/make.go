package numpy

import (
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// MakeFunctions are the functions that make an array of something that is none: of numbers, or of
// a list of arrays.
var MakeFunctions = []NumericFunction{
	{Names: "linspace", make: (*Call).linspace},
	{Names: "logspace geomspace", make: (*Call).logspace},
	{Names: "hanning hamming blackman bartlett", make: (*Call).window},
	{Names: "arange range", make: (*Call).arange},
	{Names: "eye tri", make: (*Call).triangle},
	{Names: "identity", make: (*Call).identity},
	{Names: shapes.Names(shapes.Joins), make: (*Call).joined},
	{Names: "meshgrid", make: (*Call).meshgrid},
}

// identity is numpy.identity, and tf.identity of an array, which are different functions.
func (c *Call) identity() value.Value {
	if c.Function == "numpy.identity" {
		return c.triangle()
	}
	same := NumericFunction{keywords: "dtype copy", run: (*Call).copied}
	return same.answer(c)
}

// joined answers for functions of a list of arrays.
func (c *Call) joined() value.Value {
	lib, in, name, args := c.Lib, c.In, c.Name, c.Args
	list := objects.First(args)
	items, ok := objects.Sequence(list)
	times := int64(1)
	if open, isList := list.X.(*value.List); isList {
		if like, sampled := open.Sample(); sampled {
			if n, counted := open.Counted(); counted {
				items, times, ok = []value.Value{like}, n, true // so often
			}
		}
	}
	if !ok {
		if whole, isArray := list.X.(*Array); isArray {
			items, ok = whole.Iter(in)
		}
	}
	if !ok || len(items) == 0 {
		return objects.Unknown(value.ArrayShape, "the shape of joined arrays is not known: %s", objects.Because(list))
	}
	parts, of := make([]*Array, len(items)), make([]tensor.Shape, len(items))
	for i, item := range items {
		if parts[i] = lib.asArray(in, item); parts[i] == nil {
			return objects.Unknown(value.ArrayShape, "the shape of joined arrays is not known: %s", objects.Because(item))
		}
		of[i] = parts[i].Shape
	}
	j, err := shapes.Join(name, of, args)
	if err != nil {
		return objects.Unknown(value.ArrayShape, "the shape of joined arrays is not known: %s", err)
	}
	if times > 1 {
		if j.Shape[j.Axis] != 1 {
			times = tensor.None // the last may be shorter, as a batch is
		}
		return lib.Array(j.Shape.With(j.Axis, times), parts[0].DType)
	}
	for i, part := range parts {
		parts[i] = part.reshaped(j.Parts[i])
	}
	return value.Value{X: lib.concatenated(parts, j.Axis, j.Shape)}
}

// meshgrid is coordinates along each dimension for each point of a grid.
func (c *Call) meshgrid() value.Value {
	lib, in, args := c.Lib, c.In, c.Args
	var rows []*Array
	var points tensor.Shape
	for _, v := range args.Positional {
		row := lib.asArray(in, v)
		if row == nil || len(row.Shape) > 1 || args.Open != nil {
			return value.Value{}
		}
		row = row.reshaped(tensor.Shape{max(1, int64(len(row.Known())))})
		if row.Known() == nil {
			return value.Value{}
		}
		rows, points = append(rows, row), append(points, row.Shape[0])
	}
	for name, v := range args.Keywords.All() {
		if name != "indexing" || v.X != "ij" && v.X != "xy" {
			return value.Value{}
		}
	}
	shape, swapped := shapes.Grid(points, args)
	list := &value.List{}
	for i, row := range rows {
		if swapped && i < 2 {
			i = 1 - i
		}
		along := tensor.Shape(slices.Repeat([]int64{1}, len(shape))).With(i, row.Shape[0])
		list.Items = append(list.Items, value.Value{X: row.reshaped(along).broadcast(shape)})
	}
	return value.Value{X: list}
}

// linspace is numbers at even distances, including the end (numpy/_core/function_base.py,
// linspace). TensorFlow's has the type of the first number, or 64 bits between integers, which it
// divides (tensorflow/python/ops/math_ops.py, linspace_nd).
func (c *Call) linspace() value.Value {
	lib, args, d := c.Lib, c.Args, tensor.DType("float64")
	if first, _ := args.Get(0, "start"); c.Function == "tensorflow.linspace" {
		if _, of, _ := Of(first); of.Floating() && typed(first, 0) {
			d = of
		} else if of.Floating() {
			d = ofTensor(of)
		}
	}
	r := &Reader{Args: args}
	start, stop := r.float(0, "start", 0), r.float(1, "stop", 0)
	n := r.Number(2, "num", 50)
	if r.Why == nil && n > MostNumbers && len(args.Positional) <= 3 {
		return lib.Array(tensor.Shape{n}, d)
	}
	if r.Why != nil || n < 1 || n > MostNumbers || args.Keywords.Value("endpoint").X != nil || len(args.Positional) > 3 {
		return value.Value{}
	}
	step := (stop - start) / float64(max(n-1, 1))
	items := make([]value.Value, n)
	for i := range items {
		items[i].X = float64(i)*step + start
	}
	if n > 1 {
		items[n-1].X = stop
	}
	return value.Value{X: lib.Row(items, d)}
}

// logspace is numbers at growing distances, of which none is needed.
func (c *Call) logspace() value.Value {
	r := &Reader{Args: c.Args}
	n := r.Number(2, "num", 50)
	if r.Why != nil || n < 0 || c.Args.Keywords.Len() > 0 && c.Args.Keywords.Value("dtype").X != nil {
		return value.Value{}
	}
	return c.Lib.Array(tensor.Shape{n}, "float64")
}

// window is a window function of NumPy over so many points.
func (c *Call) window() value.Value {
	r := &Reader{Args: c.Args}
	n := r.Number(0, "M", tensor.None)
	if r.Why != nil || !strings.HasPrefix(c.Function, "numpy.") {
		return value.Value{}
	}
	return c.Lib.Array(tensor.Shape{max(n, 0)}, "float64")
}

// arange is integers at even distances.
func (c *Call) arange() value.Value {
	lib, in, args := c.Lib, c.In, c.Args
	start, stop, step := int64(0), int64(0), int64(1)
	for name := range args.Keywords.Names() {
		if name != "dtype" {
			return value.Value{}
		}
	}
	bounds, ok := objects.Whole(value.Value{X: value.Tuple(args.Positional)})
	switch {
	case !ok:
		return c.realRange()
	case len(bounds) == 1:
		stop = bounds[0]
	case len(bounds) == 2:
		start, stop = bounds[0], bounds[1]
	case len(bounds) == 3:
		start, stop, step = bounds[0], bounds[1], bounds[2]
	default:
		return value.Value{}
	}
	if step == 0 || (stop-start)/step < 0 || (stop-start)/step >= MostNumbers {
		return value.Value{}
	}
	whole := tensor.DType("int64")
	if slices.ContainsFunc(args.Positional, func(v value.Value) bool { _, float := v.X.(float64); return float }) {
		whole = "float64"
	}
	d := DTypeArgument(&value.Args{Keywords: args.Keywords}, whole)
	count := (stop - start + step - step/max(step, -step)) / step
	if lib.kept+int(count) > allNumbers || !in.Spend(int(count)/8) {
		return lib.Array(tensor.Shape{count}, d)
	}
	items := make([]value.Value, count)
	for i := range items {
		items[i].X = start + int64(i)*step
	}
	row := lib.Row(items, "int64")
	if d != "int64" {
		row = row.converted(in, d)
	}
	return value.Value{X: row}
}

// realRange is real numbers at even distances (numpy/_core/src/multiarray/ctors.c, _calc_length).
func (c *Call) realRange() value.Value {
	bounds := []float64{0, 0, 1}
	for i, v := range c.Args.Positional {
		if !objects.IsNumber(v) || i > 2 || c.Args.Open != nil {
			return value.Value{}
		}
		if bounds[i] = float(v); len(c.Args.Positional) == 1 {
			bounds = []float64{0, bounds[0], 1}
		}
	}
	n := math.Ceil((bounds[1] - bounds[0]) / bounds[2])
	if bounds[2] == 0 || math.IsNaN(n) || n < 0 || n > MostNumbers || len(c.Args.Positional) == 0 || !c.In.Spend(int(n)/8) {
		return value.Value{}
	}
	items := make([]value.Value, int(n))
	for i := range items {
		items[i].X = bounds[0] + float64(i)*bounds[2]
	}
	d := DTypeArgument(&value.Args{Keywords: c.Args.Keywords}, "float64")
	return value.Value{X: c.Lib.Row(items, "float64").converted(c.In, d)}
}

// triangle is ones on the diagonal, or also below it, and zeros elsewhere.
func (c *Call) triangle() value.Value {
	lib, name, args := c.Lib, c.Name, c.Args
	r := &Reader{Args: args}
	rows := r.Number(0, "N", 0)
	columns := r.Number(1, "M", rows)
	if _, moved := args.Keywords.Get("k"); r.Why != nil || rows < 1 || columns < 1 || moved || len(args.Positional) > 2 {
		return value.Value{}
	}
	d := DTypeArgument(&value.Args{Keywords: args.Keywords}, "float64")
	if rows > MostNumbers/columns {
		return lib.Array(tensor.Shape{rows, columns}, d)
	}
	items := make([]value.Value, 0, rows*columns)
	for i := range rows {
		for j := range columns {
			x := 0.0
			if i == j || name == "tri" && j < i {
				x = 1
			}
			items = append(items, value.Value{X: x})
		}
	}
	return value.Value{X: lib.numbered(tensor.Shape{rows, columns}, d, items)}
}
