package state

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Said returns the mode that the program passes to a call of a layer or a model of Keras.
func (h *Host) Said(args *value.Args) graph.Mode {
	given, ok := args.Keywords.Get("training")
	if !ok && len(args.Positional) > 1 {
		given = args.Positional[1]
		_, ok = given.X.(bool)
	}
	if _, none := given.X.(value.None); ok && !none {
		switch on := given.X; {
		case on == true && !h.assumed, on == int64(1):
			return graph.TrainingMode
		case on == false, on == int64(0):
			return graph.PredictionMode
		}
		return graph.UnsaidMode
	}
	if h.Recorder != nil && h.Tracing == 0 {
		return graph.PredictionMode
	}
	return graph.UnsaidMode
}

// CallingAs is called before a layer's call, and the function that it returns after it: nodes
// created meanwhile are calls in that mode.
func (h *Host) CallingAs(m graph.Mode) (after func()) {
	outer := h.mode
	h.mode = m
	return func() { h.mode = outer }
}

// During runs the code of a custom layer in a mode.
func (h *Host) During(m graph.Mode, run func()) {
	predicting, assumed, said := h.Predicting, h.assumed, h.mode
	h.mode = graph.UnsaidMode
	switch m {
	case graph.TrainingMode:
		h.Predicting, h.assumed = false, false
	case graph.PredictionMode:
		h.Predicting, h.assumed = true, false
	default:
		h.assumed = !h.Predicting
	}
	run()
	h.Predicting, h.assumed, h.mode = predicting, assumed, said
}
