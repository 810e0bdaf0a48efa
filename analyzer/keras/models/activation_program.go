package models

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A lambda is an activation that is a function of the program. It is evaluated once, on a
// symbolic tensor. The result is a model of its own, which runs wherever the layer does.
type lambda struct {
	in   *value.Interp
	h    *state.Host
	f    value.Value
	body *graph.Model
	err  error
}

// LayerArguments returns a parser of arguments that may be functions of the program.
func LayerArguments(h *state.Host, in *value.Interp, args *value.Args) *layers.ArgParser {
	return &layers.ArgParser{Args: args, In: in, H: h, Own: func(f value.Value) layers.OwnActivation { return &lambda{in: in, h: h, f: f} }}
}

const notKnown = "the result of its activation is not known: "

func (s *lambda) Call(g *graph.Graph, x *graph.Tensor) (*graph.Tensor, error) {
	if s.body == nil && s.err == nil {
		s.body, s.err = s.evaluate(x)
	}
	if s.err != nil {
		return nil, s.err
	}
	out, err := s.body.Lower(g, []*graph.Tensor{x})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// evaluate returns the model of the function for a tensor of x's shape.
func (s *lambda) evaluate(x *graph.Tensor) (*graph.Model, error) {
	in := &graph.Symbolic{Shape: x.Shape, DType: x.DType}
	arg := value.Value{X: &ops.SymbolicValue{H: s.h, S: in}}
	out, why := ops.Symbols(interp.Call(s.in, s.f, &value.Args{Positional: []value.Value{arg}}))
	switch {
	case strings.Contains(why.String(), notKnown):
		return nil, why // one reason is enough for a function inside another
	case why != nil:
		return nil, value.Because(value.WrongType, notKnown+"%s", why)
	case len(out) != 1:
		return nil, value.Because(value.WrongType, notKnown+"it makes several tensors")
	}
	m := &graph.Model{Class: "Functional", Trainable: true, Inputs: []*graph.Symbolic{in}, Outputs: out}
	m.Trace()
	return m, nil
}
