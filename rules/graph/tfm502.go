package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// RetracingArguments is TFM502.
var RetracingArguments = &rule.Rule{
	Code: "TFM502", Name: "retracing-arguments", Severity: rule.Warning,
	Summary: "A tf.function is retraced in every loop iteration, because an argument or its shape is another one.",
	What: `
Checks for calls of a tf.function in a loop, or in a function that a library
calls again and again, that surely pass another argument each time: a Python
number that is counted, increased or drawn at random; a string, such as a line
of a file or the name of one; a lambda, a bound method, a functools.partial or
an object that each iteration makes; a list, a tuple or a dict with one of
these. Also checks for arrays whose shape changes with such a number, with the
length of a text, or with the size of a picture.`,
	Why: `
tf.function keeps one trace per combination of its arguments' types and shapes.
The type of a Python number or string is its value, and that of a function or
an object is the object itself. A new one means a new trace: Python runs again,
builds a graph, keeps it with all others in host memory (230 KiB for the smallest
of models), and the call takes as long as the first one did. A tensor is traced once for each shape.
reduce_retracing=True (TensorFlow 2.9 and later) traces shapes that change twice,
with None where they differ, but does nothing for what is no tensor. Padding to
a few lengths needs a trace for each length, and so does jit_compile=True.`,
	Bad: `
import tensorflow as tf

@tf.function
def train_step(batch, step):
    tf.summary.scalar("loss", loss_of(batch), step=step)

for step, batch in enumerate(batches):
    train_step(batch, step)`,
	Good: `
import tensorflow as tf

@tf.function
def train_step(batch, step):
    tf.summary.scalar("loss", loss_of(batch), step=step)

for step, batch in enumerate(batches):
    train_step(batch, tf.constant(step, tf.int64))`,
	FixSafety: `
Unsafe: inside the function the number is then a tensor of dtype int32 or
float32. Not offered where the function may need a Python number, such as an index
of a list, or may use a whole number with a tensor of another dtype: cast it there
first. With reduce_retracing=True static shapes become None where they differ.`,
	Limitations: `
Tensors, NumPy scalars, which are cast, booleans, and arguments that an
input_signature casts are not reported. Neither are loops of fewer than five
iterations, code that tf.function compiles itself, and functions that nothing
in the program calls, unless they train or a library calls them. Whether the
pictures in files have one size is not known: these are information.`,
	References: []rule.Reference{
		rule.API("tf.function"),
		rule.Guide("function#controlling_retracing", "Better performance with tf.function: Controlling retracing"),
	},
	Triggers: []string{"function"},
	Imported: true,
	Check:    checkRetracing,
}

// warnedIterations is the number of iterations from which TensorFlow itself warns: five of the last
// calls retraced (tensorflow/python/eager/polymorphic_function/ polymorphic_function.py,
// FREQUENT_TRACING_WARNING_THRESHOLD).
const warnedIterations = 5

func checkRetracing(p *rule.Pass) {
	info := p.File.Names()
	if p.File.Role().Kind == facts.Test || allEager(info) {
		return
	}
	reported := map[syntax.Node]bool{}
	for t, e := range p.File.Flow().Having(effects.CallsCompiled) {
		if surelyEager(e) && p.Here(e.Node) && runsEagerly(p, t, e.Node) {
			checkArguments(p, e, reported)
		}
	}
}

// runsEagerly reports whether a trace surely runs outside of any graph. That holds for the module's
// own code. It holds for a function that nothing calls if a library is known to call it, if it reads the
// values of tensors, or if the compiled function that it calls is a training step. Other functions may be
// passed to a dataset, or called in a compiled function.
func runsEagerly(p *rule.Pass, t *flow.Trace, call syntax.Node) bool {
	if t.Function == nil || p.File.Facts().RepeatOf(t.Function) != nil || obstacles.Of(p.File.Names(), t.Function.Node)&(obstacles.ReadsValues|obstacles.ShowsValues) != 0 {
		return true
	}
	return slices.ContainsFunc(t.Having(effects.StartsTape|effects.AppliesGradients|effects.Trains), func(e *flow.Event) bool {
		return slices.Contains(e.Path, call)
	})
}

func checkArguments(p *rule.Pass, e *flow.Event, reported map[syntax.Node]bool) {
	info := p.File.Names()
	fn, by := compiler(info, e.Node)
	if !by.Valid() || signature(by) || e.Node.HasError() {
		return
	}
	known := p.File.Facts()
	around := known.Around(e)
	r := retracing{p: p, call: e.Node, fn: fn, by: by, in: known.At(e)}
	for a := range e.Node.Child(syntax.FieldArguments).Children() {
		if a.Kind() == syntax.KeywordArgument {
			a = a.Child(syntax.FieldValue)
		}
		if reported[a] {
			continue
		}
		for _, repeat := range around {
			r.Retrace = known.Retraces(a, r.in, repeat.Node)
			if often := r.Values == 0 || r.Values >= warnedIterations; r.By != facts.NotTraced && often && p.Here(repeat.Node) && !(r.By.Relaxed() && relaxed(by)) {
				r.argument, r.repeat, reported[a] = a, repeat, true
				r.report()
				break
			}
		}
	}
}

// A retracing is an argument of a compiled function's call that is another one each time.
type retracing struct {
	facts.Retrace
	p              *rule.Pass
	call, argument syntax.Node
	fn             *names.Function
	by             syntax.Node   // what compiles it
	in             *origins.Call // the call's own code
	repeat         facts.Repeat
}

// signature reports whether tf.function is given, or may be given, the types of its arguments.
func signature(by syntax.Node) bool {
	if by.Kind() != syntax.Call {
		return false
	}
	given := names.Argument(by, 1, "input_signature")
	return names.HasSplat(by) || given.Valid() && given.Kind() != syntax.NoneLiteral
}

// relaxed reports whether tf.function relaxes shapes that differ, or may do so.
func relaxed(by syntax.Node) bool {
	if by.Kind() != syntax.Call {
		return false
	}
	return names.Argument(by, -1, "reduce_retracing").Valid() || names.Argument(by, -1, "experimental_relax_shapes").Valid()
}

func (r *retracing) report() {
	p, span := r.p, rule.Span(r.argument)
	when, changes := r.repeat.When(), p.Related(r.repeat.Node, rule.LoopHead(r.repeat.Node), "changes in this loop")
	if r.repeat.Function == nil {
		when = "in every iteration of the loop on " + p.LineOf(r.repeat.Node.Start(), span)
	} else {
		changes = p.Related(r.repeat.Node, rule.Span(r.repeat.Node.Child(syntax.FieldName)), "this is called "+when)
	}
	f, severity := rule.Finding{Span: span, Related: []rule.Related{changes}}, rule.Warning
	if r.By == facts.ByFileShape || r.repeat.Slow() {
		severity = rule.Information
	}
	f.Message = called(r.fn) + r.claim(when) + r.advice(&f)
	p.ReportAs(severity, f)
}

// countsSummaries reports whether a function hands an argument of a call to tf.summary as its step,
// which must have 64 bits where it is a tensor (tensorflow/python/ops/summary_ops_v2.py, write).
func countsSummaries(fn *names.Function, call, argument syntax.Node) bool {
	parameter, _ := fn.ParameterFor(call, argument)
	return slices.ContainsFunc(fn.Scope.Bindings(parameter.Name), func(b *names.Binding) bool {
		uses, _ := facts.Of(fn.Info).UsesOf(b, nil, syntax.Node{})
		return slices.ContainsFunc(uses, func(use facts.Use) bool {
			by := use.Node.Parent()
			return by.Child(syntax.FieldName).Text() == "step" && strings.HasPrefix(fn.Info.Callee(by.Ancestor(syntax.Call)), "tensorflow.summary.")
		})
	})
}

// newInIteration returns an argument of the call, or the object whose method it calls, that is a model,
// an optimizer or another object with an identity of its own, and is created in each iteration of the
// loop; else none. A tf.function has a trace for each object.
func (r *retracing) newInIteration() syntax.Node {
	known, info := r.p.File.Facts(), r.p.File.Names()
	given := []syntax.Node{r.call.Child(syntax.FieldFunction).Child(syntax.FieldObject)}
	for a := range r.call.Child(syntax.FieldArguments).Children() {
		if a.Kind() == syntax.KeywordArgument {
			a = a.Child(syntax.FieldValue)
		}
		given = append(given, a)
	}
	for _, a := range given {
		made, ok := known.Only(a, r.in)
		if !ok || made.Node.Kind() != syntax.Call || made.Node == a || !known.Repeats(made, r.repeat.Node) {
			continue
		}
		// A NamedTuple, for one, is no plain class: it is traced by its items.
		class := info.TypeOf(made.Node).Local
		if known.KindsAt(made).Surely(facts.Model) || obstacles.MakesVariable(info, made.Node) || class != nil && info.LibraryBase(class) == "" && !info.InheritsUnknown(class) {
			return a
		}
	}
	return syntax.Node{}
}

// addKeyword adds an argument to a call, or turns a decorator's bare name into a call with it.
func addKeyword(by syntax.Node, text string) source.Edit {
	if by.Kind() != syntax.Call {
		return source.Insert(by.End(), "("+text+")")
	}
	var last syntax.Node
	for a := range by.Child(syntax.FieldArguments).Children() {
		if a.Kind() != syntax.Comment {
			last = a
		}
	}
	if !last.Valid() {
		at := by.End() - 1
		return source.Insert(at, text)
	}
	return source.Insert(last.End(), ", "+text)
}

// called returns how messages name a function.
func called(fn *names.Function) string {
	if fn.Node.Kind() == syntax.Lambda {
		return "this tf.function"
	}
	return fn.Name
}
