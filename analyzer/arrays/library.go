// Package arrays models the data that programs prepare for Keras: the arrays of NumPy and eager
// tensors, the tables of pandas, results of scikit-learn, OpenCV, Pillow and scikit-image, the
// environments of Gymnasium, and the data sets in Keras.
//
// It tracks the shape and the type of an array, and the numbers if they are few and can be
// computed. It reads no file: what depends on data is unknown, with its reason, and the [Run]
// gives the values assumed at the bounds of a range. It knows value, objects and tensor and no
// Keras: what it needs of models it asks the Run, or the values of models that it meets.
package arrays

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Library answers for NumPy and for the libraries that use its arrays, in one run of a program.
// A [value.Host] holds and calls it.
type Library struct {
	run  Run
	kept int // numbers, in all arrays
}

// NewLibrary returns a library for a new run.
func NewLibrary(run Run) *Library { return &Library{run: run} }

// A Run is what arrays must know of the run of a program, and of the models that it creates.
type Run interface {
	objects.Ends
	// AtEnd reports whether the run assumes values for what is only known at run time. Otherwise
	// those values are unknown.
	AtEnd() bool
	// Symbolic reports whether symbolic tensors, or values made of them, are among arguments:
	// functions of those do not return arrays.
	Symbolic(args *value.Args) bool
	// Function returns a function on tensors by its qualified name, in its form for arrays; nil
	// if there is none.
	Function(name string) func(in *value.Interp, args *value.Args) value.Value
}

// operand is a symbolic tensor: it answers arithmetic with an array itself.
type operand interface {
	// WithArray is an operation of the array and the object, or of the object and the array
	// if reflected is set.
	WithArray(in *value.Interp, op string, array value.Value, reflected bool) value.Value
}

// policy is a dtype policy as an object.
type policy interface {
	// Stores returns the type of variables under the policy.
	Stores() tensor.DType
}

// Call answers for the functions and classes that are modelled, by their qualified names; ok is
// false for all others.
func (lib *Library) Call(in *value.Interp, name string, args *value.Args) (v value.Value, ok bool) {
	switch library, _, _ := strings.Cut(name, "."); library {
	case "sklearn":
		return lib.sklearn(in, name, args)
	case "random":
		if d := drawn[name]; d != "" {
			return lib.Array(tensor.Shape{}, d), true
		}
	case "pandas":
		return lib.pandas(in, name, args)
	case "gym", "gymnasium":
		return lib.gym(name, args)
	case "xgboost", "lightgbm", "catboost", "imblearn":
		return lib.estimator(name, args)
	}
	if data, ok := strings.CutPrefix(name, "tensorflow.keras.datasets."); ok {
		return lib.builtin(data, args)
	}
	if name == "tensorflow.keras.utils.to_categorical" {
		return lib.categorical(args), true
	}
	if v, ok := onNumber(in, name, args); ok {
		return v, true
	}
	if !lib.run.Symbolic(args) {
		if v, ok := lib.made(in, name, args); ok {
			return v, true
		}
	}
	return lib.pictures(name, args)
}
