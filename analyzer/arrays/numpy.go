package arrays

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// numeric answers calls of functions on arrays with numbers that may be known: NumPy's, and those
// of libraries with the same names. It does not answer for arguments that are not arrays, nor for
// options that it does not know.
func (lib *Library) numeric(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	v, ok := lib.numericOf(in, name, args)
	if a, isArray := v.X.(*Array); isArray && makesTensor(name, args) {
		if d := ofTensor(a.DType); d != a.DType {
			v.X = a.converted(in, d)
		}
	}
	return v, ok
}

// makesTensor reports whether a TensorFlow function creates a tensor from Python numbers alone,
// without an explicit type.
func makesTensor(name string, args *value.Args) bool {
	if !strings.HasPrefix(name, "tensorflow.") || strings.HasPrefix(name, "tensorflow.experimental.numpy.") {
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

func (lib *Library) numericOf(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	short, ok := "", false
	for _, space := range []string{"numpy.", "tensorflow.experimental.numpy.", "tensorflow.keras.ops.", "tensorflow.math.", "tensorflow.nn.", "tensorflow."} {
		if short, ok = strings.CutPrefix(name, space); ok {
			break
		}
	}
	if short == "random.shuffle" || name == "random.shuffle" {
		if a, isArray := objects.First(args).X.(*Array); isArray {
			a.forget()
			return value.Value{X: value.None{}}, true
		}
	}
	if !ok || strings.Contains(short, ".") {
		return value.Value{}, false
	}
	switch short {
	case "copyto", "put", "fill_diagonal":
		if a, isArray := objects.First(args).X.(*Array); isArray {
			a.forget()
			return value.Value{X: value.None{}}, true
		}
	case "linspace":
		return lib.linspace(args)
	case "arange", "range":
		return lib.arange(in, args)
	case "eye", "identity", "tri":
		if short != "identity" || strings.HasPrefix(name, "numpy.") {
			return lib.triangle(short, args)
		}
	case "concatenate", "concat", "stack", "hstack", "vstack", "dstack", "column_stack":
		return lib.joined(in, short, args)
	case "meshgrid":
		return lib.meshgrid(in, args)
	}
	first := objects.First(args)
	if short == "array" || short == "asarray" || short == "constant" || short == "convert_to_tensor" {
		if v, ok := args.Keywords.Get("object"); ok {
			first = v
		}
	}
	a := lib.asArray(in, first)
	if a == nil {
		return value.Value{}, false
	}
	if f := numericFunctions[short]; f != nil && f.takes(args) {
		if out := f.run(&numericCall{lib: lib, in: in, name: short, function: name, args: args}, a); out.X != nil {
			return out, true
		}
	}
	return value.Value{}, false
}

// A numericCall is a call of a function on an array.
type numericCall struct {
	lib      *Library
	in       *value.Interp
	name     string // without its library
	function string // with it
	args     *value.Args
}

// A numericFunction computes something of an array; it returns a value of nothing if it cannot.
type numericFunction struct {
	keywords []string // that it knows, besides those of the array; others may change the result
	run      func(c *numericCall, a *Array) value.Value
}

// takes reports whether the function knows all keywords of a call.
func (f *numericFunction) takes(args *value.Args) bool {
	for name := range args.Keywords.Names() {
		if !slices.Contains(f.keywords, name) && name != "name" && name != "object" && !objects.NamesFirst(name) {
			return false
		}
	}
	return args.Open == ""
}

var numericFunctions = map[string]*numericFunction{}

func numericAs(run func(c *numericCall, a *Array) value.Value, keywords []string, names ...string) {
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
	numericAs((*numericCall).fold, []string{"axis", "keepdims"}, "sum", "prod", "max", "min", "amax", "amin", "mean", "reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "reduce_mean",
		"any", "all", "reduce_any", "reduce_all")
	numericAs((*numericCall).cumulate, nil, "cumsum", "cumprod")
	numericAs((*numericCall).sorted, []string{"return_counts"}, "sort", "unique")
	numericAs((*numericCall).counted, nil, "bincount")
	numericAs((*numericCall).product, nil, "dot", "matmul")
	numericAs((*numericCall).appended, []string{"values", "axis"}, "append")
	numericAs((*numericCall).deleted, []string{"axis"}, "delete")
	numericAs((*numericCall).padded, []string{"pad_width", "mode", "constant_values"}, "pad")
	numericAs((*numericCall).differences, []string{"n", "axis"}, "diff")
	numericAs((*numericCall).order, []string{"axis", "kind"}, "argsort")
	numericAs((*numericCall).atLeast, nil, "atleast_1d", "atleast_2d", "atleast_3d")
	numericAs((*numericCall).turned, []string{"k", "axes"}, "rot90")
	numericAs((*numericCall).mirrored, nil, "fliplr", "flipud")
	numericAs((*numericCall).statistic, []string{"q", "axis", "keepdims"}, "median", "nanmedian", "nanmean", "nanstd", "nanvar", "nansum", "nanmax", "nanmin", "percentile", "nanpercentile", "quantile", "nanquantile")
	numericAs((*numericCall).hottest, []string{"axis"}, "argmax")
}
