package graph

import (
	"cmp"

	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Traces makes the step that a run traced at a use the model's own, if the text does not say all of the
// model and of its step. It reports whether it did.
func (u *ModelCall) Traces() bool {
	m, t := u.Model, u.Traced
	if t == nil || !u.Trains() || m.Traced != nil || m.Distributed() {
		return false
	}
	if c := m.Compiled; c != nil && (c.Eager || c.Undecided != nil) {
		return false // it does not run as it was traced, or perhaps not
	}
	_, sized := u.Batch.Int()
	if len(m.Unresolved) == 0 && m.Unbuilt() == nil && m.Step == nil && u.ModelAt().Unsettled() == nil && m.Unsure() == nil && sized {
		return false
	}
	u.then = nil
	u.Batch = value.Value{X: max(t.Traced().Batch(), 1)}
	m.traced(t)
	return true
}

func (m *Model) traced(t *observed.Step) {
	if m.Class == "Functional" {
		m.Class = "Subclass"
	}
	m.Traced, m.Replaced = t, false
	m.Unresolved, m.Step, m.WhyUnsettled, m.WhyUnsure, m.Wider = nil, nil, nil, nil, nil
	m.Inputs, m.Outputs, m.Nodes, m.Stack, m.OwnWeights = nil, nil, nil, nil, nil
	m.Own = nil
	if m.Optimizer == nil || m.Optimizer.Unknown != nil {
		m.Optimizer = &Optimizer{Class: cmp.Or(t.Optimizer, "?"), Keras: m.Keras}
	}
	add := func(n int64, trainable bool) {
		if n > 0 {
			m.OwnWeights = append(m.OwnWeights, &Weight{Name: "weights", Shape: []int64{n}, DType: "float32", Trainable: trainable})
		}
	}
	add(t.Trainable, true)
	add(t.Parameters-t.Trainable, false)
}
