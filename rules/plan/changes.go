package plan

import (
	"errors"
	"fmt"
	"slices"

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
	title string
	fix   rule.Fix
	// costs and same say what it costs here, if that is less than the change costs elsewhere.
	costs string
	same  bool
}

// changes are all changes, those first that a person would make first.
var changes = []Change{
	{Name: "arrays-off-gpu", What: "arrays in host memory", Costs: "same numbers, copied batch by batch", Same: true, edit: arraysOffGPU},
	{Name: "validation-batch", What: "smaller validation batches", Costs: "same numbers, slower validation", Same: true, edit: smallerValidation},
	{Name: "accumulation", What: "gradient accumulation", Costs: "same effective batch, slower", closes: true, edit: accumulated},
	{Name: "smaller-batch", What: "a smaller batch", Costs: "another effective batch", closes: true, batches: true, edit: smallerBatch},
	{Name: "without-xla", What: "without XLA", Costs: "same numbers, slower", Same: true, edit: withoutXLA},
	{Name: "xla", What: "XLA", Costs: "same numbers, slower first step", Same: true, edit: withXLA},
	{Name: "mixed-precision", What: "mixed precision", Costs: "another numeric type", edit: mixedPrecision},
	{Name: "rematerialisation", What: "RematScope", Costs: "same numbers, slower", Same: true, edit: rematerialised},
	{Name: "rmsprop", What: "RMSprop", Costs: "another optimizer", edit: optimizer("RMSprop")},
	{Name: "sgd", What: "SGD", Costs: "another optimizer", edit: optimizer("SGD")},
	{Name: "frozen-base", What: "a frozen base", Costs: "the base is not trained", edit: frozen},
	{Name: "global-pooling", What: "global pooling", Costs: "another model", edit: pooled},
	{Name: "several-gpus", What: "MirroredStrategy", Costs: "the batch is split over the GPUs", edit: mirrored},
}

// rank is what a change costs, beside others.
func (c *Change) rank() int {
	return slices.IndexFunc(changes, func(other Change) bool { return other.Name == c.Name })
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
		return make(s, r)
	}
}

var accumulated = of(func(_ *site, r budget.Run) (edit, error) {
	fix, err := r.Accumulated()
	return edit{title: "gradient accumulation", fix: fix}, err
})

var smallerBatch = of(func(_ *site, r budget.Run) (edit, error) {
	p := r.Phase()
	if p.Validates() {
		return edit{}, errors.New("validation needs the most, which can have a batch size of its own")
	}
	fix, n, err := r.Smaller()
	e := edit{title: fmt.Sprintf("batch %d", n), fix: fix}
	if !p.Trains() {
		e.title, e.costs, e.same = e.title+" of "+p.Title(), "same numbers, slower", true
	}
	return e, err
})

var withoutXLA = of(func(_ *site, r budget.Run) (edit, error) {
	fix, err := r.Compiled(false)
	return edit{title: "without XLA", fix: fix}, err
})

var withXLA = of(func(_ *site, r budget.Run) (edit, error) {
	fix, err := r.Compiled(true)
	return edit{title: "XLA", fix: fix}, err
})

var rematerialised = of(func(_ *site, r budget.Run) (edit, error) {
	fix, err := r.Rematerialised()
	return edit{title: "RematScope of activations", fix: fix}, err
})

var frozen = of(func(_ *site, r budget.Run) (edit, error) {
	fix, name, err := r.Frozen()
	return edit{title: "frozen " + name, fix: fix}, err
})

// mixedPrecision sets the policy that saves as much as another and that the GPU computes at full speed.
var mixedPrecision = of(func(_ *site, r budget.Run) (edit, error) {
	fix, err := r.Policy("mixed_float16")
	if err == nil {
		return edit{title: "mixed_float16", fix: fix}, nil
	}
	if fix, other := r.Policy("mixed_bfloat16"); other == nil {
		return edit{title: "mixed_bfloat16", fix: fix}, nil
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
	return edit{title: fmt.Sprintf("MirroredStrategy on %d GPUs", n), fix: rule.Fix{Message: change.Title, Edits: change.Edits}}, err
})

func optimizer(class string) func(*site) (edit, error) {
	return of(func(_ *site, r budget.Run) (edit, error) {
		fixes, classes, err := r.Leaner()
		if err != nil {
			return edit{}, err
		}
		i := slices.Index(classes, class)
		if i < 0 {
			return edit{}, fmt.Errorf("the optimizer keeps no more than %s", class)
		}
		return edit{title: class, fix: fixes[i]}, nil
	})
}

// smallerValidation validates in batches that need no more than the training.
var smallerValidation = of(func(s *site, r budget.Run) (edit, error) {
	p := r.Phase()
	if !p.Validates() {
		return edit{}, errors.New("validation is not what needs the most")
	}
	n := max(1, min(p.Batch/2, p.Largest(s.state.Worst.Budget)/8*8))
	fix, err := r.Validated(n)
	return edit{title: fmt.Sprintf("validation batch %d", n), fix: fix}, err
})

// arraysOffGPU makes the fixes of TFM303.
func arraysOffGPU(s *site) (edit, error) {
	return fixed(s, pipeline.DatasetFromLargeArray, "arrays in host memory", "no large array is copied whole to the GPU, where that can be changed")
}

// pooled makes the fixes of TFM605.
func pooled(s *site) (edit, error) {
	return fixed(s, budget.FlattenDense, "global average pooling", "no Dense layer after a Flatten holds most of the parameters")
}

// fixed makes the first fix of each finding of a rule. Several may need the same import.
func fixed(s *site, r *rule.Rule, title, otherwise string) (edit, error) {
	e := edit{title: title}
	for _, f := range findings(s, r) {
		if len(f.Fixes) == 0 {
			continue
		}
		for _, change := range f.Fixes[0].Edits {
			if !slices.Contains(e.fix.Edits, change) {
				e.fix.Edits = append(e.fix.Edits, change)
			}
		}
	}
	if len(e.fix.Edits) == 0 {
		return e, errors.New(otherwise)
	}
	return e, nil
}

// findings returns the findings of a rule.
func findings(s *site, r *rule.Rule) (found []rule.Finding) {
	rule.Run(r, s.File, &found)
	return found
}
