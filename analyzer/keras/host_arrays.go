package keras

import (
	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/value"
)

// What arrays ask of the run and of its models ([arrays.Run]).

// AtEnd tells whether the program is followed at one of the ends.
func (h *host) AtEnd() bool { return h.bound != unbounded }

// Symbolic tells whether tensors of a model are among arguments.
func (h *host) Symbolic(args *value.Args) bool {
	symbolic, _ := kinds(args)
	return symbolic
}

// Function is a function on tensors as it works on arrays.
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

// Stores is the type that layers store their variables in.
func (p *policyValue) Stores() DType {
	_, d := types(p.name)
	return d
}

// Shaped is what a method makes of what is not known ([value.Shaper]).
func (h *host) Shaped(in *value.Interp, method, why string, args *value.Args) (value.Value, bool) {
	return h.arrays.Shaped(in, method, why, args)
}

// Named is an attribute of a data type, which is its name here ([value.TypeNamer]).
func (h *host) Named(text, attribute string) (value.Value, bool) {
	return arrays.TypeAttr(text, attribute)
}

func (h *host) newArray(shape Shape, d DType) value.Value { return h.arrays.Array(shape, d) }

func (h *host) unknownArray(of value.Value) value.Value { return arrays.Unknown(of) }

func (h *host) dtypeArgument(args *value.Args, fallback DType) DType {
	return arrays.DTypeArgument(args, fallback)
}

// asArrays is tables and columns as Keras takes them, wherever they are in lists and such.
func asArrays(v value.Value) value.Value { return each(v, arrays.FromTable) }
