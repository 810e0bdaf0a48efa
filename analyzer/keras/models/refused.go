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

// refuses records why Keras refuses to train a model as a use does: because of the name of a
// loss, labels that cannot be compared with an output, or a callback.
func (v *ModelValue) refuses(u *graph.ModelCall, data, targets value.Value, args *value.Args) {
	m := v.Model
	if m.Compiled == nil || m.Step != nil || !m.Known() {
		return
	}
	if m.Keras != 2 {
		v.refusesIn3(args)
	}
	v.refusesLabels(u, data, targets)
}

// refusesIn3 records callbacks and losses that only Keras 2 knows.
func (v *ModelValue) refusesIn3(args *value.Args) {
	m := v.Model
	if callbacks, ok := args.Get(5, "callbacks"); ok {
		items, _ := objects.Sequence(callbacks)
		for _, item := range append(items, callbacks) {
			if c, ok := item.X.(*layers.Callback); ok {
				m.AddUnresolved(c.Refused)
			}
		}
	}
	for _, loss := range m.LossParts(m.Compiled.Given) {
		if name, ok := loss.X.(string); ok && !layers.Losses3[name] {
			m.AddUnresolved(layers.FromKeras3("it has no loss %q", name))
		}
	}
}

// refusesLabels records why labels cannot be compared with an output.
func (v *ModelValue) refusesLabels(u *graph.ModelCall, data, targets value.Value) {
	m := v.Model
	batch, _ := wholeBatch(v.H, data, targets)
	parts, _ := batch.X.(value.Tuple)
	if len(parts) < 2 {
		return
	}
	if _, one := parts[1].X.(*ops.SymbolicValue); one && m.Keras != 2 && len(m.Outputs) > 1 && wantsAll(m.Compiled.Given) {
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
	losses := m.LossParts(m.Compiled.Given)
	for i, label := range labels {
		loss, _ := graph.At(m.Compiled.Losses, i)
		truth, ok := label.X.(*ops.SymbolicValue)
		if !ok || len(losses) == 0 || len(truth.S.Shape) == 0 || len(m.Outputs[i].Shape) == 0 || rows < 1 {
			continue
		}
		t, g := truth.S.Shape.With(0, rows), m.Outputs[i].Shape.With(0, rows)
		switch name := graph.LossName(loss); {
		case layers.ComparableInKeras3(name, t, g):
		case m.Keras != 2:
			m.AddUnresolved(layers.FromKeras3("%s compares an output of the shape %s with labels of the shape %s", loss, m.Outputs[i].Shape, t.With(0, tensor.None)))
		case !layers.ComparableInKeras2(name, t, g):
			m.AddUnresolved(value.Refused("%s compares an output of the shape %s with labels of the shape %s", loss, m.Outputs[i].Shape, t.With(0, tensor.None)))
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
