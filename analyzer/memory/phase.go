package memory

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A PhaseKind is what a program does with a model in a phase.
type PhaseKind string

const (
	Building   PhaseKind = "build" // makes the weights
	Fitting    PhaseKind = "fit"
	Stepping   PhaseKind = "step" // of the program's own
	Evaluating PhaseKind = "evaluate"
	Predicting PhaseKind = "predict"
)

// PhaseKinds are all of them.
var PhaseKinds = []PhaseKind{Building, Fitting, Stepping, Evaluating, Predicting}

// A Phase is one thing that a program does with a model, with a peak of its own.
type Phase struct {
	Kind PhaseKind
	// Use is the call, nil if the program has none. The validation inside fit has a Use of its own,
	// at the place of the fit.
	Use *graph.ModelCall
	// Then is the model at the time of the phase.
	Then *graph.Model

	Batch int64 // 0 if it is not known
	// Named is set if the batch size comes from the declared shape of the model's inputs.
	Named bool
	// Assumed is set if the program names no batch size. Keras's default of 32 is priced then.
	Assumed bool
	// Replica is the part of the batch on each of the Replicas GPUs.
	Replica, Replicas int64

	// Profile is nil if the phase is not priced. Why says why it cannot be.
	*Profile
	Why *value.Cause

	// trained is the model as it was last trained before the phase, whose optimizer has its slots;
	// nil if it was not.
	trained *graph.Model
	device  Device
	feeds   bool     // see [Place]
	trainer *Trainer // of a training, once it is priced
	played  bool     // the profile has the moments of the step

	pricing *Pricing // that it belongs to
	costs   *costs
}

// kindOf returns the kind of phase that a call is.
func kindOf(u *graph.ModelCall) PhaseKind {
	switch u.Method {
	case "step":
		return Stepping
	case "evaluate", "test_on_batch", "validate":
		return Evaluating
	case "predict", "predict_on_batch":
		return Predicting
	}
	return Fitting
}

// Trains reports whether the phase trains the model, which is compiled.
func (p *Phase) Trains() bool {
	return p.Then.Optimizer != nil && (p.Kind == Fitting || p.Kind == Stepping)
}

// Validates reports whether the phase is the validation inside fit.
func (p *Phase) Validates() bool { return p.Use != nil && p.Use.Method == "validate" }

// Title says what the program does, in words.
func (p *Phase) Title() string {
	switch {
	case p.Kind == Building:
		return "making the weights"
	case p.Validates():
		return "validation in fit"
	case p.Kind == Stepping && p.Then.Own != nil:
		return "one step of " + p.Then.Own.Name
	case p.Use != nil:
		return p.Use.Method
	}
	return string(p.Kind)
}

// Purpose is the kind of the phase as a noun: "Training".
func (p *Phase) Purpose() string {
	switch {
	case p.Trains():
		return "Training"
	case p.Validates():
		return "Validation"
	case p.Kind == Evaluating:
		return "Evaluation"
	}
	return "Prediction"
}

// Priced reports whether it is known what the phase needs.
func (p *Phase) Priced() bool { return p.Profile != nil }

// Node returns the call, or none if the program has none.
func (p *Phase) Node() syntax.Node {
	if p.Use == nil {
		return syntax.Node{}
	}
	return p.Use.Node
}

// newPhase returns a phase with its batch size. u may be nil.
func (pr *Pricing) newPhase(kind PhaseKind, u *graph.ModelCall, then *graph.Model) *Phase {
	at := pr.at
	p := &Phase{Kind: kind, Use: u, Then: then, feeds: at.Feeds, pricing: pr, costs: newCosts()}
	if at.Device != nil {
		p.device = *at.Device
	}
	named := then.NamedBatch()
	if u == nil {
		if p.Replicas, p.Why = then.Replicas(); p.Why != nil {
			return p
		}
		switch {
		case at.Batch > 0:
			p.batch(at.Batch)
		case named > 0:
			p.batch(named)
			p.Named = true
		default:
			p.batch(defaultBatch)
			p.Assumed = true
		}
		return p
	}
	if p.Replicas, p.Why = u.Shared(); p.Why != nil {
		return p
	}
	if n := batchOf(u); n > 0 {
		p.batch(n)
		p.Named = n == named
	} else {
		p.Why = whyNoBatch(u)
	}
	return p
}

// batch sets the batch size of all replicas together.
func (p *Phase) batch(n int64) {
	p.Batch = n
	if p.Replicas > 0 {
		p.Replica = (n + p.Replicas - 1) / p.Replicas
	}
}

// join adds p to the phases, unless one of them is the same call with at least the same need, as in
// another iteration of a loop. It takes the place of one that needs no more.
func (p *Phase) join(phases []*Phase) []*Phase {
	for i, q := range phases {
		switch {
		case q.covers(p):
			return phases
		case p.covers(q):
			phases[i] = p
			return phases
		}
	}
	return append(phases, p)
}

// covers reports whether q is the same call as p and needs no more.
func (p *Phase) covers(q *Phase) bool {
	return p.Use.Node == q.Use.Node && p.like(q) && p.Batch >= q.Batch && (p.Why == nil || q.Why != nil) && p.slots() >= q.slots() &&
		p.data(p.Replica) >= q.data(q.Replica)
}

// like reports whether two phases run the same step on data of the same shapes, whatever the batch.
func (p *Phase) like(q *Phase) bool {
	return p.Kind == q.Kind && p.Then == q.Then && p.Use != nil && q.Use != nil && alike(p.Use, q.Use)
}

// alike reports whether two uses give the model data of the same shapes, whatever the batch.
func alike(u, other *graph.ModelCall) bool {
	return slices.EqualFunc(u.BatchInputs(1), other.BatchInputs(1), func(a, b graph.Input) bool { return slices.Equal(a.Shape, b.Shape) })
}

// slots returns the size of the optimizer's slots beside a phase that does not train.
func (p *Phase) slots() int64 {
	if p.trained == nil {
		return 0
	}
	return Resident(p.trained, p.trained.Optimizer).Optimizer
}

// data returns what lies on the device beside the steps, for a batch on one replica.
func (p *Phase) data(batch int64) int64 { return graph.DataBytes(p.Terms(), batch) }

// Terms returns what lies on the device beside the steps.
func (p *Phase) Terms() []graph.DataTerm {
	switch {
	case p.feeds, p.Use == nil && p.Kind != Building:
		return nil
	case p.Kind == Building:
		return p.Then.Data
	}
	return slices.DeleteFunc(slices.Clone(p.Use.Data), func(t graph.DataTerm) bool { return t.Weight != nil && p.Then.Has(t.Weight) })
}

// joined returns what predict joins once its last step has ended.
func (p *Phase) joined() (n int64) {
	for _, t := range p.Terms() {
		n += t.Joined
	}
	return n
}

// inputs returns the inputs for a batch on one replica.
func (p *Phase) inputs(batch int64) []graph.Input {
	u := p.Use
	if u == nil {
		u = &graph.ModelCall{Model: p.Then}
	}
	return u.BatchInputs(batch)
}

// Price prices the phase, without the moments of its step.
func (p *Phase) Price() error {
	return guarded(func(l *executor.Lowered) error { return p.price(l, false) })
}

// price prices the phase in the memory of l, with the moments of its step if they are wanted.
func (p *Phase) price(l *executor.Lowered, moments bool) error {
	switch {
	case p.Why != nil:
		return p.Why
	case p.Priced() && (p.played || !moments):
		return nil
	}
	if err := p.charge(); err != nil {
		return err
	}
	profile := newProfile()
	played := profile
	if !moments {
		played = nil
	}
	need, err := p.step(l, p.Replica, played)
	if err != nil {
		p.Why = value.From(err)
		if p.Use != nil && p.Why.Shape != nil {
			p.Why.On(p.Use.Source)
		}
		return p.Why
	}
	profile.Need = need
	profile.add(p.Terms(), p.Replica)
	profile.join(p.joined())
	p.Profile, p.played = profile, moments
	p.costs.known[p.Replica] = p.Need
	return nil
}

// AtPeak returns what is in use at the peak of a phase that is priced. A step whose moments nobody
// asked for is played again.
func (p *Phase) AtPeak() executor.Use {
	if !p.played && p.Use != nil {
		_ = guarded(func(l *executor.Lowered) error { return p.price(l, true) })
	}
	return p.Profile.AtPeak()
}

// step prices one step, without the data beside it. Its moments go into to, unless that is nil.
func (p *Phase) step(l *executor.Lowered, batch int64, to *Profile) (Need, error) {
	if why := p.Then.Unsettled(); why != nil {
		return Need{}, why
	}
	if p.Then.Traced != nil && p.Trains() {
		return traced(p.Then, batch, to)
	}
	if !p.Trains() {
		resident := Resident(p.Then, nil)
		resident.Optimizer = p.slots()
		of := predict
		if p.Kind == Evaluating {
			of = evaluate
		}
		return of(p.Then, resident, l, p.inputs(batch), generationOf(p.device), to)
	}
	if p.trainer == nil {
		t, err := NewTrainer(p.Then, p.Then.Optimizer)
		if err != nil {
			return Need{}, err
		}
		p.trainer = t.On(p.device).Among(p.Replicas)
	}
	return p.trainer.need(l, p.inputs(batch), to)
}

// Accumulating returns the training with gradients that are summed over several batches.
func (p *Phase) Accumulating() (*Phase, error) { return p.As(p.Then, p.Then.Optimizer.Accumulating()) }

// As returns the training of a model in another state, or with another optimizer.
func (p *Phase) As(then *graph.Model, o *graph.Optimizer) (*Phase, error) {
	t, err := NewTrainer(then, o)
	if err != nil {
		return nil, err
	}
	other := *p
	other.Then, other.Profile, other.played, other.trainer, other.costs = then, nil, false, t.On(p.device).Among(p.Replicas), newCosts()
	return &other, nil
}

// batchOf returns the batch size of a use, or 0 if it is not known.
func batchOf(u *graph.ModelCall) int64 {
	n, _ := u.Batch.Int()
	return max(n, 0)
}

func whyNoBatch(u *graph.ModelCall) *value.Cause {
	if n, ok := u.Batch.Int(); ok {
		return value.Because(value.WrongType, "a batch size of %d trains nothing", n).On(u.Node)
	}
	if why := u.Batch.Cause(); why != nil {
		return value.Because(value.BatchSize, "the batch size is not known: %s", why).On(u.Node)
	}
	return value.Because(value.WrongType, "the batch size is not an integer").On(u.Node)
}
