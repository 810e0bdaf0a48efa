package plan

import (
	"errors"
	"fmt"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/pipeline"
	"github.com/tfmem/tfmem/rules/rewrite"
	"github.com/tfmem/tfmem/rules/rule"
)

// A Change is one kind of change. Its place in [changes] is what it costs, beside others.
type Change struct {
	Name string // such as "smaller-batch"
	What string // the same in words: "a smaller batch"
	// Costs says what it costs, as a clause.
	Costs string
	// Same is set if the program computes the same numbers, beside rounding and order.
	Same bool

	closes  bool // it is made after all others, as it depends on what then does not fit
	batches bool // it chooses the largest batch that fits
	edit    func(*site) (edit, error)
}

// A site is a version of a program, at which a change is made.
type site struct {
	*rule.Pass
	state *State
}

// An edit is a change of a text.
type edit struct {
	title     string
	edits     []source.Edit
	elsewhere []rule.Elsewhere // in other files
	// costs and same say what it costs here, if that is less than the change costs elsewhere.
	costs string
	same  bool
	notes []string // what else it costs here, or needs, as clauses
	batch int64    // which it leaves; 0 if it leaves that
	// normalizes is set if BatchNormalization sees what is left of a batch.
	normalizes bool
	// check says what is wrong with the version that the edits make; nil if nothing can be.
	check func(then *State) error
}

// changes are all changes, those first that a person would make first. Those that leave both the numbers and the
// batch as they are come before a smaller batch, unless they ask for XLA, which a program may not bear.
var changes = []Change{
	{Name: "arrays-off-gpu", What: "arrays in host memory", Costs: "same numbers, copied batch by batch", Same: true, edit: arraysOffGPU},
	{Name: "validation-batch", What: "smaller validation batches", Costs: "same numbers, slower validation", Same: true, edit: smallerValidation},
	{Name: "without-xla", What: "without XLA", Costs: "same numbers, slower without XLA", Same: true, edit: withoutXLA},
	{Name: "accumulation", What: "gradient accumulation", Costs: "same effective batch, slower", closes: true, edit: accumulated},
	{Name: "smaller-batch", What: "a smaller batch", Costs: "another effective batch", closes: true, batches: true, edit: smallerBatch},
	{Name: "xla", What: "XLA", Costs: "same numbers, slower first step", Same: true, edit: withXLA},
	{Name: "mixed-precision", What: "mixed precision", Costs: "another numeric type", edit: mixedPrecision},
	{Name: "rematerialisation", What: "RematScope", Costs: "same numbers, activations computed twice", Same: true, edit: rematerialised},
	{Name: "rmsprop", What: "RMSprop", Costs: "another optimizer and learning rate", edit: optimizer("RMSprop")},
	{Name: "sgd", What: "SGD", Costs: "another optimizer and learning rate", edit: optimizer("SGD")},
	{Name: "lora", What: "LoRA", Costs: "little of the base is trained", edit: lowRank},
	{Name: "frozen-base", What: "a frozen base", Costs: "the base is not trained", edit: frozen},
	{Name: "steps-per-execution", What: "steps_per_execution", Costs: "same numbers", Same: true, edit: stepsTogether},
	{Name: "global-pooling", What: "global pooling", Costs: "another model", edit: pooled},
	{Name: "smaller-pictures", What: "smaller pictures", Costs: "pictures with less detail", closes: true, edit: smallerPictures},
	{Name: "several-gpus", What: "MirroredStrategy", Costs: "the batch is split over the GPUs", edit: mirrored},
}

// rank is what a change costs, beside others.
func (c *Change) rank() int {
	return place(c.Name)
}

// run returns the run that needs the most.
func (s *site) run() (budget.Run, error) {
	main := s.state.Worst.Main()
	if main == nil || main.Use == nil {
		return budget.Run{}, errors.New("the program does not say how it is run")
	}
	return budget.RunOf(s.Pass, main.Use)
}

// of makes a change of the run that needs the most.
func of(make func(s *site, r budget.Run) (edit, error)) func(*site) (edit, error) {
	return func(s *site) (edit, error) {
		r, err := s.run()
		if err != nil {
			return edit{}, err
		}
		e, err := make(s, r)
		e.elsewhere = append(e.elsewhere, r.Elsewhere()...)
		return e, err
	}
}

// also returns what a fix writes in another file.
func also(e rule.Elsewhere) []rule.Elsewhere {
	if e.Source == nil {
		return nil
	}
	return []rule.Elsewhere{e}
}

// needs notes the release of Keras that a change needs, where nothing states which runs the program.
func (s *site) needs(keras string) []string {
	if s.File.Releases().RunningKeras() != 0 {
		return nil
	}
	return []string{needsWord + "Keras " + keras}
}

// needsWord begins a note of what a plan needs.
const needsWord = "needs "

// smallBatches says what smaller batches mean for BatchNormalization.
const smallBatches = "BatchNormalization sees smaller batches"

// leastNormalized is a batch whose statistics say little: with fewer examples, BatchNormalization trains otherwise,
// and with less than half of them hardly at all.
const leastNormalized = 8

var accumulated = of(func(s *site, r budget.Run) (edit, error) {
	fix, batch, notes, err := r.Accumulated()
	e := edit{title: "gradient accumulation", edits: fix.Edits, elsewhere: also(fix.Elsewhere), notes: notes, batch: batch}
	if batch > 0 {
		e.check, e.notes = follows(r.Phase(), batch), append(e.notes, s.needs("3")...)
	}
	if r.Normalizes() {
		e.notes = append(e.notes, smallBatches)
		e.normalizes = true
	}
	return e, err
})

// follows checks that a run has another batch than before, or is no longer what needs the most.
func follows(before *memory.Phase, batch int64) func(*State) error {
	return func(then *State) error {
		if now := then.Worst.Main(); now != nil && now.Kind == before.Kind && now.Batch == before.Batch && now.Batch > batch {
			return fmt.Errorf("a training with a batch of %d is left", now.Batch)
		}
		return nil
	}
}

var smallerBatch = of(func(_ *site, r budget.Run) (edit, error) {
	p := r.Phase()
	if p.Validates() {
		return edit{}, errors.New("validation needs the most, which can have a batch size of its own")
	}
	fix, n, err := r.Smaller()
	e := edit{title: fmt.Sprintf("batch %d", n), edits: fix.Edits, elsewhere: also(fix.Elsewhere), batch: n}
	changed := 1
	for _, other := range r.Alike() {
		if fix, _, err := other.Smaller(); err == nil {
			e.edits, e.elsewhere = append(e.edits, fix.Edits...), append(e.elsewhere, also(fix.Elsewhere)...)
			changed++
		}
	}
	if changed > 1 {
		e.notes = append(e.notes, fmt.Sprintf("%d trainings get smaller batches", changed))
	}
	e.check = follows(p, n)
	if r.Normalizes() {
		e.notes = append(e.notes, smallBatches)
		e.normalizes = true
	}
	if shared := r.Shared(); p.Trains() && shared > 1 {
		e.notes = append(e.notes, fmt.Sprintf("%d trainings have this batch size", shared))
	}
	if counts := r.Counts(); counts != "" {
		e.notes = append(e.notes, counts)
	}
	if !p.Trains() {
		e.title, e.costs, e.same = e.title+" of "+p.Title(), "same numbers, slower", true
	}
	return e, err
})

var withoutXLA = compiled(false, "without XLA")

var withXLA = compiled(true, "XLA")

func compiled(xla bool, title string) func(*site) (edit, error) {
	return of(func(_ *site, r budget.Run) (edit, error) {
		edits, needs, err := r.Compiled(xla)
		e := edit{title: title, edits: edits}
		if needs != "" {
			e.notes = append(e.notes, needs)
		}
		return e, err
	})
}

var rematerialised = of(func(s *site, r budget.Run) (edit, error) {
	edits, err := r.Rematerialised()
	return edit{title: "RematScope of activations", edits: edits, notes: s.needs("3.9")}, err
})

var frozen = of(func(_ *site, r budget.Run) (edit, error) {
	name, edits, err := r.Frozen()
	return edit{title: "frozen " + name, edits: edits}, err
})

var smallerPictures = of(func(_ *site, r budget.Run) (edit, error) {
	edits, size, err := r.SmallerPictures()
	_, before, _ := budget.Pictures(r.Phase())
	check := func(then *State) error {
		if now, returned, ok := budget.Pictures(then.Worst.Main()); !ok || now != size || returned != before {
			return errors.New("its data and its model do not both follow the numbers that set their size")
		}
		return nil
	}
	return edit{title: "pictures of " + size.String(), edits: edits, check: check}, err
})

var lowRank = of(func(s *site, r budget.Run) (edit, error) {
	name, edits, err := r.LowRank()
	return edit{title: fmt.Sprintf("LoRA of %s, rank %d", name, budget.Rank), edits: edits, notes: s.needs("3")}, err
})

// mixedPrecision sets the policy that saves as much as another and that the GPU computes at full speed.
var mixedPrecision = of(func(_ *site, r budget.Run) (edit, error) {
	edits, err := r.Policy("mixed_float16")
	if err == nil {
		return edit{title: "mixed_float16", edits: edits}, nil
	}
	if edits, other := r.Policy("mixed_bfloat16"); other == nil {
		return edit{title: "mixed_bfloat16", edits: edits}, nil
	}
	return edit{}, err
})

// mirrored trains on all GPUs that are there.
var mirrored = of(func(s *site, r budget.Run) (edit, error) {
	n := len(s.File.Devices())
	if n < 2 {
		return edit{}, errors.New("only one GPU is there")
	}
	change, err := rewrite.MirroredStrategy.Check(&rewrite.Place{Pass: s.Pass, Span: rule.Span(r.Phase().Node())})
	return edit{title: fmt.Sprintf("MirroredStrategy on %d GPUs", n), edits: change.Edits}, err
})

func optimizer(class string) func(*site) (edit, error) {
	return of(func(_ *site, r budget.Run) (edit, error) {
		edits, err := r.Leaner(class)
		return edit{title: class, edits: edits}, err
	})
}

// smallerValidation validates in batches that need no more than the training.
var smallerValidation = of(func(s *site, r budget.Run) (edit, error) {
	p := r.Phase()
	if !p.Validates() {
		return edit{}, errors.New("validation is not what needs the most")
	}
	n := max(1, min(p.Batch/2, p.Largest(s.state.Worst.Budget)/8*8))
	edits, err := r.Validated(n)
	return edit{title: fmt.Sprintf("validation batch %d", n), edits: edits}, err
})

// stepsTogether changes no program. A function that runs several steps runs them one after another
// (keras/src/backend/tensorflow/trainer.py, multi_step_on_iterator), so that steps_per_execution saves time
// alone: testdata/plan/record_steps.py records that.
func stepsTogether(*site) (edit, error) {
	return edit{}, errors.New("several steps of one execution need no less than one")
}

// arraysOffGPU keeps the data in host memory of which each part is worth a change.
var arraysOffGPU = of(func(s *site, r budget.Run) (edit, error) {
	edits, err := pipeline.OffGPU(s.Pass, max(1, int64(float64(s.state.Need.Peak)*leastSaved/2)), r.In)
	return edit{title: "arrays in host memory", edits: edits}, err
})

// pooled makes what TFM605 shows.
var pooled = of(func(_ *site, r budget.Run) (edit, error) {
	edits, err := r.Pooled()
	return edit{title: "global average pooling", edits: edits}, err
})
