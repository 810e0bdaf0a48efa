package steps

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/keras/state"
)

// Calls returns the calls of a layer, and of its inner layers, since the current step began. It
// leaves out those inside of another call.
func Calls(h *state.Host, l *graph.Layer, seen map[*graph.Layer]bool) (out []*graph.Node) {
	if seen[l] {
		return nil
	}
	seen[l] = true
	for _, n := range l.Calls {
		if n.At > h.Steps.Running().Began && !n.Within {
			out = append(out, n)
		}
	}
	if l.Inner != nil {
		for _, inner := range l.Inner.Layers() {
			out = append(out, Calls(h, inner, seen)...)
		}
	}
	return out
}

// NewModel creates a model for the Keras and the settings of the running code.
func NewModel(h *state.Host, class string) *graph.Model {
	m := &graph.Model{Class: class, Keras: h.Keras(), Trainable: true, WhyUnsettled: h.Unsure, By: h.Interp, Led: h.Interp.Led(), Within: interp.Settings(h.Interp)}
	distribute(h, m)
	if class != "Step" { // which begins before it is known
		m.Data = pipelines.Held(h.Interp, nil, nil)
	}
	return m
}

// AgainstXLA says why Keras 3 compiles a model with XLA only if asked to, as a clause; "" if
// nothing speaks against it (keras/src/trainers/trainer.py, _resolve_auto_jit_compile,
// model_supports_jit).
func AgainstXLA(h *state.Host, m *graph.Model) string {
	switch {
	case m.IsDistributed:
		return "Keras compiles no step with XLA under tf.distribute"
	case h.Deterministic:
		return "Keras compiles no step with XLA where operations are deterministic"
	}
	return ""
}
