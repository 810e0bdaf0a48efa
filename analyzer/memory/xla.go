package memory

import (
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
	// copies what it reads instead of the tensor itself, by the numbers of operations.
	filters, copies [][]*buffer
	// within tells, by the numbers of tensors, what the kernel of a convolution writes, to
	// which a bias or the maximum with zero can be added.
	within  []bool
	sums    []sum             // the gradients of weights that are asked for, by their places
	zeroes  map[int64]*buffer // those of survey.zeros that were made, by their sizes
	storing storing
}

// A storing is how much of what XLA may compute again is taken to be in memory of its own.
type storing int

const (
	likely storing = iota
	most           // also what is as dear to compute as to store, and copies of kernels
)

// compiled widens the range to what is left open: how much XLA puts into memory of its own.
// It is more often more than estimated than less.
func (n *Need) compiled(s *survey, peak int64, kernels int, build func(*survey, storing) *builder) {
	n.Low = n.Peak - peak/10 - n.Peak/50
	if s.on == turing && slices.ContainsFunc(s.graph.Ops, multiplies) {
		n.High -= cublasWorkspace // it is among what was played
	}
	more := peak / 10
	if kernels <= long && len(s.graph.Ops) <= 2*long { // else it is played once
		more = max(more, build(s, most).play(Use{}, nil)-peak)
	}
	n.High += more
}

// compiled builds a step as XLA compiles it: what it computes, asks the gradients of and
// updates.
func compiled(s *survey, storing storing) *builder {
	c := newCompiler(s, storing)
	for _, op := range s.order {
		c.layer = op.Layer
		switch {
		case op.Gradient != nil:
			c.phase, c.layer = Backward, nil
			c.differentiate(op)
		case op.Update != nil:
			c.phase, c.layer = Update, nil
			c.apply(op)
		case op.Loss != "":
			c.phase, c.layer = Backward, nil
			c.loss(op)
		default:
			c.phase = Forward
			c.forward(op)
		}
	}
	c.count()
	c.schedule()
	return c.builder
}

// compiledInference builds the step of a forward pass that keeps only the outputs.
func compiledInference(s *survey, storing storing) *builder {
	c := newCompiler(s, storing)
	c.infers, c.phase = true, Forward
	for _, op := range s.order {
		c.layer = op.Layer
		c.forward(op)
	}
	c.layer = nil
	for _, t := range s.outputs {
		out := c.roots[t.Number]
		if len(out) != 1 || out[0].size != t.Bytes() || out[0].pinned {
			out = c.list(c.write(t.Bytes(), Activations, out))
		}
		out[0].pinned = true
	}
	c.schedule()
	return c.builder
}

func newCompiler(s *survey, storing storing) *compiler {
	s.arena.clear()
	g := s.graph
	c := &compiler{builder: &builder{step: &step{arena: s.arena}, places: &s.places}, survey: s, storing: storing}
	c.extras, c.filters, c.copies = c.shares.take(len(g.Ops)), c.shares.take(len(g.Ops)), c.shares.take(len(g.Ops))
	c.roots = c.shares.take(s.tensors)
	c.back, c.within = c.backs.take(s.tensors), zeros(s.within, s.tensors)
	s.within = c.within
	c.sums = c.gradients.take(s.places.count)
	c.ordered = true
	for _, t := range g.Inputs {
		c.roots[t.Number] = c.list(c.add(buffer{pinned: true})) // the batch is resident
	}
	return c
}

// write adds a kernel that computes one buffer from others, in the place of one where
// nobody else needs that and each element is made of the one in its place. A part of a
// tuple is not written over, as its reader reads the tuple's element and not the kernel
// (xla/service/heap_simulator/heap_simulator.cc, HeapSimulator::RunComputation).
func (c *compiler) write(size int64, kind Kind, reads []*buffer) *buffer {
	out := c.add(buffer{size: size, kind: kind})
	for _, r := range reads {
		if r.size == size && !r.pinned && !r.part {
			out.over[0] = r
			break
		}
	}
	c.run(reads, out)
	return out
}

// apart adds a kernel that computes one buffer from others, in which elements are made of
// those in other places: sums along a dimension, another order, a border. It is not
// written over what it is made of (xla/service/gpu/buffer_sharing.cc,
// FusionCanShareBufferHint).
func (c *compiler) apart(size int64, kind Kind, reads []*buffer) *buffer {
	out := c.add(buffer{size: size, kind: kind})
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

// sourcesOf are the sources of everything that some operations read.
func (c *compiler) sourcesOf(ops []*keras.Op) []*buffer {
	all := c.reads[:0]
	for _, op := range ops {
		for _, t := range op.In {
			all = append(all, c.roots[t.Number]...)
		}
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
	case op.View, c.infers && idle(op):
		c.roots[op.Out[0].Number] = c.roots[op.In[0].Number]
		return
	case op.Read:
		return
	}
	mates := c.mates[op.Number]
	if len(mates) > 1 && op != mates[0] {
		return // it was made with the first
	}
	reads, role := c.sources(op.In), c.roles[op.Number]
	if len(mates) > 1 && role == fused {
		c.abreast(mates)
		return
	}
	if role == fused {
		if op.Name == "Dropout" && c.keeps(op) {
			// What is drawn is not drawn again.
			for _, size := range op.Extra {
				mask := c.add(buffer{size: size, kind: Activations})
				c.run(nil, mask)
				c.extras[op.Number] = append(c.extras[op.Number], mask)
			}
			reads = slices.Concat(reads, c.extras[op.Number])
		}
		switch {
		case !c.keeps(op):
		case differences(op):
			c.extras[op.Number] = c.list(c.apart(op.In[0].Bytes(), Activations, reads))
			variance := c.apart(op.Normalization.Channel, Activations, c.extras[op.Number])
			reads = append(slices.Clone(reads), variance)
		case op.Name == "gelu" && !c.stored[op.Out[0].Number]:
			// The error function is a polynomial, dearer to compute again than to store
			// (xla/service/gpu/model/gpu_performance_model.cc).
			c.extras[op.Number] = c.list(c.apart(op.In[0].Bytes(), Activations, reads))
			reads = slices.Concat(reads, c.extras[op.Number])
		}
		for _, t := range op.Out {
			c.roots[t.Number] = reads
			if c.convolved(op) {
				c.within[t.Number] = op.Name == "BiasAdd"
				continue
			}
			if c.stores(t, reads) {
				make := c.write
				if op.Name == "softmax" {
					make = c.apart
				}
				if z := c.zero(op); z != nil {
					reads = append(slices.Clone(reads), z)
				}
				c.roots[t.Number] = c.list(make(t.Bytes(), Activations, reads))
			} else if z := c.zero(op); z != nil {
				c.roots[t.Number] = append(slices.Clone(reads), z)
			}
		}
		return
	}
	if convolves(op) {
		reads = c.convolution(op, reads)
	}
	if c.storing == most && op.Name == "MatMul" && c.keeps(op) && len(op.Weights) > 0 && op.In[0].Grad && !c.adds[c.places.slot(op, 0)] {
		// The gradient of x reads the kernel as it was, which the update writes over:
		// a copy, where XLA finds no order without one
		// (xla/service/copy_insertion.cc). It finds one for updates that only add.
		c.filters[op.Number] = c.list(c.write(op.Weights[0].Elements()*op.Out[0].DType.Size(), Activations, nil))
		reads = slices.Concat(reads, c.filters[op.Number])
	}
	if len(mates) > 1 {
		c.merged(mates)
		return
	}
	c.writes = c.writes[:0]
	around := c.out[op.Number]
	for _, t := range op.Out {
		out := c.add(buffer{size: max(around.writes, t.Bytes()), kind: Activations, part: convolves(op) || c.gemm(op)})
		c.writes = append(c.writes, out)
		c.roots[t.Number] = c.list(out)
	}
	if role == library && c.keeps(op) {
		sizes := op.Extra
		if op.SpillBytes > 0 { // no turn of a loop runs before its time
			sizes = append(slices.Clone(sizes), op.SpillBytes)
		}
		if op.Loops {
			sizes = append(slices.Clone(sizes), listed(op))
		}
		for _, size := range sizes {
			extra := c.add(buffer{size: size, kind: Activations})
			c.writes = append(c.writes, extra)
			c.extras[op.Number] = append(c.extras[op.Number], extra)
		}
	}
	c.run(reads, c.writes...).temp = c.reordered(op, op.ForwardTemp) + c.workspace(op)
}

// listed are the bytes of the variables that a loop reads turn by turn, for its gradient: a
// list is one array for XLA, into which each turn copies what others share
// (tensorflow/compiler/tf2xla/kernels/tensor_list_utils.cc, ExecuteTensorListPushBack).
func listed(op *keras.Op) (n int64) {
	for _, w := range op.Weights {
		if len(w.Shape) > 1 {
			n += w.Elements() * op.Out[0].DType.Size() * max(op.Out[0].Shape[0], 0)
		}
	}
	return n
}

// stores reports whether the result of a kernel is written to memory.
func (c *compiler) stores(t *keras.Tensor, from []*buffer) bool {
	return c.stored[t.Number] || c.products[t.Number] && (c.cublas() || sliced(t, from)) || c.worthStoring(t, from)
}

// abreast makes what operations that become one kernel make.
func (c *compiler) abreast(mates []*keras.Op) {
	reads := c.sourcesOf(mates)
	c.writes = c.writes[:0]
	for _, op := range mates {
		t, own := op.Out[0], c.sources(op.In)
		if z := c.zero(op); z != nil {
			own = append(slices.Clone(own), z)
			reads = append(reads, z)
		}
		c.roots[t.Number] = own
		if c.stores(t, own) {
			out := c.add(buffer{size: t.Bytes(), kind: Activations, part: true})
			c.writes = append(c.writes, out)
			c.roots[t.Number] = c.list(out)
		}
	}
	if len(c.writes) > 0 {
		c.run(reads, c.writes...)
	}
}

// merged computes several products as one, of which each is a slice. A kernel of another
// product reads a copy of the slice.
func (c *compiler) merged(mates []*keras.Op) {
	var all int64
	for _, op := range mates {
		all += op.Out[0].Bytes()
	}
	whole := c.add(buffer{size: all, kind: Activations, part: c.gemm(mates[0])})
	c.run(c.sourcesOf(mates), whole).temp = c.workspace(mates[0])
	for _, op := range mates {
		t := op.Out[0]
		c.roots[t.Number] = c.list(whole)
		if c.stored[t.Number] {
			c.roots[t.Number] = c.list(c.apart(t.Bytes(), Activations, c.roots[t.Number]))
		}
	}
}

// sliced reports whether an operation reads something that is computed from a slice of a
// merged product.
func sliced(t *keras.Tensor, roots []*buffer) bool {
	return len(roots) == 1 && roots[0].size > t.Bytes() && !roots[0].pinned
}

// reordered is what the kernel of an operation takes beside what it makes, given that of
// TensorFlow's: for a product of tensors that is copies in another order of dimensions,
// most of which XLA computes where they are read.
func (c *compiler) reordered(op *keras.Op, temp int64) int64 {
	if op.Name == "Einsum" && (op.Inner || c.storing != most) {
		return 0
	}
	return temp
}

// keeps tells whether an operation keeps something for its gradient.
func (c *compiler) keeps(op *keras.Op) bool { return !c.infers && needsGradient(op) }

// zero is the tensor of zeros in memory that an operation compares with, or nil.
func (c *compiler) zero(op *keras.Op) *buffer {
	if !comparesWithZeros(op) || c.infers {
		return nil
	}
	n := size(op.Out[0])
	if !c.zeros[n] {
		return nil
	}
	z := c.zeroes[n]
	if z == nil {
		z = c.add(buffer{size: op.Out[0].Bytes(), kind: Activations})
		c.run(nil, z)
		if c.zeroes == nil {
			c.zeroes = map[int64]*buffer{}
		}
		c.zeroes[n] = z
	}
	return z
}

// poolGradient is what the gradient of a maximum over windows takes while it runs, beside
// the zeros that it adds to: where each maximum was, an index for each dimension
// (xla/service/select_and_scatter_expander.cc).
func (c *compiler) poolGradient(op *keras.Op) int64 {
	n, _ := op.Out[0].Shape.Elements()
	return int64(len(op.Out[0].Shape)) * 4 * n
}

// worthStoring tells whether a tensor is written once and read several times
// rather than computed by each of its readers from what it is made of: what
// XLA's fusion weighs is the bytes that are read and written
// (xla/service/gpu/model/gpu_performance_model.cc), to which numbers for each row or
// channel add little.
func (c *compiler) worthStoring(t *keras.Tensor, from []*buffer) bool {
	if len(from) > operands {
		return true
	}
	sources, readers := 0, int(c.readers[t.Number])
	for _, b := range from {
		if b.pinned || 4*b.size >= t.Bytes() {
			sources++
		}
	}
	computed, written := sources*readers, sources+1+readers
	return computed > written || computed == written && c.storing == most
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
