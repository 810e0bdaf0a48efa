package state

import (
	"github.com/tfmem/tfmem/analyzer/graph"
)

// Calls are the calls of layers in progress.
type Calls struct {
	mode graph.Mode // of the innermost
	// predicting is set if a custom layer's code runs for prediction, and assumed if it runs for
	// training only because that was assumed.
	predicting, assumed bool
	tracing             int               // how many calls of custom layers run the program's code
	losses              []*graph.Symbolic // that the innermost of them has added
	counted             bool
}

// As is called before a layer's call, and the function that it returns after it: nodes created
// meanwhile are calls in that mode.
func (c *Calls) As(m graph.Mode) (after func()) {
	outer := c.mode
	c.mode = m
	return func() { c.mode = outer }
}

// During runs the code of a custom layer in a mode.
func (c *Calls) During(m graph.Mode, run func()) {
	predicting, assumed, said := c.predicting, c.assumed, c.mode
	c.mode = graph.UnsaidMode
	switch m {
	case graph.TrainingMode:
		c.predicting, c.assumed = false, false
	case graph.PredictionMode:
		c.predicting, c.assumed = true, false
	default:
		c.assumed = !c.predicting
	}
	run()
	c.predicting, c.assumed, c.mode = predicting, assumed, said
}

// Predicting reports whether a custom layer's code runs for prediction.
func (c *Calls) Predicting() bool { return c.predicting }

// Trace begins code of the program on tensors that stand for its inputs, until the function that it
// returns is called. Losses are those that the code has added.
func (c *Calls) Trace() (end func()) {
	outer := c.losses
	c.tracing++
	c.losses = nil
	return func() {
		c.tracing--
		c.losses = outer
	}
}

// Tracing reports whether such code is in progress.
func (c *Calls) Tracing() bool { return c.tracing > 0 }

func (c *Calls) AddLosses(s []*graph.Symbolic) { c.losses = append(c.losses, s...) }

func (c *Calls) Losses() []*graph.Symbolic { return c.losses }

// Count begins a call on arrays that gets as many rows as those have, until the function that it
// returns is called; that is nil within such a call.
func (c *Calls) Count() (end func()) {
	if c.counted {
		return nil
	}
	c.counted = true
	return func() { c.counted = false }
}
