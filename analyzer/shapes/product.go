package shapes

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/tensor"
)

// MatMul returns the shape of a matrix product, whose further dimensions, the batch, are broadcast.
// A vector is a row on the left and a column on the right, which is dropped.
func MatMul(a, b tensor.Shape) (shape, batch tensor.Shape, err error) {
	left, rows, right, columns, err := factors(a, b)
	if err == nil {
		batch, err = tensor.Broadcast(left, right)
	}
	return slices.Concat(batch, rows, columns), batch, err
}

// Dot returns the shape of numpy.dot, which keeps all further dimensions of both
// (numpy/_core/_add_newdocs.py, dot).
func Dot(a, b tensor.Shape) (tensor.Shape, error) {
	left, rows, right, columns, err := factors(a, b)
	return slices.Concat(left, rows, right, columns), err
}

// factors returns the parts of two shapes that their product has.
func factors(a, b tensor.Shape) (left, rows, right, columns tensor.Shape, err error) {
	if len(a) == 0 || len(b) == 0 {
		return nil, nil, nil, nil, raises("a product of the shapes %s and %s", a, b)
	}
	inner, other := a.Last(), b.Last()
	if n := len(a); n > 1 {
		left, rows = a[:n-2], a[n-2:n-1]
	}
	if n := len(b); n > 1 {
		right, columns, other = b[:n-2], b[n-1:], b[n-2]
	}
	if inner >= 0 && other >= 0 && inner != other {
		err = raises("a product of the shapes %s and %s", a, b)
	}
	return left, rows, right, columns, err
}
