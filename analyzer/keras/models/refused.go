package models

import (
	_ "embed"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// refuses records why Keras 3 refuses to train a model as a use does: because of the name of a
// loss, labels that cannot be compared with an output, or a callback.
func (v *ModelValue) refuses(u *graph.ModelCall, data, targets value.Value, args *value.Args) {
	m := v.Model
	if m.Keras == 2 || m.Compiled == nil || m.Step != nil || !m.Known() {
		return
	}
	if callbacks, ok := args.Get(5, "callbacks"); ok {
		items, _ := objects.Sequence(callbacks)
		for _, item := range append(items, callbacks) {
			if c, ok := item.X.(*layers.Callback); ok {
				m.AddUnresolved(c.Refused)
			}
		}
	}
	losses := m.LossParts(m.Compiled.Given)
	for _, loss := range losses {
		if name, ok := loss.X.(string); ok && !layers.Losses3[name] {
			m.AddUnresolved(layers.FromKeras3("it has no loss %q", name))
		}
	}
	batch, _ := wholeBatch(v.H, data, targets)
	parts, _ := batch.X.(value.Tuple)
	if len(parts) < 2 {
		return
	}
	if _, one := parts[1].X.(*ops.SymbolicValue); one && len(m.Outputs) > 1 && wantsAll(m.Compiled.Given) {
		m.AddUnresolved(layers.FromKeras3("its %d outputs are compared with one array of labels", len(m.Outputs)))
	}
	labels := parts[1:2]
	if items, ok := objects.Sequence(parts[1]); ok {
		labels = items
	}
	if len(labels) != len(m.Outputs) {
		return
	}
	rows, _ := u.Batch.Int()
	for i, label := range labels {
		loss, _ := graph.At(m.Compiled.Losses, i)
		truth, ok := label.X.(*ops.SymbolicValue)
		if !ok || len(losses) == 0 || len(truth.S.Shape) == 0 || len(m.Outputs[i].Shape) == 0 || rows < 1 {
			continue
		}
		t, g := truth.S.Shape.With(0, rows), m.Outputs[i].Shape.With(0, rows)
		if !layers.ComparableInKeras3(graph.LossName(loss), t, g) {
			m.AddUnresolved(layers.FromKeras3("%s compares an output of the shape %s with labels of the shape %s", loss, m.Outputs[i].Shape, t.With(0, tensor.None)))
		}
	}
}

// wantsAll reports whether Keras 3 needs labels for each of several outputs: with a single loss,
// or with several, but not with a list of one (keras/src/trainers/compile_utils.py, CompileLoss).
func wantsAll(loss value.Value) bool {
	switch loss.X.(type) {
	case string, *ops.LossValue:
		return true
	}
	items, _ := objects.Sequence(loss)
	items = slices.DeleteFunc(slices.Clone(items), func(v value.Value) bool { return v.X == (value.None{}) })
	return len(items) > 1
}
