package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// added holds the losses that a call adds with add_loss, and the calls that lead to them and to
// its outputs.
type added struct {
	Losses []*Symbolic
	nodes  []*Node
}

// Adding returns those losses that depend on the body's inputs, in the order of the program; nil
// if there are none.
func (b *Body) Adding(losses []*Symbolic) *added {
	a := &added{}
	for _, s := range losses {
		if s.DType.Floating() && b.leadsTo(s) {
			a.Losses = append(a.Losses, s)
		}
	}
	if a.Losses == nil {
		return nil
	}
	a.nodes = Trace(b.In, slices.Concat(a.Losses, b.Out))
	if !slices.ContainsFunc(a.nodes, func(n *Node) bool { return n.At == 0 }) {
		slices.SortStableFunc(a.nodes, func(x, y *Node) int { return x.At - y.At })
	}
	return a
}

// leadsTo reports whether a tensor depends only on the body's inputs.
func (b *Body) leadsTo(s *Symbolic) bool {
	for _, n := range Trace(b.In, []*Symbolic{s}) {
		for _, x := range n.In {
			if x.From == nil && !slices.Contains(b.In, x) {
				return false
			}
		}
	}
	return s.From != nil || slices.Contains(b.In, s)
}

// steps returns the calls to run, and the losses that they add. A step that predicts drops the
// calls that only lead to a loss.
func (b *Body) steps(g *Graph) ([]*Node, []*Symbolic) {
	if b.Adds == nil || !g.Trains {
		return b.Nodes, nil
	}
	return b.Adds.nodes, b.Adds.Losses
}

// AddLoss adds a loss of a layer to that of the model. A tensor with several numbers is summed
// (keras/src/trainers/trainer.py, _aggregate_additional_loss).
func (g *Graph) AddLoss(t *Tensor) {
	if len(t.Shape) > 0 {
		t = Reduce(g, OpSum, t, tensor.Shape{})
	}
	g.Losses = append(g.Losses, t)
}

// Asked reports whether compile was given a loss.
func (c *Compile) Asked() bool {
	if c == nil {
		return false
	}
	switch c.Given.X.(type) {
	case nil, value.None:
		return false
	}
	return true
}

// Gathering is the class of a call that collects what layers have added to the loss.
const Gathering = "losses"

// gathers reports whether a node is such a call.
func (n *Node) gathers() bool { return n.Layer.Function && n.Layer.Class == Gathering }

// Adds reports whether a call adds to the loss. It remembers the answer: a step that computes its
// loss a thousand times asks each call of the model again each time (4.6 s of processor time for
// the bomb steps/train_step without, 0.3 with).
func (n *Node) Adds() bool {
	if n.addsLoss != nil {
		return *n.addsLoss
	}
	g := &Graph{Trains: true}
	var in []*Tensor
	for _, s := range n.In {
		in = append(in, &Tensor{Shape: s.Shape, DType: s.DType})
	}
	_, err := n.Apply(g, in)
	adds := err == nil && len(g.Losses) > 0
	n.addsLoss = &adds
	return adds
}
