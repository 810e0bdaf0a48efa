package keras

import (
	"fmt"
	"slices"
)

// A nesting is how many layers something is made of, those that stand in several places
// counted in each, and how many are within each other. Whatever goes through the layers of
// a model goes through so many: m = Sequential([m, m]), forty times, has 2⁴⁰. A layer
// therefore only gets into a model where the model stays within bounds.
type nesting struct{ layers, deep int }

// mostInside bounds how many layers a layer or a model is made of, and mostNested how many
// may be within each other. Python allows some 100: each level is eight of its 1,000 calls
// within each other (keras/src/utils/traceback_utils.py, keras/src/layers/layer.py and
// keras/src/ops/operation.py, __call__, for one).
const (
	mostInside = 50_000
	mostNested = 200
)

// excess is why there is no going through so many layers, or empty.
func (e nesting) excess() string {
	switch {
	case e.layers > mostInside:
		return fmt.Sprintf("it holds more than %d layers, which is too many to follow", mostInside)
	case e.deep > mostNested:
		return fmt.Sprintf("it holds layers within layers, more than %d deep, which is too deep to follow", mostNested)
	}
	return ""
}

// with is the nesting of what holds a layer beside e.
func (e nesting) with(l *Layer) nesting {
	inner := l.nesting()
	return nesting{min(e.layers+inner.layers, mostInside+1), max(e.deep, inner.deep)}
}

func (l *Layer) nesting() nesting {
	e := nesting{}
	if l.Inner != nil {
		e = l.Inner.parts
	} else if p, ok := l.spec.(parent); ok {
		for _, c := range p.children() {
			e = e.with(c)
		}
	}
	return nesting{min(e.layers+1, mostInside+1), min(e.deep+1, mostNested+1)}
}

// tooMany notes where layers are more than can be followed.
func (r *argParser) tooMany(keyword string, layers []*Layer) bool {
	e := nesting{}
	for _, l := range layers {
		e = e.with(l)
	}
	if why := e.excess(); why != "" {
		r.fail(keyword, why)
		return true
	}
	return false
}

// takes tells whether a layer may get into a model, beside the parts that it has, and notes
// why not.
func (m *Model) takes(parts *nesting, l *Layer) bool {
	e := parts.with(l)
	if why := e.excess(); why != "" {
		m.unresolved(why)
		return false
	}
	*parts = e
	l.heldBy(m)
	return true
}

// heldBy notes in the models that a layer runs that another holds them.
func (l *Layer) heldBy(m *Model) {
	if l.Inner != nil {
		if !slices.Contains(l.Inner.holders, m) {
			l.Inner.holders = append(l.Inner.holders, m)
		}
	} else if p, ok := l.spec.(parent); ok {
		for _, c := range p.children() {
			c.heldBy(m)
		}
	}
}

// grow gives a model the nesting of its parts, and those that hold it theirs. What is too
// large then loses its layers.
func (m *Model) grow(parts nesting) {
	if parts == m.parts {
		return
	}
	m.parts = parts
	for _, h := range m.holders {
		layers, whole := slices.Concat(h.Layers(), h.held), nesting{}
		if h.by != nil {
			h.by.Work(len(layers) / 8)
		}
		for _, l := range layers {
			whole = whole.with(l)
		}
		if why := whole.excess(); why != "" {
			h.unresolved(why)
			h.stack, h.nodes, h.held, h.Outputs = nil, nil, nil, nil
			whole = nesting{}
		}
		h.grow(whole)
	}
}
