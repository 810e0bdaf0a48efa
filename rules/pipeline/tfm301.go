// Package pipeline holds the rules about tf.data input pipelines and what
// reaches Keras from them.
package pipeline

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// UnbatchedDataset is TFM301.
var UnbatchedDataset = &rule.Rule{
	Code: "TFM301", Name: "unbatched-dataset", Severity: rule.Error,
	Summary: "A dataset of single examples reaches fit, evaluate, predict or a training loop.",
	What: `
Follows a tf.data pipeline from its source to Model.fit, evaluate, predict or a
loop that trains, and reports it where no step on the way makes batches. It
stays silent where a step is not known: a generator may yield batches, a helper
may make them.`,
	Why: `
Keras takes each element of a Dataset as one batch; batch_size does not apply to
a Dataset. An element that is a single example then either fails on its shape
("expected min_ndim=2, found ndim=1", "Invalid input shape") or, worse, trains
on its first axis as if that were the batch: a 28 by 28 image becomes 28 rows.`,
	Bad: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(1000)
model.fit(dataset, epochs=3)`,
	Good: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(1000).batch(32)
model.fit(dataset, epochs=3)`,
	FixSafety: `
Unsafe: batches change what each training step computes, and the size that fits
the problem is the author's to choose. The fix takes the number that is passed as
batch_size, or a batch size that the file names already, else 32.`,
	Triggers: []string{"data.Dataset", "Dataset.", "TFRecordDataset", "TextLineDataset", "tfds", "tensorflow_datasets", "_from_directory", "CsvDataset"},
	Imported: true,
	Check:    checkUnbatched,
}

// consumers are the methods of a model that take a Dataset of batches, by the
// parameters that may be one.
var consumers = map[string][]string{
	"fit":      {"x", "validation_data"},
	"evaluate": {"x"},
	"predict":  {"x"},
}

func checkUnbatched(p *rule.Pass) {
	info := p.File.Names()
	tracer := dataset.NewTracer(info)
	for _, call := range info.Calls {
		function := call.Child(syntax.FieldFunction)
		if function.Kind() != syntax.Attribute {
			continue
		}
		method := function.Child(syntax.FieldAttribute).Text()
		parameters := consumers[method]
		if parameters == nil || info.Target(function).Function != nil {
			continue // a method of the program's own is not Keras's
		}
		for i, parameter := range parameters {
			position := i
			if i > 0 {
				position = -1
			}
			if argument := names.Argument(call, position, parameter); argument.Valid() {
				checkConsumer(p, tracer, argument, call)
			}
		}
	}
	for _, argument := range trainedOn(info) {
		checkConsumer(p, tracer, argument, syntax.Node{})
	}
}

// checkConsumer checks what a call of a model's method takes its batches from,
// or, where there is no call, a loop.
func checkConsumer(p *rule.Pass, tracer *dataset.Tracer, argument, call syntax.Node) {
	d := tracer.Of(argument)
	if d.State != dataset.Unbatched || !d.Source.Valid() {
		return
	}
	where := "the training loop"
	size := ""
	if call.Valid() {
		where = call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() + "()"
		if given := names.Argument(call, -1, "batch_size"); given.Kind() == syntax.Integer {
			size = given.Text() // which was meant to batch it, and does not
		}
	}
	p.Report(rule.Finding{
		Span: rule.Span(argument),
		Message: fmt.Sprintf("This dataset reaches %s without a batch: %s on %s yields single examples, and each one is taken for a whole batch.",
			where, d.Source.Child(syntax.FieldFunction).Text(), p.Line(d.Source, rule.Span(argument))),
		Related: []rule.Related{p.Related(d.Source, rule.Callee(d.Source), "the pipeline starts here")},
		Fixes:   addBatch(p, argument, d.Kind, size),
	})
}

// trainedOn is what the loops iterate over that hand an element, as it comes, to
// a model under a gradient tape.
func trainedOn(info *names.Info) []syntax.Node {
	var out []syntax.Node
	seen := map[syntax.Node]bool{}
	for _, call := range info.Calls {
		e := effects.Lookup(info.Callee(call))
		if e == nil || !e.Effects.Has(effects.StartsTape) {
			continue
		}
		with, statement := call.Ancestor(syntax.WithStatement), call.Ancestor(syntax.ForStatement, syntax.FunctionDefinition)
		if !with.Valid() || statement.Kind() != syntax.ForStatement || seen[statement] || !feedsModel(info, statement, with) {
			continue
		}
		seen[statement] = true
		out = append(out, iterable(statement.Child(syntax.FieldRight)))
	}
	return out
}

// iterable sees through enumerate.
func iterable(n syntax.Node) syntax.Node {
	if n.Kind() == syntax.Call && n.Child(syntax.FieldFunction).Text() == "enumerate" {
		return names.Argument(n, 0, "iterable")
	}
	return n
}

// feedsModel tells whether a model is called, under the tape, on what the loop
// binds, and nothing in the loop gives that another shape.
func feedsModel(info *names.Info, loop, with syntax.Node) bool {
	bound := map[string]bool{}
	loop.Child(syntax.FieldLeft).Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier {
			bound[n.Text()] = true
		}
		return true
	})
	if dataset.AddsDimension(loop.Child(syntax.FieldBody)) {
		return false
	}
	feeds := false
	with.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			first := names.Argument(n, 0, "inputs")
			t := info.TypeOf(n.Child(syntax.FieldFunction))
			model := info.IsA(t.Class, "tensorflow.keras.Model") || t.Local != nil && info.Inherits(t.Local, "tensorflow.keras.Model")
			if model && first.Kind() == syntax.Identifier && bound[first.Text()] && len(info.Reaching(first)) == 1 {
				feeds = true
			}
		}
		return !feeds
	})
	return feeds
}

// addBatch offers ".batch(n)" where the pipeline is written, if it only goes to
// places that want batches, else where it is handed over. Where the size is empty
// it is found in the program.
func addBatch(p *rule.Pass, argument syntax.Node, kind dataset.Kind, size string) []rule.Fix {
	if kind != dataset.Pipeline || !rule.Mendable(argument) || !argument.Is(syntax.Identifier, syntax.Call, syntax.Attribute, syntax.Subscript) {
		return nil
	}
	chain := argument
	if definition := onlyFor(p, argument); definition.Valid() {
		chain = definition
	}
	at := chain.End()
	if size == "" {
		size = batchSize(p, chain)
	}
	text := ".batch(" + size + ")"
	if function := chain.Child(syntax.FieldFunction); chain.Kind() == syntax.Call && function.Kind() == syntax.Attribute {
		object, method := function.Child(syntax.FieldObject), function.Child(syntax.FieldAttribute)
		if method.Text() == "prefetch" {
			at = object.End() // prefetch stays the last step, of batches
		}
		gap := p.File.Source.Slice(source.Span{Start: object.End(), End: method.Start()})
		text = strings.TrimSuffix(gap, ".") + text // one step a line, where the chain is written so
	}
	return []rule.Fix{{
		Message:       fmt.Sprintf("Batch the dataset with %s", strings.TrimSpace(text)),
		Applicability: rule.Unsafe,
		Edits:         []source.Edit{{Span: source.Span{Start: at, End: at}, New: text}},
	}}
}

// onlyFor is the chain of calls that gives the argument its value, where the
// name is used for nothing but consumers, or none.
func onlyFor(p *rule.Pass, argument syntax.Node) syntax.Node {
	info := p.File.Names()
	if argument.Kind() != syntax.Identifier {
		return syntax.Node{}
	}
	bindings := info.Reaching(argument)
	if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding || !info.ScopeOf(argument).Sees(bindings[0].Scope) {
		return syntax.Node{}
	}
	value := bindings[0].Value
	for value.Kind() == syntax.ParenthesizedExpression {
		value = value.FirstChild()
	}
	if value.Kind() != syntax.Call || !rule.Mendable(value) {
		return syntax.Node{}
	}
	for _, use := range info.Uses(bindings[0]) {
		call := use.Ancestor(syntax.Call)
		if !call.Valid() || consumers[call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text()] == nil {
			return syntax.Node{}
		}
		if !use.Parent().Is(syntax.ArgumentList, syntax.KeywordArgument) {
			return syntax.Node{} // a part of something that is handed over
		}
	}
	return value
}

// batchSize is a name for a batch size that the code at n can use, or "32".
func batchSize(p *rule.Pass, n syntax.Node) string {
	info := p.File.Names()
	for scope := info.ScopeOf(n); scope != nil; scope = scope.Parent {
		for _, name := range []string{"BATCH_SIZE", "batch_size", "BATCH", "batchsize", "BS"} {
			for _, b := range info.ReachingBefore(scope, name, n) {
				if b.Kind == names.ParameterBinding || b.Kind == names.AssignBinding && b.Value.Kind() == syntax.Integer {
					return name
				}
			}
		}
	}
	return "32"
}
