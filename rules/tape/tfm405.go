package tape

import (
	"fmt"
	"slices"

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

// AccumulatedTensors is TFM405.
var AccumulatedTensors = &rule.Rule{
	Code: "TFM405", Name: "accumulated-tensors", Severity: rule.Information, OffByDefault: true,
	Summary: "A list keeps the model's outputs, gradients or attention of every loop iteration on the GPU.",
	What: `
Checks for loops over a tf.data dataset, or over slices of the data, that
add the output of a Keras model to a list from outside the loop, and for list
comprehensions of such outputs. Also checks for steps, in a loop or called in one, that add
the gradients that a tape returns, attention scores or copies of the weights to a list that stays. The rule is off
by default: the source does not say whether they are large, and needed as tensors.`,
	Why: `
Each tensor in the list stays in GPU memory until the list is gone, so memory
grows with the number of iterations. A NumPy array is in host memory. An eager
tensor keeps only itself alive, no graph, so there is nothing to gain for
scalars. Gradients are as large as the weights that they are for, attention scores as the
square of the length.`,
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
gradient tape, nor outputs that a comprehension passes on at once to a function
other than one that joins them.`,
	References: []rule.Reference{
		rule.API("tf.Tensor"),
		rule.Keras("models/model_training_apis#predict-method", "Model.predict"),
	},
	Triggers: []string{".append(", ".extend(", "+=", " for "},
	Check:    checkAccumulated,
}

func checkAccumulated(p *rule.Pass) {
	checkSteps(p)
	info, known, tracer := p.File.Names(), p.File.Facts(), dataset.NewTracer(p.File.Names())
	for _, call := range info.Calls {
		loop := facts.LoopOf(call)
		if !loop.Is(syntax.ForStatement, syntax.ListComprehension) || !returnsOutput(p, call) || !fedBy(p, tracer, call, loop) || recordedLexically(info, call) || mayBeTraced(info, call, map[*names.Function]bool{}) {
			continue
		}
		uses, holders := known.Uses(call, nil, loop)
		if loop.Kind() == syntax.ListComprehension {
			if holder, ok := comprehended(info, loop, uses); ok {
				holders = append(holders, holder)
			}
		}
		for _, h := range holders {
			if h.Kind == facts.InContainer && h.Value.Within(loop) && (h.Value == loop || isList(known, h.Node)) {
				reportKept(p, call, loop, h, uses)
			}
		}
	}
}

// checkSteps looks for gradients and attention scores that each step adds to a list.
func checkSteps(p *rule.Pass) {
	known, reported := p.File.Facts(), map[syntax.Node]bool{}
	check := func(made, loop syntax.Node, in *origins.Call, what string) {
		_, holders := known.Uses(made, in, loop)
		for _, h := range holders {
			if h.Kind == facts.InContainer && p.Here(h.Node) && isList(known, h.Node) && !reported[h.Node] && !mayBeTraced(p.File.Names(), h.Node, map[*names.Function]bool{}) {
				reported[h.Node] = true
				reportStep(p, made, loop, what, h)
			}
		}
	}
	for _, call := range p.File.Names().Calls {
		if list := call.Parent(); copiesWeights(p.File.Names(), call) && facts.LoopOf(list).Valid() {
			check(list, facts.LoopOf(list), nil, "copies of the weights")
		}
	}
	for t, e := range p.File.Flow().Having(effects.TakesGradient | effects.CallsLayer | effects.CallsModel) {
		what := "gradients"
		if !e.Effects.Has(effects.TakesGradient) {
			what = "attention scores"
			if names.Argument(e.Node, -1, "return_attention_scores").Kind() != syntax.True {
				continue
			}
		}
		loops := facts.LoopsAround(e)
		if len(loops) == 0 || !p.Here(e.Node) || e.Context&flow.InGraph != 0 || known.Few(t, e) {
			continue
		}
		check(e.Node, loops[0], known.At(e), what)
	}
}

// copiesWeights reports whether a call copies each weight of a model, in a list comprehension.
func copiesWeights(info *names.Info, call syntax.Node) bool {
	list := call.Parent()
	if list.Kind() != syntax.ListComprehension || list.Child(syntax.FieldBody) != call {
		return false
	}
	switch of := list.Child(syntax.FieldBody).Next().Child(syntax.FieldRight); of.Child(syntax.FieldAttribute).Text() {
	case "weights", "trainable_weights", "trainable_variables", "variables":
		callee := info.Callee(call)
		return callee == "tensorflow.identity" || callee == "tensorflow.Variable" || names.Method(call) == "read_value"
	}
	return false
}

// reportStep reports that a list has what each step computes.
func reportStep(p *rule.Pass, made, loop syntax.Node, what string, h facts.Holder) {
	span := rule.Span(h.Value)
	p.Report(rule.Finding{
		Span: span,
		Message: fmt.Sprintf("%s keeps the %s of every step in GPU memory. The loop on %s adds a set in each iteration. Keep NumPy arrays, a sum, or the norms.",
			h.Node.Text(), what, p.LineOf(loop.Start(), span)),
		Related: []rule.Related{p.Related(made, rule.FirstLine(made), "computed here")},
	})
}

// comprehended returns what has a list comprehension of outputs: a name, or a function that joins them.
func comprehended(info *names.Info, list syntax.Node, uses []facts.Use) (h facts.Holder, ok bool) {
	if !slices.ContainsFunc(uses, func(use facts.Use) bool { return use.Node == list }) || list.Child(syntax.FieldBody).Next().Next().Kind() == syntax.ForInClause {
		return h, false
	}
	switch parent := list.Parent(); parent.Kind() {
	case syntax.Assignment:
		return facts.Holder{Node: parent.Child(syntax.FieldLeft), Value: list}, true
	case syntax.ArgumentList:
		return facts.Holder{Value: list}, slices.Contains([]string{"tensorflow.concat", "tensorflow.stack", "numpy.concatenate", "numpy.vstack", "numpy.stack",
			"numpy.array", "tensorflow.keras.ops.concatenate", "tensorflow.keras.ops.stack"}, info.Callee(parent.Parent()))
	}
	return h, false
}

// isList reports whether an expression surely is one list, which the program begins with once.
func isList(known *facts.Facts, n syntax.Node) bool {
	lists := 0
	return known.All(n, nil, func(origin origins.Place, _ func(origins.Place) bool) bool {
		switch of := origin.Node; of.Kind() {
		case syntax.AugmentedAssignment:
			return true
		case syntax.DictionaryComprehension:
			lists++
			return len(origin.Path) == 1 && empty(of.Child(syntax.FieldBody).Child(syntax.FieldValue))
		default:
			lists++
			return len(origin.Path) == 0 && empty(of) && of.Kind() != syntax.Dictionary
		}
	}) && lists == 1
}

// reportKept reports that a list has the model's output.
func reportKept(p *rule.Pass, call, loop syntax.Node, h facts.Holder, uses []facts.Use) {
	value := call
	for _, use := range uses {
		if use.Part == facts.Whole && (use.Node.Within(h.Value) || h.Value.Within(use.Node)) {
			value = use.Node // as it is put into the list
		}
	}
	name := "A list"
	if h.Node.Valid() {
		name = h.Node.Text()
	}
	f := rule.Finding{Span: rule.Span(value)}
	f.Message = fmt.Sprintf("%s keeps the model's output of every loop iteration in GPU memory. It collects what %s returns in the loop on %s. Collect NumPy arrays, or reduce the outputs in the loop.",
		name, call.Child(syntax.FieldFunction).Text(), p.Line(loop, f.Span))
	if h.Node.Valid() && h.Value.Ancestor(syntax.AugmentedAssignment, syntax.ExpressionStatement).Kind() != syntax.AugmentedAssignment && rule.Fixable(value) {
		edits, ok := []source.Edit{source.Insert(value.End(), ".numpy()")}, true
		list := p.File.Names().ReachingDefs(h.Node)
		if b := p.File.Names().BindingAt(h.Node); h.Value == loop && b != nil {
			list = []*names.Binding{b}
		}
		if len(list) == 1 {
			also, others := rule.AsArrays(p.File.Names(), list[0])
			edits, ok = append(edits, also...), others
		}
		if ok {
			f.Fixes = rule.OneFix("Collect NumPy arrays", rule.Unsafe, edits...)
		}
	}
	p.Report(f)
}

// isModel reports whether a call is one of a Keras model, or of a parameter with training=, which only
// models and layers have.
func isModel(p *rule.Pass, call syntax.Node) bool {
	info, function := p.File.Names(), call.Child(syntax.FieldFunction)
	t := info.TypeOf(function)
	if info.IsA(t.Class, "tensorflow.keras.Model") || t.Local != nil && info.Inherits(t.Local, "tensorflow.keras.Model") {
		return true
	}
	isParameter := func(p origins.Place) bool {
		b := info.ReachingDefs(p.Node)
		return len(b) == 1 && b[0].Kind == names.ParameterBinding
	}
	return !t.Known() && names.Argument(call, -1, "training").Valid() &&
		!slices.ContainsFunc(p.File.Facts().Until(function, nil, isParameter), func(origin origins.Place) bool { return !isParameter(origin) })
}

// returnsOutput reports whether a call is that of a model, or of a function that returns what a model returns.
func returnsOutput(p *rule.Pass, call syntax.Node) bool {
	return isModel(p, call) || p.File.Names().Target(call.Child(syntax.FieldFunction)).Function != nil &&
		p.File.Facts().Any(call, nil, func(of origins.Place, _ func(origins.Place) bool) bool {
			return of.Node != call && of.Node.Kind() == syntax.Call && len(of.Path) == 0 && isModel(p, of.Node)
		})
}

// fedBy reports whether a model is called on what a loop goes through: the elements of a dataset, or a
// slice that moves with the loop.
func fedBy(p *rule.Pass, tracer *dataset.Tracer, call, loop syntax.Node) bool {
	info, input := p.File.Names(), names.Argument(call, 0, "inputs")
	if index := input.Child(syntax.FieldSubscript); index.Kind() == syntax.Slice {
		return p.File.Facts().Iteration(&flow.Event{Node: call}, loop, false).Binds(index)
	}
	reaching := info.ReachingDefs(input)
	if input.Kind() != syntax.Identifier || len(reaching) != 1 || reaching[0].Kind != names.ForBinding || !reaching[0].Node.Within(loop) {
		return false
	}
	over := reaching[0].Value
	for slices.Contains([]string{"enumerate", "tqdm", "tqdm.tqdm"}, over.Child(syntax.FieldFunction).Text()) {
		over = names.Argument(over, 0, "iterable")
	}
	return tracer.Of(over).State != dataset.NotDataset
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

// mayBeTraced reports whether the function around a node may run as a graph: it is compiled, called by a
// framework, passed on, or called by a function that may be traced.
func mayBeTraced(info *names.Info, n syntax.Node, seen map[*names.Function]bool) bool {
	defer info.Enter(n).Leave()
	fn := info.ScopeOf(n).Function()
	if fn == nil || seen[fn] {
		return false
	}
	seen[fn] = true
	compiled, unknown := fn.CompiledBy()
	if compiled || unknown || fn.Node.Kind() == syntax.Lambda || fn.Class != nil && info.LibraryBase(fn.Class) != "" || mayBeTraced(info, fn.Node.Parent(), seen) {
		return true
	}
	called := map[syntax.Node]bool{}
	for _, call := range info.CallsOf(fn) {
		function := call.Child(syntax.FieldFunction)
		if t := info.Target(function); t.Compiled || t.Wrapped || mayBeTraced(info, call, seen) {
			return true
		}
		called[function] = true
	}
	return slices.ContainsFunc(info.Identifiers(fn.Name), func(n syntax.Node) bool {
		of := n
		if n.Parent().Kind() == syntax.Attribute && n.Field() == syntax.FieldAttribute {
			of = n.Parent()
		}
		return !called[of] && !(n.Field() == syntax.FieldName && n.Parent().Kind() == syntax.FunctionDefinition) // fn, or another class's method
	})
}
