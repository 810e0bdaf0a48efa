package memory

import (
	"cmp"
	"slices"
	"sync"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Need is what one way of using a model takes, in bytes.
type Need struct {
	Weights   int64
	Gradients int64 // of all trained weights, as if they were live together
	Optimizer int64
	Kept      int64 // between the forward pass and the gradients
	Transient int64 // at the peak, beyond what is resident and kept then
	Batch     int64
	// Peak is the most that is in use of TensorFlow's pool. Low and High bound the estimate,
	// given what is not modelled.
	Peak, Low, High int64
	folded          int // constants that are folded
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
	on        generation
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
func (t *Trainer) Need(inputs []graph.Input) (Need, error) {
	l := unused.Get().(*lowered)
	defer l.free()
	return t.need(l, inputs, nil)
}

// need is Need in the memory of l. The moments of the step go into p, unless p is nil.
func (t *Trainer) need(l *lowered, inputs []graph.Input, p *Profile) (Need, error) {
	if err := l.lower(t.model, inputs, true); err != nil {
		return Need{}, err
	}
	n := t.train(l, p)
	return n, t.widen(&n, l, inputs)
}

// widen raises the need to that of the widest model.
func (t *Trainer) widen(n *Need, l *lowered, inputs []graph.Input) error {
	if t.wider == nil {
		return nil
	}
	most, err := t.wider.need(l, inputs, nil)
	n.Low, n.High = min(n.Low, most.Low), max(n.High, most.High)
	return err
}

// train returns what the training step takes after the forward pass in l. Its moments go into p,
// unless p is nil.
func (t *Trainer) train(l *lowered, p *Profile) Need {
	m, optimizer, byXLA := t.model, t.optimizer, t.xla
	n := t.resident
	n.Batch = l.batch()
	if m.Own == nil {
		n.Batch += targets(m, l.outputs)
	}
	l.shared = t.shared
	graph := !byXLA && !l.graph.Eager() // that TensorFlow optimizes
	if graph {
		l.mergeSums()
	}
	if m.Own == nil && !l.graph.Eager() {
		l.prune(m.Compiled)
	}
	if graph {
		pushConstants(m, l)
	}
	if m.Own == nil {
		if !byXLA {
			l.bypass(m.Compiled)
		}
		l.fitted(m, optimizer)
		n.Batch += l.truth
	}
	var b *builder
	if byXLA {
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

// open widens a peak to the range of a need, for the step in l with so many kernels.
func (t *Trainer) open(n *Need, l *lowered, peak int64, kernels int) {
	n.close(peak)
	switch {
	case t.xla:
		n.compiled(surveyOf(l), peak, kernels, compiled)
	case t.model.Compiled.XLA == "clusters":
		// What crosses the borders of the compiled parts is in memory as without XLA. How much of
		// the step that is, is not known.
		n.Low = n.Peak - peak/5
	}
}

// lowered is a forward pass on a batch, with the memory in which its step is built. For a large
// model that memory is megabytes, and the next batch reuses it.
type lowered struct {
	graph   *graph.Graph
	outputs []*graph.Tensor
	tensors int // one more than the largest tensor number
	arena   *arena
	shared  bool // replicas sum its gradients
	places  weightIndex
	// derived holds the gradients of the weights that fit trains, which updates apply.
	derived []graph.Tensor
	updates []*graph.Tensor
	// bypassed is set for each output with a loss that reads the scores before the output's
	// softmax. It is nil with XLA.
	bypassed   []bool
	truth      int64 // bytes of the targets that a custom loss compares the output with
	mostFolded int64 // bytes of the largest folded constant; 0 for TensorFlow's own limit
}

// unused pools values without a pass. An estimate of 1,000 layers prices several trainings, and
// takes an eighth longer without the pool.
var unused = sync.Pool{New: newLowered}

func newLowered() any { return &lowered{graph: &graph.Graph{}, arena: &arena{}} }

// free returns the memory to the pool.
func (l *lowered) free() {
	l.graph.Clear()
	if l.arena.compiler != nil {
		l.arena.compiler.forget()
	}
	l.places.forget()
	l.mostFolded = 0
	unused.Put(l)
}

// batch returns the bytes of the data.
func (l *lowered) batch() (n int64) {
	for _, t := range l.graph.Inputs {
		n += t.Bytes()
	}
	return n
}

// lower computes the pass for another batch or another model. If the program writes the training
// step itself and trains is set, it computes the whole step.
func (l *lowered) lower(m *graph.Model, inputs []graph.Input, trains bool) (err error) {
	if len(m.Unresolved) > 0 {
		return m.Unresolved[0]
	}
	if m.Step != nil && m.Own == nil {
		return m.Step
	}
	g := l.graph
	g.Clear()
	g.In(m)
	g.Trains = trains && m.Own == nil
	for _, in := range inputs {
		if _, ok := in.Shape.Elements(); !ok {
			return value.Because(value.ArrayShape, "the shape of its data is not known: %s", in.Shape)
		}
		g.Inputs = append(g.Inputs, &graph.Tensor{Shape: in.Shape, DType: in.DType})
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
				return value.Because(value.ArrayShape, "the size of what layer %q makes is not known: %s", name(op.Layer), t.Shape)
			}
			if sum += min(n, mostBytes) * t.DType.Size(); !ok || sum > mostBytes {
				return value.Because(value.TooLong, "what layer %q makes, %s, is with what comes before it larger than any memory", name(op.Layer), t.Shape)
			}
		}
	}
	l.tensors = g.Count()
	l.places.find(g.Ops)
	return nil
}

// mostBytes bounds the sum of all tensors of a forward pass. A step has several times as much,
// which must fit into 64 bits.
const mostBytes = 1 << 56

func name(l *graph.Layer) string {
	if l == nil {
		return "?"
	}
	return l.Name
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
	m.Weights(func(w *graph.Weight, trained bool) {
		n.Weights += w.Bytes()
		if trained && m.Own == nil {
			n.Gradients += w.Bytes()
			n.Optimizer += optimizer.SlotBytes(w)
		}
	})
	return n
}

// fitted completes a forward pass to the step in which fit trains a model: the losses of its
// outputs, the gradients of all trained weights, and their update.
func (l *lowered) fitted(m *graph.Model, optimizer *graph.Optimizer) {
	losses, weights, eager := m.Compiled, l.places.trained, l.graph.Eager()
	asks := &graph.Op{Kind: graph.OpGradient, Gradient: &graph.Gradient{Weights: weights}}
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
			loss = &graph.Tensor{DType: "float32", Grad: true}
			l.then(&graph.Op{Kind: graph.OpLoss, Loss: cmp.Or(losses.Loss(i), "?"), In: []*graph.Tensor{l.compared(i)}}, loss)
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
	l.then(&graph.Op{Kind: graph.OpUpdate, In: l.updates, Update: &graph.Update{Optimizer: optimizer, Weights: weights}})
	if !eager {
		return
	}
	// Metrics run at the end, while names still refer to the results of the step. In tf_keras,
	// names of its optimizer refer to the gradients (keras/src/backend/tensorflow/trainer.py and
	// tf_keras/src/engine/training.py, train_step).
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
	l.then(&graph.Op{Kind: graph.OpHold, In: held})
}

// updated returns the weights that a model trains, and their gradients. Without tf.function, a
// tape also watches the variables of frozen layers, and holds their gradients until it has all
// (tensorflow/c/eager/tape.h, ComputeGradient).
func (l *lowered) updated(m *graph.Model, asks *graph.Op) (weights []*graph.Weight, gradients []*graph.Tensor) {
	trains := map[*graph.Weight]bool{}
	m.Weights(func(w *graph.Weight, trained bool) { trains[w] = trained })
	for i, w := range asks.Gradient.Weights {
		if trains[w] {
			weights, gradients = append(weights, w), append(gradients, asks.Out[i])
		}
	}
	l.then(&graph.Op{Kind: graph.OpHold, In: asks.Out})
	return weights, gradients
}

// then adds an operation with the given outputs.
func (l *lowered) then(op *graph.Op, out ...*graph.Tensor) {
	for _, t := range out {
		t.Number, t.From = l.tensors, op
		l.tensors++
	}
	op.Number, op.Out = len(l.graph.Ops), out
	l.graph.Ops = append(l.graph.Ops, op)
	l.places.add(op)
}

// close sums up the need, given the peak of what is not resident. It widens the peak to the range
// in which the real one is expected. Above it: the allocator splits chunks only if enough is left
// over (tensorflow/core/framework/bfc_allocator.cc), cuDNN takes scratch memory, and cuBLAS a
// workspace. Below it: TensorFlow leaves the order of some kernels open. Nine tenths of the
// recorded peaks lie in the range.
func (n *Need) close(peak int64) {
	n.Peak = n.Weights + n.Optimizer + n.Batch + peak
	n.Low = n.Peak - peak/20 - n.Peak/100
	n.High = n.Peak + peak/10 + n.Peak/50 + cublasWorkspace
	n.Transient = max(peak-n.Kept, 0)
}

// cublasWorkspace is the workspace of cuBLAS (4 MiB before Hopper, 32 MiB on it).
const cublasWorkspace = 4 << 20

// Largest returns the largest batch size, at most limit, with a cost within the budget. It
// returns 0 if not even 1 fits, or if a cost is unknown. The cost must grow with the batch, and
// at least linearly. Largest calls cost a few times only, because the cost is nearly a straight
// line between two sizes.
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

// Unit returns the smallest part of a batch that has a cost: a step that cuts its batch into
// equal parts takes only multiples of them, and one that adds an array of a fixed number of rows
// takes one example, which is repeated, but not two. Unit returns the batch itself if it finds no
// smaller one soon.
func Unit(batch int64, cost func(batch int64) (Need, error)) int64 {
	const most = 64
	for unit := int64(1); unit <= min(batch/2, most); unit++ {
		if batch%unit == 0 {
			if _, err := cost(unit); err == nil {
				if _, err := cost(2 * unit); err == nil {
					return unit
				}
			}
		}
	}
	return batch
}

// narrow returns the largest batch size within the budget, between one that fits and one that
// does not.
func narrow(low, atLow, high, atHigh, budget int64, cost func(batch int64) (int64, error)) int64 {
	// Costs are nearly straight lines that bend upwards. The chord from low to high ends short of
	// the answer; the line through the two previous sizes ends beyond it. Every third guess is
	// the middle, so that a bend cannot slow the search.
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
				return low // the next size costs at least as much more as those before it
			}
		default:
			high, atHigh = mid, at
		}
	}
	return low
}
