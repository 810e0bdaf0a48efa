package shapes

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Joining is how tensors are joined: the shapes that they are given first, the dimension of
// these along which they are concatenated, and the shape of the result.
type Joining struct {
	Parts []tensor.Shape
	Axis  int
	Shape tensor.Shape
}

// Joins are the functions that join tensors. Each takes a shape to the one that is concatenated, and
// returns the axis for tensors of that shape (numpy/_core/shape_base.py,
// numpy/lib/_shape_base_impl.py).
var Joins = map[string]func(s tensor.Shape, args *value.Args) (part tensor.Shape, axis int, err error){
	"concat": concatenated(0), "concatenate": concatenated(0),
	BackendConcatenate: concatenated(-1), // tf_keras/src/backend.py
	"stack": func(s tensor.Shape, args *value.Args) (tensor.Shape, int, error) {
		at, err := AxisArgument(args, 1, 0, append(slices.Clone(s), 1))
		return slices.Insert(slices.Clone(s), at, 1), at, err
	},
	"hstack": func(s tensor.Shape, _ *value.Args) (tensor.Shape, int, error) {
		s = atLeast(1, s)
		return s, min(len(s)-1, 1), nil
	},
	"vstack": func(s tensor.Shape, _ *value.Args) (tensor.Shape, int, error) {
		return atLeast(2, s), 0, nil
	},
	"dstack": func(s tensor.Shape, _ *value.Args) (tensor.Shape, int, error) {
		return atLeast(3, s), 2, nil
	},
	"column_stack": func(s tensor.Shape, _ *value.Args) (tensor.Shape, int, error) {
		for len(s) < 2 {
			s = append(slices.Clone(s), 1)
		}
		return s, 1, nil
	},
}

// BackendConcatenate is the name of keras.backend.concatenate here, whose axis is the last one by
// default.
const BackendConcatenate = "backend.concatenate"

func concatenated(fallback int64) func(s tensor.Shape, args *value.Args) (tensor.Shape, int, error) {
	return func(s tensor.Shape, args *value.Args) (tensor.Shape, int, error) {
		at, err := AxisArgument(args, 1, fallback, s)
		return s, at, err
	}
}

// Join returns how the function of a name joins tensors.
func Join(name string, of []tensor.Shape, args *value.Args) (Joining, error) {
	j := Joining{Parts: make([]tensor.Shape, len(of))}
	for i, s := range of {
		var err error
		if j.Parts[i], j.Axis, err = Joins[name](s, args); err != nil {
			return j, err
		}
	}
	var err error
	j.Shape, err = Concatenate(j.Parts, j.Axis)
	return j, err
}

// Concatenate returns the shape of tensors that are concatenated along a dimension.
func Concatenate(parts []tensor.Shape, axis int) (tensor.Shape, error) {
	shape := slices.Clone(parts[0])
	for _, s := range parts[1:] {
		if len(s) != len(shape) {
			return nil, raises("%s and %s cannot be joined", parts[0], s)
		}
		for i, d := range s {
			switch {
			case i == axis && (shape[i] < 0 || d < 0):
				shape[i] = tensor.None
			case i == axis:
				shape[i] += d
			case shape[i] < 0:
				shape[i] = d
			case d >= 0 && d != shape[i]:
				return nil, raises("%s and %s differ in a dimension other than the one they are joined along", parts[0], s)
			}
		}
	}
	return shape, nil
}
