package models

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// held returns the variables of a tf.Module of the program: those in its attributes, sorted by
// name, then those of nested modules. A layer of Keras 3 is not a module
// (tensorflow/python/module/module.py, _flatten_module).
func (v *custom) held(trainable bool) value.Value {
	list := &value.List{}
	seen := map[any]bool{v.object: true}
	add := func(x value.Value, w *graph.Weight) {
		if !seen[w] && (w.Trainable || !trainable) {
			list.Items = append(list.Items, x)
		}
		seen[w] = true
	}
	var why *value.Cause
	var walk func(o *value.Instance)
	walk = func(o *value.Instance) {
		var within []value.Value
		names := slices.Sorted(slices.Values(o.Attrs.Names()))
		for _, name := range names {
			x, _ := o.Attrs.Get(name)
			if open := mayHold(x, 0); open != nil && why == nil {
				why = value.Because(value.UnmodelledLayer, "its attribute %s is not known, and may hold variables: %s", name, open)
			}
			for _, leaf := range steps.LeavesOf(x, nil) {
				switch x := leaf.X.(type) {
				case *ops.Variable:
					if x.Foreign || v.model.Model.Keras == 2 {
						add(leaf, x.Weight)
					}
				case *ops.LostVariable:
					why = x.Why
				default:
					within = append(within, leaf)
				}
			}
		}
		for _, leaf := range within {
			switch x := leaf.X.(type) {
			case *value.Instance:
				c, ok := x.Host.(*custom)
				switch {
				case !ok || seen[x]:
				case c.library == "tensorflow.Module":
					seen[x] = true
					walk(x)
				case v.model.Model.Keras == 2:
					v.weightsOf(leaf, add)
				}
			case *LayerValue, *ModelValue:
				if v.model.Model.Keras == 2 {
					v.weightsOf(leaf, add)
				}
			}
		}
	}
	walk(v.object)
	if why != nil {
		return why.Unknown()
	}
	return value.Value{X: list}
}

// weightsOf visits the weights of a layer or a model that a module holds.
func (v *custom) weightsOf(x value.Value, add func(value.Value, *graph.Weight)) {
	items, _ := objects.Sequence(interp.Attr(v.interp, x, "weights"))
	for _, item := range items {
		if w, ok := item.X.(*ops.Variable); ok {
			add(item, w.Weight)
		}
	}
}
