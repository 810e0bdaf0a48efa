package ops

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

// A dimension is a number that a step computes from the shapes of tensors: tf.shape(x)[0]. Its
// value is known once the shapes are. Until then the operations that use it keep it.
type dimension struct {
	value.Base
	of   []*graph.Symbolic
	eval func(shapes map[*graph.Symbolic]tensor.Shape) int64 // None if it is not known
	// computed is set for a number computed from dimensions.
	computed bool
	// python is set for a number of Python, x.shape[0]; tf.shape(x)[0] is a tensor.
	python bool
	// data is set for the size of an array: only a run knows it.
	data *state.Host
	// item is set for an item of a range.
	item bool
}

func dimensionOf(s *graph.Symbolic, axis int) *dimension {
	return &dimension{Base: "a dimension of a tensor", of: []*graph.Symbolic{s}, eval: func(shapes map[*graph.Symbolic]tensor.Shape) int64 {
		if shape := shapes[s]; axis < len(shape) {
			return shape[axis]
		}
		return tensor.None
	}}
}

// Shaped says that the size of an array is a number.
func (d *dimension) Shaped() (tensor.Shape, tensor.DType, bool) {
	return tensor.Shape{}, "int32", d.data != nil
}

// WhySingle says why the size of an array is no number here.
func (d *dimension) WhySingle() *value.Cause {
	if d.data == nil {
		return nil
	}
	return value.Because(value.ArrayShape, "it is a size of an array that is not known")
}

// OfRun says that a run computes the size of an array.
func (d *dimension) OfRun() (tensor.Shape, bool) { return tensor.Shape{}, d.data != nil }

// Binary is integer arithmetic with dimensions, and the repetition of a list.
func (d *dimension) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	var right func(map[*graph.Symbolic]tensor.Shape) int64
	of, python, data := d.of, d.python, d.data
	switch x := other.X.(type) {
	case int64:
		right = func(map[*graph.Symbolic]tensor.Shape) int64 { return x }
	case *dimension:
		right, of, python = x.eval, append(slices.Clone(of), x.of...), python && x.python
		if x.data == nil {
			data = nil
		}
	case *value.List, value.Tuple:
		if op != "*" || !d.python {
			return d.Unknown(op + " on ")
		}
		return value.Value{X: &repeated{"a list repeated as often as a tensor is long", other, d}}
	case *SymbolicValue:
		return x.Binary(in, op, value.Value{X: d}, !reflected) // a number times a tensor
	default:
		if data != nil {
			if one, ok := data.Arrays.Array(tensor.Shape{}, "int32").X.(*numpy.Array); ok {
				return one.Binary(in, op, other, reflected)
			}
		}
		return d.Unknown(op + " on ")
	}
	left := d.eval
	if reflected {
		left, right = right, left
	}
	if test := comparisons[op]; test != nil && d.item && !reflected {
		truth, same := inLarge(of, func(shapes map[*graph.Symbolic]tensor.Shape) int64 {
			return int64(map[bool]int{true: 1}[test(left(shapes), right(shapes))])
		})
		if !same {
			return d.Unknown(op + " on ")
		}
		return value.Value{X: truth == 1}
	}
	compute := map[string]func(a, b int64) int64{
		"+": func(a, b int64) int64 { return a + b }, "-": func(a, b int64) int64 { return max(a-b, tensor.None) },
		"*": func(a, b int64) int64 { return tensor.Shape{a, b}.Product() }, "//": quotient, "/": quotient,
		"%":   func(a, b int64) int64 { return a - quotient(a, b)*b },
		"min": func(a, b int64) int64 { return min(a, b) }, "max": func(a, b int64) int64 { return max(a, b) },
	}[op]
	if compute == nil {
		return d.Unknown(op + " on ")
	}
	return value.Value{X: &dimension{Base: d.Base, of: of, eval: func(shapes map[*graph.Symbolic]tensor.Shape) int64 {
		a, b := left(shapes), right(shapes)
		if a < 0 || b < 0 || b == 0 && (op == "/" || op == "//" || op == "%") {
			return tensor.None
		}
		return compute(a, b)
	}, computed: true, python: python, data: data}}
}

func quotient(a, b int64) int64 { return a / b }

var comparisons = map[string]func(a, b int64) bool{
	"==": func(a, b int64) bool { return a == b }, "!=": func(a, b int64) bool { return a != b },
	"<": func(a, b int64) bool { return a < b }, ">": func(a, b int64) bool { return a > b },
}

// large are sizes of batches, of which some divide evenly and one does not.
var large = []int64{1 << 20, 1<<20 + 1, 999_983}

// inLarge returns a number that is computed from dimensions; ok is false unless it is the same for
// all large sizes.
func inLarge(of []*graph.Symbolic, eval func(map[*graph.Symbolic]tensor.Shape) int64) (n int64, ok bool) {
	for i, size := range large {
		shapes := map[*graph.Symbolic]tensor.Shape{}
		for _, s := range of {
			shape := slices.Clone(s.Shape)
			for axis := range shape {
				if shape[axis] < 0 {
					shape[axis] = size
				}
			}
			shapes[s] = shape
		}
		now := eval(shapes)
		if i > 0 && now != n {
			return 0, false
		}
		n = now
	}
	return n, n >= 0
}

// mostParts bounds the items of a range of dimensions: a step has the model once for each.
const mostParts = 16

// Range is a range of which a dimension is the end or the step. Its items are known if their number
// does not depend on the size, unless that is small: as in range(0, size, (size + 3) // 4), which takes
// a batch in four parts.
func (d *dimension) Range(in *value.Interp, start, stop, step value.Value) value.Value {
	length := interp.Binary(in, "-", stop, start)
	if start.X == int64(0) {
		length = stop
	}
	one := value.Value{X: int64(1)}
	parts, ok := interp.Binary(in, "//", interp.Binary(in, "-", interp.Binary(in, "+", length, step), one), step).X.(*dimension)
	if !ok {
		return value.Value{}
	}
	n, same := inLarge(parts.of, parts.eval)
	if !same || n > mostParts {
		return value.Value{}
	}
	items := value.Tuple{start}
	for i := int64(1); i < n; i++ {
		v := interp.Binary(in, "+", start, interp.Binary(in, "*", step, value.Value{X: i}))
		if x, ok := v.X.(*dimension); ok {
			x.item = true
		}
		items = append(items, v)
	}
	return value.Value{X: items}
}

// A repeated list is [2] * x.shape[0] where the length is a dimension. Functions on tensors take it
// as a tensor.
type repeated struct {
	value.Base
	list  value.Value
	times *dimension
}

func (r *repeated) Len(in *value.Interp) value.Value {
	items, ok := objects.Sequence(r.list)
	if !ok {
		return value.Value{}
	}
	return r.times.Binary(in, "*", value.Value{X: int64(len(items))}, false)
}

// tensor returns the list as a tensor.
func (r *repeated) tensor(h *state.Host) (*graph.Symbolic, *value.Cause) {
	once, why := Operand(h, r.list)
	if why != nil {
		return nil, why
	}
	to := value.Tuple{r.times.Binary(nil, "*", value.Value{X: once.Shape[0]}, false)}
	to = append(to, objects.ShapeValue(once.Shape[1:]).X.(value.Tuple)...)
	return symbolOf(filled(h, nil, "zeros", &value.Args{Positional: []value.Value{{X: to}}, Keywords: value.Named("dtype", value.Value{X: string(once.DType)})}))
}

// A Vector is a tensor of integers that gives a shape: tf.shape(x), and what is computed from it.
type Vector struct {
	value.Base
	items []value.Value // int64 or *dimension
}

func NewVector(items []value.Value) value.Value {
	return value.Value{X: &Vector{"a shape", items}}
}

// shapeOf returns the shape of a tensor as a step computes it, tf.shape(x).
func shapeOf(s *graph.Symbolic) []value.Value {
	items := make([]value.Value, len(s.Shape))
	for i, n := range s.Shape {
		items[i].X = n
		if n < 0 {
			items[i].X = dimensionOf(s, i)
		}
	}
	return items
}

// staticShape returns x.shape of a tensor in a step.
func staticShape(s *graph.Symbolic) value.Value {
	items := shapeOf(s)
	for _, item := range items {
		if d, ok := item.X.(*dimension); ok {
			d.python = true
		}
	}
	return value.Value{X: value.Tuple(items)}
}

// Shaped says that the shape of an array is one, too.
func (v *Vector) Shaped() (tensor.Shape, tensor.DType, bool) {
	return tensor.Shape{int64(len(v.items))}, "int32", v.ofData()
}

// ofData reports whether numbers of a shape are known to a run only.
func (v *Vector) ofData() bool {
	return slices.ContainsFunc(v.items, func(item value.Value) bool {
		d, ok := item.X.(*dimension)
		return ok && d.data != nil
	})
}

func (v *Vector) GetItem(in *value.Interp, index value.Value) value.Value {
	out := interp.Index(in, value.Value{X: value.Tuple(v.items)}, index)
	if items, ok := out.X.(value.Tuple); ok {
		return NewVector(items)
	}
	return out
}

// Items returns the elements.
func (v *Vector) Items() []value.Value { return v.items }

func (v *Vector) Iter(*value.Interp) ([]value.Value, bool) { return v.items, true }

func (v *Vector) Len(*value.Interp) value.Value { return value.Value{X: int64(len(v.items))} }

func (v *Vector) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape":
		return objects.ShapeValue(tensor.Shape{int64(len(v.items))}), true
	case "rank", "ndims":
		return value.Value{X: int64(len(v.items))}, true
	case "as_list", "numpy", "tolist":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			return value.Value{X: &value.List{Items: slices.Clone(v.items)}}
		})
	}
	return value.Value{}, false
}

// Binary works item by item.
func (v *Vector) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	others, ok := objects.Sequence(other)
	if ok && len(others) != len(v.items) {
		return v.Unknown(op + " on ")
	}
	out := make([]value.Value, len(v.items))
	for i, item := range v.items {
		o := other
		if ok {
			o = others[i]
		}
		if reflected {
			out[i] = interp.Binary(in, op, o, item)
		} else {
			out[i] = interp.Binary(in, op, item, o)
		}
	}
	return NewVector(out)
}

// dimensionsIn returns the tensors to which the dimensions within a value belong.
func dimensionsIn(v value.Value) []*graph.Symbolic {
	var out []*graph.Symbolic
	switch x := v.X.(type) {
	case *dimension:
		return x.of
	case value.Slice:
		for _, part := range []value.Value{x.Start, x.Stop, x.Step} {
			out = append(out, dimensionsIn(part)...)
		}
	default:
		items, _ := objects.Sequence(v)
		for _, item := range items {
			out = append(out, dimensionsIn(item)...)
		}
	}
	return out
}

// resolved replaces the dimensions in a value by numbers, or by None if they are not known yet.
func resolved(v value.Value, shapes map[*graph.Symbolic]tensor.Shape) value.Value {
	switch x := v.X.(type) {
	case *dimension:
		if n := x.eval(shapes); n >= 0 {
			return value.Value{X: n}
		}
		return value.Value{X: value.None{}}
	case value.Slice:
		return value.Value{X: value.Slice{Start: resolved(x.Start, shapes), Stop: resolved(x.Stop, shapes), Step: resolved(x.Step, shapes), Width: resolved(x.Width, shapes)}}
	}
	items, ok := objects.Sequence(v)
	if !ok {
		return v
	}
	out := make(value.Tuple, len(items))
	for i, item := range items {
		out[i] = resolved(item, shapes)
	}
	return value.Value{X: out}
}

// An operation is a call of a TensorFlow or Keras function on tensors, as a layer without
// weights.
type operation struct {
	data int // how many inputs are tensors; of those behind them, in of, only the shapes matter
	of   []*graph.Symbolic
	// The inputs behind those are what the operation waits for (tf.control_dependencies).
	do func(g *graph.Graph, in []*graph.Tensor, at func(value.Value) value.Value) ([]*graph.Tensor, error)
}

func (*operation) Operates() {}

func (*operation) Build(*graph.Layer, []tensor.Shape) error { return nil }

func (o *operation) Call(_ *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	shapes := map[*graph.Symbolic]tensor.Shape{}
	for i, s := range o.of {
		shapes[s] = in[o.data+i].Shape
	}
	from := len(g.Ops)
	out, err := o.do(g, in[:o.data], func(v value.Value) value.Value { return resolved(v, shapes) })
	if waits := in[o.data+len(o.of):]; len(waits) > 0 && len(g.Ops) > from {
		g.Ops[from].After = waits
	}
	return out, err
}

// Operate applies an operation to tensors. uses are the arguments that may contain dimensions; at
// replaces those by numbers.
func Operate(h *state.Host, name string, data []*graph.Symbolic, uses []value.Value, do func(g *graph.Graph, in []*graph.Tensor, at func(value.Value) value.Value) ([]*graph.Tensor, error)) value.Value {
	o := &operation{data: len(data), do: do}
	in := slices.Clone(data)
	for _, v := range uses {
		for _, s := range dimensionsIn(v) {
			if !slices.Contains(o.of, s) {
				o.of = append(o.of, s)
				in = append(in, s)
			}
		}
	}
	in = append(in, h.Steps.Waits()...)
	l := &graph.Layer{Class: name, Name: name, Trainable: true, Function: true, Impl: o}
	out, err := graph.Call(h.Interp, l, in)
	if err != nil {
		return value.From(err).Unknown()
	}
	h.Happens(out)
	return Tensors(h, out)
}

// Tensors returns one tensor, or a list of them, as the program sees it.
func Tensors(h *state.Host, out []*graph.Symbolic) value.Value {
	if len(out) == 1 {
		return Tensor(h, out[0])
	}
	list := &value.List{}
	for _, s := range out {
		list.Items = append(list.Items, Tensor(h, s))
	}
	return value.Value{X: list}
}

func Tensor(h *state.Host, s *graph.Symbolic) value.Value {
	return value.Value{X: &SymbolicValue{Base: "a tensor", H: h, S: s}}
}

// one is the result of an operation with one output.
func one(t *graph.Tensor, err error) ([]*graph.Tensor, error) {
	if err != nil {
		return nil, err
	}
	return []*graph.Tensor{t}, nil
}

// ShapeArgument reads a shape with resolved dimensions; -1 and None both become None.
func ShapeArgument(v value.Value) (tensor.Shape, error) {
	shape, ok := objects.Dims(v)
	if !ok {
		return nil, value.Because(value.ArrayShape, "a shape is not known: %s", objects.Because(v))
	}
	return shape, nil
}
