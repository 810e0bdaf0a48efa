package keras

import "github.com/tfmem/tfmem/analyzer/value"

// A mode is what a call of a layer says of training, which holds for the layers that
// this calls, too (keras/src/layers/layer.py, _resolve_and_populate_arg).
type mode int8

const (
	inherited mode = iota // that of the layer from which it is called
	trains
	infers
)

// modeOf is the training= of a call.
func modeOf(args *value.Args) mode {
	switch args.Keywords.Value("training").X {
	case true:
		return trains
	case false:
		return infers
	}
	return inherited
}

// within has the operations that are added until the function it returns is called be
// those of layers that are called so.
func (g *Graph) within(m mode) func() {
	outer := g.infers
	if m != inherited {
		g.infers = m == infers
	}
	return func() { g.infers = outer }
}

// calledAs has the nodes that are made until the function it returns is called say of
// training what a call says.
func (h *host) calledAs(m mode) func() {
	outer := h.mode
	h.mode = m
	return func() { h.mode = outer }
}

// untrained tells of a model that fit trains whether its layers run as in inference all
// the same: Keras 3 tells a model of training only where its call has an argument for
// that (keras/src/backend/tensorflow/trainer.py, train_step), and no layer inside hears
// of it otherwise. Keras 2 tells them (tf_keras/src/engine/base_layer.py,
// _set_training_mode).
func (v *custom) untrained(in *value.Interp) bool {
	if v.h.keras == 2 || !v.isModel || v.functional || !v.defines(in, "call") {
		return false
	}
	parameters := v.parameters(in, "call")
	if parameters == nil {
		return false
	}
	for _, name := range parameters {
		if name == "training" {
			return false
		}
	}
	return true
}
