package shapes

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Views are the functions that return the same numbers in the same order. What [Reshape] returns
// depends on more than one shape.
var Views = map[string]func(s tensor.Shape, args *value.Args) (tensor.Shape, error){
	"ravel": flat, "flatten": flat,
	"expand_dims": expandDims,
	"squeeze":     squeeze,
	"atleast_1d":  withAtLeast(1), "atleast_2d": withAtLeast(2), "atleast_3d": withAtLeast(3),
}

func flat(s tensor.Shape, _ *value.Args) (tensor.Shape, error) {
	return tensor.Shape{s.Product()}, nil
}

// expandDims adds dimensions, whose positions are counted in the result. Only keras.backend has a
// default, the last one.
func expandDims(s tensor.Shape, args *value.Args) (tensor.Shape, error) {
	v, given := objects.Passed(args, 1, "axis", "dim")
	places, ok := objects.Dims(v)
	if !given {
		places, ok = tensor.Shape{-1}, true
	}
	if !ok {
		return nil, notKnown("an axis is not known: %s", objects.Because(v))
	}
	out := make(tensor.Shape, len(s)+len(places))
	axes, err := Within(places, out)
	if err != nil {
		return nil, raises("%d is not a position for a dimension in %s", places[0], s)
	}
	for i := range out {
		if out[i] = 1; !slices.Contains(axes, i) && len(s) > 0 {
			out[i], s = s[0], s[1:]
		}
	}
	return out, nil
}

// squeeze drops dimensions of 1: those that are named, or all.
func squeeze(s tensor.Shape, args *value.Args) (tensor.Shape, error) {
	axes, err := Axes(args, 1, s, "axis", "squeeze_dims")
	if err != nil {
		return nil, err
	}
	if _, given := objects.Given(args, 1, "axis", "squeeze_dims"); !given {
		axes = slices.DeleteFunc(axes, func(i int) bool { return s[i] != 1 })
	}
	for _, i := range axes {
		if s[i] >= 0 && s[i] != 1 {
			return nil, raises("dimension %d of %s is not 1", i, s)
		}
	}
	return Reduced(s, axes, false), nil
}

func withAtLeast(n int) func(s tensor.Shape, args *value.Args) (tensor.Shape, error) {
	return func(s tensor.Shape, args *value.Args) (tensor.Shape, error) {
		if len(args.Positional) > 1 {
			return nil, notKnown("it returns several tensors")
		}
		return atLeast(n, s), nil
	}
}

// atLeast adds dimensions until there are n. Of three, a vector is in the middle, and a matrix in
// front (numpy/_core/shape_base.py, atleast_3d).
func atLeast(n int, s tensor.Shape) tensor.Shape {
	out := slices.Clone(s)
	for len(out) < n {
		if n == 3 && len(out) == 2 {
			out = append(out, 1)
		} else {
			out = slices.Insert(out, 0, 1)
		}
	}
	return out
}

// A Ratio is how many rows one tensor has for so many of another.
type Ratio struct{ Rows, Per int64 }

// Reduced returns the same ratio in its lowest terms.
func (r Ratio) Reduced() Ratio {
	a, b := r.Rows, r.Per
	for b != 0 {
		a, b = b, a%b
	}
	return Ratio{r.Rows / max(a, 1), r.Per / max(a, 1)}
}

// Reshape returns a shape with the size that is left open, so that the number of elements stays.
// If the first dimensions of both are unknown, rows is their ratio.
func Reshape(s, to tensor.Shape, rows Ratio) (tensor.Shape, error) {
	out := slices.Clone(to)
	var open []int
	rest := int64(1)
	for i, d := range to {
		if d < 0 {
			open = append(open, i)
		} else {
			rest *= d
		}
	}
	all, ok := s.Elements()
	switch {
	case ok && len(open) == 0 && all != rest, ok && len(open) == 1 && (rest == 0 || all%rest != 0):
		return nil, raises("%s cannot take the shape %s", s, to)
	case ok && len(open) == 1:
		out[open[0]] = all / rest
	case !ok && len(open) >= 2:
		first := len(open) - 1
		if open[first-1] != first-1 || len(s) < first || slices.ContainsFunc(s[:first], func(n int64) bool { return n >= 0 }) {
			break
		}
		// An overflow makes the size unknown.
		if n, ok := s[first:].Elements(); ok && rest*rows.Per > 0 && n*rows.Rows >= 0 && n*rows.Rows%(rest*rows.Per) == 0 {
			out[open[first]] = n * rows.Rows / (rest * rows.Per)
		}
	}
	return out, nil
}
