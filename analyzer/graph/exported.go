package graph

// sealed adds what a frozen model needs that is loaded as a function. A tape watches the variables
// that the function reads, whether the layer around it is frozen or not. So the function returns
// all that its gradient would read, and that is freed only when it has returned
// (tensorflow/python/eager/polymorphic_function/concrete_function.py, _call_flat).
func (m *Model) sealed(g *Graph, in, out []*Tensor) ([]*Tensor, error) {
	if g.Snapshot.Trains(&m.Trainable) {
		return out, nil // they are kept for the gradient
	}
	thawed := &TrainableSnapshot{on: map[*bool]bool{}}
	for _, f := range m.flags(nil) {
		thawed.on[f.of] = true
	}
	watched := &Graph{Trains: true, Snapshot: thawed, By: g.By}
	for _, t := range in {
		watched.Inputs = append(watched.Inputs, &Tensor{Shape: t.Shape, DType: t.DType})
	}
	if _, err := m.Lower(watched, watched.Inputs); err != nil {
		return nil, err
	}
	bytes, counted := int64(0), map[*Tensor]bool{}
	for _, t := range watched.Inputs {
		counted[t] = true
	}
	for _, op := range watched.Ops {
		for _, t := range op.Kept() {
			if t = t.buffer(); !counted[t] {
				counted[t] = true
				bytes += t.Bytes()
			}
		}
		for _, n := range op.Extra {
			bytes += n
		}
		bytes += op.KeptCast()
	}
	returned, op := g.Add(OpLoaded, out[:1], out[0].Shape, out[0].DType)
	op.InPlace, op.ForwardTemp = true, bytes
	return append([]*Tensor{returned}, out[1:]...), nil
}

// buffer is the tensor that holds the elements of a view.
func (t *Tensor) buffer() *Tensor {
	for t.From != nil && t.From.View {
		t = t.From.In[0]
	}
	return t
}
