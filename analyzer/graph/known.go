package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A custom model may have no call, and train its parts in its own train_step: the two networks of
// a GAN, the encoder and the decoder of an autoencoder. Its weights are those of the parts. They
// are known once all parts are built, even if nothing is known of its data.

// Known reports whether all weights of the model are known. What runs the model may still be
// unknown; see Built.
func (m *Model) Known() bool {
	return len(m.Unresolved) == 0 && (m.Built() || m.WeightsKnown || m.Weightless())
}

// Weightless reports whether no layer of a Sequential has weights.
func (m *Model) Weightless() bool { return m.hasNone(map[*Model]bool{}) }

// hasNone is weightless that visits each nested model once.
func (m *Model) hasNone(seen map[*Model]bool) bool {
	if seen[m] {
		return true
	}
	seen[m] = true
	return m.Class == "Sequential" && len(m.Stack) > 0 && !slices.ContainsFunc(m.Stack, func(l *Layer) bool {
		return !l.Weightless && !(l.Inner != nil && l.Inner.hasNone(seen))
	})
}

// Unbuilt says why a model is not built; nil if it is.
func (m *Model) Unbuilt() *value.Cause {
	switch {
	case m.Built():
		return nil
	case m.WeightsKnown && m.Step != nil:
		return m.Step
	case m.WeightsKnown:
		return value.Because(value.NotBuilt, "the shape of what it is called with is not known")
	case m.Missing != nil:
		return m.Missing
	}
	if m.Starved != nil {
		return value.Because(value.NotBuilt, "the shape of the model's input is not known: %s", m.Starved)
	}
	return value.Because(value.NotBuilt, "the shape of the model's input is not known: it has none of its own, and no data of a known shape reaches it")
}

// Unsettled says why the dtypes or the compilation of the model's steps are not known although
// its layers are; nil if they are known.
func (m *Model) Unsettled() *value.Cause {
	if m.WhyUnsettled == nil && m.Compiled != nil {
		return m.Compiled.Undecided
	}
	return m.WhyUnsettled
}
