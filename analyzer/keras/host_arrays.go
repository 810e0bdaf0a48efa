package keras

import (
	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/value"
)

// What arrays ask of the run and of its models ([arrays.Run]).

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

func (h *host) newArray(shape Shape, d DType) value.Value { return h.arrays.Array(shape, d) }

func (h *host) unknownArray(of value.Value) value.Value { return arrays.Unknown(of) }

func (h *host) dtypeArgument(args *value.Args, fallback DType) DType {
	return arrays.DTypeArgument(args, fallback)
}

// asArrays converts tables and columns to arrays, as Keras takes them, also inside of lists and
// other containers.
func asArrays(v value.Value) value.Value { return each(v, arrays.FromTable) }
