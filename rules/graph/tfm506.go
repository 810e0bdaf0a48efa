package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"github.com/tfmem/tfmem/analyzer/facts/sessions"
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
Where the program turns eager execution off, that holds for functions of
keras.backend, too (K.mean, K.gradients, K.function, ...), which K.eval,
K.get_value or a function of K.function runs in Keras's own session.`,
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
	Triggers: []string{".run(", ".run (", ".eval(", ".get_value(", ".function("},
	Imported: true,
	Check:    checkGraphGrows,
}

func checkGraphGrows(p *rule.Pass) {
	info := p.File.Names()
	if p.File.Role().Kind == facts.Test {
		return
	}
	known, inGraphs := p.File.Facts(), p.File.Releases().DisablesEager().Found()
	runs := sessions.Runs(info, known, inGraphs)
	byLoop := map[syntax.Node][]syntax.Node{}
	var order []syntax.Node
	session := map[syntax.Node]*sessions.Run{}
	inside := &adders{Pass: p, info: info, inGraphs: inGraphs, runs: map[*names.Info][]sessions.Run{info: runs}, known: map[*names.Function]*added{}}
	for _, call := range info.Calls {
		loop := facts.LoopOf(call)
		if !loop.Valid() || call.HasError() {
			continue
		}
		var within *added
		if !sessions.AddsOperation(info, call) {
			if within = inside.by(call); within == nil {
				continue
			}
		}
		// A function that adds operations for each of several variables may be given others in each iteration.
		inLoop := func(b *names.Binding) bool { return b.Node.Within(loop) }
		if n := len(byLoop[loop]); n > 0 && call.Within(byLoop[loop][n-1]) || !everyIteration(info, call, loop) || ownVariable(info, call, loop) || within != nil && within.each && reads(info, call, inLoop) {
			continue
		}
		if runsInside := within != nil && within.run != nil; !runsInside && collected(info, runs, call, loop) {
			continue
		}
		r := sessions.By(info, known, runs, call, loop)
		switch {
		case r != nil:
		case within == nil:
			r = sessions.SavedBy(known, sessions.Saves(info, known, call, loop), nil, loop)
		case within.run != nil:
			r = within.run
		default:
			r = sessions.SavedBy(known, within.saves, known.Enter(within.fn, call, nil), loop)
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
		if !resetsGraph(info, loop) {
			reportGrowth(inside, loop, byLoop[loop], session[loop])
		}
	}
}

// collected reports whether the iterations of a loop add what is made of a value to a sum or a list from
// before the loop, and do not run it. Each iteration then makes another part of a graph.
func collected(info *names.Info, runs []sessions.Run, value, loop syntax.Node) bool {
	named := func(name syntax.Node) func(syntax.Node) bool {
		return func(n syntax.Node) bool { return n.Kind() == syntax.Identifier && n.Text() == name.Text() }
	}
	fetched := func(name syntax.Node) bool {
		return slices.ContainsFunc(runs, func(r sessions.Run) bool {
			return r.Call.Within(loop) && obstacles.Mentions(r.Call.Child(syntax.FieldArguments), named(name))
		})
	}
	into := func(name syntax.Node) bool {
		s := info.Lookup(name)
		return name.Kind() == syntax.Identifier && s != nil && !fetched(name) &&
			slices.ContainsFunc(s.Bindings(name.Text()), func(b *names.Binding) bool { return !b.Node.Within(loop) })
	}
	seen := map[syntax.Node]bool{}
	for work := []syntax.Node{value}; len(work) > 0; {
		value, parent := work[0], work[0].Parent()
		work = work[1:]
		switch left := parent.Child(syntax.FieldLeft); {
		case seen[value]:
		case parent.Is(syntax.ParenthesizedExpression, syntax.BinaryOperator, syntax.UnaryOperator):
			work = append(work, parent)
		case parent.Is(syntax.ArgumentList, syntax.KeywordArgument):
			call := value.Ancestor(syntax.Call)
			if names.Method(call) == "append" && into(call.Child(syntax.FieldFunction).Child(syntax.FieldObject)) {
				return true
			} else if sessions.AddsOperation(info, call) {
				work = append(work, call)
			}
		case !parent.Is(syntax.Assignment, syntax.AugmentedAssignment) || value.Field() != syntax.FieldRight:
		case parent.Kind() == syntax.AugmentedAssignment || obstacles.Mentions(value, named(left)):
			if into(left) {
				return true
			}
		case info.BindingAt(left) != nil && !fetched(left):
			for _, use := range info.Uses(info.BindingAt(left)) {
				if use.Within(loop) {
					work = append(work, use)
				}
			}
		}
		seen[value] = true
	}
	return false
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
		switch strings.TrimPrefix(strings.TrimPrefix(info.Callee(value), "tensorflow."), "compat.v1.") {
		case "name_scope", "variable_scope", "device", "control_dependencies":
		default:
			return true
		}
	}
	return false
}

// resetsGraph reports whether code resets the default graph, or has Keras do so.
func resetsGraph(info *names.Info, code syntax.Node) bool {
	resets := info.CallsTo(func(name string) bool {
		does := effects.Of(name)
		return does.Has(effects.ResetsGraph) || does.Has(effects.FreesModels) && strings.HasPrefix(name, "tensorflow.keras.")
	})
	return slices.ContainsFunc(resets, func(call syntax.Node) bool { return call.Within(code) })
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
	fn, self := info.FunctionAt(loop), ""
	if fn != nil && fn.Class != nil && !fn.IsStatic() && len(fn.Params) > 0 {
		self = fn.Params[0].Name // the object that owns the variable
	}
	return reads(info, variable, func(b *names.Binding) bool {
		return b.Kind == names.ForBinding && b.Node.Within(loop) && fn == nil || b.Kind == names.ParameterBinding && b.Scope.Func == fn && b.Name != self
	})
}

// reads reports whether an expression reads a name that has such a binding.
func reads(info *names.Info, n syntax.Node, is func(*names.Binding) bool) bool {
	return obstacles.Mentions(n, func(n syntax.Node) bool {
		return n.Kind() == syntax.Identifier && slices.ContainsFunc(info.ReachingDefs(n), is)
	})
}

// finalized is what the graph of a session of tf.train does (tensorflow/python/ framework/ops.py,
// Graph._check_not_finalized).
const finalized = "raises RuntimeError: Graph is finalized and cannot be modified."

// fewAdditions is the number of iterations up to which nobody notices what they add to a graph.
const fewAdditions = 10

func reportGrowth(p *adders, loop syntax.Node, operations []syntax.Node, r *sessions.Run) {
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
	if strings.Contains(r.Maker, ".train.") {
		message = fmt.Sprintf("%s operations to a finalized graph. The loop on %s %s Create them before the session is opened.",
			who, p.LineOf(loop.Start(), span), finalized)
	}
	p.Report(rule.Finding{Span: span, Message: message, Related: related})
}
