package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A mode is how a layer or a model is called: to train or to predict. Prediction leaves out
// dropout and normalizes by recorded statistics. A layer without an explicit mode is called in
// the mode of its caller (keras/src/layers/layer.py, CallContext). At the outermost level, fit
// tells its model that it trains (keras/src/backend/tensorflow/trainer.py, train_step), and a
// step that calls model(x) predicts.
type mode uint8

const (
	unsaid mode = iota
	trains
	predicts
)

// said returns the mode that the program passes to a call of a layer or a model of Keras.
func (h *host) said(args *value.Args) mode {
	given, ok := args.Keywords.Get("training")
	if !ok && len(args.Positional) > 1 {
		given = args.Positional[1]
		_, ok = given.X.(bool)
	}
	if _, none := given.X.(value.None); ok && !none {
		switch on := given.X; {
		case on == true && !h.assumed, on == int64(1):
			return trains
		case on == false, on == int64(0):
			return predicts
		}
		return unsaid
	}
	if h.recorder != nil && h.tracing == 0 {
		return predicts
	}
	return unsaid
}

// callingAs is called before a layer's call, and the function that it returns after it: nodes
// created meanwhile are calls in that mode.
func (h *host) callingAs(m mode) (after func()) {
	outer := h.mode
	h.mode = m
	return func() { h.mode = outer }
}

// during runs the code of a custom layer in a mode.
func (h *host) during(m mode, run func()) {
	predicting, assumed, said := h.predicting, h.assumed, h.mode
	h.mode = unsaid
	switch m {
	case trains:
		h.predicting, h.assumed = false, false
	case predicts:
		h.predicting, h.assumed = true, false
	default:
		h.assumed = !h.predicting
	}
	run()
	h.predicting, h.assumed, h.mode = predicting, assumed, said
}

// in makes a graph add operations in the mode of a call.
func (m mode) in(g *Graph, n *node) (leave func()) {
	outer := g.mode
	if n.operates() {
		g.mode = trains // TensorFlow's functions do what their arguments say
	} else if m != unsaid {
		g.mode = m
	}
	return func() { g.mode = outer }
}

// untrained reports whether the layers of a model run as in inference although fit trains it.
// Keras 3 tells a model of training only if its call has an argument for that
// (keras/src/backend/tensorflow/trainer.py, train_step), and otherwise no inner layer learns of
// it. Keras 2 tells them (tf_keras/src/engine/base_layer.py, _set_training_mode).
func (v *custom) untrained(in *value.Interp) bool {
	if v.model.model.Keras == 2 || !v.isModel || v.functional || !v.defines(in, "call") {
		return false
	}
	parameters := v.parameters(in, "call")
	return parameters != nil && !slices.Contains(parameters, "training")
}
