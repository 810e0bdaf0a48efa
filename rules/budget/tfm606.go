package budget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MissingLossScaling is TFM606.
var MissingLossScaling = &rule.Rule{
	Code: "TFM606", Name: "missing-loss-scaling", Severity: rule.Warning,
	Summary: "A training step of one's own runs under mixed_float16 and does not scale its loss.",
	What: `
Reports, in a file that sets the policy mixed_float16, a function that takes gradients
from a tape and applies them where nothing scales the loss: neither get_scaled_loss and
get_unscaled_gradients (Keras 2), nor scale_loss (Keras 3), nor anything else whose name
speaks of a scale. It also reports a loss that is scaled with gradients that are never
scaled back, and scale_loss of an optimizer that has no scale. Optimizer.minimize, which
scales by itself, and mixed_bfloat16, which needs no scaling, are left alone.`,
	Why: `
float16 has nothing between 0 and 6e-8. Gradients smaller than that become zero, and
training stalls without an error. compile() wraps the optimizer in a
LossScaleOptimizer, and fit's own step uses it; a step of one's own must do so itself.
In Keras 3 a LossScaleOptimizer divides whatever it is given by its scale, 32768 at
first: gradients of a loss that was not scaled are applied that much too small.`,
	Bad: `
# keras: 3.8
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
# keras: 3.8
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
	Triggers: []string{"mixed_float16"},
	Check:    checkScaling,
}

func checkScaling(p *rule.Pass) {
	info := p.File.Names()
	policy := float16Policy(info)
	if !policy.Valid() {
		return
	}
	var all strings.Builder
	for statement := range p.File.Tree.Statements() {
		all.WriteString(spoken(statement))
	}
	text := all.String()
	for _, word := range []string{"graph_rewrite", "loss_scale_factor"} {
		if strings.Contains(text, word) {
			return // scaled in a way of its own
		}
	}
	s := scaling{
		Pass: p, policy: policy, text: text,
		scales:   strings.Contains(text, "scale_loss") || strings.Contains(text, "scaled_loss"),
		unscales: strings.Contains(text, "unscale"),
		wraps:    strings.Contains(text, "lossscaleoptimizer") || strings.Contains(text, "loss_scale_optimizer"),
	}
	applied := map[*names.Scope][]syntax.Node{} // the calls that apply gradients in the code of each
	for _, call := range info.Calls {
		if s.applies(call) {
			applied[info.ScopeOf(call)] = append(applied[info.ScopeOf(call)], call)
		}
	}
	reported := map[*names.Scope]bool{}
	for _, gradient := range info.Calls {
		if e := effects.Lookup(info.Callee(gradient)); e == nil || !e.Effects.Has(effects.TakesGradient) || rule.Method(gradient) != "gradient" {
			continue
		}
		step := info.ScopeOf(gradient)
		if reported[step] {
			continue
		}
		calls := applied[step]
		i, _ := slices.BinarySearchFunc(calls, gradient.Start()+1, func(call syntax.Node, at int) int { return cmp.Compare(call.Start(), at) })
		if i < len(calls) {
			reported[step] = true
			s.check(step, gradient, calls[i])
		}
	}
}

// float16Policy is the call that sets the policy mixed_float16 for all layers, or none.
func float16Policy(info *names.Info) syntax.Node {
	for _, call := range info.Calls {
		switch info.Callee(call) {
		case "tensorflow.keras.mixed_precision.set_global_policy", "tensorflow.keras.config.set_dtype_policy",
			"tensorflow.keras.mixed_precision.set_dtype_policy", "tensorflow.keras.mixed_precision.experimental.set_policy":
			policy := info.Maker(names.Element(call.Child(syntax.FieldArguments), 0))
			if policy.Kind() == syntax.Call && strings.HasSuffix(info.Callee(policy), "Policy") {
				policy = names.Argument(policy, 0, "name")
			}
			if name, ok := names.StringValue(policy); ok && name == "mixed_float16" {
				return call
			}
		}
	}
	return syntax.Node{}
}

// spoken are the names that code uses, in small letters, without its comments and
// strings.
func spoken(n syntax.Node) string {
	var out strings.Builder
	n.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier {
			out.WriteString(strings.ToLower(n.Text()) + " ")
		}
		return true
	})
	return out.String()
}

// scaling is how a file treats the loss under mixed_float16.
type scaling struct {
	*rule.Pass
	text                    string // the names that it speaks of
	policy                  syntax.Node
	scales, unscales, wraps bool // spoken of anywhere in the file
}

// applies tells whether a call applies the gradients of a tape.
func (s *scaling) applies(call syntax.Node) bool {
	e := effects.Lookup(s.File.Names().Callee(call))
	named := rule.Method(call) == "apply_gradients"
	if e != nil {
		named = e.Effects.Has(effects.AppliesGradients) && rule.Method(call) != "minimize"
	}
	return named && !call.HasError()
}

func (s *scaling) check(step *names.Scope, gradient, apply syntax.Node) {
	inStep := s.text // where the step is the module's
	compiled := false
	if f := step.Function(); f != nil {
		inStep = spoken(f.Node)
		compiled = f.Name == "train_step" && f.Class != nil && f.Info.Inherits(f.Class, "tensorflow.keras.Model")
	}
	keras := s.File.Versions().Keras
	major, known := keras.Major()
	inStep = strings.ReplaceAll(inStep, "lossscaleoptimizer", "") // which scales nothing by itself
	switch {
	case strings.Contains(inStep, "get_scaled_loss") && !s.unscales && (!known || major < 3 || keras.Source == ""):
		s.report(apply, "the gradients of the scaled loss are applied as they are, 32768 times too large at first. Apply what get_unscaled_gradients makes of them.")
	case strings.Contains(inStep, "scale_loss") && !strings.Contains(inStep, "get_scaled_loss"):
		if class := s.plainOptimizer(apply); class != "" && !compiled && !s.wraps {
			s.report(apply, fmt.Sprintf("scale_loss of a plain %s returns the loss as it is: gradients below 6e-8 become zero in float16. Wrap the optimizer in keras.mixed_precision.LossScaleOptimizer.", class))
		}
	case s.scales || s.unscales || strings.Contains(inStep, "scal"):
		// In a way that is not followed.
	case (s.wraps || compiled) && known && major >= 3:
		who := "LossScaleOptimizer"
		if compiled && !s.wraps {
			who = "the LossScaleOptimizer that compile makes"
		}
		s.report(apply, who+" divides these gradients by its scale, 32768 at first, and the loss was not scaled: the updates are that much too small. Take the gradients of optimizer.scale_loss(loss).")
	case s.wraps || compiled:
		s.report(apply, "nothing scales the loss: gradients below 6e-8 become zero in float16. Take the gradients of optimizer.get_scaled_loss(loss), and apply what get_unscaled_gradients makes of them.")
	case known && major >= 3:
		s.report(apply, "nothing scales the loss: gradients below 6e-8 become zero in float16. Wrap the optimizer in keras.mixed_precision.LossScaleOptimizer and take the gradients of optimizer.scale_loss(loss).")
	default:
		s.report(apply, "nothing scales the loss: gradients below 6e-8 become zero in float16. Wrap the optimizer in LossScaleOptimizer, take the gradients of get_scaled_loss(loss), and apply what get_unscaled_gradients makes of them.")
	}
}

func (s *scaling) report(apply syntax.Node, what string) {
	span := rule.Callee(apply)
	s.Report(rule.Finding{
		Span:    span,
		Message: fmt.Sprintf("Under mixed_float16, which %s sets, %s", s.Line(s.policy, span), what),
		Related: []rule.Related{{Span: rule.Callee(s.policy), Message: "the policy is set here"}},
	})
}

// plainOptimizer is the class of the optimizer that applies gradients, where it is one
// of Keras's that is made here and has no scale.
func (s *scaling) plainOptimizer(apply syntax.Node) string {
	info := s.File.Names()
	made := info.Maker(apply.Child(syntax.FieldFunction).Child(syntax.FieldObject))
	class, ok := strings.CutPrefix(info.Callee(made), "tensorflow.keras.optimizers.")
	if !ok || made.Kind() != syntax.Call || strings.Contains(class, ".") || class == "LossScaleOptimizer" {
		return ""
	}
	return class
}
