package keras

import (
	"github.com/tfmem/tfmem/analyzer/value"
)

// A row is an array of one dimension whose numbers are known: rates of dropout
// by depth, widths by stage. Models are made of what is in it.

// longestRow bounds the numbers that are kept.
const longestRow = 4096

func (h *host) newRow(items []value.Value, d DType) value.Value {
	a := &array{base: base{"an array"}, h: h, shape: Shape{int64(len(items))}, dtype: d}
	if len(items) > 0 && len(items) <= longestRow {
		a.items = items
	}
	return value.Value{X: a}
}

// rowOf is the numbers of a row, or of a list of numbers.
func rowOf(v value.Value) ([]value.Value, bool) {
	if a, ok := v.X.(*array); ok {
		return a.items, a.items != nil
	}
	items, ok := sequence(v)
	if !ok || len(items) == 0 || len(items) > longestRow {
		return nil, false
	}
	for _, item := range items {
		switch item.X.(type) {
		case int64, float64:
		default:
			return nil, false
		}
	}
	return items, true
}

// row answers for functions that make a row, or a number of one.
func (h *host) row(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	switch name {
	case "numpy.random.shuffle", "random.shuffle", "numpy.copyto", "numpy.put":
		if a, ok := firstOf(args).X.(*array); ok {
			a.items = nil
			return value.Value{X: value.None{}}, true
		}
	case "numpy.linspace", "tensorflow.linspace", "tensorflow.keras.ops.linspace", "tensorflow.experimental.numpy.linspace":
		return h.linspace(args)
	case "numpy.arange", "tensorflow.range", "tensorflow.keras.ops.arange":
		return h.arange(args)
	case "numpy.array", "numpy.asarray", "tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.keras.ops.array", "tensorflow.keras.ops.convert_to_tensor":
		v, _ := args.Get(0, "object")
		items, ok := rowOf(v)
		_, d, known := arrayOf(v)
		if !ok || !known || len(args.Positional) > 1 || args.Keywords.Value("dtype").X != nil {
			return value.Value{}, false
		}
		return h.newRow(items, d), true
	case "numpy.prod", "numpy.sum", "numpy.max", "numpy.min", "numpy.cumsum", "tensorflow.math.reduce_prod", "tensorflow.math.reduce_sum",
		"tensorflow.math.reduce_max", "tensorflow.math.reduce_min", "tensorflow.reduce_prod", "tensorflow.reduce_sum", "tensorflow.reduce_max", "tensorflow.reduce_min",
		"tensorflow.keras.ops.prod", "tensorflow.keras.ops.sum", "tensorflow.keras.ops.max", "tensorflow.keras.ops.min":
		if items, ok := rowOf(firstOf(args)); ok && len(args.Positional)+args.Keywords.Len() == 1 {
			return h.folded(in, name, items)
		}
	}
	return value.Value{}, false
}

// linspace are numbers at even distances, the last of them the end
// (numpy/_core/function_base.py, linspace).
func (h *host) linspace(args *value.Args) (value.Value, bool) {
	r := &reader{args: args}
	start, stop := r.float(0, "start", 0), r.float(1, "stop", 0)
	n := r.number(2, "num", 50)
	if r.why != "" || n < 1 || n > longestRow || r.args.Keywords.Value("endpoint").X != nil || len(args.Positional) > 3 {
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
	return h.newRow(items, "float64"), true
}

// arange are whole numbers at even distances.
func (h *host) arange(args *value.Args) (value.Value, bool) {
	bounds := Shape{}
	for _, v := range args.Positional {
		n, ok := v.Int()
		if !ok {
			return value.Value{}, false
		}
		bounds = append(bounds, n)
	}
	start, stop, step := int64(0), int64(0), int64(1)
	switch len(bounds) {
	case 1:
		stop = bounds[0]
	case 2:
		start, stop = bounds[0], bounds[1]
	case 3:
		start, stop, step = bounds[0], bounds[1], bounds[2]
	default:
		return value.Value{}, false
	}
	if step < 1 || stop <= start || (stop-start)/step >= longestRow || args.Keywords.Len() > 0 {
		return value.Value{}, false
	}
	var items []value.Value
	for n := start; n < stop; n += step {
		items = append(items, value.Value{X: n})
	}
	return h.newRow(items, "int64"), true
}

// folded is the sum, the product or an extreme of numbers, or their sums so far.
func (h *host) folded(in *value.Interp, name string, items []value.Value) (value.Value, bool) {
	at := name[len(name)-3:] // sum, rod, max or min
	running := []value.Value{items[0]}
	for _, item := range items[1:] {
		last := running[len(running)-1]
		switch at {
		case "sum":
			last = in.Binary("+", last, item)
		case "rod":
			last = in.Binary("*", last, item)
		default:
			if below(item, last) == (at == "min") {
				last = item
			}
		}
		if !last.Known() {
			return last, true
		}
		running = append(running, last)
	}
	if name == "numpy.cumsum" {
		return h.newRow(running, "int64"), true
	}
	return running[len(running)-1], true
}

// below tells whether a number is smaller than another.
func below(a, b value.Value) bool {
	float := func(v value.Value) float64 {
		if n, ok := v.Int(); ok {
			return float64(n)
		}
		x, _ := v.X.(float64)
		return x
	}
	return float(a) < float(b)
}

// rowAttr are the methods of an array that keep what is in it.
func (a *array) rowAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "sort", "fill", "resize", "put", "itemset", "partition", "setflags":
		return method(func(*value.Interp, *value.Args) value.Value {
			a.items = nil
			return value.Value{X: value.None{}}
		})
	case "tolist":
		return method(func(*value.Interp, *value.Args) value.Value {
			return value.Value{X: &value.List{Items: append([]value.Value(nil), a.items...)}}
		})
	case "numpy", "copy":
		return method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: a} })
	case "astype":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			to, _ := args.Get(0, "dtype")
			convert := "builtins.float"
			d := a.h.dtypeArgument(&value.Args{Keywords: value.Named("dtype", to)}, a.dtype)
			if to.X == (value.External{Name: "builtins.int"}) || to.X == "int" {
				d = "int64"
			}
			if !floating(d) {
				convert = "builtins.int"
			}
			items := make([]value.Value, len(a.items))
			for i, item := range a.items {
				items[i] = in.Call(value.Value{X: value.External{Name: convert}}, &value.Args{Positional: []value.Value{item}, Node: args.Node})
				if !items[i].Known() {
					return a.h.newArray(a.shape, d)
				}
			}
			return a.h.newRow(items, d)
		})
	}
	return value.Value{}, false
}

// rowBinary is arithmetic of a row with a number or a row as long.
func (a *array) rowBinary(in *value.Interp, op string, other value.Value, reflected bool) (value.Value, bool) {
	if a.items == nil {
		return value.Value{}, false
	}
	others, ok := rowOf(other)
	switch other.X.(type) {
	case int64, float64:
		others = nil
	default:
		if !ok || len(others) != len(a.items) {
			return value.Value{}, false
		}
	}
	items := make([]value.Value, len(a.items))
	d := DType("int64")
	for i, item := range a.items {
		second := other
		if others != nil {
			second = others[i]
		}
		if reflected {
			item, second = second, item
		}
		if items[i] = in.Binary(op, item, second); !items[i].Known() {
			return value.Value{}, false
		}
		switch items[i].X.(type) {
		case int64:
		case float64:
			d = "float64"
		default:
			return value.Value{}, false // of comparisons
		}
	}
	return a.h.newRow(items, d), true
}

// mostRows bounds the arrays that one is taken apart into.
const mostRows = 64

// Iterate is the numbers of a row, or the arrays that one of more dimensions, but
// not too many, is made of.
func (a *array) Iterate(*value.Interp) ([]value.Value, bool) {
	if a.items != nil {
		return a.items, true
	}
	if len(a.shape) < 2 || a.shape[0] < 0 || a.shape[0] > mostRows {
		return nil, false
	}
	items := make([]value.Value, a.shape[0])
	for i := range items {
		items[i] = a.h.newArray(a.shape[1:], a.dtype)
	}
	return items, true
}

// SetItem forgets what is in an array; its shape stays.
func (a *array) SetItem(*value.Interp, value.Value, value.Value) { a.items = nil }
