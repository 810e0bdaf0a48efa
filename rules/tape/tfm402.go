package tape

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/rule"
)

// NeedlessPersistentTape is TFM402.
var NeedlessPersistentTape = &rule.Rule{
	Code: "TFM402", Name: "needless-persistent-tape", Severity: rule.Information,
	Summary: "A gradient tape is persistent although only one gradient is computed from it.",
	What: `
Checks for tf.GradientTape(persistent=True) on which gradient, jacobian or
batch_jacobian is called at most once on every path. The finding is a hint in
code that is only traced, where a persistent tape costs nothing at run time, and
where the whole step needs 16 MiB of GPU memory at most.`,
	Why: `
A non-persistent tape releases each tensor of the forward pass as the backward
pass uses it. A persistent one keeps them all as long as it exists, so they are
in memory together with the gradients and whatever comes next, for nothing.
Inside tf.function the graph frees its tensors either way, and persistent is
only misleading. If the gradient is computed inside the with statement, the tape
records and keeps the backward pass as well.`,
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
Safe: a single gradient is the same either way. Unsafe where the gradient is
computed in another cell of a notebook, which could then not run again without
the cell that records.`,
	Limitations: `
A tape that records only numbers and tensors of few elements, as in a demo, one
that escapes from the function, a tape that is created outside the loop
that requests its gradient, and a Jacobian that is computed in steps are not
reported.`,
	References: []rule.Reference{
		rule.API("tf.GradientTape"),
		rule.Guide("autodiff", "Introduction to gradients and automatic differentiation"),
	},
	Triggers: []string{"persistent", "GradientTape(True"},
	Priced:   true,
	Check:    checkNeedless,
}

func checkNeedless(p *rule.Pass) {
	for _, t := range p.File.Flow().Tapes() {
		if !t.Persistent || !single(p, t) || tiny(p, t) {
			continue
		}
		span := rule.Span(t.Call)
		asked := t.Of(flow.TakesGradient)
		evidence := "The one call of " + asked[0].Method() + "() is on " + p.Line(asked[0].Node, span)
		if len(asked) > 1 {
			evidence = "Only one of the calls of gradient() from " + p.Line(asked[0].Node, span) + " on is reached"
		}
		consequence := "A persistent tape keeps every tensor it recorded as long as it exists; otherwise the backward pass frees them as it goes"
		severity := rule.Information
		switch {
		case t.OnlyTraced(), decorated(p, t):
			severity = rule.Hint
			consequence = "The tape lives only while this code is traced into a graph, where it changes nothing"
		case t.Traced():
			consequence = "In code that is traced into a graph it changes nothing; elsewhere it keeps every tensor that the tape recorded"
		}
		if trains, known := stepOf(p, t); known && severity > rule.Hint && trains <= rule.FewBytes {
			severity = rule.Hint
			consequence += ". The whole step needs " + memory.Bytes(trains) + " at most, so little is gained"
		}
		if with := recording(t); !t.Traced() && with.Valid() && !t.Watched() && len(recorded(p, t, with)) > 0 {
			consequence = "The gradient is computed inside the with statement, where a persistent tape records the backward pass too; it keeps the tensors of both passes as long as it exists"
		}
		f := rule.Finding{
			Span:    span,
			Message: fmt.Sprintf("Only one gradient is computed from %s, so persistent=True is unnecessary. %s. %s.", of("the tape", name(t)), evidence, consequence),
		}
		for _, u := range asked {
			f.Related = append(f.Related, p.Related(u.Node, rule.Callee(u.Call), "the gradient is computed here"))
		}
		if rule.Fixable(t.Call) {
			applicability := rule.Safe
			for _, u := range asked {
				if p.Cell(u.Node.Start()) != p.Cell(t.Call.Start()) {
					applicability = rule.Unsafe
				}
			}
			f.Fixes = rule.OneFix("Remove persistent=True, so that the tape frees itself", applicability, unpersist(p, t.Call)...)
		}
		p.ReportAs(severity, f)
	}
}

// stepOf returns the most GPU memory that the steps need which a tape records, if all are priced.
func stepOf(p *rule.Pass, t *flow.Tape) (bytes int64, known bool) {
	prices := budget.Prices(p.File, 0)
	for _, u := range p.File.Models().Uses {
		if u.Node != t.Call {
			continue
		}
		phase := prices.Of(u)
		if phase.Price() != nil {
			return 0, false
		}
		bytes, known = max(bytes, phase.Need.High), true
	}
	return bytes, known
}
