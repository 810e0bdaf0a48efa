package budget

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/dataset"
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
// optimizer that is written here, and a batch size that is written here, in settings or in another module,
// and is nothing else. Where other trainings have it, they accumulate too, and what counts batches counts more.
// The notes say what is not as it was beside BatchNormalization, or rests on an assumption.
//
// What is to be done in other modules is given to in, without which nothing is done there.
func accumulate(p *rule.Pass, w weighing, batch syntax.Node, at setting, in inModule) (fixed rule.Fix, part int64, notes []string, err error) {
	releases, m := p.File.Releases(), w.use.Model
	set := w.use.Batch.Scalar
	refuse := func(why string) (rule.Fix, int64, []string, error) { return rule.Fix{}, 0, nil, errors.New(why) }
	number := w.use.Batch.Lit
	maybe := []syntax.Node{number}
	if in != nil {
		maybe = batchSizes(p, w)
	}
	switch {
	case releases.Versions().Keras.Low == (effects.Version{Major: 3}):
		return refuse("it came with Keras 3.0.2")
	case w.replicas != 1 || m.Distributed():
		return refuse("a strategy sums gradients in its own way")
	case releases.Keras() == 2 || w.optimizer != nil && w.optimizer.Keras == 2:
		fixed, err = accumulateInTrainStep(p, w)
		return fixed, 0, nil, err
	case m.Step != nil || m.Own != nil:
		return refuse("the program trains by a step of its own")
	case set != nil && (!at.free || !mentionedOnce(p, set.Key)):
		return refuse("the batch size is read for more than batches")
	case set == nil && at.in != nil && (!at.free || !p.File.Facts().OnlyBatches(number)):
		return refuse(fmt.Sprintf("the batch size (%s) is read for more than batches", at.name))
	case set == nil && at.in == nil && p.Here(number) && !p.File.Facts().OnlyBatches(number):
		return refuse("the batch size is read for more than batches, or in a way that is not followed")
	}
	trainings := sharing(p, w)
	var optimizers []optimizerOf
	var counts []syntax.Node // arguments that count batches, which will be more
	for _, u := range trainings {
		o, err := optimizerToAccumulate(p, w, u, in != nil)
		if err != nil {
			return rule.Fix{}, 0, nil, err
		}
		if !slices.Contains(optimizers, o) {
			optimizers = append(optimizers, o)
		}
		steps := append(scheduled(p, u.ModelAt().Optimizer), names.Argument(u.Node, -1, "steps_per_epoch"))
		if u.Validation != nil && u.Validation.Batch.Lit == number {
			steps = append(steps, names.Argument(u.Node, -1, "validation_steps"))
		}
		for _, n := range steps {
			follows := func(number syntax.Node) bool { return number.Valid() && p.File.Facts().DependsOn(n, number) }
			if n.Valid() && n.Kind() != syntax.NoneLiteral && !slices.ContainsFunc(maybe, follows) && !slices.Contains(counts, n) {
				counts = append(counts, n)
			}
		}
		if n := embeds(u.ModelAt()); n && o.class != "SGD" {
			notes = append(notes, fmt.Sprintf("%s also moves the rows of an Embedding that a batch lacks", o.class))
		}
	}
	if len(optimizers) > 1 {
		notes = append(notes, fmt.Sprintf("%d trainings have this batch size and accumulate", len(optimizers)))
	}
	if taken := counted(p, w.use); taken != "" {
		notes = append(notes, taken)
	}
	fixed, err = w.inParts(true, func(accumulating *memory.Phase, steps int64) (rule.Fix, error) {
		part = w.batch / steps
		var edits []source.Edit
		add := func(module *rule.Pass, more ...source.Edit) {
			if module != p {
				more = in(module, more...)
			}
			for _, e := range more {
				if !slices.Contains(edits, e) {
					edits = append(edits, e)
				}
			}
		}
		for _, o := range optimizers {
			more, err := o.in.Accumulate(o.compile, o.made, o.class, o.oneRate, steps)
			if err != nil {
				return rule.Fix{}, err
			}
			add(o.in, more...)
		}
		for _, n := range counts {
			text := n.Text()
			if !n.Is(syntax.Integer, syntax.Identifier, syntax.Call, syntax.Attribute, syntax.Subscript, syntax.ParenthesizedExpression) {
				text = "(" + text + ")"
			}
			module, there := p.Of(n)
			if module == nil || module != p && in == nil {
				return rule.Fix{}, fmt.Errorf("the number of batches on %s cannot be changed", p.Line(n, source.Span{}))
			}
			add(module, source.Edit{Span: rule.Span(there), New: fmt.Sprintf("%d * %s", steps, text)})
		}
		where := ""
		if at.in != nil {
			where = " (" + at.name + ")"
		} else {
			if edit, ok := smaller(p, w, batch, w.batch/steps); ok {
				edits = append(edits, edit)
			} else if more, ok := renumbered(p, maybe, w.batch/steps, in); ok {
				edits = append(edits, more...)
			} else {
				return rule.Fix{}, errors.New("the batch size cannot be changed here")
			}
		}
		return rule.Fix{
			Message:   fmt.Sprintf("Train with batches of %d%s and apply the mean gradient of %d%s", w.batch/steps, where, steps, w.saves(w.batch/steps, accumulating)),
			Edits:     edits,
			Elsewhere: at.as(w.batch / steps),
		}, nil
	})
	return fixed, part, notes, err
}

// An optimizerOf is the optimizer of a call of compile: the call that makes it, if there is one, and its class.
type optimizerOf struct {
	in            *rule.Pass // over the module where it is made
	compile, made syntax.Node
	class         string
	oneRate       bool
}

// An inModule takes the edits of a module, and returns those of the file itself.
type inModule func(module *rule.Pass, edits ...source.Edit) []source.Edit

// optimizerToAccumulate returns the optimizer of a training whose gradients it can average.
func optimizerToAccumulate(p *rule.Pass, w weighing, u *graph.ModelCall, anywhere bool) (optimizerOf, error) {
	m := u.ModelAt()
	which := "" // of several trainings
	if u != w.use {
		which = " of the training on " + p.Line(u.Node, source.Span{}) + ", which has the same batch size,"
	}
	if u.Method != "fit" || m.Step != nil || m.Own != nil || m.Compiled == nil || m.Optimizer == nil {
		return optimizerOf{}, fmt.Errorf("the step%s is the program's own", which)
	}
	module, compile := p.Of(m.Compiled.Node)
	switch {
	case module == nil || !compile.Valid() || !anywhere && (module != p || !p.Here(u.Node)):
		return optimizerOf{}, fmt.Errorf("compile or fit%s is not called in this file", which)
	case !rule.Fixable(compile) || names.HasSplat(compile) || names.HasSplat(u.Node):
		return optimizerOf{}, fmt.Errorf("compile or fit%s is called with arguments that are not written out", which)
	}
	if why := rule.MeanCompiled(p.File.Names(), names.Argument(m.Compiled.Node, 1, "loss")); why != "" {
		return optimizerOf{}, errors.New(why)
	}
	if names.Argument(compile, 0, "optimizer").Kind() == syntax.String {
		return optimizerOf{module, compile, syntax.Node{}, m.Optimizer.Class, true}, nil
	}
	at, made := p.Of(m.Optimizer.Node)
	if at == nil || !made.Valid() || !anywhere && at != p {
		return optimizerOf{}, fmt.Errorf("the optimizer%s is not one of Keras's that is made in this file", which)
	}
	return optimizerOf{at, compile, made, m.Optimizer.Class, m.Optimizer.OneRate || len(scheduled(p, m.Optimizer)) > 0}, nil
}

// stepsOf are the parameters of the schedules of Keras that count updates (keras/src/optimizers/schedules).
var stepsOf = map[string][]struct {
	at   int
	name string
}{
	"ExponentialDecay":    {{1, "decay_steps"}},
	"InverseTimeDecay":    {{1, "decay_steps"}},
	"PolynomialDecay":     {{1, "decay_steps"}},
	"CosineDecay":         {{1, "decay_steps"}, {5, "warmup_steps"}},
	"CosineDecayRestarts": {{1, "first_decay_steps"}},
}

// scheduled returns the numbers of updates after which the learning rate of an optimizer is another one; none if it is
// no schedule, or not one of these. Keras passes it the number of batches, of which accumulation makes more
// (keras/src/optimizers/base_optimizer.py, _get_current_learning_rate).
func scheduled(p *rule.Pass, o *graph.Optimizer) (steps []syntax.Node) {
	rate := names.Argument(o.Node, 0, "learning_rate")
	if !rate.Valid() {
		return nil
	}
	made, one := p.File.Facts().Only(rate, nil)
	class, is := strings.CutPrefix(p.File.Names().Callee(made.Node), "tensorflow.keras.optimizers.schedules.")
	if !one || !is || names.HasSplat(made.Node) {
		return nil
	}
	for _, parameter := range stepsOf[class] {
		if n := names.Argument(made.Node, parameter.at, parameter.name); n.Valid() {
			steps = append(steps, n)
		}
	}
	return steps
}

// sharing returns the trainings that have the batch size of one, itself first.
func sharing(p *rule.Pass, w weighing) []*graph.ModelCall {
	all := []*graph.ModelCall{w.use}
	if !w.use.Batch.Lit.Valid() && w.use.Batch.Scalar == nil {
		return all
	}
	for _, u := range p.File.Models().Uses {
		if u != w.use && trains(u) && u.Batch.Lit == w.use.Batch.Lit && u.Batch.Scalar == w.use.Batch.Scalar {
			all = append(all, u)
		}
	}
	return all
}

// normalizes reports whether a training computes the statistics of its batches, in a BatchNormalization that neither
// is frozen nor is called to predict.
func normalizes(file *analyzer.File, p *memory.Phase) bool {
	if !p.Trains() {
		return false
	}
	if p.Then.Own != nil || p.Use.Method == "step" { // it may train several models, and how it calls them is not looked at
		return slices.ContainsFunc(file.Models().Models, func(m *graph.Model) bool {
			return slices.ContainsFunc(m.Layers(), func(l *graph.Layer) bool { return l.Class == "BatchNormalization" && learns(p.Then, l) })
		})
	}
	g := &graph.Graph{Mode: graph.TrainingMode}
	for _, s := range p.Then.Inputs {
		g.Inputs = append(g.Inputs, &graph.Tensor{Shape: oneExample(s.Shape), DType: s.DType})
	}
	if _, err := p.Then.Lower(g, g.Inputs); err != nil {
		return slices.ContainsFunc(p.Then.Layers(), func(l *graph.Layer) bool { return l.Class == "BatchNormalization" && learns(p.Then, l) })
	}
	return slices.ContainsFunc(g.Ops, func(op *graph.Op) bool {
		ofBatch := op.Normalization != nil && op.Normalization.Moments || op.Kind == graph.OpFusedBatchNorm
		return ofBatch && op.Layer != nil && learns(p.Then, op.Layer)
	})
}

// counted says which steps of a training's data count batches; "" if none does.
func counted(p *rule.Pass, u *graph.ModelCall) string {
	if u.Method == "step" {
		return countedInLoop(p)
	}
	d := dataset.NewTracer(p.File.Names()).Of(names.Argument(u.Node, 0, "x"))
	batched := false
	for _, s := range d.Steps {
		switch {
		case s.Name == "batch" || s.Name == "padded_batch":
			batched = true
		case batched && (s.Name == "take" || s.Name == "skip"):
			return fmt.Sprintf("%s() on %s counts batches, so that it stands for other examples", s.Name, p.Line(s.Call, source.Span{}))
		}
	}
	return ""
}

// countedInLoop is counted for the loops of a program's own steps.
func countedInLoop(p *rule.Pass) string {
	info := p.File.Names()
	tracer := dataset.NewTracer(info)
	for _, call := range info.MethodCalls(func(name string) bool { return name == "take" || name == "skip" }) {
		if tracer.Of(call.Child(syntax.FieldFunction).Child(syntax.FieldObject)).Has("batch", "padded_batch") {
			return fmt.Sprintf("%s() on %s counts batches, so that it stands for other examples", names.Method(call), p.Line(call, source.Span{}))
		}
	}
	return ""
}

// accumulateInTrainStep offers to give a Keras 2 model a train_step that processes each batch of
// fit in parts that fit, and averages their gradients.
func accumulateInTrainStep(p *rule.Pass, w weighing) (rule.Fix, error) {
	switch method := names.Method(w.use.Node); {
	case !p.Here(w.use.Node):
		return rule.Fix{}, fmt.Errorf("%s is called on %s", method, p.Line(w.use.Node, source.Span{}))
	case method != "fit":
		return rule.Fix{}, fmt.Errorf("%s takes its batches as they come, and its steps have no parts here", method)
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
