package pipeline

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// DatasetPerFit is TFM312.
var DatasetPerFit = &rule.Rule{
	Code: "TFM312", Name: "dataset-per-fit", Severity: rule.Information,
	Summary: "Each iteration trains on another Sequence or generator, and TensorFlow keeps them all.",
	What: `
Checks for fit and evaluate in a loop, or in a function that a library calls for each
trial or fold, on another Sequence (a PyDataset in Keras 3), Python generator (but in
Keras 2) or dataset of from_generator each time, which has an array that the iteration makes,
where nothing calls clear_session().`,
	Why: `
Keras makes a dataset of a Sequence or a generator, by Dataset.from_generator. In
TensorFlow up to 2.21, its Python function belongs to the default graph, which lives
as long as the process. So does all that the function refers to: eight calls of fit
on eight Sequences that hold 32 MiB each leave 256 MiB of the machine's memory
taken. Neither del nor gc.collect() frees them; clear_session(), which makes another
default graph, does. Arrays, and datasets of from_tensor_slices, leave nothing.`,
	Bad: `
import numpy as np
import tensorflow as tf

def batches(x, y):
    for i in range(0, len(x), 32):
        yield x[i:i + 32], y[i:i + 32]

model = tf.keras.models.load_model("start.keras")
for part in range(100):
    x, y = np.load(f"x{part}.npy"), np.load(f"y{part}.npy")
    model.fit(batches(x, y))`,
	Good: `
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("start.keras")
for part in range(100):
    x, y = np.load(f"x{part}.npy"), np.load(f"y{part}.npy")
    model.fit(x, y, batch_size=32)`,
	Limitations: `
A Sequence whose batches are read from files holds little, and is not reported. Nor
are generators that end and yield copies, of which only the first batches stay, arrays of which it is not known whether they are views of earlier ones, and loops
of one or two iterations. What map() and numpy_function() refer to is not followed.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset#from_generator"),
		{Title: "tfmem: how TensorFlow takes and frees GPU memory", URL: "https://github.com/tfmem/tfmem/blob/main/rules/MEMORY.md"},
	},
	Triggers: []string{"fit", "evaluate"},
	Check:    checkDatasetPerFit,
}

func checkDatasetPerFit(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test || !p.File.Releases().KeepsGenerators().Found() {
		return
	}
	d := perFit{p, p.File.Facts(), dataset.NewTracer(p.File.Names())}
	for t, e := range p.File.Flow().Having(effects.Trains | effects.Infers) {
		if e.Context&(flow.InWorker|flow.InGraph|flow.Compiled|flow.Uncertain) == 0 {
			d.event(t, e)
		}
	}
}

type perFit struct {
	*rule.Pass
	facts  *facts.Facts
	tracer *dataset.Tracer
}

// event reports what a call that trains or evaluates a model is given, if that stays.
func (d *perFit) event(t *flow.Trace, e *flow.Event) {
	around := d.facts.Around(e)
	method := names.Method(e.Node)
	if len(around) == 0 || !d.Here(e.Node) || method != "fit" && method != "fit_generator" && method != "evaluate" {
		return
	}
	if n := facts.Times(around); n > 0 && n <= 2 || d.clears(t, around) {
		return
	}
	in := d.facts.At(e)
	for _, given := range []syntax.Node{names.Argument(e.Node, 0, "x"), names.Argument(e.Node, -1, "validation_data")} {
		made := d.tracer.Of(given)
		what := ""
		switch {
		case !made.Source.Valid():
		case made.Kind == dataset.Sequence:
			what = "Sequence"
		case made.Kind == dataset.Iterable && d.File.Releases().RunningKeras() != 2: // which keeps no batch of it
			what = "generator"
		case made.Kind == dataset.Pipeline && d.File.Names().Callee(made.Source) == "tensorflow.data.Dataset.from_generator":
			what = "from_generator() dataset"
		}
		if what == "" || !d.facts.Repeats(origins.Place{Node: made.Source, In: in}, around[0].Node) {
			continue
		}
		array := d.facts.HoldsNew(origins.Place{Node: made.Source, In: in}, around[0].Node)
		if !array.Valid() {
			continue
		}
		d.report(method, what, made.Source, array, rule.Callee(e.Node), &around[0])
	}
}

// clears reports whether clear_session() may run in an iteration, or in another function.
func (d *perFit) clears(of *flow.Trace, around []facts.Repeat) bool {
	for t, e := range d.File.Flow().Having(effects.FreesModels) {
		if e.Name == "gc.collect" {
			continue
		}
		if t != of && t.Function != nil {
			return true
		}
		for _, n := range append([]syntax.Node{e.Node}, e.Path...) {
			for _, r := range around {
				if n.Within(r.Node) {
					return true
				}
			}
		}
	}
	return false
}

func (d *perFit) report(method, what string, made, array syntax.Node, span source.Span, by *facts.Repeat) {
	where := "in every " + by.Each
	if by.Function == nil {
		where = "in the loop on " + d.LineOf(by.Node.Start(), span)
	}
	d.Report(rule.Finding{
		Span: span,
		Message: fmt.Sprintf("Each %s that %s() takes %s stays in memory. "+
			"Dataset.from_generator reads it, and TensorFlow keeps its function, with the arrays; del and gc.collect() do not free it. "+
			"Pass the arrays themselves, or make one %s before, and put the new arrays into it; clear_session() frees the earlier ones.", what, method, where, what),
		Related: []rule.Related{d.Related(made, rule.Callee(made), "another one is made here"), d.Related(array, rule.Span(array), "it has this new array")},
	})
}
