package tensor

import (
	"fmt"
	"slices"
)

// A Shape is the dimensions of a tensor, the batch first. None stands for an unknown dimension.
type Shape []int64

// MostDimensions is how many dimensions a tensor may have
// (tensorflow/core/framework/tensor_shape.h, MaxDimensions).
const MostDimensions = 254

// None is a dimension that is not known before data comes: usually the batch.
const None int64 = -1

// mostElements bounds the elements of a tensor: their bytes, at 16 each, are counted in 64 bits.
const mostElements = 1 << 58

// Elements returns the product of the dimensions. ok is false if one is None, or if the product
// is larger than any memory.
func (s Shape) Elements() (n int64, ok bool) {
	n = 1
	for _, d := range s {
		if d < 0 || d > 0 && n > mostElements/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// Product returns how many elements there are, or None.
func (s Shape) Product() int64 {
	if n, ok := s.Elements(); ok {
		return n
	}
	return None
}

func (s Shape) String() string {
	out := "("
	for i, d := range s {
		if i > 0 {
			out += ", "
		}
		if d < 0 {
			out += "None"
		} else {
			out += fmt.Sprint(d)
		}
	}
	if len(s) == 1 {
		out += ","
	}
	return out + ")"
}

// Last returns the last dimension, or None.
func (s Shape) Last() int64 {
	if len(s) == 0 {
		return None
	}
	return s[len(s)-1]
}

// With returns a copy of s with dimension i (from the end if negative) set.
func (s Shape) With(i int, d int64) Shape {
	out := append(Shape(nil), s...)
	if i < 0 {
		i += len(out)
	}
	out[i] = d
	return out
}

// WithBatch returns a copy of s with another batch, if it has one.
func (s Shape) WithBatch(batch int64) Shape {
	if len(s) == 0 {
		return s
	}
	return s.With(0, batch)
}

// Strides returns how far apart neighbours along each dimension lie, in elements.
func (s Shape) Strides() []int64 {
	out, n := make([]int64, len(s)), int64(1)
	for i := len(s) - 1; i >= 0; i-- {
		out[i] = n
		n *= s[i]
	}
	return out
}

// Merged returns the shape with the dimensions that said knows. It returns an error if the two
// contradict each other.
func (s Shape) Merged(said Shape) (Shape, error) {
	if len(said) != len(s) {
		return nil, fmt.Errorf("TensorFlow will raise: the shape %s is not %s", s, said)
	}
	out := slices.Clone(s)
	for i, n := range said {
		switch {
		case n < 0:
		case out[i] < 0:
			out[i] = n
		case out[i] != n:
			return nil, fmt.Errorf("TensorFlow will raise: the shape %s is not %s", s, said)
		}
	}
	return out, nil
}

// Broadcast returns the shape of an elementwise operation on tensors.
func Broadcast(all ...Shape) (out Shape, err error) {
	for i, s := range all {
		if i == 0 {
			out = s
		} else if out, err = broadcast(out, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func broadcast(a, b Shape) (Shape, error) {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := append(Shape(nil), a...)
	for i := range b {
		j := len(a) - len(b) + i
		switch {
		case a[j] == b[i] || b[i] == 1:
		case a[j] == 1:
			out[j] = b[i]
		case a[j] < 0:
			out[j] = b[i]
		case b[i] < 0:
		default:
			return nil, fmt.Errorf("TensorFlow will raise: the shapes %s and %s do not fit together", a, b)
		}
	}
	return out, nil
}
