package numpy

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Library answers for NumPy and for the libraries that use its arrays, in one run of a program.
// A [value.Host] holds and calls it.
type Library struct {
	Run  Run
	kept int // numbers, in all arrays
	// types are those of tensors whose shape is not known, by the cause of that.
	types map[*value.Cause]tensor.DType
	// On is where TensorFlow makes tensors now.
	On Placement
}

// NewLibrary returns a library for a new run.
func NewLibrary(run Run) *Library { return &Library{Run: run} }

// A Run is what arrays must know of the run of a program, and of the models that it creates.
type Run interface {
	objects.Ends
	// AtEnd reports whether the run assumes values for what is only known at run time. Otherwise
	// those values are unknown.
	AtEnd() bool
	// Keras returns the major version of Keras.
	Keras() int
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

// A Function answers the calls of a name. It returns the empty value for arguments that it does not
// answer for.
type Function func(c *Call) value.Value

// A Call is a call of a function or a class of a library.
type Call struct {
	Lib      *Library
	In       *value.Interp
	Name     string // without its module
	Function string // with it
	Args     *value.Args
}

type Table = library.Table[Function]

// Rows returns a table with a row for each row of another, whose names lack a prefix.
func Rows[T any](prefix string, of map[string]T, answer func(T) Function) Table {
	out := make(Table, len(of))
	for name, row := range of {
		out[prefix+name] = answer(row)
	}
	return out
}

// The tables. Those of owners have all that is known of their names; of the others the functions
// on tensors have more, which package keras knows.
type Registries struct {
	Owners, Functions *library.Registry[Function]
	Numeric           map[string]*NumericFunction // in numericModules
}

var Loaded func() Registries

// NumericNamed returns the function in one of numericModules with a qualified name, or nil.
func (r Registries) NumericNamed(name string) *NumericFunction {
	if i := strings.LastIndexByte(name, '.'); i > 0 && numericModules[name[:i]] {
		return r.Numeric[name[i+1:]]
	}
	return nil
}

func (lib *Library) Call(in *value.Interp, name string, args *value.Args) *Call {
	return &Call{lib, in, name[strings.LastIndexByte(name, '.')+1:], name, args}
}

// OnArrays answers for functions on tensors if their arguments are numbers or arrays. It returns
// the empty value for all others.
func (lib *Library) OnArrays(in *value.Interp, name string, args *value.Args) value.Value {
	c := lib.Call(in, name, args)
	if Modules[strings.TrimSuffix(name, "."+c.Name)] && strings.HasPrefix(name, "tensorflow.") {
		if v := c.onNumber(); v.X != nil {
			return v
		}
	}
	if lib.Run.Symbolic(args) {
		return value.Value{}
	}
	return c.onArrays()
}

// onArrays also passes on how many rows an array has of which nothing else is known.
func (c *Call) onArrays() value.Value {
	v := c.answered()
	if v.Known() {
		return v
	}
	n := c.rows()
	if n > 0 && v.X == nil {
		v = Unknown(objects.First(c.Args))
	}
	return v.OfLength(n)
}

// rows returns how many rows the result has if only those of the first argument are known; 0 if it
// is not known.
func (c *Call) rows() int64 {
	if i := strings.LastIndexByte(c.Function, '.'); i < 0 || !numericModules[c.Function[:i]] {
		return 0
	}
	axis, given := objects.Passed(c.Args, 1, "axis")
	n := LengthOf(objects.First(c.Args))
	switch c.Name {
	case "array", "asarray", "constant", "convert_to_tensor", "copy", "ascontiguousarray", "float32", "cast":
		return n
	case "concatenate", "concat":
		if parts, ok := objects.Sequence(objects.First(c.Args)); ok && (!given || axis.X == int64(0)) {
			all := int64(0)
			for _, part := range parts {
				n := LengthOf(part)
				if shape, _, ok := Of(part); ok && len(shape) > 0 {
					n = shape[0]
				}
				if n <= 0 {
					return 0
				}
				all += n
			}
			return all
		}
	case "stack":
		if !given || axis.X == int64(0) {
			return n
		}
	case "expand_dims":
		switch at, ok := axis.Int(); {
		case ok && at == 0 && c.Args.Open == nil:
			return 1
		case ok:
			return n
		}
	}
	return 0
}

// LengthOf returns how many rows a value has of which no shape is known; 0 if it is not known.
func LengthOf(v value.Value) int64 {
	if l, ok := v.X.(*value.List); ok && !l.Passes() {
		return l.Size()
	}
	return v.Length
}

func (c *Call) answered() value.Value {
	r := Loaded()
	if f, ok := r.Functions.Lookup(c.Function); ok {
		return f(c)
	}
	if f := r.NumericNamed(c.Function); f != nil {
		if v := c.numeric(f); v.X != nil {
			return v
		}
	}
	if f := WithoutNumbers[c.Function]; f != nil {
		return f(c)
	}
	return value.Value{}
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
