package keras

import (
	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/value"
)

// What arrays ask of the run and of its models ([arrays.Run]).

// AtEnd reports whether the program is evaluated at one of the bounds.
func (h *host) AtEnd() bool { return h.bound != unbounded }

// Symbolic reports whether symbolic tensors are among the arguments.
func (h *host) Symbolic(args *value.Args) bool {
	symbolic, _ := kinds(args)
	return symbolic
}

// Function returns a function on tensors in its form for arrays.
func (h *host) Function(name string) func(in *value.Interp, args *value.Args) value.Value {
	f, short := functionNamed(name)
	if f == nil {
		return nil
	}
	return func(in *value.Interp, args *value.Args) value.Value {
		return eager(h, f(h, in, short, symbolicArguments(h, args)))
	}
}

// WithArray is an operation of an array and the tensor.
func (v *symbolicValue) WithArray(in *value.Interp, op string, array value.Value, reflected bool) value.Value {
	return v.h.binaryOperator(in, op, array, value.Value{X: v}, reflected)
}

// WithArray is an operation of an array and the variable.
func (v *variable) WithArray(in *value.Interp, op string, array value.Value, reflected bool) value.Value {
	return v.h.binaryOperator(in, op, array, value.Value{X: v}, reflected)
}

// Stores is the type in which layers store their variables.
func (p *policyValue) Stores() DType {
	_, d := types(p.name)
	return d
}

// Shaped is the result of a method of an unknown value ([value.Host]).
func (h *host) Shaped(in *value.Interp, method string, why *value.Cause, args *value.Args) (value.Value, bool) {
	return h.arrays.Shaped(in, method, why, args)
}

// Named is an attribute of a data type, which is represented by its name ([value.Host]).
func (h *host) Named(text, attribute string) (value.Value, bool) {
	return arrays.TypeAttr(text, attribute)
}

func (h *host) newArray(shape Shape, d DType) value.Value { return h.arrays.Array(shape, d) }

func (h *host) unknownArray(of value.Value) value.Value { return arrays.Unknown(of) }

func (h *host) dtypeArgument(args *value.Args, fallback DType) DType {
	return arrays.DTypeArgument(args, fallback)
}

// asArrays converts tables and columns to arrays, as Keras takes them, also inside of lists and
// other containers.
func asArrays(v value.Value) value.Value { return each(v, arrays.FromTable) }
