package shapes

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Axis returns a dimension of a shape, counted from the front.
func Axis(axis int64, s tensor.Shape) (int, error) {
	at := axis
	if !value.InRange(&at, int64(len(s))) {
		return 0, raises("%d is not a dimension of %s", axis, s)
	}
	return int(at), nil
}

// AxisArgument returns the dimension that axis= names, or the fallback if it is not passed.
func AxisArgument(args *value.Args, position int, fallback int64, s tensor.Shape) (int, error) {
	n := fallback
	if v, ok := objects.Passed(args, position, "axis", "dim"); ok {
		if n, ok = v.Int(); !ok {
			return 0, notKnown("an axis is not known: %s", objects.Because(v))
		}
	}
	return Axis(n, s)
}

// Axes returns the dimensions that an argument names: all of them if it is not passed, or None.
func Axes(args *value.Args, position int, s tensor.Shape, names ...string) ([]int, error) {
	v, given := objects.Given(args, position, names...)
	if !given {
		return all(s), nil
	}
	if a, array := v.X.(row); array {
		v = value.Value{X: value.Tuple(a.Known())}
	}
	named, ok := objects.Dims(v)
	if !ok || len(named) == 0 {
		return nil, notKnown("an axis is not known: %s", objects.Because(v))
	}
	return Within(named, s)
}

// A row is an array that may name axes, as np.arange(1, 4) does: its numbers, if they are known.
type row interface{ Known() []value.Value }

// Within returns several dimensions of a shape, each counted from the front.
func Within(named []int64, s tensor.Shape) ([]int, error) {
	axes := make([]int, len(named))
	for i, axis := range named {
		var err error
		if axes[i], err = Axis(axis, s); err != nil {
			return nil, err
		}
	}
	return axes, nil
}

// all are the dimensions of a shape.
func all(s tensor.Shape) []int {
	axes := make([]int, len(s))
	for i := range axes {
		axes[i] = i
	}
	return axes
}

// Reduced returns a shape without some dimensions, or with a 1 in place of each.
func Reduced(s tensor.Shape, axes []int, keep bool) tensor.Shape {
	out := tensor.Shape{}
	for i, d := range s {
		switch {
		case !slices.Contains(axes, i):
			out = append(out, d)
		case keep:
			out = append(out, 1)
		}
	}
	return out
}
