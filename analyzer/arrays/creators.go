package arrays

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// creators are functions of NumPy and TensorFlow that take a shape first, and the type of their
// result.
var creators = map[string]tensor.DType{
	"numpy.zeros": "float64", "numpy.ones": "float64", "numpy.empty": "float64", "numpy.full": "float64", "numpy.ndarray": "float64",
	"numpy.random.random": "float64", "numpy.random.random_sample": "float64", "numpy.random.sample": "float64", "numpy.random.ranf": "float64", "numpy.random.standard_normal": "float64",
	"tensorflow.zeros": "float32", "tensorflow.ones": "float32", "tensorflow.fill": "float32",
	"tensorflow.random.normal": "float32", "tensorflow.random.uniform": "float32", "tensorflow.random.truncated_normal": "float32",
}

// distributions are the distributions of numpy.random, with the position of the size among the
// arguments, and the type (numpy/random/mtrand.pyx).
var distributions = map[string]struct {
	size  int
	dtype tensor.DType
}{
	"randint": {2, "int64"}, "normal": {2, "float64"}, "uniform": {2, "float64"}, "binomial": {2, "int64"}, "beta": {2, "float64"},
	"gamma": {2, "float64"}, "laplace": {2, "float64"}, "lognormal": {2, "float64"}, "poisson": {1, "int64"}, "exponential": {1, "float64"},
	"geometric": {1, "int64"}, "standard_exponential": {0, "float64"},
}

// drawn are the functions of Python's random that draw one number, and its type: the shape of a
// list of such numbers is known.
var drawn = map[string]tensor.DType{
	"random.random": "float64", "random.uniform": "float64", "random.gauss": "float64", "random.normalvariate": "float64", "random.triangular": "float64",
	"random.betavariate": "float64", "random.expovariate": "float64", "random.lognormvariate": "float64", "random.gammavariate": "float64",
	"random.randint": "int64", "random.randrange": "int64",
}

// ofStrings are the functions of tf.strings that return one value for each text, and its type
// (tensorflow/python/ops/string_ops.py).
var ofStrings = map[string]tensor.DType{
	"length": "int32", "lower": "string", "upper": "string", "strip": "string", "substr": "string", "regex_replace": "string",
	"regex_full_match": "bool", "to_number": "float32", "to_hash_bucket": "int64", "to_hash_bucket_fast": "int64", "to_hash_bucket_strong": "int64",
	"as_string": "string", "unicode_script": "int32", "unicode_transcode": "string",
}

// made answers for functions that create arrays.
func (lib *Library) made(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	if v, ok := lib.numeric(in, name, args); ok {
		return v, true
	}
	if function, ok := strings.CutPrefix(name, "tensorflow.image."); ok {
		if v, ok := lib.imageOf(function, args); ok {
			return v, true
		}
	}
	if function, ok := strings.CutPrefix(name, "tensorflow.strings."); ok {
		if d, ok := ofStrings[function]; ok {
			shape, _, ok := Of(objects.First(args))
			return lib.Array(shape, DTypeArgument(&value.Args{Keywords: args.Keywords}, d)), ok
		}
	}
	if drawn, ok := strings.CutPrefix(name, "numpy.random."); ok {
		if of, ok := distributions[drawn]; ok {
			v, given := args.Get(of.size, "size")
			if shape, known := objects.Dims(v); given && known {
				return lib.Array(shape, DTypeArgument(&value.Args{Keywords: args.Keywords}, of.dtype)), true
			}
			return Unknown(v), true
		}
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
			// The fill value follows the shape.
			filler, _ := args.Get(1, "fill_value")
			if _, _, known := Of(filler); !known {
				return objects.Unknown("the type of an array is not known: %s", objects.Because(filler)), true
			}
			if _, d, _ = Of(filler); name == "tensorflow.fill" && !typed(filler, 0) {
				d = ofTensor(d)
			}
			args = &value.Args{Keywords: args.Keywords, Node: args.Node}
		}
		position := 1
		if strings.HasPrefix(name, "tensorflow.random.") {
			position = 3 // after the limits, or the mean and the deviation
		}
		made := lib.filled(name, shape, DTypeAt(args, position, "dtype", d))
		if a, ok := made.X.(*Array); ok {
			a.Rows = v.Lit
			if items, several := objects.Sequence(v); several && len(items) > 0 {
				a.Rows = items[0].Lit
			}
		}
		return made, true
	}
	switch name {
	case "numpy.reshape": // of an unknown value
		to, _ := args.Get(1, "shape")
		if sizes, ok := objects.Sequence(to); ok && objects.First(args).Why() != "" {
			return lib.reshapedTo(sizes)
		}
	case "tensorflow.io.read_file":
		return lib.Array(tensor.Shape{}, "string"), true
	case "tensorflow.io.decode_jpeg", "tensorflow.io.decode_png", "tensorflow.io.decode_image", "tensorflow.io.decode_bmp",
		"tensorflow.image.decode_jpeg", "tensorflow.image.decode_png", "tensorflow.image.decode_image", "tensorflow.image.decode_bmp":
		// Images are of any size; without channels= the file decides their number.
		channels := r.number(1, "channels", 0)
		if channels == 0 {
			channels = tensor.None
		}
		d := tensor.DType("uint8")
		if strings.HasSuffix(name, "decode_png") || strings.HasSuffix(name, "decode_image") {
			d = DTypeAt(args, 2, "dtype", d)
		}
		return lib.Array(tensor.Shape{tensor.None, tensor.None, channels}, d), true
	case "tensorflow.io.decode_and_crop_jpeg", "tensorflow.image.decode_and_crop_jpeg":
		window, _ := args.Get(1, "crop_window") // offset, height and width
		to, ok := objects.Whole(window)
		channels := r.number(2, "channels", 0)
		if channels == 0 {
			channels = tensor.None
		}
		if !ok || len(to) != 4 {
			return lib.Array(tensor.Shape{tensor.None, tensor.None, channels}, "uint8"), true
		}
		return lib.Array(tensor.Shape{to[2], to[3], channels}, "uint8"), true
	case "tensorflow.io.decode_csv":
		return lib.fieldsOf(args), true
	case "tensorflow.image.resize":
		v, _ := args.Get(0, "images")
		size, _ := args.Get(1, "size")
		shape, d, ok := Of(v)
		to, known := objects.Dims(size)
		if !ok || !known || len(shape) < 3 || len(to) != 2 {
			return objects.Unknown("the shape of a resized image is not known"), true
		}
		n := len(shape)
		return lib.Array(append(append(tensor.Shape(nil), shape[:n-3]...), to[0], to[1], shape[n-1]), ResizedType(args, 2, d)), true
	case "tensorflow.one_hot":
		v, _ := args.Get(0, "indices")
		if shape, _, ok := Of(v); ok && args.Keywords.Value("axis").X == nil {
			return lib.Array(append(append(tensor.Shape(nil), shape...), r.number(1, "depth", tensor.None)), HotType(args)), true
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
	case "numpy.random.choice":
		v, ok := args.Get(1, "size")
		if shape, known := objects.Dims(v); ok && known {
			return lib.Array(shape, DTypeArgument(args, "int64")), true
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
	case "numpy.finfo", "numpy.iinfo":
		return lib.info(in, args), true
	case "numpy.arange": // longer than arrays with known numbers
		if n, ok := args.Get(0, "start"); ok && len(args.Positional) == 1 {
			if n.X == (value.None{}) { // with as many rows as there are
				return lib.Array(tensor.Shape{tensor.None}, DTypeArgument(&value.Args{Keywords: args.Keywords}, "int64")), true
			}
			if n, ok := n.Int(); ok {
				return lib.Array(tensor.Shape{n}, DTypeArgument(&value.Args{Keywords: args.Keywords}, "int64")), true
			}
		}
		if firstNotKnown(args) { // however many there are, and of which type
			return lib.Array(tensor.Shape{tensor.None}, DTypeArgument(&value.Args{Keywords: args.Keywords}, "")), true
		}
	case "numpy.zeros_like", "numpy.ones_like", "numpy.empty_like", "numpy.array", "numpy.asarray", "numpy.copy", "tensorflow.convert_to_tensor", "tensorflow.constant",
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
			if len(shape) == 0 && name == "numpy.float32" && (d == "int64" || d == "float64") {
				return value.Value{X: lib.numbered(tensor.Shape{}, "float32", []value.Value{{X: float(v)}})}, true
			}
			if len(shape) == 0 {
				return value.Value{}, false
			}
			if name == "numpy.float32" {
				d = "float32"
			}
			return lib.Array(shape, DTypeArgument(args, d)), true
		}
		_, isTable := v.X.(*dataFrame)
		l, isList := v.X.(*value.List)
		if isList && len(l.Items) == 0 && l.Open == "" {
			d := map[bool]tensor.DType{true: "float32", false: "float64"}[strings.HasPrefix(name, "tensorflow.")]
			return lib.Array(tensor.Shape{0}, DTypeArgument(args, d)), true
		}
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

// firstNotKnown reports whether the first argument is passed and unknown, and there are no
// splats.
func firstNotKnown(args *value.Args) bool {
	return args.Open == "" && len(args.Positional) > 0 && args.Positional[0].Why() != ""
}

// fieldsOf is tf.io.decode_csv: the fields of one line, or of several, with the types of the
// defaults.
func (lib *Library) fieldsOf(args *value.Args) value.Value {
	records, _ := args.Get(0, "records")
	defaults, _ := args.Get(1, "record_defaults")
	shape, _, ok := Of(records)
	items, known := objects.Sequence(defaults)
	if !ok || !known {
		return objects.Unknown("the fields of a line are not known: %s", objects.Because(value.Value{X: value.Tuple{records, defaults}}))
	}
	out := &value.List{}
	for _, item := range items {
		out.Items = append(out.Items, lib.Array(shape, FieldType(item)))
	}
	return value.Value{X: out}
}

// FieldType returns the type of a CSV field, given its default or the type itself
// (tensorflow/python/data/experimental/ops/readers.py, CsvDatasetV2).
func FieldType(given value.Value) tensor.DType {
	if items, ok := objects.Sequence(given); ok && len(items) > 0 {
		given = items[0]
	}
	switch x := given.X.(type) {
	case int64:
		return "int32"
	case string:
		if d, ok := tensor.DTypeOf("tensorflow." + x); ok { // the name of tf.float32
			return d
		}
		return "string"
	case *Array:
		return x.DType
	}
	return "float32"
}

// randomNumbers is a NumPy random generator object: its methods are the functions of
// numpy.random.
type randomNumbers struct {
	value.Base
	lib *Library
}

func (r *randomNumbers) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	if name == "integers" { // of numpy.random.default_rng
		name = "randint"
	}
	return value.Value{X: value.External{Name: "numpy.random." + name}}, true
}

// filled returns an array of zeros or ones. Of other arrays only the shape is known.
func (lib *Library) filled(name string, shape tensor.Shape, d tensor.DType) value.Value {
	const most = 4096 // larger arrays are data, whose numbers are never needed
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

// Shaped returns an array with the shape that a method implies even if its receiver is
// unknown for the reason why ([value.Host]).
func (lib *Library) Shaped(_ *value.Interp, method, why string, args *value.Args) (value.Value, bool) {
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

// reshapedTo returns an array with a shape. One dimension of it may be open, and so may the
// number of examples.
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
