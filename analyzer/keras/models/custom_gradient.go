package models

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// customGradient is a function given to tf.custom_gradient. It returns a value and the function
// that computes its gradient (tensorflow/python/ops/custom_gradient.py).
type customGradient struct {
	value.Base
	h *state.Host
	f value.Value
}

func NewCustomGradient(h *state.Host, args *value.Args) value.Value {
	f, ok := args.Get(0, "f")
	if !ok {
		return h.Unknown(value.UnmodelledTraining, "the function with a custom gradient is not known")
	}
	return value.Value{X: &customGradient{"a function with a gradient of its own", h, f}}
}

func (c *customGradient) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	return c.f, name == "__wrapped__"
}

func (c *customGradient) Call(in *value.Interp, args *value.Args) value.Value {
	h := c.h
	if symbolic, _ := ops.Kinds(args); !symbolic {
		both, ok := objects.Sequence(interp.Call(in, c.f, args))
		if !ok || len(both) != 2 {
			return h.Unknown(value.UnmodelledTraining, "the result of a function with a custom gradient is not known")
		}
		return both[0]
	}
	began := h.Steps.Next()
	inner, from, fresh := ops.Inside(h, args)
	result := interp.Call(in, c.f, inner)
	both, ok := objects.Sequence(result)
	if !ok || len(both) != 2 {
		return h.Unknown(value.UnmodelledTraining, "the result of a function with a custom gradient is not known: %s", objects.Because(result))
	}
	made, forward := ops.BodyOf(h, both[0], fresh)
	if !made.Known() || len(forward.Out) == 0 {
		return h.Unknown(value.UnmodelledTraining, "the value of a function with a custom gradient is not known: %s", objects.Because(made))
	}
	var comes []*graph.Symbolic
	back := &value.Args{Node: args.Node}
	for _, s := range forward.Out {
		d := &graph.Symbolic{Shape: s.Shape, DType: s.DType}
		comes = append(comes, d)
		back.Positional = append(back.Positional, ops.Tensor(h, d))
	}
	impl := &ownGradient{forward: forward, inputs: len(from)}
	gradients, backward := ops.BodyOf(h, interp.Call(in, both[1], back), comes)
	if !gradients.Known() {
		impl.why = value.Because(value.UnmodelledTraining, "the custom gradient of a function is not known: %s", objects.Because(gradients))
	}
	from = append(from, forward.Capture(began, backward.Out...)...)
	impl.read(backward)
	l := &graph.Layer{Class: "custom_gradient", Name: "custom_gradient", Trainable: true, Function: true, Impl: impl}
	out, err := graph.Call(h.Interp, l, from)
	if err != nil {
		return value.From(err).Unknown()
	}
	return ops.Outside(h, forward, made, func(i int) *graph.Symbolic { return out[i] })
}

// ownGradient is a call of such a function.
type ownGradient struct {
	forward *graph.Body
	inputs  int               // the number of arguments among the inputs
	reads   []*graph.Symbolic // what the gradient reads of the forward pass
	why     *value.Cause      // why the gradient is not known; nil if it is
}

// read finds what the gradient reads of the forward pass.
func (s *ownGradient) read(backward *graph.Body) {
	made := slices.Clone(s.forward.In)
	for _, n := range s.forward.Nodes {
		made = append(made, n.Out...)
	}
	before := make(map[*graph.Symbolic]bool, len(made))
	for _, x := range made {
		before[x] = true
	}
	for _, n := range graph.Trace(append(made, backward.In...), backward.Out) {
		for _, x := range n.In {
			if before[x] && !slices.Contains(s.reads, x) {
				s.reads = append(s.reads, x)
			}
		}
	}
}

func (*ownGradient) Build(*graph.Layer, []tensor.Shape) error { return nil }

// Call adds the forward operations, through which no gradient flows, and one operation that has
// the gradient.
func (s *ownGradient) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	at := map[*graph.Symbolic]*graph.Tensor{}
	for i, x := range s.forward.In {
		at[x] = in[i]
	}
	for _, n := range s.forward.Nodes {
		if n.Asks != nil || n.Applies != nil {
			return nil, value.Because(value.UnmodelledTraining, "a tape within a function with a custom gradient is not followed")
		}
		given := make([]*graph.Tensor, len(n.In))
		for i, x := range n.In {
			given[i] = at[x]
		}
		from := len(g.Ops)
		made, err := n.Apply(g, given)
		if err != nil {
			return nil, err
		}
		for _, op := range g.Ops[from:] {
			if len(op.Weights) > 0 {
				return nil, value.Because(value.UnmodelledTraining, "a function with a custom gradient that reads variables is not followed")
			}
			for _, t := range op.Out {
				t.Grad = false
			}
		}
		for i, x := range n.Out {
			at[x] = made[i]
		}
	}
	var out []*graph.Tensor
	for _, x := range s.forward.Out {
		y, op := g.Add(graph.OpCustomGradient, append([]*graph.Tensor{at[x]}, in[:s.inputs]...), at[x].Shape, at[x].DType)
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
