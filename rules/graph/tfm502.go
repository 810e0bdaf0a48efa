package graph

import (
	"fmt"
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
	Summary: "A tf.function is retraced in every loop iteration, because a Python number or a shape changes.",
	What: `
Checks for calls of a tf.function in a loop that pass a Python number which
surely changes from call to call: what range or enumerate counts, a name that
is increased or multiplied in every iteration, a number that random or NumPy
draws, and arithmetic on these. Also checks for tensors whose shape changes
with such a number, such as slices of an array.`,
	Why: `
tf.function keeps one trace per combination of its arguments' types and shapes,
and the type of a Python number is its value. A new number means a new trace:
Python runs again, builds a graph, keeps it with all others in host memory, and
the call takes as long as the first one did. reduce_retracing=True does not
help, because it relaxes shapes only, not Python numbers; a tensor is traced
once. For shapes that change, reduce_retracing=True (TensorFlow 2.9 and later)
traces with an open shape.`,
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
in the program calls, unless they train.`,
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
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			if e := &t.Events[i]; e.Effects.Has(effects.CallsCompiled) && eagerInLoop(e) && p.Here(e.Node) && runsEagerly(info, t, e.Node) {
				checkArguments(p, e, reported)
			}
		}
	}
}

// runsEagerly reports whether a trace surely runs outside of any graph. That holds for the module's
// own code. It holds for a function that nothing calls if it reads the values of tensors, or if the
// compiled function that it calls is a training step. Other functions may be passed to a dataset,
// or called in a compiled function.
func runsEagerly(info *names.Info, t *flow.Trace, call syntax.Node) bool {
	if t.Function == nil || obstacles.Of(info, t.Function.Node)&(obstacles.ReadsValues|obstacles.ShowsValues) != 0 {
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
	r := retracing{p: p, call: e.Node, fn: fn, in: known.At(e)}
	for a := range e.Node.Child(syntax.FieldArguments).Children() {
		if a.Kind() == syntax.KeywordArgument {
			a = a.Child(syntax.FieldValue)
		}
		if reported[a] {
			continue
		}
		for _, loop := range facts.LoopsAround(e) {
			number, shape := known.Varies(a, r.in, loop), known.ShapeVaries(a, r.in, loop)
			switch r.argument, r.loop = a, loop; {
			case number.Surely && r.often(number):
				r.reportNumber(number)
			case shape.Surely && r.often(shape) && !relaxed(by):
				r.reportShape(by, shape)
			default:
				continue
			}
			reported[a] = true
			break
		}
	}
}

// A retracing is an argument of a compiled function's call that changes in a loop.
type retracing struct {
	p              *rule.Pass
	call, argument syntax.Node
	fn             *names.Function
	in             *origins.Call // the call's own code
	loop           syntax.Node
}

func (r *retracing) often(c facts.Change) bool {
	return (c.Values == 0 || c.Values >= warnedIterations) && r.p.Here(r.loop)
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

// finding returns what is common to all messages.
func (r *retracing) finding(kind, of string, c facts.Change) rule.Finding {
	span := rule.Span(r.argument)
	values := "its values"
	if c.Values > 0 {
		values = fmt.Sprintf("%d values", c.Values)
	}
	return rule.Finding{
		Span: span,
		Message: fmt.Sprintf("%s is retraced for each %s of %s%s. The %s changes in every iteration of the loop on %s, and each of %s adds a graph.",
			called(r.fn), kind, r.argument.Text(), of, kind[strings.LastIndexByte(kind, ' ')+1:], r.p.LineOf(r.loop.Start(), span), values),
		Related: []rule.Related{{Span: rule.LoopHead(r.loop), Message: "changes in this loop"}},
	}
}

func (r *retracing) reportNumber(c facts.Change) {
	p, f := r.p, r.finding("value", ", a Python number", c)
	if object := r.newInIteration(); object.Valid() {
		f.Message += fmt.Sprintf(" %s is a new object in every iteration and causes retracing too. Pass a tensor, and the same object.", object.Text())
		p.Report(f)
		return
	}
	if !r.takesTensor() {
		f.Message += fmt.Sprintf(" Pass a tensor, which is traced once; what needs a Python number or another dtype in %s changes with it.", called(r.fn))
		p.Report(f)
		return
	}
	f.Message += " Pass a tensor, which is traced once."
	if tf := p.TensorFlow(p.File.Names().ScopeOf(r.argument), r.argument); tf != "" && rule.Fixable(r.argument) {
		end := ")"
		if countsSummaries(r.fn, r.call, r.argument) {
			end = ", " + tf + ".int64)"
		}
		f.Fixes = []rule.Fix{{
			Message:       "Pass a tensor",
			Applicability: rule.Unsafe,
			Edits: []source.Edit{
				{Span: source.Span{Start: f.Span.Start, End: f.Span.Start}, New: tf + ".constant("},
				{Span: source.Span{Start: f.Span.End, End: f.Span.End}, New: end},
			},
		}}
	}
	p.Report(f)
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
		if !ok || made.Node.Kind() != syntax.Call || made.Node == a || !known.Repeats(made, r.loop) {
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

func (r *retracing) reportShape(by syntax.Node, c facts.Change) {
	f := r.finding("new shape", "", c)
	f.Message += " With reduce_retracing=True it is traced twice."
	if r.p.Here(by) && rule.Fixable(by) && !readsBatchSize(r.fn) { // it becomes None
		f.Fixes = []rule.Fix{{
			Message:       "Set reduce_retracing=True on " + called(r.fn),
			Applicability: rule.Unsafe,
			Edits:         []source.Edit{addKeyword(by, "reduce_retracing=True")},
		}}
	}
	r.p.Report(f)
}

// addKeyword adds an argument to a call, or turns a decorator's bare name into a call with it.
func addKeyword(by syntax.Node, text string) source.Edit {
	if by.Kind() != syntax.Call {
		return source.Edit{Span: source.Span{Start: by.End(), End: by.End()}, New: "(" + text + ")"}
	}
	var last syntax.Node
	for a := range by.Child(syntax.FieldArguments).Children() {
		if a.Kind() != syntax.Comment {
			last = a
		}
	}
	if !last.Valid() {
		at := by.End() - 1
		return source.Edit{Span: source.Span{Start: at, End: at}, New: text}
	}
	return source.Edit{Span: source.Span{Start: last.End(), End: last.End()}, New: ", " + text}
}

// called returns how messages name a function.
func called(fn *names.Function) string {
	if fn.Node.Kind() == syntax.Lambda {
		return "this tf.function"
	}
	return fn.Name
}
