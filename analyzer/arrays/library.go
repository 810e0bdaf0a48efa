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
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"
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

// A function answers the calls of a name. It returns the empty value for arguments that it does not
// answer for.
type function func(c *libraryCall) value.Value

// A libraryCall is a call of a function or a class of a library.
type libraryCall struct {
	lib      *Library
	in       *value.Interp
	name     string // without its module
	function string // with it
	args     *value.Args
}

type table = library.Table[function]

// rows returns a table with a row for each row of another, whose names lack a prefix.
func rows[T any](prefix string, of map[string]T, answer func(T) function) table {
	out := make(table, len(of))
	for name, row := range of {
		out[prefix+name] = answer(row)
	}
	return out
}

// The tables. Those of owners have all that is known of their names; of the others the functions
// on tensors have more, which package keras knows.
type registries struct {
	owners, functions *library.Registry[function]
	numeric           map[string]*numericFunction // in numericModules
}

var loaded func() registries

func init() { loaded = library.Once(load) } // the tables' functions call loaded

func ownerTables() []table {
	return slices.Concat(sklearnTable, gymTable, datasetTable, []table{pandasTable, pictures, {
		"tensorflow.keras.utils.to_categorical": (*libraryCall).categorical,
		"random.shuffle":                        (*libraryCall).overwritten,
	}, rows("", drawn, func(d tensor.DType) function {
		return func(c *libraryCall) value.Value { return c.lib.Array(tensor.Shape{}, d) }
	})})
}

func load() (r registries, err error) {
	if r.owners, err = library.New(ownerTables()...); err != nil {
		return r, err
	}
	functions := slices.Concat(creatorFunctions, imageFunctions)
	if r.functions, err = library.New(functions...); err != nil {
		return r, err
	}
	r.numeric = map[string]*numericFunction{}
	for _, family := range [][]numericFunction{shapeFunctions, numberFunctions, editFunctions, makeFunctions, labelFunctions} {
		for i := range family {
			for name := range strings.FieldsSeq(family[i].names) {
				if r.numeric[name] != nil {
					return r, fmt.Errorf("%s has two owners among the functions on arrays", name)
				}
				r.numeric[name] = &family[i]
			}
		}
	}
	for _, t := range functions {
		for name := range t {
			if r.numericNamed(name) != nil || r.owners.Has(name) {
				return r, fmt.Errorf("%s has two owners", name)
			}
		}
	}
	return r, nil
}

// numericNamed returns the function in one of numericModules with a qualified name, or nil.
func (r registries) numericNamed(name string) *numericFunction {
	if i := strings.LastIndexByte(name, '.'); i > 0 && numericModules[name[:i]] {
		return r.numeric[name[i+1:]]
	}
	return nil
}

func (lib *Library) call(in *value.Interp, name string, args *value.Args) *libraryCall {
	return &libraryCall{lib, in, name[strings.LastIndexByte(name, '.')+1:], name, args}
}

// Call answers for the functions and classes that are modelled, by their qualified names; ok is
// false for all others.
func (lib *Library) Call(in *value.Interp, name string, args *value.Args) (v value.Value, ok bool) {
	if f, ok := loaded().owners.Lookup(name); ok {
		v = f(lib.call(in, name, args))
	} else {
		v = lib.OnArrays(in, name, args)
	}
	return v, v.X != nil
}

// OnArrays answers for functions on tensors if their arguments are numbers or arrays. It returns
// the empty value for all others.
func (lib *Library) OnArrays(in *value.Interp, name string, args *value.Args) value.Value {
	c := lib.call(in, name, args)
	if Modules[strings.TrimSuffix(name, "."+c.name)] && strings.HasPrefix(name, "tensorflow.") {
		if v := c.onNumber(); v.X != nil {
			return v
		}
	}
	if lib.run.Symbolic(args) {
		return value.Value{}
	}
	return c.onArrays()
}

func (c *libraryCall) onArrays() value.Value {
	r := loaded()
	if f, ok := r.functions.Lookup(c.function); ok {
		return f(c)
	}
	if f := r.numericNamed(c.function); f != nil {
		if v := c.numeric(f); v.X != nil {
			return v
		}
	}
	if f := withoutNumbers[c.function]; f != nil {
		return f(c)
	}
	return value.Value{}
}

// Owned returns the names, and the families of names, that no functions on tensors have: those that
// package arrays alone answers for.
func Owned() (names []string) {
	for _, t := range ownerTables() {
		names = slices.AppendSeq(names, maps.Keys(t))
	}
	return names
}

// Modules are the modules with functions on tensors.
var Modules = map[string]bool{
	"tensorflow": true, "tensorflow.math": true, "tensorflow.nn": true, "tensorflow.linalg": true, "tensorflow.signal": true, "tensorflow.image": true,
	"tensorflow.random": true, "tensorflow.quantization": true, "tensorflow.dtypes": true, "tensorflow.experimental.numpy": true,
	"tensorflow.compat.v1": true, "tensorflow.compat.v1.nn": true, "tensorflow.compat.v1.math": true,
	"tensorflow.keras.ops": true, "tensorflow.keras.ops.image": true, "tensorflow.keras.ops.nn": true, "tensorflow.keras.ops.numpy": true, "tensorflow.keras.ops.linalg": true,
	"tensorflow.keras.backend": true, "tensorflow.keras.applications": true, "tensorflow.keras.activations": true, "tensorflow.keras.random": true, "tensorflow.keras.utils": true,
	"numpy": true, "numpy.linalg": true,
}
