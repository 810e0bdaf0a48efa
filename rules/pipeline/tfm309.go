package pipeline

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tfdata"
	"github.com/tfmem/tfmem/rules/rule"
)

// DiscardedDataset is TFM309.
var DiscardedDataset = &rule.Rule{
	Code: "TFM309", Name: "discarded-dataset", Severity: rule.Warning,
	Summary: "A tf.data pipeline gets a step whose result is thrown away, so the step never runs.",
	What: `
Checks for statements that only call a method of a tf.data.Dataset which returns
another dataset, such as shuffle, batch or prefetch.`,
	Why: `
A dataset never changes. Each method returns a new one, and leaves the one that it
is called on as it was. A batch() whose result is thrown away batches nothing: the
model gets single examples, or fails. A thrown away cache() or prefetch() saves
nothing, and a thrown away take() or filter() keeps everything.`,
	Bad: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)
dataset.prefetch(1)
model.fit(dataset, epochs=3)`,
	Good: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)
dataset = dataset.prefetch(1)
model.fit(dataset, epochs=3)`,
	FixSafety: `
Unsafe: with the step, the dataset yields other elements, or in another order. The
fix is offered where the dataset has a name, or is an attribute of one.`,
	Limitations: `
Datasets of which the code does not show that they are some, the last statement of a
notebook's cell, which is displayed, and tests are not reported.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset#prefetch"),
		rule.Guide("data", "tf.data: Build TensorFlow input pipelines"),
	},
	Triggers: []string{"Dataset", "dataset", "tfds"},
	Check:    checkDiscardedDataset,
}

func checkDiscardedDataset(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return
	}
	tracer := dataset.NewTracer(p.File.Names())
	for _, call := range p.File.Names().MethodCalls(func(name string) bool {
		m, ok := tfdata.Methods[name]
		return ok && m.Change != tfdata.Iterates
	}) {
		statement := call.Parent()
		if statement.Kind() != syntax.ExpressionStatement || tracer.Of(call.Child(syntax.FieldFunction).Child(syntax.FieldObject)).Kind != dataset.Pipeline || displayed(p, statement) {
			continue
		}
		method := names.Method(call)
		f := rule.Finding{
			Span:    nameOf(call),
			Message: fmt.Sprintf("The dataset that %s() returns is thrown away. A dataset never changes: %s() returns another one, and the elements stay as they were. Assign the result.", method, method),
		}
		of := call
		for of.Kind() == syntax.Call && of.Child(syntax.FieldFunction).Kind() == syntax.Attribute {
			of = of.Child(syntax.FieldFunction).Child(syntax.FieldObject)
		}
		if of.Is(syntax.Identifier, syntax.Attribute) && tracer.Of(of).Kind == dataset.Pipeline && rule.Fixable(call) {
			f.Fixes = rule.OneFix("Assign the result to "+of.Text(), rule.Unsafe, source.Insert(call.Start(), of.Text()+" = "))
		}
		p.Report(f)
	}
}

// displayed reports whether a statement is the last of a notebook's cell, whose value is shown.
func displayed(p *rule.Pass, statement syntax.Node) bool {
	src := p.File.Source
	cell := src.Segments()[src.SegmentAt(statement.Start())]
	if cell.Cell == 0 {
		return false
	}
	for line := range strings.Lines(src.Text()[statement.End():cell.Span().End]) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}
