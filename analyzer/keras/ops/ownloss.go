package ops

import (
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// ownLoss is what an object of the program's own loss class inherits from keras.losses.Loss.
type ownLoss struct {
	state.Opaque
	h       *state.Host
	object  *value.Instance
	reduced string
}

// OwnLoss returns the part of the host behind an object of a class that extends Loss.
func OwnLoss(h *state.Host, object *value.Instance) value.Object {
	return &ownLoss{state.Opaque{Base: "a loss"}, h, object, "sum_over_batch_size"}
}

// Call is loss(y_true, y_pred): what the program's call returns for both, in Keras 3 as floats,
// is reduced to one number (keras/src/losses/loss.py, Loss.__call__).
func (v *ownLoss) Call(in *value.Interp, args *value.Args) value.Value {
	truth, ok := objects.Passed(args, 0, "y_true")
	guess, ok2 := objects.Passed(args, 1, "y_pred")
	weights, weighted := args.Get(2, "sample_weight")
	switch {
	case !ok || !ok2:
		return v.h.Unknown(value.MissingArgument, "a loss is called with less than it compares")
	case weighted && weights.X != (value.None{}):
		return v.h.Unknown(value.UnmodelledUse, "the weights of samples in a loss of the program's own are not followed")
	}
	if v.h.Keras() == 3 {
		truth, guess = v.float(in, truth), v.float(in, guess)
	}
	loss := interp.Call(in, interp.Attr(in, value.Value{X: v.object}, "call"), &value.Args{Positional: []value.Value{truth, guess}, Node: args.Node})
	if x, ok := loss.X.(*SymbolicValue); !ok || len(x.S.Shape) == 0 {
		return loss
	}
	over := &value.Args{Positional: []value.Value{loss}, Node: args.Node}
	switch v.reduced {
	case "none":
		return loss
	case "sum":
		return reduction(v.h, in, "reduce_sum", over)
	case "auto", "sum_over_batch_size", "mean":
		return reduction(v.h, in, "reduce_mean", over)
	}
	return v.h.Unknown(value.UnmodelledUse, "how a loss is reduced is not known")
}

func (v *ownLoss) float(in *value.Interp, x value.Value) value.Value {
	return Each(x, func(x value.Value) value.Value {
		s, ok := x.X.(*SymbolicValue)
		if !ok || s.S.DType == tensor.DType(v.h.Computes(v.object.Class.Node)) {
			return x
		}
		return castFunction(v.h, in, "cast", &value.Args{Positional: []value.Value{x, {X: "float32"}}})
	})
}

func (v *ownLoss) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "__init__":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			at := 0 // Keras 2 takes it first
			if v.h.Keras() == 3 {
				at = 1
			}
			if how, ok := args.Get(at, "reduction"); ok {
				v.reduced = reducedBy(how)
			}
			return value.NoneValue
		})
	case "__call__":
		return objects.Method(v.Call)
	}
	return v.Base.GetAttr(in, name)
}
