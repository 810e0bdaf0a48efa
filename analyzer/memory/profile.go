package memory

import "github.com/tfmem/tfmem/analyzer/graph"

// A Kind is what memory is used for.
type Kind uint8

const (
	Temporaries Kind = iota // gradients on their way back, and what lives for one kernel
	Weights
	States      // of the optimizer
	Batch       // the data of the step
	Activations // outputs of layers, and what their gradients read
	Gradients   // of the weights
	kinds
)

func (k Kind) String() string {
	return [...]string{"temporaries", "weights", "optimizer", "batch", "activations", "gradients"}[k]
}

// Kinds lists all kinds, the resident ones first.
var Kinds = []Kind{Weights, States, Batch, Activations, Gradients, Temporaries}

// A Use is the bytes in use of each kind.
type Use [kinds]int64

// Total returns the bytes in use of all kinds.
func (u Use) Total() int64 {
	var sum int64
	for _, n := range u {
		sum += n
	}
	return sum
}

// A Phase is a part of a training step.
type Phase uint8

const (
	Update Phase = iota // the optimizer's; parts of it run before all others
	Forward
	Backward
)

func (p Phase) String() string { return [...]string{"update", "forward", "backward"}[p] }

// A Moment is what is in use while one kernel runs.
type Moment struct {
	Phase Phase
	Layer *graph.Layer // of the kernel; nil for the loss and the update
	Use   Use
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

	brief bool   // only lines is filled in
	lines []line // if brief, the bytes in use at each moment, as the far ends of lines
}

// AtPeak returns what is in use at the peak.
func (p *Profile) AtPeak() Use {
	if p.Top < 0 {
		return p.resident()
	}
	return p.Moments[p.Top].Use
}

// ProfileTraining is Training with the course of the step.
func ProfileTraining(m *graph.Model, optimizer *graph.Optimizer, inputs []graph.Input) (*Profile, error) {
	t, err := NewTrainer(m, optimizer)
	if err != nil {
		return nil, err
	}
	l := unused.Get().(*lowered)
	defer l.free()
	p := newProfile()
	p.Need, err = t.need(l, inputs, p)
	return p, err
}

func newProfile() *Profile { return &Profile{Top: -1, KeptBy: map[*graph.Layer]int64{}} }

// keep records which layers made what stays between the passes.
func (p *Profile) keep(b *builder) {
	for _, kept := range b.kept {
		p.KeptBy[kept.writer.layer] += kept.size
	}
	for _, extras := range b.extras {
		for _, e := range extras {
			p.KeptBy[e.writer.layer] += e.size
		}
	}
}

// play simulates a step and returns its peak beside the given resident bytes. It records the
// step's moments, unless p is nil.
func (p *Profile) play(s *step, resident Need) int64 {
	if p == nil {
		return s.play(Use{}, nil)
	}
	if p.brief {
		p.lines = make([]line, 0, len(s.kernels))
		return s.play(resident.resident(), func(_ *kernel, use Use) { p.lines = append(p.lines, line{to: use.Total()}) })
	}
	p.Moments = make([]Moment, 0, len(s.kernels))
	var most int64
	return s.play(resident.resident(), func(k *kernel, use Use) {
		if total := use.Total(); p.Top < 0 || total > most {
			p.Top, most = len(p.Moments), total
		}
		p.Moments = append(p.Moments, Moment{k.phase, k.layer, use})
	})
}

// resident returns what is in use all the time.
func (n Need) resident() Use {
	return Use{Weights: n.Weights, States: n.Optimizer, Batch: n.Batch}
}
