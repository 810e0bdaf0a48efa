package numpy

import (
	"errors"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
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
var distributions = map[string]distribution{
	"randint": {2, "int64"}, "normal": {2, "float64"}, "uniform": {2, "float64"}, "binomial": {2, "int64"}, "beta": {2, "float64"},
	"gamma": {2, "float64"}, "laplace": {2, "float64"}, "lognormal": {2, "float64"}, "poisson": {1, "int64"}, "exponential": {1, "float64"},
	"geometric": {1, "int64"}, "standard_exponential": {0, "float64"},
}

type distribution struct {
	size  int
	dtype tensor.DType
}

// drawnFor is what a distribution draws without a size: a number for each element of its
// parameters.
func (lib *Library) drawnFor(args *value.Args, parameters int, d tensor.DType) value.Value {
	shape := tensor.Shape{}
	add := func(v value.Value) (err error) {
		if _, none := v.X.(value.None); none {
			return nil
		}
		of, _, ok := Of(v)
		if !ok {
			return errors.New("it is not an array")
		}
		shape, err = tensor.Broadcast(shape, of)
		return err
	}
	for _, v := range args.Positional[:min(len(args.Positional), parameters)] {
		if add(v) != nil {
			return Unknown(v)
		}
	}
	for name, v := range args.Keywords.All() {
		if name != "size" && name != "dtype" && add(v) != nil {
			return Unknown(v)
		}
	}
	return lib.Array(shape, d)
}

// Drawn are the functions of Python's random that draw one number, and its type: the shape of a
// list of such numbers is known.
var Drawn = map[string]tensor.DType{
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

// CreatorFunctions are the functions that create an array of a shape, of random numbers, of a
// file, or of something else that is not an array.
var CreatorFunctions = []Table{
	Rows("", creators, func(d tensor.DType) Function {
		return func(c *Call) value.Value { return c.created(d) }
	}),
	Rows("numpy.random.", distributions, func(of distribution) Function {
		return func(c *Call) value.Value { return c.draw(of) }
	}),
	Rows("tensorflow.strings.", ofStrings, func(d tensor.DType) Function {
		return func(c *Call) value.Value { return c.ofEachText(d) }
	}),
	{
		"numpy.random.rand": (*Call).normals, "numpy.random.randn": (*Call).normals,
		"numpy.random.choice":              (*Call).choice,
		"numpy.random.permutation":         (*Call).permutation,
		"numpy.random.multivariate_normal": (*Call).multivariateNormal,
		"numpy.random.RandomState":         (*Call).generator, "numpy.random.default_rng": (*Call).generator,
		"numpy.random.shuffle":                                  (*Call).Overwritten,
		"tensorflow.experimental.numpy.random.shuffle":          (*Call).Overwritten,
		"numpy.finfo":                                           (*Call).info,
		"numpy.iinfo":                                           (*Call).info,
		"tensorflow.io.read_file":                               (*Call).file,
		"tensorflow.io.decode_csv":                              (*Call).fields,
		"tensorflow.io.decode_jpeg":                             (*Call).decodedImage,
		"tensorflow.io.decode_png":                              (*Call).decodedImage,
		"tensorflow.io.decode_image":                            (*Call).decodedImage,
		"tensorflow.io.decode_bmp":                              (*Call).decodedImage,
		"tensorflow.image.decode_jpeg":                          (*Call).decodedImage,
		"tensorflow.image.decode_png":                           (*Call).decodedImage,
		"tensorflow.image.decode_image":                         (*Call).decodedImage,
		"tensorflow.image.decode_bmp":                           (*Call).decodedImage,
		"tensorflow.io.decode_and_crop_jpeg":                    (*Call).croppedImage,
		"tensorflow.image.decode_and_crop_jpeg":                 (*Call).croppedImage,
		"tensorflow.image.resize":                               (*Call).resizedImage,
		"tensorflow.one_hot":                                    (*Call).oneHot,
		"tensorflow.signal.linear_to_mel_weight_matrix":         (*Call).melMatrix,
		"tensorflow.keras.utils.pad_sequences":                  (*Call).paddedSequences,
		"tensorflow.keras.preprocessing.sequence.pad_sequences": (*Call).paddedSequences,
		"numpy.zeros_like":                                      (*Call).like, "numpy.ones_like": (*Call).like, "numpy.empty_like": (*Call).like,
		"tensorflow.zeros_like": (*Call).like, "tensorflow.ones_like": (*Call).like,
		"numpy.float32": (*Call).like, "tensorflow.cast": (*Call).like,
	},
}

// WithoutNumbers are the functions of numericModules that are answered here too, for arguments
// that the module's function does not take: those without known numbers.
var WithoutNumbers = Table{
	"numpy.reshape":      (*Call).reshapedUnknown,
	"tensorflow.reshape": (*Call).asserted,
	"numpy.arange":       (*Call).longRange,
	"numpy.array":        (*Call).like, "numpy.asarray": (*Call).like, "numpy.copy": (*Call).like, "numpy.ascontiguousarray": (*Call).like,
	"tensorflow.convert_to_tensor": (*Call).like, "tensorflow.constant": (*Call).like, "tensorflow.identity": (*Call).like,
	"tensorflow.keras.ops.array": (*Call).like, "tensorflow.keras.ops.convert_to_tensor": (*Call).like,
}

// created is a function that takes a shape first, and returns an array of the type d unless
// another one is passed.
func (c *Call) created(d tensor.DType) value.Value {
	name, args := c.Function, c.Args
	v, given := args.Get(0, "shape")
	if !given {
		v, given = args.Get(0, "size")
	}
	shape, known := objects.OpenRows(v)
	if !given || !known {
		return Unknown(v)
	}
	if name == "numpy.full" || name == "tensorflow.fill" {
		// The fill value follows the shape.
		filler, _ := args.Get(1, "fill_value")
		if _, _, known := Of(filler); !known {
			return objects.Unknown(value.ArrayShape, "the type of an array is not known: %s", objects.Because(filler))
		}
		if _, d, _ = Of(filler); name == "tensorflow.fill" && !typed(filler, 0) {
			d = ofTensor(d)
		}
	}
	made := c.Lib.filled(name, shape, CreatedType(c.Name, args, d))
	if a, ok := made.X.(*Array); ok {
		a.unwritten = slices.Contains(reserving, name)
		a.Rows = v.Lit
		if items, several := objects.Sequence(v); several && len(items) > 0 {
			a.Rows = items[0].Lit
		}
	}
	return made
}

// draw is a function of numpy.random that draws from a distribution.
func (c *Call) draw(of distribution) value.Value {
	d := DTypeArgument(&value.Args{Keywords: c.Args.Keywords}, of.dtype)
	v, given := objects.Given(c.Args, of.size, "size")
	if !given {
		return c.Lib.drawnFor(c.Args, of.size, d)
	}
	if shape, known := objects.OpenRows(v); known {
		return c.Lib.Array(shape, d)
	}
	return Unknown(v)
}

// ofEachText is a function of tf.strings that returns a value of the type d for each text.
func (c *Call) ofEachText(d tensor.DType) value.Value {
	shape, _, ok := Of(objects.First(c.Args))
	if !ok {
		return value.Value{}
	}
	if c.Function == "tensorflow.strings.to_number" {
		return c.Lib.Array(shape, DTypeAt(c.Args, 1, "out_type", d))
	}
	return c.Lib.Array(shape, d)
}

// reshapedUnknown is numpy.reshape of an unknown value.
func (c *Call) reshapedUnknown() value.Value {
	to, _ := c.Args.Get(1, "shape")
	if sizes, ok := objects.Sequence(to); ok && objects.First(c.Args).Cause() != nil {
		return c.Lib.reshapedTo(sizes)
	}
	return value.Value{}
}

func (c *Call) file() value.Value { return c.Lib.Array(tensor.Shape{}, "string") }

// decodedImage is an image in a file. Images are of any size; without channels= the file decides
// their number.
func (c *Call) decodedImage() value.Value {
	r := &Reader{Args: c.Args}
	channels := r.Number(1, "channels", 0)
	if channels == 0 {
		channels = tensor.None
	}
	d := tensor.DType("uint8")
	if c.Name == "decode_png" || c.Name == "decode_image" {
		d = DTypeAt(c.Args, 2, "dtype", d)
	}
	return c.Lib.Array(tensor.Shape{tensor.None, tensor.None, channels}, d)
}

// croppedImage is a window of a JPEG file.
func (c *Call) croppedImage() value.Value {
	r := &Reader{Args: c.Args}
	window, _ := c.Args.Get(1, "crop_window") // offset, height and width
	to, ok := objects.Whole(window)
	channels := r.Number(2, "channels", 0)
	if channels == 0 {
		channels = tensor.None
	}
	if !ok || len(to) != 4 {
		return c.Lib.Array(tensor.Shape{tensor.None, tensor.None, channels}, "uint8")
	}
	return c.Lib.Array(tensor.Shape{to[2], to[3], channels}, "uint8")
}

// resizedImage is tf.image.resize.
func (c *Call) resizedImage() value.Value {
	v, _ := c.Args.Get(0, "images")
	size, _ := c.Args.Get(1, "size")
	of, d, ok := Of(v)
	shape, err := shapes.Resize(of, size)
	if !ok || err != nil {
		return objects.Unknown(value.ArrayShape, "the shape of a resized image is not known")
	}
	return c.Lib.Array(shape, ResizedType(c.Args, 2, d))
}

// oneHot is tf.one_hot.
func (c *Call) oneHot() value.Value {
	r := &Reader{Args: c.Args}
	v, _ := c.Args.Get(0, "indices")
	of, _, ok := Of(v)
	shape, err := shapes.OneHot(of, r.Number(1, "depth", tensor.None), 4, c.Args)
	if !ok || err != nil {
		return value.Value{}
	}
	return c.Lib.Array(shape, HotType(c.Args))
}

// melMatrix is tf.signal.linear_to_mel_weight_matrix.
func (c *Call) melMatrix() value.Value {
	r := &Reader{Args: c.Args}
	mels, bins := r.Number(0, "num_mel_bins", 20), r.Number(1, "num_spectrogram_bins", 129)
	if r.Why != nil {
		return objects.Unknown(value.ArrayShape, "the shape of a matrix is not known: %s", r.Why)
	}
	return c.Lib.Array(tensor.Shape{bins, mels}, DTypeArgument(&value.Args{Keywords: c.Args.Keywords}, "float32"))
}

// normals is numpy.random.rand or randn of some dimensions.
func (c *Call) normals() value.Value {
	shape := tensor.Shape{}
	for _, a := range c.Args.Positional {
		n, ok := a.Int()
		if !ok {
			return Unknown(a)
		}
		shape = append(shape, n)
	}
	return c.Lib.Array(shape, "float64")
}

// choice draws from an array, or from the numbers below one; without a size it is one of them.
func (c *Call) choice() value.Value {
	from, _ := objects.Passed(c.Args, 0, "a")
	of, d, known := Of(from)
	if _, whole := from.Int(); whole || !known {
		d = "int64"
	}
	size, given := objects.Given(c.Args, 1, "size")
	if !given {
		if !known || len(of) > 1 {
			return Unknown(from)
		}
		return c.Lib.Array(tensor.Shape{}, d)
	}
	if shape, known := objects.Dims(size); known {
		return c.Lib.Array(shape, DTypeArgument(c.Args, d))
	}
	return Unknown(size)
}

func (c *Call) permutation() value.Value {
	x, _ := c.Args.Get(0, "x")
	shape, d, ok := Of(x)
	if n, whole := x.Int(); whole {
		return c.Lib.Array(tensor.Shape{n}, "int64")
	}
	if !ok {
		return Unknown(x)
	}
	return c.Lib.Array(shape, d)
}

func (c *Call) multivariateNormal() value.Value {
	mean, _ := c.Args.Get(0, "mean")
	shape, _, ok := Of(mean)
	size, given := c.Args.Get(2, "size")
	rows, known := objects.Dims(size)
	if !ok || len(shape) != 1 || given && !known {
		return Unknown(value.Value{X: value.Tuple{mean, size}})
	}
	return c.Lib.Array(append(rows, shape[0]), "float64")
}

func (c *Call) generator() value.Value {
	return value.Value{X: &randomNumbers{"a generator of random numbers", c.Lib}}
}

// longRange is numpy.arange of more numbers than are known of arrays, or of how many is not
// known.
func (c *Call) longRange() value.Value {
	keywords := &value.Args{Keywords: c.Args.Keywords}
	if n, ok := c.Args.Get(0, "start"); ok && len(c.Args.Positional) == 1 {
		if n.X == (value.None{}) { // with as many rows as there are
			return c.Lib.Array(tensor.Shape{tensor.None}, DTypeArgument(keywords, "int64"))
		}
		if n, ok := n.Int(); ok {
			return c.Lib.Array(tensor.Shape{n}, DTypeArgument(keywords, "int64"))
		}
	}
	if firstNotKnown(c.Args) { // however many there are, and of which type
		return c.Lib.Array(tensor.Shape{tensor.None}, DTypeArgument(keywords, ""))
	}
	return value.Value{}
}

// like is an array of the shape of another, or of what becomes one.
func (c *Call) like() value.Value {
	name, args := c.Function, c.Args
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
			return value.Value{X: c.Lib.numbered(tensor.Shape{}, "float32", []value.Value{{X: float(v)}})}
		}
		if len(shape) == 0 {
			return value.Value{}
		}
		if name == "numpy.float32" {
			d = "float32"
		}
		return c.Lib.Array(shape, DTypeArgument(args, d))
	}
	if d := DTypeArgument(args, ""); name == "tensorflow.cast" && IsUnknown(v) && d != "" {
		return c.Lib.OfUnknownShape(d, Reason(v.Cause()))
	}
	_, isTable := v.X.(numeric)
	l, isList := v.X.(*value.List)
	if isList && len(l.Items) == 0 && l.Open == nil {
		d := map[bool]tensor.DType{true: "float32", false: "float64"}[strings.HasPrefix(name, "tensorflow.")]
		return c.Lib.Array(tensor.Shape{0}, DTypeArgument(args, d))
	}
	if isOpen := isList && l.Open != nil; isOpen || isTable || strings.HasPrefix(name, "numpy.") && objects.UnknownIn(v) != nil {
		return Unknown(v)
	}
	return value.Value{}
}

// paddedSequences is keras.utils.pad_sequences.
func (c *Call) paddedSequences() value.Value {
	r := &Reader{Args: c.Args}
	v, _ := c.Args.Get(0, "sequences")
	many := tensor.None // of a text that is not read
	if shape, _, ok := Of(v); ok && len(shape) > 0 {
		many = shape[0]
	}
	if length := r.Number(1, "maxlen", tensor.None); length >= 0 && r.Why == nil {
		d := DTypeArgument(&value.Args{Keywords: c.Args.Keywords}, "int32")
		return c.Lib.Array(tensor.Shape{many, length}, d)
	}
	return objects.Unknown(value.DataDependent, "the length of the longest sequence depends on the data")
}

// firstNotKnown reports whether the first argument is passed and unknown, and there are no
// splats.
func firstNotKnown(args *value.Args) bool {
	return args.Open == nil && len(args.Positional) > 0 && args.Positional[0].Cause() != nil
}

// fields is tf.io.decode_csv: the fields of one line, or of several, with the types of the
// defaults.
func (c *Call) fields() value.Value {
	records, _ := c.Args.Get(0, "records")
	defaults, _ := c.Args.Get(1, "record_defaults")
	shape, _, ok := Of(records)
	items, known := objects.Sequence(defaults)
	if !ok || !known {
		return objects.Unknown(value.ArrayShape, "the fields of a line are not known: %s", objects.Because(value.Value{X: value.Tuple{records, defaults}}))
	}
	out := &value.List{}
	for _, item := range items {
		out.Items = append(out.Items, c.Lib.Array(shape, FieldType(item)))
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
func (lib *Library) Shaped(_ *value.Interp, method string, why *value.Cause, args *value.Args) (value.Value, bool) {
	if method != "reshape" && method != "set_shape" || !why.Begins(ShapeUnknown) {
		return value.Value{}, false
	}
	to := args.Positional
	if given, ok := args.Get(0, "shape"); ok && len(to) < 2 {
		if to, ok = objects.Sequence(given); !ok {
			return value.Value{}, false
		}
	}
	if method == "set_shape" {
		d, known := lib.types[why]
		if !known {
			return value.Value{}, false
		}
		shaped := lib.shapedAs(to, d)
		return shaped, shaped.X != nil
	}
	shaped := lib.reshapedTo(to)
	return shaped, shaped.X != nil
}

// reshapedTo returns an array with a shape. One dimension of it may be open, and so may the
// number of examples.
func (lib *Library) reshapedTo(to []value.Value) value.Value { return lib.shapedAs(to, "float64") }

// shapedAs is reshapedTo for another type.
func (lib *Library) shapedAs(to []value.Value, d tensor.DType) value.Value {
	shape := make(tensor.Shape, len(to))
	for i, size := range to {
		n, ok := size.Int()
		switch {
		case ok && n >= 0:
			shape[i] = n
		case ok || i == 0 && size.Cause() != nil, size.X == value.None{}:
			shape[i] = tensor.None
		default:
			return value.Value{}
		}
	}
	if len(shape) == 0 {
		return value.Value{}
	}
	return lib.Array(shape, d)
}
