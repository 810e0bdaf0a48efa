package arrays

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/arrays/pandas"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Hinted returns a value with what a person says of it. wrong is why that cannot be so, a sentence.
// If ranges is set, a number may be a bound only. A default that nobody passes is no contradiction.
func Hinted(lib *numpy.Library, in *value.Interp, h *hints.Hint, v value.Value, ranges bool) (said value.Value, wrong string) {
	if value.Unsaid(v) || v.Overridable || numpy.IsUnknown(v) {
		return unknownHinted(lib, in, h, v)
	}
	if h.Kind == hints.Value {
		switch v.X.(type) {
		case int64, float64, bool, string:
			if known, ok := v.X.(int64); ok && h.Scalar == float64(known) || v.X == h.Scalar {
				return v, ""
			}
			if ranges {
				return value.Value{X: h.Scalar}, ""
			}
		}
		return v, fmt.Sprintf("The program says %s.", interp.Describe(in, v))
	}
	switch x := v.X.(type) {
	case *pandas.DataFrame:
		return x.Hinted(in, h)
	case *numpy.Array:
		return arrayHinted(h, x)
	}
	return v, fmt.Sprintf("The program says %s, which is no array and no table.", interp.Describe(in, v))
}

// unknownHinted makes a value of what is said alone. Arrays of unknown type are of float32.
func unknownHinted(lib *numpy.Library, in *value.Interp, h *hints.Hint, v value.Value) (said value.Value, wrong string) {
	switch h.Kind {
	case hints.Value:
		return value.Value{X: h.Scalar}, ""
	case hints.Shape:
		return lib.Array(slices.Clone(h.Shape), "float32"), ""
	case hints.Columns:
		return pandas.Sized(lib, in, tensor.None, h.Scalar.(int64), nil), ""
	}
	return pandas.Sized(lib, in, h.Scalar.(int64), tensor.None, v.Cause()), ""
}

// arrayHinted adds what is said of an array to what is known of its shape.
func arrayHinted(h *hints.Hint, a *numpy.Array) (said value.Value, wrong string) {
	shape := slices.Clone(a.Shape)
	set := func(i int, n int64) bool {
		if i >= len(shape) || n != tensor.None && shape[i] != tensor.None && shape[i] != n {
			return false
		}
		if n != tensor.None {
			shape[i] = n
		}
		return true
	}
	ok := true
	switch h.Kind {
	case hints.Rows:
		ok = set(0, h.Scalar.(int64))
	case hints.Columns:
		ok = len(shape) == 2 && set(1, h.Scalar.(int64))
	case hints.Shape:
		ok = len(h.Shape) == len(shape)
		for i, n := range h.Shape {
			ok = ok && set(i, n)
		}
	}
	if !ok {
		return value.Value{X: a}, "The program makes it an array of the shape " + a.Shape.String() + "."
	}
	if slices.Equal(shape, a.Shape) {
		return value.Value{X: a}, ""
	}
	out := *a
	out.Shape = shape
	return value.Value{X: &out}, ""
}
