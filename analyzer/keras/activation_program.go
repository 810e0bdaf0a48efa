package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A lambda is an activation that is a function of the program. It is evaluated once, on a
// symbolic tensor. The result is a model of its own, which runs wherever the layer does.
type lambda struct {
	in   *value.Interp
	h    *host
	f    value.Value
	body *Model
	err  error
}

// layerArguments returns a parser of arguments that may be functions of the program.
func (h *host) layerArguments(in *value.Interp, args *value.Args) *argParser {
	return &argParser{args: args, in: in, h: h, own: func(f value.Value) ownActivation { return &lambda{in: in, h: h, f: f} }}
}

const notKnown = "what its activation makes is not known: "

func (s *lambda) call(g *Graph, x *Tensor) (*Tensor, error) {
	if s.body == nil && s.err == nil {
		s.body, s.err = s.evaluate(x)
	}
	if s.err != nil {
		return nil, s.err
	}
	out, err := s.body.Lower(g, []*Tensor{x})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// evaluate returns the model of the function for a tensor of x's shape.
func (s *lambda) evaluate(x *Tensor) (*Model, error) {
	in := &Symbolic{Shape: x.Shape, DType: x.DType}
	arg := value.Value{X: &symbolicValue{h: s.h, s: in}}
	out, why := symbols(s.in.Call(s.f, &value.Args{Positional: []value.Value{arg}}))
	switch {
	case strings.Contains(why.String(), notKnown):
		return nil, why // one reason is enough for a function inside another
	case why != nil:
		return nil, value.Because(value.WrongType, notKnown+"%s", why)
	case len(out) != 1:
		return nil, value.Because(value.WrongType, notKnown+"it makes several tensors")
	}
	m := &Model{Class: "Functional", Trainable: true, Inputs: []*Symbolic{in}, Outputs: out}
	m.trace()
	return m, nil
}
