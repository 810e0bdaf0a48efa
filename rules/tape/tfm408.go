package tape

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// VectorisedJacobian is TFM408.
var VectorisedJacobian = &rule.Rule{
	Code: "TFM408", Name: "vectorised-jacobian", Severity: rule.Information,
	Summary: "A jacobian computes the gradients of all its outputs at once, which multiplies the memory of the step.",
	What: `
Checks for tape.jacobian and tape.batch_jacobian of so many outputs that 256 MiB or
more are needed for the gradient of one tensor on the way to the sources.`,
	Why: `
A Jacobian has a gradient for each output. By default TensorFlow computes them as one
vectorised operation (pfor, in tensorflow/python/eager/backprop.py): each tensor of the
backward pass exists once per output. 3,136 outputs multiply the memory of the pass by
3,136. With experimental_use_pfor=False the gradients are computed one after the
other, which takes longer, and only the result is that large.`,
	Bad: `
import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Input((64, 64, 3)),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(64),
])
images = tf.random.normal((32, 64, 64, 3))
with tf.GradientTape() as tape:
    outputs = model(images)
jacobian = tape.jacobian(outputs, model.trainable_variables)`,
	Good: `
import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Input((64, 64, 3)),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(64),
])
images = tf.random.normal((32, 64, 64, 3))
with tf.GradientTape(persistent=True) as tape:
    outputs = model(images)
jacobian = tape.jacobian(outputs, model.trainable_variables, experimental_use_pfor=False)`,
	FixSafety: `
Unsafe: the gradients are computed one after the other, which takes longer. Outside of
tf.function TensorFlow wants a persistent tape for that; del tape frees it after its last use.`,
	Limitations: `
Not reported where the shapes of the outputs, the sources or the batch are not known from
the code. The figure counts the largest tensor alone: the pass has others.`,
	References: []rule.Reference{
		rule.API("tf.GradientTape#jacobian"),
		rule.API("tf.GradientTape#batch_jacobian"),
		rule.Guide("advanced_autodiff#jacobians", "Jacobians"),
	},
	Triggers: []string{"jacobian"},
	Imported: true,
	Priced:   true,
	Check:    checkVectorisedJacobian,
}

// muchAtOnce are the bytes from which a vectorised jacobian is worth a finding.
const muchAtOnce = 256 << 20

func checkVectorisedJacobian(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return
	}
	for _, t := range p.File.Flow().Tapes() {
		for _, u := range t.Of(flow.TakesGradient) {
			if !p.Here(u.Call) || u.Method() == "gradient" {
				continue
			}
			known := p.File.Models().Jacobians
			i := slices.IndexFunc(known, func(j graph.Jacobian) bool { return j.Node == u.Call })
			if i < 0 || known[i].Loops || known[i].Outputs*known[i].Largest < muchAtOnce {
				continue
			}
			reportJacobian(p, t, u, known[i])
		}
	}
}

func reportJacobian(p *rule.Pass, t *flow.Tape, u flow.TapeUse, j graph.Jacobian) {
	each := ""
	if u.Method() == "batch_jacobian" {
		each = " of an example"
	}
	f := rule.Finding{
		Span: rule.Callee(u.Call),
		Message: fmt.Sprintf("%s() computes the gradients of all %d outputs%s at once. The largest tensor on the way is %s, and its gradients are %d times that, %s, "+
			"beside the result of %s. experimental_use_pfor=False computes one gradient after the other, and takes longer.",
			u.Method(), j.Outputs, each, memory.Bytes(j.Largest), j.Outputs, memory.Bytes(j.Outputs*j.Largest), memory.Bytes(j.Result)),
	}
	if j.Result > j.Outputs*j.Largest {
		f.Message += " The result itself is larger still: take the gradients of a few outputs at a time, and sum up what you need of each."
	}
	if rule.Fixable(u.Call) && rule.Fixable(t.Call) && p.Here(t.Call) && !names.HasSplat(u.Call) {
		edits := []source.Edit{p.WithArgument(u.Call, "experimental_use_pfor=False")}
		if pfor := names.Argument(u.Call, 4, "experimental_use_pfor"); pfor.Valid() {
			edits = []source.Edit{{Span: rule.Span(pfor), New: "False"}}
		}
		if !t.Persistent && !decorated(p, t) {
			edits = append(edits, persist(t.Call)...)
		}
		f.Fixes = rule.OneFix("Compute one gradient after the other", rule.Unsafe, edits...)
	}
	p.Report(f)
}
