package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A Body is the calls that lead from inputs to outputs.
type Body struct {
	In, Out []*Symbolic
	Nodes   []*Node
	Adds    *added // the losses that the calls add, or nil
}

// Trace collects the nodes between inputs and outputs, in topological order.
func Trace(from, to []*Symbolic) (nodes []*Node) { return traverse(from, to, nil) }

// traverse is trace that calls enter when it first reaches a node or an input through a tensor,
// before it visits what the node needs.
func traverse(from, to []*Symbolic, enter func(*Symbolic)) (nodes []*Node) {
	done := map[*Node]bool{}
	inputs := map[*Symbolic]bool{}
	for _, s := range from {
		inputs[s] = true
	}
	// An explicit stack, because models of 10,000 layers nest deeply.
	type frame struct {
		n *Node
		i int
	}
	if enter == nil {
		enter = func(*Symbolic) {}
	}
	for _, out := range to {
		if out.From == nil || inputs[out] {
			enter(out)
			continue
		}
		if done[out.From] {
			continue
		}
		enter(out)
		stack := []frame{{n: out.From}}
		done[out.From] = true
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.i < len(top.n.In) {
				s := top.n.In[top.i]
				top.i++
				if s.From == nil || inputs[s] {
					enter(s)
				} else if !done[s.From] {
					enter(s)
					done[s.From] = true
					stack = append(stack, frame{n: s.From})
				}
				continue
			}
			nodes = append(nodes, top.n)
			stack = stack[:len(stack)-1]
		}
	}
	return nodes
}

// Lower runs a body on tensors and adds its operations to g.
func (b *Body) Lower(g *Graph, in []*Tensor) ([]*Tensor, error) {
	out, _, err := b.run(g, in)
	return out, err
}

// run is lower. It also returns the tensor for each symbolic tensor.
func (b *Body) run(g *Graph, in []*Tensor) (out []*Tensor, at map[*Symbolic]*Tensor, err error) {
	at = make(map[*Symbolic]*Tensor, len(b.In)+len(b.Nodes))
	for i, s := range b.In {
		at[s] = in[i]
	}
	nodes, losses := b.steps(g)
	inputs := 0
	for _, n := range nodes {
		inputs += len(n.In)
	}
	room := make([]*Tensor, inputs)
	for _, n := range nodes {
		args := room[:len(n.In):len(n.In)]
		room = room[len(n.In):]
		for i, s := range n.In {
			if args[i] = at[s]; args[i] == nil {
				return nil, nil, value.Because(value.NoTensor, "an input of layer %q does not come from the model's inputs", n.Layer.Name).On(n.Layer.Node)
			}
		}
		out, err := n.Apply(g, args)
		if err != nil {
			return nil, nil, err
		}
		if len(out) < len(n.Out) { // tf.unstack of a batch whose size differs from the program's
			return nil, nil, value.Because(value.BatchSize, "layer %q makes %d tensors of the batch, and %d of this one", n.Layer.Name, len(n.Out), len(out))
		}
		for i, s := range n.Out {
			at[s] = out[i]
		}
	}
	for _, s := range losses {
		g.AddLoss(at[s])
	}
	out = make([]*Tensor, len(b.Out))
	for i, s := range b.Out {
		if out[i] = at[s]; out[i] == nil {
			return nil, nil, value.Because(value.NoTensor, "an output of the model does not come from its inputs")
		}
	}
	return out, at, nil
}

// Takes reports whether a body was recorded for inputs of these shapes.
func (b *Body) Takes(in []*Tensor) bool {
	if len(b.In) != len(in) {
		return false
	}
	for i, s := range b.In {
		if !Fits(s.Shape, in[i].Shape) || s.Shape[0] >= 0 && in[i].Shape[0] >= 0 && s.Shape[0] != in[i].Shape[0] {
			return false
		}
	}
	return true
}

// Capture makes the outer tensors that a body reads, created before began, inputs of the body,
// and returns them. others are created in the body too, and may read more.
func (b *Body) Capture(began int, others ...*Symbolic) []*Symbolic {
	outer := enclosed(began, append(slices.Clone(b.Out), others...))
	b.In = append(slices.Clone(b.In), outer...)
	b.Nodes = Trace(b.In, b.Out)
	return outer
}

// enclosed returns the tensors created before began that later ones depend on.
func enclosed(began int, of []*Symbolic) (out []*Symbolic) {
	seen := map[*Symbolic]bool{}
	var look func(s *Symbolic)
	look = func(s *Symbolic) {
		if s.From == nil || seen[s] {
			return
		}
		seen[s] = true
		if s.From.At > 0 && s.From.At < began {
			out = append(out, s)
			return
		}
		for _, x := range s.From.In {
			look(x)
		}
	}
	for _, s := range of {
		look(s)
	}
	return out
}

// IsOperation reports whether a node calls a function on tensors rather than a layer.
func (n *Node) IsOperation() bool {
	_, ok := n.Layer.Impl.(interface{ Operates() })
	return ok
}
