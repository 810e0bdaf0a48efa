package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/keras/classes"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Region is a part of a forward pass that is rematerialised: gradients keep only its inputs,
// and it runs again when its gradient is computed (tensorflow/python/ops/custom_gradient.py,
// recompute_grad).
type Region struct {
	Outer *Region // the region that contains it, or nil
}

// Within returns the outermost region inside outer that contains r, with which an op of r runs
// again; nil if there is none. outer is nil for the whole pass.
func (r *Region) Within(outer *Region) *Region {
	for ; r != nil && r != outer; r = r.Outer {
		if r.Outer == outer {
			return r
		}
	}
	return nil
}

// Recompute makes a region of the operations from index from on.
func (g *Graph) Recompute(from int) {
	r := &Region{}
	for _, op := range g.Ops[from:] {
		if op.Remat == nil {
			op.Remat = r
			continue
		}
		top := op.Remat
		for top.Outer != nil {
			top = top.Outer
		}
		if top != r {
			top.Outer = r
		}
	}
}

// A RematMode says what of a layer is rematerialised.
type RematMode struct {
	Mode      string
	Why       *value.Cause // why the mode is not known
	Threshold int64
	Names     []string
}

// rematerialized makes a region of the operations that a layer added, from index from on, if the
// scope in which it was created says so.
func (l *Layer) rematerialized(g *Graph, from int, out []*Tensor) error {
	s := l.Remat
	if s == nil || s.Mode == "" || s.Mode == "activations" {
		return nil
	}
	if s.Why != nil {
		return value.Because(value.UnmodelledTraining, "the layers that are recomputed are not known: %s", s.Why)
	}
	switch s.Mode {
	case "larger_than":
		var size int64
		for _, t := range out {
			n := int64(1)
			for i, d := range t.Shape {
				if i > 0 && d > 0 { // the batch size is not known in a graph
					n *= d
				}
			}
			size += n
		}
		if size <= s.Threshold {
			return nil
		}
	case "list_of_layers":
		if !slices.Contains(s.Names, l.Name) {
			return nil
		}
	}
	// custom_gradient does not accept a layer that takes training= in a graph
	// (tensorflow/python/ops/custom_gradient.py, _graph_mode_decorator).
	if facts, _ := classes.FactsOf(l.Class, 3); facts.Training {
		return value.Refused("a RematScope has it computed again as a function, and in a graph that takes no training=")
	}
	if l.Inner != nil {
		return value.Because(value.UnmodelledTraining, "a RematScope around a model or a layer of the program's own is not followed")
	}
	g.Recompute(from)
	return nil
}
