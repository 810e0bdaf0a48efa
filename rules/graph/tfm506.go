package graph

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// GraphGrowsInLoop is TFM506.
var GraphGrowsInLoop = &rule.Rule{
	Code: "TFM506", Name: "graph-grows-in-loop", Severity: rule.Warning,
	Summary: "The loop of a TF1 session adds operations to the graph in every turn.",
	What: `
Looks for calls that add operations to the graph (tf.assign, tf.reduce_mean,
tf.train.Saver, an initializer, ...) in a loop that runs a session which was opened
before it. Silent where the turn has a graph of its own or resets the default one,
where the call stands under a condition or in tests, in loops of fewer than five
turns, and where each turn assigns to another variable.`,
	Why: `
Operations of a graph are never removed. Each turn adds the same ones again: the
graph takes more and more host memory, with every array that became a constant in
it, and each run after a change first extends the session's copy of the graph, so
that steps get slower and slower. tf.get_default_graph().finalize() before the
loop makes such code raise.`,
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
	Triggers: []string{".run(", ".run ("},
	Check:    checkGraphGrows,
}

func checkGraphGrows(p *rule.Pass) {
	info := p.File.Names()
	if rule.IsTest(p) {
		return
	}
	runs := sessionRuns(p)
	if len(runs) == 0 {
		return
	}
	byLoop := map[syntax.Node][]syntax.Node{}
	var order []syntax.Node
	session := map[syntax.Node]*run{}
	resets := map[syntax.Node]bool{}
	for _, call := range info.Calls {
		e := effects.Lookup(info.Callee(call))
		if e == nil || !e.Effects.Has(effects.AddsOperation) || call.HasError() {
			continue
		}
		loop := loopOf(call)
		if !loop.Valid() || withinLast(byLoop[loop], call) || !everyTurn(info, call, loop) || ownVariable(call, loop) {
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
			continue
		}
		if byLoop[loop] == nil {
			order = append(order, loop)
			session[loop] = r
		}
		byLoop[loop] = append(byLoop[loop], call)
	}
	for _, loop := range order {
		reportGrowth(p, loop, byLoop[loop], session[loop])
	}
}

// A run is a call of a session's run.
type run struct {
	call syntax.Node
	// opened is where the session is opened; none where that is not known.
	opened syntax.Node
	maker  string // the qualified name that opened it, or empty
}

// sessionRuns are the calls of run on what is, or may be, a session.
func sessionRuns(p *rule.Pass) []run {
	info := p.File.Names()
	var out []run
	for _, call := range info.Calls {
		function := call.Child(syntax.FieldFunction)
		if function.Kind() != syntax.Attribute || function.Child(syntax.FieldAttribute).Text() != "run" || !loopOf(call).Valid() {
			continue
		}
		object := function.Child(syntax.FieldObject)
		r := run{call: call}
		if bindings := info.Reaching(object); object.Kind() == syntax.Identifier && len(bindings) == 1 && bindings[0].Value.Kind() == syntax.Call {
			r.opened, r.maker = bindings[0].Value, info.Callee(bindings[0].Value)
		}
		e := effects.Lookup(r.maker)
		if class := info.TypeOf(object).Class; e == nil || !e.Effects.Has(effects.OpensSession) || !strings.HasSuffix(r.maker, "Session") {
			r.opened = syntax.Node{}
			if r.maker = class; class != "" && !strings.HasSuffix(class, "Session") || info.TypeOf(object).Local != nil || info.Target(function).Function != nil {
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// runBy is the run, in the loop around an operation, of a session whose graph the
// operation is surely added to, or nil.
func runBy(info *names.Info, runs []run, operation, loop syntax.Node) *run {
	for i := range runs {
		r := &runs[i]
		if !r.call.Within(loop) || r.opened.Valid() && r.opened.Within(loop) {
			continue
		}
		// What is fetched is of the graph, whatever the session is.
		if fetched := names.Argument(r.call, 0, "fetches"); fetched.Valid() && (r.maker != "" && operation.Within(fetched) || direct(info, operation, fetched)) {
			return r
		}
		if r.maker != "" && graphMode(r, operation) {
			return r
		}
	}
	return nil
}

// direct tells whether an operation is what is fetched, by itself, as an item of a
// list or by the name that it is given.
func direct(info *names.Info, operation, fetched syntax.Node) bool {
	switch fetched.Kind() {
	case syntax.List, syntax.Tuple:
		return operation.Parent() == fetched
	case syntax.Identifier:
		given := false
		for _, b := range info.Reaching(fetched) {
			e := effects.Lookup(info.Callee(b.Value))
			if b.Kind != names.AssignBinding || e == nil || !e.Effects.Has(effects.AddsOperation) {
				return false
			}
			given = given || b.Value == operation
		}
		return given
	}
	return operation == fetched
}

// graphMode tells whether code surely builds a graph rather than running eagerly:
// the session has a name that only TensorFlow 1 knows, or it is entered around the
// code.
func graphMode(r *run, n syntax.Node) bool {
	return strings.HasPrefix(r.maker, "tensorflow.") && !strings.HasPrefix(r.maker, "tensorflow.compat.") ||
		r.opened.Valid() && r.opened.Ancestor(syntax.WithClause, syntax.Block).Kind() == syntax.WithClause && n.Within(r.opened.Ancestor(syntax.WithStatement))
}

// everyTurn tells whether each turn of the loop makes a call: no condition stands
// in between, unless it counts turns, and no with that may enter another graph.
func everyTurn(info *names.Info, n, loop syntax.Node) bool {
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
			if names.Leaves(p) {
				return false
			}
		}
	}
	return true
}

// entersGraph tells whether a with may make another graph the default one: what only
// names or places operations does not.
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

// mentionsReset tells whether the loop resets the default graph.
func mentionsReset(loop syntax.Node) bool {
	return strings.Contains(loop.Text(), "reset_default_graph") || strings.Contains(loop.Text(), "clear_session")
}

// ownVariable tells whether what is assigned to is chosen by the turn: each needs
// an operation of its own.
func ownVariable(call, loop syntax.Node) bool {
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
		} else if target.Field() != syntax.FieldLeft {
			continue
		}
		target.Walk(func(n syntax.Node) bool {
			bound[n.Text()] = true
			return true
		})
	}
	found := false
	variable.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.Identifier && bound[n.Text()]
		return !found
	})
	return found
}

// withinLast tells whether n lies in the last of some nodes, which stand after one another.
func withinLast(outer []syntax.Node, n syntax.Node) bool {
	return len(outer) > 0 && n.Within(outer[len(outer)-1])
}

// finalized is what the graph of a session of tf.train does (tensorflow/python/
// framework/ops.py, Graph._check_not_finalized).
const finalized = "raises RuntimeError: Graph is finalized and cannot be modified."

func reportGrowth(p *rule.Pass, loop syntax.Node, operations []syntax.Node, r *run) {
	f := follower{info: p.File.Names()}
	if turns := f.turnsIn(loop); turns > 0 && turns < fewTurns {
		return
	}
	span := rule.Callee(operations[0])
	who := operations[0].Child(syntax.FieldFunction).Text() + "() adds"
	related := []rule.Related{{Span: header(loop), Message: "in this loop"}}
	if more := len(operations) - 1; more > 0 {
		calls := "calls"
		if more == 1 {
			calls = "call"
		}
		who = fmt.Sprintf("%s() and %d other %s of the loop add", operations[0].Child(syntax.FieldFunction).Text(), more, calls)
		for _, o := range operations[1:] {
			related = append(related, rule.Related{Span: rule.Callee(o), Message: "adds operations too"})
		}
	}
	message := fmt.Sprintf("%s operations to the graph in every turn of the loop on %s, and a graph only grows: make them once, before the loop, with a placeholder for what changes.",
		who, p.LineOf(loop.Start(), span))
	if strings.Contains(r.maker, ".train.") {
		message = fmt.Sprintf("%s operations to the graph in the loop on %s, which %s Make them before the session is opened.",
			who, p.LineOf(loop.Start(), span), finalized)
	}
	p.Report(rule.Finding{Span: span, Message: message, Related: related})
}
