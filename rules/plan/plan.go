// Package plan finds the cheapest changes of a program by which what it trains fits a GPU.
//
// A plan is a sequence of changes, each an edit of the text. It is priced by the estimate of the edited
// text, so that it promises no more than the estimate of what it leaves. The edits belong to the rules
// that offer them as fixes (packages budget and pipeline); this package knows in which order to try
// them, and what each costs.
//
// It reads and writes no files, and shows nothing.
package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aymanbagabas/go-udiff"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/rule"
)

// A State is a version of the program.
type State struct {
	// File is the version, Worst its model that fits the least, and Need what that needs, in bytes.
	File  *analyzer.File
	Worst estimate.Model
	Need  memory.Need
	// Verdict is that of all of its models together.
	Verdict memory.Verdict

	counted memory.Verdict // beside data of unknown size
	batch   int64          // which another file than this one names; 0 if it does not
}

// A Step is a change that was made.
type Step struct {
	*Change
	// Title says what it does here, as a noun: "mixed_float16", "batch 64".
	Title string
	// Costs and Same are those of the change, unless it costs less here, and Notes what else is to be said.
	Costs string
	Same  bool
	Notes []string

	batch      int64 // which it leaves; 0 if it leaves that
	normalizes bool
}

// A Plan is a sequence of changes after which the program fits, or is as near to that as changes bring it.
type Plan struct {
	Steps []Step
	After *State
	// Edits are those of the file that was planned for, whole lines.
	Edits []source.Edit
	// Elsewhere are those of other files, each file once.
	Elsewhere []rule.Elsewhere
}

// A Refusal is a change that does not help by itself, and why, as a clause.
type Refusal struct {
	*Change
	Title string // empty if it was not made
	Why   string
	After *State // what the program would need; nil if the change cannot be made
}

// Plans are what there is to do.
type Plans struct {
	Before *State
	// Fitting are the plans after which the program fits, the cheapest first.
	Fitting []Plan
	// Refused are the changes that are part of no plan alone, in order of cost.
	Refused []Refusal
	// Bounded is set if more plans were not tried.
	Bounded bool
	// Empty is set if the GPU is not sure to leave TensorFlow anything, so that nothing surely fits it, and no
	// plan was looked for.
	Empty bool
	// Assumes says on which release of Keras the prices and the plans rest, where nothing states it; "" elsewhere.
	Assumes string
}

// The bounds of the search.
const (
	mostSteps    = 3  // of a plan, beside a batch size
	mostAnalyses = 60 // of versions of the text
	mostPlans    = 12
	// leastSaved is the part of the need that a change must save, to be a part of a plan. Less is
	// within the ranges.
	leastSaved = 0.02
	// leastBatch is how many times as large a batch another change must leave, to be worth it.
	leastBatch = 1.5
)

// ErrUnpriced says that nothing that the program trains is priced.
var ErrUnpriced = errors.New("none of its trainings is priced")

// ErrNoGPU says that there is no GPU to fit.
var ErrNoGPU = errors.New("no GPU is known")

// Find looks for plans for a program. The error is that of [Price] or of the context.
func Find(ctx context.Context, file *analyzer.File) (*Plans, error) {
	before, err := Price(ctx, file)
	if err != nil {
		return nil, err
	}
	return before.Plans(ctx)
}

// Plans looks for plans for a program that is priced. The error is that of the context.
func (before *State) Plans(ctx context.Context) (*Plans, error) {
	s := search{ctx: ctx, plans: &Plans{Before: before}}
	if s.plans.Empty = before.Worst.Budget.Low <= 0; before.Fits() || s.plans.Empty {
		return s.plans, nil
	}
	if err := before.File.Do(ctx, func() {
		if before.File.Releases().RunningKeras() == 0 {
			s.plans.Assumes = "Nothing states which Keras runs it: the newest Keras 3 is assumed."
		}
	}); err != nil {
		return nil, err
	}
	start := &node{state: before, source: before.File.Source}
	s.closed(start)
	for level := []*node{start}; len(level) > 0; {
		var next []*node
		for _, n := range level {
			next = append(next, s.extended(n)...)
		}
		level = next
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s.rank()
	return s.plans, nil
}

// Fits reports whether the program fits, beside data of unknown size.
func (s *State) Fits() bool { return s.counted == memory.Fits }

// Price returns a program as it is. The error is ErrUnpriced, ErrNoGPU or that of the context.
func Price(ctx context.Context, file *analyzer.File) (*State, error) { return price(ctx, file, 0) }

// Worse reports whether a program fits less than another one.
func (s *State) Worse(than *State) bool { return worse(s.counted, s.Need, than.counted, than.Need) }

// price returns a version of the program with its worst model.
func price(ctx context.Context, file *analyzer.File, batch int64) (*State, error) {
	models, device, err := estimate.OfContext(ctx, file, estimate.Options{Batch: batch})
	switch {
	case err != nil:
		return nil, err
	case device == nil:
		return nil, ErrNoGPU
	}
	s, why := &State{File: file, batch: batch}, error(ErrUnpriced)
	for _, m := range models {
		if m.Part || !m.Priced() || !m.Used() {
			if len(m.Unresolved) > 0 && !m.Part && why == ErrUnpriced {
				why = fmt.Errorf("%w: %s", ErrUnpriced, m.Unresolved[0])
			}
			continue
		}
		need := m.Total()
		counted := need
		counted.Open = false
		verdict := memory.Judge(counted, m.Budget)
		if s.Worst.Assessment == nil || worse(verdict, need, s.counted, s.Need) {
			s.Worst, s.Need, s.Verdict, s.counted = m, need, memory.Judge(need, m.Budget), verdict
		}
	}
	if s.Worst.Assessment == nil {
		_ = file.Do(ctx, func() {
			if lost := file.Models().Unresolved; len(lost) > 0 && why == ErrUnpriced {
				why = fmt.Errorf("%w: %s", ErrUnpriced, lost[0].Why)
			}
		})
		return nil, why
	}
	return s, nil
}

func worse(a memory.Verdict, need memory.Need, b memory.Verdict, than memory.Need) bool {
	return cmp.Or(slices.Index(estimate.Urgency, a)-slices.Index(estimate.Urgency, b), cmp.Compare(than.Peak, need.Peak)) < 0
}

// A node is a version of the program, and how it came to be.
type node struct {
	state     *State
	source    *source.Source
	steps     []Step
	next      int // the first change that may follow
	elsewhere []other
}

// An other is a version of another file of the program. number is the one that was written there, if nothing else was.
type other struct {
	before, after *source.Source
	number        rule.Elsewhere
}

// edits are those that make the version.
func (o other) edits() rule.Elsewhere {
	if o.number.Source != nil {
		return o.number
	}
	return rule.Elsewhere{Source: o.before, Others: lines(o.before, o.after)}
}

// with returns the versions of other files after edits of one of them.
func with(others []other, e rule.Elsewhere) ([]other, error) {
	for i, o := range others {
		if o.before.Path == e.Source.Path {
			after, err := o.after.Edited(e.Edits())
			others = slices.Clone(others)
			others[i].after, others[i].number = after, rule.Elsewhere{}
			return others, err
		}
	}
	o := other{before: e.Source}
	if e.Number != 0 {
		o.number = e
	}
	after, err := e.Source.Edited(e.Edits())
	o.after = after
	return append(slices.Clip(others), o), err
}

// saves reports whether a version needs less than another one, at the end of its range: that has to fit.
func (n *node) saves(than *node) bool {
	return float64(n.state.Need.High) <= float64(than.state.Need.High)*(1-leastSaved)
}

// A search looks for plans, those of fewer changes first.
type search struct {
	ctx      context.Context
	plans    *Plans
	analyses int
}

// extended returns the versions that one more change makes of one and that do not fit yet.
func (s *search) extended(n *node) (out []*node) {
	for i := n.next; i < len(changes); i++ {
		c := &changes[i]
		if c.closes || len(n.steps) == mostSteps {
			continue
		}
		then, ended := s.try(n, c)
		if ended {
			return out
		}
		if then != nil {
			then.next = i + 1
			s.closed(then)
			out = append(out, then)
		}
	}
	return out
}

// closed tries the changes that are made last, as they depend on what then still does not fit.
func (s *search) closed(n *node) {
	for i := range changes {
		if c := &changes[i]; c.closes {
			if _, ended := s.try(n, c); ended {
				return
			}
		}
	}
}

// try makes a change, and notes the plan or the refusal that it is. It returns the version if that needs
// less and does not fit yet, so that others may follow. The search has ended if ended is set.
func (s *search) try(n *node, c *Change) (then *node, ended bool) {
	then, err := s.change(n, c)
	switch {
	case then == nil && err == nil:
		return nil, true
	case err != nil:
		s.refuse(n, Refusal{Change: c, Why: err.Error()})
	case !c.closes && !then.saves(n):
		s.refuse(n, Refusal{Change: c, Title: then.steps[len(then.steps)-1].Title, Why: "it is not sure to save anything", After: then.state})
	case then.state.Fits():
		s.add(then)
	default:
		s.refuse(n, then.insufficient())
		return then, false
	}
	return nil, false
}

// insufficient says that the last change of a version does not suffice alone.
func (n *node) insufficient() Refusal {
	last := n.steps[len(n.steps)-1]
	why := map[memory.Verdict]string{memory.Tight: "it is still tight", memory.Unknown: "it may not fit still"}[n.state.counted]
	return Refusal{Change: last.Change, Title: last.Title, Why: cmp.Or(why, "it still does not fit"), After: n.state}
}

// refuse notes a change that does not help, if it is tried alone.
func (s *search) refuse(n *node, r Refusal) {
	if len(n.steps) == 0 {
		s.plans.Refused = append(s.plans.Refused, r)
	}
}

// change makes a change. It returns nothing, and no error, where the search is bounded or ended.
func (s *search) change(n *node, c *Change) (*node, error) {
	if s.ctx.Err() != nil {
		return nil, nil
	}
	var e edit
	var err error
	if failed := n.state.File.Do(s.ctx, func() { e, err = c.edit(&site{&rule.Pass{File: n.state.File}, n.state}) }); failed != nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(n.steps) > 0 && s.contains(n.steps, c) {
		return nil, errors.New("fewer changes suffice")
	}
	if s.analyses++; s.analyses > mostAnalyses {
		s.plans.Bounded = true
		return nil, nil
	}
	then := &node{steps: append(slices.Clip(n.steps), Step{c, e.title, cmp.Or(e.costs, c.Costs), c.Same || e.same, e.notes, e.batch, e.normalizes}), elsewhere: n.elsewhere}
	if then.source, err = n.source.Edited(e.edits); err != nil {
		return nil, fmt.Errorf("its edits meet others: %w", err)
	}
	file, batch, config := n.state.File, n.state.batch, n.state.File.Config
	texts := map[string]string{}
	for _, there := range e.elsewhere {
		if then.elsewhere, err = with(then.elsewhere, there); err != nil {
			return nil, fmt.Errorf("its edits meet others: %w", err)
		}
		if there.Number != 0 {
			batch = there.Number
		} else {
			o := then.elsewhere[slices.IndexFunc(then.elsewhere, func(o other) bool { return o.before.Path == there.Source.Path })]
			texts[there.Source.Path] = o.after.Text()
		}
	}
	if len(texts) > 0 {
		config.Workspace = config.Workspace.With(texts)
	}
	if len(e.edits)+len(texts) > 0 {
		file = analyzer.Analyze(then.source, config)
		if file.Tree.Broken() > n.state.File.Tree.Broken() {
			return nil, errors.New("tfmem has a bug: the text would no longer parse")
		}
	}
	if then.state, err = price(s.ctx, file, batch); err != nil {
		return nil, fmt.Errorf("what it would need is not known: %w", err)
	}
	if e.check != nil {
		if err := e.check(then.state); err != nil {
			return nil, err
		}
	}
	return then, nil
}

// contains reports whether some of these changes make a plan already. A smaller batch beside another
// change may be a larger one than it is alone, and so may be parts of a batch that are too small for BatchNormalization.
func (s *search) contains(steps []Step, c *Change) bool {
	return slices.ContainsFunc(s.plans.Fitting, func(p Plan) bool {
		return !slices.ContainsFunc(p.Steps, func(made Step) bool {
			return made.Change == c && (c.batches || made.normalizes && 0 < made.batch && made.batch < leastNormalized) || made.Change != c && !slices.ContainsFunc(steps, func(s Step) bool { return s.Change == made.Change })
		})
	})
}

// add adds a plan that fits, unless it only has about the batch that fewer changes leave.
func (s *search) add(n *node) {
	last := n.steps[len(n.steps)-1]
	if (last.batches || last.normalizes) && slices.ContainsFunc(s.plans.Fitting, func(p Plan) bool {
		before := p.Steps[len(p.Steps)-1]
		return before.Change == last.Change && len(p.Steps) < len(n.steps) && float64(last.batch) < float64(before.batch)*leastBatch
	}) {
		return
	}
	p := Plan{Steps: n.steps, After: n.state, Edits: lines(s.plans.Before.File.Source, n.source)}
	for _, o := range n.elsewhere {
		p.Elsewhere = append(p.Elsewhere, o.edits())
	}
	s.plans.Fitting = append(s.plans.Fitting, p)
}

// lines returns the edits of whole lines, each within a segment, that make one version of a text another.
func lines(before, after *source.Source) (edits []source.Edit) {
	then := after.Segments()
	for i, segment := range before.Segments() {
		for _, e := range udiff.Lines(segment.Raw, then[i].Raw) {
			edits = append(edits, source.Edit{Span: source.Span{Start: before.Offset(i, e.Start), End: before.Offset(i, e.End)}, New: e.New})
		}
	}
	return edits
}

// place is that of a change among the others.
func place(name string) int {
	return slices.IndexFunc(changes, func(c Change) bool { return c.Name == name })
}

// littleBatch is by what the batch must shrink for the plan to rank no better than one that computes in another
// type: training differs as much then, and is slow.
const littleBatch = 4

// batches reports whether a plan leaves another effective batch.
func (p Plan) batches() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.batches && !s.Same })
}

// rank sorts the plans, the cheapest first: by their costliest change, then by the next.
func (s *search) rank() {
	cost := func(p Plan) []int {
		var all []int
		for _, step := range p.Steps {
			r := step.rank()
			if p.batches() && r < place("without-xla") {
				continue // data that lie elsewhere cost nothing beside a smaller batch, and leave a larger one
			}
			little := step.batches && !step.Same && step.batch*littleBatch <= s.plans.Before.Worst.Batch
			if little || step.normalizes && 0 < step.batch && step.batch < leastNormalized {
				all = append(all, max(r, place("rematerialisation")))
			}
			if step.normalizes && 0 < step.batch && step.batch < leastNormalized/2 {
				all = append(all, max(r, place("steps-per-execution")))
			}
			all = append(all, r)
		}
		slices.Sort(all)
		slices.Reverse(all)
		return all
	}
	slices.SortStableFunc(s.plans.Fitting, func(a, b Plan) int {
		larger := 0
		if a.batches() && b.batches() {
			larger = cmp.Compare(b.Batch(s.plans.Before), a.Batch(s.plans.Before))
		}
		return cmp.Or(slices.Compare(cost(a), cost(b)), larger, cmp.Compare(a.After.Need.Peak, b.After.Need.Peak))
	})
	if len(s.plans.Fitting) > mostPlans {
		s.plans.Fitting = s.plans.Fitting[:mostPlans]
	}
	slices.SortStableFunc(s.plans.Refused, func(a, b Refusal) int { return cmp.Compare(a.rank(), b.rank()) })
}
