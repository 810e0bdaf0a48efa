package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
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
compiles train_step itself. All tapes and loops of a step are one finding.`,
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
is not offered where the step depends on them or prepares its inputs with NumPy,
where an operator casts NumPy's float64, which it does only eagerly, where a
tf.function would be traced again for each Python number or list, where the
program has several models or optimizers for it, whose variables only the first
trace may make, or in programs for TensorFlow 1.`,
	Limitations: `
Not reported in loops of at most ten steps, or of at most 500 that train only a
few numbers, where tracing takes about as long as it saves, nor on the CPU. Not
reported where the forward pass, or code of the program that it calls, reads
values into Python, NumPy or another framework, or iterates over a tensor in a
way that AutoGraph does not compile, such as zip or a comprehension. Arrays that
NumPy makes under the tape of what is known before it, such as a sampled batch,
and values that are only printed, or read after the last gradient, do not count.
Nor is it if an option selects a compiled step, or before TensorFlow 1.14.`,
	References: []rule.Reference{
		rule.API("tf.function"),
		rule.Guide("function", "Better performance with tf.function"),
	},
	Triggers: []string{"GradientTape", "minimize"},
	Imported: true,
	Check:    checkEagerStep,
}

func checkEagerStep(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return
	}
	var found rule.Causes
	updates := sync.OnceValue(func() (all []syntax.Node) {
		for _, module := range p.File.Names().Program() {
			all = append(all, module.MethodCalls(func(name string) bool { return name == "assign_sub" || name == "apply_gradients" })...)
		}
		return all
	})
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			e := &t.Events[i]
			if !e.Effects.Has(effects.AppliesGradients) || !surelyEager(e) {
				continue
			}
			tape := tapeBefore(p.File.Names(), t, e)
			if tape == nil && eagerInLoop(e) && rule.MinimizedLoss(p.File.Names(), e.Node).Valid() {
				tape = e // it records the loss itself
			}
			if tape != nil {
				report(p, t, e, tape, &found)
			}
		}
		for _, tape := range t.Having(effects.StartsTape) {
			if eagerInLoop(tape) {
				if update := writtenUpdate(p, tape, updates()); update.Valid() {
					report(p, t, &flow.Event{Node: update}, tape, &found)
				}
			}
		}
	}
	found.Report(p)
}

// An eagerStep is a training step in a loop.
type eagerStep struct {
	p           *rule.Pass
	info        *names.Info
	fn          *names.Function // that has it, or nil
	apply, tape *flow.Event
	loops       []syntax.Node // around it
	recorded    syntax.Node   // the forward pass
	inPass      obstacles.Obstacles
	keeps       *frozen // what a compiled forward pass would keep
}

func report(p *rule.Pass, t *flow.Trace, apply, tape *flow.Event, found *rule.Causes) {
	info := p.File.Names()
	if !p.Here(tape.Loop) || excused(p, tape) || loaded(p, tape.Node) || brief(p, tape) || fittedInstead(info, t, tape) ||
		tape.Node.Ancestor(syntax.WithStatement).Valid() && tape.Node.Ancestor(syntax.WithStatement).HasError() {
		return
	}
	s := eagerStep{p: p, info: info, fn: info.ScopeOf(tape.Node).Function(), apply: apply, tape: tape, loops: facts.LoopsAround(tape), recorded: recordedBy(info, tape.Node)}
	if s.recorded.Valid() {
		s.inPass = obstacles.InTape(info, s.recorded)
	}
	if s.inPass&(obstacles.ReadsValues|obstacles.IteratesTensors|obstacles.MakesVariables) != 0 {
		return // NumPy, or Python code that reads tensors, is part of the forward pass
	}
	releases := p.File.Releases()
	old := releases.IsTensorFlow1().Found()
	if apply.Entry != nil && apply.Effects.Has(effects.AddsOperation) && releases.RunsInGraphs().Found() { // it may only add to a graph of TensorFlow 1
		return
	}
	if stated := releases.Versions().TensorFlow; old && stated.Source != "" && stated.High.Before(effects.Version{Major: 1, Minor: 14}) { // without tf.function
		return
	}
	again := retracedBy(p, s.fn, tape)
	s.keeps = wouldFreeze(info, s.loops, s.recorded)
	if again.endless || s.keeps.objects { // objects of the program's own, by a name that the loop rebinds
		return
	}
	how, compiles := s.advice()
	if first := again.advice(); compiles && first != "" {
		how, compiles = first, false
	}
	if s.fn != nil && s.fn.Node.Within(tape.Loop) && s.fn.Node != tape.Loop {
		how, compiles = "Define it once, before the loop, with @tf.function: one that the loop defines would be traced in every iteration.", false
	}
	at, inLoop := tape.Node, s.fn == nil || s.fn.Node.Kind() != syntax.FunctionDefinition || tape.Loop.Within(s.fn.Node)
	f := rule.Finding{Span: rule.Callee(at), Related: []rule.Related{{Span: rule.LoopHead(tape.Loop), Message: "in this loop"}}}
	switch nearest := p.Nearest(tape); {
	case !p.Here(at) && (s.fn == nil || nearest.Kind() != syntax.Call):
		return
	case !p.Here(at):
		at, f.Span = s.fn.Node, rule.Callee(nearest)
		f.Message = fmt.Sprintf("%s runs eagerly in every loop iteration. It is defined on %s, and the loop is on %s. %s",
			s.fn.Name, p.Line(at, f.Span), p.LineOf(tape.Loop.Start(), f.Span), how)
		f.Related = append(f.Related, p.Related(at, rule.Span(at.Child(syntax.FieldName)), "the step"))
	case inLoop:
		at = tape.Loop
		f.Message = fmt.Sprintf("This training step runs eagerly in every iteration of the loop on %s. %s, which is compiled once and frees each tensor after its last use.",
			p.LineOf(tape.Loop.Start(), f.Span), s.moveOut())
	default:
		at, f.Span = s.fn.Node, rule.Span(s.fn.Node.Child(syntax.FieldName))
		f.Message = fmt.Sprintf("%s runs eagerly in every iteration of the loop on %s. %s", s.fn.Name, p.LineOf(tape.Loop.Start(), f.Span), how)
		if compiles && !old {
			f.Fixes = decorate(p, s.fn)
		} else {
			f.Related = append(f.Related, rule.Related{Span: rule.Callee(tape.Node), Message: "the step records here"})
		}
	}
	if old {
		f.Message += " tf.function exists since TensorFlow 1.14."
	}
	found.Add(at, f)
}

// moveOut says how a step that stands in a loop becomes a function: one for each model or optimizer that a
// loop around it makes anew.
func (s *eagerStep) moveOut() string {
	known := s.p.File.Facts()
	for _, name := range append(facts.Reads(s.recorded), facts.Reads(s.apply.Node)...) {
		made, ok := known.Only(name, nil)
		anew := func(loop syntax.Node) bool { return known.Repeats(made, loop) }
		if ok && name.Kind() == syntax.Identifier && made.Node.Kind() == syntax.Call && slices.ContainsFunc(s.loops, anew) && known.KindsAt(made).Surely(facts.Model|facts.Optimizer) {
			return "Move it into a function with @tf.function, one for each " + name.Text() + ", whose variables only the first trace may make"
		}
	}
	if len(s.keeps.names) > 0 {
		return "Move it into " + s.keeps.function()
	}
	if s.inPass&obstacles.PreparesInputs != 0 {
		return "Compute what NumPy prepares before the tape, and move the rest into a function with @tf.function"
	}
	return "Move it into a function with @tf.function"
}

// advice says what to do about a step, and whether it surely works to compile it as it is.
func (s *eagerStep) advice() (how string, compiles bool) {
	const compile, move = "Under @tf.function it is compiled once and frees each tensor after its last use.", "Move the tape and the update into "
	step, ofStep, ofPython := s.fn, &frozen{}, obstacles.Obstacles(0)
	if step != nil {
		ofStep, ofPython = wouldFreeze(s.info, s.loops, step.Node), obstacles.Of(step.Info, step.Node)
		switch object := severalObjects(s.info, step); {
		case ofStep.optimizer || severalOptimizers(s.info, step):
			return "Make a tf.function of it for each optimizer, because an optimizer creates its variables in the first call.", false
		case (&frozen{step: step.Node, loops: s.loops}).setInLoops()["trainable"]:
			return "Make a tf.function of it again where the loop sets trainable: the trace keeps the variables that it found.", false
		case object != "":
			return "Make a tf.function of it for each " + object + " that the program passes: each one needs a trace, and only the first trace may make variables.", false
		case gated(step, s.apply):
			return "Make the optimizer's variables before (in Keras by optimizer.build(variables)): the step applies gradients under a condition, and a tf.function may make variables in its first call only.", false
		case len(s.keeps.names) > 0:
			return move + s.keeps.function() + ".", false
		}
	}
	if leaked := leakedBy(s.info, s.recorded, step); s.inPass&obstacles.KeepsState != 0 && len(leaked) > 0 {
		return move + "a function with @tf.function that returns what it sets as " + strings.Join(leaked, " and ") + ", which would be a symbolic tensor otherwise.", false
	}
	ownUpdate := step != nil && slices.ContainsFunc(append(slices.Clone(s.apply.Path), s.apply.Node), func(n syntax.Node) bool { return n.Within(step.Node) })
	switch {
	case s.inPass&obstacles.PreparesInputs != 0:
		return "Compute what NumPy prepares before the tape, and move the tape and the update into a function with @tf.function that takes it as tensors.", false
	case step == nil:
		return compile, false
	case ofPython&obstacles.MakesVariables != 0:
		return step.Name + " makes variables in each call, such as an optimizer's, which a tf.function may do in its first call only. Make them once, before the loop, and compile it.", false
	case (ofPython != 0 || len(ofStep.names) > 0) && !ownUpdate: // its caller applies the gradients
		return "Move the tape and the gradients into a function with @tf.function, and leave the rest of " + step.Name + ", which needs Python, outside.", false
	case ofPython != 0 || len(ofStep.names) > 0:
		return move + "a function with @tf.function, and leave the rest of " + step.Name + ", which needs Python, outside.", false
	case s.info.ScopeOf(s.apply.Node).Function() != step || s.info.Target(s.apply.Node.Child(syntax.FieldFunction)).Function != nil:
		return compile, false
	case drawsUnknownSizes(step):
		return "Draw the batch outside, and compile a function with @tf.function that is given it: one that draws it would read None for its size.", false
	}
	if cast := s.castFirst(); cast != "" {
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
	tf, above := p.Bound("tensorflow", step.Scope.Parent, at), strings.TrimSpace(p.File.Source.Text()[:at.Start()])
	line := strings.TrimSpace(above[source.LineStart(above, len(above)):])
	if tf == "" || !rule.Fixable(at) || !p.StartsLine(at) || strings.HasPrefix(line, "#") && strings.Contains(line, "tf.function") { // somebody has switched it off
		return nil
	}
	start := at.Start()
	return rule.OneFix("Compile "+step.Name+" with @"+tf+".function", rule.Unsafe, source.Insert(start, "@"+tf+".function"+p.Newline()+p.IndentOf(at)))
}

// fewSteps is a number of steps that take less time than compiling one. Of fewScalarSteps that is
// true if they only train a few numbers: such a step takes about a millisecond.
const fewSteps, fewScalarSteps = 10, 500

// brief reports whether the program takes few steps with a tape, according to the code.
func brief(p *rule.Pass, tape *flow.Event) bool {
	n := p.File.Facts().Steps(tape)
	return n > 0 && (n <= fewSteps || n <= fewScalarSteps && trainsScalars(p.File.Names(), tape))
}

// trainsScalars reports whether the code with a tape asks only for gradients of variables that are
// surely a few numbers each.
func trainsScalars(info *names.Info, tape *flow.Event) bool {
	fn := info.ScopeOf(tape.Node).Function()
	asked := slices.DeleteFunc(flow.CallsWith(info, effects.TakesGradient|effects.AppliesGradients), func(call syntax.Node) bool {
		return info.ScopeOf(call).Function() != fn || tape.Node.Within(tape.Loop) && !call.Within(tape.Loop) ||
			names.Method(call) != "gradient" && !rule.MinimizedLoss(info, call).Valid()
	})
	return len(asked) > 0 && !slices.ContainsFunc(asked, func(call syntax.Node) bool {
		return !rule.FewNumbers(info, cmp.Or(names.Argument(call, 1, "sources"), names.Argument(call, 1, "var_list")))
	})
}

// excused reports whether code is under a condition about eager execution or debugging, or the innermost
// tf.device around it, in the order of calls, names the CPU: no GPU memory is concerned then.
func excused(p *rule.Pass, tape *flow.Event) bool {
	device, set := "", false
	for _, n := range slices.Backward(append(slices.Clone(tape.Path), tape.Node)) {
		if !set {
			device, set = p.File.Facts().Device(n)
		}
		for a := n.Ancestor(syntax.IfStatement, syntax.ElifClause); a.Valid(); a = a.Ancestor(syntax.IfStatement, syntax.ElifClause) {
			if condition := strings.ToLower(a.Child(syntax.FieldCondition).Text()); strings.Contains(condition, "eager") || strings.Contains(condition, "debug") {
				return true
			}
		}
	}
	return strings.Contains(strings.ToUpper(device), "CPU")
}

// loaded reports whether a tape records a call of an object from tf.saved_model.load, whose
// functions are compiled.
func loaded(p *rule.Pass, tape syntax.Node) bool {
	info, body := p.File.Names(), tape.Ancestor(syntax.WithStatement).Child(syntax.FieldBody)
	return slices.ContainsFunc(info.Calls, func(call syntax.Node) bool {
		return call.Within(body) && p.File.Facts().MadeBy(names.Root(call.Child(syntax.FieldFunction))) == "tensorflow.saved_model.load"
	})
}
