// Package pipeline holds the rules about tf.data input pipelines and the data that Keras receives
// from them.
package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/facts"
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
Checks for tf.data pipelines that reach Model.fit, evaluate, predict or a
training loop without a step that makes batches.`,
	Why: `
Keras takes each element of a Dataset as one batch; batch_size does not apply
to a Dataset. A single example then either fails on its shape ("expected
min_ndim=2, found ndim=1", "Invalid input shape") or, worse, trains with its
first axis as the batch: a 28 by 28 image becomes 28 rows.`,
	Bad: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(1000)
model.fit(dataset, epochs=3)`,
	Good: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(1000).batch(32)
model.fit(dataset, epochs=3)`,
	FixSafety: `
Unsafe: batches change what each training step computes, and only the author
knows the right size. The fix uses the number that is passed as batch_size, or
a batch size that the file already names, else 32. Where the file makes batches
but does not use them, or pads them, the fix keeps or passes those.`,
	Limitations: `
Not reported where any source or step of the pipeline is unknown: a generator
may yield batches, and a helper may make them. Nor where the model's class has a
train_step, test_step, predict_step or call of its own that does not just pass
on what it is given: it may take single examples.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset#batch"),
		rule.Keras("models/model_training_apis", "Model training APIs"),
		rule.Guide("data", "tf.data: Build TensorFlow input pipelines"),
	},
	Triggers: []string{"data.Dataset", "Dataset.", "TFRecordDataset", "TextLineDataset", "tfds", "tensorflow_datasets", "_from_directory", "CsvDataset"},
	Imported: true,
	Check:    checkUnbatched,
}

// consumers are the methods of a model that take a Dataset of batches, with the parameters that may
// be one, and the method that Keras runs on each element.
var consumers = map[string][]struct{ parameter, step string }{
	"fit":      {{"x", "train_step"}, {"validation_data", "test_step"}},
	"evaluate": {{"x", "test_step"}},
	"predict":  {{"x", "predict_step"}},
}

func checkUnbatched(p *rule.Pass) {
	info := p.File.Names()
	tracer := dataset.NewTracer(info)
	for _, c := range consumed(info) {
		checkConsumer(p, tracer, c)
	}
}

func checkConsumer(p *rule.Pass, tracer *dataset.Tracer, c consumer) {
	d := tracer.Of(c.data)
	if d.State != dataset.Unbatched || !d.Source.Valid() || c.call.Valid() && !takesBatches(p.File.Facts(), p.File.Names(), c) {
		return
	}
	size := ""
	if c.call.Valid() {
		if given := names.Argument(c.call, -1, "batch_size"); given.Kind() == syntax.Integer {
			size = given.Text() // it was meant to batch the data, and does not
		}
	}
	span := rule.Span(c.data)
	f := rule.Finding{
		Span: span,
		Message: fmt.Sprintf("This dataset reaches %s without a batch. %s on %s yields single examples, and each one is taken for a whole batch. ",
			c.where(), d.Source.Child(syntax.FieldFunction).Text(), p.Line(d.Source, span)),
		Related: []rule.Related{p.Related(d.Source, rule.Callee(d.Source), "the pipeline starts here")},
	}
	switch batches := batchesOf(p, tracer, d); {
	case !batches.Valid():
		f.Message += "Batch the dataset."
		f.Fixes = addBatch(p, c.data, d.Kind, size)
	case batches.Parent().Kind() == syntax.ExpressionStatement:
		f.Message += fmt.Sprintf("%s() on %s makes batches, but its result is thrown away. Keep it: a dataset itself never changes.", names.Method(batches), p.Line(batches, span))
		f.Related = append(f.Related, p.Related(batches, nameOf(batches), "the batches are thrown away here"))
		f.Fixes = keepBatches(batches)
	default:
		f.Message += fmt.Sprintf("%s() on %s makes batches of it. Pass its result.", names.Method(batches), p.Line(batches, span))
		f.Related = append(f.Related, p.Related(batches, nameOf(batches), "the batches are made here"))
		f.Fixes = passBatches(p, c.data, batches)
	}
	p.Report(f)
}

// batchesOf returns a call in the file that makes batches of a dataset, though not for the consumer:
// its result is thrown away or never used, or is one of padded examples, to which no plain batch can
// be added. It is none if there is none.
func batchesOf(p *rule.Pass, tracer *dataset.Tracer, d dataset.Dataset) syntax.Node {
	info := p.File.Names()
	for _, call := range info.MethodCalls(func(name string) bool { return batching[name] }) {
		name := boundTo(call)
		unused := name.Valid() && len(info.Uses(info.BindingAt(name))) == 0
		if call.Parent().Kind() != syntax.ExpressionStatement && names.Method(call) != "padded_batch" && !unused {
			continue
		}
		if b := tracer.Of(call); b.Kind == dataset.Pipeline && b.State == dataset.Batched && b.Source == d.Source && !b.Has("take", "skip", "filter", "shard") {
			return call
		}
	}
	return syntax.Node{}
}

// boundTo returns the name that a step's result is bound to, perhaps after further steps, or none.
func boundTo(step syntax.Node) syntax.Node {
	for step.Parent().Field() == syntax.FieldFunction && step.Field() == syntax.FieldObject {
		step = step.Parent().Parent()
	}
	if name := step.Parent().Child(syntax.FieldLeft); step.Parent().Kind() == syntax.Assignment && name.Kind() == syntax.Identifier {
		return name
	}
	return syntax.Node{}
}

// keepBatches offers to bind the batches to the name of the dataset that they are made of.
func keepBatches(call syntax.Node) []rule.Fix {
	name := call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	if name.Kind() != syntax.Identifier || !rule.Fixable(call) {
		return nil
	}
	return rule.OneFix("Keep the result of "+names.Method(call)+"()", rule.Unsafe, source.Insert(call.Start(), name.Text()+" = "))
}

// passBatches offers to pass the name that the batches are bound to, where that is what it means.
func passBatches(p *rule.Pass, argument, batches syntax.Node) []rule.Fix {
	info := p.File.Names()
	name := boundTo(batches)
	if !name.Valid() || name.Text() == argument.Text() || !rule.Fixable(argument) {
		return nil
	}
	if reaching := info.ReachingBefore(info.ScopeOf(argument), name.Text(), argument); len(reaching) != 1 || reaching[0].Node != name {
		return nil
	}
	return rule.OneFix("Pass "+name.Text(), rule.Unsafe, source.Edit{Span: rule.Span(argument), New: name.Text()})
}

const (
	kerasModel = "tensorflow.keras.Model"
	kerasLayer = "tensorflow.keras.layers.Layer"
)

// takesBatches reports whether the model of a call takes each element for a batch, as far as can be
// seen. A class of the program may have a step of its own that takes single examples.
func takesBatches(f *facts.Facts, info *names.Info, c consumer) bool {
	object := c.call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	t := info.TypeOf(object)
	if from, ok := f.Only(object, nil); !t.Known() && ok {
		t = info.TypeOf(from.Node)
	}
	switch {
	case t.Local != nil:
		return info.Inherits(t.Local, kerasModel) && handsOn(info, t.Local, c.step) && handsOn(info, t.Local, "call")
	case t.Class != "":
		return info.IsA(t.Class, kerasModel)
	}
	if made := info.DefiningExpr(object); made.Kind() == syntax.Call && info.Callee(made) != "" {
		return false // of another library, or of a module that was not found
	}
	return !slices.ContainsFunc(info.Program(), func(module *names.Info) bool {
		return slices.ContainsFunc(module.Classes, func(class *names.Class) bool { return class.Methods[c.step] != nil })
	})
}

// handsOn reports whether a method of a model passes what it is given to the model itself, to a layer
// or to the method of its base, without a dimension more; or whether the method is Keras's own.
func handsOn(info *names.Info, class *names.Class, method string) bool {
	f := info.Method(class, method)
	if f == nil {
		return true
	}
	if len(f.Params) < 2 || dataset.AddsDimension(f.Class.Node) {
		return false
	}
	hands := false
	f.Node.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call && !hands {
			function := n.Child(syntax.FieldFunction)
			super := function.Child(syntax.FieldAttribute).Text() == method && strings.HasPrefix(function.Child(syntax.FieldObject).Text(), "super(")
			hands = (super || function.Text() == f.Params[0].Name || info.InstanceOf(function, kerasLayer)) &&
				madeOfParameter(info, names.Element(n.Child(syntax.FieldArguments), 0), f.Params[1].Name, 8)
		}
		return !hands
	})
	return hands
}

// madeOfParameter reports whether the value of an expression comes from a parameter of the function
// around it, or from part of it. It follows that many definitions.
func madeOfParameter(info *names.Info, n syntax.Node, parameter string, steps int) bool {
	defer info.Enter(n).Leave()
	if steps == 0 {
		return false
	}
	of := func(n syntax.Node) bool { return madeOfParameter(info, n, parameter, steps-1) }
	switch n.Kind() {
	case syntax.Identifier:
		return slices.ContainsFunc(info.ReachingDefs(n), func(b *names.Binding) bool {
			switch b.Kind {
			case names.ParameterBinding:
				return b.Name == parameter
			case names.AssignBinding, names.UnpackBinding:
				return of(b.Value)
			}
			return false
		})
	case syntax.ParenthesizedExpression:
		return of(n.FirstChild())
	case syntax.Subscript:
		return of(n.Child(syntax.FieldValue))
	case syntax.BinaryOperator:
		return of(n.Child(syntax.FieldLeft)) || of(n.Child(syntax.FieldRight))
	case syntax.Call:
		return slices.ContainsFunc(slices.Collect(n.Child(syntax.FieldArguments).Children()), of)
	}
	return false
}

// maxAround bounds the calls around what a loop goes over.
const maxAround = 4

// addBatch offers ".batch(n)": where the pipeline is written if it only goes to consumers of
// batches, else where it is passed. If size is empty, it is taken from the program.
func addBatch(p *rule.Pass, argument syntax.Node, kind dataset.Kind, size string) []rule.Fix {
	chain := writtenAt(p, argument, kind)
	if !chain.Valid() {
		return nil
	}
	if size == "" {
		size = batchSize(p, chain)
	}
	step := ".batch(" + size + ")"
	at, text := chain.End(), gap(p, chain)+step
	if function := chain.Child(syntax.FieldFunction); chain.Kind() == syntax.Call && function.Child(syntax.FieldAttribute).Text() == "prefetch" {
		at = function.Child(syntax.FieldObject).End() // prefetch stays the last step
	}
	return rule.OneFix("Batch the dataset with "+step, rule.Unsafe, source.Insert(at, text))
}

// onlyFor returns the chain of calls that gives the argument its value, if only consumers of batches
// use the name, or none.
func onlyFor(p *rule.Pass, argument syntax.Node) syntax.Node {
	info := p.File.Names()
	if argument.Kind() != syntax.Identifier {
		return syntax.Node{}
	}
	bindings := info.ReachingDefs(argument)
	if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding || !info.ScopeOf(argument).Sees(bindings[0].Scope) {
		return syntax.Node{}
	}
	value := bindings[0].Value
	for value.Kind() == syntax.ParenthesizedExpression {
		value = value.FirstChild()
	}
	if value.Kind() != syntax.Call || !rule.Fixable(value) {
		return syntax.Node{}
	}
	for _, use := range info.Uses(bindings[0]) {
		call := use.Ancestor(syntax.Call)
		takes := consumedBy(info, call)
		if len(takes) == 0 || slices.ContainsFunc(takes, func(c consumer) bool { return !takesBatches(p.File.Facts(), info, c) }) {
			return syntax.Node{}
		}
		if !use.Parent().Is(syntax.ArgumentList, syntax.KeywordArgument) {
			return syntax.Node{} // a part of something that is passed
		}
	}
	return value
}

// batchSize returns a name for a batch size that the code at n can use, or "32".
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
