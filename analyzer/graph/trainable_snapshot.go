package graph

import (
	"maps"
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A TrainableSnapshot is which parts of a model a training trains, and how the model is compiled
// then. Programs freeze a base, train new layers on it, thaw the base, compile again and train
// the whole. The model may be different at the end of the program.
type TrainableSnapshot struct {
	Optimizer *Optimizer
	Compiled  *Compile
	Flags     []flag // of the model and of all that it holds, in order
	unsure    *value.Cause
	// on is the value of a flag if it differs from that at the end of the program.
	on map[*bool]bool
}

// A flag is the value of Trainable of a layer or a model, or whether a layer is quantized, with a
// pointer to it.
type flag struct {
	of *bool
	on bool
}

// TrainableNow returns a snapshot of the model's current state.
func (m *Model) TrainableNow() *TrainableSnapshot {
	return &TrainableSnapshot{Optimizer: m.Optimizer, Compiled: m.Compiled, Flags: m.flags(nil), unsure: m.Unsure()}
}

func (m *Model) flags(to []flag) []flag {
	to = append(to, flag{&m.Trainable, m.Trainable})
	for _, layers := range [][]*Layer{m.Layers(), m.Held} {
		for _, l := range layers {
			to = l.flags(to)
		}
	}
	return to
}

func (l *Layer) flags(to []flag) []flag {
	to = append(to, flag{&l.Trainable, l.Trainable})
	if l.Quantizable() {
		to = append(to, flag{&l.isLow, l.isLow})
	}
	if l.Inner != nil {
		return l.Inner.flags(to)
	}
	for _, p := range l.Parts() {
		to = p.flags(to)
	}
	return to
}

// Covers reports whether a training in p needs at least what the same training needs in q.
func (p *TrainableSnapshot) Covers(q *TrainableSnapshot) bool {
	if p == q {
		return true
	}
	if p == nil || q == nil || len(p.Flags) != len(q.Flags) || !p.unsure.Same(q.unsure) || !p.Optimizer.like(q.Optimizer) || !p.Compiled.like(q.Compiled) {
		return false
	}
	for i, f := range p.Flags {
		if g := q.Flags[i]; f.of != g.of || g.on && !f.on {
			return false
		}
	}
	return true
}

// like reports whether steps with these compilations cost the same.
func (c *Compile) like(other *Compile) bool {
	return c == other || c.XLA == other.XLA && c.Eager == other.Eager && c.Undecided.Same(other.Undecided) && c.Against == other.Against && c.Own == nil && other.Own == nil &&
		c.Measures == other.Measures && c.Ranks == other.Ranks && c.Splits == other.Splits && c.Differs == other.Differs && slices.Equal(c.Losses, other.Losses)
}

// Settle creates the models at the time of trainings, if they differ from those at the end of the
// program.
func (p *Program) Settle() {
	found := map[*TrainableSnapshot]*Model{}
	for _, u := range p.Uses {
		at, m := u.Snapshot, u.Model
		if at == nil {
			continue
		}
		if m.Own != nil {
			at.Optimizer = m.Optimizer // of the custom step
		}
		if found[at] == nil {
			found[at] = m.in(at)
		}
		u.then = found[at]
	}
}

// in returns the model in a snapshot's state. That is the model itself if nothing has changed
// since.
func (m *Model) in(at *TrainableSnapshot) *Model {
	if at.Optimizer == m.Optimizer && at.Compiled == m.Compiled && at.unsure.Same(m.Unsure()) && !slices.ContainsFunc(at.Flags, func(f flag) bool { return f.on != *f.of }) {
		return m
	}
	at.on = make(map[*bool]bool, len(at.Flags))
	for _, f := range at.Flags {
		at.on[f.of] = f.on
	}
	then := *m
	then.Optimizer, then.Compiled, then.snapshot, then.Trainable = at.Optimizer, at.Compiled, at, at.on[&m.Trainable]
	return &then
}

// Frozen returns the model with a part of it frozen, as part.trainable = False does.
func (m *Model) Frozen(part *Model) *Model {
	at := m.TrainableNow()
	if m.snapshot != nil {
		*at = *m.snapshot
	}
	at.on = maps.Clone(at.on)
	if at.on == nil {
		at.on = map[*bool]bool{}
	}
	at.on[&part.Trainable] = false
	part.eachLayer(func(l *Layer) {
		at.on[&l.Trainable] = false
		if l.Inner != nil {
			at.on[&l.Inner.Trainable] = false
		}
	})
	then := *m
	then.snapshot = at
	return &then
}

// frozen returns a snapshot in which no layer of some calls is trained, but those with such weights.
func (p *TrainableSnapshot) frozen(nodes []*Node, but func(*Weight) bool) *TrainableSnapshot {
	at := &TrainableSnapshot{}
	if p != nil {
		*at = *p
	}
	if at.on = maps.Clone(at.on); at.on == nil {
		at.on = map[*bool]bool{}
	}
	for _, n := range nodes {
		n.Layer.freeze(at.on, but)
	}
	return at
}

func (l *Layer) freeze(on map[*bool]bool, but func(*Weight) bool) {
	if !slices.ContainsFunc(l.Weights, but) {
		on[&l.Trainable] = false
	}
	parts := l.Parts()
	if l.Inner != nil {
		parts = l.Inner.Layers()
	}
	for _, part := range parts {
		part.freeze(on, but)
	}
}

// Trains returns a flag, such as Trainable of a layer or a model, in the snapshot. It returns the
// current value if p is nil, or does not have it.
func (p *TrainableSnapshot) Trains(of *bool) bool {
	if p != nil {
		if on, ok := p.on[of]; ok {
			return on
		}
	}
	return *of
}

// In sets the model, and its state in a training, that runs the operations, and so whether they
// run eagerly. For a custom step, [Step.Lower] sets that.
func (g *Graph) In(m *Model) {
	xla, _ := m.XLA()
	g.Snapshot, g.Apart = m.snapshot, !xla && (m.Own == nil || m.Own.Compiled)
	g.Eagerly = m.Own == nil && m.Compiled != nil && m.Compiled.Eager
}
