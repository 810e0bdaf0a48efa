package numpy

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// numeric answers calls of functions on arrays with numbers that may be known: NumPy's, and those
// of libraries with the same names.
func (c *Call) numeric(f *NumericFunction) value.Value {
	v := f.answer(c)
	if a, isArray := v.X.(*Array); isArray && makesTensor(c.Function, c.Args) {
		if d := ofTensor(a.DType); d != a.DType {
			v.X = a.converted(c.In, d)
		}
	}
	return v
}

// makesTensor reports whether a TensorFlow function creates a tensor from Python numbers alone,
// without an explicit type.
func makesTensor(name string, args *value.Args) bool {
	if !strings.HasPrefix(name, "tensorflow.") || strings.HasPrefix(name, "tensorflow.experimental.numpy.") || name == "tensorflow.linspace" {
		return false
	}
	_, given := args.Keywords.Get("dtype")
	short := name[strings.LastIndexByte(name, '.')+1:]
	given = given || len(args.Positional) > 1 && (short == "constant" || short == "convert_to_tensor")
	for _, v := range args.Positional {
		given = given || typed(v, 0)
	}
	for _, v := range args.Keywords.All() {
		given = given || typed(v, 0)
	}
	return !given
}

// typed reports whether a value has a type of its own, or contains one that has: Python's numbers
// have none.
func typed(v value.Value, depth int) bool {
	switch v.X.(type) {
	case nil, int64, float64, bool, string, value.None:
		return false
	}
	items, ok := objects.Sequence(v)
	return !ok || depth > 4 || slices.ContainsFunc(items[:min(len(items), 16)], func(v value.Value) bool { return typed(v, depth+1) })
}

// ofTensor returns the type that TensorFlow gives Python's numbers of a type
// (tensorflow/python/framework/constant_op.py).
func ofTensor(d tensor.DType) tensor.DType {
	switch d {
	case "int64":
		return "int32"
	case "float64":
		return "float32"
	}
	return d
}

// numericModules are the modules with NumPy's functions on arrays, or some of them under NumPy's
// names.
var numericModules = map[string]bool{
	"numpy": true, "tensorflow.experimental.numpy": true, "tensorflow.keras.ops": true, "tensorflow.math": true, "tensorflow.nn": true, "tensorflow": true,
}

// A NumericFunction is a row: the names of functions in numericModules that one method computes.
type NumericFunction struct {
	Names string
	// keywords are those that the functions know, besides those of the array. Calls with others
	// are not answered, as they may change the result.
	keywords string
	// run computes something of the first argument, an array; it returns a value of nothing if it
	// cannot. Functions whose first argument is not an array have make instead.
	run  func(c *Call, a *Array) value.Value
	make func(c *Call) value.Value
}

// answer answers a call. It does not answer for arguments that are not arrays, nor for options
// that the function does not know.
func (f *NumericFunction) answer(c *Call) value.Value {
	if f.make != nil {
		return f.make(c)
	}
	first := objects.First(c.Args)
	if c.Name == "array" || c.Name == "asarray" || c.Name == "constant" || c.Name == "convert_to_tensor" {
		if v, ok := c.Args.Keywords.Get("object"); ok {
			first = v
		}
	}
	if a := c.Lib.asArray(c.In, first); a != nil && f.takes(c.Args) {
		return f.run(c, a)
	}
	return value.Value{}
}

// takes reports whether the function knows all keywords of a call.
func (f *NumericFunction) takes(args *value.Args) bool {
	for name := range args.Keywords.Names() {
		if !slices.Contains(strings.Fields(f.keywords), name) && name != "name" && name != "object" && !objects.NamesFirst(name) {
			return false
		}
	}
	return args.Open == nil
}
