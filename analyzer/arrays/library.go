// Package arrays is what programs make before Keras sees it: the arrays of NumPy and eager
// tensors, the tables of pandas, what scikit-learn, OpenCV, Pillow and scikit-image make of
// them, the environments of Gymnasium, and the data sets that come with Keras.
//
// Of an array it follows the shape and the type, and the numbers where they are few and can be
// computed. It reads no file: what only the data tell is unknown, with its reason, and what
// they are taken to be at the ends of a range is said by the [Run]. It knows value, objects and
// tensor and no Keras: what it must know of models it asks the Run, or the values of models
// that it meets.
package arrays

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Library answers for NumPy and for the libraries whose data are its arrays, in one run of a
// program. A [value.Host] holds it and asks it.
type Library struct {
	run  Run
	kept int // numbers, in all arrays
}

// NewLibrary is a library for a run that is about to begin.
func NewLibrary(run Run) *Library { return &Library{run: run} }

// A Run is what arrays must know of the run of a program, and of the models that it makes.
type Run interface {
	objects.Ends
	// AtEnd reports whether what only a run decides is taken to be anything; where it is not,
	// it is not known.
	AtEnd() bool
	// Symbolic reports whether tensors of a model, or values made of them, are among
	// arguments: functions of those do not return arrays.
	Symbolic(args *value.Args) bool
	// Function is a function on tensors by its qualified name, as it works on arrays; nil
	// where there is none.
	Function(name string) func(in *value.Interp, args *value.Args) value.Value
}

// operand is a tensor of a model: arithmetic of it and an array is the model's business.
type operand interface {
	// WithArray is an operation of the array and the object, or of the object and the array
	// if reflected is set.
	WithArray(in *value.Interp, op string, array value.Value, reflected bool) value.Value
}

// policy is a dtype policy as an object.
type policy interface {
	// Stores is the type of variables under the policy.
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
