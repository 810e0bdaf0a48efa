package arrays

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// array is a NumPy array or an eager tensor: its shape and type, and what is in
// it where that is known.
type Array struct {
	objects.Base
	lib   *Library
	Shape tensor.Shape
	DType tensor.DType
	items []value.Value // see known
	of    labels        // see labels
	// written is set once something was written into the array, or into one that
	// shares its numbers; nil where there are none.
	written *bool
	Batch   *value.Value // of the dataset that hands it out as a batch; nil for others
	Rows    syntax.Node  // the literal that says how many it has, if one does
}

func (lib *Library) Array(shape tensor.Shape, d tensor.DType) value.Value {
	return value.Value{X: &Array{Base: "an array", lib: lib, Shape: shape, DType: d}}
}

// computed is the type that a layer has an array in (keras/src/layers/layer.py,
// maybe_convert): NumPy's float64 becomes float32.
func (a *Array) Computed() tensor.DType {
	if a.DType == "float64" {
		return "float32"
	}
	return a.DType
}

// someArray begins the reason for which an array is not known: it is one, of whatever shape.
const ShapeUnknown = "the shape of an array is not known: "

// unknownArray is an array of which the shape is not known because something is not.
func Unknown(of value.Value) value.Value {
	if IsUnknown(of) {
		return of
	}
	return objects.Unknown("%s%s", ShapeUnknown, objects.Because(of))
}

// Shaped is an array of which only the shape is known that a method gives it, whatever it is
// called on: what is not known for the reason why.
func (lib *Library) Shaped(method, why string, args *value.Args) (value.Value, bool) {
	if method != "reshape" || !strings.HasPrefix(why, ShapeUnknown) {
		return value.Value{}, false
	}
	to := args.Positional
	if given, ok := args.Get(0, "shape"); ok && len(to) < 2 {
		if to, ok = objects.Sequence(given); !ok {
			return value.Value{}, false
		}
	}
	return lib.reshapedTo(to)
}

// reshapedTo is an array of a shape of which one dimension may be left open, as may be how
// many examples there are.
func (lib *Library) reshapedTo(to []value.Value) (value.Value, bool) {
	shape := make(tensor.Shape, len(to))
	for i, d := range to {
		n, ok := d.Int()
		switch {
		case ok && n >= 0:
			shape[i] = n
		case ok || i == 0 && d.Why() != "":
			shape[i] = tensor.None
		default:
			return value.Value{}, false
		}
	}
	return lib.Array(shape, "float64"), len(shape) > 0
}

func IsUnknown(v value.Value) bool { return strings.HasPrefix(v.Why(), ShapeUnknown) }

// creators are functions of NumPy and TensorFlow that take a shape first, and
// the type they make.
var creators = map[string]tensor.DType{
	"numpy.zeros": "float64", "numpy.ones": "float64", "numpy.empty": "float64", "numpy.full": "float64",
	"numpy.random.random": "float64", "numpy.random.random_sample": "float64", "numpy.random.standard_normal": "float64",
	"tensorflow.zeros": "float32", "tensorflow.ones": "float32", "tensorflow.fill": "float32",
	"tensorflow.random.normal": "float32", "tensorflow.random.uniform": "float32", "tensorflow.random.truncated_normal": "float32",
}

// array answers for functions that make arrays.
func (lib *Library) array(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	if v, ok := lib.numeric(in, name, args); ok {
		return v, true
	}
	r := &reader{args: args}
	if d, ok := creators[name]; ok {
		v, given := args.Get(0, "shape")
		if !given {
			v, given = args.Get(0, "size")
		}
		shape, known := objects.Dims(v)
		if !given || !known {
			return Unknown(v), true
		}
		if name == "numpy.full" || name == "tensorflow.fill" {
			// What follows the shape is what fills it.
			filler, _ := args.Get(1, "fill_value")
			if _, _, known := Of(filler); !known {
				return objects.Unknown("the type of an array is not known: %s", objects.Because(filler)), true
			}
			_, d, _ = Of(filler)
			args = &value.Args{Keywords: args.Keywords, Node: args.Node}
		}
		made := lib.filled(name, shape, DTypeArgument(args, d))
		if a, ok := made.X.(*Array); ok {
			a.Rows = v.Lit
			if items, several := objects.Sequence(v); several && len(items) > 0 {
				a.Rows = items[0].Lit
			}
		}
		return made, true
	}
	switch name {
	case "numpy.reshape": // of what is not known
		to, _ := args.Get(1, "shape")
		if sizes, ok := objects.Sequence(to); ok && objects.First(args).Why() != "" {
			return lib.reshapedTo(sizes)
		}
	case "tensorflow.io.read_file":
		return lib.Array(tensor.Shape{}, "string"), true
	case "tensorflow.io.decode_jpeg", "tensorflow.io.decode_png", "tensorflow.io.decode_image", "tensorflow.io.decode_bmp",
		"tensorflow.image.decode_jpeg", "tensorflow.image.decode_png", "tensorflow.image.decode_image", "tensorflow.image.decode_bmp":
		// Images are of any size; without channels= the file says how many it has.
		channels := r.number(1, "channels", 0)
		if channels == 0 {
			channels = tensor.None
		}
		return lib.Array(tensor.Shape{tensor.None, tensor.None, channels}, "uint8"), true
	case "tensorflow.image.resize":
		v, _ := args.Get(0, "images")
		size, _ := args.Get(1, "size")
		shape, _, ok := Of(v)
		to, known := objects.Dims(size)
		if !ok || !known || len(shape) < 3 || len(to) != 2 {
			return objects.Unknown("the shape of a resized image is not known"), true
		}
		n := len(shape)
		return lib.Array(append(append(tensor.Shape(nil), shape[:n-3]...), to[0], to[1], shape[n-1]), "float32"), true
	case "tensorflow.one_hot":
		v, _ := args.Get(0, "indices")
		if shape, _, ok := Of(v); ok && args.Keywords.Value("axis").X == nil {
			d := DTypeArgument(&value.Args{Keywords: args.Keywords}, "float32")
			return lib.Array(append(append(tensor.Shape(nil), shape...), r.number(1, "depth", tensor.None)), d), true
		}
	case "tensorflow.signal.linear_to_mel_weight_matrix":
		mels, bins := r.number(0, "num_mel_bins", 20), r.number(1, "num_spectrogram_bins", 129)
		if r.why != "" {
			return objects.Unknown("the shape of a matrix is not known: %s", r.why), true
		}
		return lib.Array(tensor.Shape{bins, mels}, DTypeArgument(&value.Args{Keywords: args.Keywords}, "float32")), true
	case "numpy.random.rand", "numpy.random.randn":
		shape := tensor.Shape{}
		for _, a := range args.Positional {
			n, ok := a.Int()
			if !ok {
				return Unknown(a), true
			}
			shape = append(shape, n)
		}
		return lib.Array(shape, "float64"), true
	case "numpy.random.randint", "numpy.random.normal", "numpy.random.uniform", "numpy.random.choice":
		at := 2
		if strings.HasSuffix(name, "choice") {
			at = 1
		}
		v, ok := args.Get(at, "size")
		if shape, known := objects.Dims(v); ok && known {
			d := tensor.DType("float64")
			if strings.HasSuffix(name, "randint") || strings.HasSuffix(name, "choice") {
				d = "int64"
			}
			return lib.Array(shape, DTypeArgument(args, d)), true
		}
		return Unknown(v), true
	case "numpy.random.permutation":
		x, _ := args.Get(0, "x")
		shape, d, ok := Of(x)
		if n, whole := x.Int(); whole {
			return lib.Array(tensor.Shape{n}, "int64"), true
		}
		if !ok {
			return Unknown(x), true
		}
		return lib.Array(shape, d), true
	case "numpy.random.multivariate_normal":
		mean, _ := args.Get(0, "mean")
		shape, _, ok := Of(mean)
		size, given := args.Get(2, "size")
		rows, known := objects.Dims(size)
		if !ok || len(shape) != 1 || given && !known {
			return Unknown(value.Value{X: value.Tuple{mean, size}}), true
		}
		return lib.Array(append(rows, shape[0]), "float64"), true
	case "numpy.random.RandomState", "numpy.random.default_rng":
		return value.Value{X: &randomNumbers{"a generator of random numbers", lib}}, true
	case "numpy.arange": // longer than one whose numbers are kept
		if n, ok := args.Get(0, "start"); ok && len(args.Positional) == 1 {
			if n, ok := n.Int(); ok {
				return lib.Array(tensor.Shape{n}, DTypeArgument(&value.Args{Keywords: args.Keywords}, "int64")), true
			}
		}
	case "numpy.zeros_like", "numpy.ones_like", "numpy.array", "numpy.asarray", "numpy.copy", "tensorflow.convert_to_tensor", "tensorflow.constant",
		"tensorflow.keras.ops.array", "tensorflow.keras.ops.convert_to_tensor",
		"tensorflow.zeros_like", "tensorflow.ones_like", "tensorflow.identity", "numpy.ascontiguousarray", "numpy.float32", "tensorflow.cast":
		v, ok := args.Get(0, "")
		if !ok {
			for _, keyword := range []string{"a", "object", "value", "x", "input"} {
				if v, ok = args.Keywords.Get(keyword); ok {
					break
				}
			}
		}
		if shape, d, ok := Of(v); ok {
			if len(shape) == 0 {
				return value.Value{}, false
			}
			if name == "numpy.float32" {
				d = "float32"
			}
			return lib.Array(shape, DTypeArgument(args, d)), true
		}
		_, isTable := v.X.(*frame)
		l, isList := v.X.(*value.List)
		if isOpen := isList && l.Open != ""; isOpen || isTable || strings.HasPrefix(name, "numpy.") && objects.UnknownIn(v) != "" {
			return Unknown(v), true
		}
	case "tensorflow.keras.utils.pad_sequences", "tensorflow.keras.preprocessing.sequence.pad_sequences":
		v, _ := args.Get(0, "sequences")
		many := tensor.None // of a text that is not read
		if shape, _, ok := Of(v); ok && len(shape) > 0 {
			many = shape[0]
		}
		if length := r.number(1, "maxlen", tensor.None); length >= 0 && r.why == "" {
			d := DTypeArgument(&value.Args{Keywords: args.Keywords}, "int32")
			return lib.Array(tensor.Shape{many, length}, d), true
		}
		return objects.Unknown("the length of the longest sequence depends on the data"), true
	}
	return value.Value{}, false
}

// randomNumbers is a generator that NumPy has in an object of its own: its methods are the
// functions of numpy.random.
type randomNumbers struct {
	objects.Base
	lib *Library
}

func (r *randomNumbers) Attr(_ *value.Interp, name string) (value.Value, bool) {
	if name == "integers" { // of numpy.random.default_rng
		name = "randint"
	}
	return value.Value{X: value.External{Name: "numpy.random." + name}}, true
}

// filled is an array of zeros or ones; of other arrays only the shape is known.
func (lib *Library) filled(name string, shape tensor.Shape, d tensor.DType) value.Value {
	const most = 4096 // more is data, of which nobody asks what is in it
	var x value.Value
	switch short := name[strings.LastIndexByte(name, '.')+1:]; {
	case short == "zeros" && d.Floating():
		x.X = 0.0
	case short == "ones" && d.Floating():
		x.X = 1.0
	case short == "zeros":
		x.X = int64(0)
	case short == "ones":
		x.X = int64(1)
	}
	n, ok := shape.Elements()
	if !ok || n > most || x.X == nil {
		return lib.Array(shape, d)
	}
	return value.Value{X: lib.numbered(shape, d, slices.Repeat([]value.Value{x}, int(n)))}
}

// dtypeArgument is dtype=, or the second positional argument, as a type.
func DTypeArgument(args *value.Args, otherwise tensor.DType) tensor.DType {
	v, ok := args.Keywords.Get("dtype")
	if !ok && len(args.Positional) > 1 {
		v, ok = args.Positional[1], true
	}
	if !ok {
		return otherwise
	}
	switch x := v.X.(type) {
	case string:
		if d := pythonTypes["builtins."+x]; d != "" {
			return d
		}
		return tensor.DType(x)
	case policy: // a variable is of the type that it stores
		return x.Stores()
	case value.External:
		if d, ok := tensor.DTypeOf(x.Name); ok {
			return d
		}
		if d := pythonTypes[x.Name]; d != "" {
			return d
		}
	}
	return otherwise
}

// pythonTypes are what NumPy takes Python's types for.
var pythonTypes = map[string]tensor.DType{"builtins.int": "int64", "builtins.float": "float64", "builtins.bool": "bool"}

// arrayOf is the shape and type of an array, or of a nested list of numbers.
func Of(v value.Value) (tensor.Shape, tensor.DType, bool) {
	switch x := v.X.(type) {
	case *Array:
		return x.Shape, x.DType, true
	case *frame:
		shape, ok := x.shape()
		return shape, "float64", ok
	case *series:
		return tensor.Shape{x.rows}, x.dtype, true
	case *picture:
		shape, ok := x.shape()
		return shape, "uint8", ok
	case int64:
		return tensor.Shape{}, "int64", true
	case float64:
		return tensor.Shape{}, "float64", true
	case bool:
		return tensor.Shape{}, "bool", true
	}
	if l, ok := v.X.(*value.List); ok {
		if like, ok := l.Sample(); ok {
			shape, d, ok := Of(like)
			return append(tensor.Shape{tensor.None}, shape...), d, ok
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

// reshaped fills in the one dimension that may be left open.
func reshaped(from, to tensor.Shape) (tensor.Shape, bool) {
	all, ok := from.Elements()
	if !ok {
		return nil, false
	}
	out := append(tensor.Shape(nil), to...)
	rest, open := int64(1), -1
	for i, d := range to {
		if d < 0 {
			open = i
		} else {
			rest *= d
		}
	}
	if open >= 0 && rest > 0 && all%rest == 0 {
		out[open] = all / rest
	}
	return out, true
}

// WhySingle is why the number is not known that an array without dimensions is.
func (a *Array) WhySingle() string {
	if len(a.Shape) == 0 {
		return "it is computed of data that is not known"
	}
	return ""
}

// Common is the array of the shape that two arrays have. What is not known of one is as the
// other has it: arrays that stand in one list are seldom of several shapes.
func (a *Array) Common(other value.Value) (value.Value, bool) {
	b, ok := other.X.(*Array)
	if !ok || len(a.Shape) != len(b.Shape) || a.DType != b.DType {
		return value.Value{}, false
	}
	shape := slices.Clone(a.Shape)
	for i, d := range b.Shape {
		switch {
		case shape[i] < 0:
			shape[i] = d
		case d >= 0 && d != shape[i]:
			return value.Value{}, false
		}
	}
	return a.lib.Array(shape, a.DType), true
}

func (a *Array) Attr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape":
		shape := a.Shape
		if of := a.labels(); of.hot && of.unread && a.lib.run.AtEnd() {
			shape = shape.With(-1, a.lib.unreadLabels().Count())
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
			return objects.Unknown("what is in a column of a table is not known"), true
		}
		return value.Value{X: string(a.DType)}, true
	case "T":
		return a.method(in, "transpose", &value.Args{}), true
	case "sort", "fill", "resize", "put", "itemset", "partition", "setflags":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			a.forget()
			return value.Value{X: value.None{}}
		})
	case "tolist":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			if a.known() == nil {
				return objects.Unknown("the numbers of an array of the shape %s are not known", a.Shape)
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
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: a} })
	case "round", "clip":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return a.lib.Array(a.Shape, a.DType) })
	}
	if numericFunctions[name] != nil || a.lib.run.Function("numpy."+name) != nil {
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value { return a.method(in, name, args) })
	}
	return objects.Unknown("%s of an array is not followed", name), true
}

// method is a method of the array that NumPy has as a function, too.
func (a *Array) method(in *value.Interp, name string, args *value.Args) value.Value {
	with := *args
	with.Positional = append([]value.Value{{X: a}}, args.Positional...)
	if v, ok := a.lib.array(in, "numpy."+name, &with); ok {
		return v
	}
	if f := a.lib.run.Function("numpy." + name); f != nil {
		return f(in, &with)
	}
	return objects.Unknown("the result of %s of an array", name)
}

// Iterate is the numbers of an array of one dimension, or the arrays that one of
// more, but not too many, is made of.
func (a *Array) Iterate(in *value.Interp) ([]value.Value, bool) {
	known := a.known()
	switch {
	case len(a.Shape) == 0 || a.Shape[0] < 0 || known == nil && (len(a.Shape) == 1 || a.Shape[0] > mostRows):
		return nil, false
	case len(a.Shape) == 1:
		return known, true
	}
	items := make([]value.Value, a.Shape[0])
	for i := range items {
		items[i] = a.Index(in, value.Value{X: int64(i)})
	}
	return items, true
}

// Invert is ~a, of which nobody asks the numbers.
func (a *Array) Invert(*value.Interp) value.Value { return a.lib.Array(a.Shape, a.DType) }

// SetItem forgets what is in an array; its shape stays.
func (a *Array) SetItem(*value.Interp, value.Value, value.Value) { a.forget() }

// Len is len(a).
func (a *Array) Len(*value.Interp) value.Value {
	if len(a.Shape) == 0 || a.Shape[0] < 0 {
		return objects.Unknown("the length of an array of the shape %s", a.Shape)
	}
	return value.Value{X: a.Shape[0]}
}

func (a *Array) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	if x, ok := other.X.(operand); ok {
		return x.WithArray(in, op, value.Value{X: a}, reflected)
	}
	if b := a.lib.asArray(in, other); b != nil {
		x, y := a, b
		if reflected {
			x, y = b, a
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
		return objects.Unknown("%s", err.Error())
	}
	result := a.DType
	if len(shape) > 0 && d.Size() > result.Size() {
		result = d
	}
	if whole := strings.HasPrefix(string(result), "int") || strings.HasPrefix(string(result), "uint"); whole && (op == "/" || strings.HasPrefix(string(d), "float")) {
		result = "float64" // as NumPy has it
	}
	return a.lib.Array(out, result)
}

func (a *Array) Call(in *value.Interp, args *value.Args) value.Value {
	return objects.Unknown("an array is called")
}
