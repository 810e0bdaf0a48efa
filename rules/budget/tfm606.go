package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MissingLossScaling is TFM606.
var MissingLossScaling = &rule.Rule{
	Code: "TFM606", Name: "missing-loss-scaling", Severity: rule.Warning,
	Summary: "A custom training step runs under mixed_float16 and does not scale its loss.",
	What: `
Checks, in programs that set the policy mixed_float16, for functions that apply
the gradients of a tape where nothing scales the loss: neither get_scaled_loss
and get_unscaled_gradients (Keras 2) nor scale_loss (Keras 3). Also checks for
a scaled loss whose gradients are never unscaled, and for scale_loss of an
optimizer without a scale.`,
	Why: `
float16 has no number between 0 and 6e-8. Smaller gradients become zero, and
training stalls without an error. compile() wraps the optimizer in a
LossScaleOptimizer, and fit's own step uses it; a custom step must do so
itself. In Keras 3 a LossScaleOptimizer divides whatever it is given by its
scale, 32768 at first: gradients of an unscaled loss are applied that much too
small.`,
	Keras: "3.8",
	Bad: `
import keras
import tensorflow as tf

keras.mixed_precision.set_global_policy("mixed_float16")
optimizer = keras.optimizers.Adam()

@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))`,
	Good: `
import keras
import tensorflow as tf

keras.mixed_precision.set_global_policy("mixed_float16")
optimizer = keras.mixed_precision.LossScaleOptimizer(keras.optimizers.Adam())

@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = optimizer.scale_loss(loss_fn(y, model(x, training=True)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))`,
	Limitations: `
Not reported where anything in the step has a name that contains "scal".
Optimizer.minimize, which scales by itself, and mixed_bfloat16, which needs no
scaling, are not reported. The policy must be set in the same file.`,
	References: []rule.Reference{
		rule.Guide("mixed_precision#training_the_model_with_a_custom_training_loop", "Mixed precision: Training with a custom training loop"),
		rule.API("tf.keras.mixed_precision.LossScaleOptimizer"),
		rule.Keras("mixed_precision", "Mixed precision"),
	},
	Triggers: []string{"mixed_float16"},
	Check:    checkScaling,
}

func checkScaling(p *rule.Pass) {
	info := p.File.Names()
	policies := float16Policies(info)
	if len(policies) == 0 {
		return
	}
	var all strings.Builder
	for statement := range p.File.Tree.Statements() {
		if !statement.Is(syntax.FunctionDefinition, syntax.ClassDefinition) || !idle(info, statement) {
			all.WriteString(spoken(info, statement))
		}
	}
	text := all.String()
	for _, word := range []string{"graph_rewrite", "loss_scale_factor"} {
		if strings.Contains(text, word) {
			return // it scales in its own way
		}
	}
	s := scaling{
		Pass: p, text: text,
		scales:   strings.Contains(text, "scale_loss") || strings.Contains(text, "scaled_loss"),
		unscales: strings.Contains(text, "unscale"),
		wraps:    strings.Contains(text, "lossscaleoptimizer") || strings.Contains(text, "loss_scale_optimizer"),
	}
	applied := map[*names.Scope][]syntax.Node{} // the calls that apply gradients, by the code that contains them
	for _, call := range info.Calls {
		if s.applies(call) {
			code := codeOf(info, call)
			applied[code] = append(applied[code], call)
		}
	}
	reported := map[*names.Scope]bool{}
	for _, gradient := range info.Calls {
		if !effects.Of(info.Callee(gradient)).Has(effects.TakesGradient) || names.Method(gradient) != "gradient" {
			continue
		}
		step := codeOf(info, gradient)
		if reported[step] {
			continue
		}
		apply := slices.IndexFunc(applied[step], func(call syntax.Node) bool {
			return facts.Of(info).DependsOn(call.Child(syntax.FieldArguments), gradient)
		})
		if apply < 0 { // they may go through a list or variables
			apply = slices.IndexFunc(applied[step], func(call syntax.Node) bool { return s.follows(gradient, call) })
		}
		set := slices.IndexFunc(policies, func(policy syntax.Node) bool { return governs(info, policy, step) })
		if apply >= 0 && set >= 0 {
			reported[step], s.policy = true, policies[set]
			s.check(step, applied[step][apply])
		}
	}
}

// codeOf returns the scope of the function or module that executes a node: a comprehension is a
// part of it.
func codeOf(info *names.Info, n syntax.Node) *names.Scope {
	scope := info.ScopeOf(n)
	for scope.Kind == names.ComprehensionScope {
		scope = scope.Parent
	}
	return scope
}

// follows reports whether a call may happen after another of the same step.
func (s *scaling) follows(first, call syntax.Node) bool {
	for _, t := range s.File.Flow().Traces() {
		for _, e := range t.On(first) {
			if slices.ContainsFunc(t.On(call), e.MaybeBefore) {
				return true
			}
		}
	}
	return false
}

// float16Policies are the calls that set the policy mixed_float16 for all layers.
func float16Policies(info *names.Info) []syntax.Node {
	var out []syntax.Node
	for _, call := range info.Calls {
		if e := effects.Lookup(info.Callee(call)); e != nil && e.Effects.Has(effects.SetsPolicy) && policySet(info, call) == "mixed_float16" {
			out = append(out, call)
		}
	}
	return out
}

// policySet returns the name of the policy that a call sets, or "".
func policySet(info *names.Info, call syntax.Node) string {
	policy := info.DefiningExpr(names.Element(call.Child(syntax.FieldArguments), 0))
	if policy.Kind() == syntax.Call && strings.HasSuffix(info.Callee(policy), "Policy") {
		policy = names.Argument(policy, 0, "name")
	}
	name, _ := names.StringValue(policy)
	return name
}

// governs reports whether a policy is surely set in a run that executes a step: by the module
// itself, by a function that leads to both, or by the constructor of the step's class. A function
// that nothing calls sets nothing.
func governs(info *names.Info, policy syntax.Node, step *names.Scope) bool {
	setters := leading(info, info.ScopeOf(policy).Function(), false)
	if setters[nil] {
		return true
	}
	for f := range leading(info, step.Function(), true) {
		if setters[f] || f != nil && f.Class != nil && setters[info.Method(f.Class, "__init__")] {
			return true
		}
	}
	return false
}

// leading returns the functions that lead to the code of f: itself, its callers and the functions
// around it, transitively. nil stands for the module. With mentions, a function that mentions it,
// or its class, counts too.
func leading(info *names.Info, f *names.Function, mentions bool) map[*names.Function]bool {
	out := map[*names.Function]bool{}
	var add func(f *names.Function)
	add = func(f *names.Function) {
		if out[f] {
			return
		}
		out[f] = true
		if f == nil {
			return
		}
		for _, call := range info.CallsOf(f) {
			add(info.ScopeOf(call).Function())
		}
		name, scope := f.Name, f.Scope.Parent
		if f.Class != nil && mentions {
			name, scope = f.Class.Name, f.Class.Scope.Parent
		}
		if outer := scope.Function(); f.Class == nil && outer != nil {
			add(outer)
		}
		if name == "" || f.Class != nil && !mentions {
			return
		}
		for _, n := range info.Identifiers(name) {
			if info.Used(n) && info.Lookup(n) == scope {
				add(info.ScopeOf(n).Function())
			}
		}
	}
	add(f)
	return out
}

// spoken returns the names that code uses, in lower case, without its comments and strings. Names
// that the program chooses itself say nothing about what it does, and code that nothing mentions
// does not run.
func spoken(info *names.Info, n syntax.Node) string {
	var out strings.Builder
	n.Walk(func(inner syntax.Node) bool {
		switch inner.Kind() {
		case syntax.FunctionDefinition, syntax.ClassDefinition:
			if inner != n && idle(info, inner) {
				return false
			}
		case syntax.Identifier:
			if inner.Field() != syntax.FieldName || !inner.Parent().Is(syntax.FunctionDefinition, syntax.ClassDefinition) {
				out.WriteString(strings.ToLower(inner.Text()) + " ")
			}
		}
		return true
	})
	return out.String()
}

// idle reports whether no other code of the file mentions a function or class, and Python or a
// library does not call it by itself. No step of the file can depend on it then. One that has a
// step itself, or is of a class that has one, is not idle.
func idle(info *names.Info, definition syntax.Node) bool {
	name := definition.Child(syntax.FieldName).Text()
	if definition.Parent().Kind() == syntax.DecoratedDefinition || strings.HasPrefix(name, "__") {
		return false
	}
	whole := definition
	if f := info.FunctionAt(definition); f != nil && f.Class != nil {
		if whole = f.Class.Node; len(f.Class.Bases) > 0 {
			return false
		}
	}
	return !strings.Contains(whole.Text(), ".gradient(") &&
		!slices.ContainsFunc(info.Identifiers(name), func(n syntax.Node) bool { return !n.Within(definition) })
}

// scaling is how a file treats the loss under mixed_float16.
type scaling struct {
	*rule.Pass
	text                    string // the names that it uses
	policy                  syntax.Node
	scales, unscales, wraps bool // mentioned anywhere in the file
}

// applies reports whether a call applies the gradients of a tape.
func (s *scaling) applies(call syntax.Node) bool {
	e := effects.Lookup(s.File.Names().Callee(call))
	named := names.Method(call) == "apply_gradients"
	if e != nil {
		named = e.Effects.Has(effects.AppliesGradients) && names.Method(call) != "minimize"
	}
	return named && !call.HasError()
}

func (s *scaling) check(step *names.Scope, apply syntax.Node) {
	inStep := s.text // for a step at module level
	compiled := false
	if f := step.Function(); f != nil {
		inStep = spoken(s.File.Names(), f.Node)
		compiled = f.Name == "train_step" && f.Class != nil && f.Info.Inherits(f.Class, "tensorflow.keras.Model")
	}
	major, known := s.File.Releases().Versions().Keras.Major()
	inStep = strings.ReplaceAll(inStep, "lossscaleoptimizer", "") // which scales nothing by itself
	switch {
	case strings.Contains(inStep, "get_scaled_loss") && !s.unscales && s.File.Releases().Keras() != 3:
		s.report(apply, "The gradients of the scaled loss are applied without unscaling them.", "They are 32768 times too large at first. Apply what get_unscaled_gradients returns for them.")
	case strings.Contains(inStep, "scale_loss") && !strings.Contains(inStep, "get_scaled_loss"):
		if class := s.plainOptimizer(apply); class != "" && !compiled && !s.wraps {
			s.report(apply, fmt.Sprintf("scale_loss of a plain %s returns the loss unchanged.", class), "Gradients below 6e-8 become zero in float16. Wrap the optimizer in keras.mixed_precision.LossScaleOptimizer.")
		}
	case s.scales || s.unscales || strings.Contains(inStep, "scal"):
		// In a way that is not followed.
	case (s.wraps || compiled) && known && major >= 3:
		who := "LossScaleOptimizer"
		if compiled && !s.wraps {
			who = "The LossScaleOptimizer that compile creates"
		}
		s.report(apply, "The loss is not scaled, but its gradients are divided by the scale.", who+" divides them by 32768 at first, so the updates are that much too small. Compute the gradients of optimizer.scale_loss(loss).")
	case s.wraps || compiled:
		s.report(apply, notScaled, "Gradients below 6e-8 become zero in float16. Compute the gradients of optimizer.get_scaled_loss(loss), and apply what get_unscaled_gradients returns for them.")
	case known && major >= 3:
		s.report(apply, notScaled, "Gradients below 6e-8 become zero in float16. Wrap the optimizer in keras.mixed_precision.LossScaleOptimizer and compute the gradients of optimizer.scale_loss(loss).")
	default:
		s.report(apply, notScaled, "Gradients below 6e-8 become zero in float16. Wrap the optimizer in LossScaleOptimizer, compute the gradients of get_scaled_loss(loss), and apply what get_unscaled_gradients returns for them.")
	}
}

const notScaled = "Nothing scales the loss under mixed_float16."

func (s *scaling) report(apply syntax.Node, claim, rest string) {
	span := rule.Callee(apply)
	s.Report(rule.Finding{
		Span:    span,
		Message: fmt.Sprintf("%s The policy mixed_float16 is set on %s. %s", claim, s.Line(s.policy, span), rest),
		Related: []rule.Related{{Span: rule.Callee(s.policy), Message: "the policy is set here"}},
	})
}

// plainOptimizer returns the class of the optimizer that applies gradients, if it is a Keras
// optimizer that is created here without a scale.
func (s *scaling) plainOptimizer(apply syntax.Node) string {
	info := s.File.Names()
	made := info.DefiningExpr(apply.Child(syntax.FieldFunction).Child(syntax.FieldObject))
	class, ok := strings.CutPrefix(info.Callee(made), "tensorflow.keras.optimizers.")
	if !ok || made.Kind() != syntax.Call || strings.Contains(class, ".") || class == "LossScaleOptimizer" {
		return ""
	}
	return class
}
