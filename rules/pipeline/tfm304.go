package pipeline

import (
	"fmt"
	"slices"
	"sync"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// WholeDatasetForward is TFM304.
var WholeDatasetForward = &rule.Rule{
	Code: "TFM304", Name: "whole-dataset-forward", Severity: rule.Information,
	Summary: "A model is called on a whole array of data at once, as one batch.",
	What: `
Checks for calls of a model itself, or of predict_on_batch, on a large array: a
dataset of keras.datasets or an array of known shape with at least 2,000
examples and 16 MiB, which take 256 MiB together with the largest output of a
layer, if that is known; or the very array that fit processes in batches of a
known size. Also in a loop that takes the same array each time, with a tape or without, and for
fit, evaluate and predict with the array's own length as batch_size.`,
	Why: `
Calling a model takes its input as one batch. Every layer then computes its
output for all examples at once, and the GPU must hold the largest of them in
addition to the array. predict works in batches of 32 and keeps only the last
layer's output.`,
	Bad: `
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu", input_shape=(28, 28, 1)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10),
])
logits = model(x_test[..., None] / 255.0)`,
	Good: `
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu", input_shape=(28, 28, 1)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10),
])
logits = model.predict(x_test[..., None] / 255.0)`,
	FixSafety: `
Unsafe: predict returns a NumPy array where the call returned a tensor, and
prints its progress.`,
	Limitations: `
Calls under gradient tapes outside of a loop, in compiled functions and in the
definition of a model are not reported. Neither are arrays of unknown shape
that fit does not use. Tests are not checked.`,
	References: []rule.Reference{
		rule.Keras("models/model_training_apis#predict-method", "Model.predict"),
		rule.API("tf.keras.Model#predict"),
	},
	Triggers: []string{"load_data", "random", "zeros", "ones", "predict_on_batch", "batch_size"},
	Priced:   true,
	Check:    checkForward,
}

// A batch of fewer examples, or bytes, may be intended.
const (
	manyExamples = 2000
	manyBytes    = 16 << 20
	heavyBytes   = 256 << 20 // of the input and the largest output of a layer
)

func checkForward(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return
	}
	info, f := p.File.Names(), p.File.Facts()
	many := sync.OnceValue(func() bool { return f.LoadsData() || f.MayFill(manyBytes) }) // follows the sizes of all arrays
	candidates, fits := map[syntax.Node]pass{}, map[syntax.Node]syntax.Node{}
	for _, call := range info.Calls {
		if takesLength(f, info, call) && many() {
			candidates[call] = pass{": batch_size is their number", "Choose a smaller batch_size."}
			continue
		}
		if !passes(f, info, call) {
			continue
		}
		if tape, again := eachTurn(f, call); again && runsOnce(info, call) && many() {
			candidates[call] = pass{" in every iteration", "Use predict(), which works in batches."}
			if tape {
				candidates[call] = pass{" in every iteration", "The tape keeps them. Train on batches."}
			}
			continue
		}
		if repeated(info, call) || !runsOnce(info, call) {
			continue
		}
		fit := fitted(f, info, call)
		if fit.Valid() {
			fits[call] = fit
		}
		if fit.Valid() || many() {
			candidates[call] = pass{"", "Use predict(), which works in batches."}
		}
	}
	if len(candidates) == 0 || offGPU(p) {
		return
	}
	models := p.File.Models()
	for _, u := range slices.Concat(models.Forwards, models.Uses) {
		c, ok := candidates[u.Node]
		if !ok {
			continue
		}
		rows, known := u.Batch.Int()
		if known {
			delete(fits, u.Node)
		}
		input, layer := passBytes(u, rows)
		if rows < manyExamples || input < manyBytes || layer > 0 && input+layer < heavyBytes {
			continue
		}
		delete(candidates, u.Node)
		outputs := "every layer computes its output for all of them"
		if layer > input {
			outputs += ", the largest of " + memory.Bytes(layer)
		}
		f := rule.Finding{
			Span: rule.Callee(u.Node),
			Message: fmt.Sprintf("This call takes all %d examples as one batch%s. That is %s of input as float32, and %s. %s",
				rows, c.how, memory.Bytes(input), outputs, c.advice),
		}
		if c.how == "" {
			f.Fixes = usePredict(p, u.Node)
		}
		p.Report(f)
	}
	for _, call := range info.Calls {
		if fit := fits[call]; fit.Valid() {
			span := rule.Callee(call)
			p.Report(rule.Finding{
				Span: span,
				Message: fmt.Sprintf("This call takes all of %s as one batch. fit() on %s uses batches of %.0f; here every layer computes its output for all examples at once. Use predict(), which works in batches.",
					names.Element(call.Child(syntax.FieldArguments), 0).Text(), p.Line(fit, span), fitBatch(f, fit)),
				Related: []rule.Related{p.Related(fit, rule.Callee(fit), "trained on it here")},
				Fixes:   usePredict(p, call),
			})
		}
	}
}

// A pass says how a call may take a whole array, and what to do, for the message.
type pass struct{ how, advice string }

// takesLength reports whether fit, evaluate or predict takes batches of the array's own length.
func takesLength(f *facts.Facts, info *names.Info, call syntax.Node) bool {
	if consumers[names.Method(call)] == nil {
		return false
	}
	data, size := names.Argument(call, 0, "x"), info.DefiningExpr(names.Argument(call, -1, "batch_size"))
	of := syntax.Node{}
	switch {
	case info.Builtin(size) == "len":
		of = names.Element(size.Child(syntax.FieldArguments), 0)
	case size.Kind() == syntax.Subscript && size.Child(syntax.FieldSubscript).Text() == "0":
		if shape := size.Child(syntax.FieldValue); shape.Child(syntax.FieldAttribute).Text() == "shape" {
			of = shape.Child(syntax.FieldObject)
		}
	}
	return of.Valid() && f.SameValue(of, data)
}

// eachTurn reports whether the iterations of a loop pass the same array to a model, and whether under a tape.
func eachTurn(f *facts.Facts, call syntax.Node) (tape, again bool) {
	loop := facts.LoopOf(call)
	if !loop.Valid() || !f.Invariant(names.Argument(call, 0, "inputs"), nil, loop) {
		return false, false
	}
	return f.Under(call, func(callee string) bool { return callee == "tensorflow.GradientTape" }).Valid(), true
}

// fitted returns the call of fit that trains on the same array in batches of a known size, while
// another call passes it to a model whole. It is none if there is none.
func fitted(f *facts.Facts, info *names.Info, call syntax.Node) syntax.Node {
	whole := names.Element(call.Child(syntax.FieldArguments), 0)
	if rows := f.Items(whole, nil); rows > 0 && rows < manyExamples {
		return syntax.Node{} // x[:64]
	}
	for _, fit := range info.MethodCalls(func(name string) bool { return name == "fit" }) {
		if f.SameValue(names.Argument(fit, 0, "x"), whole) && fitBatch(f, fit) > 0 && isModel(f, info, fit.Child(syntax.FieldFunction).Child(syntax.FieldObject)) {
			return fit
		}
	}
	return syntax.Node{}
}

// fitBatch returns the batch size of a call of fit, or 0.
func fitBatch(f *facts.Facts, fit syntax.Node) float64 {
	size, _ := f.Number(names.Argument(fit, 2, "batch_size"), nil).Likely()
	return size
}

// isModel reports whether an expression is a model, which all calls may pass for a parameter.
func isModel(f *facts.Facts, info *names.Info, n syntax.Node) bool {
	return info.InstanceOf(n, kerasModel) || f.All(n, nil, func(p origins.Place, _ func(origins.Place) bool) bool {
		return p.Node.Valid() && len(p.Path) == 0 && info.InstanceOf(p.Node, kerasModel)
	})
}

// passes reports whether a call passes an array to a model as one batch, judging by names.
func passes(f *facts.Facts, info *names.Info, call syntax.Node) bool {
	function := call.Child(syntax.FieldFunction)
	if function.Child(syntax.FieldAttribute).Text() == "predict_on_batch" {
		return true
	}
	// A symbolic tensor of a model under construction has one of Keras's types.
	return (isModel(f, info, function) || mayHold(info, function)) && !info.TypeOf(names.Argument(call, 0, "inputs")).Known()
}

// mayHold reports whether an attribute of an object of the program may be a model that the object
// was given.
func mayHold(info *names.Info, n syntax.Node) bool {
	class := info.TypeOf(n.Child(syntax.FieldObject)).Local
	return n.Kind() == syntax.Attribute && class != nil && !info.TypeOf(n).Known() &&
		len(info.Attribute(class, n.Child(syntax.FieldAttribute).Text())) > 0
}

// passBytes returns the bytes of the inputs of one pass over this many examples, and of the largest
// layer output, as float32. The latter is 0 if no layer's output is known.
func passBytes(u *graph.ModelCall, rows int64) (input, layer int64) {
	for _, in := range u.Inputs {
		if n, ok := in.Shape.Elements(); ok {
			input += 4 * n * rows
		}
	}
	for _, l := range u.Model.Layers() {
		if len(l.Output) > 1 {
			if n, ok := l.Output[1:].Elements(); ok {
				layer = max(layer, 4*n*rows)
			}
		}
	}
	return input, layer
}

// runsOnce reports whether the function around a call runs by itself: it is not called in a loop or under a
// tape, nor compiled, nor part of a model.
func runsOnce(info *names.Info, call syntax.Node) bool {
	f := info.ScopeOf(call).Function()
	if f == nil {
		return true
	}
	if compiled, unknown := f.CompiledBy(); compiled || unknown || f.Class != nil && info.Inherits(f.Class, "tensorflow.keras.layers.Layer") {
		return false
	}
	for _, other := range info.Calls {
		if t := info.Target(other.Child(syntax.FieldFunction)); t.Function == f && (t.Compiled || t.Wrapped || repeated(info, other)) {
			return false
		}
	}
	return true
}

// repeated reports whether code is inside a loop or a gradient tape of its own function.
func repeated(info *names.Info, n syntax.Node) bool {
	for a := n.Parent(); a.Valid() && !a.Is(syntax.FunctionDefinition, syntax.Lambda); a = a.Parent() {
		switch a.Kind() {
		case syntax.ForStatement, syntax.WhileStatement, syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
			return true
		case syntax.WithStatement:
			for item := range a.FirstChild().Children() {
				value := item.Child(syntax.FieldValue)
				if value.Kind() == syntax.AsPattern {
					value = value.FirstChild()
				}
				if info.Callee(info.DefiningExpr(value)) == "tensorflow.GradientTape" {
					return true
				}
			}
		}
	}
	return false
}

// usePredict offers predict instead of the call.
func usePredict(p *rule.Pass, call syntax.Node) []rule.Fix {
	if !rule.Fixable(call) || names.HasSplat(call) {
		return nil
	}
	function := call.Child(syntax.FieldFunction)
	onBatch := names.Method(call) == "predict_on_batch"
	edits := []source.Edit{source.Insert(function.End(), ".predict")}
	if onBatch {
		edits = []source.Edit{{Span: rule.Span(function.Child(syntax.FieldAttribute)), New: "predict"}}
	}
	var first syntax.Node
	for a := range call.Child(syntax.FieldArguments).Children() {
		switch {
		case !first.Valid() && a.Kind() != syntax.KeywordArgument && a.Kind() != syntax.Comment:
			first = a
		case a.Kind() == syntax.KeywordArgument && a.Child(syntax.FieldName).Text() == "training" && a.Child(syntax.FieldValue).Kind() == syntax.False && first.Valid():
			edits = append(edits, source.Edit{Span: source.Span{Start: first.End(), End: a.End()}})
		default:
			return nil
		}
	}
	if !onBatch { // which returns arrays too
		also, ok := rule.AsArray(p.File.Names(), call)
		if !ok {
			return nil
		}
		edits = append(edits, also...)
	}
	return rule.OneFix("Use predict(), which works in batches", rule.Unsafe, edits...)
}
