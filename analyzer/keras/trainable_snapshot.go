package keras

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A trainableSnapshot is which parts of a model a training trains, and how the model is compiled
// then. Programs freeze a base, train new layers on it, thaw the base, compile again and train
// the whole. The model may be different at the end of the program.
type trainableSnapshot struct {
	optimizer *Optimizer
	compiled  *Compile
	flags     []flag // of the model and of all that it holds, in order
	unsure    *value.Cause
	// on is the value of a flag if it differs from that at the end of the program.
	on map[*bool]bool
}

// A flag is the value of Trainable of a layer or a model, with a pointer to it.
type flag struct {
	of *bool
	on bool
}

// trainableNow returns a snapshot of the model's current state.
func (m *Model) trainableNow() *trainableSnapshot {
	return &trainableSnapshot{optimizer: m.Optimizer, compiled: m.Compiled, flags: m.flags(nil), unsure: m.Unsure()}
}

func (m *Model) flags(to []flag) []flag {
	to = append(to, flag{&m.Trainable, m.Trainable})
	for _, layers := range [][]*Layer{m.Layers(), m.held} {
		for _, l := range layers {
			to = l.flags(to)
		}
	}
	return to
}

func (l *Layer) flags(to []flag) []flag {
	to = append(to, flag{&l.Trainable, l.Trainable})
	if l.Inner != nil {
		return l.Inner.flags(to)
	}
	for _, p := range l.Parts() {
		to = p.flags(to)
	}
	return to
}

// covers reports whether a training in p needs at least what the same training needs in q.
func (p *trainableSnapshot) covers(q *trainableSnapshot) bool {
	if p == q {
		return true
	}
	if p == nil || q == nil || len(p.flags) != len(q.flags) || !p.unsure.Same(q.unsure) || !p.optimizer.like(q.optimizer) || !p.compiled.like(q.compiled) {
		return false
	}
	for i, f := range p.flags {
		if g := q.flags[i]; f.of != g.of || g.on && !f.on {
			return false
		}
	}
	return true
}

// like reports whether steps with these compilations cost the same.
func (c *Compile) like(other *Compile) bool {
	return c == other || c.XLA == other.XLA && c.Eager == other.Eager && c.undecided.Same(other.undecided) && c.Against == other.Against && c.own == nil && other.own == nil &&
		c.Measures == other.Measures && c.Ranks == other.Ranks && c.Splits == other.Splits && c.Differs == other.Differs && slices.Equal(c.Losses, other.Losses)
}

// phased records what a training trains. Keras 3 creates the training function when it is first
// needed after compile. Later changes of trainable have no effect until the next compile
// (keras/src/backend/tensorflow/trainer.py, make_train_function). Keras 2 trains what was
// trainable when the model was compiled (tf_keras/src/engine/training_utils.py,
// RespectCompiledTrainableState).
func (h *host) phased(u *ModelCall) {
	if !u.Trains() || u.Model.Optimizer == nil || u.Model.Compiled == nil {
		return
	}
	if p := u.Model.Compiled.snapshot; p != nil {
		p.optimizer, p.compiled = u.Model.Optimizer, u.Model.Compiled
		u.snapshot = p
		return
	}
	for _, before := range slices.Backward(h.program.Uses) {
		if p := before.snapshot; before.Model == u.Model && p != nil && p.compiled == u.Model.Compiled && !p.compiled.Eager {
			u.snapshot = p
			return
		}
	}
	u.snapshot = u.Model.trainableNow()
	h.interp.Spend(len(u.snapshot.flags))
}

// settle creates the models at the time of trainings, if they differ from those at the end of the
// program.
func (p *Program) settle() {
	found := map[*trainableSnapshot]*Model{}
	for _, u := range p.Uses {
		at, m := u.snapshot, u.Model
		if at == nil {
			continue
		}
		if m.Own != nil {
			at.optimizer = m.Optimizer // of the custom step
		}
		if found[at] == nil {
			found[at] = m.in(at)
		}
		u.then = found[at]
	}
}

// in returns the model in a snapshot's state. That is the model itself if nothing has changed
// since.
func (m *Model) in(at *trainableSnapshot) *Model {
	if at.optimizer == m.Optimizer && at.compiled == m.Compiled && at.unsure.Same(m.Unsure()) && !slices.ContainsFunc(at.flags, func(f flag) bool { return f.on != *f.of }) {
		return m
	}
	at.on = make(map[*bool]bool, len(at.flags))
	for _, f := range at.flags {
		at.on[f.of] = f.on
	}
	then := *m
	then.Optimizer, then.Compiled, then.snapshot, then.Trainable = at.optimizer, at.compiled, at, at.on[&m.Trainable]
	return &then
}

// trains returns Trainable of a layer or a model in the snapshot. It returns the current value if
// p is nil, or does not have it.
func (p *trainableSnapshot) trains(of *bool) bool {
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
	g.snapshot, g.apart = m.snapshot, !xla && (m.Own == nil || m.Own.Compiled)
	g.eager = m.Own == nil && m.Compiled != nil && m.Compiled.Eager
}

// Eager reports whether operations run one by one, in Python's order.
func (g *Graph) Eager() bool { return g.eager }
