package ops

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// recomputed is a function passed to tf.recompute_grad or keras.remat.
type recomputed struct {
	value.Base
	h *state.Host
	f value.Value
}

func Recomputed(h *state.Host, args *value.Args) value.Value {
	f, ok := args.Get(0, "f")
	if !ok {
		return h.Unknown(value.UnmodelledTraining, "the layers that are recomputed are not known")
	}
	return value.Value{X: &recomputed{"a function that is computed again", h, f}}
}

func (r *recomputed) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	return r.f, name == "__wrapped__"
}

func (r *recomputed) Call(in *value.Interp, args *value.Args) value.Value {
	if symbolic, _ := Kinds(args); !symbolic {
		return interp.Call(in, r.f, args)
	}
	inner, from, fresh := Inside(r.h, args)
	result, b := BodyOf(r.h, interp.Call(in, r.f, inner), fresh)
	if !result.Known() {
		return result
	}
	l := &graph.Layer{Class: "recompute_grad", Name: "recompute_grad", Trainable: true, Function: true, Impl: &region{b}}
	out, err := graph.Call(r.h.Interp, l, from)
	if err != nil {
		return value.From(err).Unknown()
	}
	return Outside(r.h, b, result, func(i int) *graph.Symbolic { return out[i] })
}

// region is a call of such a function.
type region struct{ body *graph.Body }

func (*region) Build(*graph.Layer, []tensor.Shape) error { return nil }

func (s *region) Call(_ *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	from := len(g.Ops)
	out, err := s.body.Lower(g, in)
	g.Recompute(from)
	return out, err
}
