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

// evaluate returns what a model needs to compute its losses and metrics on a batch of the given
// inputs. XLA is taken to need as much for it as for a prediction.
func evaluate(m *graph.Model, resident Need, l *executor.Lowered, inputs []graph.Input, on executor.Generation, p *Profile) (Need, error) {
	if m.Optimizer == nil || m.Compiled == nil || m.Own != nil {
		return predict(m, resident, l, inputs, on, p)
	}
	if err := l.Lower(m, inputs, false); err != nil {
		return Need{}, err
	}
	resident.Batch = executor.Targets(m, l.Outputs)
	n := Need{Weights: resident.Weights, Optimizer: resident.Optimizer, Batch: resident.Batch + l.Batch()}
	if byXLA, _ := m.XLA(); byXLA {
		n = infer(m, resident, l, on, p)
	} else {
		if !l.Graph.Eagerly {
			l.Prune(m.Compiled)
		}
		l.Bypass(m.Compiled)
		l.Evaluated(m.Compiled, m.Optimizer)
		n.Batch += l.Truth
		n.close(p.play(executor.Evaluation(l, m.Optimizer), n))
	}
	if m.Wider == nil {
		return n, nil
	}
	most, err := evaluate(m.Wider, n.slotsOf(m.Wider), l, m.WiderInputs(inputs), on, nil)
	n.Low, n.High = min(n.Low, most.Low), max(n.High, most.High)
	return n, err
}

// slotsOf returns what is resident of another model beside the same slots.
func (n Need) slotsOf(m *graph.Model) Need {
	resident := Resident(m, nil)
	resident.Optimizer = n.Optimizer
	return resident
}

// widen raises the need for prediction to that of the widest model.
func widen(n *Need, m *graph.Model, l *executor.Lowered, inputs []graph.Input, on executor.Generation) error {
	if m.Wider == nil {
		return nil
	}
	most, err := predict(m.Wider, n.slotsOf(m.Wider), l, m.WiderInputs(inputs), on, nil)
	n.Low, n.High = min(n.Low, most.Low), max(n.High, most.High)
	return err
}

// infer returns the need of a forward pass beside what is resident. Its moments go into p, unless
// p is nil.
func infer(m *graph.Model, resident Need, l *executor.Lowered, on executor.Generation, p *Profile) Need {
	n := Need{Weights: resident.Weights, Optimizer: resident.Optimizer, Batch: resident.Batch + l.Batch()}
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
