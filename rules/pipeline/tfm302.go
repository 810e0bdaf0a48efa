package pipeline

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// BatchSizeWithDataset is TFM302.
var BatchSizeWithDataset = &rule.Rule{
	Code: "TFM302", Name: "batch-size-with-dataset", Severity: rule.Warning,
	Summary: "batch_size is passed with a Dataset, which brings its own batches, and is ignored.",
	What: `
Checks for batch_size= in calls of Model.fit, evaluate and predict whose data
is a tf.data.Dataset, a Keras Sequence or a generator, and for
validation_batch_size= with such validation data.`,
	Why: `
Keras splits arrays into batches, but uses the elements of a Dataset, Sequence
or generator as they are. It does not read the argument, and raises no error
(TensorFlow 1 did). If memory runs out, lowering batch_size changes nothing:
the size that counts is the pipeline's.`,
	Bad: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(256)
model.fit(dataset, batch_size=32, epochs=3)`,
	Good: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(256)
model.fit(dataset, epochs=3)`,
	FixSafety: `
Safe: the argument has no effect. The fix is not offered where computing its
value may have an effect.`,
	Limitations: `
Not reported where fit splits its validation data by that size, where the kind
of the data is unknown, and where the Dataset has no batches at all, which
TFM301 reports.`,
	References: []rule.Reference{
		rule.Keras("models/model_training_apis", "Model training APIs"),
		rule.API("tf.keras.Model#fit"),
		rule.API("tf.data.Dataset#batch"),
	},
	Triggers: []string{"batch_size", ".fit(", ".evaluate(", ".predict("},
	Check:    checkBatchSize,
}

// sized are the methods of a model that take a batch size, with the parameters of the data and of
// the size.
var sized = map[string][]struct {
	data         string
	dataPosition int
	argument     string
	position     int
}{
	"fit":      {{"x", 0, "batch_size", 2}, {"validation_data", 7, "validation_batch_size", -1}},
	"evaluate": {{"x", 0, "batch_size", 2}},
	"predict":  {{"x", 0, "batch_size", 1}},
}

func checkBatchSize(p *rule.Pass) {
	info := p.File.Names()
	tracer := dataset.NewTracer(info)
	for _, call := range info.MethodCalls(func(name string) bool { return sized[name] != nil }) {
		method := names.Method(call)
		if !info.MayBeMethodOf(kerasModel, call.Child(syntax.FieldFunction)) {
			continue
		}
		for _, s := range sized[method] {
			size := names.Argument(call, s.position, s.argument)
			if !size.Valid() || size.Kind() == syntax.NoneLiteral {
				continue
			}
			d := tracer.Of(names.Argument(call, s.dataPosition, s.data))
			if d.State == dataset.NotDataset || d.State == dataset.Unbatched || s.argument == "batch_size" && cutsValidation(tracer, method, call) {
				continue
			}
			reportBatchSize(p, method, s.argument, size, d)
		}
	}
}

// cutsValidation reports whether fit may use the batch size for validation data. It uses batch_size
// for arrays if validation_batch_size is not given (keras/src/backend/tensorflow/trainer.py, fit;
// Keras 2 too).
func cutsValidation(tracer *dataset.Tracer, method string, call syntax.Node) bool {
	if method != "fit" {
		return false
	}
	if names.HasSplat(call) {
		return true
	}
	validation, size := names.Argument(call, 7, "validation_data"), names.Argument(call, -1, "validation_batch_size")
	return validation.Valid() && validation.Kind() != syntax.NoneLiteral && !size.Valid() && tracer.Of(validation).State == dataset.NotDataset
}

// kinds are the words of a message for what yields batches.
var kinds = map[dataset.Kind]string{
	dataset.Pipeline: "Dataset", dataset.Distributed: "distributed dataset", dataset.Sequence: "Sequence", dataset.Iterable: "generator",
}

func reportBatchSize(p *rule.Pass, method, argument string, size syntax.Node, d dataset.Dataset) {
	marked := size
	if size.Parent().Kind() == syntax.KeywordArgument {
		marked = size.Parent()
	}
	span := rule.Span(marked)
	f := rule.Finding{
		Span:    span,
		Message: fmt.Sprintf("%s is ignored: %s() uses the batches of the %s.", argument, method, kinds[d.Kind]),
		Tags:    []rule.Tag{rule.Unnecessary},
	}
	if by, name := batchedBy(d); by.Valid() {
		f.Message += fmt.Sprintf(" %s on %s makes them.", name, p.Line(by, span))
		f.Related = []rule.Related{p.Related(by, rule.Callee(by), "the batches are made here")}
	}
	if edit, ok := p.WithoutArgument(size); ok && idle(size) {
		f.Fixes = rule.OneFix("Remove "+argument, rule.Safe, edit)
	}
	if d.Kind == dataset.Sequence || d.Kind == dataset.Iterable {
		// Keras's own guide to training passes a batch size with a PyDataset.
		p.ReportAs(rule.Information, f)
		return
	}
	p.Report(f)
}

// batchedBy returns the call that makes the batches, and its name in a message. It is none if that
// is unknown.
func batchedBy(d dataset.Dataset) (syntax.Node, string) {
	if d.State != dataset.Batched || d.Several {
		return syntax.Node{}, ""
	}
	for i := len(d.Steps) - 1; i >= 0; i-- {
		if batching[d.Steps[i].Name] {
			return d.Steps[i].Call, d.Steps[i].Name + "()"
		}
	}
	if len(d.Parts) > 0 {
		return batchedBy(d.Parts[0])
	}
	if d.Kind == dataset.Pipeline && d.Source.Kind() == syntax.Call && len(d.Steps) == 0 {
		if function := d.Source.Child(syntax.FieldFunction); function.Valid() && len(function.Text()) < 60 {
			return d.Source, function.Text() + "()"
		}
	}
	return syntax.Node{}, ""
}

// batching are the steps that make batches of a given size.
var batching = map[string]bool{"batch": true, "padded_batch": true, "ragged_batch": true, "map_and_batch": true, "dense_to_ragged_batch": true}

// idle reports whether computing an expression has no other effect.
func idle(n syntax.Node) bool {
	only := true
	n.Walk(func(m syntax.Node) bool {
		only = only && !m.Is(syntax.Call, syntax.Await, syntax.Yield, syntax.NamedExpression)
		return only
	})
	return only
}
