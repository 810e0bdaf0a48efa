package memory

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/memory/xla"
)

// Inference returns what a model needs to predict on a batch of the given inputs, in a process
// that does not train it.
func Inference(m *graph.Model, inputs []graph.Input) (Need, error) {
	l := executor.Unused.Get().(*executor.Lowered)
	defer l.Free()
	return predict(m, Resident(m, nil), l, inputs, executor.UnknownGeneration, nil)
}

// predict is Inference in the memory of l, beside what is resident. The moments of the step go
// into p, unless p is nil.
func predict(m *graph.Model, resident Need, l *executor.Lowered, inputs []graph.Input, on executor.Generation, p *Profile) (Need, error) {
	if err := l.Lower(m, inputs, false); err != nil {
		return Need{}, err
	}
	n := infer(m, resident, l, on, p)
	return n, widen(&n, m, l, inputs, on)
}

// widen raises the need for prediction to that of the widest model.
func widen(n *Need, m *graph.Model, l *executor.Lowered, inputs []graph.Input, on executor.Generation) error {
	if m.Wider == nil {
		return nil
	}
	resident := Resident(m.Wider, nil)
	resident.Optimizer = n.Optimizer
	most, err := predict(m.Wider, resident, l, m.WiderInputs(inputs), on, nil)
	n.Low, n.High = min(n.Low, most.Low), max(n.High, most.High)
	return err
}

// infer returns the need of a forward pass beside what is resident. Its moments go into p, unless
// p is nil.
func infer(m *graph.Model, resident Need, l *executor.Lowered, on executor.Generation, p *Profile) Need {
	n := Need{Weights: resident.Weights, Optimizer: resident.Optimizer, Batch: l.Batch()}
	if byXLA, _ := m.XLA(); byXLA {
		s := xla.Surveyed(l, on)
		b := xla.CompiledInference(s, xla.Likely)
		kernels, peak := len(b.Kernels), p.play(b.Step, n)
		n.close(peak)
		n.compiled(s, peak, kernels, xla.CompiledInference)
		return n
	}
	s := inference(l)
	peak := p.play(s, n)
	n.close(peak)
	return n
}

// inference builds the step of a forward pass that keeps only the outputs, which predict copies
// to the host after the step.
func inference(l *executor.Lowered) *executor.Step {
	b := executor.NewBuilder(l)
	b.Infers, b.Ordered = true, l.Graph.Eagerly
	b.Separate = b.Ordered
	b.Forwards(l.Graph)
	for _, t := range l.Outputs {
		b.Values[t.Number].Pinned = true
	}
	return b.Step
}
