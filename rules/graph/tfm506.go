package graph

import (
	"fmt"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// GraphGrowsInLoop is TFM506.
var GraphGrowsInLoop = &rule.Rule{
	Code: "TFM506", Name: "graph-grows-in-loop", Severity: rule.Warning,
	Summary: "The loop of a TF1 session adds operations to the graph in every iteration.",
	What: `
Checks for calls that add operations to the graph (tf.assign, tf.reduce_mean,
tf.train.Saver, an optimizer's minimize, an initializer, ...) in a loop that
runs a session opened before it, directly or in a function that the loop calls.
In programs that build graphs, also checks for K.gradients in a loop that runs
it with a new K.function.`,
	Why: `
Operations are never removed from a graph. Each iteration adds the same ones
again: the graph takes more and more host memory, with every array that became
a constant in it, and each run after a change first extends the session's copy
of the graph, so steps become slower and slower.
tf.get_default_graph().finalize() before the loop makes such code raise an
error.`,
	Bad: `
import tensorflow.compat.v1 as tf

rate = tf.get_variable("rate", [])
with tf.Session() as sess:
    for step in range(10000):
        sess.run(tf.assign(rate, 0.1 / (step + 1)))
        sess.run(train_op)`,
	Good: `
import tensorflow.compat.v1 as tf

rate = tf.get_variable("rate", [])
new_rate = tf.placeholder(tf.float32, [])
assign_rate = tf.assign(rate, new_rate)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(assign_rate, {new_rate: 0.1 / (step + 1)})
        sess.run(train_op)`,
	Limitations: `
Not reported where the iteration has a graph of its own or resets the default
one, where the call is conditional, where each iteration assigns to another
variable or adds to a sum or a list that is run after the loop, in tests, and in loops of at
most ten iterations.`,
	References: []rule.Reference{
		rule.API("tf.Graph#finalize"),
		rule.API("tf.compat.v1.Session"),
	},
	Triggers: []string{".run(", ".run (", ".gradients(", ".eval("},
	Imported: true,
	Check:    checkGraphGrows,
}

func checkGraphGrows(p *rule.Pass) {
	info := p.File.Names()
	if p.File.Role().Kind == facts.Test {
		return
	}
	runs := sessionRuns(p, info)
	byLoop := map[syntax.Node][]syntax.Node{}
	var order []syntax.Node
	session := map[syntax.Node]*run{}
	resets, later := map[syntax.Node]bool{}, setLaters{}
	inside := &adders{Pass: p, info: info, runs: map[*names.Info][]run{info: runs}, known: map[*names.Function]*added{}}
	for _, call := range info.Calls {
		loop := facts.LoopOf(call)
		if !loop.Valid() || call.HasError() {
			continue
		}
		var within *added
		if !addsOperation(info, call) {
			if within = inside.by(call); within == nil {
				continue
			}
		}
		if withinLast(byLoop[loop], call) || !everyIteration(info, call, loop) || ownVariable(info, call, loop) || within != nil && within.each && boundIn(info, call, loop) {
			continue
		}
		if runsInside := within != nil && within.run != nil; !runsInside && collected(info, runs, call, loop, maxSteps) {
			continue
		}
		if _, asked := resets[loop]; !asked {
			resets[loop] = mentionsReset(loop)
		}
		if resets[loop] {
			continue
		}
		r := runBy(info, runs, call, loop)
		if r == nil {
			r = savedBy(info, call, loop, later)
		}
		if r == nil && within == nil && !ofLoop(info, call.Child(syntax.FieldArguments), loop, syntax.Node{}) {
			r = keptByKeras(info, runs, call, loop)
		}
		if r == nil && within != nil {
			if r = within.run; r != nil && r.gradients.Valid() && ofLoop(info, r.gradients.Child(syntax.FieldArguments), loop, call) {
				r = nil
			} else if r == nil {
				r = within.savedBy(info, call, loop, later)
			}
		}
		if r == nil {
			continue
		}
		if byLoop[loop] == nil {
			order = append(order, loop)
			session[loop] = r
		}
		byLoop[loop] = append(byLoop[loop], call)
	}
	for _, loop := range order {
		reportGrowth(inside, loop, byLoop[loop], session[loop])
	}
}

// maxSteps bounds the names through which a value is followed.
const maxSteps = 20

// collected reports whether the iterations of a loop add the value of an expression to a sum or a
// list from before the loop, and do not run it. Each iteration then makes another part of a graph.
func collected(info *names.Info, runs []run, value, loop syntax.Node, depth int) bool {
	defer info.Enter(value).Leave()
	fetched := func(name syntax.Node) bool {
		return slices.ContainsFunc(runs, func(r run) bool {
			return r.call.Within(loop) && obstacles.Mentions(r.call.Child(syntax.FieldArguments), func(n syntax.Node) bool { return n.Text() == name.Text() })
		})
	}
	into := func(name syntax.Node) bool {
		s := info.Lookup(name)
		return name.Kind() == syntax.Identifier && s != nil && !fetched(name) &&
			slices.ContainsFunc(s.Bindings(name.Text()), func(b *names.Binding) bool { return !b.Node.Within(loop) })
	}
	switch parent := value.Parent(); parent.Kind() {
	case syntax.ParenthesizedExpression, syntax.BinaryOperator, syntax.UnaryOperator:
		return collected(info, runs, parent, loop, depth)
	case syntax.ArgumentList, syntax.KeywordArgument:
		call := value.Ancestor(syntax.Call)
		if names.Method(call) == "append" {
			return into(call.Child(syntax.FieldFunction).Child(syntax.FieldObject))
		}
		return addsOperation(info, call) && collected(info, runs, call, loop, depth)
	case syntax.AugmentedAssignment:
		return value.Field() == syntax.FieldRight && into(parent.Child(syntax.FieldLeft))
	case syntax.Assignment:
		left := parent.Child(syntax.FieldLeft)
		b := info.BindingAt(left)
		if left.Kind() != syntax.Identifier || value.Field() != syntax.FieldRight || b == nil || depth == 0 || fetched(left) {
			return false
		}
		if obstacles.Mentions(value, func(n syntax.Node) bool { return n.Kind() == syntax.Identifier && n.Text() == left.Text() }) {
			return into(left)
		}
		return slices.ContainsFunc(info.Uses(b), func(use syntax.Node) bool { return use.Within(loop) && collected(info, runs, use, loop, depth-1) })
	}
	return false
}

// addsOperation reports whether a call adds to the graph by itself.
func addsOperation(info *names.Info, call syntax.Node) bool {
	name := info.Callee(call)
	e := effects.Lookup(name)
	return (name == kerasGradients || e != nil && e.Effects.Has(effects.AddsOperation)) && !call.HasError()
}

// everyIteration reports whether each iteration makes a call. No condition is in between, except
// one that counts iterations, and no with statement that may enter another graph.
func everyIteration(info *names.Info, n, loop syntax.Node) bool {
	for child, p := n, n.Parent(); child != loop; child, p = p, p.Parent() {
		switch p.Kind() {
		case syntax.IfStatement:
			if !strings.Contains(p.Child(syntax.FieldCondition).Text(), "%") || child.Field() != syntax.FieldConsequence {
				return false
			}
		case syntax.WithStatement:
			if entersGraph(info, p) {
				return false
			}
		case syntax.ExceptClause, syntax.MatchStatement, syntax.ConditionalExpression, syntax.BooleanOperator:
			return false
		case syntax.Block:
			if names.Leaves(p) && p.Parent().Kind() != syntax.FunctionDefinition {
				return false
			}
		}
	}
	return true
}

// entersGraph reports whether a with statement may make another graph the default one. One that
// only names or places operations does not.
func entersGraph(info *names.Info, with syntax.Node) bool {
	for item := range with.FirstChild().Children() {
		value := item.Child(syntax.FieldValue)
		if value.Kind() == syntax.AsPattern {
			value = value.FirstChild()
		}
		q := ""
		if value.Kind() == syntax.Call {
			q = info.Callee(value)
		}
		switch strings.TrimPrefix(strings.TrimPrefix(q, "tensorflow."), "compat.v1.") {
		case "name_scope", "variable_scope", "device", "control_dependencies":
		default:
			return true
		}
	}
	return false
}

// mentionsReset reports whether the loop resets the default graph.
func mentionsReset(loop syntax.Node) bool {
	return strings.Contains(loop.Text(), "reset_default_graph") || strings.Contains(loop.Text(), "clear_session")
}

// ownVariable reports whether the iteration, or the argument of a function, chooses the target of
// the assignment. Each target needs its own operation.
func ownVariable(info *names.Info, call, loop syntax.Node) bool {
	function := call.Child(syntax.FieldFunction)
	method := function.Child(syntax.FieldAttribute).Text()
	if !strings.HasPrefix(method, "assign") && !strings.HasPrefix(method, "scatter_") {
		return false
	}
	variable := names.Argument(call, 0, "ref")
	if function.Child(syntax.FieldObject).Kind() != syntax.Identifier || names.Argument(call, 1, "value").Kind() == syntax.None {
		variable = function.Child(syntax.FieldObject) // variable.assign(value)
	}
	bound := map[string]bool{}
	for target := range loop.Children() {
		if target.Kind() == syntax.ForInClause {
			target = target.Child(syntax.FieldLeft)
		} else if target.Field() != syntax.FieldLeft && target.Field() != syntax.FieldParameters {
			continue
		}
		target.Walk(func(n syntax.Node) bool {
			bound[n.Text()] = true
			return true
		})
	}
	if fn := info.FunctionAt(loop); fn != nil && fn.Class != nil && !fn.IsStatic() && len(fn.Params) > 0 {
		delete(bound, fn.Params[0].Name) // the object that owns the variable
	}
	found := false
	variable.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.Identifier && bound[n.Text()]
		return !found
	})
	return found
}

// boundIn reports whether a call names anything that a loop binds. A function that adds operations for
// each of several variables may then be given others in each iteration.
func boundIn(info *names.Info, call, loop syntax.Node) bool {
	found := false
	call.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier && n.Field() != syntax.FieldAttribute {
			found = found || slices.ContainsFunc(info.ReachingDefs(n), func(b *names.Binding) bool { return b.Node.Within(loop) })
		}
		return !found
	})
	return found
}

// withinLast reports whether n is in the last of some nodes that follow one another.
func withinLast(outer []syntax.Node, n syntax.Node) bool {
	return len(outer) > 0 && n.Within(outer[len(outer)-1])
}

// finalized is what the graph of a session of tf.train does (tensorflow/python/ framework/ops.py,
// Graph._check_not_finalized).
const finalized = "raises RuntimeError: Graph is finalized and cannot be modified."

// fewAdditions is the number of iterations up to which nobody notices what they add to a graph.
const fewAdditions = 10

func reportGrowth(p *adders, loop syntax.Node, operations []syntax.Node, r *run) {
	if iterations := p.File.Facts().Iterations(loop, nil); iterations > 0 && iterations <= fewAdditions {
		return
	}
	span := rule.Callee(operations[0])
	who := operations[0].Child(syntax.FieldFunction).Text() + "() adds"
	related := []rule.Related{{Span: rule.LoopHead(loop), Message: "in this loop"}}
	if more := len(operations) - 1; more > 0 {
		calls := "calls"
		if more == 1 {
			calls = "call"
		}
		who = fmt.Sprintf("%s() and %d other %s add", operations[0].Child(syntax.FieldFunction).Text(), more, calls)
		for _, o := range operations[1:] {
			related = append(related, rule.Related{Span: rule.Callee(o), Message: "adds operations too"})
		}
	}
	for _, o := range operations {
		if within := p.by(o); within != nil {
			for _, call := range within.through {
				related = append(related, p.Related(call, rule.Callee(call), "which makes this call"))
			}
			related = append(related, p.Related(within.at, rule.Callee(within.at), "adds operations in each call"))
		}
	}
	when := "in every loop iteration"
	if !slices.ContainsFunc(operations, func(o syntax.Node) bool { return !o.Ancestor(syntax.IfStatement).Within(loop) }) {
		when = "each time that the loop gets there"
	}
	message := fmt.Sprintf("%s operations to the graph %s. The loop is on %s, and a graph only grows. Create them once, before the loop, with a placeholder for what changes.",
		who, when, p.LineOf(loop.Start(), span))
	switch {
	case r.gradients.Valid():
		message = fmt.Sprintf("%s operations to the graph %s. The loop is on %s, and a graph only grows. Create them, and the function that K.function() makes of them, once before the loop.",
			who, when, p.LineOf(loop.Start(), span))
	case strings.Contains(r.maker, ".train."):
		message = fmt.Sprintf("%s operations to a finalized graph. The loop on %s %s Create them before the session is opened.",
			who, p.LineOf(loop.Start(), span), finalized)
	}
	p.Report(rule.Finding{Span: span, Message: message, Related: related})
}
