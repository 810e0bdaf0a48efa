package memory

import "github.com/tfmem/tfmem/analyzer/memory/executor"

// costs are what a phase needs with other batches on each replica. Each is computed once.
type costs struct {
	known   map[int64]Need  // by the batch
	unit    int64           // 0 if nobody has asked
	largest map[int64]int64 // by the bytes that it fits into
}

func newCosts() *costs { return &costs{known: map[int64]Need{}, largest: map[int64]int64{}} }

// Cost returns what the phase needs with another batch on each replica.
func (p *Phase) Cost(batch int64) (need Need, err error) {
	if need, known := p.costs.known[batch]; known {
		return need, nil
	}
	if err := p.charge(); err != nil {
		return need, err
	}
	need, err = p.cost(batch)
	if err == nil {
		p.costs.known[batch] = need
	}
	return need, err
}

// cost is Cost, computed anew.
func (p *Phase) cost(batch int64) (need Need, err error) {
	err = guarded(func(l *executor.Lowered) error {
		need, err = p.step(l, batch, nil)
		return err
	})
	return need.with(p.Terms(), batch).joining(p.joined()), err
}

// Unit returns the number of which the batches on one replica must be multiples.
func (p *Phase) Unit() int64 {
	if p.costs.unit == 0 {
		unit := Unit(p.Replica, p.Cost)
		if p.pricing.spend(0) != nil {
			return unit // it was interrupted
		}
		p.costs.unit = unit
	}
	return p.costs.unit
}

// Largest returns the largest batch, of all replicas together, that surely fits a budget; 0 if none
// does.
func (p *Phase) Largest(b Budget) int64 {
	if n, known := p.costs.largest[b.Low]; known {
		return n
	}
	var n int64
	if p.making().High <= b.Low { // else no batch is small enough
		unit := p.Unit()
		n = unit * p.Replicas * Largest(p.Replica/unit, MaxBatch/unit, b.Low, func(n int64) (int64, error) {
			need, err := p.Cost(n * unit)
			return need.High, err
		})
	}
	if p.pricing.spend(0) == nil {
		p.costs.largest[b.Low] = n
	}
	return n
}

// making returns what it takes to make the weights of the model before the phase.
func (p *Phase) making() Need {
	m := p.Then
	if p.Use != nil {
		m = p.Use.Model
	}
	return p.pricing.build(m).Need
}

// charge spends what a price of the phase takes.
func (p *Phase) charge() error {
	if t := p.Then.Traced; t != nil {
		return p.pricing.spend(len(t.Traced().Nodes))
	}
	return p.pricing.spend(stepsPerLayer * len(p.Then.Layers()))
}
