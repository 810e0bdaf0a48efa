package graph

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// RetracingArguments is TFM502.
var RetracingArguments = &rule.Rule{
	Code: "TFM502", Name: "retracing-arguments", Severity: rule.Warning,
	Summary: "A tf.function is traced again in every turn of a loop, because a Python number or a shape that it is given changes.",
	What: `
Looks for calls of a tf.function in a loop that pass a Python number of which it
is sure that it changes from call to call: what range or enumerate count, a name
that is increased or multiplied by a number in every turn, as it is or plus, minus,
times or over another number, or one that random or NumPy draws, also where it
first goes through a parameter. The same for
slices of an array whose one end is such a number. It stays silent for tensors
and NumPy scalars, which are cast, for booleans, where an input_signature casts
them, for loops of fewer than five turns, and in code that tf.function compiles
itself, or may: a function that only computes, and that nothing in the program calls.`,
	Why: `
tf.function keeps a trace for each combination of its arguments' types and
shapes, and the type of a Python number is its value. A new number is a new
trace: Python runs again, a graph is built and kept with all others in host
memory, and the call takes as long as the first did. reduce_retracing=True does
not help, for two numbers have no type in common; a tensor does, and is traced
once. Of shapes that change, reduce_retracing=True (TensorFlow 2.9 and later)
makes one that is open.`,
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
    train_step(batch, tf.constant(step))`,
	FixSafety: `
Unsafe. Inside the function the number is then a tensor, of dtype int32 or
float32: what needs a Python number, such as the index of a list, a shape, or
arithmetic with a tensor of another dtype, has to be changed with it. With
reduce_retracing=True static shapes become None where they differ.`,
	Triggers: []string{"function"},
	Imported: true,
	Check:    checkRetracing,
}

// fewTurns is the number of turns from which TensorFlow itself warns: five of the
// last calls retraced (tensorflow/python/eager/polymorphic_function/
// polymorphic_function.py, FREQUENT_TRACING_WARNING_THRESHOLD).
const fewTurns = 5

func checkRetracing(p *rule.Pass) {
	info := p.File.Names()
	if rule.IsTest(p) || allEager(info) {
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

// runsEagerly tells whether it is known of a trace, of which the events are, that it is not
// itself in a graph: code of the module, and a function that nothing calls where it reads
// tensors' values, or where what it calls there, compiled, is a step of training.
// Others may be handed to a dataset, or be called in a function that is compiled.
func runsEagerly(info *names.Info, t *flow.Trace, call syntax.Node) bool {
	if t.Function == nil || needs(info, t.Function.Node)&readsValues != 0 {
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
	f := follower{info, e.Path}
	for a := range e.Node.Child(syntax.FieldArguments).Children() {
		if a.Kind() == syntax.KeywordArgument {
			a = a.Child(syntax.FieldValue)
		}
		if reported[a] {
			continue
		}
		if s, ok := f.changing(a); ok {
			if often(p, s) {
				reported[a] = true
				reportScalar(p, fn, e.Node, a, s)
			}
		} else if s, ok := f.growing(a); ok && often(p, s) && !relaxed(by) {
			reported[a] = true
			reportShape(p, fn, by, a, s)
		}
	}
}

func often(p *rule.Pass, s scalar) bool {
	return (s.turns == 0 || s.turns >= fewTurns) && p.Here(s.loop)
}

// signature tells whether tf.function is given, or may be given, the types of its
// arguments.
func signature(by syntax.Node) bool {
	if by.Kind() != syntax.Call {
		return false
	}
	given := names.Argument(by, 1, "input_signature")
	return names.HasSplat(by) || given.Valid() && given.Kind() != syntax.NoneLiteral
}

// relaxed tells whether tf.function opens shapes that differ, or may do so.
func relaxed(by syntax.Node) bool {
	if by.Kind() != syntax.Call {
		return false
	}
	return names.Argument(by, -1, "reduce_retracing").Valid() || names.Argument(by, -1, "experimental_relax_shapes").Valid()
}

// array tells whether a name is surely an array of NumPy or a tensor.
func (f follower) array(n syntax.Node) bool {
	bindings := f.info.Reaching(n)
	if n.Kind() != syntax.Identifier || len(bindings) != 1 || bindings[0].Kind != names.AssignBinding || bindings[0].Value.Kind() != syntax.Call {
		return false
	}
	switch q := f.info.Callee(bindings[0].Value); q {
	case "numpy.array", "numpy.asarray", "numpy.arange", "numpy.linspace", "numpy.zeros", "numpy.ones", "numpy.load":
		return true
	default:
		e := effects.Lookup(q)
		return e != nil && e.Effects.Has(effects.AddsOperation) && e.Returns == ""
	}
}

func reportScalar(p *rule.Pass, fn *names.Function, call, argument syntax.Node, s scalar) {
	span := rule.Span(argument)
	f := rule.Finding{
		Span: span,
		Message: fmt.Sprintf("%s is a Python number with another value in every turn of the loop on %s: %s is traced anew, and one more graph kept, for each of %s.",
			argument.Text(), p.LineOf(s.loop.Start(), span), called(fn), values(s)),
		Related: []rule.Related{{Span: header(s.loop), Message: "changes in this loop"}},
	}
	if model := modelOfTurn(p.File.Names(), call, s.loop); model.Valid() {
		f.Message += fmt.Sprintf(" So it is for each %s, another model in every turn: only a tensor and the same model are traced once.", model.Text())
		p.Report(f)
		return
	}
	f.Message += " A tensor is traced once."
	if tf := p.TensorFlow(p.File.Names().ScopeOf(argument), argument); tf != "" && rule.Mendable(argument) {
		f.Fixes = []rule.Fix{{
			Message:       "Pass a tensor",
			Applicability: rule.Unsafe,
			Edits: []source.Edit{
				{Span: source.Span{Start: span.Start, End: span.Start}, New: tf + ".constant("},
				{Span: source.Span{Start: span.End, End: span.End}, New: ")"},
			},
		}}
	}
	p.Report(f)
}

// modelOfTurn is an argument of a call that is a model, or a layer, that each turn of a loop
// makes; none where there is none.
func modelOfTurn(info *names.Info, call, loop syntax.Node) syntax.Node {
	for a := range call.Child(syntax.FieldArguments).Children() {
		if a.Kind() == syntax.KeywordArgument {
			a = a.Child(syntax.FieldValue)
		}
		made := info.Maker(a)
		if made.Kind() == syntax.Call && made != a && made.Within(loop.Child(syntax.FieldBody)) && info.InstanceOf(a, "tensorflow.keras.layers.Layer") {
			return a
		}
	}
	return syntax.Node{}
}

func reportShape(p *rule.Pass, fn *names.Function, by, argument syntax.Node, s scalar) {
	span := rule.Span(argument)
	f := rule.Finding{
		Span: span,
		Message: fmt.Sprintf("%s has another shape in every turn of the loop on %s: %s is traced anew, and one more graph kept, for each of %s. With reduce_retracing=True it is traced twice.",
			argument.Text(), p.LineOf(s.loop.Start(), span), called(fn), values(s)),
		Related: []rule.Related{{Span: header(s.loop), Message: "changes in this loop"}},
	}
	if p.Here(by) && rule.Mendable(by) {
		f.Fixes = []rule.Fix{{
			Message:       "Let " + called(fn) + " relax shapes that differ",
			Applicability: rule.Unsafe,
			Edits:         []source.Edit{addKeyword(by, "reduce_retracing=True")},
		}}
	}
	p.Report(f)
}

// addKeyword adds an argument to a call, or calls a decorator's bare name with it.
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

func values(s scalar) string {
	if s.turns > 0 {
		return fmt.Sprintf("%d values", s.turns)
	}
	return "its values"
}

// called is how a function is spoken of.
func called(fn *names.Function) string {
	if fn.Node.Kind() == syntax.Lambda {
		return "this tf.function"
	}
	return fn.Name
}
