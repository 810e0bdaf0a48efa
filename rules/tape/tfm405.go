package tape

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// AccumulatedTensors is TFM405.
var AccumulatedTensors = &rule.Rule{
	Code: "TFM405", Name: "accumulated-tensors", Severity: rule.Information, OffByDefault: true,
	Summary: "A list keeps the model's output of every loop iteration on the GPU.",
	What: `
Checks for loops over a tf.data dataset, or over slices of the data, that
append the output of a Keras model to a list from outside the loop. The rule is
off by default: the source does not say whether the outputs are large, and
needed as tensors.`,
	Why: `
Each tensor in the list stays in GPU memory until the list is gone, so memory
grows with the number of iterations. A NumPy array is in host memory. An eager
tensor keeps only itself alive, no graph, so there is nothing to gain for
scalars.`,
	Bad: `
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
dataset = tf.data.Dataset.from_tensor_slices(images).batch(32)
predictions = []
for batch in dataset:
    predictions.append(model(batch))`,
	Good: `
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
dataset = tf.data.Dataset.from_tensor_slices(images).batch(32)
predictions = []
for batch in dataset:
    predictions.append(model(batch).numpy())`,
	FixSafety: `
Unsafe: the list then holds NumPy arrays instead of tensors, and a model that
returns several outputs has no numpy().`,
	Limitations: `
Losses and metrics are not reported, nor code inside tf.function or under a
gradient tape.`,
	References: []rule.Reference{
		rule.API("tf.Tensor"),
		rule.Keras("models/model_training_apis#predict-method", "Model.predict"),
	},
	Triggers: []string{".append("},
	Check:    checkAccumulated,
}

func checkAccumulated(p *rule.Pass) {
	info := p.File.Names()
	var tracer *dataset.Tracer
	for _, call := range info.Calls {
		function := call.Child(syntax.FieldFunction)
		value := names.Argument(call, 0, "")
		if function.Kind() != syntax.Attribute || function.Child(syntax.FieldAttribute).Text() != "append" || !value.Valid() {
			continue
		}
		loop := call.Ancestor(syntax.ForStatement, syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition)
		if loop.Kind() != syntax.ForStatement || !listOutside(info, function.Child(syntax.FieldObject), loop) {
			continue
		}
		output := modelOutput(info, value, loop)
		if !output.Valid() || recordedLexically(info, output) || mayBeTraced(info, info.ScopeOf(call).Function(), nil) {
			continue
		}
		if tracer == nil {
			tracer = dataset.NewTracer(info)
		}
		if !fedByLoop(tracer, output, loop) {
			continue
		}
		span := rule.Span(value)
		f := rule.Finding{
			Span: span,
			Message: fmt.Sprintf("%s keeps the model's output of every loop iteration in GPU memory. It collects what %s returns in the loop on %s. Append NumPy arrays, or reduce the outputs in the loop.",
				function.Child(syntax.FieldObject).Text(), output.Child(syntax.FieldFunction).Text(), p.Line(loop, span)),
		}
		if rule.Fixable(value) && value.Is(syntax.Call, syntax.Identifier) {
			edits, ok := []source.Edit{{Span: source.Span{Start: value.End(), End: value.End()}, New: ".numpy()"}}, true
			if reaching := info.ReachingDefs(function.Child(syntax.FieldObject)); len(reaching) == 1 {
				var also []source.Edit
				also, ok = rule.AsArrays(info, reaching[0])
				edits = append(edits, also...)
			}
			if ok {
				f.Fixes = []rule.Fix{{Message: "Append a NumPy array", Applicability: rule.Unsafe, Edits: edits}}
			}
		}
		p.Report(f)
	}
}

// listOutside reports whether an expression stands for a list that is created outside the loop: a
// name, an item of a dict of lists, or what a constructor stores on its object.
func listOutside(info *names.Info, list, loop syntax.Node) bool {
	makes := emptyList
	if list.Kind() == syntax.Subscript {
		makes = func(b *names.Binding) bool { return b.Kind == names.AssignBinding && rule.HoldsLists(info, b.Value) }
		list = list.Child(syntax.FieldValue)
	}
	if t := info.TypeOf(list.Child(syntax.FieldObject)); list.Kind() == syntax.Attribute && t.Local != nil {
		bindings := info.Attribute(t.Local, list.Child(syntax.FieldAttribute).Text())
		if len(bindings) != 1 || !makes(bindings[0]) {
			return false
		}
		fn := info.ScopeOf(bindings[0].Node).Function()
		return fn != nil && fn.Name == "__init__"
	}
	if list.Kind() != syntax.Identifier {
		return false
	}
	reaching := info.ReachingDefs(list)
	if len(reaching) != 1 || reaching[0].Node.Within(loop) {
		return false
	}
	return makes(reaching[0])
}

// emptyList reports whether a binding gives its name a new list.
func emptyList(b *names.Binding) bool {
	value := b.Value
	switch {
	case b.Kind == names.UnpackBinding && len(b.Path) == 1:
		value = names.Element(value, b.Path[0])
	case b.Kind != names.AssignBinding:
		return false
	}
	return empty(value)
}

// modelOutput returns the call of a Keras model, in the same loop, whose result an expression is,
// or none.
func modelOutput(info *names.Info, value, loop syntax.Node) syntax.Node {
	if value.Kind() == syntax.Identifier {
		reaching := info.ReachingDefs(value)
		if len(reaching) != 1 || reaching[0].Kind != names.AssignBinding || !reaching[0].Node.Within(loop) {
			return syntax.Node{}
		}
		value = reaching[0].Value
	}
	if value.Kind() != syntax.Call {
		return syntax.Node{}
	}
	t := info.TypeOf(value.Child(syntax.FieldFunction))
	if info.IsA(t.Class, "tensorflow.keras.Model") || t.Local != nil && info.Inherits(t.Local, "tensorflow.keras.Model") {
		return value
	}
	// Whatever else is called with training= is a layer or a model.
	if function := value.Child(syntax.FieldFunction); !t.Known() && function.Kind() == syntax.Identifier && names.Argument(value, -1, "training").Valid() {
		if b := info.ReachingDefs(function); len(b) == 1 && b[0].Kind == names.ParameterBinding {
			return value
		}
	}
	return syntax.Node{}
}

// recordedLexically reports whether n is in the with statement of a tape, in the same function. The
// tape keeps what it records anyway.
func recordedLexically(info *names.Info, n syntax.Node) bool {
	for w := n.Ancestor(syntax.WithStatement, syntax.FunctionDefinition); w.Kind() == syntax.WithStatement; w = w.Ancestor(syntax.WithStatement, syntax.FunctionDefinition) {
		if starts(info, w) {
			return true
		}
	}
	return false
}

// mayBeTraced reports whether a function may run as a graph: it is compiled, called by a
// framework, passed on, or called by a function that may be traced.
func mayBeTraced(info *names.Info, fn *names.Function, seen []*names.Function) bool {
	if fn == nil {
		return false
	}
	if slices.Contains(seen, fn) {
		return false
	}
	compiled, unknown := fn.CompiledBy()
	if compiled || unknown || fn.Node.Kind() == syntax.Lambda || fn.Class != nil && info.LibraryBase(fn.Class) != "" {
		return true
	}
	seen = append(seen, fn)
	called := map[syntax.Node]bool{}
	for _, call := range info.CallsOf(fn) {
		function := call.Child(syntax.FieldFunction)
		if t := info.Target(function); t.Compiled || t.Wrapped || mayBeTraced(info, info.ScopeOf(call).Function(), seen) {
			return true
		}
		called[function] = true
	}
	handed := slices.ContainsFunc(info.Identifiers(fn.Name), func(n syntax.Node) bool {
		of := n
		if n.Parent().Kind() == syntax.Attribute && n.Field() == syntax.FieldAttribute {
			of = n.Parent()
		}
		return n != fn.Node.Child(syntax.FieldName) && !called[of]
	})
	return handed || mayBeTraced(info, fn.Scope.Parent.Function(), seen)
}

// fedByLoop reports whether a model is called on what the loop iterates over: the elements of a
// dataset, or a slice that moves with it.
func fedByLoop(tracer *dataset.Tracer, call, loop syntax.Node) bool {
	bound := map[string]bool{}
	contains(loop.Child(syntax.FieldLeft), func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier {
			bound[n.Text()] = true
		}
		return false
	})
	input := names.Argument(call, 0, "inputs")
	switch input.Kind() {
	case syntax.Identifier:
		over := loop.Child(syntax.FieldRight)
		for over.Kind() == syntax.Call {
			switch over.Child(syntax.FieldFunction).Text() {
			case "enumerate", "tqdm", "tqdm.tqdm":
				over = names.Argument(over, 0, "iterable")
				continue
			}
			break
		}
		return bound[input.Text()] && tracer.Of(over).State != dataset.NotDataset
	case syntax.Subscript:
		index := input.Child(syntax.FieldSubscript)
		return index.Kind() == syntax.Slice && mentions(index, bound)
	}
	return false
}
