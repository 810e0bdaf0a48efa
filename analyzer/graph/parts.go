package graph

import "slices"

// Parts returns the layers that a layer runs inside itself. It is nil for most layers, and for a
// model used as a layer; its layers are those of Inner.
func (l *Layer) Parts() []*Layer {
	if p, ok := l.Impl.(Parent); ok {
		return p.Children()
	}
	return nil
}

// Holds reports whether a layer is another one, or contains it. seen are the layers that were
// visited already; it may be nil.
func (l *Layer) Holds(other *Layer, seen map[*Layer]bool) bool {
	if l == other {
		return true
	}
	inside := l.Parts()
	if l.Inner != nil {
		inside = slices.Concat(l.Inner.Layers(), l.Inner.Held)
	}
	if seen == nil && len(inside) > 0 {
		seen = map[*Layer]bool{}
	}
	for _, p := range inside {
		if !seen[p] {
			seen[p] = true
			if p.Holds(other, seen) {
				return true
			}
		}
	}
	return false
}

// EachWeight visits the weights of a layer and of all layers inside it.
func (l *Layer) EachWeight(visit func(*Weight)) {
	if l.Inner != nil {
		l.Inner.Weights(func(w *Weight, _ bool) { visit(w) })
		return
	}
	for _, w := range l.Weights {
		visit(w)
	}
	for _, p := range l.Parts() {
		p.EachWeight(visit)
	}
}
