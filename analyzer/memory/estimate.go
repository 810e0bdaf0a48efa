package memory

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/memory/xla"
)

// A Need is what one way of using a model takes, in bytes.
type Need struct {
	Weights   int64
	Gradients int64 // of all trained weights, as if they were live together
	Optimizer int64
	Kept      int64 // between the forward pass and the gradients
	Transient int64 // at the peak, beyond what is resident and kept then
	Batch     int64
	Data      int64 // arrays on the device beside the step
	// Peak is the most that is in use of TensorFlow's pool. Low and High bound the estimate,
	// given what is not modelled.
	Peak, Low, High int64
	// Open is set if data lies on the device whose size is not known, and which is not counted: the
	// need may be larger than High.
	Open   bool
	folded int // constants that are folded
}

// Training returns what a step of training a model takes on batches of the given inputs.
func Training(m *graph.Model, optimizer *graph.Optimizer, inputs []graph.Input) (Need, error) {
	t, err := NewTrainer(m, optimizer)
	if err != nil {
		return Need{}, err
	}
	return t.Need(inputs)
}

// A Trainer holds what is known of a training, whatever the batch.
type Trainer struct {
	model     *graph.Model
	optimizer *graph.Optimizer
	resident  Need
	xla       bool
	shared    bool
	on        executor.Generation
	wider     *Trainer // of the widest model, or nil
}

// On prices the steps for a GPU of the device's generation.
func (t *Trainer) On(d Device) *Trainer {
	t.on = generationOf(d)
	if t.wider != nil {
		t.wider.On(d)
	}
	return t
}

// NewTrainer prepares to price a model's training on batches of several sizes.
func NewTrainer(m *graph.Model, optimizer *graph.Optimizer) (*Trainer, error) {
	if optimizer.Unknown != nil {
		return nil, optimizer.Unknown
	}
	if why := cmp.Or(m.Unsettled(), m.Unsure()); why != nil {
		return nil, why
	}
	xla, _ := m.XLA()
	t := &Trainer{model: m, optimizer: optimizer, resident: Resident(m, optimizer), xla: xla}
	if m.Wider != nil {
		if optimizer == m.Optimizer {
			optimizer = m.Wider.Optimizer
		}
		wider, err := NewTrainer(m.Wider, optimizer)
		if err != nil {
			return nil, err
		}
		t.wider = wider
	}
	return t, nil
}

// Among sets the number of replicas over which a strategy divides each batch. One replica is
// priced.
func (t *Trainer) Among(replicas int64) *Trainer {
	t.shared = replicas > 1
	if t.wider != nil {
		t.wider.Among(replicas)
	}
	return t
}

// Need returns what a step takes on a batch of the given inputs.
func (t *Trainer) Need(inputs []graph.Input) (n Need, err error) {
	err = guarded(func(l *executor.Lowered) error {
		n, err = t.need(l, inputs, nil)
		return err
	})
	return n, err
}

// need is Need in the memory of l. The moments of the step go into p, unless p is nil.
func (t *Trainer) need(l *executor.Lowered, inputs []graph.Input, p *Profile) (Need, error) {
	if err := l.Lower(t.model, inputs, true); err != nil {
		return Need{}, err
	}
	n := t.train(l, p)
	return n, t.widen(&n, l, inputs)
}

// widen raises the need to that of the widest model.
func (t *Trainer) widen(n *Need, l *executor.Lowered, inputs []graph.Input) error {
	if t.wider == nil {
		return nil
	}
	most, err := t.wider.need(l, t.model.WiderInputs(inputs), nil)
	n.Low, n.High = min(n.Low, most.Low), max(n.High, most.High)
	return err
}

// train returns what the training step takes after the forward pass in l. Its moments go into p,
// unless p is nil.
func (t *Trainer) train(l *executor.Lowered, p *Profile) Need {
	m, optimizer, byXLA := t.model, t.optimizer, t.xla
	n := t.resident
	n.Batch = l.Batch()
	if m.Own == nil {
		n.Batch += executor.Targets(m, l.Outputs)
	}
	l.Shared = t.shared
	graph := !byXLA && !l.Graph.Eagerly // that TensorFlow optimizes
	if graph {
		l.MergeSums()
	}
	if m.Own == nil && !l.Graph.Eagerly {
		l.Prune(m.Compiled)
	}
	if graph {
		executor.PushConstants(m, l)
	}
	if m.Own == nil {
		if !byXLA {
			l.Bypass(m.Compiled)
		}
		l.Fitted(m, optimizer)
		n.Batch += l.Truth
	}
	var b *executor.Builder
	if byXLA {
		b = xla.Compiled(xla.Surveyed(l, t.on), xla.Likely)
	} else {
		b = executor.Training(l, m.Own)
	}
	n.Kept, n.folded = b.KeptBytes, b.Folded
	if p != nil {
		p.keep(b)
	}
	kernels, peak := len(b.Kernels), p.play(b.Step, n)
	t.open(&n, l, peak, kernels)
	n.High += b.Open
	if graph && kernels <= executor.Long && (m.Own != nil || optimizer.Slots == 0) { // else the step is simulated once
		// The other order was recorded for steps of a program's own and for updates that keep no state. All
		// layers have it at once in few steps: what is in use then ends the range, less what else is open.
		other, turned := n, executor.Turned(l, m.Own)
		peak := turned.Play(executor.Use{}, nil)
		t.open(&other, l, peak, kernels)
		n.Low, n.High = min(n.Low, other.Low), max(n.High, other.High+turned.Open-peak/10)
	}
	return n
}

// open widens a peak to the range of a need, for the step in l with so many kernels.
func (t *Trainer) open(n *Need, l *executor.Lowered, peak int64, kernels int) {
	n.close(peak)
	switch {
	case t.xla:
		n.compiled(xla.SurveyOf(l), peak, kernels, xla.Compiled)
		n.High += xla.Open(l)
	case t.model.Compiled != nil && t.model.Compiled.XLA == "clusters":
		// What crosses the borders of the compiled parts is in memory as without XLA. How much of
		// the step that is, is not known.
		n.Low = n.Peak - peak/5
	case t.optimizer != nil && t.optimizer.Accumulates && t.model.Own == nil:
		// The branch has nearly started each update when the last gradients come. In what order they
		// do, TensorFlow leaves open: one update more may run beside the others.
		n.High += 2 * t.largest()
	case t.optimizer != nil && t.optimizer.Loose:
		n.Low -= int64(t.optimizer.Waiting) * t.largest()
		n.High += 3 * t.largest()
	}
}

// largest returns the size of the largest trained weight.
func (t *Trainer) largest() (most int64) {
	t.model.Weights(func(w *graph.Weight, trained bool) {
		if trained {
			most = max(most, w.Bytes())
		}
	})
	return most
}

// with returns the need with more data on the device, for a batch.
func (n Need) with(terms []graph.DataTerm, batch int64) Need {
	data := graph.DataBytes(terms, batch)
	n.Data += data
	n.Peak, n.Low, n.High = n.Peak+data, n.Low+data, n.High+data
	n.Open = n.Open || slices.ContainsFunc(terms, graph.DataTerm.Open)
	return n
}

// joining returns the need with what predict joins once its last step has ended, when only that, what
// it has collected and what is there all the time is left. Its range is as wide as that of a step: a
// chunk of the pool may be larger than what is put there.
func (n Need) joining(joined int64) Need {
	if joined == 0 {
		return n
	}
	end := Need{Peak: n.Weights + n.Optimizer + n.Data + joined}
	end.spread(2 * joined)
	if end.Peak > n.Peak {
		n.Data, n.Peak = n.Data+joined, end.Peak
	}
	n.Low, n.High = max(n.Low, end.Low), max(n.High, end.High)
	return n
}

// atLeast raises the peak and its range to those of another need.
func (n Need) atLeast(other Need) Need {
	n.Peak, n.Low, n.High = max(n.Peak, other.Peak), max(n.Low, other.Low), max(n.High, other.High)
	n.Open = n.Open || other.Open
	return n
}

// Resident returns what a model takes without data: its weights, and the optimizer's slots for
// the trained ones. The optimizer may be nil.
func Resident(m *graph.Model, optimizer *graph.Optimizer) Need {
	var n Need
	if m.Own != nil && optimizer != nil {
		m.Own.Slots(func(o *graph.Optimizer, w *graph.Weight) {
			n.Gradients += w.Bytes()
			n.Optimizer += o.SlotBytes(w)
		})
	}
	if optimizer == nil {
		optimizer = &graph.Optimizer{}
	}
	seen := map[*graph.Weight]bool{}
	m.Weights(func(w *graph.Weight, trained bool) {
		seen[w] = true
		n.Weights += w.Bytes()
		if trained && m.Own == nil {
			n.Gradients += w.Bytes()
			n.Optimizer += optimizer.SlotBytes(w)
		}
	})
	m.Compiled.Foreign(seen, func(w *graph.Weight) { n.Weights += w.Bytes() })
	return n
}

// close sums up the need, given the peak of what is not resident.
func (n *Need) close(peak int64) {
	n.Peak = n.Weights + n.Optimizer + n.Batch + peak
	n.spread(peak)
	n.Transient = max(peak-n.Kept, 0)
}

// spread widens the peak to the range in which the real one is expected, given what of it is not
// resident. Above it: the allocator splits chunks only if enough is left over
// (tensorflow/core/framework/bfc_allocator.cc), cuDNN takes scratch memory, and cuBLAS a workspace.
// Below it: TensorFlow leaves the order of some kernels open. Nine tenths of the recorded peaks lie
// in the range.
func (n *Need) spread(peak int64) {
	n.Low = n.Peak - peak/20 - n.Peak/100
	n.High = n.Peak + peak/10 + n.Peak/50 + executor.CublasWorkspace
}

// compiled widens the range of a need, because the memory that XLA allocates is not known
// exactly. It is more often above the estimate than below.
func (n *Need) compiled(s *xla.Survey, peak int64, kernels int, build func(*xla.Survey, xla.Storing) *executor.Builder) {
	n.Low = n.Peak - peak/10 - n.Peak/50
	if s.On == executor.Turing && slices.ContainsFunc(s.Graph.Ops, func(op *graph.Op) bool { return op.Kind.Is(graph.Multiplies) }) {
		n.High -= executor.CublasWorkspace // the workspace is one of the buffers already
	}
	more := peak / 10
	if kernels <= executor.Long && len(s.Graph.Ops) <= 2*executor.Long { // else the step is simulated once
		more = max(more, build(s, xla.Most).Play(executor.Use{}, nil)-peak)
	}
	n.High += more
}

// generationOf returns the generation of a device (xla/service/gpu/transforms/gemm_fusion.cc,
// Run).
func generationOf(d Device) executor.Generation {
	switch {
	case d.Major == 0:
		return executor.UnknownGeneration
	case d.Major < 8:
		return executor.Turing
	}
	return executor.Ampere
}
