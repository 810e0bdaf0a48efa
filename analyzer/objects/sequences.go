package objects

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A vector is an object that is read like a tuple: a tensor that gives a shape.
type vector interface{ Items() []value.Value }

// Sequence returns the items of a tuple or list.
func Sequence(v value.Value) ([]value.Value, bool) {
	switch x := v.X.(type) {
	case value.Tuple:
		return x, true
	case *value.List:
		return x.Items, x.Open == nil
	case vector:
		return x.Items(), true
	}
	return nil, false
}

// Whole reads a tuple or list of integers. None stands for an unknown one, and becomes
// [tensor.None].
func Whole(v value.Value) ([]int64, bool) {
	items, ok := Sequence(v)
	if !ok {
		return nil, false
	}
	out := make([]int64, 0, len(items))
	for _, i := range items {
		switch x := i.X.(type) {
		case int64:
			out = append(out, x)
		case value.None:
			out = append(out, tensor.None)
		case float64:
			if x != float64(int64(x)) {
				return nil, false
			}
			out = append(out, int64(x))
		default:
			return nil, false
		}
	}
	return out, true
}

// Dims reads a shape: a tuple, or a number for one dimension.
func Dims(v value.Value) (tensor.Shape, bool) {
	if n, ok := v.Int(); ok {
		return tensor.Shape{n}, true
	}
	s, ok := Whole(v)
	return tensor.Shape(s), ok
}

// OpenRows reads a shape, like [Dims]. How many rows there are may be unknown, as where each is made of
// a file that is found: that is [tensor.None].
func OpenRows(v value.Value) (tensor.Shape, bool) {
	items, ok := Sequence(v)
	if !ok || len(items) < 2 || items[0].Known() {
		return Dims(v)
	}
	inner, ok := Dims(value.Value{X: value.Tuple(items[1:])})
	return append(tensor.Shape{tensor.None}, inner...), ok
}

// An ofRun is a value whose numbers only a run knows, such as a tensor. OfRun returns its shape.
type ofRun interface {
	OfRun() (shape tensor.Shape, ok bool)
}

// Sizes reads a shape, like [Dims]. Numbers that a run computes become [tensor.None].
func Sizes(v value.Value) (tensor.Shape, bool) {
	if shape, ok := runShape(v); ok {
		if len(shape) == 1 && 0 <= shape[0] && shape[0] <= maxRank {
			return slices.Repeat(tensor.Shape{tensor.None}, int(shape[0])), true
		}
		return tensor.Shape{tensor.None}, len(shape) == 0
	}
	items, ok := Sequence(v)
	if !ok {
		return Dims(v)
	}
	read := slices.Clone(items)
	for i, item := range read {
		if shape, ok := runShape(item); ok && len(shape) == 0 {
			read[i].X = value.None{}
		}
	}
	return Dims(value.Value{X: value.Tuple(read)})
}

// maxRank is the most dimensions that a tensor has (tensorflow/core/framework/tensor_shape.h).
const maxRank = 254

func runShape(v value.Value) (tensor.Shape, bool) {
	if x, ok := v.X.(ofRun); ok {
		return x.OfRun()
	}
	return nil, false
}

// ShapeValue returns a shape as Python sees it: a tuple.
func ShapeValue(s tensor.Shape) value.Value {
	var t value.Tuple
	for _, d := range s {
		if d < 0 {
			t = append(t, value.Value{X: value.None{}})
		} else {
			t = append(t, value.Value{X: d})
		}
	}
	return value.Value{X: t}
}

// IsNumber reports whether a value is a Python number.
func IsNumber(v value.Value) bool {
	switch v.X.(type) {
	case int64, float64, bool:
		return true
	}
	return false
}

// NumbersTo returns the numbers from 0 to n-1.
func NumbersTo(n int64) []value.Value {
	items := make([]value.Value, n)
	for i := range items {
		items[i].X = int64(i)
	}
	return items
}
