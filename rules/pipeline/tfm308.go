package pipeline

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// PredictInLoop is TFM308.
var PredictInLoop = &rule.Rule{
	Code: "TFM308", Name: "predict-in-loop", Severity: rule.Hint,
	Summary: "Model.predict is called for a single example, or one mini-batch, in every loop iteration or request.",
	What: `
Checks for Model.predict in a loop, or in a function that a loop calls, if its
argument is surely a single example that changes in every iteration: a batch of
one made by expand_dims, a new axis, a reshape, a slice or a list of one, or the
state of an environment, of which only the first prediction is read. In a loop
that trains on a mini-batch in each iteration, also checks for a mini-batch that
the iteration draws at random, or trains on once it is predicted, and in a loop
over a dataset or a generator for each of its batches. In a loop that nothing
ends, also checks for the same array each time, and for one of which nothing is
known. A function that a library
calls for each request of a web server (Flask, FastAPI), each message (Socket.IO,
Discord, ROS) or each item of a column (pandas) counts as the body of a loop.`,
	Why: `
predict is made for large amounts of data: each call builds a dataset and an
iterator, and runs the callbacks. For one example this takes many times as long
as the model itself. Each call also leaves memory behind, in the smallest of
models 305 KiB in Keras 2.13, 21 in tf_keras 2.21 and 12 in Keras 3.15. predict_on_batch takes its
input as one batch and does none of this. Neither traces again for inputs of
another size, but XLA, with which Keras 3 compiles on a GPU, compiles for each. If the examples do not depend on one another, one
predict call for all of them is faster still.`,
	Bad: `
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
for path in paths:
    image = read(path)
    scores = model.predict(np.expand_dims(image, 0), verbose=0)
    report(path, scores[0])`,
	Good: `
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
for path in paths:
    image = read(path)
    scores = model.predict_on_batch(np.expand_dims(image, 0))
    report(path, scores[0])`,
	FixSafety: `
Unsafe: predict_on_batch returns the same arrays, but runs no callbacks, and a
subclass may override it. Not offered where the example may be a list of
numbers, which it does not take, nor where TensorFlow may be older than 2.2, which
returns tensors.`,
	Limitations: `
Calls on other batches in loops that end, loops of at most 50 iterations in all or that wait for a
person, loops over models, callbacks and programs without eager execution, as all are
for TensorFlow 1 or a Keras before 2.4, are not reported. Nor are programs that import
keras by its own name and that only Keras 2 runs, if nothing says which.`,
	References: []rule.Reference{
		rule.Keras("models/model_training_apis#predict-method", "Model.predict"),
		rule.Keras("models/model_training_apis#predict_on_batch-method", "Model.predict_on_batch"),
		rule.API("tf.keras.Model#predict"),
	},
	Triggers: []string{".predict("},
	Imported: true,
	Check:    checkPredict,
}

// served returns the function that a library calls often enough for predict to matter in it, or nil.
func served(p *rule.Pass, e *flow.Event) *facts.Repeat {
	for _, r := range p.File.Facts().Around(e) {
		if r.Function != nil && !r.Slow() && (r.Times == 0 || r.Times > facts.FewIterations) {
			return &r
		}
	}
	return nil
}

func checkPredict(p *rule.Pass) {
	if p.File.Releases().KerasMayRunInGraphs().Found() {
		return // Keras in graphs goes through NumPy's arrays, and leaves nothing behind
	}
	reported := map[syntax.Node]bool{}
	var calls []syntax.Node // that lead into other modules, which predict there
	elsewhere := map[syntax.Node]*rule.Finding{}
	for t, e := range p.File.Flow().Events() {
		if e.Name != "tensorflow.keras.Model.predict" || reported[e.Node] || e.Context&flow.InGraph != 0 {
			continue
		}
		loop, again := e.Loop, ""
		var by *facts.Repeat
		if e.Context&flow.InLoop == 0 || p.File.Facts().Few(t, e) {
			if by = served(p, e); by == nil {
				continue
			}
			loop, again = by.Node, by.When()
		}
		at := p.Nearest(e)
		if at.Kind() != syntax.Call || at != e.Node && !p.Here(loop) {
			continue // the other module's own finding
		}
		c := &prediction{p.File.Facts().Iteration(e, loop, again != ""), p.File.Names(), t}
		claim, where, instead, few := "", fmt.Sprintf(" in the loop on %s", p.Line(loop, rule.Callee(at))), "", true
		switch {
		case again != "":
			if !c.changesInLoop() {
				continue
			}
			claim, where = "predict() is called for a single example "+again+". ", ""
			instead = "Use predict_on_batch()."
			if by.ForEachItem() {
				instead = "Use predict_on_batch(), or one predict() for all."
			}
		case c.changesInLoop():
			claim = "predict() is called for a single example in a loop. "
			if e.EveryIteration {
				claim = "predict() is called for a single example in every loop iteration. "
			}
			instead = "Use predict_on_batch(), or, where all examples are known before the loop, one predict() for all."
			if facts.Trains(t, loop, syntax.Node{}) {
				instead = "Use predict_on_batch()." // the weights change from one example to the next
			}
		case c.isMiniBatch():
			claim = "predict() is called for one mini-batch in a training loop. "
			if e.EveryIteration {
				claim = "predict() is called for one mini-batch in every iteration of a training loop. "
			}
			instead = "Use predict_on_batch(), which takes the mini-batch as it is."
		default:
			if claim, instead, few = c.otherwise(); claim == "" {
				continue
			}
		}
		if c.sizesVary() {
			few, instead = false, "Bring its inputs to one size, or call the model: each new size leaves more behind, and in Keras 2 so does predict_on_batch()."
		}
		reported[e.Node] = true
		span := rule.Callee(at)
		inLoop := p.Related(loop, rule.LoopHead(loop), "in this loop")
		if again != "" {
			inLoop = p.Related(loop, rule.Span(loop.Child(syntax.FieldName)), "this is called "+again)
		}
		switch f := elsewhere[at]; {
		case at == e.Node:
			var fixes []rule.Fix
			if few && !p.File.Facts().Any(names.Argument(e.Node, 0, "x"), nil, isList) && !p.File.Releases().MayBeOlder(returnsArrays).Found() {
				fixes = onBatch(p, e.Node)
			}
			p.Report(rule.Finding{
				Span:    span,
				Message: claim + "Each call" + where + builds + instead,
				Related: []rule.Related{inLoop},
				Fixes:   fixes,
			})
		case f == nil:
			calls = append(calls, at)
			elsewhere[at] = &rule.Finding{
				Span:    span,
				Message: fmt.Sprintf("%sIt is called on %s, and each call%s%s%s", claim, p.Line(e.Node, span), where, builds, instead),
				Related: []rule.Related{inLoop, p.Related(e.Node, rule.Callee(e.Node), "predict() is called here")},
			}
		default:
			f.Related = append(f.Related, p.Related(e.Node, rule.Callee(e.Node), "predict() is called here"))
		}
	}
	for _, at := range calls {
		p.Report(*elsewhere[at])
	}
}

// builds is what each call does: testdata/traces records how much of it stays.
const builds = " builds a dataset and its iterator, and leaves memory behind. "

// returnsArrays is the first TensorFlow 2 whose predict_on_batch returns NumPy's arrays, as predict
// does, rather than tensors (tensorflow/python/keras/engine/training.py).
var returnsArrays = effects.Version{Major: 2, Minor: 2}

// isList reports whether a value is a list of numbers, which predict makes an array of in Keras 2, but
// predict_on_batch does not.
func isList(p origins.Place, _ func(origins.Place) bool) bool {
	if p.Node.Kind() == syntax.List && len(p.Path) == 0 {
		return names.Element(p.Node, 0).Is(syntax.Integer, syntax.Float, syntax.List, syntax.ListComprehension)
	}
	return p.Node.Kind() == syntax.ListComprehension && len(p.Path) == 0
}

// onBatch offers predict_on_batch instead of predict.
func onBatch(p *rule.Pass, call syntax.Node) []rule.Fix {
	function := call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute)
	if !rule.Fixable(call) || names.HasSplat(call) || !function.Valid() {
		return nil
	}
	edits := []source.Edit{{Span: rule.Span(function), New: "predict_on_batch"}}
	var first syntax.Node
	for a := range call.Child(syntax.FieldArguments).Children() {
		if !first.Valid() {
			if a.Kind() == syntax.KeywordArgument {
				return nil
			}
			if a.Kind() != syntax.Comment {
				first = a
			}
			continue
		}
		name := a.Child(syntax.FieldName).Text()
		if a.Kind() != syntax.KeywordArgument || name != "verbose" && name != "batch_size" {
			return nil
		}
		edits = append(edits[:1], source.Edit{Span: source.Span{Start: first.End(), End: a.End()}})
	}
	return rule.OneFix("Predict with predict_on_batch()", rule.Unsafe, edits...)
}
