package graph

import (
	"fmt"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// TrainStepWithoutTFFunction is TFM501.
var TrainStepWithoutTFFunction = &rule.Rule{
	Code: "TFM501", Name: "train-step-without-tf-function", Severity: rule.Information,
	Summary: "A custom training step runs eagerly in every loop iteration.",
	What: `
Checks for gradient tapes in a loop whose gradients an optimizer applies, or
that are subtracted from variables by hand, and for optimizer.minimize() of a
function, where neither the step nor anything that calls it is compiled with
tf.function: by a decorator, by wrapping, by assignment, or by Keras, which
compiles train_step itself.`,
	Why: `
In an eager step, Python dispatches each operation separately. The step is
slower, and a tensor of the forward pass lives as long as the tape or any
Python name refers to it, while a compiled step frees it after its last use.
How much memory that saves depends on the model; the gain in speed is certain.`,
	Bad: `
import tensorflow as tf

def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss

optimizer = tf.keras.optimizers.Adam()
for x, y in batches:
    train_step(x, y)`,
	Good: `
import tensorflow as tf

@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss

optimizer = tf.keras.optimizers.Adam()
for x, y in batches:
    train_step(x, y)`,
	FixSafety: `
Unsafe: under tf.function Python code runs only during tracing, so prints,
counters and other side effects happen once instead of in every step. The fix
is not offered where the step visibly depends on them, where it prepares its
inputs with NumPy under the tape, where an operator casts NumPy's float64, which
it does only eagerly, where a tf.function would be traced again for each Python
number or list, where the program passes or makes several models or optimizers,
whose variables only the first trace may make, or in programs for TensorFlow 1.`,
	Limitations: `
Not reported in loops of at most ten steps, or of at most 500 that train only a
few numbers, where tracing takes about as long as it saves; nor under a tf.device
scope of the CPU, which takes no GPU memory. Not
reported where the forward pass, or code of the program that it calls, reads
values into Python, NumPy or another framework, or iterates over a tensor in a
way that AutoGraph does not compile, such as zip or a comprehension. Arrays that
NumPy makes under the tape of what is known before it, such as a sampled batch,
and values that are only printed, or read after the last gradient, do not count.
A step is not reported if an option of the program selects a compiled one, nor
in a project for a TensorFlow older than 1.14, which has no tf.function.`,
	References: []rule.Reference{
		rule.API("tf.function"),
		rule.Guide("function", "Better performance with tf.function"),
	},
	Triggers: []string{"GradientTape", "minimize"},
	Imported: true,
	Priced:   true,
	Check:    checkEagerStep,
}

func checkEagerStep(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return
	}
	reported := map[syntax.Node]bool{}
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			e := &t.Events[i]
			if !e.Effects.Has(effects.AppliesGradients) || !surelyEager(e) {
				continue
			}
			if tape := tapeBefore(p.File.Names(), t, e); tape != nil {
				report(p, t, e, tape, reported)
			} else if eagerInLoop(e) && rule.MinimizedLoss(p.File.Names(), e.Node).Valid() {
				report(p, t, e, e, reported) // it records the loss itself
			}
		}
		for _, tape := range t.Having(effects.StartsTape) {
			if eagerInLoop(tape) {
				if update := writtenUpdate(p, tape); update.Valid() {
					report(p, t, &flow.Event{Node: update}, tape, reported)
				}
			}
		}
	}
}

func report(p *rule.Pass, t *flow.Trace, apply, tape *flow.Event, reported map[syntax.Node]bool) {
	info := p.File.Names()
	if !p.Here(tape.Loop) || meant(tape) || loaded(p, tape.Node) || brief(p, tape) || onCPU(p, tape) || fittedInstead(info, t, tape) {
		return
	}
	if with := tape.Node.Ancestor(syntax.WithStatement); with.Valid() && with.HasError() {
		return
	}
	inPass := forwardNeeds(info, tape.Node)
	if inPass&(obstacles.ReadsValues|obstacles.IteratesTensors|obstacles.MakesVariables) != 0 {
		return // NumPy, or Python code that reads tensors, is part of the forward pass
	}
	old := p.File.Releases().IsTensorFlow1().Found()
	if stated := p.File.Releases().Versions().TensorFlow; mayBuildGraph(p, apply) || old && stated.Source != "" && stated.High.Before(withFunction) {
		return
	}
	step := info.ScopeOf(tape.Node).Function()
	again := retracedBy(p, step, tape)
	if again.endless {
		return
	}
	around := facts.LoopsAround(tape)
	recorded := recordedBy(info, tape.Node)
	keeps := wouldFreeze(info, around, recorded)
	if keeps.objects {
		return // the program hands objects of its own to the step by a name that the loop rebinds
	}
	how, compiles := advice(p, step, apply, recorded, inPass, keeps, around)
	if compiles {
		if first := again.advice(); first != "" {
			how, compiles = first, false
		}
	}
	if step != nil && step.Node.Within(tape.Loop) && step.Node != tape.Loop {
		how, compiles = "Define it once, before the loop, with @tf.function: one that the loop defines would be traced in every iteration.", false
	}
	since := ""
	if old {
		compiles, since = false, " tf.function exists since TensorFlow 1.14."
	}
	how += since
	related := []rule.Related{{Span: rule.LoopHead(tape.Loop), Message: "in this loop"}}
	if !p.Here(tape.Node) {
		if at := p.Nearest(tape); step != nil && at.Kind() == syntax.Call && !reported[step.Node] {
			reported[step.Node] = true
			span := rule.Callee(at)
			p.Report(rule.Finding{
				Span: span,
				Message: fmt.Sprintf("%s runs eagerly in every loop iteration. It is defined on %s, and the loop is on %s. %s",
					step.Name, p.Line(step.Node, span), p.LineOf(tape.Loop.Start(), span), how),
				Related: append(related, p.Related(step.Node, rule.Span(step.Node.Child(syntax.FieldName)), "the step")),
			})
		}
		return
	}
	if step == nil || step.Node.Kind() != syntax.FunctionDefinition || tape.Loop.Within(step.Node) {
		// The loop itself contains the step.
		if reported[tape.Loop] {
			return
		}
		reported[tape.Loop] = true
		span := rule.Callee(tape.Node)
		p.Report(rule.Finding{
			Span: span,
			Message: fmt.Sprintf("This training step runs eagerly in every iteration of the loop on %s. "+
				"%s, which is compiled once and frees each tensor after its last use.%s", p.LineOf(tape.Loop.Start(), span), moveLoopBody(inPass, keeps, fresh(p, around, recorded, apply.Node)), since),
			Related: related,
		})
		return
	}
	if reported[step.Node] {
		return
	}
	reported[step.Node] = true
	span := rule.Span(step.Node.Child(syntax.FieldName))
	f := rule.Finding{
		Span:    span,
		Message: fmt.Sprintf("%s runs eagerly in every iteration of the loop on %s. %s", step.Name, p.LineOf(tape.Loop.Start(), span), how),
		Related: related,
	}
	if compiles {
		f.Fixes = decorate(p, step)
	} else {
		f.Related = append(f.Related, rule.Related{Span: rule.Callee(tape.Node), Message: "the step records here"})
	}
	p.Report(f)
}

// fresh returns the name of a model or an optimizer in some code that a loop around makes anew, or "".
func fresh(p *rule.Pass, loops []syntax.Node, code ...syntax.Node) string {
	known := p.File.Facts()
	for _, n := range code {
		for _, name := range facts.Reads(n) {
			if made, ok := known.Only(name, nil); ok && name.Kind() == syntax.Identifier && known.Kinds(name, nil).Surely(facts.Model|facts.Optimizer) &&
				slices.ContainsFunc(loops, func(loop syntax.Node) bool { return known.Repeats(made, loop) }) {
				return name.Text()
			}
		}
	}
	return ""
}

// moveLoopBody says how a step becomes a function. fresh is what an outer loop makes anew, or "".
func moveLoopBody(inPass obstacles.Obstacles, keeps *frozen, fresh string) string {
	if fresh != "" {
		return "Move it into a function with @tf.function, one for each " + fresh + ", whose variables only the first trace may make"
	}
	if len(keeps.names) > 0 {
		return "Move it into " + keeps.function()
	}
	if inPass&obstacles.PreparesInputs != 0 {
		return "Compute what NumPy prepares before the tape, and move the rest into a function with @tf.function"
	}
	return "Move it into a function with @tf.function"
}

// withFunction is the first TensorFlow that has tf.function.
var withFunction = effects.Version{Major: 1, Minor: 14}

// mayBuildGraph reports whether applying gradients may only add operations to a graph: the
// optimizer is one of TensorFlow 1, in a program for it, and nothing turns eager execution on.
func mayBuildGraph(p *rule.Pass, apply *flow.Event) bool {
	return apply.Entry != nil && apply.Effects.Has(effects.AddsOperation) &&
		p.File.Releases().RunsInGraphs().Found()
}

// advice says what to do about a step, and whether it surely works to compile it as it is.
func advice(p *rule.Pass, step *names.Function, apply *flow.Event, recorded syntax.Node, inPass obstacles.Obstacles, keeps *frozen, around []syntax.Node) (how string, compiles bool) {
	const compile = "Under @tf.function it is compiled once and frees each tensor after its last use."
	ofStep := &frozen{}
	if step != nil {
		ofStep = wouldFreeze(p.File.Names(), around, step.Node)
	}
	if step != nil {
		if ofStep.optimizer || severalOptimizers(p.File.Names(), step) {
			return "Make a tf.function of it for each optimizer, because an optimizer creates its variables in the first call.", false
		}
		if around := (&frozen{step: step.Node, loops: around}).setInLoops(); around["trainable"] {
			return "Make a tf.function of it again where the loop sets trainable: the trace keeps the variables that it found.", false
		}
		if object := severalObjects(p.File.Names(), step); object != "" {
			return "Make a tf.function of it for each " + object + " that the program passes: each one needs a trace, and only the first trace may make variables.", false
		}
		if gated(step, apply) {
			return "Make the optimizer's variables before (in Keras by optimizer.build(variables)): the step applies gradients under a condition, and a tf.function may make variables in its first call only.", false
		}
	}
	if len(keeps.names) > 0 && step != nil {
		return "Move the tape and the update into " + keeps.function() + ".", false
	}
	if inPass&obstacles.KeepsState != 0 {
		if leaked := leakedBy(p.File.Names(), recorded, step); len(leaked) > 0 {
			return "Move the tape and the update into a function with @tf.function that returns what it sets as " + strings.Join(leaked, " and ") +
				", which would be a symbolic tensor otherwise.", false
		}
	}
	if inPass&obstacles.PreparesInputs != 0 {
		return "Compute what NumPy prepares before the tape, and move the tape and the update into a function with @tf.function that takes it as tensors.", false
	}
	if step == nil {
		return compile, false
	}
	info := step.Info
	ofPython := obstacles.Of(info, step.Node)
	if ofPython&obstacles.MakesVariables != 0 {
		return step.Name + " makes variables in each call, such as an optimizer's, which a tf.function may do in its first call only. Make them once, before the loop, and compile it.", false
	}
	if ofPython != 0 || len(ofStep.names) > 0 {
		update := "the update"
		if !apply.Node.Within(step.Node) && !slices.ContainsFunc(apply.Path, func(call syntax.Node) bool { return call.Within(step.Node) }) {
			update = "the gradients" // its caller applies them
		}
		return "Move the tape and " + update + " into a function with @tf.function, and leave the rest of " + step.Name +
			", which needs Python, outside.", false
	}
	if info.ScopeOf(apply.Node).Function() != step || info.Target(apply.Node.Child(syntax.FieldFunction)).Function != nil {
		return compile, false
	}
	if drawsUnknownSizes(step) {
		return "Draw the batch outside, and compile a function with @tf.function that is given it: one that draws it would read None for its size.", false
	}
	if cast := castFirst(p, step, apply); cast != "" {
		return cast + " " + compile, false
	}
	return compile, true
}

// decorate offers @tf.function above the step.
func decorate(p *rule.Pass, step *names.Function) []rule.Fix {
	at := step.Node
	if parent := at.Parent(); parent.Kind() == syntax.DecoratedDefinition {
		at = parent
	}
	tf := p.Bound("tensorflow", step.Scope.Parent, at)
	if tf == "" || !rule.Fixable(at) || !p.StartsLine(at) {
		return nil
	}
	above := strings.TrimSpace(p.File.Source.Text()[:at.Start()])
	if line := strings.TrimSpace(above[source.LineStart(above, len(above)):]); strings.HasPrefix(line, "#") && strings.Contains(line, "tf.function") {
		return nil // somebody has switched it off
	}
	start := at.Start()
	return []rule.Fix{{
		Message:       "Compile " + step.Name + " with @" + tf + ".function",
		Applicability: rule.Unsafe,
		Edits:         []source.Edit{{Span: source.Span{Start: start, End: start}, New: "@" + tf + ".function" + p.Newline() + p.IndentOf(at)}},
	}}
}

// fewSteps is a number of steps that take less time than compiling one. Of fewScalarSteps that is
// true if they only train a few numbers: such a step takes about a millisecond.
const fewSteps, fewScalarSteps = 10, 500

// brief reports whether the program takes few steps with a tape, according to the code.
func brief(p *rule.Pass, tape *flow.Event) bool {
	n := p.File.Facts().Steps(tape)
	return n > 0 && (n <= fewSteps || n <= fewScalarSteps && trainsScalars(p.File.Names(), tape))
}

// trainsScalars reports whether the loop, or the function with the tape that it calls, asks only for
// gradients of variables that are surely a few numbers each.
func trainsScalars(info *names.Info, tape *flow.Event) bool {
	around := tape.Loop
	if !tape.Node.Within(around) {
		step := info.ScopeOf(tape.Node).Function()
		if step == nil || step.Info != info {
			return false
		}
		around = step.Node
	}
	asked := false
	for _, call := range flow.CallsWith(info, effects.TakesGradient|effects.AppliesGradients) {
		sources := names.Argument(call, 1, "sources")
		if rule.MinimizedLoss(info, call).Valid() {
			sources = names.Argument(call, 1, "var_list")
		} else if effects.Lookup(info.Callee(call)).Effects.Has(effects.AppliesGradients) {
			continue
		}
		if !call.Within(around) {
			continue
		}
		if asked = true; !sources.Valid() || !rule.FewNumbers(info, sources) {
			return false
		}
	}
	return asked
}

// meant reports whether code is under a condition about eager execution or debugging.
func meant(tape *flow.Event) bool {
	for _, n := range append(slices.Clone(tape.Path), tape.Node) {
		for a := n.Parent(); a.Valid(); a = a.Parent() {
			if !a.Is(syntax.IfStatement, syntax.ElifClause) {
				continue
			}
			condition := strings.ToLower(a.Child(syntax.FieldCondition).Text())
			if strings.Contains(condition, "eager") || strings.Contains(condition, "debug") {
				return true
			}
		}
	}
	return false
}

// onCPU reports whether the innermost tf.device around a tape, in the order of calls, names the
// CPU. No GPU memory is concerned then.
func onCPU(p *rule.Pass, tape *flow.Event) bool {
	for _, n := range slices.Backward(append(slices.Clone(tape.Path), tape.Node)) {
		if name, ok := p.File.Facts().Device(n); ok {
			return strings.Contains(strings.ToUpper(name), "CPU")
		}
	}
	return false
}

// loaded reports whether a tape records a call of an object from tf.saved_model.load, whose
// functions are compiled.
func loaded(p *rule.Pass, tape syntax.Node) bool {
	info := p.File.Names()
	return slices.ContainsFunc(info.Calls, func(call syntax.Node) bool {
		made, _ := p.File.Facts().Only(names.Root(call.Child(syntax.FieldFunction)), nil)
		return call.Within(tape.Ancestor(syntax.WithStatement).Child(syntax.FieldBody)) && info.Callee(made.Node) == "tensorflow.saved_model.load"
	})
}
