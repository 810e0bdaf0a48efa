package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// customGradient is a function given to tf.custom_gradient. It returns a value and the function
// that computes its gradient (tensorflow/python/ops/custom_gradient.py).
type customGradient struct {
	base
	h *host
	f value.Value
}

func (h *host) customGradient(args *value.Args) value.Value {
	f, ok := args.Get(0, "f")
	if !ok {
		return h.unknown(value.UnmodelledTraining, "what has a gradient of its own is not known")
	}
	return value.Value{X: &customGradient{"a function with a gradient of its own", h, f}}
}

func (c *customGradient) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	return c.f, name == "__wrapped__"
}

func (c *customGradient) Call(in *value.Interp, args *value.Args) value.Value {
	h := c.h
	if symbolic, _ := kinds(args); !symbolic {
		both, ok := objects.Sequence(in.Call(c.f, args))
		if !ok || len(both) != 2 {
			return h.unknown(value.UnmodelledTraining, "what a function with a gradient of its own returns is not known")
		}
		return both[0]
	}
	began := h.next()
	inner, from, fresh := h.inside(args)
	result := in.Call(c.f, inner)
	both, ok := objects.Sequence(result)
	if !ok || len(both) != 2 {
		return h.unknown(value.UnmodelledTraining, "what a function with a gradient of its own returns is not known: %s", objects.Because(result))
	}
	made, forward := h.bodyOf(both[0], fresh)
	if !made.Known() || len(forward.out) == 0 {
		return h.unknown(value.UnmodelledTraining, "what a function with a gradient of its own computes is not known: %s", objects.Because(made))
	}
	var comes []*Symbolic
	back := &value.Args{Node: args.Node}
	for _, s := range forward.out {
		d := &Symbolic{Shape: s.Shape, DType: s.DType}
		comes = append(comes, d)
		back.Positional = append(back.Positional, h.tensor(d))
	}
	impl := &ownGradient{forward: forward, inputs: len(from)}
	gradients, backward := h.bodyOf(in.Call(both[1], back), comes)
	if !gradients.Known() {
		impl.why = value.Because(value.UnmodelledTraining, "the gradient that a function has of its own is not known: %s", objects.Because(gradients))
	}
	from = append(from, forward.capture(began, backward.out...)...)
	impl.read(backward)
	l := &Layer{Class: "custom_gradient", Name: "custom_gradient", Trainable: true, function: true, impl: impl}
	out, err := call(h.interp, l, from)
	if err != nil {
		return value.From(err).Unknown()
	}
	return h.outside(forward, made, func(i int) *Symbolic { return out[i] })
}

// ownGradient is a call of such a function.
type ownGradient struct {
	forward *body
	inputs  int          // the number of arguments among the inputs
	reads   []*Symbolic  // what the gradient reads of the forward pass
	why     *value.Cause // why the gradient is not known; nil if it is
}

// read finds what the gradient reads of the forward pass.
func (s *ownGradient) read(backward *body) {
	made := slices.Clone(s.forward.in)
	for _, n := range s.forward.nodes {
		made = append(made, n.out...)
	}
	before := make(map[*Symbolic]bool, len(made))
	for _, x := range made {
		before[x] = true
	}
	for _, n := range trace(append(made, backward.in...), backward.out) {
		for _, x := range n.in {
			if before[x] && !slices.Contains(s.reads, x) {
				s.reads = append(s.reads, x)
			}
		}
	}
}

func (*ownGradient) build(*Layer, []Shape) error { return nil }

// call adds the forward operations, through which no gradient flows, and one operation that has
// the gradient.
func (s *ownGradient) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	at := map[*Symbolic]*Tensor{}
	for i, x := range s.forward.in {
		at[x] = in[i]
	}
	for _, n := range s.forward.nodes {
		if n.asks != nil || n.applies != nil {
			return nil, value.Because(value.UnmodelledTraining, "a tape within a function with a gradient of its own is not followed")
		}
		given := make([]*Tensor, len(n.in))
		for i, x := range n.in {
			given[i] = at[x]
		}
		from := len(g.Ops)
		made, err := n.apply(g, given)
		if err != nil {
			return nil, err
		}
		for _, op := range g.Ops[from:] {
			if len(op.Weights) > 0 {
				return nil, value.Because(value.UnmodelledTraining, "a function with a gradient of its own, which reads variables, is not followed")
			}
			for _, t := range op.Out {
				t.Grad = false
			}
		}
		for i, x := range n.out {
			at[x] = made[i]
		}
	}
	var out []*Tensor
	for _, x := range s.forward.out {
		y, op := g.add(OpCustomGradient, append([]*Tensor{at[x]}, in[:s.inputs]...), at[x].Shape, at[x].DType)
		op.NoGradOf, op.InPlace = []int{0}, true
		for _, read := range s.reads {
			op.Keep = append(op.Keep, at[read])
		}
		y.Grad = false
		for _, t := range in[:s.inputs] {
			y.Grad = y.Grad || t.Grad
		}
		if y.Grad && s.why != nil {
			return nil, s.why
		}
		op.GradInPlace = len(op.Keep) == 0
		out = append(out, y)
	}
	return out, nil
}
