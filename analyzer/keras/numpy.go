package keras

import (
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// numeric answers for functions on arrays whose numbers may be known, of NumPy and
// of the libraries that name theirs alike. It says nothing of arguments that are no
// arrays, and of options that it does not know.
func (h *host) numeric(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	short, ok := "", false
	for _, space := range []string{"numpy.", "tensorflow.experimental.numpy.", "tensorflow.keras.ops.", "tensorflow.math.", "tensorflow.nn.", "tensorflow."} {
		if short, ok = strings.CutPrefix(name, space); ok {
			break
		}
	}
	if short == "random.shuffle" || name == "random.shuffle" {
		if a, isArray := firstOf(args).X.(*array); isArray {
			a.forget()
			return value.Value{X: value.None{}}, true
		}
	}
	if !ok || strings.Contains(short, ".") {
		return value.Value{}, false
	}
	switch short {
	case "copyto", "put", "fill_diagonal":
		if a, isArray := firstOf(args).X.(*array); isArray {
			a.forget()
			return value.Value{X: value.None{}}, true
		}
	case "linspace":
		return h.linspace(args)
	case "arange", "range":
		return h.arange(in, args)
	case "eye", "identity", "tri":
		if short != "identity" || strings.HasPrefix(name, "numpy.") {
			return h.triangle(short, args)
		}
	case "concatenate", "concat", "stack", "hstack", "vstack":
		return h.joined(in, short, args)
	case "meshgrid":
		return h.meshgrid(in, args)
	}
	first := firstOf(args)
	if short == "array" || short == "asarray" || short == "constant" || short == "convert_to_tensor" {
		if v, ok := args.Keywords.Get("object"); ok {
			first = v
		}
	}
	a := h.asArray(in, first)
	if a == nil {
		return value.Value{}, false
	}
	if f := numericFunctions[short]; f != nil && f.takes(args) {
		if out := f.run(&numericCall{h: h, in: in, name: short, function: name, args: args}, a); out.X != nil {
			return out, true
		}
	}
	return value.Value{}, false
}

// A numericCall is a call of a function on an array.
type numericCall struct {
	h        *host
	in       *value.Interp
	name     string // without its library
	function string // with it
	args     *value.Args
}

// A numericFunction makes something of an array; a value of nothing where it cannot.
type numericFunction struct {
	keywords []string // that it knows, besides those of the array; others may change what it does
	run      func(c *numericCall, a *array) value.Value
}

// takes tells whether the function knows all keywords of a call.
func (f *numericFunction) takes(args *value.Args) bool {
	for name := range args.Keywords.Names() {
		if !slices.Contains(f.keywords, name) && name != "name" && name != "object" && !slices.Contains(firstNames, name) {
			return false
		}
	}
	return args.Open == ""
}

var numericFunctions = map[string]*numericFunction{}

func numericAs(run func(c *numericCall, a *array) value.Value, keywords []string, names ...string) {
	for _, name := range names {
		numericFunctions[name] = &numericFunction{keywords, run}
	}
}

func init() {
	numericAs((*numericCall).copied, []string{"dtype", "copy"}, "array", "asarray", "constant", "convert_to_tensor", "copy", "ascontiguousarray", "identity")
	numericAs((*numericCall).reshape, []string{"shape", "newshape"}, "reshape", "ravel", "flatten")
	numericAs((*numericCall).expandDims, []string{"axis"}, "expand_dims")
	numericAs((*numericCall).squeeze, []string{"axis"}, "squeeze")
	numericAs((*numericCall).transpose, []string{"axes", "perm"}, "transpose")
	numericAs((*numericCall).flip, []string{"axis"}, "flip", "reverse")
	numericAs((*numericCall).repeat, []string{"repeats", "axis"}, "repeat")
	numericAs((*numericCall).tile, []string{"reps", "multiples", "repeats"}, "tile")
	numericAs((*numericCall).split, []string{"indices_or_sections", "num_or_size_splits", "axis"}, "split", "array_split")
	numericAs((*numericCall).element, nil, "abs", "absolute", "sign", "negative", "square", "sqrt", "exp", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "tanh")
	numericAs((*numericCall).fold, []string{"axis", "keepdims"}, "sum", "prod", "max", "min", "amax", "amin", "mean", "reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "reduce_mean")
	numericAs((*numericCall).cumulate, nil, "cumsum", "cumprod")
	numericAs((*numericCall).sorted, nil, "sort", "unique")
}

// axisAmong is an axis counted from the front; ok is false where it is none of n.
func axisAmong(v value.Value, n int) (int, bool) {
	x, ok := v.Int()
	if x < 0 {
		x += int64(n)
	}
	return int(x), ok && x >= 0 && x < int64(n)
}

// joined are functions of a list of arrays.
func (h *host) joined(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	list := firstOf(args)
	items, ok := sequence(list)
	if !ok {
		if whole, isArray := list.X.(*array); isArray {
			items, ok = whole.Iterate(in)
		}
	}
	if !ok || len(items) == 0 {
		return h.unknown("the shape of joined arrays is not known: %s", because(list)), true
	}
	var parts []*array
	for _, item := range items {
		part := h.asArray(in, item)
		if part == nil {
			return h.unknown("the shape of joined arrays is not known: %s", because(item)), true
		}
		if name == "vstack" && len(part.shape) == 1 {
			part = part.reshaped(append(Shape{1}, part.shape...))
		}
		if len(parts) > 0 && len(part.shape) != len(parts[0].shape) {
			return h.unknown("the shape of joined arrays is not known: they have %d and %d dimensions", len(parts[0].shape), len(part.shape)), true
		}
		parts = append(parts, part)
	}
	n, at := len(parts[0].shape), value.Value{X: int64(0)}
	switch name {
	case "stack":
		n++
		fallthrough
	case "concatenate", "concat":
		if v, ok := passed(args, 1, "axis"); ok {
			at = v
		}
	case "hstack":
		at.X = int64(min(n-1, 1))
	}
	axis, ok := axisAmong(at, n)
	if !ok {
		return h.unknown("the shape of joined arrays is not known: %s", because(at)), true
	}
	if name == "stack" {
		return value.Value{X: h.stacked(parts, axis)}, true
	}
	return value.Value{X: h.concatenated(parts, axis)}, true
}

// meshgrid is coordinates along each dimension for each point of a grid.
func (h *host) meshgrid(in *value.Interp, args *value.Args) (value.Value, bool) {
	var rows []*array
	var shape Shape
	for _, v := range args.Positional {
		row := h.asArray(in, v)
		if row == nil || len(row.shape) > 1 || args.Open != "" {
			return value.Value{}, false
		}
		row = row.reshaped(Shape{max(1, int64(len(row.known())))})
		if row.known() == nil {
			return value.Value{}, false
		}
		rows, shape = append(rows, row), append(shape, row.shape[0])
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
	if swapped { // the first runs along the second dimension, as x of a picture does
		shape[0], shape[1] = shape[1], shape[0]
	}
	list := &value.List{}
	for i, row := range rows {
		if swapped && i < 2 {
			i = 1 - i
		}
		along := Shape(same(len(shape), 1)).with(i, row.shape[0])
		list.Items = append(list.Items, value.Value{X: row.reshaped(along).broadcast(shape)})
	}
	return value.Value{X: list}, true
}

// linspace are numbers at even distances, the last of them the end
// (numpy/_core/function_base.py, linspace).
func (h *host) linspace(args *value.Args) (value.Value, bool) {
	r := &reader{args: args}
	start, stop := r.float(0, "start", 0), r.float(1, "stop", 0)
	n := r.number(2, "num", 50)
	if r.why != "" || n < 1 || n > mostNumbers || r.args.Keywords.Value("endpoint").X != nil || len(args.Positional) > 3 {
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
	return value.Value{X: h.row(items, "float64")}, true
}

// arange are whole numbers at even distances.
func (h *host) arange(in *value.Interp, args *value.Args) (value.Value, bool) {
	start, stop, step := int64(0), int64(0), int64(1)
	for name := range args.Keywords.Names() {
		if name != "dtype" {
			return value.Value{}, false
		}
	}
	bounds, ok := whole(value.Value{X: value.Tuple(args.Positional)})
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
	items := []value.Value{}
	for n := start; step > 0 && n < stop || step < 0 && n > stop; n += step {
		items = append(items, value.Value{X: n})
	}
	row := h.row(items, "int64")
	if d := h.dtypeArgument(&value.Args{Keywords: args.Keywords}, "int64"); d != "int64" {
		row = row.converted(in, d)
	}
	return value.Value{X: row}, true
}

// triangle is ones on the diagonal, or also below it, and zeros elsewhere.
func (h *host) triangle(name string, args *value.Args) (value.Value, bool) {
	r := &reader{args: args}
	rows := r.number(0, "N", 0)
	columns := r.number(1, "M", rows)
	if _, moved := args.Keywords.Get("k"); r.why != "" || rows < 1 || columns < 1 || moved || len(args.Positional) > 2 {
		return value.Value{}, false
	}
	d := h.dtypeArgument(&value.Args{Keywords: args.Keywords}, "float64")
	if rows > mostNumbers/columns {
		return h.newArray(Shape{rows, columns}, d), true
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
	return value.Value{X: h.numbered(Shape{rows, columns}, d, items)}, true
}

func (c *numericCall) copied(a *array) value.Value {
	if len(a.shape) == 0 {
		return value.Value{}
	}
	d := c.h.dtypeArgument(c.args, a.dtype)
	if d != a.dtype {
		return value.Value{X: a.converted(c.in, d)}
	}
	if c.name == "asarray" || a.known() == nil {
		return value.Value{X: a.reshaped(a.shape)}
	}
	return value.Value{X: c.h.numbered(a.shape, a.dtype, a.known())}
}

func (c *numericCall) reshape(a *array) value.Value {
	to, given := passed(c.args, 1, "newshape", "shape")
	want, ok := Shape{None}, true
	if c.name == "reshape" {
		want, ok = dims(to)
	}
	out, ok2 := reshaped(a.shape, want)
	all, _ := a.shape.Elements()
	if n, ok3 := out.Elements(); !ok || !ok2 || !ok3 || n != all || !given && c.name == "reshape" {
		return value.Value{}
	}
	return value.Value{X: a.reshaped(out)}
}

func (c *numericCall) expandDims(a *array) value.Value {
	v, ok := passed(c.args, 1, "axis")
	if !ok {
		v.X = int64(0)
	}
	axis, ok := axisAmong(v, len(a.shape)+1)
	if !ok {
		return value.Value{}
	}
	return value.Value{X: a.reshaped(slices.Insert(slices.Clone(a.shape), axis, 1))}
}

func (c *numericCall) squeeze(a *array) value.Value {
	v, given := passed(c.args, 1, "axis")
	axis, ok := axisAmong(v, len(a.shape))
	if given && !ok {
		return value.Value{}
	}
	var shape Shape
	for i, d := range a.shape {
		if d < 0 {
			return value.Value{}
		}
		if d != 1 || given && i != axis {
			shape = append(shape, d)
		}
	}
	return a.reshaped(shape).scalar()
}

func (c *numericCall) transpose(a *array) value.Value {
	order := make([]int, len(a.shape))
	for i := range order {
		order[i] = len(order) - 1 - i
	}
	v, given := passed(c.args, 1, "axes", "perm")
	if given {
		axes, ok := whole(v)
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

// axes are the dimensions that axis= names, all where it is not passed.
func (c *numericCall) axes(a *array) ([]int, bool) {
	v, given := passed(c.args, 1, "axis")
	if _, none := v.X.(value.None); !given || none {
		all := make([]int, len(a.shape))
		for i := range all {
			all[i] = i
		}
		return all, true
	}
	named, ok := dims(v)
	axes := make([]int, len(named))
	for i, axis := range named {
		at, inside := axisAmong(value.Value{X: axis}, len(a.shape))
		axes[i], ok = at, ok && inside
	}
	return axes, ok
}

func (c *numericCall) flip(a *array) value.Value {
	axes, ok := c.axes(a)
	if !ok || a.known() == nil {
		return value.Value{}
	}
	for _, axis := range axes {
		places := upTo(a.shape[axis])
		slices.Reverse(places)
		a = a.taken(axis, places)
	}
	return value.Value{X: a}
}

func (c *numericCall) repeat(a *array) value.Value {
	by, _ := passed(c.args, 1, "repeats")
	times, ok := dims(by)
	at, given := passed(c.args, 2, "axis")
	if _, none := at.X.(value.None); !given || none {
		n, known := a.shape.Elements()
		a, at.X, ok = a.reshaped(Shape{n}), int64(0), ok && known
	}
	axis, inside := axisAmong(at, len(a.shape))
	if !ok || !inside || a.shape[axis] < 0 || a.shape[axis] > mostNumbers || len(times) != 1 && int64(len(times)) != a.shape[axis] {
		return value.Value{}
	}
	var places []int64
	for i := range a.shape[axis] {
		n := times[int(i)%len(times)]
		if n < 0 || int64(len(places))+n > mostNumbers {
			return value.Value{}
		}
		for range n {
			places = append(places, i)
		}
	}
	return value.Value{X: a.taken(axis, places)}
}

func (c *numericCall) tile(a *array) value.Value {
	v, _ := passed(c.args, 1, "reps", "multiples", "repeats")
	times, ok := dims(v)
	for len(times) < len(a.shape) {
		times = append(Shape{1}, times...)
	}
	for ok && len(a.shape) < len(times) {
		a = a.reshaped(append(Shape{1}, a.shape...))
	}
	for axis, n := range times {
		d := a.shape[axis]
		if !ok || d < 0 || n < 0 || n > mostNumbers || n > 0 && d > mostNumbers/n {
			return value.Value{}
		}
		if n != 1 {
			places := make([]int64, 0, n*d)
			for range n {
				places = append(places, upTo(d)...)
			}
			a = a.taken(axis, places)
		}
	}
	return value.Value{X: a}
}

// split takes an array apart: into so many parts, at places (numpy.split,
// keras.ops.split), or into parts of these sizes (tf.split).
func (c *numericCall) split(a *array) value.Value {
	v, _ := passed(c.args, 1, "indices_or_sections", "num_or_size_splits")
	if places, ok := v.X.(*array); ok && places.known() != nil {
		v = places.nested()
	}
	at, given := passed(c.args, 2, "axis")
	if !given {
		at.X = int64(0)
	}
	axis, ok := axisAmong(at, len(a.shape))
	named, known := dims(v)
	if !ok || !known || a.known() == nil {
		return value.Value{}
	}
	n, bounds := a.shape[axis], []int64{0}
	_, parts := v.Int()
	switch {
	case parts && (named[0] < 1 || named[0] > mostNumbers || n%named[0] != 0 && c.name == "split"):
		return value.Value{} // an error
	case parts:
		for i := range named[0] { // the first parts have one more
			bounds = append(bounds, bounds[i]+n/named[0]+min(1, max(0, n%named[0]-i)))
		}
	case c.function == "tensorflow.split":
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
		list.Items = append(list.Items, value.Value{X: a.taken(axis, upTo(n)[start:stop])})
	}
	return value.Value{X: list}
}

// element is a function of each number by itself.
func (c *numericCall) element(a *array) value.Value {
	if len(a.shape) == 0 {
		return value.Value{} // a number of Python's has functions of its own
	}
	zero, d := value.Value{X: int64(0)}, a.dtype
	var f func(v value.Value) value.Value
	switch c.name {
	case "abs", "absolute":
		f = func(v value.Value) value.Value {
			if below(v, zero) {
				return calculated(c.in, "-", zero, v)
			}
			return v
		}
	case "negative":
		f = func(v value.Value) value.Value { return calculated(c.in, "-", zero, v) }
	case "square":
		f = func(v value.Value) value.Value { return calculated(c.in, "*", v, v) }
	case "sign":
		f = func(v value.Value) value.Value {
			switch {
			case below(v, zero):
				return value.Value{X: int64(-1)}
			case below(zero, v):
				return value.Value{X: int64(1)}
			}
			return zero
		}
	default:
		if !floating(d) {
			d = "float64"
		}
		real := value.Real(c.name)
		f = func(v value.Value) value.Value {
			if y := real(float(v)); !math.IsNaN(y) && !math.IsInf(y, 0) {
				return value.Value{X: y}
			}
			return value.Value{}
		}
	}
	out := a.each(d, f)
	if out == nil {
		out = &array{base: a.base, h: a.h, shape: a.shape, dtype: d}
	}
	return value.Value{X: out}
}

// fold is the sum, the product, the mean or an extreme along dimensions.
func (c *numericCall) fold(a *array) value.Value {
	axes, ok := c.axes(a)
	keep := c.args.Keywords.Value("keepdims")
	if !ok || keep.X != nil && keep.X != true && keep.X != false || len(c.args.Positional) > 2 {
		return value.Value{}
	}
	var combine func(x, y value.Value) value.Value
	name := strings.TrimPrefix(c.name, "reduce_")
	switch name {
	case "sum", "mean":
		combine = func(x, y value.Value) value.Value { return calculated(c.in, "+", x, y) }
	case "prod":
		combine = func(x, y value.Value) value.Value { return calculated(c.in, "*", x, y) }
	default:
		smallest := strings.HasSuffix(name, "min")
		combine = func(x, y value.Value) value.Value {
			if below(y, x) == smallest {
				return y
			}
			return x
		}
	}
	out := a.folded(axes, keep.X == true, combine)
	if name == "mean" {
		n := int64(1)
		for _, axis := range axes {
			n *= a.shape[axis]
		}
		if divided := out.arithmetic(c.in, "/", c.h.asArray(c.in, value.Value{X: n})); divided != nil {
			out = divided
		} else {
			out.items = nil
		}
	}
	if len(out.shape) == 0 && out.known() == nil {
		return value.Value{} // a number that is not known
	}
	return out.scalar()
}

// cumulate is the sums or products so far, of one dimension.
func (c *numericCall) cumulate(a *array) value.Value {
	if len(a.shape) != 1 || len(c.args.Positional) > 1 {
		return value.Value{}
	}
	op := map[string]string{"cumsum": "+", "cumprod": "*"}[c.name]
	var last value.Value
	out := a.each(a.dtype, func(v value.Value) value.Value {
		if last.X != nil {
			v = calculated(c.in, op, last, v)
		}
		last = v
		return v
	})
	if out == nil {
		return value.Value{}
	}
	return value.Value{X: out}
}

// sorted is the numbers of one dimension in order; unique each of them once.
func (c *numericCall) sorted(a *array) value.Value {
	items := slices.Clone(a.known())
	if items == nil || len(c.args.Positional) > 1 || c.name == "sort" && len(a.shape) != 1 || !strings.HasPrefix(c.function, "numpy.") {
		return value.Value{}
	}
	slices.SortStableFunc(items, func(x, y value.Value) int {
		switch {
		case below(x, y):
			return -1
		case below(y, x):
			return 1
		}
		return 0
	})
	if c.name == "unique" {
		items = slices.CompactFunc(items, func(x, y value.Value) bool { return !below(x, y) && !below(y, x) })
	}
	return value.Value{X: c.h.row(items, a.dtype)}
}

// below tells whether a number is smaller than another.
func below(a, b value.Value) bool { return float(a) < float(b) }

// float is a number as a real one.
func float(v value.Value) float64 {
	if n, ok := v.Int(); ok {
		return float64(n)
	}
	x, _ := v.X.(float64)
	return x
}
