package keras

import (
	"fmt"
	"slices"
)

// Lower adds the operations of the step to g, on a batch of known shapes.
func (s *Step) Lower(g *Graph, in []*Tensor) error {
	if len(in) != len(s.Inputs) {
		return fmt.Errorf("the step takes %d tensors and is given %d", len(s.Inputs), len(in))
	}
	g.own, g.eager = true, !s.Compiled
	g.Trains = slices.ContainsFunc(s.nodes, (*node).gathers)
	l := &stepLowering{step: s, g: g, at: map[*Symbolic]*Tensor{}, let: map[*node]bool{}}
	for i, x := range s.Inputs {
		l.put(x, in[i])
	}
	for _, n := range s.nodes {
		if g.eager {
			l.letsGo(n.at)
		}
		if err := l.node(n); err != nil {
			return err
		}
	}
	if g.eager {
		l.names()
	}
	return nil
}

// names adds that the names of the step hold, until it ends, what layers and models
// returned and the gradients.
func (l *stepLowering) names() {
	op := &Op{Name: "Hold"}
	for _, n := range l.step.nodes {
		if n.asks == nil && n.layer.function || l.let[n] {
			continue
		}
		for _, s := range n.out {
			op.In = append(op.In, l.at[s])
		}
	}
	l.g.Ops = append(l.g.Ops, op)
}

// letsGo adds that until now names held the gradients of which they were bound anew.
func (l *stepLowering) letsGo(now int) {
	for _, n := range l.asked {
		if n.gone == 0 || n.gone > now || l.let[n] {
			continue
		}
		op := &Op{Name: "Hold"}
		for _, s := range n.out {
			op.In = append(op.In, l.at[s])
		}
		l.g.Ops, l.times = append(l.g.Ops, op), append(l.times, now)
		l.let[n] = true
	}
}

// renews adds that names have stood for what the turn before applied, where that is not the
// gradients themselves or what took over their name.
func (l *stepLowering) renews(n *node, in []*Tensor) {
	if !l.g.eager || !l.step.Repeats || slices.ContainsFunc(l.asked, func(asked *node) bool { return 0 < asked.gone && asked.gone < n.at }) {
		return
	}
	op := &Op{Name: "Hold", Renews: true}
	for i, s := range n.in {
		if s.from != nil && s.from.named {
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
	asked []*node        // the requests so far
	let   map[*node]bool // those whose gradients no name stands for any more
	// times are when the operations of the graph were called for.
	times []int
}

func (l *stepLowering) put(s *Symbolic, t *Tensor) {
	if l.step.watched[s] && !t.Grad {
		t.Grad = true
	}
	l.at[s] = t
}

func (l *stepLowering) node(n *node) error {
	in := make([]*Tensor, len(n.in))
	for i, s := range n.in {
		if in[i] = l.at[s]; in[i] == nil {
			return fmt.Errorf("what %s is called with does not come from the data of the step", n.layer.Name)
		}
	}
	switch {
	case n.asks != nil:
		l.asked = append(l.asked, n)
		return l.gradient(n, in)
	case n.applies != nil:
		l.renews(n, in)
		op := &Op{Name: "Update", In: in, Update: n.applies}
		l.g.Ops = append(l.g.Ops, op)
	default:
		out, err := n.apply(l.g, in)
		if err != nil {
			return err
		}
		for i, s := range n.out {
			l.put(s, out[i])
		}
	}
	for len(l.times) < len(l.g.Ops) {
		l.times = append(l.times, n.at)
	}
	return nil
}

// gradient adds what a tape is asked for. It flows from the sources, through what the
// tape has recorded, to the targets.
func (l *stepLowering) gradient(n *node, in []*Tensor) error {
	r := n.asks
	d := &Gradient{Weights: r.weights, Sources: in[len(r.targets):], Flows: map[*Tensor]bool{}}
	wanted := map[*Weight]bool{}
	for _, w := range r.weights {
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
			active = active || wanted[w] || l.g.eager && w.Trainable // see Layer.trained
		}
		if !active {
			continue
		}
		if op.Gradient != nil {
			return fmt.Errorf("a gradient that several tapes are asked for is not followed")
		}
		d.Ops = append(d.Ops, op)
		for _, t := range op.Out {
			if t.Grad {
				d.Flows[t] = true
			}
		}
	}
	if r.of != together || l.again(n) {
		return l.expand(n, in, d)
	}
	if d.Ops == nil {
		d.Ops = []*Op{}
	}
	op := &Op{Name: "Gradient", In: in[:len(r.targets)], Gradient: d}
	for _, s := range n.out {
		t := &Tensor{Shape: s.Shape, DType: s.DType, From: op}
		op.Out = append(op.Out, t)
	}
	for i, t := range d.Sources {
		op.Out[len(r.weights)+i].Shape = t.Shape
	}
	l.g.Ops = append(l.g.Ops, op)
	l.times = append(l.times, n.at)
	for i, s := range n.out {
		l.put(s, op.Out[i])
	}
	return nil
}
