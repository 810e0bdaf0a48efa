package graph

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// AppendInTFFunction is TFM505.
var AppendInTFFunction = &rule.Rule{
	Code: "TFM505", Name: "append-in-tf-function", Severity: rule.Information,
	Summary: "A tensor is appended to a Python list inside a tf.function.",
	What: `
Checks for append and extend, in code that tf.function or Keras compiles, of a
computed value to a list outside the function: a global, a list of the
enclosing function, an attribute. Also checks for a list of the function itself
that a loop over a tensor, a dataset or tf.range fills and that is read after
the loop.`,
	Why: `
Python code in a tf.function runs during tracing, not when the function is
called: the list gets one item per trace. That item is a symbolic tensor. It
holds no value, keeps the graph of its trace alive, and using it outside raises
TypeError ("is out of scope and cannot be used here"). A loop over a tensor
becomes part of the graph and its body is traced once, so reading a list it has
filled raises InaccessibleTensorError. Return the tensor and append what the
call returns, or write to a tf.TensorArray.`,
	Bad: `
import tensorflow as tf

losses = []

@tf.function
def train_step(x):
    loss = tf.reduce_mean(x)
    losses.append(loss)

for x in batches:
    train_step(x)`,
	Good: `
import tensorflow as tf

losses = []

@tf.function
def train_step(x):
    loss = tf.reduce_mean(x)
    return loss

for x in batches:
    losses.append(train_step(x).numpy())`,
	Limitations: `
A list that a Python loop fills during tracing is not reported: it gets one
item per iteration.`,
	References: []rule.Reference{
		rule.API("tf.TensorArray"),
		rule.Guide("function#accumulating_values_in_a_loop", "Better performance with tf.function: Accumulating values in a loop"),
	},
	Triggers: []string{".append", ".extend"},
	Check:    checkAppend,
}

func checkAppend(p *rule.Pass) {
	info := p.File.Names()
	if allEager(info) {
		return
	}
	for _, e := range p.File.Flow().Having(effects.Appends) {
		if e.Context&flow.Compiled == 0 || e.Context&flow.Uncertain != 0 || !p.Here(e.Node) || e.Node.HasError() {
			continue
		}
		if message := appends(p, e); message != "" {
			p.Report(rule.Finding{Span: rule.Callee(e.Node), Message: message})
		}
	}
}

// appends returns what is wrong with the append of an event, or "".
func appends(p *rule.Pass, e *flow.Event) string {
	info := p.File.Names()
	list, item := e.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject), names.Element(e.Node.Child(syntax.FieldArguments), 0)
	fn, made := compiledAround(info, e), info.DefiningExpr(item)
	if fn == nil || !obstacles.Computed(info, item, fn) || made.Kind() == syntax.Call && obstacles.MakesVariable(info, made) || // a trace only refers to a variable
		p.File.Facts().Under(e.Node, func(callee string) bool { return callee == "tensorflow.init_scope" }).Valid() { // out of the graph of the trace
		return ""
	}
	if outside(p, e, list, fn) {
		return fmt.Sprintf("%s gets one item per trace of %s, not one per call. The item is a symbolic tensor without a value, and keeps the trace's graph alive. "+
			"Return it and append what the call returns.", list.Text(), called(fn))
	}
	loop := facts.LoopOf(e.Node)
	if loop.Kind() != syntax.ForStatement || !obstacles.Symbolic(info, loop.Child(syntax.FieldRight)) || !readAfter(info, list, loop, fn) {
		return ""
	}
	return fmt.Sprintf("%s gets a single symbolic tensor, not one per iteration. The loop on %s runs in the graph and its body is traced once, so reading the list after the loop raises InaccessibleTensorError. "+
		"Write to a tf.TensorArray.", list.Text(), p.LineOf(loop.Start(), rule.Callee(e.Node)))
}

// compiledAround returns the outermost function around an event's own code that its trace surely
// runs. Names bound outside of it are Python's.
func compiledAround(info *names.Info, e *flow.Event) *names.Function {
	var found *names.Function
	for s := info.ScopeOf(e.Node); s != nil; s = s.Parent {
		if s.Func != nil {
			if compiled, _ := s.Func.CompiledBy(); compiled || found == nil {
				found = s.Func
			}
		}
	}
	return found
}

// outside reports whether a list, or one in a dict or another list, outlives a call of the function: a
// name that is bound around it, also in another module, or an attribute of an object that the trace does
// not make, which only its constructor sets, or that is set to a part of itself.
func outside(p *rule.Pass, e *flow.Event, list syntax.Node, fn *names.Function) bool {
	info, known := p.File.Names(), p.File.Facts()
	for list.Kind() == syntax.Subscript {
		list = list.Child(syntax.FieldValue)
	}
	if !known.Kinds(list, nil).Surely(facts.List | facts.Container) {
		return false
	}
	if list.Kind() == syntax.Identifier {
		s := info.Lookup(list)
		return s != nil && !s.Sees(fn.Scope)
	}
	object, name := list.Child(syntax.FieldObject), list.Child(syntax.FieldAttribute).Text()
	if info.ModuleOf(object) != nil {
		return true
	}
	trace, makers := tracedFunctions(info, e), known.Origins(object, nil)
	return len(makers) > 0 && !slices.ContainsFunc(makers, func(made origins.Place) bool {
		class := info.TypeOf(made.Node).Local
		return class == nil || len(made.Path) > 0 || made.Node.Kind() == syntax.Call && slices.Contains(trace, info.ScopeOf(made.Node).Function()) ||
			slices.ContainsFunc(info.Attribute(class, name), func(b *names.Binding) bool {
				fn := info.ScopeOf(b.Node).Function()
				return (fn == nil || fn.Name != "__init__") && b.Value.Kind() != syntax.Subscript
			})
	})
}

// tracedFunctions returns the functions on the path of an event whose code a trace runs.
func tracedFunctions(info *names.Info, e *flow.Event) []*names.Function {
	var out []*names.Function
	for _, n := range slices.Backward(append(slices.Clone(e.Path), e.Node)) {
		fn := info.ScopeOf(n).Function()
		if fn == nil {
			break
		}
		out = append(out, fn)
		if compiled, _ := fn.CompiledBy(); compiled {
			break
		}
	}
	return out
}

// readAfter reports whether the function reads its list after the loop, other than to append to it.
func readAfter(info *names.Info, list, loop syntax.Node, fn *names.Function) bool {
	s := info.Lookup(list)
	if list.Kind() != syntax.Identifier || s == nil || s.Func != fn || len(s.Bindings(list.Text())) != 1 || !facts.Of(info).Kinds(list, nil).Surely(facts.List) {
		return false
	}
	return slices.ContainsFunc(info.Uses(s.Bindings(list.Text())[0]), func(use syntax.Node) bool {
		return use.Start() > loop.End() && use.Parent().Kind() != syntax.Attribute && info.Builtin(use.Parent().Parent()) != "len"
	})
}
