package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// Lower adds the operations of the step to g, on a batch of known shapes.
func (s *Step) Lower(g *Graph, in []*Tensor) error {
	if len(in) != len(s.Inputs) {
		return value.Because(value.MissingArgument, "the step takes %d tensors and is given %d", len(s.Inputs), len(in))
	}
	g.Own, g.Eagerly = true, !s.Compiled
	g.Trains = slices.ContainsFunc(s.Nodes, (*Node).gathers)
	l := &stepLowering{step: s, g: g, at: map[*Symbolic]*Tensor{}, let: map[*Node]bool{}}
	for i, x := range s.Inputs {
		l.put(x, in[i])
	}
	for _, n := range s.Nodes {
		if g.Eagerly && n.Gone > 0 {
			l.rebound = append(l.rebound, n)
		}
	}
	for _, n := range s.Nodes {
		if g.Eagerly {
			l.releaseRebound(n.At)
		}
		if err := l.node(n); err != nil {
			return err
		}
	}
	if g.Eagerly {
		l.names()
	}
	return nil
}

// names adds a Hold at the end of the step: its names hold tensors, the outputs of layers and
// models, and the gradients.
func (l *stepLowering) names() {
	op := &Op{Kind: OpHold}
	for _, n := range l.step.Nodes {
		if n.Asks == nil && n.Layer.Function && n.Names == 0 || l.let[n] {
			continue
		}
		op.holds(n, l.at)
	}
	l.g.Ops = append(l.g.Ops, op)
}

// holds adds the outputs of a node to a Hold.
func (op *Op) holds(n *Node, at map[*Symbolic]*Tensor) {
	for _, s := range n.Out {
		op.In = append(op.In, at[s])
	}
}

// releaseRebound adds a Hold: names that are rebound keep what they stood for alive until here.
func (l *stepLowering) releaseRebound(now int) {
	for _, n := range l.rebound {
		if n.Gone > now || l.let[n] {
			continue
		}
		op := &Op{Kind: OpHold}
		op.holds(n, l.at)
		l.g.Ops, l.times = append(l.g.Ops, op), append(l.times, now)
		l.let[n] = true
	}
}

// holdPrevious adds a Hold: names keep alive what the previous iteration applied, unless that is
// the gradients themselves or what took over their name.
func (l *stepLowering) holdPrevious(n *Node, in []*Tensor) {
	if !l.g.Eagerly || !l.step.Repeats || slices.ContainsFunc(l.asked, func(asked *Node) bool { return 0 < asked.Gone && asked.Gone < n.At }) {
		return
	}
	op := &Op{Kind: OpHold, HoldsPrevious: true}
	for i, s := range n.In {
		if s.From != nil && s.From.Named {
			op.In = append(op.In, in[i])
		}
	}
	l.g.Ops = append(l.g.Ops, op)
}

// A stepLowering is a step on its way to operations.
type stepLowering struct {
	step  *Step
	g     *Graph
	at    map[*Symbolic]*Tensor
	asked []*Node // the requests so far
	// rebound are the nodes with outputs that no name holds at the end. let are those that were
	// released so far.
	rebound []*Node
	let     map[*Node]bool
	// times are when the operations of the graph were called.
	times []int
}

func (l *stepLowering) put(s *Symbolic, t *Tensor) {
	if l.step.Watched[s] && !t.Grad {
		t.Grad = true
	}
	l.at[s] = t
}

func (l *stepLowering) node(n *Node) error {
	in := make([]*Tensor, len(n.In))
	for i, s := range n.In {
		if in[i] = l.at[s]; in[i] == nil {
			return value.Because(value.NoTensor, "the input of %s does not come from the data of the step", n.Layer.Name)
		}
	}
	switch {
	case n.Asks != nil:
		l.asked = append(l.asked, n)
		return l.gradient(n, in)
	case n.Applies != nil:
		l.holdPrevious(n, in)
		op := &Op{Kind: OpUpdate, In: in, Update: n.Applies}
		l.g.Ops = append(l.g.Ops, op)
		l.putAll(n, nil)
		return nil
	}
	out, err := n.Apply(l.g, in)
	if err == nil {
		l.putAll(n, out)
	}
	return err
}

// gradient adds a request to a tape. The gradient flows from the targets through what the tape
// has recorded to the sources.
func (l *stepLowering) gradient(n *Node, in []*Tensor) error {
	r := n.Asks
	d := &Gradient{Weights: r.Weights, Sources: in[len(r.Targets):], Flows: map[*Tensor]bool{}}
	wanted := map[*Weight]bool{}
	for _, w := range r.Weights {
		wanted[w] = true
	}
	for _, t := range d.Sources {
		d.Flows[t] = true
	}
	for i, op := range l.g.Ops {
		if op.Update != nil || !r.recorded(l.times[i]) {
			continue
		}
		active := false
		for j, t := range op.In {
			active = active || d.Flows[t] && !slices.Contains(op.NoGradOf, j)
		}
		for _, w := range op.Weights {
			active = active || wanted[w] || l.g.Eagerly && w.Trainable // see Layer.trained
		}
		if !active {
			continue
		}
		if op.Gradient != nil {
			return value.Because(value.UnmodelledTraining, "a gradient that several tapes are asked for is not followed")
		}
		d.Ops = append(d.Ops, op)
		for _, t := range op.Out {
			if t.Grad {
				d.Flows[t] = true
			}
		}
	}
	if r.Of != Together || l.again(n) {
		return l.expand(n, in, d)
	}
	if d.Ops == nil {
		d.Ops = []*Op{}
	}
	op := &Op{Kind: OpGradient, In: in[:len(r.Targets)], Gradient: d}
	for _, s := range n.Out {
		t := &Tensor{Shape: s.Shape, DType: s.DType, From: op}
		op.Out = append(op.Out, t)
	}
	for i, t := range d.Sources {
		op.Out[len(r.Weights)+i].Shape = t.Shape
	}
	l.g.Ops = append(l.g.Ops, op)
	l.putAll(n, op.Out)
	return nil
}
