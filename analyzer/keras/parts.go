package keras

// Parts are the layers that a layer runs inside itself; none for most layers,
// and for a model used as a layer, whose layers are those of Inner.
func (l *Layer) Parts() []*Layer {
	if p, ok := l.spec.(interface{ children() []*Layer }); ok {
		return p.children()
	}
	return nil
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
