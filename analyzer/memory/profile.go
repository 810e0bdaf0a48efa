package memory

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// A Moment is what is in use while one kernel runs.
type Moment struct {
	Phase executor.Phase
	Layer *graph.Layer // of the kernel; nil for the loss and the update
	Use   executor.Use
}

// A Profile is a Need by layers and over the course of a step.
type Profile struct {
	Need
	// Moments are the moments of the step's kernels, in the order in which they run.
	Moments []Moment
	// Top is the index of the moment with the most bytes in use; -1 if the step runs nothing.
	Top int
	// KeptBy is the bytes of each layer's tensors that stay between the passes.
	KeptBy map[*graph.Layer]int64
}

// AtPeak returns what is in use at the peak.
func (p *Profile) AtPeak() executor.Use {
	if p.Top < 0 {
		return p.resident()
	}
	return p.Moments[p.Top].Use
}

func newProfile() *Profile { return &Profile{Top: -1, KeptBy: map[*graph.Layer]int64{}} }

// keep records which layers made what stays between the passes.
func (p *Profile) keep(b *executor.Builder) {
	for _, kept := range b.Kept {
		p.KeptBy[kept.Writer.Layer] += kept.Size
	}
	for _, extras := range b.Extras {
		for _, e := range extras {
			p.KeptBy[e.Writer.Layer] += e.Size
		}
	}
}

// play simulates a step and returns its peak beside the given resident bytes. It records the
// step's moments, unless p is nil.
func (p *Profile) play(s *executor.Step, resident Need) int64 {
	if p == nil {
		return s.Play(executor.Use{}, nil)
	}
	p.Moments = make([]Moment, 0, len(s.Kernels))
	var most int64
	return s.Play(resident.resident(), func(k *executor.Kernel, use executor.Use) {
		if total := use.Total(); p.Top < 0 || total > most {
			p.Top, most = len(p.Moments), total
		}
		p.Moments = append(p.Moments, Moment{k.Phase, k.Layer, use})
	})
}

// add adds data that is on the device all the time, for a batch.
func (p *Profile) add(terms []graph.DataTerm, batch int64) {
	p.Need = p.with(terms, batch)
	for i := range p.Moments {
		p.Moments[i].Use[executor.Data] += graph.DataBytes(terms, batch)
	}
}

// join adds the end of predict, which joins what it has collected.
func (p *Profile) join(joined int64) {
	before := p.Peak
	if p.Need = p.joining(joined); p.Peak > before && len(p.Moments) > 0 {
		use := p.resident()
		use[executor.Batch] = 0
		last := p.Moments[len(p.Moments)-1].Phase
		p.Top, p.Moments = len(p.Moments), append(p.Moments, Moment{Phase: last, Use: use})
	}
}

// resident returns what is in use all the time.
func (n Need) resident() executor.Use {
	return executor.Use{executor.Weights: n.Weights, executor.States: n.Optimizer, executor.Batch: n.Batch, executor.Data: n.Data}
}
