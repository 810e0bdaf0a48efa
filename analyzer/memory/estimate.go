package memory

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/tfmem/tfmem/analyzer/keras"
)

// A Need is what one way of using a model takes, in bytes.
type Need struct {
	Weights   int64
	Gradients int64 // of all trained weights, were they alive together
	Optimizer int64
	Kept      int64 // between the forward pass and the gradients
	Transient int64 // at the peak, beyond what is resident and kept then
	Batch     int64
	// Peak is the most that is in use of TensorFlow's pool, and Low and High are
	// the range that what is not modelled leaves.
	Peak, Low, High int64
	folded          int // constants that are computed beforehand
}

// Training is what a step of training a model takes on batches of the given
// inputs.
func Training(m *keras.Model, optimizer *keras.Optimizer, inputs []keras.Input) (Need, error) {
	t, err := NewTrainer(m, optimizer)
	if err != nil {
		return Need{}, err
	}
	return t.Need(inputs)
}

// A Trainer is what there is to know of a training whatever the batch.
type Trainer struct {
	model     *keras.Model
	optimizer *keras.Optimizer
	resident  Need
	xla       bool
	shared    bool
	on        generation
	wider     *Trainer // of the model at its widest, or nil
}

// On has the steps priced for a GPU of the device's generation.
func (t *Trainer) On(d Device) *Trainer {
	t.on = generationOf(d)
	if t.wider != nil {
		t.wider.On(d)
	}
	return t
}

// NewTrainer prepares to price a model's training on batches of several sizes.
func NewTrainer(m *keras.Model, optimizer *keras.Optimizer) (*Trainer, error) {
	if optimizer.Unknown != "" {
		return nil, fmt.Errorf("%s", optimizer.Unknown)
	}
	if why := cmp.Or(m.Unsettled(), m.Unsure()); why != "" {
		return nil, fmt.Errorf("%s", why)
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

// Among tells over how many replicas a strategy divides each batch: what is priced is one
// of them.
func (t *Trainer) Among(replicas int64) *Trainer {
	t.shared = replicas > 1
	if t.wider != nil {
		t.wider.Among(replicas)
	}
	return t
}

// Need is what a step takes on a batch of the given inputs.
func (t *Trainer) Need(inputs []keras.Input) (Need, error) {
	l := unused.Get().(*lowered)
	defer l.free()
	return t.need(l, inputs, nil)
}

// need is Need in the memory of l; the course of the step goes into p, unless that is nil.
func (t *Trainer) need(l *lowered, inputs []keras.Input, p *Profile) (Need, error) {
	if err := l.lower(t.model, inputs, true); err != nil {
		return Need{}, err
	}
	n := t.train(l, p)
	return n, t.widen(&n, l, inputs)
}

// widen adds to what the model takes what it takes at its widest.
func (t *Trainer) widen(n *Need, l *lowered, inputs []keras.Input) error {
	if t.wider == nil {
		return nil
	}
	most, err := t.wider.need(l, inputs, nil)
	n.Low, n.High = min(n.Low, most.Low), max(n.High, most.High)
	return err
}

// train is what the step of a forward pass takes; its course goes into p, unless that
// is nil.
func (t *Trainer) train(l *lowered, p *Profile) Need {
	m, optimizer, xla := t.model, t.optimizer, t.xla
	n := t.resident
	n.Batch = l.batch()
	if m.Own == nil {
		n.Batch += targets(m, l.outputs)
	}
	l.shared = t.shared
	graph := !xla && !l.graph.Eager() // that TensorFlow optimizes
	if graph {
		l.mergeSums()
	}
	if m.Own == nil {
		if !l.graph.Eager() {
			l.prune(m.Compiled)
		}
		if graph {
			pushConstants(m, l)
		}
		if !xla {
			l.bypass(m.Compiled)
		}
		l.fitted(m, optimizer)
		n.Batch += l.truth
	}
	var b *builder
	if xla {
		b = compiled(surveyed(l, t.on), likely)
	} else {
		b = training(l, m.Own)
	}
	n.Kept, n.folded = b.keptBytes, b.folded
	if p != nil && !p.brief {
		p.keep(b)
	}
	kernels, peak := len(b.kernels), p.play(b.step, n)
	t.open(&n, l, peak, kernels)
	return n
}

// open widens a peak to the range of a need, that of the step of l, which has so many kernels.
func (t *Trainer) open(n *Need, l *lowered, peak int64, kernels int) {
	n.close(peak)
	switch {
	case t.xla:
		n.compiled(&l.survey, peak, kernels, compiled)
	case t.model.Compiled.XLA == "clusters":
		// What crosses their borders is in memory as without XLA: how much of the
		// step that is, is not known.
		n.Low = n.Peak - peak/5
	}
}

// lowered is a forward pass on a batch, and the memory in which its step is built: that
// of a large model is megabytes, which the next batch takes over.
type lowered struct {
	graph   *keras.Graph
	outputs []*keras.Tensor
	tensors int // one more than the largest of their numbers
	arena   *arena
	survey  survey // for XLA
	shared  bool   // replicas sum its gradients
	places  weightIndex
	// derived are the gradients of the weights that fit trains, which updates apply.
	derived []keras.Tensor
	updates []*keras.Tensor
	// bypassed tells of each output whether its loss reads the scores that a softmax made it
	// of; nil with XLA.
	bypassed   []bool
	truth      int64 // the bytes of what a loss of the program's own compares the output with
	mostFolded int64 // bytes of a constant that is computed beforehand; 0 for TensorFlow's own limit
}

// unused are those that hold no pass: an estimate of 1,000 layers prices several trainings, and
// takes an eighth longer where each has a new one.
var unused = sync.Pool{New: newLowered}

func newLowered() any { return &lowered{graph: &keras.Graph{}, arena: &arena{}} }

// free gives back the memory.
func (l *lowered) free() {
	l.graph.Clear()
	l.survey.forget()
	l.places.forget()
	l.mostFolded = 0
	unused.Put(l)
}

// batch is the bytes of the data.
func (l *lowered) batch() (n int64) {
	for _, t := range l.graph.Inputs {
		n += t.Bytes()
	}
	return n
}

// lower is the pass on another batch, or of another model: the whole step that trains it,
// where the program writes that itself and it is to be trained.
func (l *lowered) lower(m *keras.Model, inputs []keras.Input, trains bool) (err error) {
	if len(m.Unresolved) > 0 {
		return fmt.Errorf("%s", m.Unresolved[0])
	}
	if m.Step != "" && m.Own == nil {
		return fmt.Errorf("%s", m.Step)
	}
	g := l.graph
	g.Clear()
	g.In(m)
	g.Trains = trains && m.Own == nil
	for _, in := range inputs {
		if _, ok := in.Shape.Elements(); !ok {
			return fmt.Errorf("the shape of its data is not known: %s", in.Shape)
		}
		g.Inputs = append(g.Inputs, &keras.Tensor{Shape: in.Shape, DType: in.DType})
	}
	l.outputs, l.bypassed, l.truth = nil, nil, 0
	if trains && m.Own != nil {
		err = m.Own.Lower(g, g.Inputs)
	} else {
		l.outputs, err = m.Lower(g, g.Inputs)
	}
	if err != nil {
		return err
	}
	var sum int64
	for _, op := range g.Ops {
		for _, t := range op.Out {
			n, ok := t.Shape.Elements()
			if !ok && slices.Min(t.Shape) < 0 {
				return fmt.Errorf("the size of what layer %q makes is not known: %s", name(op.Layer), t.Shape)
			}
			if sum += min(n, mostBytes) * t.DType.Size(); !ok || sum > mostBytes {
				return fmt.Errorf("what layer %q makes, %s, is with what comes before it larger than any memory", name(op.Layer), t.Shape)
			}
		}
	}
	l.tensors = g.Count()
	l.places.find(g.Ops)
	return nil
}

// mostBytes bounds all that a forward pass makes: a step has several times as much, which is
// counted in 64 bits.
const mostBytes = 1 << 56

func name(l *keras.Layer) string {
	if l == nil {
		return "?"
	}
	return l.Name
}

// Resident is what a model takes before it is given any data: its weights, and
// what the optimizer keeps for those that are trained. The optimizer may be nil.
func Resident(m *keras.Model, optimizer *keras.Optimizer) Need {
	var n Need
	if m.Own != nil && optimizer != nil {
		m.Own.Slots(func(o *keras.Optimizer, w *keras.Weight) {
			n.Gradients += w.Bytes()
			n.Optimizer += o.SlotBytes(w)
		})
	}
	if optimizer == nil {
		optimizer = &keras.Optimizer{}
	}
	m.Weights(func(w *keras.Weight, trained bool) {
		n.Weights += w.Bytes()
		if trained && m.Own == nil {
			n.Gradients += w.Bytes()
			n.Optimizer += optimizer.SlotBytes(w)
		}
	})
	return n
}

// fitted makes a forward pass the step in which fit trains a model: the losses of its
// outputs, the gradients of all that is trained, and their update.
func (l *lowered) fitted(m *keras.Model, optimizer *keras.Optimizer) {
	losses, weights, eager := m.Compiled, l.places.trained, l.graph.Eager()
	asks := &keras.Op{Name: "Gradient", Gradient: &keras.Gradient{Weights: weights}}
	for i := range l.outputs {
		if losses.Skips(i) {
			continue
		}
		rest := func() {}
		if !eager {
			rest = l.measure(losses, i, optimizer)
		}
		loss := l.ownLoss(losses, i, l.outputs[i])
		if loss == nil && len(l.graph.Losses) > 0 && !losses.Asked() {
			rest()
			continue
		}
		if loss == nil {
			loss = &keras.Tensor{DType: "float32", Grad: true}
			l.then(&keras.Op{Name: "Loss", Loss: cmp.Or(losses.Loss(i), "?"), In: []*keras.Tensor{l.compared(i)}}, loss)
		}
		asks.In = append(asks.In, loss)
		rest()
	}
	asks.In = append(asks.In, l.graph.Losses...)
	l.derived, l.updates = zeros(l.derived, len(weights)), l.updates[:0]
	for i, w := range weights {
		l.derived[i].Shape, l.derived[i].DType = w.Shape, w.DType
		l.updates = append(l.updates, &l.derived[i])
	}
	l.then(asks, l.updates...)
	if eager {
		weights, l.updates = l.updated(m, asks)
	}
	l.then(&keras.Op{Name: "Update", In: l.updates, Update: &keras.Update{Optimizer: optimizer, Weights: weights}})
	if !eager {
		return
	}
	// What is measured is so at the end, while names still hold what the step has made:
	// of tf_keras, those of its optimizer hold the gradients (keras/src/backend/tensorflow/trainer.py
	// and tf_keras/src/engine/training.py, train_step).
	held := slices.Concat(l.outputs, asks.In)
	if optimizer.Keras == 3 {
		held = append(held, l.updates...)
	}
	for i := range l.outputs {
		if losses.Skips(i) {
			continue
		}
		l.measure(losses, i, optimizer)()
	}
	l.then(&keras.Op{Name: "Hold", In: held})
}

// updated are the weights that a model trains, and their gradients. A tape that nothing
// compiles watches the variables of frozen layers, too, and has gradients of them until it has
// all (tensorflow/c/eager/tape.h, ComputeGradient).
func (l *lowered) updated(m *keras.Model, asks *keras.Op) (weights []*keras.Weight, gradients []*keras.Tensor) {
	trains := map[*keras.Weight]bool{}
	m.Weights(func(w *keras.Weight, trained bool) { trains[w] = trained })
	for i, w := range asks.Gradient.Weights {
		if trains[w] {
			weights, gradients = append(weights, w), append(gradients, asks.Out[i])
		}
	}
	l.then(&keras.Op{Name: "Hold", In: asks.Out})
	return weights, gradients
}

// then adds an operation that makes tensors.
func (l *lowered) then(op *keras.Op, out ...*keras.Tensor) {
	for _, t := range out {
		t.Number, t.From = l.tensors, op
		l.tensors++
	}
	op.Number, op.Out = len(l.graph.Ops), out
	l.graph.Ops = append(l.graph.Ops, op)
	l.places.add(op)
}

// close sums up, given the peak of what is not resident, and widens the peak to
// the range in which the real one is expected: chunks of the allocator are split
// only where enough is left over (tensorflow/core/framework/bfc_allocator.cc),
// cuDNN takes scratch, and cuBLAS a workspace. Below it is what the order of kernels
// decides that TensorFlow leaves open: nine tenths of what is recorded lie between.
func (n *Need) close(peak int64) {
	n.Peak = n.Weights + n.Optimizer + n.Batch + peak
	n.Low = n.Peak - peak/20 - n.Peak/100
	n.High = n.Peak + peak/10 + n.Peak/50 + cublasWorkspace
	n.Transient = max(peak-n.Kept, 0)
}

// cublasWorkspace is what cuBLAS sets aside (4 MiB before Hopper, 32 MiB on it).
const cublasWorkspace = 4 << 20

// Largest is the largest batch, at most limit, whose cost is within the budget;
// 0 where not even 1 is, or a cost cannot be told. The cost must not fall as
// batches grow, nor grow more slowly. It is asked a few times only: between two
// batches it is nearly a straight line.
func Largest(limit, budget int64, cost func(batch int64) (int64, error)) int64 {
	low, high := int64(1), int64(2)
	atLow, err := cost(low)
	if err != nil || atLow > budget {
		return 0
	}
	atHigh, err := cost(high)
	for err == nil && atHigh <= budget {
		if high >= limit {
			return limit
		}
		low, atLow = high, atHigh
		if high = min(high*8, limit); high == low {
			return low
		}
		atHigh, err = cost(high)
	}
	if err != nil {
		return low
	}
	return narrow(low, atLow, high, atHigh, budget, cost)
}

// Unit is the smallest part of a batch of which there is a cost: a step that cuts its batch
// into equal parts takes multiples of them alone. It is the batch itself where no smaller
// one is found soon.
func Unit(batch int64, cost func(batch int64) (Need, error)) int64 {
	const most = 64
	for unit := int64(1); unit <= min(batch/2, most); unit++ {
		if batch%unit == 0 {
			if _, err := cost(unit); err == nil {
				return unit
			}
		}
	}
	return batch
}

// narrow is the largest batch within the budget, between one that is and one that
// is not.
func narrow(low, atLow, high, atHigh, budget int64, cost func(batch int64) (int64, error)) int64 {
	// Costs are nearly straight lines, bent upwards: the chord from low to high
	// ends short of the answer, the line through the two batches before it beyond.
	// Every third time it is the middle, so that no bend holds the search up.
	var before, atBefore int64
	for turn := 0; high-low > 1; turn++ {
		mid := low + (high-low)/2
		switch {
		case turn%3 == 0 && atHigh > atLow:
			mid = low + int64(float64(budget-atLow)/float64(atHigh-atLow)*float64(high-low))
		case turn%3 == 1 && before > 0 && atLow > atBefore:
			mid = low + int64(float64(budget-atLow)/float64(atLow-atBefore)*float64(low-before)) + 1
		}
		mid = min(max(mid, low+1), high-1)
		at, err := cost(mid)
		switch {
		case err != nil:
			return low
		case at <= budget:
			before, atBefore, low, atLow = low, atLow, mid, at
			if atLow+(atLow-atBefore)/(low-before) > budget {
				return low // the next takes as much more as those before it, or more
			}
		default:
			high, atHigh = mid, at
		}
	}
	return low
}
