package memory

import (
	"github.com/tfmem/tfmem/analyzer/graph"
)

// building returns the phase in which the weights of a model are made.
func building(m *graph.Model) *Phase {
	p := &Phase{Kind: Building, Then: m, Profile: &Profile{Top: -1}}
	n := &p.Need
	m.Weights(func(w *graph.Weight, _ bool) { n.Weights += w.Bytes() })
	n.Peak, n.Low, n.High = n.Weights, n.Weights, n.Weights
	p.add(p.data(0))
	return p
}
