package ops

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/arrays/pandas"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Read returns a value with a tensor in place of a variable.
func Read(h *state.Host, x value.Value) value.Value {
	if w, ok := x.X.(*Variable); ok {
		return w.read()
	}
	return x
}

// BodyOf returns the calls that lead to a result, and the result with tensors in place of
// variables.
func BodyOf(h *state.Host, result value.Value, inputs []*graph.Symbolic) (value.Value, *graph.Body) {
	b := &graph.Body{In: inputs}
	result = Each(result, func(x value.Value) value.Value {
		x = Read(h, x)
		if s, ok := x.X.(*SymbolicValue); ok {
			b.Out = append(b.Out, s.S)
		}
		return x
	})
	b.Nodes = graph.Trace(b.In, b.Out)
	return result, b
}

// Settle gives data of the current step the sizes that a shape has from an axis on, where they are
// not known.
func Settle(h *state.Host, s *graph.Symbolic, shape tensor.Shape, from int) {
	if h.Steps.Running() == nil || len(s.Shape) != len(shape) || !slices.Contains(h.Steps.Running().Inputs, s) {
		return
	}
	for i := max(from, 1); i < len(shape); i++ {
		if s.Shape[i] < 0 && shape[i] >= 0 {
			s.Shape = s.Shape.With(i, shape[i])
		}
	}
}

// Inside returns the arguments of a call with fresh tensors in place of those from outside.
func Inside(h *state.Host, args *value.Args) (replaced *value.Args, from, fresh []*graph.Symbolic) {
	inner := map[*graph.Symbolic]*graph.Symbolic{}
	replaced = EachArgument(args, func(x value.Value) value.Value {
		x = Read(h, x)
		s, ok := x.X.(*SymbolicValue)
		if !ok {
			return x
		}
		if inner[s.S] == nil {
			inner[s.S] = &graph.Symbolic{Shape: s.S.Shape, DType: s.S.DType}
			from, fresh = append(from, s.S), append(fresh, inner[s.S])
		}
		return Tensor(h, inner[s.S])
	})
	return replaced, from, fresh
}

// Outside returns the result of a body's call, with the tensors that stand for its outputs.
func Outside(h *state.Host, b *graph.Body, result value.Value, at func(i int) *graph.Symbolic) value.Value {
	outer := make(map[*graph.Symbolic]*graph.Symbolic, len(b.Out))
	for i, s := range b.Out {
		outer[s] = at(i)
		h.Happens([]*graph.Symbolic{outer[s]})
	}
	return Each(result, func(x value.Value) value.Value {
		if s, ok := x.X.(*SymbolicValue); ok && outer[s.S] != nil {
			return Tensor(h, outer[s.S])
		}
		return x
	})
}

// What arrays ask of the run and of its models ([numpy.Run]).

// WithArray is an operation of an array and the tensor.
func (v *SymbolicValue) WithArray(in *value.Interp, op string, array value.Value, reflected bool) value.Value {
	return binaryOperator(v.H, in, op, array, value.Value{X: v}, reflected)
}

// WithArray is an operation of an array and the variable.
func (v *Variable) WithArray(in *value.Interp, op string, array value.Value, reflected bool) value.Value {
	return binaryOperator(v.h, in, op, array, value.Value{X: v}, reflected)
}

// AsArrays converts tables and columns to arrays, as Keras takes them, also inside of lists and
// other containers.
func AsArrays(v value.Value) value.Value { return Each(v, pandas.FromTable) }

// Captured returns an eager tensor as a constant of a graph, and any other value as it is.
func Captured(h *state.Host, v value.Value) value.Value {
	if a, ok := v.X.(*numpy.Array); ok {
		return Constant(h, a.Shape, a.Computed())
	}
	return v
}

// Symbols returns one symbolic tensor, or a list of them.
func Symbols(v value.Value) ([]*graph.Symbolic, *value.Cause) {
	switch x := v.X.(type) {
	case *SymbolicValue:
		return []*graph.Symbolic{x.S}, nil
	case *Variable:
		s, why := symbolOf(x.read())
		return []*graph.Symbolic{s}, why
	case *LostVariable:
		return nil, x.Why
	}
	if d, ok := v.X.(*value.Dict); ok {
		if d.Open != nil {
			return nil, d.Open
		}
		return Symbols(value.Value{X: value.Tuple(d.Values)})
	}
	items, ok := objects.Sequence(v)
	if !ok {
		if l, isList := v.X.(*value.List); v.Cause() != nil || isList && l.Open != nil {
			return nil, objects.Because(v)
		}
		if v.X == nil {
			return nil, value.Because(value.NotBuilt, "a layer or a model is made of no tensors")
		}
		return nil, value.Because(value.UnmodelledUse, "a layer is called on something that is not a tensor of a model: %s", objects.Because(v))
	}
	var out []*graph.Symbolic
	for _, i := range items {
		more, why := Symbols(i)
		if why != nil {
			return nil, why
		}
		out = append(out, more...)
	}
	return out, nil
}

// InBatch returns a tensor of a batch with a shape and a type.
func InBatch(h *state.Host, shape tensor.Shape, d tensor.DType) value.Value {
	return Tensor(h, &graph.Symbolic{Shape: append(tensor.Shape{tensor.None}, shape...), DType: d})
}

// Batched replaces the batch size in arguments, as the program writes it, by that of the data.
func Batched(h *state.Host, args *value.Args) *value.Args {
	r := h.Steps.Running()
	if r == nil || len(r.Inputs) == 0 {
		return args
	}
	return EachArgument(args, func(x value.Value) value.Value {
		if _, number := x.Int(); !number || !x.Lit.Valid() {
			return x
		}
		if x.Lit == r.Batch.Lit {
			return value.Value{X: dimensionOf(r.Inputs[0], 0)}
		}
		for i, batch := range r.Batches {
			if x.Lit == batch.Lit {
				return value.Value{X: dimensionOf(r.Inputs[i], 0)}
			}
		}
		return x
	})
}

// TensorArguments replaces arrays in arguments by tensors that the step creates.
func TensorArguments(h *state.Host, args *value.Args) *value.Args {
	if h.Steps.Running() == nil {
		return args
	}
	return EachArgument(args, func(x value.Value) value.Value {
		if a, ok := x.X.(*numpy.Array); ok {
			d := a.DType
			if d == "float64" {
				d = "float32"
			}
			return Constant(h, a.Shape, d)
		}
		return x
	})
}
