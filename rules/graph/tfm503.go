package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// TFFunctionInLoop is TFM503.
var TFFunctionInLoop = &rule.Rule{
	Code: "TFM503", Name: "tf-function-in-loop", Severity: rule.Warning,
	Summary: "A tf.function is created, and therefore retraced, in every loop iteration.",
	What: `
Checks for tf.function, as a decorator or a call, in the body of a loop or in a
function that a loop, or a library for each trial, request or epoch, calls, where
the resulting function is called in the same iteration and is the same each time.`,
	Why: `
A tf.function object stores its own traces, and a new one has none. In every
iteration Python runs the function again and builds another graph, which takes
far longer than the step itself, and the graphs take host memory until Python's
garbage collector frees them.`,
	Bad: `
import tensorflow as tf

for batch in batches:
    @tf.function
    def step(x):
        return tf.reduce_mean(x)

    print(step(batch))`,
	Good: `
import tensorflow as tf

@tf.function
def step(x):
    return tf.reduce_mean(x)

for batch in batches:
    print(step(batch))`,
	FixSafety: `
Unsafe: the Python side effects of the function, and the variables that it
creates on its first call, then happen once instead of in every iteration.`,
	Limitations: `
Not reported where the function depends on something that the iteration
creates, such as a new model: each one then needs its own trace. Not reported
for a loop of the program's own statements that ends after fewer than five
iterations, according to the code, or where a loop that waits, for the next
checkpoint, say, makes one for many calls.`,
	References: []rule.Reference{
		rule.API("tf.function"),
		rule.Guide("function#controlling_retracing", "Better performance with tf.function: Controlling retracing"),
	},
	Triggers: []string{"function"},
	Imported: true,
	Check:    checkMadeInLoop,
}

func checkMadeInLoop(p *rule.Pass) {
	info := p.File.Names()
	if p.File.Role().Kind == facts.Test || allEager(info) {
		return
	}
	reported := map[syntax.Node]bool{}
	for t, e := range p.File.Flow().Having(effects.Compiles) {
		if surelyEager(e) && !reported[e.Node] && !e.Node.HasError() {
			reported[e.Node] = checkMaking(p, t, e)
		}
	}
}

// checkMaking reports a tf.function that what repeats the code makes anew each time: the innermost loop, or a
// function around that a library calls.
func checkMaking(p *rule.Pass, t *flow.Trace, e *flow.Event) (reported bool) {
	info, known := p.File.Names(), p.File.Facts()
	around := known.Around(e)
	if len(around) == 0 {
		return false
	}
	m := making{info: info, event: e, Repeat: around[0]}
	times := known.Steps(e)
	if m.Function != nil {
		times = m.Times
	}
	if !p.Here(m.Node) || times > 0 && times < warnedIterations || !m.find() { // the traces cost no more than a few steps
		return false
	}
	once, again := m.called(p)
	waits := slices.ContainsFunc(around, func(r facts.Repeat) bool { return waitsIn(info, r.Node) })
	if !once || !m.invariant(p) || buildsModel(t, m.Node) || again && (waits || m.Function != nil) {
		return false // one is made for many calls
	}
	m.report(p)
	return true
}

// waitsIn reports whether each iteration of a loop waits, such as for the next checkpoint.
func waitsIn(info *names.Info, loop syntax.Node) bool {
	if info.Callee(loop.Child(syntax.FieldRight)) == "tensorflow.train.checkpoints_iterator" {
		return true
	}
	for statement := range loop.Child(syntax.FieldBody).Children() {
		if call := statement.FirstChild(); call.Kind() == syntax.Call && info.Callee(call) == "time.sleep" {
			return true
		}
	}
	return false
}

// buildsModel reports whether a loop iteration creates a model.
func buildsModel(t *flow.Trace, loop syntax.Node) bool {
	return slices.ContainsFunc(t.Having(effects.BuildsModel|effects.LoadsModel), func(e *flow.Event) bool {
		return e.Node.Within(loop) || slices.ContainsFunc(e.Path, func(n syntax.Node) bool { return n.Within(loop) })
	})
}

// A making is a place that creates a tf.function again and again.
type making struct {
	facts.Repeat
	info  *names.Info
	event *flow.Event
	what  syntax.Node // what is compiled: a definition, or the expression given to tf.function
	value syntax.Node // the expression whose value is the tf.function; none for a decorator
	fn    *names.Function
}

// find records what is compiled. It returns false if that is unknown.
func (m *making) find() bool {
	n := m.event.Node
	if decorator := n.Parent(); decorator.Kind() == syntax.Decorator {
		m.what = decorator.Parent().Child(syntax.FieldDefinition)
		m.fn = m.info.FunctionAt(m.what)
		return m.fn != nil && m.fn.Class == nil
	}
	m.value, m.what = n, names.Argument(n, 0, "func")
	if outer := n.Parent(); !m.what.Valid() && outer.Kind() == syntax.Call && outer.Child(syntax.FieldFunction) == n {
		m.value, m.what = outer, names.Argument(outer, 0, "func") // tf.function(jit_compile=True)(step)
	}
	return m.what.Valid()
}

// called reports whether the iteration that creates the tf.function surely calls it, and whether it calls it
// in a loop of its own: all these calls share one trace.
func (m *making) called(p *rule.Pass) (once, again bool) {
	known := p.File.Facts()
	in, loop := known.At(m.event), m.Node
	var uses []facts.Use
	if m.fn == nil {
		uses, _ = known.Uses(m.value, in, loop)
	} else if bindings := m.fn.Scope.Parent.Bindings(m.fn.Name); len(bindings) == 1 {
		uses, _ = known.UsesOf(bindings[0], in, loop)
	}
	for _, use := range uses {
		if use.Part == facts.Whole && use.Node.Field() == syntax.FieldFunction && known.Repeats(origins.Place{Node: use.Node, In: use.In}, loop) {
			inner := facts.LoopOf(use.Node)
			once, again = true, again || inner.Valid() && !m.event.Node.Within(inner)
		}
	}
	return once, again
}

// invariant reports whether what is compiled means the same in every iteration. A call in it may make
// something new that means the same, as functools.partial does.
func (m *making) invariant(p *rule.Pass) bool {
	known := p.File.Facts()
	in := known.At(m.event)
	for parts := []syntax.Node{m.what}; len(parts) > 0; parts = parts[1:] {
		if n := parts[0]; n.Kind() == syntax.Call {
			parts = append(parts, n.Child(syntax.FieldFunction))
			parts = slices.AppendSeq(parts, n.Child(syntax.FieldArguments).Children())
		} else if !known.Invariant(n, in, m.Node) {
			return false
		}
	}
	return true
}

func (m *making) report(p *rule.Pass) {
	e := m.event
	at := p.Nearest(e)
	span := rule.Callee(at)
	name := "this function"
	if m.fn != nil {
		name = m.fn.Name
	} else if m.what.Is(syntax.Identifier, syntax.Attribute) {
		name = m.what.Text()
	}
	when, where, before := "in every loop iteration", "The loop is on "+p.LineOf(m.Node.Start(), span)+". ", "loop"
	related, severity := rule.Related{Span: rule.LoopHead(m.Node), Message: "in this loop"}, rule.Warning
	if m.Function != nil {
		when, where, before = m.When(), "", "first "+m.Each
		related = rule.Related{Span: rule.Span(m.Node.Child(syntax.FieldName)), Message: "this is called " + when}
		if m.Slow() {
			severity = rule.Information
		}
	}
	claim := "This tf.function is created, and therefore retraced, " + when + ". "
	if at != e.Node {
		claim = "This call creates a tf.function, which is therefore retraced, " + when + ". "
	}
	f := rule.Finding{
		Span:    span,
		Message: fmt.Sprintf("%s%sA new function has no trace, so %s is traced each time instead of once. Create it before the %s.", claim, where, name, before),
		Related: []rule.Related{related},
	}
	switch {
	case at != e.Node:
		f.Related = append(f.Related, p.Related(e.Node, rule.Callee(e.Node), "the tf.function is created here"))
	case len(e.Path) > 0 && !e.Node.Within(m.Node):
		f.Related = append(f.Related, p.Related(e.Path[0], rule.Callee(e.Path[0]), "called from here"))
	}
	f.Fixes = m.hoist(p)
	p.ReportAs(severity, f)
}

// hoist offers to move the statement that creates the tf.function above the loop, if it is directly
// in the loop's body.
func (m *making) hoist(p *rule.Pass) []rule.Fix {
	loop := m.Node
	body := loop.Child(syntax.FieldBody)
	statement := rule.StatementIn(m.event.Node, body)
	if m.Function != nil || !m.event.Node.Within(body) || !statement.Valid() || !rule.Fixable(statement) || !p.StartsLine(loop) || !p.StartsLine(statement) || !p.EndsLine(statement) {
		return nil
	}
	bound := m.fn
	if bound == nil {
		assignment := statement.FirstChild()
		if assignment.Kind() != syntax.Assignment || assignment.Child(syntax.FieldLeft).Kind() != syntax.Identifier || assignment.Child(syntax.FieldRight) != m.value {
			return nil
		}
	} else if statement.Child(syntax.FieldDefinition) != bound.Node {
		return nil
	}
	lines := p.Lines(statement)
	moved := p.Reindent(statement, lines.End, p.IndentOf(statement), p.IndentOf(loop))
	for i := range moved {
		moved[i].Span.Start, moved[i].Span.End = moved[i].Span.Start-lines.Start, moved[i].Span.End-lines.Start
	}
	text, err := source.Apply(p.File.Source.Slice(lines), moved)
	nl := p.Newline()
	if err != nil || p.Cell(lines.Start) != p.Cell(loop.Start()) || !strings.HasSuffix(text, nl) { // the last line of the text
		return nil
	}
	if bound != nil {
		text += nl
		if p.BlankAfter(statement) {
			full := p.File.Source.Text()
			lines.End = source.NextLine(full, source.LineEnd(full, lines.End))
		}
	}
	at := p.Lines(loop).Start
	return rule.OneFix("Create it once, before the loop", rule.Unsafe, source.Insert(at, text), source.Edit{Span: lines})
}
