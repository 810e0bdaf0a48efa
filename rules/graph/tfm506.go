package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
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
variable or adds to a sum or a list that is run after the loop, in tests, and in loops of fewer than five iterations.`,
	References: []rule.Reference{
		rule.API("tf.Graph#finalize"),
		rule.API("tf.compat.v1.Session"),
	},
	Triggers: []string{".run(", ".run (", ".gradients("},
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
	resets, later := map[syntax.Node]bool{}, setLaters{}
	inside := &adders{info: info, runs: runs, known: map[*names.Function]*added{}}
	for _, call := range info.Calls {
		loop := loopOf(call)
		if !loop.Valid() || call.HasError() {
			continue
		}
		var within *added
		if !addsOperation(info, call) {
			if within = inside.by(call); within == nil {
				continue
			}
		}
		if withinLast(byLoop[loop], call) || !everyIteration(info, call, loop) || ownVariable(info, call, loop) {
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
		if r == nil && within == nil && !ofLoop(info, call.Child(syntax.FieldArguments), loop, syntax.Node{}, maxSteps) {
			r = keptByKeras(info, runs, call, loop)
		}
		if r == nil && within != nil {
			if r = within.run; r != nil && r.gradients.Valid() && ofLoop(info, r.gradients.Child(syntax.FieldArguments), loop, call, maxSteps) {
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
		reportGrowth(p, loop, byLoop[loop], session[loop])
	}
}

// collected reports whether the iterations of a loop add the value of an expression to a sum or a
// list from before the loop, and do not run it. Each iteration then makes another part of a graph.
func collected(info *names.Info, runs []run, value, loop syntax.Node, depth int) bool {
	fetched := func(name syntax.Node) bool {
		return slices.ContainsFunc(runs, func(r run) bool {
			return r.call.Within(loop) && mentions(r.call.Child(syntax.FieldArguments), func(n syntax.Node) bool { return n.Text() == name.Text() })
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
		if rule.Method(call) == "append" {
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
		if mentions(value, func(n syntax.Node) bool { return n.Kind() == syntax.Identifier && n.Text() == left.Text() }) {
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

// adders determines which functions of the program add to the graph in every call.
type adders struct {
	info  *names.Info
	runs  []run
	known map[*names.Function]*added
}

// added is set if a function adds operations. run is the call, in the function itself, that runs
// one of them in a session opened elsewhere, or nil. saves is the call by which a new saver of the
// function runs its operations, or none.
type added struct {
	fn    *names.Function
	run   *run
	saves syntax.Node
}

// savedBy is savedBy for a call, in a loop, of a function that makes a saver: the function gets the
// session as an argument, or reads it from an attribute of its object.
func (a *added) savedBy(info *names.Info, call, loop syntax.Node, later setLaters) *run {
	session := names.Argument(a.saves, 0, "sess")
	root := session
	if session.Kind() == syntax.Attribute {
		root = session.Child(syntax.FieldObject)
	}
	bindings := info.ReachingDefs(root)
	if root.Kind() != syntax.Identifier || len(bindings) != 1 {
		return nil
	}
	b := bindings[0]
	if b.Scope.Func != a.fn {
		if b.Scope.Func == nil && openBefore(info, session, loop, later) { // of the module
			return &run{call: a.saves}
		}
		return nil
	}
	if b.Kind != names.ParameterBinding {
		return nil
	}
	given := argumentFor(info, call, a.fn, b.Name)
	if isSelf := a.fn.Class != nil && !a.fn.IsStatic() && len(a.fn.Params) > 0 && a.fn.Params[0].Name == b.Name; isSelf {
		given = call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	}
	if !openBefore(info, given, loop, later) {
		return nil
	}
	if session.Kind() == syntax.Attribute && later.set(info, session) {
		return nil
	}
	return &run{call: a.saves}
}

// by returns what the function that a call surely runs adds, or nil. Only operations that it
// creates in every call count, and not those on a variable that it is given.
func (a *adders) by(call syntax.Node) *added {
	t := a.info.Target(call.Child(syntax.FieldFunction))
	fn := t.Function
	if fn == nil || t.Class != nil || fn.Info != a.info || fn.Yields || !plain(fn) || mentionsReset(fn.Node) {
		return nil
	}
	if found, known := a.known[fn]; known {
		return found
	}
	a.known[fn] = nil // while it is being examined
	var out *added
	for _, inner := range a.info.Calls {
		if a.info.ScopeOf(inner) == fn.Scope && strings.HasSuffix(strings.ToLower(rule.Method(inner)), "variable") {
			out = nil // each call creates a variable, which needs its own operations
			break
		}
		if a.info.ScopeOf(inner) != fn.Scope || loopOf(inner).Valid() || !everyIteration(a.info, inner, fn.Node) || flow.LeftBefore(fn.Body, inner) || ownVariable(a.info, inner, fn.Node) {
			continue
		}
		var deeper *added
		if !addsOperation(a.info, inner) {
			if deeper = a.by(inner); deeper == nil {
				continue
			}
		}
		if out == nil {
			out = &added{fn: fn}
		}
		if deeper != nil && out.run == nil {
			out.run = deeper.run
		}
		if saves := saves(a.info, inner); saves.Within(fn.Node) && !out.saves.Valid() {
			out.saves = saves
		}
		if deeper == nil && out.run == nil {
			out.run = keptByKeras(a.info, a.runs, inner, fn.Node)
		}
		for i := range a.runs {
			r := &a.runs[i]
			if fetched := names.Argument(r.call, 0, "fetches"); a.info.ScopeOf(r.call) == fn.Scope && !r.opened.Within(fn.Node) && fetched.Valid() && direct(a.info, inner, fetched) {
				out.run = r
			}
		}
	}
	a.known[fn] = out
	return out
}

// plain reports whether a function is what its definition says. A decorator may cache what it
// returned once.
func plain(fn *names.Function) bool {
	return len(fn.Decorators) == 0 || fn.IsStatic()
}

// A run is a call of a session's run method.
type run struct {
	call syntax.Node
	// opened is where the session is opened, or none if that is unknown.
	opened syntax.Node
	maker  string // the qualified name that opened it, or empty
	// gradients is the call of K.gradients that adds what a function of K.function runs, or none.
	gradients syntax.Node
}

// sessionRuns returns the calls of run on what is, or may be, a session.
func sessionRuns(p *rule.Pass) []run {
	info := p.File.Names()
	graphs := mayRunInGraph(p)
	var out []run
	for _, call := range info.Calls {
		function := call.Child(syntax.FieldFunction)
		if made := info.DefiningExpr(function); function.Kind() == syntax.Identifier && info.Callee(made) == kerasFunction {
			if !graphs {
				continue
			}
			out = append(out, run{call: call, opened: made, maker: kerasFunction})
			continue
		}
		if function.Kind() != syntax.Attribute || function.Child(syntax.FieldAttribute).Text() != "run" {
			continue
		}
		object := function.Child(syntax.FieldObject)
		r := run{call: call}
		if bindings := info.ReachingDefs(object); object.Kind() == syntax.Identifier && len(bindings) == 1 && bindings[0].Value.Kind() == syntax.Call {
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

// kerasFunction makes a function that runs operations in the one session of Keras, and kerasGradients
// adds those of a gradient. It raises outside of a graph, so the graph is Keras's own: the one that
// the model was built in.
const (
	kerasFunction  = "tensorflow.keras.backend.function"
	kerasGradients = "tensorflow.keras.backend.gradients"
)

// mayRunInGraph reports whether K.gradients does not surely raise: the program turns eager execution
// off, may be for TensorFlow 1, or states no version.
func mayRunInGraph(p *rule.Pass) bool {
	v := p.File.Versions()
	return v.TensorFlow.Source == "" && v.Keras.Source == "" || p.ForTensorFlow1() || p.ProgramBuildsGraphs() || p.MayStartInGraph() ||
		slices.ContainsFunc(p.File.Flow().Traces(), func(t *flow.Trace) bool { return len(t.Having(effects.GraphMode)) > 0 })
}

// keptByKeras returns the call by which each iteration of a loop, or each call of a function, runs the
// gradients that it adds, with a function that K.function makes for it, or nil.
func keptByKeras(info *names.Info, runs []run, gradients, within syntax.Node) *run {
	if info.Callee(gradients) != kerasGradients {
		return nil
	}
	for _, r := range runs {
		if r.maker == kerasFunction && r.call.Within(within) && r.opened.Within(within) && info.ScopeOf(r.call) == info.ScopeOf(gradients) {
			r.gradients = gradients
			return &r
		}
	}
	return nil
}

// ofLoop reports whether an expression of a loop, or of the function that a call in it runs, is made
// with what the loop goes through, such as the number of a filter: each iteration then needs
// gradients of its own. A class that the model predicts does not count: a placeholder could take it.
func ofLoop(info *names.Info, n, loop, call syntax.Node, depth int) bool {
	found := false
	n.Walk(func(m syntax.Node) bool {
		switch {
		case found || depth == 0:
		case m.Kind() == syntax.Call && (strings.HasPrefix(info.Callee(m), "numpy.") || rule.Method(m) == "predict"):
			return false
		case m.Kind() == syntax.Identifier && info.Used(m):
			for _, b := range info.ReachingDefs(m) {
				switch {
				case b.Kind == names.ForBinding && b.Node.Within(loop):
					found = true
				case b.Kind == names.ParameterBinding && b.Scope.Func != nil && call.Valid():
					found = found || ofLoop(info, b.Scope.Func.Passed(call, b.Name), loop, syntax.Node{}, depth-1)
				case b.Kind == names.AssignBinding && (call.Valid() || b.Node.Within(loop)):
					found = found || ofLoop(info, b.Value, loop, call, depth-1)
				}
			}
		}
		return !found
	})
	return found
}

// runBy returns the call, in the loop around an operation, that runs a session whose graph the
// operation is surely added to, or nil.
func runBy(info *names.Info, runs []run, operation, loop syntax.Node) *run {
	for i := range runs {
		r := &runs[i]
		if !r.call.Within(loop) || r.opened.Valid() && r.opened.Within(loop) {
			continue
		}
		// What is fetched is in the graph, whichever session it is.
		if fetched := names.Argument(r.call, 0, "fetches"); fetched.Valid() && (r.maker != "" && operation.Within(fetched) || direct(info, operation, fetched)) {
			return r
		}
		if r.maker != "" && graphMode(r, operation) {
			return r
		}
	}
	return nil
}

// savedBy returns the call, in the loop around a new tf.train.Saver, by which the saver runs its
// operations in a session that was opened before the loop, or nil. They are in that session's graph,
// or the call would raise.
func savedBy(info *names.Info, saver, loop syntax.Node, later setLaters) *run {
	if call := saves(info, saver); call.Valid() && call.Within(loop) && openBefore(info, names.Argument(call, 0, "sess"), loop, later) {
		return &run{call: call}
	}
	return nil
}

// saves returns a call by which a new tf.train.Saver that is bound to a name saves or restores a
// session, or none.
func saves(info *names.Info, saver syntax.Node) syntax.Node {
	if !strings.HasPrefix(info.Callee(saver), "tensorflow.") || !strings.HasSuffix(info.Callee(saver), ".train.Saver") {
		return syntax.Node{}
	}
	if function := saver.Parent(); savesBy(function) { // tf.train.Saver().save(sess, path)
		return function.Parent()
	}
	assignment := saver.Parent()
	b := info.BindingAt(assignment.Child(syntax.FieldLeft))
	if assignment.Kind() != syntax.Assignment || b == nil {
		return syntax.Node{}
	}
	for _, use := range info.Uses(b) {
		if function := use.Parent(); savesBy(function) && len(info.ReachingDefs(use)) == 1 {
			return function.Parent()
		}
	}
	return syntax.Node{}
}

// savesBy reports whether an attribute that is called is the save or restore of a saver.
func savesBy(function syntax.Node) bool {
	method := function.Child(syntax.FieldAttribute).Text()
	return function.Kind() == syntax.Attribute && function.Field() == syntax.FieldFunction && (method == "save" || method == "restore")
}

// openBefore reports whether a session is surely the same in all iterations of a loop: a name that
// is bound before it, or an attribute, of such a name, that only constructors set.
func openBefore(info *names.Info, session, loop syntax.Node, later setLaters) bool {
	root := session
	if session.Kind() == syntax.Attribute {
		root = session.Child(syntax.FieldObject)
	}
	bindings := info.ReachingDefs(root)
	if root.Kind() != syntax.Identifier || len(bindings) == 0 || slices.ContainsFunc(bindings, func(b *names.Binding) bool { return b.Node.Within(loop) }) {
		return false
	}
	if root == session {
		return true
	}
	return !later.set(info, session)
}

// setLaters remembers what setLater said, by the name of the attribute: it walks the program.
type setLaters map[string]bool

func (l setLaters) set(info *names.Info, attribute syntax.Node) bool {
	name := attribute.Child(syntax.FieldAttribute).Text()
	if _, known := l[name]; !known {
		l[name] = setLater(info, name)
	}
	return l[name]
}

// setLater reports whether a method of the program other than a constructor sets an attribute of a
// name.
func setLater(info *names.Info, attribute string) bool {
	for _, module := range info.Program() {
		for s := range module.Tree.Statements() {
			later := false
			s.Walk(func(n syntax.Node) bool {
				if n.Kind() == syntax.Attribute && n.Child(syntax.FieldAttribute).Text() == attribute && sets(n) {
					fn := module.ScopeOf(n).Function()
					later = later || fn == nil || fn.Name != "__init__"
				}
				return !later
			})
			if later {
				return true
			}
		}
	}
	return false
}

// sets reports whether an attribute is the target of an assignment or a with statement.
func sets(attribute syntax.Node) bool {
	for n := attribute; n.Parent().Valid(); n = n.Parent() {
		switch n.Parent().Kind() {
		case syntax.Tuple, syntax.List, syntax.TuplePattern, syntax.ListPattern, syntax.PatternList, syntax.ParenthesizedExpression:
		case syntax.AsPatternTarget:
			return true
		case syntax.Assignment, syntax.ForStatement:
			return n.Field() == syntax.FieldLeft
		default:
			return false
		}
	}
	return false
}

// direct reports whether an operation is itself fetched: alone, as an item of a list, or through
// the name that it is bound to.
func direct(info *names.Info, operation, fetched syntax.Node) bool {
	switch fetched.Kind() {
	case syntax.List, syntax.Tuple:
		return operation.Parent() == fetched || slices.ContainsFunc(slices.Collect(fetched.Children()), func(item syntax.Node) bool {
			return item.Kind() == syntax.Identifier && direct(info, operation, item)
		})
	case syntax.Identifier:
		given := false
		for _, b := range info.ReachingDefs(fetched) {
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

// graphMode reports whether code surely builds a graph rather than running eagerly. The session has
// a name that only TensorFlow 1 knows, or it is entered around the code.
func graphMode(r *run, n syntax.Node) bool {
	return strings.HasPrefix(r.maker, "tensorflow.") && !strings.HasPrefix(r.maker, "tensorflow.compat.") ||
		r.opened.Valid() && r.opened.Ancestor(syntax.WithClause, syntax.Block).Kind() == syntax.WithClause && n.Within(r.opened.Ancestor(syntax.WithStatement))
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

// withinLast reports whether n is in the last of some nodes that follow one another.
func withinLast(outer []syntax.Node, n syntax.Node) bool {
	return len(outer) > 0 && n.Within(outer[len(outer)-1])
}

// finalized is what the graph of a session of tf.train does (tensorflow/python/ framework/ops.py,
// Graph._check_not_finalized).
const finalized = "raises RuntimeError: Graph is finalized and cannot be modified."

func reportGrowth(p *rule.Pass, loop syntax.Node, operations []syntax.Node, r *run) {
	f := follower{info: p.File.Names()}
	if iterations := rule.IterationsIn(f.info, loop); iterations > 0 && iterations < warnedIterations {
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
		who = fmt.Sprintf("%s() and %d other %s add", operations[0].Child(syntax.FieldFunction).Text(), more, calls)
		for _, o := range operations[1:] {
			related = append(related, rule.Related{Span: rule.Callee(o), Message: "adds operations too"})
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
