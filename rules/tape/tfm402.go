package tape

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/rules/rule"
)

// NeedlessPersistentTape is TFM402.
var NeedlessPersistentTape = &rule.Rule{
	Code: "TFM402", Name: "needless-persistent-tape", Severity: rule.Information,
	Summary: "A gradient tape is persistent and is asked for one gradient only.",
	What: `
Looks for tf.GradientTape(persistent=True) on which gradient, jacobian or
batch_jacobian is called at most once, whichever way the code goes. A tape that
is handed on, asked in a loop that it was made outside of, or asked for a
Jacobian that is computed in steps, is left alone.`,
	Why: `
A tape that is not persistent lets go of each tensor of the forward pass as the
backward pass has used it, and frees itself when the gradient is there. A
persistent one keeps them all until the tape itself is gone, so that they, the
gradients and whatever comes next need memory at the same time, for nothing.
Inside tf.function the graph frees its tensors either way, and persistent only
says what is not so.`,
	Bad: `
import tensorflow as tf

with tf.GradientTape(persistent=True) as tape:
    loss = loss_fn(y, model(x))
gradients = tape.gradient(loss, model.trainable_variables)`,
	Good: `
import tensorflow as tf

with tf.GradientTape() as tape:
    loss = loss_fn(y, model(x))
gradients = tape.gradient(loss, model.trainable_variables)`,
	FixSafety: `
Safe: a tape that is asked once gives the same gradient either way. Unsafe where
the gradient is taken in another cell of a notebook, which could then not be run
a second time without the cell that records.`,
	Triggers: []string{"persistent", "GradientTape(True"},
	Check:    checkNeedless,
}

func checkNeedless(p *rule.Pass) {
	for _, t := range p.File.Flow().Tapes() {
		if !t.Persistent || !single(p, t) {
			continue
		}
		span := rule.Span(t.Call)
		asked := t.Of(flow.TakesGradient)
		evidence := "the one call of " + asked[0].Method() + "() on " + p.Line(asked[0].Node, span)
		if len(asked) > 1 {
			evidence = "one of the calls of gradient() from " + p.Line(asked[0].Node, span) + " on"
		}
		consequence := "it keeps every tensor it recorded until the tape is gone; without it the backward pass frees them as it goes"
		if t.Traced() {
			consequence = "where the code is traced into a graph it changes nothing, elsewhere it keeps every tensor that the tape recorded"
		}
		f := rule.Finding{
			Span:    span,
			Message: fmt.Sprintf("The tape %s is asked once, by %s, so persistent=True is not needed: %s.", name(t), evidence, consequence),
		}
		for _, u := range asked {
			f.Related = append(f.Related, p.Related(u.Node, rule.Callee(u.Call), "asked here"))
		}
		if rule.Mendable(t.Call) {
			applicability := rule.Safe
			for _, u := range asked {
				if p.Cell(u.Node.Start()) != p.Cell(t.Call.Start()) {
					applicability = rule.Unsafe
				}
			}
			f.Fixes = []rule.Fix{{Message: "Let the tape free itself: leave out persistent=True", Applicability: applicability, Edits: unpersist(p, t.Call)}}
		}
		p.Report(f)
	}
}
