package graph

import (
	"fmt"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
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
	reported := map[syntax.Node]bool{}
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			e := &t.Events[i]
			if !e.Effects.Has(effects.Appends) || e.Context&flow.Compiled == 0 || e.Context&flow.Uncertain != 0 || !p.Here(e.Node) || reported[e.Node] || e.Node.HasError() {
				continue
			}
			if message := appends(p, e); message != "" {
				reported[e.Node] = true
				p.Report(rule.Finding{Span: rule.Callee(e.Node), Message: message})
			}
		}
	}
}

// appends returns what is wrong with the append of an event, or "".
func appends(p *rule.Pass, e *flow.Event) string {
	info := p.File.Names()
	list, item := e.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject), names.Element(e.Node.Child(syntax.FieldArguments), 0)
	fn := compiledAround(info, e)
	if fn == nil || !obstacles.Computed(info, item, fn) || isVariable(info, item) || liftedOut(info, e.Node) {
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
		if s.Func == nil {
			continue
		}
		if found == nil {
			found = s.Func
		}
		if compiled, _ := s.Func.CompiledBy(); compiled {
			found = s.Func
		}
	}
	return found
}

// isVariable reports whether an item is a variable, or an object that has some. A trace only refers
// to it.
func isVariable(info *names.Info, item syntax.Node) bool {
	made := info.DefiningExpr(item)
	return made.Kind() == syntax.Call && obstacles.MakesVariable(info, made)
}

// liftedOut reports whether code is under tf.init_scope, which leaves the graph of the trace.
func liftedOut(info *names.Info, n syntax.Node) bool {
	for with := n.Ancestor(syntax.WithStatement); with.Valid(); with = with.Ancestor(syntax.WithStatement) {
		lifts := false
		for head := range with.Children() {
			if head.Field() == syntax.FieldBody {
				break
			}
			head.Walk(func(c syntax.Node) bool {
				lifts = lifts || c.Kind() == syntax.Call && info.Callee(c) == "tensorflow.init_scope"
				return !lifts
			})
		}
		if lifts {
			return true
		}
	}
	return false
}

// isShortened reports whether an attribute is bound to a part of what it was: self.images[-50:].
func isShortened(b *names.Binding) bool {
	whole := b.Value.Child(syntax.FieldValue)
	return b.Value.Kind() == syntax.Subscript && b.Value.Child(syntax.FieldSubscript).Kind() == syntax.Slice &&
		whole.Kind() == syntax.Attribute && whole.Child(syntax.FieldAttribute).Text() == b.Name
}

// outside reports whether a list, or a dict of lists, outlives a call of the function: a name that
// is bound around it, also in another module, or an attribute of an object that the trace does not
// make.
func outside(p *rule.Pass, e *flow.Event, list syntax.Node, fn *names.Function) bool {
	info := p.File.Names()
	list, depth := rule.Indexed(list)
	only := func(bindings []*names.Binding) bool {
		return len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool {
			return depth == 0 && !rule.IsList(info, b.Value) || depth > 0 && !rule.HoldsLists(info, b.Value, depth)
		})
	}
	switch list.Kind() {
	case syntax.Identifier:
		s := info.Lookup(list)
		if s == nil || s.Sees(fn.Scope) {
			return false
		}
		return p.File.Fact(onlyLists{s, list.Text(), depth}, func() any {
			bindings := s.Bindings(list.Text())
			if len(bindings) == 1 && bindings[0].Kind == names.FromBinding {
				bindings = info.Origin(bindings[0])
			}
			return only(bindings)
		}).(bool)
	case syntax.Attribute:
		object, name := list.Child(syntax.FieldObject), list.Child(syntax.FieldAttribute).Text()
		if module := info.ModuleOf(object); module != nil {
			return only(module.Exports(name))
		}
		trace, found := tracedFunctions(info, e), false
		for _, made := range p.File.Facts().Origins(object, nil) {
			class := info.TypeOf(made.Node).Local
			if class == nil || len(made.Path) > 0 || made.Node.Kind() == syntax.Call && slices.Contains(trace, info.ScopeOf(made.Node).Function()) {
				return false
			}
			bindings := slices.DeleteFunc(slices.Clone(info.Attribute(class, name)), isShortened)
			if !only(bindings) || slices.ContainsFunc(bindings, func(b *names.Binding) bool {
				fn := info.ScopeOf(b.Node).Function()
				return fn == nil || fn.Name != "__init__"
			}) {
				return false
			}
			found = true
		}
		return found
	}
	return false
}

// onlyLists is the key of the fact whether a name of a scope is bound to lists only, or to dicts of
// lists to some depth.
type onlyLists struct {
	scope *names.Scope
	name  string
	depth int
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
	if list.Kind() != syntax.Identifier || s == nil || s.Func != fn || len(s.Bindings(list.Text())) != 1 || !rule.IsList(info, s.Bindings(list.Text())[0].Value) {
		return false
	}
	for _, use := range info.Uses(s.Bindings(list.Text())[0]) {
		call := use.Parent().Parent()
		length := use.Parent().Kind() == syntax.ArgumentList && call.Child(syntax.FieldFunction).Text() == "len"
		if use.Start() > loop.End() && use.Parent().Kind() != syntax.Attribute && !length {
			return true
		}
	}
	return false
}
