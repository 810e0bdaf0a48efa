package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// added holds the losses that a call adds with add_loss, and the calls that lead to them and to
// its outputs.
type added struct {
	losses []*Symbolic
	nodes  []*node
}

// addLoss is add_loss(loss) of a custom layer or model. A loss added during its call is part of
// the model's loss (keras/src/layers/layer.py, add_loss).
func (v *custom) addLoss(_ *value.Interp, args *value.Args) value.Value {
	if loss, ok := args.Get(0, "loss"); ok && v.h.tracing > 0 {
		v.h.losses = append(v.h.losses, tensorsIn(each(loss, func(x value.Value) value.Value { return v.h.read(x) }))...)
	}
	return value.Value{X: value.None{}}
}

// addLoss is add_loss(loss) of a functional Keras 2 model, from outside. The calls between the
// model's tensors and the loss become part of the model (tf_keras/src/engine/functional.py,
// add_loss; Keras 3 refuses it).
func (v *modelValue) addLoss(in *value.Interp, args *value.Args) value.Value {
	m := v.model
	if loss, ok := args.Get(0, "losses"); ok && m.Class == "Functional" {
		in.Touch(modelChain{m})
		losses := tensorsIn(each(loss, func(x value.Value) value.Value { return v.h.read(x) }))
		if m.adds != nil {
			losses = slices.Concat(m.adds.losses, losses)
		}
		m.adds = (&body{in: m.Inputs, out: m.Outputs}).adding(losses)
	}
	return value.Value{X: value.None{}}
}

// adding returns those losses that depend on the body's inputs, in the order of the program; nil
// if there are none.
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

// leadsTo reports whether a tensor depends only on the body's inputs.
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

// steps returns the calls to run, and the losses that they add. A step that predicts drops the
// calls that only lead to a loss.
func (b *body) steps(g *Graph) ([]*node, []*Symbolic) {
	if b.adds == nil || !g.Trains {
		return b.nodes, nil
	}
	return b.adds.nodes, b.adds.losses
}

// addLoss adds a loss of a layer to that of the model. A tensor with several numbers is summed
// (keras/src/trainers/trainer.py, _aggregate_additional_loss).
func (g *Graph) addLoss(t *Tensor) {
	if len(t.Shape) > 0 {
		t = reduce(g, OpSum, t, Shape{})
	}
	g.Losses = append(g.Losses, t)
}

// Asked reports whether compile was given a loss.
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

// gathering is the class of a call that collects what layers have added to the loss.
const gathering = "losses"

// gathers reports whether a node is such a call.
func (n *node) gathers() bool { return n.layer.function && n.layer.Class == gathering }

// losses returns the losses of a model in a custom training step: one tensor with all that the
// calls of the model and of its parts added so far; none if they add nothing. Penalties of
// weights have negligible size.
func (v *modelValue) losses() value.Value {
	list := &value.List{}
	if v.h.recorder == nil || v.h.tracing > 0 {
		return value.Value{X: list}
	}
	var of []*Symbolic
	for _, n := range v.h.calls(v.asLayer(), map[*Layer]bool{}) {
		if len(n.out) > 0 && n.adds() {
			of = append(of, n.out[0])
		}
	}
	if len(of) > 0 {
		list.Items = append(list.Items, v.h.operate(gathering, of, nil, func(g *Graph, _ []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			if len(g.Losses) == 0 { // the step is being followed
				g.add(OpConst, nil, Shape{}, "float32")
				return g.Ops[len(g.Ops)-1].Out, nil
			}
			sum := g.Losses[0]
			for _, t := range g.Losses[1:] {
				sum, _ = combine(g, OpAdd, sum, t) // of two numbers
			}
			g.Losses = g.Losses[:0]
			return []*Tensor{sum}, nil
		}))
	}
	return value.Value{X: list}
}

// calls returns the calls of a layer, and of its inner layers, since the current step began. It
// leaves out those inside of another call.
func (h *host) calls(l *Layer, seen map[*Layer]bool) (out []*node) {
	if seen[l] {
		return nil
	}
	seen[l] = true
	for _, n := range l.calls {
		if n.at > h.recorder.began && !n.within {
			out = append(out, n)
		}
	}
	if l.Inner != nil {
		for _, inner := range l.Inner.Layers() {
			out = append(out, h.calls(inner, seen)...)
		}
	}
	return out
}

// adds reports whether a call adds to the loss. It remembers the answer: a step that computes its
// loss a thousand times asks each call of the model again each time (4.6 s of processor time for
// the bomb steps/train_step without, 0.3 with).
func (n *node) adds() bool {
	if n.addsLoss != nil {
		return *n.addsLoss
	}
	g := &Graph{Trains: true}
	var in []*Tensor
	for _, s := range n.in {
		in = append(in, &Tensor{Shape: s.Shape, DType: s.DType})
	}
	_, err := n.apply(g, in)
	adds := err == nil && len(g.Losses) > 0
	n.addsLoss = &adds
	return adds
}
