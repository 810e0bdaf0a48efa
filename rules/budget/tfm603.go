package budget

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MixedPrecisionAvailable is TFM603.
var MixedPrecisionAvailable = &rule.Rule{
	Code: "TFM603", Name: "mixed-precision-available", Severity: rule.Information,
	Summary: "A training that is tight on the GPU, or too large for it, computes in float32 where mixed precision would save memory.",
	What: `
Prices a training as the program has it, and again as if it set the policy
mixed_float16, where the first may not fit the GPU, the GPU has float16 units
(compute capability 7.0 or more), nothing in the program sets a policy, and the
second needs at least a twentieth less. The finding says what is saved.`,
	Why: `
Under mixed_float16 the layers compute in float16, so that what is kept for the
gradients takes half the memory, and on such a GPU the step is faster. Variables
and the optimizer's state stay float32. compile() adds the loss scaling by itself.`,
	Bad: `
# device: 24 GiB
import tensorflow as tf

model = tf.keras.applications.VGG16(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=320)`,
	Good: `
# device: 24 GiB
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")

model = tf.keras.applications.VGG16(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=320)`,
	FixSafety: `
Unsafe: what is computed in float16 is rounded to fewer digits. The last layer, and
whatever else must be exact, should be made with dtype="float32". It is not offered
where the program has a gradient tape: a loop of one's own must scale the loss
itself.`,
	Triggers:     []string{".fit(", "train_on_batch"},
	DependsOnGPU: true,
	Priced:       true,
	Check:        checkMixedPrecision,
}

// policySetters set the dtype policy of all layers that are made after them.
var policySetters = []string{
	"tensorflow.keras.mixed_precision.set_global_policy", "tensorflow.keras.config.set_dtype_policy",
	"tensorflow.keras.mixed_precision.experimental.set_policy", "tensorflow.keras.mixed_precision.set_dtype_policy",
	"tensorflow.keras.backend.set_floatx", "tensorflow.keras.config.set_floatx",
	"tensorflow.train.experimental.enable_mixed_precision_graph_rewrite", "tensorflow.compat.v1.train.experimental.enable_mixed_precision_graph_rewrite",
	"tensorflow.compat.v1.mixed_precision.enable_mixed_precision_graph_rewrite",
}

func checkMixedPrecision(p *rule.Pass) {
	devices := p.File.Devices()
	if !prices(p) || slices.ContainsFunc(devices, func(d memory.Device) bool { return d.Major < 7 }) {
		return
	}
	info := p.File.Names()
	for _, call := range info.Calls {
		if slices.Contains(policySetters, info.Callee(call)) {
			return
		}
	}
	var mixed *keras.Program // the same with the policy, once it is asked for
	reported := map[syntax.Node]bool{}
	for _, u := range p.File.Models().Uses {
		if reported[u.Node] || !p.Here(u.Node) || u.Model.Own != nil {
			continue // a step of the program's own would have to scale its loss, too
		}
		w, why := weigh(p.File, u)
		if verdict := w.verdict(); why != "" || verdict != memory.Tight && verdict != memory.Exceeds || exceedsAlone(u.Model, u.Model.Optimizer, w.budget) {
			continue
		}
		if mixed == nil {
			if OnCPU(p.File) {
				return
			}
			mixed = p.File.ModelsUnder("mixed_float16")
		}
		i := slices.IndexFunc(mixed.Uses, func(m *keras.Use) bool {
			return m.Node == u.Node && m.Model.Node == u.Model.Node && m.Batch.X == u.Batch.X
		})
		if i < 0 {
			continue
		}
		half, why := weigh(p.File, mixed.Uses[i])
		if why != "" || w.need.Peak-half.need.Peak < w.need.Peak/20 {
			continue
		}
		reported[u.Node] = true
		p.Report(rule.Finding{
			Span: rule.Callee(u.Node),
			Message: fmt.Sprintf("This training %s: it needs about %s, and TensorFlow can have %s of %s. With the policy mixed_float16, which this GPU computes at full speed "+
				"(compute capability %d.%d), it would need about %s, %s less, and %s.",
				outcome(w.verdict()), memory.Bytes(w.need.Peak), memory.Bytes(w.budget), w.device.Name, w.device.Major, w.device.Minor,
				memory.Bytes(half.need.Peak), memory.Bytes(w.need.Peak-half.need.Peak), then(half)),
			Fixes: setPolicy(p, u.Model),
		})
	}
}

func outcome(v memory.Verdict) string {
	if v == memory.Tight {
		return "is tight on the GPU"
	}
	return "does not fit the GPU"
}

// then says how a training would do.
func then(w weighing) string {
	switch w.verdict() {
	case memory.Fits:
		return "fit"
	case memory.Tight:
		return "be tight"
	}
	if n := w.largest(); n > 0 {
		return fmt.Sprintf("still not fit, but a batch of %d would", n)
	}
	return "still not fit"
}

// setPolicy offers the line that sets the policy, after the imports, where no layer
// is made before it.
func setPolicy(p *rule.Pass, m *keras.Model) []rule.Fix {
	info := p.File.Names()
	if !p.Here(m.Node) {
		return nil // another module may make it when it is imported
	}
	for _, call := range info.Calls {
		if e := effects.Lookup(info.Callee(call)); e != nil && e.Effects.Has(effects.StartsTape) {
			return nil
		}
	}
	anchor, after := headImport(p)
	if !anchor.Valid() || !after.Valid() || !p.StartsLine(anchor) || !p.EndsLine(anchor) || anchor.HasError() {
		return nil
	}
	end := p.LineEnd(anchor)
	for _, call := range info.Calls {
		if e := effects.Lookup(info.Callee(call)); call.Start() < end && e != nil && e.Effects.Has(effects.BuildsLayer|effects.BuildsModel) {
			return nil
		}
	}
	alias := ""
	for _, name := range []string{"tensorflow", "tensorflow.keras"} {
		if bound := p.Bound(name, info.Module, after); bound != "" {
			alias = bound
			if name == "tensorflow" {
				alias += ".keras"
			}
			break
		}
	}
	if alias == "" {
		return nil
	}
	q := p.Quote()
	text := p.Newline() + p.Newline() + p.IndentOf(anchor) + alias + ".mixed_precision.set_global_policy(" + q + "mixed_float16" + q + ")"
	if !p.BlankAfter(anchor) {
		text += p.Newline()
	}
	return []rule.Fix{{
		Message:       "Compute in mixed_float16",
		Applicability: rule.Unsafe,
		Edits:         []source.Edit{{Span: source.Span{Start: end, End: end}, New: text}},
	}}
}

// headImport is the last import before anything is defined or done in a block, and
// what stands after it; none where there is no such import.
func headImport(p *rule.Pass) (last, after syntax.Node) {
	for s := range p.File.Tree.Statements() {
		switch s.Kind() {
		case syntax.ImportStatement, syntax.ImportFromStatement, syntax.FutureImportStatement:
			last, after = s, syntax.Node{}
			continue
		case syntax.ExpressionStatement:
		case syntax.Comment:
			continue
		default:
			if !after.Valid() {
				after = s
			}
			return last, after
		}
		if !after.Valid() {
			after = s
		}
	}
	return last, after
}
