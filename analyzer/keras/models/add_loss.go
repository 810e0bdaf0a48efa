package models

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// addLoss is add_loss(loss) of a custom layer or model. A loss added during its call is part of
// the model's loss (keras/src/layers/layer.py, add_loss).
func (v *custom) addLoss(_ *value.Interp, args *value.Args) value.Value {
	if loss, ok := args.Get(0, "loss"); ok && v.h.Calls.Tracing() {
		v.h.Calls.AddLosses(tensorsIn(ops.Each(loss, func(x value.Value) value.Value { return ops.Read(v.h, x) })))
	}
	return value.Value{X: value.None{}}
}

// addLoss is add_loss(loss) of a functional Keras 2 model, from outside. The calls between the
// model's tensors and the loss become part of the model (tf_keras/src/engine/functional.py,
// add_loss; Keras 3 refuses it).
func (v *ModelValue) addLoss(in *value.Interp, args *value.Args) value.Value {
	m := v.Model
	if loss, ok := args.Get(0, "losses"); ok && m.Class == "Functional" {
		in.Touch(graph.ModelChain{Of: m})
		losses := tensorsIn(ops.Each(loss, func(x value.Value) value.Value { return ops.Read(v.H, x) }))
		if m.Adds != nil {
			losses = slices.Concat(m.Adds.Losses, losses)
		}
		m.Adds = (&graph.Body{In: m.Inputs, Out: m.Outputs}).Adding(losses)
	}
	return value.Value{X: value.None{}}
}

// losses returns the losses of a model in a custom training step: one tensor with all that the
// calls of the model and of its parts added so far; none if they add nothing. Penalties of
// weights have negligible size.
func (v *ModelValue) losses() value.Value {
	list := &value.List{}
	if !v.H.InStep() {
		return value.Value{X: list}
	}
	var of []*graph.Symbolic
	for _, n := range steps.Calls(v.H, v.AsLayer(), map[*graph.Layer]bool{}) {
		if len(n.Out) > 0 && n.Adds() {
			of = append(of, n.Out[0])
		}
	}
	if len(of) > 0 {
		list.Items = append(list.Items, ops.Operate(v.H, graph.Gathering, of, nil, func(g *graph.Graph, _ []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
			if len(g.Losses) == 0 { // the step is being followed
				g.Add(graph.OpConst, nil, tensor.Shape{}, "float32")
				return g.Ops[len(g.Ops)-1].Out, nil
			}
			sum := g.Losses[0]
			for _, t := range g.Losses[1:] {
				sum, _ = graph.Combine(g, graph.OpAdd, sum, t) // of two numbers
			}
			g.Losses = g.Losses[:0]
			return []*graph.Tensor{sum}, nil
		}))
	}
	return value.Value{X: list}
}
