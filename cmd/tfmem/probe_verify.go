package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/rules/estimate"
)

// verifying is what makes TensorFlow account for the processor's memory as for a GPU's: with the same
// allocator, and without the layouts of oneDNN, which no GPU has.
var verifying = []string{"TF_CPU_ALLOCATOR_USE_BFC=1", "TF_ENABLE_ONEDNN_OPTS=0", "TF_NUM_INTEROP_THREADS=1", "TF_NUM_INTRAOP_THREADS=1", fmt.Sprintf("TFMEM_PROBE_VERIFY=%d", mostVerifying)}

// verified sets what TensorFlow says that a step took beside the estimate of that step, in a sentence.
func verified(kept string, e *observed.Event) string {
	if e.Measured.Why != "" {
		return "not verified: " + e.Measured.Why
	}
	need, why := needOf(kept, e)
	if why != "" {
		return fmt.Sprintf("a step on a batch of %d took %s by TensorFlow's own account; it is not estimated: %s", e.Measured.Examples, memory.Bytes(e.Measured.Bytes), why)
	}
	took := fmt.Sprintf("a step on a batch of %d took %s by TensorFlow's own account; the estimate is %s, between %s and %s",
		e.Measured.Examples, memory.Bytes(e.Measured.Bytes), memory.Bytes(need.Peak), memory.Bytes(need.Low), memory.Bytes(need.High))
	switch {
	case e.Measured.Bytes < need.Low:
		return "the estimate is too high, please report it: " + took
	case e.Measured.Bytes > need.High:
		// Eigen unrolls the images of a convolution into a buffer of up to the size of the processor's
		// cache (tensorflow/core/kernels/conv_grad_filter_ops.cc, target_working_set_size).
		return "not verified: " + took + ". On a processor, convolutions take buffers of their own. If the model has none, please report it"
	}
	return "verified: " + took
}

// needOf estimates the step of an event on its small batch, without the arrays beside it and without
// XLA, with which Keras compiles no step on a processor; or says why it cannot.
func needOf(kept string, e *observed.Event) (need memory.Need, why string) {
	c, err := newConfigurator(context.Background(), "none", fromHere)
	if err != nil {
		return need, err.Error()
	}
	c.observing(kept)
	c.follow()
	o := estimation{settings: c, options: estimate.Options{Batch: e.Measured.Examples}}
	o.fail = func(words string) { why = words }
	o.remark = o.fail
	o.file(e.File)
	for _, m := range o.models {
		for _, p := range m.Phases {
			at := m.Places[p]
			if at.Source == nil || !p.Trains() || p.Use == nil {
				continue
			}
			line := func(offset int) int { return 1 + strings.Count(at.Source.Text()[:offset], "\n") }
			if node := p.Node(); e.Line < line(node.Start()) || e.Line > line(node.End()) {
				continue
			}
			then := *p.Then
			then.WithoutXLA = true
			step, err := p.As(&then, then.Optimizer)
			if err == nil {
				err = step.Price()
			}
			if err != nil {
				return need, err.Error()
			}
			need = step.Need
			return memory.Need{Peak: need.Peak - need.Data, Low: need.Low - need.Data, High: need.High - need.Data}, ""
		}
	}
	if why == "" {
		why = fmt.Sprintf("no training on line %d of %s is priced", e.Line, fromHere(e.File))
	}
	return need, why
}

// verify says what steps took, beside their estimates.
func (p *probing) verify(kept string, dumps []*observed.Dump) {
	for _, d := range dumps {
		switch {
		case d.Event == nil || d.Event.Measured == nil:
		case notebook.Is(p.script) || d.Event.File == "":
			p.say("not verified: only the trainings of scripts are")
		default:
			p.say(verified(kept, d.Event))
		}
	}
}
