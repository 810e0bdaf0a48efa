package memory

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// A Pricing prices what a program does with its models in one place. Each phase, each batch and each
// largest batch is priced once, whoever asks.
type Pricing struct {
	uses   []*graph.ModelCall
	at     Place
	phases map[*graph.ModelCall]*Phase // of the models that were asked for
	models map[*graph.Model]*modelPhases
	spend  func(steps int) error
}

// modelPhases are what a program does with one model.
type modelPhases struct {
	phases []*Phase // without those that another one covers
	build  *Phase   // the creation of its weights
}

// stepsPerLayer is roughly what pricing a layer costs, in steps of an interpreted program.
const stepsPerLayer = 200

// NewPricing prices uses of models. Of at it asks for the device, the batch, and how arrays are fed.
// spend is called with the steps that a price takes before it is computed; an error prevents that. It
// may be nil.
func NewPricing(uses []*graph.ModelCall, at Place, spend func(steps int) error) *Pricing {
	if spend == nil {
		spend = func(int) error { return nil }
	}
	return &Pricing{uses: uses, at: at, phases: map[*graph.ModelCall]*Phase{}, models: map[*graph.Model]*modelPhases{}, spend: spend}
}

// Of returns the phase of a use, or of the validation inside a use. It may not be priced yet.
func (pr *Pricing) Of(u *graph.ModelCall) *Phase {
	pr.of(u.Model)
	p, known := pr.phases[u]
	if !known { // a use of another evaluation of the program
		pr.list([]*graph.ModelCall{u}, u.Model)
		p = pr.phases[u]
	}
	return p
}

// Phases returns the phases of a use alone: its own, and that of the validation inside it.
func (pr *Pricing) Phases(u *graph.ModelCall) []*Phase {
	phases := []*Phase{pr.Of(u)}
	if u.Validation != nil && phases[0].Trains() {
		phases = append(phases, pr.Of(u.Validation))
	}
	return phases
}

// Covered reports whether another phase is the same call as the one of a use with at least the same
// need, as in another iteration of a loop.
func (pr *Pricing) Covered(u *graph.ModelCall) bool {
	return !slices.Contains(pr.of(u.Model).phases, pr.Of(u))
}

// of returns what the program does with a model, in its order. If that is nothing, it is the training
// of a compiled model, or else its prediction.
func (pr *Pricing) of(m *graph.Model) *modelPhases {
	if of, known := pr.models[m]; known {
		return of
	}
	of := &modelPhases{phases: pr.list(pr.uses, m)}
	pr.models[m] = of
	if len(of.phases) == 0 {
		kind := Predicting
		if m.Optimizer != nil {
			kind = Fitting
		}
		of.phases = []*Phase{pr.newPhase(kind, nil, m)}
	}
	return of
}

// list makes the phases of a model's uses. It returns those that no other covers.
func (pr *Pricing) list(uses []*graph.ModelCall, m *graph.Model) (phases []*Phase) {
	var all []*Phase
	var trained *graph.Model
	add := func(p *Phase) {
		pr.phases[p.Use] = p
		all, phases = append(all, p), p.join(phases)
	}
	for _, u := range uses {
		if u.Model != m {
			continue
		}
		p := pr.newPhase(kindOf(u), u, u.ModelAt())
		if p.Trains() {
			trained = p.Then
		} else {
			p.trained = trained
		}
		add(p)
		if v := u.Validation; v != nil && p.Trains() {
			q := pr.newPhase(Evaluating, v, p.Then)
			q.trained = p.Then
			add(q)
		}
	}
	if pr.at.Batch > 0 {
		// It is the batch of the trainings, if there are any.
		trains := slices.ContainsFunc(phases, (*Phase).Trains)
		for _, p := range all {
			if p.Trains() || !trains {
				p.Why, p.Named = nil, false
				p.batch(pr.at.Batch)
			}
		}
	}
	return phases
}

// build returns the phase in which the weights of a model are made.
func (pr *Pricing) build(m *graph.Model) *Phase {
	of := pr.of(m)
	if of.build == nil {
		of.build = building(m, pr.at.Feeds)
	}
	return of.build
}
