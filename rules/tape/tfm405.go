package tape

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
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
add the output of a Keras model to a list from outside the loop, and for list
comprehensions of such outputs. The rule is off by default: the source does not
say whether the outputs are large, and needed as tensors.`,
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
	info := p.File.Names()
	tracer := dataset.NewTracer(info)
	for s := range p.File.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			for _, k := range keeping(info, n) {
				k.report(p, tracer)
			}
			return true
		})
	}
}

// A keep is a value that a loop adds to a list in each iteration.
type keep struct {
	list  syntax.Node // the list, or none if a comprehension makes it
	value syntax.Node
	loop  syntax.Node // the for statement or the comprehension
	over  syntax.Node // what has the target and the iterable of the loop
	// binding is that of the list, or nil if it has no name.
	binding *names.Binding
	// rebinds is set if the statement also binds the name of the list, which may have readers that
	// are not found by binding.
	rebinds bool
}

// keeping returns what a node adds to a list in a loop: list.append(x), list.extend([x]),
// list += [x] or [x for …].
func keeping(info *names.Info, n syntax.Node) (all []keep) {
	var list, values syntax.Node
	switch n.Kind() {
	case syntax.Call:
		function := n.Child(syntax.FieldFunction)
		if function.Kind() != syntax.Attribute {
			return nil
		}
		list = function.Child(syntax.FieldObject)
		switch values = n.Child(syntax.FieldArguments); function.Child(syntax.FieldAttribute).Text() {
		case "append":
		case "extend":
			values = names.Argument(n, 0, "")
		default:
			return nil
		}
	case syntax.AugmentedAssignment:
		if n.Child(syntax.FieldOperator).Text() != "+=" {
			return nil
		}
		list, values = n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
	case syntax.ListComprehension:
		return comprehended(info, n)
	default:
		return nil
	}
	loop := n.Ancestor(syntax.ForStatement, syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition)
	if !values.Is(syntax.ArgumentList, syntax.List, syntax.Tuple) || loop.Kind() != syntax.ForStatement || !listOutside(info, list, loop) {
		return nil
	}
	var binding *names.Binding
	if reaching := info.ReachingDefs(list); len(reaching) == 1 {
		binding = reaching[0]
	}
	for value := range values.Children() {
		all = append(all, keep{list, value, loop, loop, binding, n.Kind() == syntax.AugmentedAssignment})
	}
	return all
}

// comprehended returns what a list comprehension with one loop keeps. The list must have a name, or
// be joined.
func comprehended(info *names.Info, n syntax.Node) []keep {
	var clauses []syntax.Node
	for c := range n.Children() {
		if c.Kind() == syntax.ForInClause {
			clauses = append(clauses, c)
		}
	}
	if len(clauses) != 1 {
		return nil
	}
	k := keep{value: n.Child(syntax.FieldBody), loop: n, over: clauses[0]}
	switch parent := n.Parent(); parent.Kind() {
	case syntax.Assignment:
		if k.list = parent.Child(syntax.FieldLeft); k.list.Kind() == syntax.Identifier {
			k.binding = info.BindingAt(k.list)
		}
	case syntax.ArgumentList:
		switch info.Callee(parent.Parent()) {
		case "tensorflow.concat", "tensorflow.stack", "numpy.concatenate", "numpy.vstack", "numpy.stack", "numpy.array", "tensorflow.keras.ops.concatenate", "tensorflow.keras.ops.stack":
		default:
			return nil
		}
	default:
		return nil
	}
	return []keep{k}
}

// report reports a value that is the model's output for what the loop iterates over.
func (k *keep) report(p *rule.Pass, tracer *dataset.Tracer) {
	info := p.File.Names()
	output := modelOutput(p, k.value, k.loop)
	if !output.Valid() || recordedLexically(info, output) || mayBeTraced(info, info.ScopeOf(k.loop).Function(), map[*names.Function]bool{}) || !fedByLoop(tracer, output, k.over) {
		return
	}
	span := rule.Span(k.value)
	name := "A list"
	if k.list.Valid() {
		name = k.list.Text()
	}
	f := rule.Finding{
		Span: span,
		Message: fmt.Sprintf("%s keeps the model's output of every loop iteration in GPU memory. It collects what %s returns in the loop on %s. Collect NumPy arrays, or reduce the outputs in the loop.",
			name, output.Child(syntax.FieldFunction).Text(), p.Line(k.loop, span)),
	}
	if k.list.Valid() && !k.rebinds && rule.Fixable(k.value) && k.value.Is(syntax.Call, syntax.Identifier) {
		edits, ok := []source.Edit{{Span: source.Span{Start: k.value.End(), End: k.value.End()}, New: ".numpy()"}}, true
		if k.binding != nil {
			var also []source.Edit
			also, ok = rule.AsArrays(info, k.binding)
			edits = append(edits, also...)
		}
		if ok {
			f.Fixes = []rule.Fix{{Message: "Collect NumPy arrays", Applicability: rule.Unsafe, Edits: edits}}
		}
	}
	p.Report(f)
}

// listOutside reports whether an expression stands for a list that is created outside the loop: a
// name, an item of a dict of lists, also in other dicts, or what a constructor stores on its object.
func listOutside(info *names.Info, list, loop syntax.Node) bool {
	makes := emptyList
	list, depth := rule.Indexed(list)
	if depth > 0 {
		makes = func(b *names.Binding) bool {
			return b.Kind == names.AssignBinding && rule.HoldsLists(info, b.Value, depth)
		}
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
	reaching := slices.DeleteFunc(slices.Clone(info.ReachingDefs(list)), func(b *names.Binding) bool {
		return b.Kind == names.AugmentedBinding && b.Node.Within(loop) // list += … keeps the list
	})
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
func modelOutput(p *rule.Pass, value, loop syntax.Node) syntax.Node {
	known, info := p.File.Facts(), p.File.Names()
	made, ok := known.Only(value, nil)
	call := made.Node
	if !ok || call.Kind() != syntax.Call || !call.Within(loop) {
		return syntax.Node{}
	}
	function := call.Child(syntax.FieldFunction)
	t := info.TypeOf(function)
	if info.IsA(t.Class, "tensorflow.keras.Model") || t.Local != nil && info.Inherits(t.Local, "tensorflow.keras.Model") {
		return call
	}
	// Whatever else is called with training= is a layer or a model.
	if t.Known() || !names.Argument(call, -1, "training").Valid() {
		return syntax.Node{}
	}
	for _, origin := range known.Until(function, nil, func(p origins.Place) bool { return isParameter(info, p) }) {
		if !isParameter(info, origin) {
			return syntax.Node{}
		}
	}
	return call
}

// isParameter reports whether an expression is a parameter.
func isParameter(info *names.Info, p origins.Place) bool {
	b := info.ReachingDefs(p.Node)
	return len(b) == 1 && b[0].Kind == names.ParameterBinding
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
func mayBeTraced(info *names.Info, fn *names.Function, seen map[*names.Function]bool) bool {
	if fn == nil || seen[fn] {
		return false
	}
	seen[fn] = true
	defer info.Enter(fn.Node).Leave()
	compiled, unknown := fn.CompiledBy()
	if compiled || unknown || fn.Node.Kind() == syntax.Lambda || fn.Class != nil && info.LibraryBase(fn.Class) != "" {
		return true
	}
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
		defines := n.Field() == syntax.FieldName && n.Parent().Kind() == syntax.FunctionDefinition // fn, or another class's method
		return !defines && !called[of]
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
