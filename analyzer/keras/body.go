package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A body is the calls that lead from inputs to outputs.
type body struct {
	in, out []*Symbolic
	nodes   []*node
	adds    *added // the losses that the calls add, or nil
}

// trace collects the nodes between inputs and outputs, in topological order.
func trace(from, to []*Symbolic) (nodes []*node) { return traverse(from, to, nil) }

// traverse is trace that calls enter when it first reaches a node or an input through a tensor,
// before it visits what the node needs.
func traverse(from, to []*Symbolic, enter func(*Symbolic)) (nodes []*node) {
	done := map[*node]bool{}
	inputs := map[*Symbolic]bool{}
	for _, s := range from {
		inputs[s] = true
	}
	// An explicit stack, because models of 10,000 layers nest deeply.
	type frame struct {
		n *node
		i int
	}
	if enter == nil {
		enter = func(*Symbolic) {}
	}
	for _, out := range to {
		if out.from == nil || inputs[out] {
			enter(out)
			continue
		}
		if done[out.from] {
			continue
		}
		enter(out)
		stack := []frame{{n: out.from}}
		done[out.from] = true
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.i < len(top.n.in) {
				s := top.n.in[top.i]
				top.i++
				if s.from == nil || inputs[s] {
					enter(s)
				} else if !done[s.from] {
					enter(s)
					done[s.from] = true
					stack = append(stack, frame{n: s.from})
				}
				continue
			}
			nodes = append(nodes, top.n)
			stack = stack[:len(stack)-1]
		}
	}
	return nodes
}

// lower runs a body on tensors and adds its operations to g.
func (b *body) lower(g *Graph, in []*Tensor) ([]*Tensor, error) {
	out, _, err := b.run(g, in)
	return out, err
}

// run is lower. It also returns the tensor for each symbolic tensor.
func (b *body) run(g *Graph, in []*Tensor) (out []*Tensor, at map[*Symbolic]*Tensor, err error) {
	at = make(map[*Symbolic]*Tensor, len(b.in)+len(b.nodes))
	for i, s := range b.in {
		at[s] = in[i]
	}
	nodes, losses := b.steps(g)
	inputs := 0
	for _, n := range nodes {
		inputs += len(n.in)
	}
	room := make([]*Tensor, inputs)
	for _, n := range nodes {
		args := room[:len(n.in):len(n.in)]
		room = room[len(n.in):]
		for i, s := range n.in {
			if args[i] = at[s]; args[i] == nil {
				return nil, nil, value.Because(value.NoTensor, "an input of layer %q does not come from the model's inputs", n.layer.Name).On(n.layer.Node)
			}
		}
		out, err := n.apply(g, args)
		if err != nil {
			return nil, nil, err
		}
		if len(out) < len(n.out) { // tf.unstack of a batch whose size differs from the program's
			return nil, nil, value.Because(value.BatchSize, "layer %q makes %d tensors of the batch, and %d of this one", n.layer.Name, len(n.out), len(out))
		}
		for i, s := range n.out {
			at[s] = out[i]
		}
	}
	for _, s := range losses {
		g.addLoss(at[s])
	}
	out = make([]*Tensor, len(b.out))
	for i, s := range b.out {
		if out[i] = at[s]; out[i] == nil {
			return nil, nil, value.Because(value.NoTensor, "an output of the model does not come from its inputs")
		}
	}
	return out, at, nil
}

// takes reports whether a body was recorded for inputs of these shapes.
func (b *body) takes(in []*Tensor) bool {
	if len(b.in) != len(in) {
		return false
	}
	for i, s := range b.in {
		if !fits(s.Shape, in[i].Shape) || s.Shape[0] >= 0 && in[i].Shape[0] >= 0 && s.Shape[0] != in[i].Shape[0] {
			return false
		}
	}
	return true
}

// read returns a value with a tensor in place of a variable.
func (h *host) read(x value.Value) value.Value {
	if w, ok := x.X.(*variable); ok {
		return w.read()
	}
	return x
}

// bodyOf returns the calls that lead to a result, and the result with tensors in place of
// variables.
func (h *host) bodyOf(result value.Value, inputs []*Symbolic) (value.Value, *body) {
	b := &body{in: inputs}
	result = each(result, func(x value.Value) value.Value {
		x = h.read(x)
		if s, ok := x.X.(*symbolicValue); ok {
			b.out = append(b.out, s.s)
		}
		return x
	})
	b.nodes = trace(b.in, b.out)
	return result, b
}

// inside returns the arguments of a call with fresh tensors in place of those from outside.
func (h *host) inside(args *value.Args) (replaced *value.Args, from, fresh []*Symbolic) {
	inner := map[*Symbolic]*Symbolic{}
	replaced = eachArgument(args, func(x value.Value) value.Value {
		x = h.read(x)
		s, ok := x.X.(*symbolicValue)
		if !ok {
			return x
		}
		if inner[s.s] == nil {
			inner[s.s] = &Symbolic{Shape: s.s.Shape, DType: s.s.DType}
			from, fresh = append(from, s.s), append(fresh, inner[s.s])
		}
		return h.tensor(inner[s.s])
	})
	return replaced, from, fresh
}

// outside returns the result of a body's call, with the tensors that stand for its outputs.
func (h *host) outside(b *body, result value.Value, at func(i int) *Symbolic) value.Value {
	outer := make(map[*Symbolic]*Symbolic, len(b.out))
	for i, s := range b.out {
		outer[s] = at(i)
		h.happens([]*Symbolic{outer[s]})
	}
	return each(result, func(x value.Value) value.Value {
		if s, ok := x.X.(*symbolicValue); ok && outer[s.s] != nil {
			return h.tensor(outer[s.s])
		}
		return x
	})
}

// capture makes the outer tensors that a body reads, created before began, inputs of the body,
// and returns them. others are created in the body too, and may read more.
func (b *body) capture(began int, others ...*Symbolic) []*Symbolic {
	outer := enclosed(began, append(slices.Clone(b.out), others...))
	b.in = append(slices.Clone(b.in), outer...)
	b.nodes = trace(b.in, b.out)
	return outer
}

// enclosed returns the tensors created before began that later ones depend on.
func enclosed(began int, of []*Symbolic) (out []*Symbolic) {
	seen := map[*Symbolic]bool{}
	var look func(s *Symbolic)
	look = func(s *Symbolic) {
		if s.from == nil || seen[s] {
			return
		}
		seen[s] = true
		if s.from.at > 0 && s.from.at < began {
			out = append(out, s)
			return
		}
		for _, x := range s.from.in {
			look(x)
		}
	}
	for _, s := range of {
		look(s)
	}
	return out
}
