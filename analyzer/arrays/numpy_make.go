package arrays

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// joined answers for functions of a list of arrays.
func (lib *Library) joined(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	list := objects.First(args)
	items, ok := objects.Sequence(list)
	if !ok {
		if whole, isArray := list.X.(*Array); isArray {
			items, ok = whole.Iter(in)
		}
	}
	if !ok || len(items) == 0 {
		return objects.Unknown("the shape of joined arrays is not known: %s", objects.Because(list)), true
	}
	var parts []*Array
	for _, item := range items {
		part := lib.asArray(in, item)
		if part == nil {
			return objects.Unknown("the shape of joined arrays is not known: %s", objects.Because(item)), true
		}
		switch {
		case name == "vstack" && len(part.Shape) == 1:
			part = part.reshaped(append(tensor.Shape{1}, part.Shape...))
		case name == "column_stack" && len(part.Shape) == 1:
			part = part.reshaped(tensor.Shape{part.Shape[0], 1})
		case name == "dstack":
			part = part.atLeast(3)
		}
		if len(parts) > 0 && len(part.Shape) != len(parts[0].Shape) {
			return objects.Unknown("the shape of joined arrays is not known: they have %d and %d dimensions", len(parts[0].Shape), len(part.Shape)), true
		}
		parts = append(parts, part)
	}
	n, at := len(parts[0].Shape), value.Value{X: int64(0)}
	switch name {
	case "stack":
		n++
		fallthrough
	case "concatenate", "concat":
		if v, ok := objects.Passed(args, 1, "axis"); ok {
			at = v
		}
	case "hstack":
		at.X = int64(min(n-1, 1))
	case "column_stack":
		at.X = int64(1)
	case "dstack":
		at.X = int64(2)
	}
	axis, ok := axisAmong(at, n)
	if !ok {
		return objects.Unknown("the shape of joined arrays is not known: %s", objects.Because(at)), true
	}
	if name == "stack" {
		return value.Value{X: lib.stacked(parts, axis)}, true
	}
	return value.Value{X: lib.concatenated(parts, axis)}, true
}

// meshgrid is coordinates along each dimension for each point of a grid.
func (lib *Library) meshgrid(in *value.Interp, args *value.Args) (value.Value, bool) {
	var rows []*Array
	var shape tensor.Shape
	for _, v := range args.Positional {
		row := lib.asArray(in, v)
		if row == nil || len(row.Shape) > 1 || args.Open != "" {
			return value.Value{}, false
		}
		row = row.reshaped(tensor.Shape{max(1, int64(len(row.known())))})
		if row.known() == nil {
			return value.Value{}, false
		}
		rows, shape = append(rows, row), append(shape, row.Shape[0])
	}
	swapped := len(rows) > 1
	for name, v := range args.Keywords.All() {
		switch {
		case name == "indexing" && v.X == "ij":
			swapped = false
		case name == "indexing" && v.X == "xy":
		default:
			return value.Value{}, false
		}
	}
	if swapped { // the first runs along the second dimension, like x in an image
		shape[0], shape[1] = shape[1], shape[0]
	}
	list := &value.List{}
	for i, row := range rows {
		if swapped && i < 2 {
			i = 1 - i
		}
		along := tensor.Shape(slices.Repeat([]int64{1}, len(shape))).With(i, row.Shape[0])
		list.Items = append(list.Items, value.Value{X: row.reshaped(along).broadcast(shape)})
	}
	return value.Value{X: list}, true
}

// linspace is numbers at even distances, including the end (numpy/_core/function_base.py,
// linspace).
func (lib *Library) linspace(args *value.Args) (value.Value, bool) {
	r := &reader{args: args}
	start, stop := r.float(0, "start", 0), r.float(1, "stop", 0)
	n := r.number(2, "num", 50)
	if r.why != "" || n < 1 || n > mostNumbers || args.Keywords.Value("endpoint").X != nil || len(args.Positional) > 3 {
		return value.Value{}, false
	}
	step := (stop - start) / float64(max(n-1, 1))
	items := make([]value.Value, n)
	for i := range items {
		items[i].X = float64(i)*step + start
	}
	if n > 1 {
		items[n-1].X = stop
	}
	return value.Value{X: lib.row(items, "float64")}, true
}

// arange is integers at even distances.
func (lib *Library) arange(in *value.Interp, args *value.Args) (value.Value, bool) {
	start, stop, step := int64(0), int64(0), int64(1)
	for name := range args.Keywords.Names() {
		if name != "dtype" {
			return value.Value{}, false
		}
	}
	bounds, ok := objects.Whole(value.Value{X: value.Tuple(args.Positional)})
	switch {
	case !ok:
		return value.Value{}, false
	case len(bounds) == 1:
		stop = bounds[0]
	case len(bounds) == 2:
		start, stop = bounds[0], bounds[1]
	case len(bounds) == 3:
		start, stop, step = bounds[0], bounds[1], bounds[2]
	default:
		return value.Value{}, false
	}
	if step == 0 || (stop-start)/step < 0 || (stop-start)/step >= mostNumbers {
		return value.Value{}, false
	}
	whole := tensor.DType("int64")
	if slices.ContainsFunc(args.Positional, func(v value.Value) bool { _, float := v.X.(float64); return float }) {
		whole = "float64"
	}
	d := DTypeArgument(&value.Args{Keywords: args.Keywords}, whole)
	count := (stop - start + step - step/max(step, -step)) / step
	if lib.kept+int(count) > allNumbers || !in.Spend(int(count)/8) {
		return lib.Array(tensor.Shape{count}, d), true
	}
	items := make([]value.Value, count)
	for i := range items {
		items[i].X = start + int64(i)*step
	}
	row := lib.row(items, "int64")
	if d != "int64" {
		row = row.converted(in, d)
	}
	return value.Value{X: row}, true
}

// triangle is ones on the diagonal, or also below it, and zeros elsewhere.
func (lib *Library) triangle(name string, args *value.Args) (value.Value, bool) {
	r := &reader{args: args}
	rows := r.number(0, "N", 0)
	columns := r.number(1, "M", rows)
	if _, moved := args.Keywords.Get("k"); r.why != "" || rows < 1 || columns < 1 || moved || len(args.Positional) > 2 {
		return value.Value{}, false
	}
	d := DTypeArgument(&value.Args{Keywords: args.Keywords}, "float64")
	if rows > mostNumbers/columns {
		return lib.Array(tensor.Shape{rows, columns}, d), true
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
	return value.Value{X: lib.numbered(tensor.Shape{rows, columns}, d, items)}, true
}
