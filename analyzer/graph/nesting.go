package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A Nesting is the number of layers in something, with repeated ones counted each time, and their
// nesting depth. A traversal of a model's layers visits that many: m = Sequential([m, m]), forty
// times, has 2⁴⁰. A model therefore only accepts a layer that keeps it within bounds.
type Nesting struct{ layers, deep int }

// mostInside bounds the layers in a layer or model, and mostNested their nesting depth. Python
// allows a depth of some 100: each level takes eight of its 1,000 nested calls
// (keras/src/utils/traceback_utils.py, keras/src/layers/layer.py and keras/src/ops/operation.py,
// __call__, for one).
const (
	mostInside = 50_000
	mostNested = 200
)

// Excess says why so many layers are not traversed, or returns nil.
func (e Nesting) Excess() *value.Cause {
	switch {
	case e.layers > mostInside:
		return value.Because(value.TooLong, "it holds more than %d layers, which is too many to follow", mostInside)
	case e.deep > mostNested:
		return value.Because(value.TooLong, "it holds layers within layers, more than %d deep, which is too deep to follow", mostNested)
	}
	return nil
}

// With returns the nesting with another layer added.
func (e Nesting) With(l *Layer) Nesting {
	inner := l.Nesting()
	return Nesting{min(e.layers+inner.layers, mostInside+1), max(e.deep, inner.deep)}
}

func (l *Layer) Nesting() Nesting {
	e := Nesting{}
	if l.Inner != nil {
		e = l.Inner.parts
	} else {
		for _, c := range l.Parts() {
			e = e.With(c)
		}
	}
	return Nesting{min(e.layers+1, mostInside+1), min(e.deep+1, mostNested+1)}
}

// Takes reports whether a model accepts a layer beside its parts, and records why not.
func (m *Model) Takes(parts *Nesting, l *Layer) bool {
	e := parts.With(l)
	if why := e.Excess(); why != nil {
		m.AddUnresolved(why)
		return false
	}
	*parts = e
	l.heldBy(m)
	return true
}

// heldBy records, in the models that a layer runs, that m holds them.
func (l *Layer) heldBy(m *Model) {
	if l.Inner == nil {
		for _, c := range l.Parts() {
			c.heldBy(m)
		}
	} else if !slices.Contains(l.Inner.holders, m) {
		l.Inner.holders = append(l.Inner.holders, m)
	}
}

// Grow sets the nesting of a model, and updates the models that hold it. A model that becomes too
// large loses its layers.
func (m *Model) Grow(parts Nesting) {
	if parts == m.parts {
		return
	}
	m.parts = parts
	for _, h := range m.holders {
		layers, whole := slices.Concat(h.Layers(), h.Held), Nesting{}
		if h.By != nil {
			h.By.Work(len(layers) / 8)
		}
		for _, l := range layers {
			whole = whole.With(l)
		}
		if why := whole.Excess(); why != nil {
			h.AddUnresolved(why)
			h.Stack, h.Nodes, h.Held, h.Outputs = nil, nil, nil, nil
			whole = Nesting{}
		}
		h.Grow(whole)
	}
}

// AddInside adds the models that a model has as layers, at any depth, to a set.
func (m *Model) AddInside(set map[*Model]bool) {
	for _, l := range m.Layers() {
		if l.Inner != nil && !set[l.Inner] {
			set[l.Inner] = true
			l.Inner.AddInside(set)
		}
	}
}
