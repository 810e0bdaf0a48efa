package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// Joined is the array that is one of two: of a dimension in which they differ it is not
// known how long it is.
func (a *array) Joined(other value.Value) (value.Value, bool) {
	b, ok := other.X.(*array)
	if !ok || len(a.shape) != len(b.shape) || a.dtype != b.dtype {
		return value.Value{}, false
	}
	shape := slices.Clone(a.shape)
	for i, d := range b.shape {
		if d != shape[i] {
			shape[i] = None
		}
	}
	return a.h.newArray(shape, a.dtype), true
}
