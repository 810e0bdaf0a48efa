package budget

import (
	"errors"
	"fmt"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rewrite"
	"github.com/tfmem/tfmem/rules/rule"
)

// maxSteps is the largest number of batches that are accumulated. More would mean that the batch
// size is hardly intended.
const maxSteps = 64

// accumulate offers to train on smaller batches that fit, whose gradients the optimizer averages
// (keras/src/optimizers/base_optimizer.py, _backend_apply_gradients). It needs Keras 3, an
// optimizer that is written here, a batch size that is written here or in settings, and nothing else
// that counts batches.
func accumulate(p *rule.Pass, w weighing, batch syntax.Node, at setting) (rule.Fix, error) {
	releases, m, optimizer, compile := p.File.Releases(), w.use.Model, w.optimizer, w.compile
	set := w.use.Batch.Scalar
	refuse := func(why string) (rule.Fix, error) { return rule.Fix{}, errors.New(why) }
	switch {
	case releases.Keras() == 0:
		return refuse("it is not known which Keras runs this; say it in tfmem.toml or requirements.txt")
	case releases.Versions().Keras.Low == (effects.Version{Major: 3}):
		return refuse("it came with Keras 3.0.2")
	case w.replicas != 1 || m.Distributed():
		return refuse("a strategy sums gradients in its own way")
	case releases.Keras() < 3:
		return accumulateInTrainStep(p, w)
	case set == nil && (batch.Kind() != syntax.Integer || !onlyBatches(p.File.Names(), batch)) || set != nil && (!at.free || !mentionedOnce(p, set.Key)):
		return refuse("the batch size is not one number that only makes batches")
	case m.Step != nil || m.Own != nil:
		return refuse("the program trains by a step of its own")
	case !compile.Valid() || !p.Here(compile) || !rule.Fixable(compile) || names.HasSplat(compile) || names.HasSplat(w.use.Node):
		return refuse("compile is not called in this file with all of its arguments")
	case embeds(m):
		return refuse("an Embedding has sparse gradients, which would be summed as dense ones")
	case !trainsOne(p, w):
		return refuse("another training has the same batch size")
	}
	for _, counts := range []string{"steps_per_epoch", "validation_steps"} {
		if n := names.Argument(w.use.Node, -1, counts); n.Valid() && n.Kind() != syntax.NoneLiteral {
			return refuse("fit counts batches with " + counts)
		}
	}
	if why := rule.MeanCompiled(p.File.Names(), names.Argument(compile, 1, "loss")); why != "" {
		return refuse(why)
	}
	return w.inParts(true, func(accumulating *memory.Phase, steps int64) (rule.Fix, error) {
		edit, err := p.Accumulate(compile, optimizer.Node, optimizer.Class, steps)
		edits, where := []source.Edit{edit}, ""
		if set != nil {
			where = " (" + at.name + ")"
		} else {
			edits = append(edits, source.Edit{Span: rule.Span(batch), New: fmt.Sprint(w.batch / steps)})
		}
		return rule.Fix{
			Message:   fmt.Sprintf("Train with batches of %d%s and apply the mean gradient of %d%s", w.batch/steps, where, steps, w.saves(w.batch/steps, accumulating)),
			Edits:     edits,
			Elsewhere: at.as(w.batch / steps),
		}, err
	})
}

// accumulateInTrainStep offers to give a Keras 2 model a train_step that processes each batch of
// fit in parts that fit, and averages their gradients.
func accumulateInTrainStep(p *rule.Pass, w weighing) (rule.Fix, error) {
	if w.use.Method != "fit" || !p.Here(w.use.Node) {
		return rule.Fix{}, errors.New("fit is not called in this file")
	}
	return w.inParts(false, func(accumulating *memory.Phase, parts int64) (rule.Fix, error) {
		edits, err := rewrite.TrainStepInParts(p, w.use.Node, parts)
		return w.takesParts(parts, accumulating, edits), err
	})
}

// takesParts returns the fix whose edits split each batch into parts.
func (w weighing) takesParts(parts int64, accumulating *memory.Phase, edits []source.Edit) rule.Fix {
	return rule.Fix{
		Message: fmt.Sprintf("Split each batch into %d parts and apply their mean gradient%s", parts, w.saves((w.batch+parts-1)/parts, accumulating)),
		Edits:   edits,
	}
}

// accumulateInStep offers to process each batch of a custom training step in parts that fit, and to
// average their gradients.
func accumulateInStep(p *rule.Pass, w weighing) (rule.Fix, error) {
	switch {
	case w.replicas != 1:
		return rule.Fix{}, errors.New("a strategy sums gradients in its own way")
	case !p.Here(w.use.Node):
		return rule.Fix{}, errors.New("the step is in another file")
	}
	return w.inParts(false, func(accumulating *memory.Phase, parts int64) (rule.Fix, error) {
		edits, err := rewrite.InParts(p, w.use.Node, parts)
		return w.takesParts(parts, accumulating, edits), err
	})
}

// inParts returns the fix that offer makes for the smallest number of parts of which the largest
// fits together with the sum of the gradients.
func (w weighing) inParts(equal bool, offer func(accumulating *memory.Phase, parts int64) (rule.Fix, error)) (rule.Fix, error) {
	accumulating, err := w.phase.Accumulating()
	if err != nil {
		return rule.Fix{}, err
	}
	most := memory.Largest(w.batch, w.batch, w.budget.Low, func(n int64) (int64, error) {
		need, err := accumulating.Cost(n)
		return need.High, err
	})
	for parts := int64(2); parts <= maxSteps && most > 0; parts++ {
		if (w.batch+parts-1)/parts > most || equal && w.batch%parts != 0 {
			continue
		}
		fix, err := offer(accumulating, parts)
		fix.Applicability = rule.Unsafe
		return fix, err
	}
	if most > 0 && equal {
		return rule.Fix{}, fmt.Errorf("a batch of %d has no equal parts that fit", w.batch)
	}
	return rule.Fix{}, errors.New("not even the gradients of a few examples fit beside their sum")
}

// trainsOne reports whether a batch size belongs to one training, or only to trainings that one
// call of compile prepares.
func trainsOne(p *rule.Pass, w weighing) bool {
	one := true
	for _, u := range p.File.Models().Uses {
		if u != w.use && trains(u) && u.Batch.Lit == w.use.Batch.Lit && u.Batch.Scalar == w.use.Batch.Scalar {
			compiled := u.ModelAt().Compiled
			one = one && u.Model == w.use.Model && compiled != nil && compiled.Node == w.compile
		}
	}
	return one
}

// saves says how much GPU memory a smaller batch, trained in another way, saves.
func (w weighing) saves(replica int64, p *memory.Phase) string {
	need, err := p.Cost(replica)
	if err != nil || need.Peak >= w.need.Peak {
		return ""
	}
	return fmt.Sprintf(": about %s, %s less", memory.Bytes(need.Peak), memory.Bytes(w.need.Peak-need.Peak))
}

// embeds reports whether a model has an Embedding. Keras accumulates its sparse gradients densely,
// and optimizers treat those differently.
func embeds(m *graph.Model) bool {
	for _, l := range m.Layers() {
		if l.Class == "Embedding" || l.Inner != nil && embeds(l.Inner) {
			return true
		}
	}
	return false
}
