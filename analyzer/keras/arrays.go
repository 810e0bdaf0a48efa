package keras

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// array is a NumPy array or an eager tensor: its shape and type, and what is in
// it where that is known.
type array struct {
	base
	h     *host
	shape Shape
	dtype DType
	items []value.Value // see known
	of    labels        // see labels
	// written is set once something was written into the array, or into one that
	// shares its numbers; nil where there are none.
	written *bool
	batch   *value.Value // of the dataset that hands it out as a batch; nil for others
	rows    syntax.Node  // the literal that says how many it has, if one does
}

func (h *host) newArray(shape Shape, d DType) value.Value {
	return value.Value{X: &array{base: "an array", h: h, shape: shape, dtype: d}}
}

// computed is the type that a layer has an array in (keras/src/layers/layer.py,
// maybe_convert): NumPy's float64 becomes float32.
func (a *array) computed() DType {
	if a.dtype == "float64" {
		return "float32"
	}
	return a.dtype
}

// someArray begins the reason for which an array is not known: it is one, of whatever shape.
const someArray = "the shape of an array is not known: "

// unknownArray is an array of which the shape is not known because something is not.
func (h *host) unknownArray(of value.Value) value.Value {
	if isUnknownArray(of) {
		return of
	}
	return h.unknown("%s%s", someArray, because(of))
}

// Shaped is an array of which only the shape is known that a method gives it.
func (h *host) Shaped(_ *value.Interp, method, why string, args *value.Args) (value.Value, bool) {
	if method != "reshape" || !strings.HasPrefix(why, someArray) {
		return value.Value{}, false
	}
	to := args.Positional
	if given, ok := args.Get(0, "shape"); ok && len(to) < 2 {
		if to, ok = sequence(given); !ok {
			return value.Value{}, false
		}
	}
	return h.reshapedTo(to)
}

// reshapedTo is an array of a shape of which one dimension may be left open, as may be how
// many examples there are.
func (h *host) reshapedTo(to []value.Value) (value.Value, bool) {
	shape := make(Shape, len(to))
	for i, d := range to {
		n, ok := d.Int()
		switch {
		case ok && n >= 0:
			shape[i] = n
		case ok || i == 0 && d.Why() != "":
			shape[i] = None
		default:
			return value.Value{}, false
		}
	}
	return h.newArray(shape, "float64"), len(shape) > 0
}

func isUnknownArray(v value.Value) bool { return strings.HasPrefix(v.Why(), someArray) }

// creators are functions of NumPy and TensorFlow that take a shape first, and
// the type they make.
var creators = map[string]DType{
	"numpy.zeros": "float64", "numpy.ones": "float64", "numpy.empty": "float64", "numpy.full": "float64",
	"numpy.random.random": "float64", "numpy.random.random_sample": "float64", "numpy.random.standard_normal": "float64",
	"tensorflow.zeros": "float32", "tensorflow.ones": "float32", "tensorflow.fill": "float32",
	"tensorflow.random.normal": "float32", "tensorflow.random.uniform": "float32", "tensorflow.random.truncated_normal": "float32",
}

// array answers for functions that make arrays.
func (h *host) array(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	if v, ok := h.numeric(in, name, args); ok {
		return v, true
	}
	r := &reader{args: args}
	if d, ok := creators[name]; ok {
		v, given := args.Get(0, "shape")
		if !given {
			v, given = args.Get(0, "size")
		}
		shape, known := dims(v)
		if !given || !known {
			return h.unknownArray(v), true
		}
		if name == "numpy.full" || name == "tensorflow.fill" {
			// What follows the shape is what fills it.
			filler, _ := args.Get(1, "fill_value")
			if _, _, known := arrayOf(filler); !known {
				return h.unknown("the type of an array is not known: %s", because(filler)), true
			}
			_, d, _ = arrayOf(filler)
			args = &value.Args{Keywords: args.Keywords, Node: args.Node}
		}
		made := h.filled(name, shape, h.dtypeArgument(args, d))
		if a, ok := made.X.(*array); ok {
			a.rows = v.Lit
			if items, several := sequence(v); several && len(items) > 0 {
				a.rows = items[0].Lit
			}
		}
		return made, true
	}
	switch name {
	case "numpy.reshape": // of what is not known
		to, _ := args.Get(1, "shape")
		if sizes, ok := sequence(to); ok && firstOf(args).Why() != "" {
			return h.reshapedTo(sizes)
		}
	case "tensorflow.io.read_file":
		return h.newArray(Shape{}, "string"), true
	case "tensorflow.io.decode_jpeg", "tensorflow.io.decode_png", "tensorflow.io.decode_image", "tensorflow.io.decode_bmp",
		"tensorflow.image.decode_jpeg", "tensorflow.image.decode_png", "tensorflow.image.decode_image", "tensorflow.image.decode_bmp":
		// Images are of any size; without channels= the file says how many it has.
		channels := r.number(1, "channels", 0)
		if channels == 0 {
			channels = None
		}
		return h.newArray(Shape{None, None, channels}, "uint8"), true
	case "tensorflow.image.resize":
		v, _ := args.Get(0, "images")
		size, _ := args.Get(1, "size")
		shape, _, ok := arrayOf(v)
		to, known := dims(size)
		if !ok || !known || len(shape) < 3 || len(to) != 2 {
			return h.unknown("the shape of a resized image is not known"), true
		}
		n := len(shape)
		return h.newArray(append(append(Shape(nil), shape[:n-3]...), to[0], to[1], shape[n-1]), "float32"), true
	case "tensorflow.one_hot":
		v, _ := args.Get(0, "indices")
		if shape, _, ok := arrayOf(v); ok && args.Keywords.Value("axis").X == nil {
			d := h.dtypeArgument(&value.Args{Keywords: args.Keywords}, "float32")
			return h.newArray(append(append(Shape(nil), shape...), r.number(1, "depth", None)), d), true
		}
	case "tensorflow.signal.linear_to_mel_weight_matrix":
		mels, bins := r.number(0, "num_mel_bins", 20), r.number(1, "num_spectrogram_bins", 129)
		if r.why != "" {
			return h.unknown("the shape of a matrix is not known: %s", r.why), true
		}
		return h.newArray(Shape{bins, mels}, h.dtypeArgument(&value.Args{Keywords: args.Keywords}, "float32")), true
	case "numpy.random.rand", "numpy.random.randn":
		shape := Shape{}
		for _, a := range args.Positional {
			n, ok := a.Int()
			if !ok {
				return h.unknownArray(a), true
			}
			shape = append(shape, n)
		}
		return h.newArray(shape, "float64"), true
	case "numpy.random.randint", "numpy.random.normal", "numpy.random.uniform", "numpy.random.choice":
		at := 2
		if strings.HasSuffix(name, "choice") {
			at = 1
		}
		v, ok := args.Get(at, "size")
		if shape, known := dims(v); ok && known {
			d := DType("float64")
			if strings.HasSuffix(name, "randint") || strings.HasSuffix(name, "choice") {
				d = "int64"
			}
			return h.newArray(shape, h.dtypeArgument(args, d)), true
		}
		return h.unknownArray(v), true
	case "numpy.random.permutation":
		x, _ := args.Get(0, "x")
		shape, d, ok := arrayOf(x)
		if n, whole := x.Int(); whole {
			return h.newArray(Shape{n}, "int64"), true
		}
		if !ok {
			return h.unknownArray(x), true
		}
		return h.newArray(shape, d), true
	case "numpy.random.multivariate_normal":
		mean, _ := args.Get(0, "mean")
		shape, _, ok := arrayOf(mean)
		size, given := args.Get(2, "size")
		rows, known := dims(size)
		if !ok || len(shape) != 1 || given && !known {
			return h.unknownArray(value.Value{X: value.Tuple{mean, size}}), true
		}
		return h.newArray(append(rows, shape[0]), "float64"), true
	case "numpy.random.RandomState", "numpy.random.default_rng":
		return value.Value{X: &randomNumbers{"a generator of random numbers", h}}, true
	case "numpy.arange": // longer than one whose numbers are kept
		if n, ok := args.Get(0, "start"); ok && len(args.Positional) == 1 {
			if n, ok := n.Int(); ok {
				return h.newArray(Shape{n}, h.dtypeArgument(&value.Args{Keywords: args.Keywords}, "int64")), true
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
		if shape, d, ok := arrayOf(v); ok {
			if len(shape) == 0 {
				return value.Value{}, false
			}
			if name == "numpy.float32" {
				d = "float32"
			}
			return h.newArray(shape, h.dtypeArgument(args, d)), true
		}
		_, isTable := v.X.(*frame)
		l, isList := v.X.(*value.List)
		if isOpen := isList && l.Open != ""; isOpen || isTable || strings.HasPrefix(name, "numpy.") && unknownIn(v) != "" {
			return h.unknownArray(v), true
		}
	case "tensorflow.keras.utils.pad_sequences", "tensorflow.keras.preprocessing.sequence.pad_sequences":
		v, _ := args.Get(0, "sequences")
		many := None // of a text that is not read
		if shape, _, ok := arrayOf(v); ok && len(shape) > 0 {
			many = shape[0]
		}
		if length := r.number(1, "maxlen", None); length >= 0 && r.why == "" {
			d := h.dtypeArgument(&value.Args{Keywords: args.Keywords}, "int32")
			return h.newArray(Shape{many, length}, d), true
		}
		return h.unknown("the length of the longest sequence depends on the data"), true
	}
	return value.Value{}, false
}

// randomNumbers is a generator that NumPy has in an object of its own: its methods are the
// functions of numpy.random.
type randomNumbers struct {
	base
	h *host
}

func (r *randomNumbers) Attr(_ *value.Interp, name string) (value.Value, bool) {
	if name == "integers" { // of numpy.random.default_rng
		name = "randint"
	}
	return value.Value{X: value.External{Name: "numpy.random." + name}}, true
}

// filled is an array of zeros or ones; of other arrays only the shape is known.
func (h *host) filled(name string, shape Shape, d DType) value.Value {
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
		return h.newArray(shape, d)
	}
	return value.Value{X: h.numbered(shape, d, slices.Repeat([]value.Value{x}, int(n)))}
}

// dtypeArgument is dtype=, or the second positional argument, as a type.
func (h *host) dtypeArgument(args *value.Args, otherwise DType) DType {
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
		return DType(x)
	case *policyValue: // a variable is of the type that it stores
		_, d := types(x.name)
		return d
	case value.External:
		if d, ok := dtypeOf(x.Name); ok {
			return d
		}
		if d := pythonTypes[x.Name]; d != "" {
			return d
		}
	}
	return otherwise
}

// pythonTypes are what NumPy takes Python's types for.
var pythonTypes = map[string]DType{"builtins.int": "int64", "builtins.float": "float64", "builtins.bool": "bool"}

// arrayOf is the shape and type of an array, or of a nested list of numbers.
func arrayOf(v value.Value) (Shape, DType, bool) {
	switch x := v.X.(type) {
	case *array:
		return x.shape, x.dtype, true
	case *frame:
		shape, ok := x.shape()
		return shape, "float64", ok
	case *series:
		return Shape{x.rows}, x.dtype, true
	case *picture:
		shape, ok := x.shape()
		return shape, "uint8", ok
	case int64:
		return Shape{}, "int64", true
	case float64:
		return Shape{}, "float64", true
	case bool:
		return Shape{}, "bool", true
	}
	if l, ok := v.X.(*value.List); ok {
		if like, ok := l.Sample(); ok {
			shape, d, ok := arrayOf(like)
			return append(Shape{None}, shape...), d, ok
		}
	}
	items, ok := sequence(v)
	if !ok || len(items) == 0 {
		return nil, "", false
	}
	if _, text := items[0].X.(string); text {
		return Shape{int64(len(items))}, "string", true
	}
	inner, d, ok := arrayOf(items[0])
	if !ok {
		return nil, "", false
	}
	return append(Shape{int64(len(items))}, inner...), d, true
}

// reshaped fills in the one dimension that may be left open.
func reshaped(from, to Shape) (Shape, bool) {
	all, ok := from.Elements()
	if !ok {
		return nil, false
	}
	out := append(Shape(nil), to...)
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
func (a *array) WhySingle() string {
	if len(a.shape) == 0 {
		return "it is computed of data that is not known"
	}
	return ""
}

// Common is the array of the shape that two arrays have. What is not known of one is as the
// other has it: arrays that stand in one list are seldom of several shapes.
func (a *array) Common(other value.Value) (value.Value, bool) {
	b, ok := other.X.(*array)
	if !ok || len(a.shape) != len(b.shape) || a.dtype != b.dtype {
		return value.Value{}, false
	}
	shape := slices.Clone(a.shape)
	for i, d := range b.shape {
		switch {
		case shape[i] < 0:
			shape[i] = d
		case d >= 0 && d != shape[i]:
			return value.Value{}, false
		}
	}
	return a.h.newArray(shape, a.dtype), true
}

func (a *array) Attr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "shape":
		shape := a.shape
		if of := a.labels(); of.hot && of.unread && a.h.end != nowhere {
			shape = shape.With(-1, a.h.unreadLabels().Count())
		}
		return shapeValue(shape), true
	case "ndim":
		return value.Value{X: int64(len(a.shape))}, true
	case "size":
		if n, ok := a.shape.Elements(); ok {
			return value.Value{X: n}, true
		}
	case "dtype":
		if a.dtype == "" {
			return a.h.unknown("what is in a column of a table is not known"), true
		}
		return value.Value{X: string(a.dtype)}, true
	case "T":
		return a.method(in, "transpose", &value.Args{}), true
	case "sort", "fill", "resize", "put", "itemset", "partition", "setflags":
		return method(func(*value.Interp, *value.Args) value.Value {
			a.forget()
			return value.Value{X: value.None{}}
		})
	case "tolist":
		return method(func(*value.Interp, *value.Args) value.Value {
			if a.known() == nil {
				return a.h.unknown("the numbers of an array of the shape %s are not known", a.shape)
			}
			return a.nested()
		})
	case "astype":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			d := a.dtype
			if v, ok := args.Get(0, "dtype"); ok {
				d = a.h.dtypeArgument(&value.Args{Keywords: value.Named("dtype", v)}, d)
			}
			return value.Value{X: a.converted(in, d)}
		})
	case "reshape", "transpose": // a.reshape(2, 3) is a.reshape((2, 3))
		return method(func(in *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) > 1 {
				with := *args
				with.Positional = []value.Value{{X: value.Tuple(args.Positional)}}
				args = &with
			}
			return a.method(in, name, args)
		})
	case "get_shape":
		return method(func(*value.Interp, *value.Args) value.Value { return shapeValue(a.shape) })
	case "set_shape":
		return method(func(_ *value.Interp, args *value.Args) value.Value {
			to, _ := args.Get(0, "shape")
			if said, ok := dims(to); ok {
				if shape, err := a.shape.Merged(said); err == nil {
					a.shape = shape
				}
			}
			return value.Value{X: value.None{}}
		})
	case "numpy", "toarray", "todense":
		return method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: a} })
	case "round", "clip":
		return method(func(*value.Interp, *value.Args) value.Value { return a.h.newArray(a.shape, a.dtype) })
	}
	if f, _ := functionNamed("numpy." + name); f != nil || numericFunctions[name] != nil {
		return method(func(in *value.Interp, args *value.Args) value.Value { return a.method(in, name, args) })
	}
	return a.h.unknown("%s of an array is not followed", name), true
}

// method is a method of the array that NumPy has as a function, too.
func (a *array) method(in *value.Interp, name string, args *value.Args) value.Value {
	with := *args
	with.Positional = append([]value.Value{{X: a}}, args.Positional...)
	if v, ok := a.h.array(in, "numpy."+name, &with); ok {
		return v
	}
	if f, short := functionNamed("numpy." + name); f != nil {
		return eager(a.h, f(a.h, in, short, symbolicArguments(a.h, &with)))
	}
	return a.h.unknown("the result of %s of an array", name)
}

// Iterate is the numbers of an array of one dimension, or the arrays that one of
// more, but not too many, is made of.
func (a *array) Iterate(in *value.Interp) ([]value.Value, bool) {
	known := a.known()
	switch {
	case len(a.shape) == 0 || a.shape[0] < 0 || known == nil && (len(a.shape) == 1 || a.shape[0] > mostRows):
		return nil, false
	case len(a.shape) == 1:
		return known, true
	}
	items := make([]value.Value, a.shape[0])
	for i := range items {
		items[i] = a.Index(in, value.Value{X: int64(i)})
	}
	return items, true
}

// Invert is ~a, of which nobody asks the numbers.
func (a *array) Invert(*value.Interp) value.Value { return a.h.newArray(a.shape, a.dtype) }

// SetItem forgets what is in an array; its shape stays.
func (a *array) SetItem(*value.Interp, value.Value, value.Value) { a.forget() }

// Len is len(a).
func (a *array) Len(*value.Interp) value.Value {
	if len(a.shape) == 0 || a.shape[0] < 0 {
		return a.h.unknown("the length of an array of the shape %s", a.shape)
	}
	return value.Value{X: a.shape[0]}
}

func (a *array) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	switch other.X.(type) {
	case *symbolicValue, *variable:
		return a.h.binaryOperator(in, op, value.Value{X: a}, other, reflected)
	}
	if b := a.h.asArray(in, other); b != nil {
		x, y := a, b
		if reflected {
			x, y = b, a
		}
		if out := x.arithmetic(in, op, y); out != nil {
			return out.scalar()
		}
	}
	shape, d, ok := arrayOf(other)
	if !ok {
		return a.h.unknownArray(other)
	}
	out, err := broadcast(a.shape, shape)
	if err != nil {
		return a.h.unknown("%s", err.Error())
	}
	result := a.dtype
	if len(shape) > 0 && d.Size() > result.Size() {
		result = d
	}
	if whole := strings.HasPrefix(string(result), "int") || strings.HasPrefix(string(result), "uint"); whole && (op == "/" || strings.HasPrefix(string(d), "float")) {
		result = "float64" // as NumPy has it
	}
	return a.h.newArray(out, result)
}

func (a *array) Call(in *value.Interp, args *value.Args) value.Value {
	return a.h.unknown("an array is called")
}

// builtin are the shapes of the data sets that come with Keras
// (keras/src/datasets).
var builtin = map[string]labelledData{
	"mnist":         {60000, 10000, Shape{28, 28}, Shape{}, 10},
	"fashion_mnist": {60000, 10000, Shape{28, 28}, Shape{}, 10},
	"cifar10":       {50000, 10000, Shape{32, 32, 3}, Shape{1}, 10},
	"cifar100":      {50000, 10000, Shape{32, 32, 3}, Shape{1}, 100},
	"imdb":          {25000, 25000, Shape{}, Shape{}, 2},
	"reuters":       {8982, 2246, Shape{}, Shape{}, 46},
}

// labelledData is examples of one shape, some of them to test with, and the label of each.
type labelledData struct {
	train, test    int64
	example, label Shape
	classes        int64
}

func (h *host) builtinData(name string, args *value.Args) (value.Value, bool) {
	set, ok := strings.CutSuffix(name, ".load_data")
	if !ok {
		return value.Value{}, false
	}
	switch set {
	case "california_housing":
		return pairs(h.newArray(Shape{16512, 8}, "float32"), h.newArray(Shape{16512}, "float32"), h.newArray(Shape{4128, 8}, "float32"), h.newArray(Shape{4128}, "float32")), true
	case "boston_housing":
		return pairs(h.newArray(Shape{404, 13}, "float64"), h.newArray(Shape{404}, "float64"), h.newArray(Shape{102, 13}, "float64"), h.newArray(Shape{102}, "float64")), true
	}
	d, ok := builtin[set]
	if !ok {
		return value.Value{}, false
	}
	trained := labels{classes: d.classes}
	if mode, given := args.Get(0, "label_mode"); set == "cifar100" && given {
		named, _ := mode.X.(string)
		trained.classes = map[string]int64{"fine": 100, "coarse": 20}[named]
	}
	if _, fewer := args.Keywords.Get("maxlen"); fewer {
		trained = labels{}
	}
	tested := trained
	if set == "reuters" { // of some classes there are few examples
		tested = labels{}
	}
	part := func(n int64, shape Shape, of labels) value.Value {
		return h.labelled(append(Shape{n}, shape...), "uint8", of)
	}
	return pairs(part(d.train, d.example, labels{}), part(d.train, d.label, trained), part(d.test, d.example, labels{}), part(d.test, d.label, tested)), true
}

func pairs(a, b, c, d value.Value) value.Value {
	return value.Value{X: value.Tuple{{X: value.Tuple{a, b}}, {X: value.Tuple{c, d}}}}
}

// categorical is keras.utils.to_categorical.
func (h *host) categorical(args *value.Args) value.Value {
	v, _ := args.Get(0, "x")
	r := &reader{args: args}
	classes := r.number(1, "num_classes", None)
	shape, _, ok := arrayOf(v)
	if !ok && classes == None && h.end != nowhere {
		return h.labelled(Shape{None, None}, "float32", labels{hot: true, unread: true})
	}
	if !ok {
		return h.unknownArray(v)
	}
	if len(shape) > 1 && shape.Last() == 1 {
		shape = shape[:len(shape)-1]
	}
	var of labels
	if a, ok := v.X.(*array); ok {
		n, known := a.classes()
		if classes == None && known {
			classes = n
		}
		of = labels{classes: n, hot: true}
	}
	return h.labelled(append(append(Shape(nil), shape...), classes), "float32", of)
}
