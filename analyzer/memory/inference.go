package memory

import "github.com/tfmem/tfmem/analyzer/graph"

// Inference returns what a model needs to predict on a batch of the given inputs, in a process
// that does not train it.
func Inference(m *graph.Model, inputs []graph.Input) (Need, error) {
	l := unused.Get().(*lowered)
	defer l.free()
	return predict(m, Resident(m, nil), l, inputs, unknownGeneration, nil)
}

// predict is Inference in the memory of l, beside what is resident. The moments of the step go
// into p, unless p is nil.
func predict(m *graph.Model, resident Need, l *lowered, inputs []graph.Input, on generation, p *Profile) (Need, error) {
	if err := l.lower(m, inputs, false); err != nil {
		return Need{}, err
	}
	n := infer(m, resident, l, on, p)
	return n, widen(&n, m, l, inputs, on)
}

// widen raises the need for prediction to that of the widest model.
func widen(n *Need, m *graph.Model, l *lowered, inputs []graph.Input, on generation) error {
	if m.Wider == nil {
		return nil
	}
	most, err := predict(m.Wider, Resident(m.Wider, nil), l, inputs, on, nil)
	n.Low, n.High = min(n.Low, most.Low), max(n.High, most.High)
	return err
}

// infer returns the need of a forward pass beside what is resident. Its moments go into p, unless
// p is nil.
func infer(m *graph.Model, resident Need, l *lowered, on generation, p *Profile) Need {
	n := Need{Weights: resident.Weights, Batch: l.batch()}
	if byXLA, _ := m.XLA(); byXLA {
		s := surveyed(l, on)
		b := compiledInference(s, likely)
		kernels, peak := len(b.kernels), p.play(b.step, n)
		n.close(peak)
		n.compiled(s, peak, kernels, compiledInference)
		return n
	}
	s := inference(l)
	peak := p.play(s, n)
	n.close(peak)
	return n
}

// inference builds the step of a forward pass that keeps only the outputs, which predict copies
// to the host after the step.
func inference(l *lowered) *step {
	b := newBuilder(l)
	b.infers, b.ordered = true, l.graph.Eager()
	b.separate = b.ordered
	b.forwards(l.graph)
	for _, t := range l.outputs {
		b.values[t.Number].pinned = true
	}
	return b.step
}

// idle reports whether an operation returns its input except in training.
func idle(op *graph.Op) bool {
	return op.Kind.Is(graph.Trains) && len(op.In) > 0 && len(op.Out) == 1 && op.In[0].Bytes() == op.Out[0].Bytes()
}
