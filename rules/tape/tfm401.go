package tape

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/rules/rule"
)

// PersistentTapeHeld is TFM401.
var PersistentTapeHeld = &rule.Rule{
	Code: "TFM401", Name: "persistent-tape-held", Severity: rule.Warning,
	Summary: "A persistent gradient tape stays alive after its last use, at module level or in a loop.",
	What: `
Checks for tf.GradientTape(persistent=True) whose name is neither deleted nor
rebound after the last gradient, where other code still runs: at module level,
and in the body of a loop.`,
	Why: `
A persistent tape keeps every tensor that the forward pass recorded, the
activations of all layers, as long as the tape itself lives. In a loop that is
until the next iteration rebinds the name, through the optimizer's update and
everything after it; at module level it is until the process ends.`,
	Bad: `
import tensorflow as tf

x = tf.Variable(images)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    z = y * y
dz_dx = tape.gradient(z, x)
dy_dx = tape.gradient(y, x)
print(train(dz_dx, dy_dx))`,
	Good: `
import tensorflow as tf

x = tf.Variable(images)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    z = y * y
dz_dx = tape.gradient(z, x)
dy_dx = tape.gradient(y, x)
del tape
print(train(dz_dx, dy_dx))`,
	FixSafety: `
Safe: the tape is deleted after the last place that uses it.`,
	Limitations: `
A tape that is local to a function is freed when the function returns, and is
not reported outside a loop. Neither is a non-persistent tape, which frees
itself when its gradient is computed, nor a tape that escapes (see TFM404).`,
	References: []rule.Reference{
		rule.API("tf.GradientTape"),
		rule.Guide("autodiff", "Introduction to gradients and automatic differentiation"),
	},
	Triggers: []string{"persistent"},
	Check:    checkHeld,
}

func checkHeld(p *rule.Pass) {
	info := p.File.Names()
	for _, t := range p.File.Flow().Tapes() {
		// TFM402 reports a tape that need not be persistent, TFM407 one without a gradient.
		if !t.Persistent || t.Traced() || len(t.Of(flow.TakesGradient, flow.Lends)) == 0 || single(p, t) || tiny(p, t) {
			continue
		}
		if h := heldTape(info, t); h != nil {
			report(p, h)
		}
	}
}

func report(p *rule.Pass, t *held) {
	until := "until the process ends or the name is rebound"
	if t.loop.Valid() {
		until = "until the next iteration rebinds the name"
	}
	line := p.LineOf(t.after.End(), rule.Span(t.call))
	f := rule.Finding{
		Span: rule.Span(t.call),
		Message: fmt.Sprintf("%s keeps its tensors after its last use. It is last used on %s, and keeps every tensor it recorded %s. Delete it after its last use.",
			of("The persistent tape", t.name), line, until),
	}
	if edit, ok := deletion(p, t); ok {
		f.Fixes = rule.OneFix(fmt.Sprintf("Delete %s after its last use", t.name), rule.Safe, edit)
	}
	p.Report(f)
}
