package pipeline

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tfdata"
	"github.com/tfmem/tfmem/rules/rule"
)

// BatchedTwice is TFM310.
var BatchedTwice = &rule.Rule{
	Code: "TFM310", Name: "batched-twice", Severity: rule.Warning,
	Summary: "A dataset of batches is batched again, and the model gets batches of batches.",
	What: `
Checks for datasets that reach fit, evaluate or predict with one dimension more than the
model's input has, because a step makes batches of what was batched before: by another
step, or by image_dataset_from_directory and its like.`,
	Why: `
Each element is then a batch of batches: a step holds as many examples as both sizes
multiplied, 1,024 instead of 32. Most models fail on the shape. One of Dense layers alone
may train under Keras 2, with 32 times the memory.`,
	Bad: `
import tensorflow as tf

dataset = tf.keras.utils.image_dataset_from_directory("photos", image_size=(224, 224), batch_size=32)
dataset = dataset.cache().batch(32)
model = tf.keras.applications.MobileNetV2(weights=None, classes=5)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(dataset, epochs=3)`,
	Good: `
import tensorflow as tf

dataset = tf.keras.utils.image_dataset_from_directory("photos", image_size=(224, 224), batch_size=32)
dataset = dataset.cache()
model = tf.keras.applications.MobileNetV2(weights=None, classes=5)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(dataset, epochs=3)`,
	Limitations: `
Not reported where the model states no input shape, has several inputs, or the shape of the
elements is not known. Tests are not checked.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset#batch"),
		rule.API("tf.keras.utils.image_dataset_from_directory"),
		rule.Guide("data", "tf.data: Build TensorFlow input pipelines"),
	},
	Triggers: []string{"batch(", "batch_size"},
	Imported: true,
	Priced:   true,
	Check:    checkBatchedTwice,
}

func checkBatchedTwice(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return
	}
	info := p.File.Names()
	tracer := dataset.NewTracer(info)
	fed := map[syntax.Node][2]syntax.Node{} // consumers, with the two calls that make batches
	for _, call := range info.MethodCalls(func(name string) bool { return consumers[name] != nil }) {
		if first, second := batchings(info, tracer.Of(names.Argument(call, 0, "x"))); first.Valid() {
			fed[call] = [2]syntax.Node{first, second}
		}
	}
	if len(fed) == 0 {
		return
	}
	for _, u := range p.File.Models().Uses {
		by, ok := fed[u.Node]
		if !ok || !p.Here(by[1]) || !hasBatches(u) {
			continue
		}
		span := nameOf(by[1])
		p.Report(rule.Finding{
			Span: span,
			Message: fmt.Sprintf("The dataset is batched twice: %s() gets batches of batches. %s() on %s makes the first. Each example then has the shape %s, and the model's input is %s. Batch once.",
				u.Method, names.Method(by[0]), p.Line(by[0], span), u.Inputs[0].Shape, u.Model.Inputs[0].Shape[1:]),
			Related: []rule.Related{p.Related(by[0], rule.Callee(by[0]), "batched here already"), p.Related(u.Node, rule.Callee(u.Node), "the model takes them here")},
		})
	}
}

// batchings returns the last two calls that make batches of a pipeline: two of its steps, or its source and a
// step; none if there is one at most.
func batchings(info *names.Info, d dataset.Dataset) (first, second syntax.Node) {
	for _, s := range slices.Backward(d.Steps) {
		switch {
		case !batching[s.Name]:
		case !second.Valid():
			second = s.Call
		default:
			return s.Call, second
		}
	}
	source, known := tfdata.Sources[info.Callee(d.Source)]
	if known && second.Valid() && (source.Elements == tfdata.Batched || source.Batch != "" && names.Argument(d.Source, source.Position, source.Batch).Valid()) {
		return d.Source, second
	}
	return syntax.Node{}, syntax.Node{}
}

// hasBatches reports whether each example that a model gets is surely a batch of what its one input takes.
func hasBatches(u *graph.ModelCall) bool {
	if len(u.Inputs) != 1 || len(u.Model.Inputs) != 1 {
		return false
	}
	in, example := u.Model.Inputs[0].Shape, u.Inputs[0].Shape
	return len(in) > 1 && graph.Fits(in, example)
}
