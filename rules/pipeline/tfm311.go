package pipeline

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// IteratorPerStep is TFM311.
var IteratorPerStep = &rule.Rule{
	Code: "TFM311", Name: "iterator-per-step", Severity: rule.Information,
	Summary: "next(iter(dataset)) in a loop starts the pipeline again for each batch.",
	What: `
Checks for next(iter(dataset)) in a loop, with a tf.data.Dataset from before the
loop.`,
	Why: `
iter() makes another iterator: the pipeline begins anew. It opens its files, fills
the buffers of shuffle() and prefetch(), and starts the threads of map(), to yield
one batch and be thrown away. Without a shuffle that batch is always the first one.`,
	Bad: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices(features).shuffle(10_000).batch(32)
for step in range(10_000):
    train_step(next(iter(dataset)))`,
	Good: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices(features).shuffle(10_000).batch(32)
batches = iter(dataset.repeat())
for step in range(10_000):
    train_step(next(batches))`,
	FixSafety: `
Unsafe: one iterator goes through the whole dataset, again and again, where each
step took the first batch of a new one.`,
	Limitations: `
Loops of at most 50 iterations, datasets that each iteration makes, and loops around
the function that has the call are not reported.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset"),
		rule.Guide("data", "tf.data: Build TensorFlow input pipelines"),
	},
	Triggers: []string{"iter("},
	Check:    checkIteratorPerStep,
}

func checkIteratorPerStep(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return
	}
	info, f := p.File.Names(), p.File.Facts()
	tracer := dataset.NewTracer(info)
	for _, call := range info.Calls {
		made := names.Element(call.Child(syntax.FieldArguments), 0)
		if info.Builtin(call) != "next" || info.Builtin(made) != "iter" {
			continue
		}
		data, loop := names.Element(made.Child(syntax.FieldArguments), 0), facts.LoopOf(call)
		if !loop.Valid() {
			continue
		}
		d := tracer.Of(data)
		if n := f.Iterations(loop, nil); d.Kind != dataset.Pipeline || n > 0 && n <= facts.FewIterations || !f.Invariant(data, nil, loop) {
			continue
		}
		span := rule.Span(call)
		finding := rule.Finding{
			Span: span,
			Message: fmt.Sprintf("next(iter(...)) starts the pipeline again in every iteration of the loop on %s. "+
				"Its files, buffers and shuffles begin anew for one batch. Make one iterator before the loop.", p.LineOf(loop.Start(), span)),
			Related: []rule.Related{{Span: rule.LoopHead(loop), Message: "in this loop"}},
		}
		name := p.FreeName("batches", "iterator")
		if rule.Fixable(loop) && loop.Is(syntax.ForStatement, syntax.WhileStatement) && p.StartsLine(loop) && name != "" && p.Cell(loop.Start()) == p.Cell(call.Start()) {
			whole := data.Text()
			if !d.Has("repeat") {
				whole += ".repeat()"
			}
			finding.Fixes = rule.OneFix("Make one iterator before the loop", rule.Unsafe,
				source.Insert(loop.Start(), name+" = iter("+whole+")"+p.Newline()+p.IndentOf(loop)),
				source.Edit{Span: rule.Span(made), New: name},
			)
		}
		p.Report(finding)
	}
}
