// Package tensor is what tensors, arrays and variables have in common: a shape and a type of
// elements, and the arithmetic of those.
//
// It follows no program and holds no numbers but sizes. It knows none of the other packages.
package tensor

import "strings"

// A DType is the name of an element type, as in Keras.
type DType string

// Size is the bytes of an element; four where the type is not known.
func (d DType) Size() int64 {
	switch d {
	case "float16", "bfloat16", "int16", "uint16":
		return 2
	case "float64", "int64", "uint64", "complex64":
		return 8
	case "int8", "uint8", "bool":
		return 1
	case "complex128":
		return 16
	}
	return 4
}

// Floating reports whether the elements are floating-point numbers.
func (d DType) Floating() bool {
	switch d {
	case "float16", "bfloat16", "float32", "float64":
		return true
	}
	return false
}

// Complex returns the complex type with parts of the type.
func (d DType) Complex() DType {
	if d == "float64" {
		return "complex128"
	}
	return "complex64"
}

// Real returns the type of the parts of a complex type, or d itself if it is not complex.
func (d DType) Real() DType {
	switch d {
	case "complex64":
		return "float32"
	case "complex128":
		return "float64"
	}
	return d
}

// DTypeOf is the type that tf.float32 or np.uint8 names, by its qualified name.
func DTypeOf(name string) (DType, bool) {
	for _, prefix := range []string{"tensorflow.", "numpy.", "tensorflow.dtypes."} {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		switch rest {
		case "float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool", "string", "complex64", "complex128":
			return DType(rest), true
		case "half":
			return "float16", true
		}
	}
	return "", false
}
