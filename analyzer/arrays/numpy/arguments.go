package numpy

import (
	"cmp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Reader reads the arguments of a call. It records the first required argument that is unknown.
type Reader struct {
	Args *value.Args
	Why  *value.Cause
}

// Number returns an integer argument, or fallback if it is not passed.
func (r *Reader) Number(position int, keyword string, fallback int64) int64 {
	n, why := objects.IntArgument(r.Args, position, keyword, fallback)
	r.Why = cmp.Or(r.Why, why)
	return n
}

// float returns a floating-point argument.
func (r *Reader) float(position int, keyword string, fallback float64) float64 {
	x, why := objects.FloatArgument(r.Args, position, keyword, fallback)
	r.Why = cmp.Or(r.Why, why)
	return x
}

// DTypeArgument returns dtype=, or the second positional argument, as a type; fallback if no
// known one is passed.
func DTypeArgument(args *value.Args, fallback tensor.DType) tensor.DType {
	return DTypeAt(args, 1, "dtype", fallback)
}

// DTypeAt returns an argument as a type; fallback if no known one is passed.
func DTypeAt(args *value.Args, position int, keyword string, fallback tensor.DType) tensor.DType {
	v, ok := objects.Passed(args, position, keyword)
	if !ok {
		return fallback
	}
	switch x := v.X.(type) {
	case string:
		if d := pythonTypes["builtins."+x]; d != "" {
			return d
		}
		return tensor.DType(x)
	case policy: // a variable has the type that it stores
		return x.Stores()
	case value.External:
		if d, ok := tensor.DTypeOf(x.Name); ok {
			return d
		}
		if d := pythonTypes[x.Name]; d != "" {
			return d
		}
	}
	return fallback
}

// CreatedType returns the dtype= of a function that creates a tensor from a shape, by its name; it
// follows what else the function takes: a number, limits, or a mean and a deviation.
func CreatedType(name string, args *value.Args, fallback tensor.DType) tensor.DType {
	position := 3
	switch {
	case name == "zeros", name == "ones", name == "empty", name == "ndarray":
		position = 1
	case name == "full":
		position = 2
	case name == "fill": // whose third argument is a name
		position = -1
	case strings.HasPrefix(name, "stateless_"):
		position = 4
	}
	return DTypeAt(args, position, "dtype", fallback)
}

// ResizedType returns the output type of tf.image.resize and its like for images of a type:
// float32, unless the method, at a position, only selects pixels
// (tensorflow/python/ops/image_ops_impl.py, resize_images_v2).
func ResizedType(args *value.Args, position int, of tensor.DType) tensor.DType {
	method, _ := objects.Passed(args, position, "method")
	name, _ := method.X.(string)
	if external, ok := method.X.(value.External); ok {
		name = external.Name
	}
	if name == "nearest" || strings.HasSuffix(name, ".ResizeMethod.NEAREST_NEIGHBOR") || method.X == int64(1) { // in TensorFlow 1 it is 1
		return of
	}
	return "float32"
}

// HotType returns the type of tf.one_hot: its dtype, else that of on_value or off_value
// (tensorflow/python/ops/array_ops.py, one_hot).
func HotType(args *value.Args) tensor.DType {
	d := tensor.DType("float32")
	for i, name := range []string{"on_value", "off_value"} {
		v, _ := objects.Passed(args, 2+i, name)
		switch v.X.(type) {
		case int64:
			d = "int32"
		case bool:
			d = "bool"
		}
	}
	return DTypeAt(args, 5, "dtype", d)
}

// pythonTypes are NumPy's types for Python's.
var pythonTypes = map[string]tensor.DType{"builtins.int": "int64", "builtins.float": "float64", "builtins.bool": "bool"}
