package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// PolicyNotApplied is TFM610.
var PolicyNotApplied = &rule.Rule{
	Code: "TFM610", Name: "policy-not-applied", Severity: rule.Warning,
	Summary: "A dtype policy that no layer takes: it is set for another package of Keras, or dropped before.",
	What: `
Checks for a policy of 16 bits, such as mixed_float16, where all layers of the
program belong to another package of Keras than the policy: keras, tf_keras, or
tensorflow.python.keras. Also checks, with Keras 3, for clear_session() between
the policy and the layers, also at the end of an iteration of the loop that
builds them.`,
	Why: `
From TensorFlow 2.16 on, tf.keras and keras are one package, Keras 3, and
tf_keras is another; with TF_USE_LEGACY_KERAS=1, tf.keras is tf_keras, and keras
is another. Each has a global state of its own, with its own policy. In Keras 3
clear_session() resets that state, and the policy with it. Nothing is reported
then: the layers compute in float32 and keep twice the memory that was meant.`,
	Keras: "3.8",
	Bad: `
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
tf.keras.backend.clear_session()
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])`,
	Good: `
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
tf.keras.backend.clear_session()
tf.keras.mixed_precision.set_global_policy("mixed_float16")
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])`,
	FixSafety: `
The fix sets the policy again after clear_session(). The layers then compute in
another type, as the program says; results differ by rounding.`,
	Limitations: `
Not reported where some layers take the policy, or where the package of some is
not known. Models that other libraries build are not looked at.`,
	References: []rule.Reference{
		rule.Guide("mixed_precision#setting_the_dtype_policy", "Mixed precision: Setting the dtype policy"),
		rule.Keras("utils/config_utils", "Keras configuration utilities: clear_session"),
	},
	Triggers: []string{"float16"},
	Check:    checkPolicyNotApplied,
}

func checkPolicyNotApplied(p *rule.Pass) {
	for t, e := range p.File.Flow().Having(effects.SetsPolicy) {
		if !p.Here(e.Node) || e.Context&(flow.Uncertain|flow.InWorker) != 0 {
			continue
		}
		c := policyCheck{p, t, e, policySet(p.File.Names(), e.Node)}
		if !strings.Contains(c.policy, "float16") || packageMade(p, e.Node) == effects.UnknownPackage {
			continue
		}
		c.ofAnother()
		c.dropped()
	}
}

// A policyCheck follows one policy that the program sets.
type policyCheck struct {
	*rule.Pass
	of     *flow.Trace
	set    *flow.Event
	policy string
}

// packageMade returns the package of Keras that a call names.
func packageMade(p *rule.Pass, call syntax.Node) effects.Package {
	return p.File.Releases().PackageOf(p.File.Names().Written(call.Child(syntax.FieldFunction)))
}

const makesLayers = effects.BuildsLayer | effects.BuildsModel

// ofAnother reports the policy if the program makes layers, and all are of other packages.
func (c policyCheck) ofAnother() {
	p := c.Pass
	own := packageMade(p, c.set.Node)
	var found syntax.Node
	for _, info := range p.File.Names().Program() {
		for _, call := range info.Calls {
			if e := effects.Lookup(info.Callee(call)); e == nil || !e.Effects.Has(makesLayers) {
				continue
			}
			if of := packageMade(p, call); of == own || of == effects.UnknownPackage {
				return
			}
			if !found.Valid() || p.Here(call) && !p.Here(found) {
				found = call
			}
		}
	}
	if !found.Valid() {
		return
	}
	span := rule.Callee(c.set.Node)
	mine, other := packageName(p, c.set.Node), packageName(p, found)
	way := fmt.Sprintf("Call %s.mixed_precision.set_global_policy.", other)
	if other == "tensorflow.python.keras" {
		way = "It is no public part of TensorFlow: import the layers from tensorflow.keras."
	}
	p.Report(rule.Finding{
		Span: span,
		Message: fmt.Sprintf("No layer here takes this policy: all are of %s. The layers, such as that on %s, belong to another package than %s, with a policy of its own, and compute in float32. %s",
			other, p.Line(found, span), mine, way),
		Related: []rule.Related{p.Related(found, rule.Callee(found), "this layer is of "+other)},
	})
}

// packageName returns the package of Keras that a call names, as people write it.
func packageName(p *rule.Pass, call syntax.Node) string {
	written := p.File.Names().Written(call.Child(syntax.FieldFunction))
	for _, module := range []string{"tensorflow.python.keras", "tf_keras", "keras"} {
		if strings.HasPrefix(written, module+".") {
			return module
		}
	}
	return "tf.keras"
}

// dropped reports the policy if clear_session() of Keras 3 resets it before layers are made.
func (c policyCheck) dropped() {
	p := c.Pass
	own := packageMade(p, c.set.Node)
	keras, known := p.File.Releases().Versions().Keras.Major()
	if own != effects.Standalone && (own != effects.TheKeras || !known || keras < 3 || p.File.Releases().RunningKeras() == 2) {
		return
	}
	var clear, made *flow.Event
	again := false
	for _, m := range c.of.Having(makesLayers) {
		if !c.set.MaybeBefore(m) {
			continue
		}
		at, next := c.clears(m)
		if at == nil || clear != nil && at.Node != clear.Node {
			return
		}
		if clear == nil {
			clear, made = at, m
		}
		again = again || next
	}
	if clear == nil || !p.Here(clear.Node) {
		return
	}
	when := ""
	if again {
		when = "from the second iteration on, "
	}
	span := rule.Callee(c.set.Node)
	f := rule.Finding{
		Span: span,
		Message: fmt.Sprintf("clear_session() on %s drops this policy. It is part of the state that Keras 3 resets: %sthe layers compute in float32. Set it again after that call.",
			p.Line(clear.Node, span), when),
		Related: []rule.Related{
			p.Related(clear.Node, rule.Callee(clear.Node), "the policy is dropped here"),
			p.Related(made.Node, rule.Callee(made.Node), "this layer does without it"),
		},
	}
	if fix, ok := c.setAgain(clear.Node); ok {
		f.Fixes = []rule.Fix{fix}
	}
	p.Report(f)
}

// clears returns the call of clear_session() that surely has dropped the policy when a layer is made, or
// nil. next is set if it is so from the second iteration of their loop on.
func (c policyCheck) clears(made *flow.Event) (clear *flow.Event, next bool) {
	info := c.File.Names()
	own := packageMade(c.Pass, c.set.Node)
	all := c.of.Having(effects.SetsPolicy)
	setBetween := func(from, to *flow.Event) bool {
		return slices.ContainsFunc(all, func(s *flow.Event) bool { return from.MaybeBefore(s) && s.MaybeBefore(to) })
	}
	for _, e := range c.of.Having(effects.FreesModels) {
		if names.Method(e.Node) != "clear_session" && !strings.HasSuffix(info.Callee(e.Node), ".clear_session") || packageMade(c.Pass, e.Node) != own || !c.set.SurelyBefore(e) {
			continue
		}
		inLoop := e.Loop.Valid() && c.set.Loop != e.Loop && e.EveryIteration && made.Loop == e.Loop
		switch {
		case e.SurelyBefore(made) && !setBetween(e, made):
			return e, false
		case inLoop && made.MaybeBefore(e) && len(all) == 1:
			return e, true
		}
	}
	return nil, false
}

// setAgain offers to repeat the statement that sets the policy after a call.
func (c policyCheck) setAgain(clear syntax.Node) (fix rule.Fix, ok bool) {
	p, info := c.Pass, c.File.Names()
	set, after := c.set.Node.Parent(), clear.Parent()
	root := names.Root(c.set.Node.Child(syntax.FieldFunction))
	if set.Kind() != syntax.ExpressionStatement || set.Parent().Valid() || after.Kind() != syntax.ExpressionStatement ||
		!p.StartsLine(after) || !p.EndsLine(after) || strings.ContainsAny(set.Text(), "\r\n") || !rule.Fixable(clear) {
		return fix, false
	}
	if _, literal := names.StringValue(names.Element(c.set.Node.Child(syntax.FieldArguments), 0)); !literal {
		return fix, false
	}
	for scope := info.ScopeOf(after); scope != nil; scope = scope.Parent {
		if (len(scope.Bindings(root.Text())) == 1) != (scope == info.Module) {
			return fix, false // another meaning there
		}
	}
	return rule.Fix{
		Message: "Set the policy again after clear_session()", Applicability: rule.Unsafe,
		Edits: []source.Edit{source.Insert(after.End(), p.Newline()+p.IndentOf(after)+set.Text())},
	}, true
}
