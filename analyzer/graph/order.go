package graph

import (
	"cmp"
	"slices"
)

// A functional model's layers have an order of Keras's own, by which programs find them
// (model.layers[:100]). Layers that are more calls away from an output come first. Among equal
// ones, the order follows a traversal from the outputs (keras/src/ops/function.py, map_graph).

// A member is a layer of a model, or an input.
type member struct {
	Layer *Layer
	Input *Symbolic
}

// Hold records that a layer belongs to a Sequential with a name, which is a layer of the model.
func (m *Model) Hold(within string, l *Layer) {
	if within == "" {
		return
	}
	if m.Groups == nil {
		m.Groups = map[*Layer]*Model{}
	}
	var group *Model
	for _, g := range m.Groups {
		if g.Name == within {
			group = g
		}
	}
	if group == nil {
		group = &Model{Class: "Sequential", Name: within, Keras: m.Keras, Trainable: true}
	}
	group.Stack = append(group.Stack, l)
	m.Groups[l] = group
}

// Members returns a functional model's inputs and layers, each once, in Keras's order.
func (m *Model) Members() []member {
	type place struct {
		member
		depth, entered int
	}
	at := make(map[any]*place, len(m.Inputs)+len(m.Nodes)) // by the input or the layer
	entered := 0
	enter := func(key any, p member) {
		if at[key] == nil {
			at[key] = &place{member: p, entered: entered}
			entered++
		}
	}
	inputs := make(map[*Symbolic]bool, len(m.Inputs))
	for _, s := range m.Inputs {
		inputs[s] = true
	}
	isInput := func(s *Symbolic) bool { return s.From == nil || inputs[s] }
	nodes := traverse(m.Inputs, m.Outputs, func(s *Symbolic) {
		if isInput(s) {
			enter(s, member{Input: s})
		} else {
			enter(s.From.Layer, member{Layer: s.From.Layer})
		}
	})
	depths := make(map[*Node]int, len(nodes))
	for _, n := range slices.Backward(nodes) {
		p := at[n.Layer]
		depth := max(depths[n], p.depth)
		p.depth = depth
		for _, s := range n.In {
			if isInput(s) {
				at[s].depth = max(at[s].depth, depth+1)
			} else {
				depths[s.From] = max(depths[s.From], depth+1)
			}
		}
	}
	for _, s := range m.Inputs { // unused inputs come before the last layers
		if at[s] == nil {
			at[s] = &place{member: member{Input: s}, entered: -1}
		}
	}
	all := make([]*place, 0, len(at))
	take := func(key any) {
		if p := at[key]; p != nil {
			all = append(all, p)
			delete(at, key)
		}
	}
	for _, s := range m.Inputs {
		take(s)
	}
	for _, n := range nodes {
		take(n.Layer)
	}
	slices.SortStableFunc(all, func(a, b *place) int {
		return cmp.Or(cmp.Compare(b.depth, a.depth), cmp.Compare(a.entered, b.entered))
	})
	var out []member
	for _, p := range all {
		// Keras 2 makes layers of functions on tensors (tf_keras/src/layers/core/tf_op_layer.py,
		// TFOpLambda).
		if p.Layer == nil || !p.Layer.Function || m.Keras == 2 {
			out = append(out, p.member)
		}
	}
	return out
}
