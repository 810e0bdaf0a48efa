package memory

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Which of a model's uses an assessment is about.

// chooseMainUse finds the use and the batch size to price. If there are several trainings, it
// takes the one with the largest need.
func (a *Assessment) chooseMainUse(uses []*graph.ModelCall, at Place) (why *value.Cause) {
	found := largest(a.Model, uses)
	if len(a.Unresolved) > 0 || a.Model.Unbuilt() != nil {
		if len(found) > 0 {
			a.Use, a.Then = found[0], found[0].ModelAt()
		}
		return nil
	}
	if len(found) == 0 {
		return a.use(nil, at)
	}
	if found[0].Trains() {
		a.Trainings = len(found)
	}
	var most int64
	bare := *a
	for i, u := range found {
		one, need := bare, int64(-1)
		unknown := one.use(u, at)
		if unknown == nil && len(found) > 1 {
			need = one.high()
		}
		if i == 0 || need > most {
			*a, most, why = one, need, unknown
		}
	}
	return why
}

// largest returns the uses of a model that may have the largest need. If there are trainings, it
// returns only those. Among trainings with the same model and data of the same shapes, it returns
// the one with the largest batch.
func largest(m *graph.Model, uses []*graph.ModelCall) (found []*graph.ModelCall) {
	for _, u := range uses {
		if u.Model != m {
			continue
		}
		i := slices.IndexFunc(found, func(other *graph.ModelCall) bool {
			return u.Trains() != other.Trains() || u.ModelAt() == other.ModelAt() && (!u.Trains() || alike(u, other))
		})
		switch {
		case i < 0:
			found = append(found, u)
		case u.Trains() && !found[i].Trains():
			found = []*graph.ModelCall{u}
		case u.Trains() == found[i].Trains() && batchOf(u) > batchOf(found[i]):
			found[i] = u
		}
	}
	return found
}

// alike reports whether two uses give the model data of the same shapes, whatever the batch.
func alike(u, other *graph.ModelCall) bool {
	return slices.EqualFunc(u.BatchInputs(1), other.BatchInputs(1), func(a, b graph.Input) bool { return slices.Equal(a.Shape, b.Shape) })
}

// high returns the most that a training step may need, or 0 if that is not known.
func (a *Assessment) high() int64 {
	if !a.trains() {
		return 0
	}
	t, err := NewTrainer(a.Then, a.Then.Optimizer)
	if err != nil {
		return 0
	}
	if a.Device != nil {
		t.On(*a.Device)
	}
	need, err := t.Among(a.Replicas).Need(a.inputs(a.Replica))
	if err != nil {
		return 0
	}
	return need.High
}

// use finds the batch size of a use, which may be nil.
func (a *Assessment) use(u *graph.ModelCall, at Place) (why *value.Cause) {
	if a.Use = u; u != nil {
		a.Then = u.ModelAt()
	}
	a.Replicas, why = a.Model.Replicas()
	if a.Use != nil {
		a.Replicas, why = a.Use.Shared()
	}
	if why != nil {
		return why
	}
	named := a.Model.NamedBatch()
	switch {
	case at.Batch > 0:
		a.Batch = at.Batch
	case a.Use == nil && named > 0:
		a.Batch = named
	case a.Use == nil:
		a.Batch, a.Assumed = defaultBatch, true
	default:
		if a.Batch = batchOf(a.Use); a.Batch < 1 {
			return whyNoBatch(a.Use)
		}
	}
	a.Named = at.Batch == 0 && a.Batch == named
	a.Replica = (a.Batch + a.Replicas - 1) / a.Replicas
	return nil
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
