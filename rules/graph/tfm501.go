package graph

import (
	"fmt"
	"slices"
	"sort"
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
Not reported under a tf.device scope of the CPU, which takes no GPU memory. Not
reported where the forward pass, or code of the program that it calls, reads
values into Python, NumPy or another framework, or iterates over a tensor in a
way that AutoGraph does not compile, such as zip or a comprehension. Arrays that
NumPy makes under the tape of what is known before it, such as a sampled batch,
and values that are only printed do not count. A step is not reported if an
option of the program selects a compiled one, nor in a project for a TensorFlow
older than 1.14, which has no tf.function.`,
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
	if rule.IsTest(p) {
		return
	}
	reported := map[syntax.Node]bool{}
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			e := &t.Events[i]
			if !e.Effects.Has(effects.AppliesGradients) || !eagerInLoop(e) {
				continue
			}
			if tape := tapeBefore(p.File.Names(), t, e); tape != nil {
				report(p, t, e, tape, reported)
			} else if rule.MinimizedLoss(p.File.Names(), e.Node).Valid() {
				report(p, t, e, e, reported) // it records the loss itself
			}
		}
		for _, tape := range t.Having(effects.StartsTape) {
			if eagerInLoop(tape) {
				update := writtenUpdate(p, tape.Node)
				if !update.Valid() {
					update = updateOfReturned(p.File.Names(), tape)
				}
				if update.Valid() {
					report(p, t, &flow.Event{Node: update}, tape, reported)
				}
			}
		}
	}
}

// writtenUpdate returns the call that subtracts a value computed from a gradient from a variable,
// in the function that creates a tape: an optimizer written by hand. It may also apply gradients
// with the optimizer that a model was compiled with. It is none if there is no such call.
func writtenUpdate(p *rule.Pass, tape syntax.Node) syntax.Node {
	info := p.File.Names()
	fn := info.ScopeOf(tape).Function()
	if fn != nil {
		info = fn.Info // it may be in another module
	}
	gradients := slices.DeleteFunc(flow.CallsWith(info, effects.TakesGradient), func(gradient syntax.Node) bool {
		of := p.File.Flow().TapeOf(gradient.Child(syntax.FieldFunction).Child(syntax.FieldObject))
		return of != nil && of.Call != tape // of another one
	})
	for _, call := range info.MethodCalls(func(name string) bool { return name == "assign_sub" || name == "apply_gradients" }) {
		if info.ScopeOf(call).Function() != fn {
			continue
		}
		if rule.Method(call) == "apply_gradients" {
			optimizer := call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
			if optimizer.Child(syntax.FieldAttribute).Text() == "optimizer" && info.InstanceOf(optimizer.Child(syntax.FieldObject), "tensorflow.keras.Model") {
				return call
			}
			continue
		}
		for _, gradient := range gradients {
			if info.ScopeOf(gradient).Function() == fn && rule.MadeOf(info, call.Child(syntax.FieldArguments), gradient) {
				return call
			}
		}
	}
	return syntax.Node{}
}

// updateOfReturned is writtenUpdate for a function that returns its gradients: the call, in the loop
// that calls the function, that subtracts them.
func updateOfReturned(info *names.Info, tape *flow.Event) syntax.Node {
	fn := info.ScopeOf(tape.Node).Function()
	if fn == nil || len(tape.Path) == 0 {
		return syntax.Node{}
	}
	at := tape.Path[len(tape.Path)-1]
	if at.Kind() != syntax.Call || !at.Within(tape.Loop) {
		return syntax.Node{}
	}
	gradients := flow.CallsWith(fn.Info, effects.TakesGradient)
	returnsGradient := func(part int) bool {
		return len(fn.Returns) > 0 && !slices.ContainsFunc(fn.Returns, func(r syntax.Node) bool {
			if r.Is(syntax.Tuple, syntax.ExpressionList) && part >= 0 {
				r = names.Element(r, part)
			}
			made := fn.Info.DefiningExpr(r)
			return !slices.ContainsFunc(gradients, func(g syntax.Node) bool { return info.ScopeOf(g).Function() == fn && made == g })
		})
	}
	for _, call := range info.MethodCalls(func(name string) bool { return name == "assign_sub" }) {
		if !call.Within(tape.Loop) || info.ScopeOf(call) != info.ScopeOf(at) {
			continue
		}
		found := false
		call.Child(syntax.FieldArguments).Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier {
				for _, b := range info.ReachingDefs(n) {
					part := -1
					if len(b.Path) > 0 {
						part = b.Path[0]
					}
					found = found || b.Value == at && (b.Kind == names.AssignBinding || b.Kind == names.UnpackBinding) && returnsGradient(part)
				}
			}
			return !found
		})
		if found {
			return call
		}
	}
	return syntax.Node{}
}

// tapeBefore returns the tape, in the same loop, whose gradients are applied. A tape of the same
// function comes first, because a step may record others on the way.
func tapeBefore(info *names.Info, t *flow.Trace, apply *flow.Event) *flow.Event {
	tapes := t.Having(effects.StartsTape)
	before := sort.Search(len(tapes), func(i int) bool { return !tapes[i].MaybeBefore(apply) })
	var last *flow.Event
	for _, e := range slices.Backward(tapes[:before]) {
		if !eagerInLoop(e) || !sameIteration(info, e, apply) {
			continue
		}
		if info.ScopeOf(e.Node).Function() == info.ScopeOf(apply.Node).Function() {
			return e
		}
		if last == nil {
			last = e
		}
	}
	return last
}

// sameIteration reports whether the gradients are applied in the loop iteration in which the tape
// recorded: in that loop, or in one that the step has for its updates.
func sameIteration(info *names.Info, tape, apply *flow.Event) bool {
	if tape.Loop == apply.Loop || apply.Loop.Within(tape.Loop) {
		return true
	}
	return info.ScopeOf(apply.Loop).Function() == info.ScopeOf(tape.Node).Function() && !tape.Node.Within(apply.Loop)
}

func report(p *rule.Pass, t *flow.Trace, apply, tape *flow.Event, reported map[syntax.Node]bool) {
	info := p.File.Names()
	if !p.Here(tape.Loop) || meant(tape) || loaded(info, tape.Node) || brief(info, tape) || onCPU(info, tape) || fittedInstead(info, t, tape) {
		return
	}
	if with := tape.Node.Ancestor(syntax.WithStatement); with.Valid() && with.HasError() {
		return
	}
	inPass := forwardNeeds(info, tape.Node)
	if inPass&(readsValues|iteratesTensors|makesVariables) != 0 {
		return // NumPy, or Python code that reads tensors, is part of the forward pass
	}
	old := forTensorFlow1(p)
	if stated := p.File.Versions().TensorFlow; mayBuildGraph(p, apply) || old && stated.Source != "" && stated.High.Before(withFunction) {
		return
	}
	step := info.ScopeOf(tape.Node).Function()
	if loopsOverHistory(step, tape.Node) {
		return // compiled, it would be traced for each length
	}
	again := retracedBy(info, step, tape)
	if again.endless {
		return
	}
	around := loopsAround(tape)
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
	since := ""
	if old {
		compiles, since = false, " tf.function exists since TensorFlow 1.14."
	}
	how += since
	related := []rule.Related{{Span: header(tape.Loop), Message: "in this loop"}}
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
				"%s, which is compiled once and frees each tensor after its last use.%s", p.LineOf(tape.Loop.Start(), span), moveLoopBody(inPass, keeps, freshIn(info, around, recorded, apply.Node)), since),
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

// freshIn returns the name of a model, a layer or an optimizer in some code that a loop around makes
// anew, or "".
func freshIn(info *names.Info, loops []syntax.Node, code ...syntax.Node) (name string) {
	for _, part := range code {
		if !part.Valid() {
			continue
		}
		part.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier && info.Used(n) && slices.ContainsFunc(info.ReachingDefs(n), func(b *names.Binding) bool {
				return b.Kind == names.AssignBinding && b.Value.Kind() == syntax.Call && makesVariable(info, b.Value, info.Callee(b.Value)) &&
					slices.ContainsFunc(loops, b.Node.Within)
			}) {
				name = n.Text()
			}
			return name == ""
		})
	}
	return name
}

// moveLoopBody says how a step becomes a function. fresh is what an outer loop makes anew, or "".
func moveLoopBody(inPass need, keeps *frozen, fresh string) string {
	if fresh != "" {
		return "Move it into a function with @tf.function, one for each " + fresh + ", whose variables only the first trace may make"
	}
	if len(keeps.names) > 0 {
		return "Move it into " + keeps.function()
	}
	if inPass&preparesInputs != 0 {
		return "Compute what NumPy prepares before the tape, and move the rest into a function with @tf.function"
	}
	return "Move it into a function with @tf.function"
}

// forwardNeeds returns what the forward pass that a tape records needs of Python. The tape is a
// call of GradientTape, or of the minimize that records a function.
func forwardNeeds(info *names.Info, tape syntax.Node) need {
	recorded := recordedBy(info, tape)
	switch {
	case !recorded.Valid():
		return 0
	case rule.MinimizedLoss(info, tape).Valid():
		return needs(info, recorded)
	}
	return needsInTape(info, recorded)
}

// recordedBy returns the code that a tape, or the minimize that records a function, records, or
// none.
func recordedBy(info *names.Info, tape syntax.Node) syntax.Node {
	if loss := rule.MinimizedLoss(info, tape); loss.Valid() {
		return loss
	}
	return tape.Ancestor(syntax.WithStatement).Child(syntax.FieldBody)
}

// withFunction is the first TensorFlow that has tf.function.
var withFunction = effects.Version{Major: 1, Minor: 14}

// forTensorFlow1 reports whether the file is for TensorFlow 1.
func forTensorFlow1(p *rule.Pass) bool {
	return p.File.Library().OnlyTensorFlow1() || p.BuildsGraphs()
}

// mayBuildGraph reports whether applying gradients may only add operations to a graph: the
// optimizer is one of TensorFlow 1, in a program for it, and nothing turns eager execution on.
func mayBuildGraph(p *rule.Pass, apply *flow.Event) bool {
	return apply.Entry != nil && apply.Effects.Has(effects.AddsOperation) &&
		(p.File.Library().OnlyTensorFlow1() || p.ProgramBuildsGraphs()) && !flow.EnablesEager(p.File.Names().Program())
}

// loopsOverHistory reports whether a tape records a loop over a list on self that grows, such as
// the states of an episode.
func loopsOverHistory(step *names.Function, tape syntax.Node) bool {
	body := tape.Ancestor(syntax.WithStatement).Child(syntax.FieldBody)
	if step == nil || !body.Valid() {
		return false
	}
	grows := map[string]bool{}
	for _, call := range step.Info.MethodCalls(func(name string) bool { return name == "append" }) {
		if list := call.Child(syntax.FieldFunction).Child(syntax.FieldObject); list.Kind() == syntax.Attribute {
			grows[list.Text()] = true
		}
	}
	found := false
	body.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.ForStatement {
			n.Child(syntax.FieldRight).Walk(func(n syntax.Node) bool {
				found = found || n.Kind() == syntax.Attribute && grows[n.Text()]
				return !found
			})
		}
		return !found
	})
	return found
}

// advice says what to do about a step, and whether it surely works to compile it as it is.
func advice(p *rule.Pass, step *names.Function, apply *flow.Event, recorded syntax.Node, inPass need, keeps *frozen, around []syntax.Node) (how string, compiles bool) {
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
	if inPass&keepsState != 0 {
		if leaked := leakedBy(p.File.Names(), recorded, step); len(leaked) > 0 {
			return "Move the tape and the update into a function with @tf.function that returns what it sets as " + strings.Join(leaked, " and ") +
				", which would be a symbolic tensor otherwise.", false
		}
	}
	if inPass&preparesInputs != 0 {
		return "Compute what NumPy prepares before the tape, and move the tape and the update into a function with @tf.function that takes it as tensors.", false
	}
	if step == nil {
		return compile, false
	}
	info := step.Info
	if method := callsFit(info, step.Body); method != "" {
		return fmt.Sprintf("%s() cannot be compiled, but the tape and the update can. Move them into a function with @tf.function.", method), false
	}
	ofPython := needs(info, step.Node)
	if ofPython&makesVariables != 0 {
		return step.Name + " makes variables in each call, such as an optimizer's, which a tf.function may do in its first call only. Make them once, before the loop, and compile it.", false
	}
	if dependsOnPython(step) || ofPython != 0 || len(ofStep.names) > 0 {
		update := "the update"
		if !apply.Node.Within(step.Node) && !slices.ContainsFunc(apply.Path, func(call syntax.Node) bool { return call.Within(step.Node) }) {
			update = "the gradients" // its caller applies them
		}
		return "Move the tape and " + update + " into a function with @tf.function; the rest of " + step.Name +
			" needs Python, which runs only during tracing.", false
	}
	if info.ScopeOf(apply.Node).Function() != step || info.Target(apply.Node.Child(syntax.FieldFunction)).Function != nil {
		return compile, false
	}
	if switchedOff(p, step) {
		return compile + " The comment above it has switched that off.", false
	}
	if doubles := mixed(p, step); len(doubles) > 0 {
		return fmt.Sprintf("Cast %s, NumPy's float64, to float32. %s", strings.Join(doubles, " and "), compile), false
	}
	if unknown := maybeMixed(p.File.Names(), step, apply); len(unknown) > 0 {
		return fmt.Sprintf("Cast %s to float32 if they are arrays of NumPy, whose float64 a tf.function keeps. %s", strings.Join(unknown, " and "), compile), false
	}
	return compile, true
}

// switchedOff reports whether the line above a step is a comment about tf.function.
func switchedOff(p *rule.Pass, step *names.Function) bool {
	if !p.Here(step.Node) {
		return false
	}
	at := step.Node
	if parent := at.Parent(); parent.Kind() == syntax.DecoratedDefinition {
		at = parent
	}
	text := p.File.Source.Text()
	above := strings.TrimSpace(text[:source.LineStart(text, at.Start())])
	line := above[source.LineStart(above, len(above)):]
	return strings.HasPrefix(strings.TrimSpace(line), "#") && strings.Contains(line, "tf.function")
}

// mixed returns the parameters of a step that are NumPy arrays of float64 and meet other types. In
// eager execution an operator casts them, but tf.function makes float64 tensors of them.
func mixed(p *rule.Pass, step *names.Function) []string {
	if !p.File.Names().Mentions("numpy") || floatsAreDouble(p.File.Names()) {
		return nil // so that no program is interpreted needlessly
	}
	return mixing(step, func(parameter string) bool { return isDouble(p, step, parameter) })
}

// maybeMixed returns the parameters of a step that may be such arrays: NumPy makes them, of a type that
// is not known, or the program passes what a function is given that other programs call.
func maybeMixed(info *names.Info, step *names.Function, apply *flow.Event) []string {
	if floatsAreDouble(info) {
		return nil
	}
	calls := append(slices.Clone(info.CallsOf(step)), callOf(step, apply)...)
	return mixing(step, func(parameter string) bool {
		return slices.ContainsFunc(calls, func(call syntax.Node) bool {
			given := step.Passed(call, parameter)
			return given.Valid() && maybeArray(info, given, map[syntax.Node]bool{})
		})
	})
}

// callOf returns the call by which the program comes to the step of an event. It may be that of a
// method of an object that the code is given.
func callOf(step *names.Function, e *flow.Event) []syntax.Node {
	way := append(slices.Clone(e.Path), e.Node)
	i := slices.IndexFunc(way, func(n syntax.Node) bool { return n.Within(step.Node) })
	if i < 1 {
		return nil
	}
	return way[i-1 : i]
}

// mixing returns the parameters of a step that a test holds for and that meet other types.
func mixing(step *names.Function, test func(parameter string) bool) []string {
	var found []string
	for _, parameter := range step.Params {
		if test(parameter.Name) && slices.ContainsFunc(step.Scope.Bindings(parameter.Name), func(b *names.Binding) bool {
			return b.Kind == names.ParameterBinding && meetsOthers(step.Info, b, map[*names.Binding]bool{})
		}) {
			found = append(found, parameter.Name)
		}
	}
	return found
}

// floatsAreDouble reports whether the program makes float64 Keras's type of numbers.
func floatsAreDouble(info *names.Info) bool {
	return slices.ContainsFunc(info.Program(), func(module *names.Info) bool {
		return slices.ContainsFunc(module.CallsTo(func(name string) bool {
			return name == "tensorflow.keras.backend.set_floatx" || name == "tensorflow.keras.config.set_floatx"
		}), func(call syntax.Node) bool {
			value, _ := names.StringValue(module.DefiningExpr(names.Argument(call, 0, "value")))
			return value == "float64"
		})
	})
}

// isDouble reports whether a call passes a NumPy array of float64 for a parameter, or a part of one
// that the caller received.
func isDouble(p *rule.Pass, fn *names.Function, parameter string) bool {
	doubles := p.File.Models().Doubles
	if slices.Contains(doubles[fn], parameter) {
		return true
	}
	info := p.File.Names()
	return slices.ContainsFunc(info.CallsOf(fn), func(call syntax.Node) bool {
		part := fn.Passed(call, parameter)
		if part.Kind() != syntax.Subscript {
			return false
		}
		array := part.Child(syntax.FieldValue)
		return array.Kind() == syntax.Identifier && slices.ContainsFunc(info.ReachingDefs(array), func(b *names.Binding) bool {
			return b.Kind == names.ParameterBinding && slices.Contains(doubles[b.Scope.Func], b.Name)
		})
	})
}

// meetsOthers reports whether the value of a name reaches an operator, a TensorFlow operation or
// unknown code. Unlike Keras and tf.cast, these keep its type.
func meetsOthers(info *names.Info, b *names.Binding, seen map[*names.Binding]bool) bool {
	if seen[b] {
		return false
	}
	seen[b] = true
	return slices.ContainsFunc(info.Uses(b), func(use syntax.Node) bool {
		for {
			if call := use.Parent().Parent(); use.Parent().Kind() == syntax.ArgumentList && keepsType[info.Callee(call)] {
				use = call
			} else if use.Parent().Is(syntax.ParenthesizedExpression, syntax.UnaryOperator) || use.Parent().Kind() == syntax.Subscript && use.Field() == syntax.FieldValue {
				use = use.Parent()
			} else {
				break
			}
		}
		switch parent := use.Parent(); parent.Kind() {
		case syntax.BinaryOperator, syntax.AugmentedAssignment, syntax.ComparisonOperator:
			return true
		case syntax.Assignment:
			other := info.BindingAt(parent.Child(syntax.FieldLeft))
			return use.Field() == syntax.FieldRight && other != nil && meetsOthers(info, other, seen)
		case syntax.ArgumentList, syntax.KeywordArgument:
			return callMixes(info, use.Ancestor(syntax.Call), use, seen)
		}
		return false
	})
}

// keepsType are the operations on one tensor whose result is of the same type.
var keepsType = map[string]bool{
	"tensorflow.stop_gradient": true, "tensorflow.identity": true, "tensorflow.reshape": true, "tensorflow.squeeze": true, "tensorflow.expand_dims": true,
	"tensorflow.convert_to_tensor": true,
}

// callMixes is meetsOthers for an argument of a call.
func callMixes(info *names.Info, call, argument syntax.Node, seen map[*names.Binding]bool) bool {
	if q := info.Callee(call); strings.HasPrefix(q, "tensorflow.") {
		return !strings.HasPrefix(q, "tensorflow.keras.") && q != "tensorflow.cast" && q != "tensorflow.shape"
	}
	function := call.Child(syntax.FieldFunction)
	of := info.TypeOf(function)
	if strings.HasPrefix(of.Class, "tensorflow.keras.") || of.Local != nil && info.Inherits(of.Local, "tensorflow.keras.layers.Layer") {
		return false
	}
	ran := ranBy(info, call)
	if len(ran) == 0 {
		return function.Kind() == syntax.Identifier && info.Lookup(function) != nil
	}
	return slices.ContainsFunc(ran, func(f *names.Function) bool {
		return slices.ContainsFunc(f.Params, func(p names.Parameter) bool {
			return f.Passed(call, p.Name) == argument && slices.ContainsFunc(f.Scope.Bindings(p.Name), func(b *names.Binding) bool {
				return b.Kind == names.ParameterBinding && meetsOthers(f.Info, b, seen)
			})
		})
	})
}

// fewSteps is a number of steps that take less time than compiling one. Of fewScalarSteps that is
// true if they only train a few numbers: such a step takes about a millisecond.
const fewSteps, fewScalarSteps, fewNumbers = 10, 200, 16

// brief reports whether a tape's loop has few iterations, according to the code, and the program
// runs it from its own statements, and in no other loop.
func brief(info *names.Info, tape *flow.Event) bool {
	n := rule.IterationsIn(info, tape.Loop)
	return n > 0 && (n <= fewSteps || n <= fewScalarSteps && trainsScalars(info, tape)) && onlyLoop(info, tape)
}

// onlyLoop reports whether the program runs the loop of an event from its own statements, and in no
// other loop.
func onlyLoop(info *names.Info, e *flow.Event) bool {
	way := append(slices.Clone(e.Path), e.Node, e.Loop)
	for _, at := range way {
		if loop := at.Ancestor(syntax.ForStatement, syntax.WhileStatement); loop.Valid() && loop != e.Loop {
			return false
		}
	}
	return info.ScopeOf(way[0]).Function() == nil
}

// trainsScalars reports whether the loop itself contains the tape, and asks in it only for gradients
// of variables that are surely a few numbers each.
func trainsScalars(info *names.Info, tape *flow.Event) bool {
	asked := false
	for _, call := range flow.CallsWith(info, effects.TakesGradient|effects.AppliesGradients) {
		sources := names.Argument(call, 1, "sources")
		if rule.MinimizedLoss(info, call).Valid() {
			sources = names.Argument(call, 1, "var_list")
		} else if effects.Lookup(info.Callee(call)).Effects.Has(effects.AppliesGradients) {
			continue
		}
		if !call.Within(tape.Loop) {
			continue
		}
		if asked = true; !scalars(info, sources) {
			return false
		}
	}
	return asked && tape.Node.Within(tape.Loop)
}

// scalars reports whether an expression is a variable that is made of a few numbers, or a list of
// such.
func scalars(info *names.Info, sources syntax.Node) bool {
	if sources.Is(syntax.List, syntax.Tuple) {
		items := slices.Collect(sources.Children())
		return len(items) > 0 && !slices.ContainsFunc(items, func(item syntax.Node) bool { return !scalars(info, item) })
	}
	bindings := info.ReachingDefs(sources)
	return sources.Kind() == syntax.Identifier && len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool {
		return b.Kind != names.AssignBinding || info.Callee(b.Value) != "tensorflow.Variable" || !written(info, names.Argument(b.Value, 0, "initial_value"))
	})
}

// written reports whether an expression is a number, or a list or constant of a few.
func written(info *names.Info, n syntax.Node) bool {
	switch n.Kind() {
	case syntax.Integer, syntax.Float:
		return true
	case syntax.UnaryOperator:
		return written(info, n.Child(syntax.FieldArgument))
	case syntax.List, syntax.Tuple:
		items := slices.Collect(n.Children())
		return len(items) <= fewNumbers && !slices.ContainsFunc(items, func(item syntax.Node) bool { return !written(info, item) })
	case syntax.Call:
		return info.Callee(n) == "tensorflow.constant" && written(info, names.Argument(n, 0, "value"))
	}
	return false
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
func onCPU(info *names.Info, tape *flow.Event) bool {
	for _, n := range slices.Backward(append(slices.Clone(tape.Path), tape.Node)) {
		of := info
		if f := info.ScopeOf(n).Function(); f != nil {
			of = f.Info // it may be in another module
		}
		for with := n.Ancestor(syntax.WithStatement); with.Valid(); with = with.Ancestor(syntax.WithStatement) {
			if device := deviceOf(of, with); device.Valid() {
				name, _ := names.StringValue(of.DefiningExpr(names.Argument(device, 0, "device_name")))
				return strings.Contains(strings.ToUpper(name), "CPU")
			}
		}
	}
	return false
}

// deviceOf returns the last call in the head of a with statement that sets the device of its body,
// or none.
func deviceOf(info *names.Info, with syntax.Node) (device syntax.Node) {
	for c := range with.Children() {
		if c.Field() == syntax.FieldBody {
			break
		}
		c.Walk(func(n syntax.Node) bool {
			if e := effects.Lookup(info.Callee(n)); n.Kind() == syntax.Call && e != nil && e.Effects.Has(effects.SelectsDevice) {
				device = n
			}
			return true
		})
	}
	return device
}

// loaded reports whether a tape records a call of an object from tf.saved_model.load, whose
// functions are compiled.
func loaded(info *names.Info, tape syntax.Node) bool {
	body := tape.Ancestor(syntax.WithStatement).Child(syntax.FieldBody)
	if !body.Valid() {
		return false
	}
	found := false
	body.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			object := n.Child(syntax.FieldFunction)
			for object.Kind() == syntax.Attribute {
				object = object.Child(syntax.FieldObject)
			}
			if object.Kind() == syntax.Identifier {
				for _, b := range info.ReachingDefs(object) {
					found = found || b.Value.Kind() == syntax.Call && info.Callee(b.Value) == "tensorflow.saved_model.load"
				}
			}
		}
		return !found
	})
	return found
}

// callsFit returns the method with its own loop that a step calls on a Keras object, or "".
// TensorFlow raises an error if fit, evaluate or predict, or one of them for a batch, is compiled.
func callsFit(info *names.Info, body syntax.Node) string {
	name := ""
	body.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			function := n.Child(syntax.FieldFunction)
			switch method := function.Child(syntax.FieldAttribute).Text(); method {
			case "predict", "evaluate", "fit", "train_on_batch", "test_on_batch", "predict_on_batch":
				if info.Target(function).Function == nil {
					name = method
				}
			}
		}
		return name == ""
	})
	return name
}

// header returns the span of a loop without its body.
func header(loop syntax.Node) source.Span {
	head := loop.Child(syntax.FieldRight)
	if !head.Valid() {
		head = loop.Child(syntax.FieldCondition)
	}
	if !head.Valid() {
		return rule.Span(loop)
	}
	return source.Span{Start: loop.Start(), End: head.End()}
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
	start := at.Start()
	return []rule.Fix{{
		Message:       "Compile " + step.Name + " with @" + tf + ".function",
		Applicability: rule.Unsafe,
		Edits:         []source.Edit{{Span: source.Span{Start: start, End: start}, New: "@" + tf + ".function" + p.Newline() + p.IndentOf(at)}},
	}}
}

// dependsOnPython reports whether the step contains code that works only, or differently, outside a
// graph: reading values into Python, appending, counting.
func dependsOnPython(step *names.Function) bool {
	depends := step.Yields
	step.Body.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.GlobalStatement, syntax.NonlocalStatement, syntax.Yield, syntax.Await:
			depends = true
		case syntax.AugmentedAssignment:
			depends = depends || n.Child(syntax.FieldLeft).Is(syntax.Attribute, syntax.Subscript)
		case syntax.Assignment:
			depends = depends || n.Child(syntax.FieldLeft).Is(syntax.Attribute, syntax.Subscript)
		case syntax.Call:
			function := n.Child(syntax.FieldFunction)
			switch function.Child(syntax.FieldAttribute).Text() {
			case "predict", "evaluate", "fit", "numpy", "append", "extend", "write", "item", "info", "debug":
				depends = true
			case "update", "add", "log", "set_description", "set_postfix", "add_scalar", "save", "save_weights":
				depends = depends || !strings.HasPrefix(step.Info.Callee(n), "tensorflow.") // a progress bar's, a logger's
			}
			switch function.Text() {
			case "print", "float", "int", "bool", "input", "open":
				depends = true
			}
		}
		return !depends
	})
	return depends
}
