package numpy

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// EditFunctions are the functions on several arrays, and those of whose result only the shape and
// the type are known.
var EditFunctions = []NumericFunction{
	{Names: "dot matmul", run: (*Call).product},
	{Names: "append", keywords: "values axis", run: (*Call).appended},
	{Names: "delete", keywords: "axis", run: (*Call).deleted},
	{Names: "pad", keywords: "pad_width mode constant_values", run: (*Call).padded},
	{Names: "diff", keywords: "n axis", run: (*Call).differences},
	{Names: "ediff1d", keywords: "to_end to_begin", run: (*Call).flatDifferences},
	{Names: "trim_zeros", keywords: "trim axis", run: (*Call).trimmed},
	{Names: "kron", keywords: "b", run: (*Call).kronecker},
	{Names: "argsort", keywords: "axis kind", run: (*Call).order},
	{Names: "rot90", keywords: "k axes", run: (*Call).turned},
	{Names: "fliplr flipud", run: (*Call).mirrored},
	{
		Names:    "median nanmedian nanmean nanstd nanvar nansum nanmax nanmin percentile nanpercentile quantile nanquantile",
		keywords: "q axis keepdims", run: (*Call).statistic,
	},
	{Names: "average", keywords: "axis keepdims", run: (*Call).statistic},
	{Names: "cov corrcoef", keywords: "y rowvar bias dtype", run: (*Call).covariance},
	{Names: "where", run: (*Call).where},
	{Names: "nonzero", run: (*Call).nonzero},
	{Names: "diag", run: (*Call).diagonal},
	{Names: "copyto put fill_diagonal", make: (*Call).Overwritten},
}

// where is numpy.where: elements of one of two arrays, or the places of those that are not zero.
func (c *Call) where(a *Array) value.Value {
	if len(c.Args.Positional) != 3 || !strings.HasPrefix(c.Function, "numpy.") {
		return c.nonzero(a)
	}
	x, y := c.Lib.asArray(c.In, c.Args.Positional[1]), c.Lib.asArray(c.In, c.Args.Positional[2])
	if x == nil || y == nil {
		return value.Value{}
	}
	shape, err := tensor.Broadcast(a.Shape, x.Shape, y.Shape)
	if err != nil {
		return objects.Unknown(value.ArrayShape, "%s", err)
	}
	return c.Lib.Array(shape, wider(x, y))
}

// nonzero is numpy.nonzero: an array of places for each dimension. How many there are depends on
// the data.
func (c *Call) nonzero(a *Array) value.Value {
	if len(a.Shape) == 0 || len(c.Args.Positional) != 1 || !strings.HasPrefix(c.Function, "numpy.") {
		return value.Value{}
	}
	var places value.Tuple
	for range a.Shape {
		places = append(places, c.Lib.Array(tensor.Shape{tensor.None}, "int64"))
	}
	return value.Value{X: places}
}

// diagonal is numpy.diag: a matrix with a diagonal, or the diagonal of a matrix.
func (c *Call) diagonal(a *Array) value.Value {
	switch {
	case len(c.Args.Positional) != 1 || !strings.HasPrefix(c.Function, "numpy."):
	case len(a.Shape) == 1:
		return c.Lib.Array(tensor.Shape{a.Shape[0], a.Shape[0]}, a.DType)
	case len(a.Shape) == 2:
		return c.Lib.Array(tensor.Shape{min(a.Shape[0], a.Shape[1])}, a.DType) // None if one of them is
	}
	return value.Value{}
}

// Overwritten is a function that writes into its first argument.
func (c *Call) Overwritten() value.Value {
	if a, isArray := objects.First(c.Args).X.(*Array); isArray {
		a.forget()
		return value.Value{X: value.None{}}
	}
	return value.Value{}
}

// product is numpy.matmul or numpy.dot; TensorFlow's take more arguments.
func (c *Call) product(a *Array) value.Value {
	second, ok := objects.Passed(c.Args, 1, "b", "x2")
	b := c.Lib.asArray(c.In, second)
	if !ok || b == nil || len(c.Args.Positional) != 2 || !strings.HasPrefix(c.Function, "numpy.") {
		return value.Value{}
	}
	return a.product(b, c.Name == "dot")
}

// product is the matrix product of two arrays, or numpy.dot.
func (a *Array) product(b *Array, dot bool) value.Value {
	shape, _, err := shapes.MatMul(a.Shape, b.Shape)
	if dot {
		shape, err = shapes.Dot(a.Shape, b.Shape)
	}
	if err != nil {
		return objects.Unknown(value.WillRaise, "a matrix product of the shapes %s and %s: ValueError", a.Shape, b.Shape)
	}
	return a.Lib.Array(shape, promoted(a.DType, b.DType))
}

// flat returns the flattened array, and whether its length is known.
func (a *Array) flat() (*Array, bool) {
	n, ok := a.Shape.Elements()
	return a.reshaped(tensor.Shape{n}), ok
}

// along returns the array, flattened if no axis= is passed at its position, and the axis.
func (c *Call) along(a *Array, position int) (*Array, int, bool) {
	if _, given := objects.Given(c.Args, position, "axis"); !given {
		a, ok := a.flat()
		return a, 0, ok
	}
	axis, err := shapes.AxisArgument(c.Args, position, 0, a.Shape)
	return a, axis, err == nil
}

// appended is numpy.append: both are flattened if no axis is passed.
func (c *Call) appended(a *Array) value.Value {
	second, _ := objects.Passed(c.Args, 1, "values", "x2")
	b := c.Lib.asArray(c.In, second)
	if b == nil {
		return value.Value{}
	}
	a, axis, ok := c.along(a, 2)
	b, _, ok2 := c.along(b, 2)
	shape, err := shapes.Concatenate([]tensor.Shape{a.Shape, b.Shape}, axis)
	if !ok || !ok2 || err != nil {
		return value.Value{}
	}
	return value.Value{X: c.Lib.concatenated([]*Array{a, b}, axis, shape)}
}

// deleted is numpy.delete of the places in a list, or of one.
func (c *Call) deleted(a *Array) value.Value {
	a, axis, ok := c.along(a, 2)
	v, _ := objects.Passed(c.Args, 1, "obj")
	out, known := objects.Dims(plain(v))
	if !ok || !known || a.Shape[axis] < 0 || a.Shape[axis] > MostNumbers {
		return value.Value{}
	}
	left := UpTo(a.Shape[axis])
	for _, place := range out {
		if !value.InRange(&place, a.Shape[axis]) {
			return value.Value{} // an error
		}
		left = slices.DeleteFunc(left, func(i int64) bool { return i == place })
	}
	return value.Value{X: a.taken(axis, left)}
}

// padded is numpy.pad, which takes more forms of a width than TensorFlow's.
func (c *Call) padded(a *Array) value.Value {
	width, _ := objects.Passed(c.Args, 1, "pad_width")
	shape, err := shapes.Pad(a.Shape, plain(width))
	if err != nil {
		return value.Value{}
	}
	return c.Lib.Array(shape, a.DType)
}

// differences is the differences of neighbours along a dimension, repeated n times.
func (c *Call) differences(a *Array) value.Value {
	r := &Reader{Args: c.Args}
	n := r.Number(1, "n", 1)
	shape, err := shapes.Diff(a.Shape, n, c.Args)
	if err != nil || r.Why != nil || n < 0 {
		return value.Value{}
	}
	return c.Lib.Array(shape, a.DType)
}

// flatDifferences is numpy.ediff1d: the differences of neighbours in the flattened array, between
// what to_begin and to_end add (numpy/lib/_arraysetops_impl.py, ediff1d).
func (c *Call) flatDifferences(a *Array) value.Value {
	n, ok := a.Shape.Elements()
	if !ok || a.DType == "bool" || len(c.Args.Positional) > 3 { // of bools: an error
		return value.Value{}
	}
	n = max(0, n-1)
	for i, name := range []string{"to_end", "to_begin"} {
		v, given := objects.Given(c.Args, 1+i, name)
		if !given {
			continue
		}
		added := c.Lib.asArray(c.In, v)
		if added == nil || added.DType.Floating() && !a.DType.Floating() { // an error
			return value.Value{}
		}
		more, ok := added.Shape.Elements()
		if !ok {
			return value.Value{}
		}
		n += more
	}
	return c.Lib.Array(tensor.Shape{n}, a.DType)
}

// trimmed is numpy.trim_zeros: the length depends on the numbers. A list stays a list, which is no
// array (numpy/lib/_function_base_impl.py, trim_zeros).
func (c *Call) trimmed(a *Array) value.Value {
	axes, err := shapes.Axes(c.Args, 2, a.Shape, "axis")
	if objects.First(c.Args).X != a || err != nil {
		return value.Value{}
	}
	side := "fb"
	if v, given := objects.Passed(c.Args, 1, "trim"); given {
		text, _ := v.X.(string)
		side = strings.ToLower(text)
	}
	if side != "f" && side != "b" && side != "fb" && side != "bf" {
		return value.Value{}
	}
	if items := a.Known(); items != nil && len(a.Shape) == 1 && len(axes) == 1 {
		zero := func(i int) bool { return items[i].X == false || objects.IsNumber(items[i]) && float(items[i]) == 0 }
		from, to := 0, len(items)
		for strings.Contains(side, "f") && from < to && zero(from) {
			from++
		}
		for strings.Contains(side, "b") && from < to && zero(to-1) {
			to--
		}
		return value.Value{X: a.taken(0, UpTo(int64(len(items)))[from:to])}
	}
	shape := slices.Clone(a.Shape)
	for _, axis := range axes {
		if shape[axis] != 0 {
			shape[axis] = tensor.None
		}
	}
	return c.Lib.Array(shape, a.DType)
}

// kronecker is numpy.kron: the array repeats as a block, scaled by each number of the first. The
// sizes are multiplied, from the last one (numpy/lib/_shape_base_impl.py, kron).
func (c *Call) kronecker(a *Array) value.Value {
	second, _ := objects.Passed(c.Args, 1, "b", "x2")
	b := c.Lib.asArray(c.In, second)
	if b == nil || len(c.Args.Positional)+c.Args.Keywords.Len() != 2 || strings.HasPrefix(c.Function, "tensorflow.keras.") {
		return value.Value{} // keras.ops has types of its own
	}
	_, _, shape, err := shapes.Tile(a.Shape, objects.ShapeValue(b.Shape))
	if err != nil || len(shape) == 0 {
		return value.Value{} // an unknown number
	}
	return c.Lib.Array(shape, wider(&Array{Shape: shape, DType: a.DType}, &Array{Shape: shape, DType: b.DType})) // a number is an array, too
}

// order is numpy.argsort. Its numbers are never needed.
func (c *Call) order(a *Array) value.Value {
	if at, _ := objects.Passed(c.Args, 1, "axis"); at.X == (value.None{}) || len(a.Shape) == 0 || len(c.Args.Positional) > 2 {
		return value.Value{}
	}
	d := tensor.DType("int64")
	if !strings.HasPrefix(c.Function, "numpy.") {
		d = "int32"
	}
	return c.Lib.Array(a.Shape, d)
}

// turned is numpy.rot90: an odd number of rotations swaps two dimensions.
func (c *Call) turned(a *Array) value.Value {
	r := &Reader{Args: c.Args}
	k := r.Number(1, "k", 1)
	axes := []int64{0, 1}
	if v, given := objects.Passed(c.Args, 2, "axes"); given {
		if axes, _ = objects.Whole(v); len(axes) != 2 {
			return value.Value{}
		}
	}
	turned, err := shapes.Within(axes, a.Shape)
	if r.Why != nil || err != nil {
		return value.Value{}
	}
	shape := slices.Clone(a.Shape)
	if k%2 != 0 {
		shape[turned[0]], shape[turned[1]] = shape[turned[1]], shape[turned[0]]
	}
	return c.Lib.Array(shape, a.DType)
}

// mirrored reverses along a dimension: the shape stays.
func (c *Call) mirrored(a *Array) value.Value { return c.Lib.Array(a.Shape, a.DType) }

// statistic is a number for the elements along dimensions, or one for each requested quantile, in
// front.
func (c *Call) statistic(a *Array) value.Value {
	keep := c.Args.Keywords.Value("keepdims")
	position, front := 1, tensor.Shape(nil)
	if strings.HasSuffix(c.Name, "quantile") || strings.HasSuffix(c.Name, "percentile") {
		q, _ := objects.Passed(c.Args, 1, "q")
		quantiles := c.Lib.asArray(c.In, q)
		if quantiles == nil {
			return value.Value{}
		}
		position, front = 2, quantiles.Shape
	}
	axes, err := shapes.Axes(c.Args, position, a.Shape, "axis")
	if err != nil || len(c.Args.Positional) > 2 || keep.X != nil && keep.X != true && keep.X != false {
		return value.Value{}
	}
	return c.Lib.Array(slices.Concat(front, shapes.Reduced(a.Shape, axes, keep.X == true)), c.statisticType(a.DType, len(front) > 0))
}

// statisticType returns the type of a statistic of numbers of the type d: a floating one stays, but
// for several quantiles NumPy takes the type of these (numpy/lib/_nanfunctions_impl.py,
// numpy/lib/_function_base_impl.py; keras/src/backend/tensorflow/numpy.py, median and quantile).
func (c *Call) statisticType(d tensor.DType, quantiles bool) tensor.DType {
	ops := strings.HasPrefix(c.Function, "tensorflow.keras.ops.")
	switch {
	case c.Name == "nanmax", c.Name == "nanmin", d.Floating() && (ops || !quantiles):
		return d
	case c.Name == "nansum" && strings.HasPrefix(string(d), "uint"):
		return "uint64"
	case c.Name == "nansum":
		return "int64"
	case ops:
		return OpsReduced("median", d)
	}
	return "float64"
}

// covariance is numpy.cov or corrcoef: a number for each pair of variables, which are the rows, or
// the columns without rowvar=. A single variable has one number (numpy/lib/_function_base_impl.py,
// cov).
func (c *Call) covariance(a *Array) value.Value {
	byRow := true
	if v, given := objects.Passed(c.Args, 2, "rowvar"); given {
		var ok bool
		if byRow, ok = v.X.(bool); !ok {
			return value.Value{}
		}
	}
	most := 3
	if c.Name == "cov" {
		most = 4 // bias=, which changes numbers alone
	}
	if len(c.Args.Positional) > most || len(a.Shape) > 2 || !strings.HasPrefix(c.Function, "numpy.") { // keras.ops has types of its own
		return value.Value{}
	}
	first := variables(a.Shape, byRow || len(a.Shape) == 1)
	n := first[0]
	d := covarianceType(a)
	if v, given := objects.Given(c.Args, 1, "y"); given {
		b := c.Lib.asArray(c.In, v)
		if b == nil || len(b.Shape) > 2 {
			return value.Value{}
		}
		other := variables(b.Shape, true)
		if other[0] < 0 && !byRow {
			return value.Value{} // NumPy transposes all but one row
		}
		other = variables(b.Shape, byRow || other[0] == 1)
		if first[1] >= 0 && other[1] >= 0 && first[1] != other[1] && n != 0 {
			return value.Value{} // an error
		}
		switch {
		case n < 0 || other[0] < 0:
			n = tensor.None
		case n > 0: // of no variables it is empty, whatever y is
			n += other[0]
		}
		if e := covarianceType(b); d == "" || e == "" {
			d = ""
		} else if e != "float64" {
			d = e
		}
	}
	if v, given := c.Args.Keywords.Get("dtype"); given && v.X != (value.None{}) && d != "" {
		if d = DTypeArgument(&value.Args{Keywords: c.Args.Keywords}, ""); !d.Floating() {
			return value.Value{}
		}
	}
	if n < 0 || n == 1 || d == "" {
		return value.Value{} // one variable: an unknown number
	}
	return c.Lib.Array(tensor.Shape{n, n}, d)
}

// variables returns how many variables there are in an array of at most two dimensions, and how
// often each was observed.
func variables(s tensor.Shape, byRow bool) [2]int64 {
	of := [2]int64{1, 1}
	copy(of[2-len(s):], s)
	if !byRow {
		of[0], of[1] = of[1], of[0]
	}
	return of
}

// covarianceType returns the type of covariances of an array, at least float64; "" if it has none.
func covarianceType(a *Array) tensor.DType {
	switch {
	case strings.HasPrefix(string(a.DType), "complex"):
		return "complex128"
	case a.DType == "", classOf(a.DType) == classOthers:
		return ""
	}
	return "float64"
}
