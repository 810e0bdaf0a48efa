package numpy

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An Array is a NumPy array or an eager tensor: its shape, its type, and its numbers if
// they are known.
type Array struct {
	value.Base
	Lib *Library
	// Shape is its dimensions in Python's order, with [tensor.None] for unknown ones.
	Shape tensor.Shape
	// DType is empty if it is not known: a column of a table may hold texts.
	DType tensor.DType
	items []value.Value // see known
	of    Labels        // see labels
	// written is set once the program wrote into the array, or into one that shares its numbers;
	// nil if there are no numbers.
	written *bool
	// Batch is the batch size of the dataset that returned it as a batch; nil for others.
	Batch *value.Value
	// Tensor is set if it is known to be a tensor, which follows TensorFlow's type rules.
	Tensor bool
	// Buffer is its memory if TensorFlow made it; nil for an array of NumPy.
	Buffer *Buffer
	// Made is the call that made it, if one is known.
	Made syntax.Node
	// base is the array whose memory it shares, as a slice does; nil for one that has its own.
	base *Array
	// unwritten is set for one that NumPy has only reserved: the system gives it memory page by page
	// when the program writes into it (numpy/core/src/multiarray/alloc.c, npy_alloc_cache_zero).
	unwritten bool
	mapped    bool // it is a file, of which the system has in memory what it has room for
	// Rows is the literal that gives its first dimension, if one does.
	Rows syntax.Node
	why  *value.Cause // why its number is not known; nil if nothing says so
}

// Array returns an array of which only the shape and the type are known.
func (lib *Library) Array(shape tensor.Shape, d tensor.DType) value.Value {
	return value.Value{X: &Array{Base: "an array", Lib: lib, Shape: shape, DType: d}}
}

// IsNumber reports whether the array is a single whole number.
func (a *Array) IsNumber() bool { return len(a.Shape) == 0 && !a.DType.Floating() && a.DType != "bool" }

// Computed returns the type in which a layer has an array (keras/src/layers/layer.py,
// maybe_convert): NumPy's float64 becomes float32.
func (a *Array) Computed() tensor.DType {
	if a.DType == "float64" {
		return "float32"
	}
	return a.DType
}

// ShapeUnknown begins the reason why an array is unknown: it is an array, of whatever shape.
const ShapeUnknown = "the shape of an array is not known: "

// Unknown returns an array whose shape is unknown because something else is.
func Unknown(of value.Value) value.Value {
	if IsUnknown(of) {
		return value.Because(value.ArrayShape, "%s", of.Cause()).Unknown() // its type is another's
	}
	return objects.Unknown(value.ArrayShape, ShapeUnknown+"%s", objects.Because(of))
}

// IsUnknown reports whether a value is only known to be an array.
func IsUnknown(v value.Value) bool { return v.Cause().Begins(ShapeUnknown) }

// Reason is why the shape of an array is not known, of the cause that says that it is not.
func Reason(why *value.Cause) *value.Cause {
	if why.Begins(ShapeUnknown) && why.From != nil {
		return why.From
	}
	return why
}

// A shaped value becomes an array where one is expected: a table, a column, a picture.
type shaped interface {
	Shaped() (shape tensor.Shape, d tensor.DType, ok bool)
}

// A numeric value has the numbers of an array: a table or a column.
type numeric interface{ AsArray() *Array }

// Of returns the shape and type of an array, a table, a picture, a number, a range, or of a nested
// list of numbers; ok is false for all else.
func Of(v value.Value) (shape tensor.Shape, d tensor.DType, ok bool) {
	switch x := v.X.(type) {
	case *Array:
		return x.Shape, x.DType, true
	case shaped:
		return x.Shaped()
	case int64:
		return tensor.Shape{}, "int64", true
	case float64:
		return tensor.Shape{}, "float64", true
	case bool:
		return tensor.Shape{}, "bool", true
	case value.Range:
		return tensor.Shape{x.Length()}, "int64", true
	}
	if l, ok := v.X.(*value.List); ok {
		if like, ok := l.Sample(); ok {
			rows := int64(tensor.None)
			if n, counted := l.Counted(); counted {
				rows = n
			}
			shape, d, ok := Of(like)
			return append(tensor.Shape{rows}, shape...), d, ok
		}
	}
	items, ok := objects.Sequence(v)
	if !ok || len(items) == 0 {
		return nil, "", false
	}
	if _, text := items[0].X.(string); text {
		return tensor.Shape{int64(len(items))}, "string", true
	}
	inner, d, ok := Of(items[0])
	if !ok {
		return nil, "", false
	}
	return append(tensor.Shape{int64(len(items))}, inner...), d, true
}

// WhySingle says why the number in an array without dimensions is not known.
func (a *Array) WhySingle() *value.Cause {
	switch {
	case len(a.Shape) > 0:
		return nil
	case a.why != nil:
		return a.why
	}
	return value.Because(value.ArrayContents, "the data that it is computed from are not known")
}

// OfRun says that a run computes the numbers of an array, unless they are known.
func (a *Array) OfRun() (tensor.Shape, bool) { return a.Shape, a.items == nil }

// Widen joins the shapes of two arrays. What is unknown of one is taken from the other: arrays in
// one list seldom have several shapes.
func (a *Array) Widen(other value.Value) (value.Value, bool) {
	b, ok := other.X.(*Array)
	if !ok || a.DType != b.DType {
		return value.Value{}, false
	}
	shape, err := a.Shape.Merged(b.Shape)
	if err != nil {
		return value.Value{}, false
	}
	return a.Lib.Array(shape, a.DType), true
}

// Join joins two arrays. Where their dimensions differ, the length is unknown, and so is the
// content.
func (a *Array) Join(other value.Value) (value.Value, bool) {
	b, ok := other.X.(*Array)
	if !ok || a.DType != b.DType || len(a.Shape) != len(b.Shape) {
		return value.Value{}, false
	}
	shape := slices.Clone(a.Shape)
	for i, d := range b.Shape {
		if d != shape[i] {
			shape[i] = tensor.None
		}
	}
	v := a.Lib.Array(shape, a.DType)
	if one := v.X.(*Array); a.Batch == b.Batch {
		one.Batch = a.Batch
	}
	v.X.(*Array).base = a.Memory()
	v.X.(*Array).Buffer = a.joined(b, shape)
	return v, true
}

func (a *Array) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape":
		shape := a.Shape
		if of := a.Labels(); of.Hot && of.unread && a.Lib.Run.AtEnd() {
			shape = shape.With(-1, a.Lib.UnreadLabels().Count())
		}
		return objects.ShapeValue(shape), true
	case "ndim":
		return value.Value{X: int64(len(a.Shape))}, true
	case "size":
		if n, ok := a.Shape.Elements(); ok {
			return value.Value{X: n}, true
		}
	case "dtype":
		if a.DType == "" {
			return objects.Unknown(value.FileContents, "the contents of a column of a table are not known"), true
		}
		return value.Value{X: string(a.DType)}, true
	case "T":
		return a.method(in, "transpose", &value.Args{}), true
	case "sort", "fill", "put", "itemset", "partition", "setflags":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			a.forget()
			return value.Value{X: value.None{}}
		})
	case "resize":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			a.forget()
			to := objects.First(args)
			if len(args.Positional) > 1 { // a.resize(2, 3) is a.resize((2, 3))
				to.X = value.Tuple(args.Positional)
			}
			if a.Shape, _ = objects.Dims(to); a.Shape == nil {
				a.Shape = tensor.Shape{tensor.None}
			}
			return value.Value{X: value.None{}}
		})
	case "tolist":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			if a.Known() == nil {
				return a.unknownNumbers(in, value.Because(value.ArrayContents, "the numbers of an array of the shape %s are not known", a.Shape).On(args.Node))
			}
			return a.nested()
		})
	case "astype":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			d := a.DType
			if v, ok := args.Get(0, "dtype"); ok {
				d = DTypeArgument(&value.Args{Keywords: value.Named("dtype", v)}, d)
			}
			return value.Value{X: a.converted(in, d)}
		})
	case "reshape", "transpose": // a.reshape(2, 3) is a.reshape((2, 3))
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) > 1 {
				with := *args
				with.Positional = []value.Value{{X: value.Tuple(args.Positional)}}
				args = &with
			}
			return a.method(in, name, args)
		})
	case "get_shape":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return objects.ShapeValue(a.Shape) })
	case "set_shape":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			to, _ := args.Get(0, "shape")
			if said, ok := objects.Dims(to); ok {
				if shape, err := a.Shape.Merged(said); err == nil {
					a.Shape = shape
				}
			}
			return value.Value{X: value.None{}}
		})
	case "numpy", "toarray", "todense":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			if a.Buffer == nil {
				return value.Value{X: a}
			}
			return a.WithBuffer(nil)
		})
	case "round", "clip":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return a.Lib.Array(a.Shape, a.DType) })
	}
	if f := Loaded().Numeric[name]; f != nil && f.run != nil || a.Lib.Run.Function("numpy."+name) != nil {
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return a.method(in, name, args) })
	}
	return objects.Unknown(value.UnmodelledUse, "%s of an array is not followed", name), true
}

// method is a method of the array that NumPy also has as a function.
func (a *Array) method(in *value.Interp, name string, args *value.Args) value.Value {
	with := *args
	with.Positional = append([]value.Value{{X: a}}, args.Positional...)
	if v := a.Lib.Call(in, "numpy."+name, &with).onArrays(); v.X != nil {
		return a.Lib.computed(v, value.Value{X: a})
	}
	if f := a.Lib.Run.Function("numpy." + name); f != nil {
		return a.Lib.computed(f(in, &with), value.Value{X: a})
	}
	return objects.Unknown(value.UnmodelledUse, "the result of %s of an array", name)
}

// Iter returns the numbers of an array with one dimension, or the arrays in one with more, if
// they are not too many.
func (a *Array) Iter(in *value.Interp) ([]value.Value, bool) {
	known := a.Known()
	switch {
	case len(a.Shape) == 0 || a.Shape[0] < 0 || known == nil && a.Shape[0] > MostRows:
		return nil, false
	case len(a.Shape) == 1 && known != nil:
		return known, true
	}
	items := make([]value.Value, a.Shape[0])
	for i := range items {
		items[i] = a.GetItem(in, value.Value{X: int64(i)})
	}
	return items, true
}

// Invert is ~a. Its numbers are never needed.
func (a *Array) Invert(*value.Interp) value.Value {
	return a.Lib.computed(a.Lib.Array(a.Shape, a.DType), value.Value{X: a})
}

// SetItem forgets the numbers of an array; its shape stays.
func (a *Array) SetItem(*value.Interp, value.Value, value.Value) { a.forget() }

// InstanceOf distinguishes arrays from Python's own types. An array without dimensions may be a
// Python or a NumPy number, whose float64 is a float; the library of an array is unknown.
func (a *Array) InstanceOf(class string) (truth, known bool) {
	short := class[strings.LastIndexByte(class, '.')+1:]
	switch {
	case class == "tensorflow.data.Dataset":
		return false, true
	case strings.HasPrefix(class, "numpy."), strings.HasPrefix(class, "tensorflow."):
		return false, false
	case short == "int", short == "float", short == "bool", short == "complex", strings.HasPrefix(class, "numbers."):
		return false, len(a.Shape) > 0
	case short == "Iterable":
		return len(a.Shape) > 0, true
	}
	return false, true
}

// Selected returns how many items the array selects as an index; ok is false for a mask, whose values
// decide that.
func (a *Array) Selected() (n int64, ok bool) {
	if len(a.Shape) != 1 || a.DType == "bool" || a.DType.Floating() {
		return 0, false
	}
	return a.Shape[0], a.Shape[0] > 0
}

// Len is len(a).
func (a *Array) Len(*value.Interp) value.Value {
	if len(a.Shape) == 0 || a.Shape[0] < 0 {
		return objects.Unknown(value.ArrayShape, "the length of an array of the shape %s", a.Shape)
	}
	return value.Value{X: a.Shape[0]}
}

// compares are the comparison operators.
var compares = map[string]bool{"<": true, "<=": true, ">": true, ">=": true, "==": true, "!=": true}

func (a *Array) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	return a.Lib.computed(a.binary(in, op, other, reflected), value.Value{X: a}, other)
}

func (a *Array) binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	if x, ok := other.X.(operand); ok {
		return x.WithArray(in, op, value.Value{X: a}, reflected)
	}
	if b := a.Lib.asArray(in, other); b != nil {
		x, y := a, b
		if reflected {
			x, y = b, a
		}
		if op == "@" {
			return x.product(y, false)
		}
		if out := x.arithmetic(in, op, y); out != nil {
			return out.scalar()
		}
	}
	shape, d, ok := Of(other)
	if !ok {
		return Unknown(other)
	}
	out, err := tensor.Broadcast(a.Shape, shape)
	if err != nil {
		return value.From(err).Unknown()
	}
	result, tensors := a.DType, a.Tensor
	b, _ := other.X.(*Array)
	switch {
	case compares[op]:
		return a.Lib.Array(out, "bool")
	case b != nil && b.Tensor && !tensors && result.Floating() && d.Floating():
		result, tensors = d, true // the tensor's type counts (tensorflow/python/framework/override_binary_operator.py)
	case tensors && b != nil && !b.Tensor && result.Floating() && d.Floating():
	case len(shape) > 0 && len(a.Shape) > 0 && !tensors && !(b != nil && b.Tensor):
		result = promoted(result, d)
	case result == "bool", len(shape) > 0 && d.Size() > result.Size():
		result = d
	}
	if whole := strings.HasPrefix(string(result), "int") || strings.HasPrefix(string(result), "uint"); (whole || result == "bool") && op == "/" || whole && strings.HasPrefix(string(d), "float") {
		result = a.quotient() // as in NumPy
		if b != nil && b.DType == "float32" && a.DType.Size() <= 2 {
			result = "float32" // a NumPy number counts too (NEP 50)
		}
	}
	made := a.Lib.Array(out, result)
	made.X.(*Array).Tensor = tensors
	return made
}

// quotient returns the type of integers divided by others: for tensors of up to 16 bits it is
// float32 (tensorflow/python/ops/math_ops.py, _truediv_python3).
func (a *Array) quotient() tensor.DType {
	if a.Tensor && a.DType.Size() <= 2 {
		return "float32"
	}
	return "float64"
}

// Converted is what int or float makes of an array without dimensions: a number that is not known.
func (a *Array) Converted(class string) (value.Value, bool) {
	d := map[string]tensor.DType{"int": "int64", "float": "float64"}[class]
	if len(a.Shape) > 0 || d == "" || a.DType == "" {
		return value.Value{}, false
	}
	return a.Lib.Array(tensor.Shape{}, d), true
}

func (a *Array) Call(in *value.Interp, args *value.Args) value.Value {
	return objects.Unknown(value.WrongType, "an array is called")
}
