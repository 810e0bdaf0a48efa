package device

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// ContextClosed is TFM111.
var ContextClosed = &rule.Rule{
	Code: "TFM111", Name: "context-closed", Severity: rule.Warning,
	Summary: "Another library destroys the CUDA context that TensorFlow goes on to use.",
	What: `
Checks for numba.cuda.close(), the reset() of one of Numba's devices, and CuPy's
deviceReset(), where the program uses TensorFlow before and may use it after.`,
	Why: `
All libraries of a process share one context of a GPU. Destroying it frees the
memory, TensorFlow's as well, but TensorFlow does not know: its next operation
fails with an error of CUDA, or the process crashes, and no call brings the
context back. Only the end of the process returns TensorFlow's memory.`,
	Bad: `
import tensorflow as tf
from numba import cuda

for units in [64, 128, 256]:
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    cuda.close()`,
	Good: `
import multiprocessing
import tensorflow as tf


def train(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)


if __name__ == "__main__":
    for units in [64, 128, 256]:
        process = multiprocessing.get_context("spawn").Process(target=train, args=(units,))
        process.start()
        process.join()`,
	Limitations: `
A context that is closed after the last use of TensorFlow, before the first, or in a
process without TensorFlow is not reported.`,
	References: []rule.Reference{
		rule.Guide("gpu", "Use a GPU"),
		{Title: "CUDA Runtime API: cudaDeviceReset", URL: "https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__DEVICE.html"},
	},
	Triggers: []string{"close", "reset", "deviceReset"},
	Imported: true,
	Check:    checkContextClosed,
}

// contextWork is what needs TensorFlow's context.
const contextWork = effects.Initialises | effects.Trains | effects.Infers | effects.CallsModel | effects.BuildsModel | effects.LoadsModel

func checkContextClosed(p *rule.Pass) {
	for t, closes := range p.File.Flow().Having(effects.ClosesContext) {
		at := p.Nearest(closes)
		before, after := workAround(t, closes)
		if before == nil || after == nil || at != closes.Node {
			continue
		}
		span, next := rule.Callee(at), p.Nearest(after)
		p.Report(rule.Finding{
			Span: span,
			Message: fmt.Sprintf("%s() destroys the CUDA context that TensorFlow uses. TensorFlow works again on %s, and fails there or crashes. "+
				"Leave the context alone: run what shall give its memory back in a process of its own.", at.Child(syntax.FieldFunction).Text(), p.Line(next, span)),
			Related: []rule.Related{p.Related(next, rule.Callee(next), "TensorFlow works again")},
		})
	}
}

// workAround returns an event that works with TensorFlow before a context is closed, and one after, also in
// the next iteration of a loop around both; nil if there is none.
func workAround(t *flow.Trace, closes *flow.Event) (before, after *flow.Event) {
	for _, e := range t.Having(contextWork) {
		if e.Context&flow.InWorker != closes.Context&flow.InWorker {
			continue
		}
		if again := closes.Loop.Valid() && e.Loop == closes.Loop; e.MaybeBefore(closes) {
			if before = e; again && after == nil {
				after = e
			}
		} else if after == nil || after.MaybeBefore(closes) {
			after = e
		}
	}
	return before, after
}
