package memory

import (
	"cmp"
	"slices"

	"github.com/tfmem/tfmem/analyzer/keras"
)

// compiler makes the kernels of a step as XLA compiles it for a GPU.
//
// What differs from operations run one by one: elementwise operations are fused
// into the kernels that read them and are never in memory, nor is what only
// their gradients need: that is computed again from what is in memory
// (xla/service/gpu/transforms/priority_fusion.cc). An update is one kernel that
// writes over the variables, which TensorFlow gives up to it. Kernels run in an
// order chosen for memory, so that a gradient is applied as soon as it is there.
type compiler struct {
	*builder
	*survey
	// roots are the buffers that a tensor is computed from: its own alone where it
	// is in memory, none where it is a variable. back are what came back to a tensor,
	// each told by its roots. Both are by the numbers of tensors.
	roots [][]*buffer
	back  [][][]*buffer
	// filters are those of a convolution in the layout of cuDNN's kernels, and
	// inputs what it reads instead of the tensor itself, by the numbers of operations.
	filters, inputs [][]*buffer
	late            []late
	held            []*buffer // gradients whose use a barrier holds back
	storing         storing
}

// A storing is how much of what XLA may compute again, or place in memory that is
// free, is taken to be in memory of its own.
type storing int

const (
	likely storing = iota
	least          // filters are laid out where variables were, which TensorFlow gave up
	most           // also what is as dear to compute as to store, and copies of kernels
)

// compiled builds the step of a forward pass, its gradients and the updates as
// XLA compiles it.
func compiled(s *survey, optimizer *keras.Optimizer, storing storing) *builder {
	g := s.graph
	c := &compiler{
		builder: newBuilder(s.lowered), survey: s, storing: storing,
	}
	c.roots, c.filters, c.inputs = c.shares.take(s.tensors), c.shares.take(len(g.Ops)), c.shares.take(len(g.Ops))
	c.back = c.backs.take(s.tensors)
	c.optimizer, c.ordered = optimizer, true
	for _, t := range g.Inputs {
		c.roots[t.Number] = c.list(c.values[t.Number])
	}
	c.phase = Forward
	for _, op := range g.Ops {
		c.layer = op.Layer
		c.forward(op)
	}
	c.phase, c.layer = Backward, nil
	for _, t := range s.outputs {
		c.share(t, c.list(c.write(t.Bytes(), Temporaries, c.roots[t.Number])))
	}
	c.backwards(g.Ops)
	c.finish()
	c.count()
	return c.builder
}

// A role is what XLA makes of an operation.
type role uint8

const (
	fused     role = iota // computed where it is read
	reduction             // a kernel of its own, into which what it reads is fused
	library               // a kernel of its own that reads and writes memory
	window                // a kernel that computes what it reads, some of it several times
)

// roleOf tells what XLA makes of an operation. cuDNN's and cuBLAS's kernels and
// loops read and write memory.
func roleOf(op *keras.Op) role {
	switch op.Name {
	case "Conv", "DepthwiseConv", "MatMul", "BatchMatMul", "Einsum", "RNN", "Cell", "TopK", "Resize", "ExtractPatches", "Embedding":
		return library
	case "MaxPool", "AvgPool":
		return window
	}
	var in int64
	for _, t := range op.In {
		in = max(in, t.Bytes())
	}
	for _, t := range op.Out {
		if 2*t.Bytes() > in {
			return fused
		}
	}
	return reduction
}

// A survey is what XLA makes of a forward pass, however much is stored.
type survey struct {
	*lowered
	roles []role // by the numbers of operations
	// stored are tensors that have to be in memory, readers how many read one, by
	// their numbers.
	stored  []bool
	readers []int32
	// products are those stored for a product alone, into whose kernel it can be fused:
	// maxima with zero (xla/service/gpu/transforms/gemm_fusion.cc). cuBLAS's kernels,
	// which a GPU may find faster, read memory.
	products []bool
	base     []int32 // of views
}

func surveyed(l *lowered) *survey {
	s := &l.survey
	s.lowered = l
	s.roles, s.stored = zeros(s.roles, len(l.graph.Ops)), zeros(s.stored, l.tensors)
	s.readers, s.products, s.base = zeros(s.readers, l.tensors), zeros(s.products, l.tensors), zeros(s.base, l.tensors)
	base := s.base
	of := func(t *keras.Tensor) int32 {
		if b := base[t.Number]; b != 0 {
			return b
		}
		return int32(t.Number)
	}
	for i, op := range l.graph.Ops {
		if op.View {
			base[op.Out[0].Number] = of(op.In[0])
			continue
		}
		role := roleOf(op)
		s.roles[i] = role
		for _, t := range op.In {
			s.readers[of(t)]++
			switch {
			case role == library && multiplies(op) && t.From != nil && t.From.Name == "relu":
				s.products[of(t)] = true
			case role == library && !padded(op), role == window && costly(t):
				s.stored[of(t)] = true
			}
		}
		if needsGradient(op) {
			for _, t := range op.Kept() {
				s.readers[of(t)]++
			}
		}
	}
	return s
}

// write adds a kernel that computes one buffer from others.
func (c *compiler) write(size int64, kind Kind, reads []*buffer) *buffer {
	out := c.add(buffer{size: size, kind: kind})
	for _, r := range reads {
		if r.size == size && !r.pinned {
			out.over[0] = r
			break
		}
	}
	c.run(reads, out)
	return out
}

// sources are the roots of some tensors.
func (c *compiler) sources(tensors []*keras.Tensor) []*buffer {
	if len(tensors) == 1 {
		return c.roots[tensors[0].Number]
	}
	all := c.reads[:0]
	for _, t := range tensors {
		all = append(all, c.roots[t.Number]...)
	}
	c.reads = all
	return c.union(all)
}

// share adds the roots of a contribution to the gradient of a tensor.
func (c *compiler) share(t *keras.Tensor, roots []*buffer) {
	parts := c.back[t.Number]
	if parts == nil {
		parts = c.shares.take(1)[:0] // most often there is one
	}
	c.back[t.Number] = append(parts, roots)
}

func (c *compiler) forward(op *keras.Op) {
	switch {
	case op.View:
		c.roots[op.Out[0].Number] = c.roots[op.In[0].Number]
		return
	case op.Read:
		return
	}
	reads, role := c.sources(op.In), c.roles[op.Number]
	if role == fused {
		if op.Name == "Dropout" && needsGradient(op) {
			// What is drawn is not drawn again.
			for _, size := range op.Extra {
				mask := c.add(buffer{size: size, kind: Activations})
				c.run(nil, mask)
				c.extras[op.Number] = append(c.extras[op.Number], mask)
			}
			reads = slices.Concat(reads, c.extras[op.Number])
		}
		for _, t := range op.Out {
			c.roots[t.Number] = reads
			if c.stored[t.Number] || c.products[t.Number] && c.storing == most || c.worthStoring(len(reads), int(c.readers[t.Number])) {
				c.roots[t.Number] = c.list(c.write(t.Bytes(), Activations, reads))
			}
		}
		return
	}
	if convolves(op) {
		reads = c.convolution(op, reads)
	}
	if c.storing == most && op.Name == "MatMul" && len(op.Weights) > 0 && op.In[0].Grad {
		// The gradient of x reads the kernel as it was, which the update writes over:
		// a copy, where XLA finds no order without one
		// (xla/service/copy_insertion.cc).
		c.filters[op.Number] = c.list(c.write(op.Weights[0].Elements()*op.Out[0].DType.Size(), Activations, nil))
		reads = slices.Concat(reads, c.filters[op.Number])
	}
	c.writes = c.writes[:0]
	for _, t := range op.Out {
		out := c.add(buffer{size: t.Bytes(), kind: Activations})
		c.writes = append(c.writes, out)
		c.roots[t.Number] = c.list(out)
	}
	if role == library && needsGradient(op) {
		for _, size := range op.Extra {
			extra := c.add(buffer{size: size, kind: Activations})
			c.writes = append(c.writes, extra)
			c.extras[op.Number] = append(c.extras[op.Number], extra)
		}
	}
	c.run(reads, c.writes...).temp = op.ForwardTemp
}

// costly tells whether a tensor is made by a function that XLA does not compute
// twice (xla/service/gpu/gpu_fusible.cc, IfFusedReadsElementsMultipleTimes).
func costly(t *keras.Tensor) bool {
	if t.From == nil {
		return false
	}
	switch t.From.Name {
	case "elu", "exp", "gelu", "hard_silu", "mish", "selu", "sigmoid", "silu", "softmax", "softplus", "swish", "tanh":
		return true
	}
	return false
}

func multiplies(op *keras.Op) bool {
	return op.Name == "MatMul" || op.Name == "BatchMatMul" || op.Name == "Einsum"
}

func convolves(op *keras.Op) bool { return op.Name == "Conv" || op.Name == "DepthwiseConv" }

// convolution makes what a convolution of cuDNN's reads: the filters in another
// layout than Keras has them; its input, where that is the batch, likewise; and
// where it is padded more on one side than on the other, which cuDNN cannot, a
// copy with the zeros (xla/service/gpu/transforms/conv_padding_legalization.cc).
func (c *compiler) convolution(op *keras.Op, reads []*buffer) []*buffer {
	x := op.In[0]
	if padded(op) || len(reads) == 1 && reads[0].pinned {
		reads = c.list(c.write(x.Bytes(), Activations, reads))
		c.inputs[op.Number] = reads
	}
	if w := filter(op); w != nil && c.storing != least {
		c.filters[op.Number] = c.list(c.write(w.Elements()*op.Out[0].DType.Size(), Activations, nil))
	}
	return slices.Concat(reads, c.filters[op.Number])
}

// filter is the variable that a convolution reads, or nil.
func filter(op *keras.Op) *keras.Weight {
	for _, w := range op.Weights {
		if len(w.Shape) == len(op.In[0].Shape) {
			return w
		}
	}
	if op.Layer != nil {
		for _, w := range op.Layer.Weights {
			if len(w.Shape) == len(op.In[0].Shape) {
				return w
			}
		}
	}
	return nil
}

// padded tells whether a convolution is padded more on one side.
func padded(op *keras.Op) bool {
	if !convolves(op) {
		return false
	}
	w := filter(op)
	if w == nil {
		return false
	}
	in, out := op.In[0].Shape, op.Out[0].Shape
	for i := range len(in) - 2 { // channels last, as Keras has them by itself
		n, m := in[i+1], out[i+1]
		if m < 1 || n < m { // a transposed one is padded by its gradient
			continue
		}
		stride := (n + m - 1) / m
		if pad := (m-1)*stride + w.Shape[i] - n; pad > 0 && pad%2 == 1 {
			return true
		}
	}
	return false
}

// poolGradient is what the gradient of a maximum over windows takes while it
// runs: where each maximum was, an index for each dimension, and zeros to add to
// (xla/service/select_and_scatter_expander.cc).
func poolGradient(op *keras.Op) int64 {
	n, _ := op.Out[0].Shape.Elements()
	return int64(len(op.Out[0].Shape))*4*n + op.In[0].Bytes()
}

// worthStoring tells whether a tensor is written once and read several times
// rather than computed by each of its readers from what it is made of: what
// XLA's fusion weighs is the bytes that are read and written
// (xla/service/gpu/model/gpu_performance_model.cc).
func (c *compiler) worthStoring(sources, readers int) bool {
	computed, written := sources*readers, sources+1+readers
	return sources > operands || computed > written || computed == written && c.storing == most
}

// operands is how many tensors a fused kernel reads at most
// (xla/service/gpu/gpu_fusible.h, MaxOperandsAndOutputsPerFusion).
const operands = 96

// whole is what came back to a tensor: its roots.
func (c *compiler) whole(t *keras.Tensor) ([]*buffer, bool) {
	parts := c.back[t.Number]
	c.back[t.Number] = nil
	switch len(parts) {
	case 0:
		return nil, false
	case 1:
		return parts[0], true
	}
	return c.list(c.write(t.Bytes(), Temporaries, c.union(parts...))), true
}

func (c *compiler) backward(op *keras.Op) {
	d := c.reads[:0]
	var of *keras.Tensor
	for _, t := range op.Out {
		if roots, ok := c.whole(t); ok {
			d = append(d, roots...)
			if of == nil || t.Bytes() > of.Bytes() {
				of = t
			}
		}
	}
	if of == nil || !needsGradient(op) {
		return
	}
	c.reads = d
	d = c.union(d)
	role := c.roles[op.Number]
	switch {
	case op.Read:
		c.derive(op.Weights[0], op.Weights[0].Bytes(), d)
		return
	case op.View:
		c.share(op.In[0], d)
		return
	}
	if role != fused && role != reduction && (len(d) != 1 || d[0].size != of.Bytes()) {
		d = c.list(c.write(of.Bytes(), Temporaries, d))
	}
	var reads []*buffer
	switch extras := c.extras[op.Number]; {
	case role == library && c.inputs[op.Number] != nil:
		reads = c.union(d, c.inputs[op.Number], extras)
	case role == library, op.Name == "Dropout":
		reads = c.union(d, c.sources(op.Kept()), extras)
	case op.Name == "MaxPool", op.Name == "relu":
		// relu(x) > 0 is x > 0 (xla/hlo/transforms/simplifiers/algebraic_simplifier.cc,
		// HandleCompare).
		reads = c.union(d, c.sources(op.In))
	case len(op.Extra) > 0, op.BackwardTemp > 0 && op.Name != "softmax": // which is made of its output
		reads = c.union(d, c.sources(op.Kept()), c.sources(op.In))
	default:
		reads = c.union(d, c.sources(op.Kept()))
	}
	for _, w := range op.Weights {
		c.derive(w, w.Elements()*of.DType.Size(), reads)
	}
	for i, t := range op.In {
		if !t.Grad || skipped(op, i) {
			continue
		}
		roots := reads
		switch {
		case op.GradSame && t.Bytes() == of.Bytes():
			roots = d
		case role == library, role == window:
			temp := op.BackwardTemp
			if op.Name == "MaxPool" {
				temp = poolGradient(op)
			}
			g := c.add(buffer{size: t.Bytes()})
			c.run(c.union(reads, c.filters[op.Number]), g).temp = temp
			roots = c.list(g)
		case 2*t.Bytes() <= of.Bytes(), len(reads) > operands:
			roots = c.list(c.write(t.Bytes(), Temporaries, reads))
		}
		c.share(t, roots)
	}
}

// derive adds the gradient of a weight and the update, which writes over the
// variables. What takes more than it frees is put off, the largest longest
// (xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc, ListScheduler).
func (c *compiler) derive(w *keras.Weight, size int64, reads []*buffer) {
	l := late{w, size, reads, c.layer}
	if freed(reads) < size {
		c.late = append(c.late, l)
		return
	}
	c.update(l)
}

// late is a gradient that is put off.
type late struct {
	weight *keras.Weight
	size   int64
	reads  []*buffer
	layer  *keras.Layer
}

func freed(reads []*buffer) (n int64) {
	for _, r := range reads {
		if !r.pinned {
			n += r.size
		}
	}
	return n
}

// update adds a gradient and, unless a barrier holds it back, what it is for.
func (c *compiler) update(l late) {
	c.layer = l.layer
	g := c.write(l.size, Gradients, l.reads)
	if c.optimizer.Barrier {
		c.held = append(c.held, g)
		return
	}
	phase := c.phase
	c.phase = Update
	c.run([]*buffer{g})
	c.phase = phase
}

// finish adds what was put off, then what was held back.
func (c *compiler) finish() {
	slices.SortStableFunc(c.late, func(a, b late) int { return cmp.Compare(a.size, b.size) })
	for _, l := range c.late {
		c.update(l)
	}
	c.phase, c.layer = Update, nil
	for _, g := range c.held {
		c.run([]*buffer{g})
	}
}

// count notes what stays between the passes.
func (c *compiler) count() {
	for _, k := range c.kernels {
		if k.phase != Backward {
			continue
		}
		for _, b := range k.reads {
			if b.writer != nil && b.writer.phase == Forward {
				c.stays(b)
			}
		}
	}
	clear(c.extras) // they are among them
}
