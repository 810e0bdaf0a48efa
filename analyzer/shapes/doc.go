// Package shapes has the functions on tensors, so far as they compute shapes: one function a name,
// for arrays whose numbers may be known, for symbolic tensors, and for layers. A dimension may be
// [tensor.None].
//
// It makes no results: its callers know how an operand gives its shape, and what becomes of it, an
// array or an operation of a graph. What a library refuses is an error.
package shapes

import (
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// Names are the names of functions, in the form of a row of a library's table.
func Names[T any](functions map[string]T) string {
	return strings.Join(slices.Sorted(maps.Keys(functions)), " ")
}

// raises is the error that a library raises.
func raises(format string, args ...any) error {
	return value.Refused(""+format, args...)
}

// notKnown is the error that something about a shape is not known.
func notKnown(format string, args ...any) error {
	return value.Because(value.ArrayShape, format, args...)
}
