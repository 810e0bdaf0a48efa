package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// added are losses that a call adds to that of the model by add_loss, and the calls that
// lead to them and to what it returns.
type added struct {
	losses []*Symbolic
	nodes  []*node
}

// addLoss is add_loss(loss) of a layer or a model of the program's own: what it is given
// while that is called, which is a part of the loss of the model
// (keras/src/layers/layer.py, add_loss).
func (v *custom) addLoss(_ *value.Interp, args *value.Args) value.Value {
	if loss, ok := args.Get(0, "loss"); ok && v.h.tracing > 0 {
		v.h.losses = append(v.h.losses, tensorsIn(v.h.read(loss))...)
	}
	return value.Value{X: value.None{}}
}

// read is a value with tensors for variables.
func (h *host) read(v value.Value) value.Value {
	return each(v, func(x value.Value) value.Value {
		if w, ok := x.X.(*variable); ok {
			return h.tensor(w.read())
		}
		return x
	})
}

// adding are those of some losses that come of what the body is given, in the order of the
// program; nil where there are none.
func (b *body) adding(losses []*Symbolic) *added {
	a := &added{}
	for _, s := range losses {
		if s.DType.Floating() && b.leadsTo(s) {
			a.losses = append(a.losses, s)
		}
	}
	if a.losses == nil {
		return nil
	}
	a.nodes = trace(b.in, slices.Concat(a.losses, b.out))
	if !slices.ContainsFunc(a.nodes, func(n *node) bool { return n.at == 0 }) {
		slices.SortStableFunc(a.nodes, func(x, y *node) int { return x.at - y.at })
	}
	return a
}

// leadsTo tells whether a tensor comes of nothing but what the body is given.
func (b *body) leadsTo(s *Symbolic) bool {
	for _, n := range trace(b.in, []*Symbolic{s}) {
		for _, x := range n.in {
			if x.from == nil && !slices.Contains(b.in, x) {
				return false
			}
		}
	}
	return s.from != nil || slices.Contains(b.in, s)
}

// steps are the calls to be run, and the losses that they add: a step that predicts is rid of
// those that lead to a loss alone.
func (b *body) steps(g *Graph) ([]*node, []*Symbolic) {
	if b.adds == nil || !g.Trains {
		return b.nodes, nil
	}
	return b.adds.nodes, b.adds.losses
}

// addLoss adds a loss of a layer to that of the model. What is no single number is summed
// (keras/src/trainers/trainer.py, _aggregate_additional_loss).
func (g *Graph) addLoss(t *Tensor) {
	if len(t.Shape) > 0 {
		t = reduce(g, "sum", t, Shape{})
	}
	g.Losses = append(g.Losses, t)
}

// Asked tells whether compile was given a loss.
func (c *Compile) Asked() bool {
	if c == nil {
		return false
	}
	switch c.loss.X.(type) {
	case nil, value.None:
		return false
	}
	return true
}
