package budget

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// OversizedBatch is TFM601.
var OversizedBatch = &rule.Rule{
	Code: "TFM601", Name: "oversized-batch", Severity: rule.Warning,
	Summary: "A model is trained or run with a batch size that does not fit the GPU.",
	What: `
Prices a model from its source (weights, optimizer state, what is kept for the
gradients, the peak of one step) at the batch sizes in the program: of its
trainings, of the validation inside fit, of evaluate and of predict. Reports one
if the estimate exceeds what TensorFlow can use of the GPU. The
message says "will not fit" if the low end of the range exceeds it, else
"probably does not fit". What TensorFlow can use of a GPU is a range, too: a
screen takes a part. A training in another module that only the script decides, by the
model or the options that it hands over, is reported at the call of the script.
Where a file of the project runs the program with options, the
message says so. The GPU is the one that is present, or the one that
TFMEM_GPU or --gpu names.`,
	Why: `
Training stops with an out-of-memory error (ResourceExhaustedError) at its
first step, or hours later if other steps are larger.`,
	GPU: "24 GiB",
	Bad: `
from tensorflow import keras

BATCH_SIZE = 512

model = keras.applications.ResNet50(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=BATCH_SIZE)`,
	Good: `
from tensorflow import keras

BATCH_SIZE = 232

model = keras.applications.ResNet50(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=BATCH_SIZE)`,
	FixSafety: `
Unsafe: a smaller batch changes what each step computes. The fix changes the
number where it is written, to the largest batch that fits, rounded down to a
multiple of 8. A fit without batch_size gets one; a batch size that the call
computes is replaced by the number. If the number stands in another module or in a
settings file (YAML, JSON, TOML, .env), it is changed there, also for other programs that
read it. The fix is not offered where the same number builds layers, or stands
below a YAML anchor.

A second fix keeps the effective batch size by gradient accumulation. In a
project known to run Keras 3 it divides the batch, also in a settings file, and sets
gradient_accumulation_steps on the optimizer; steps_per_epoch becomes as many
times as large. BatchNormalization sees the smaller batches, and batches left over
at the end of an epoch count in the first update of the next. In a project known to run Keras 2 (TensorFlow 2.2 and
later) the model gets a train_step that splits each batch. Where the program
writes the step itself, in a loop over a dataset or in a function that such a
loop calls, that step splits each batch, as the rewrite accumulate-gradients
does. Each way needs one more copy of the gradients.`,
	Limitations: `
If no GPU is known, only a training that exceeds every GPU of the catalogue is
reported. Nothing is reported where the program runs on the CPU or catches
ResourceExhaustedError. A model whose layers, shapes or batch size
are unknown is not priced; tfmem estimate says why. If the range of the
estimate is wider than a factor of three and includes the GPU's memory, nothing
is reported. For a prediction or an evaluation of an array of unknown length, in
Keras's batches of 32, it is information: the array may be shorter than that.`,
	References: []rule.Reference{
		rule.API("tf.errors.ResourceExhaustedError"),
		rule.Keras("models/model_training_apis#fit-method", "Model.fit"),
		rule.API("tf.config.experimental.get_memory_info"),
	},
	Triggers:     runWords,
	DependsOnGPU: true,
	Priced:       true,
	Imported:     true,
	Check:        checkBatch,
}

func checkBatch(p *rule.Pass) {
	if !judged(p) || !MayTrain(p.File) {
		return
	}
	var most heaviest // by the place of the batch size
	for _, u := range runs(p.File.Models().Uses) {
		w, why := weighRun(p.File, u)
		if why != "" || w.verdict() != memory.Exceeds || w.alone && !w.largest {
			continue // if no batch size helps, TFM602 reports it
		}
		if spared(p.File, u.Node) || w.byData() {
			continue
		}
		place := sets(p, u)
		if !place.Valid() {
			continue // it is trained in another module, which shows all of it
		}
		most.take(place, w)
	}
	for _, place := range most.places {
		report(p, most.of[place], place)
	}
}

// sets returns where the batch size of a use stands: as a number of this file, or else at the call, or
// at the one that hands the model to another module that trains it; none if it is not of this file.
func sets(p *rule.Pass, u *graph.ModelCall) syntax.Node {
	if u.Batch.Lit.Valid() && p.Here(u.Batch.Lit) {
		return u.Batch.Lit
	}
	return callOf(p, u).Child(syntax.FieldFunction)
}

// callOf returns the call of a use, or the one of this file that hands the model to the module in which
// it stands; none if neither is of this file.
func callOf(p *rule.Pass, u *graph.ModelCall) syntax.Node {
	if p.Here(u.Node) {
		return u.Node
	}
	return u.Led
}

// Smaller returns the fixes by which the trainings in a statement take the largest batch that fits
// a pool of so many bytes; none if they do already.
func Smaller(p *rule.Pass, in syntax.Node, pool int64) (fixes []rule.Fix) {
	budget := memory.BudgetOf(memory.WithPool("", pool), memory.Process{})
	for _, u := range runs(p.File.Models().Uses) {
		if !trains(u) || !p.Here(u.Node) || !rule.Span(in).Contains(rule.Span(u.Node)) {
			continue
		}
		w, why := weighRun(p.File, u)
		if why != "" || !w.phase.Trains() || w.verdict() == memory.Exceeds { // TFM601 mends it
			continue
		}
		largest := w.phase.Largest(budget)
		n := rounded(largest, max(1, w.phase.Unit()))
		if edit, ok := smaller(p, w, sets(p, u), n); ok && largest > 0 && n < w.batch {
			fixes = append(fixes, rule.Fix{
				Message:       fmt.Sprintf("Train with a batch of %d, which fits %s", n, memory.Bytes(pool)),
				Applicability: rule.Unsafe,
				Edits:         []source.Edit{edit},
			})
		}
	}
	return fixes
}

// runs returns the uses that a batch size decides on, each fit with its validation after it.
func runs(uses []*graph.ModelCall) (all []*graph.ModelCall) {
	for _, u := range uses {
		if trains(u) || u.Method == "evaluate" || u.Method == "predict" {
			all = append(all, u)
		}
		if u.Validation != nil {
			all = append(all, u.Validation)
		}
	}
	return all
}

// does says what a phase is: as a note at its call, and as what a fix does.
func does(p *memory.Phase) (here, fix string) {
	switch {
	case p.Validates():
		return "validated here", "Validate"
	case p.Kind == memory.Evaluating:
		return "evaluated here", "Evaluate"
	case p.Kind == memory.Predicting:
		return "run here", "Predict"
	}
	return "trained here", "Train"
}

func report(p *rule.Pass, w weighing, place syntax.Node) {
	here, _ := does(w.phase)
	largest, unit := w.phase.Largest(w.budget), w.phase.Unit()
	outcome := "probably does not fit the GPU"
	if w.need.Low > w.budget.High {
		outcome = "will not fit the GPU"
	}
	if w.largest {
		outcome = "will not fit any GPU of the catalogue"
	} else if w.replicas > 1 {
		outcome = strings.TrimSuffix(outcome, " the GPU") // which the share names
	}
	fits := fmt.Sprintf("Even a batch of %d may not fit.", unit)
	if largest > 0 {
		fits = fmt.Sprintf("The largest batch that fits is %s.", memory.Count(largest))
	}
	claim := fmt.Sprintf("A batch of %d%s %s.", w.batch, w.share(), outcome)
	if data := graph.DataBytes(w.use.Data, 0); largest == 0 && data > 0 && w.fitsWithout(data) {
		claim = fmt.Sprintf("%s of data on the GPU leave no room for a batch of %d%s.", memory.Bytes(data), w.batch, w.share())
		fits = "No batch size helps: make the tensors under tf.device(\"/CPU:0\"), or read the data in parts."
	}
	severity, f := rule.Warning, rule.Finding{
		Span: rule.Span(place),
		Message: fmt.Sprintf("%s %s needs about %s of GPU memory (%s to %s): %s. TensorFlow can use %s of %s (%s). %s",
			claim, w.phase.Purpose(), memory.Bytes(w.need.Peak), memory.Bytes(w.need.Low), memory.Bytes(w.need.High), w.parts(), w.budget, w.device.Name, w.device.Source, fits),
	}
	if w.mayHaveFewer() {
		severity = rule.Information
		f.Message += fmt.Sprintf(" Its data may have fewer than %d rows, and need less: their number is not known.", w.batch)
	}
	if set, _ := Commanded(p.File.Models()); set != nil && !w.use.Batch.Lit.Valid() {
		f.Message += " " + strings.Join(set, " ")
	}
	at := elsewhere(p, w.use.Batch)
	if place != w.use.Node.Child(syntax.FieldFunction) {
		f.Related = append(f.Related, p.Related(w.use.Node, rule.Callee(w.use.Node), here))
	} else if at.in != nil {
		f.Message += fmt.Sprintf(" The batch size is %s.", at.name)
		f.Related = append(f.Related, rule.Related{Span: at.span, Source: at.in, Message: "the batch size is set here"})
	}
	if node := w.use.Model.Node; node.Valid() && !p.Here(node) && node != w.use.Node { // a step's model stands at its tape
		f.Related = append(f.Related, p.Related(node, rule.Span(node), "the model is built here"))
	}
	if fix, _, ok := smallerBatch(p, w, place, at); ok {
		f.Fixes = []rule.Fix{fix}
	}
	if fix, _, notes, err := accumulated(p, w, place, at, nil); err == nil && len(notes) == 0 && (p.File.Releases().Keras() != 0 || w.use.Method == "step") { // a plan has room for what else is to be said
		f.Fixes = append(f.Fixes, fix)
	}
	p.ReportAs(severity, f)
}

// mayHaveFewer reports whether the program only runs the model, on an array of unknown length, in Keras's
// default batches of 32. Often such an array is a handful of large pictures.
func (w weighing) mayHaveFewer() bool {
	return !trains(w.use) && w.batch == 32 && !w.use.Batch.Lit.Valid() && !w.use.Source.Valid() && slices.ContainsFunc(w.use.Data, graph.DataTerm.Open)
}

// smallerBatch returns the fix by which a run takes the largest batch that fits, and that batch.
func smallerBatch(p *rule.Pass, w weighing, place syntax.Node, at setting) (fixed rule.Fix, n int64, ok bool) {
	largest, unit := w.phase.Largest(w.budget), w.phase.Unit()
	if unit > 1 {
		unit *= w.replicas
	}
	n = rounded(largest, unit)
	fixed = rule.Fix{Applicability: rule.Unsafe, Elsewhere: at.as(n)}
	edit, ok := smaller(p, w, place, n)
	where := ""
	if at.in != nil {
		ok, where = at.free, " ("+at.name+")"
	} else {
		fixed.Edits = []source.Edit{edit}
	}
	_, does := does(w.phase)
	fixed.Message = fmt.Sprintf("%s with a batch of %d%s%s", does, n, where, w.saves((n+w.replicas-1)/w.replicas, w.phase))
	return fixed, n, ok && largest > 0
}

// accumulated returns the fix by which a training processes each batch in parts that fit, the batch that Keras then
// sees, 0 if it sees the whole, and what else is to be said of it.
func accumulated(p *rule.Pass, w weighing, place syntax.Node, at setting, in inModule) (fix rule.Fix, batch int64, notes []string, err error) {
	switch {
	case !w.phase.Trains():
		return fix, 0, nil, errors.New("it is no training")
	case w.use.Method == "step":
		fix, err = accumulateInStep(p, w)
		return fix, 0, nil, err
	case w.phase.Largest(w.budget) == 0:
		return fix, 0, nil, errors.New("not even the smallest batch is sure to fit")
	}
	return accumulate(p, w, place, at, in)
}

// smaller returns the edit that makes a training use batches of a size: in the number, written as a
// number or as a string, in place of what fit is passed to compute it, or as a new argument if the call
// takes arrays and no batch size is passed.
func smaller(p *rule.Pass, w weighing, place syntax.Node, largest int64) (source.Edit, bool) {
	fit := w.use.Node
	switch {
	case place == fit.Child(syntax.FieldFunction):
		computed := names.Argument(fit, map[bool]int{true: 1, false: 2}[w.use.Method == "predict"], "batch_size")
		if n, ok := p.File.Facts().Number(computed, nil).Likely(); ok && int64(n) == w.batch && computed.Kind() == syntax.BinaryOperator && rule.Fixable(fit) {
			return source.Edit{Span: rule.Span(computed), New: fmt.Sprint(largest)}, true
		}
		if !slices.Contains([]string{"fit", "evaluate", "predict"}, w.use.Method) || names.HasSplat(fit) || computed.Valid() || !takesArrays(p, w.use) {
			return source.Edit{}, false
		}
		return oneMore(p, fit, fmt.Sprintf("batch_size=%d", largest))
	case !rule.Fixable(place) || shapesLayers(p.File.Names(), place):
	case place.Kind() == syntax.Integer:
		return source.Edit{Span: rule.Span(place), New: fmt.Sprint(largest)}, true
	case place.Kind() == syntax.String:
		if text := place.Text(); strings.Trim(text, `"'`) == fmt.Sprint(w.batch) && len(text) == len(fmt.Sprint(w.batch))+2 {
			return source.Edit{Span: source.Span{Start: place.Start() + 1, End: place.End() - 1}, New: fmt.Sprint(largest)}, true
		}
	}
	return source.Edit{}, false
}

// takesArrays reports whether Keras makes batches of what a call is passed.
func takesArrays(p *rule.Pass, u *graph.ModelCall) bool {
	return len(u.Arrays) > 0 || p.File.Facts().Kinds(names.Argument(u.Node, 0, "x"), nil).Surely(facts.Array|facts.Tensor)
}

// oneMore returns the edit that appends an argument to a call. ok is false if the call has no
// arguments, or comments among them.
func oneMore(p *rule.Pass, call syntax.Node, argument string) (edit source.Edit, ok bool) {
	var last syntax.Node
	for a := range call.Child(syntax.FieldArguments).Children() {
		if last = a; a.Kind() == syntax.Comment {
			return edit, false
		}
	}
	if !last.Valid() || !rule.Fixable(call) {
		return edit, false
	}
	separator := ", "
	if p.StartsLine(last) {
		separator = "," + p.Newline() + p.IndentOf(last)
	}
	return source.Insert(last.End(), separator+argument), true
}
