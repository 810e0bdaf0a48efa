package budget

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// OversizedBatch is TFM601.
var OversizedBatch = &rule.Rule{
	Code: "TFM601", Name: "oversized-batch", Severity: rule.Warning,
	Summary: "A model is trained with a batch that does not fit the GPU.",
	What: `
Prices a model from its source text (its weights, the optimizer's state, what
the gradients keep, and the peak of one training step) at the batch size that is
written in the program, and reports it where even the low end of that estimate
is more than TensorFlow can have of the GPU. The GPU is the one that is really
there, or the one that TFMEM_GPU or --gpu names; without one the rule is silent.`,
	Why: `
Training stops with an out-of-memory error at its first step, or, where other
steps are smaller, hours later.`,
	Bad: `
# device: 24 GiB
from tensorflow import keras

BATCH_SIZE = 512

model = keras.applications.ResNet50(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=BATCH_SIZE)`,
	Good: `
# device: 24 GiB
from tensorflow import keras

BATCH_SIZE = 240

model = keras.applications.ResNet50(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=BATCH_SIZE)`,
	FixSafety: `
Unsafe: a smaller batch changes what each step computes. The fix rewrites the
number where it is written, to the largest batch that fits, rounded down to a
multiple of 8. Where the project is known to have Keras 3, a second fix keeps the
batch that counts for an update: it divides the number and has the optimizer add up
the gradients of so many batches (gradient_accumulation_steps), and apply their mean.
That takes one more variable of the size of each trained weight. BatchNormalization
sees the smaller batches; the batches that are left over at the end of an epoch count
in the first update of the next.`,
	// What is compiled here may be fitted by a function of another module.
	Triggers:     []string{".fit(", "train_on_batch", ".compile(", "GradientTape"},
	DependsOnGPU: true,
	Priced:       true,
	Check:        checkBatch,
}

func checkBatch(p *rule.Pass) {
	if !prices(p) {
		return
	}
	reported := map[syntax.Node]bool{}
	for _, u := range p.File.Models().Uses {
		w, why := weigh(p.File, u)
		if why != "" || w.verdict() != memory.Exceeds || exceedsAlone(u.Model, u.Model.Optimizer, w.budget) {
			continue // where no batch helps, TFM602 says so
		}
		place := u.Batch.Lit
		if !place.Valid() || !p.Here(place) {
			place = u.Node.Child(syntax.FieldFunction)
		}
		if reported[place] || !p.Here(place) {
			continue // it is trained in another module, with what that says
		}
		reported[place] = true
		report(p, w, place)
	}
}

func report(p *rule.Pass, w weighing, place syntax.Node) {
	largest := w.largest()
	fits := "Not even a batch of 1 fits."
	if largest > 0 {
		fits = fmt.Sprintf("The largest batch that fits is %d.", largest)
	}
	f := rule.Finding{
		Span: rule.Span(place),
		Message: fmt.Sprintf("Training with a batch of %d%s needs about %s of GPU memory (%s to %s): %s. TensorFlow can have %s of %s (%s). %s",
			w.batch, w.share(), memory.Bytes(w.need.Peak), memory.Bytes(w.need.Low), memory.Bytes(w.need.High), w.parts(), memory.Bytes(w.budget), w.device.Name, w.device.Source, fits),
	}
	if place != w.use.Node.Child(syntax.FieldFunction) {
		f.Related = append(f.Related, p.Related(w.use.Node, rule.Callee(w.use.Node), "trained here"))
	} else if lit := w.use.Batch.Lit; lit.Valid() {
		f.Related = append(f.Related, p.Related(lit, rule.Span(lit), "the batch size is set here"))
	}
	if node := w.use.Model.Node; node.Valid() && !p.Here(node) {
		f.Related = append(f.Related, p.Related(node, rule.Span(node), "the model is built here"))
	}
	if n := rounded(largest); largest > 0 && place.Kind() == syntax.Integer && rule.Mendable(place) {
		f.Fixes = []rule.Fix{{
			Message:       fmt.Sprintf("Train with a batch of %d%s", n, w.saves((n+w.replicas-1)/w.replicas, w.trainer)),
			Applicability: rule.Unsafe,
			Edits:         []source.Edit{{Span: rule.Span(place), New: fmt.Sprint(n)}},
		}}
		f.Fixes = append(f.Fixes, accumulate(p, w, place)...)
	}
	p.Report(f)
}
