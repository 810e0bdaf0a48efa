package memory

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
)

// A compiler makes the kernels of a step as XLA compiles it for a GPU.
//
// It differs from operations run one by one. Elementwise operations are fused into the kernels
// that read them and are never in memory. Neither is what only their gradients need: it is
// computed again from what is in memory (xla/service/gpu/transforms/priority_fusion.cc). An
// update is one kernel that overwrites the variables, which TensorFlow donates. Kernels run in an
// order that saves memory: a gradient is applied as soon as it is there.
type compiler struct {
	*builder
	*survey
	// roots are the buffers that a tensor is computed from: its own alone if it is in memory,
	// none if it is a variable. back are the contributions to a tensor's gradient, each by its
	// roots. Both are indexed by tensor number.
	roots [][]*buffer
	back  [][][]*buffer
	// filters are those of a convolution in the layout of cuDNN's kernels. copies are what it
	// reads instead of the tensor itself. Both are indexed by operation number.
	filters, copies [][]*buffer
	// within is set, by tensor number, for what the kernel of a convolution writes, and to which
	// it can add a bias or apply ReLU.
	within  []bool
	sums    []sum             // the gradients of weights that are asked for, by weight index
	zeroes  map[int64]*buffer // tensors of survey.zeros that exist, by size
	storing storing
}

// A storing says how much of what XLA may recompute is assumed to be in memory of its own.
type storing int

const (
	likely storing = iota
	most           // also what costs as much to compute as to store, and copies of filters
)

// compiled widens the range of a need, because the memory that XLA allocates is not known
// exactly. It is more often above the estimate than below.
func (n *Need) compiled(s *survey, peak int64, kernels int, build func(*survey, storing) *builder) {
	n.Low = n.Peak - peak/10 - n.Peak/50
	if s.on == turing && slices.ContainsFunc(s.graph.Ops, func(op *graph.Op) bool { return op.Kind.Is(graph.Multiplies) }) {
		n.High -= cublasWorkspace // the workspace is one of the buffers already
	}
	more := peak / 10
	if kernels <= long && len(s.graph.Ops) <= 2*long { // else the step is simulated once
		more = max(more, build(s, most).play(Use{}, nil)-peak)
	}
	n.High += more
}

// compiled builds a step as XLA compiles it: its computations, gradients and updates.
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
	c.sums = reusedOf(s.arena).gradients.take(s.places.count)
	c.ordered = true
	for _, t := range g.Inputs {
		c.roots[t.Number] = c.list(c.add(buffer{pinned: true})) // the batch is resident
	}
	return c
}

// write adds an elementwise kernel that computes one buffer from others. It overwrites one of
// them if nothing else needs that. It does not overwrite a part of a tuple, because its reader
// reads the tuple's element and not the kernel (xla/service/heap_simulator/heap_simulator.cc,
// HeapSimulator::RunComputation).
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

// apart adds a kernel that computes one buffer from others where elements depend on those in
// other places: a sum along a dimension, a transposition, a padding. It overwrites none of its
// inputs (xla/service/gpu/buffer_sharing.cc, FusionCanShareBufferHint).
func (c *compiler) apart(size int64, kind Kind, reads []*buffer) *buffer {
	out := c.add(buffer{size: size, kind: kind})
	c.run(reads, out)
	return out
}

// sources returns the roots of some tensors.
func (c *compiler) sources(tensors []*graph.Tensor) []*buffer {
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

// sourcesOf returns the sources of everything that some operations read.
func (c *compiler) sourcesOf(ops []*graph.Op) []*buffer {
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
func (c *compiler) share(t *graph.Tensor, roots []*buffer) {
	parts := c.back[t.Number]
	if parts == nil {
		parts = c.shares.take(1)[:0] // usually there is one
	}
	c.back[t.Number] = append(parts, roots)
}

func (c *compiler) forward(op *graph.Op) {
	switch {
	case op.View, c.infers && idle(op):
		c.roots[op.Out[0].Number] = c.roots[op.In[0].Number]
		return
	case op.Read:
		return
	}
	mates := c.mates[op.Number]
	if len(mates) > 1 && op != mates[0] {
		return // it was computed with the first
	}
	reads, role := c.sources(op.In), c.roles[op.Number]
	if len(mates) > 1 && role == graph.Fused {
		c.abreast(mates)
		return
	}
	if role == graph.Fused {
		if op.Kind == graph.OpDropout && c.keeps(op) {
			// Random numbers are not drawn again.
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
		case op.Kind == graph.OpGelu && !c.stored[op.Out[0].Number]:
			// The error function is a polynomial, which costs more to compute again than to store
			// (xla/service/gpu/model/gpu_performance_model.cc).
			c.extras[op.Number] = c.list(c.apart(op.In[0].Bytes(), Activations, reads))
			reads = slices.Concat(reads, c.extras[op.Number])
		}
		for _, t := range op.Out {
			c.roots[t.Number] = reads
			if c.convolved(op) {
				c.within[t.Number] = op.Kind == graph.OpBiasAdd
				continue
			}
			if c.stores(t, reads) {
				make := c.write
				if op.Kind == graph.OpSoftmax {
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
	if op.Kind.Is(graph.Convolves) {
		reads = c.convolution(op, reads)
	}
	if c.storing == most && op.Kind == graph.OpMatMul && c.keeps(op) && len(op.Weights) > 0 && op.In[0].Grad && !c.adds[c.places.slot(op, 0)] {
		// The gradient of x reads the filters as they were before the update. XLA copies them if
		// it finds no order without a copy (xla/service/copy_insertion.cc). It finds one for
		// updates that only add.
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
		out := c.add(buffer{size: max(around.writes, t.Bytes()), kind: Activations, part: op.Kind.Is(graph.Convolves) || c.gemm(op)})
		c.writes = append(c.writes, out)
		c.roots[t.Number] = c.list(out)
	}
	if role == graph.Library && c.keeps(op) {
		sizes := op.Extra
		if op.SpillBytes > 0 { // no iteration of a loop is hoisted
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

// listed returns the bytes of the variables that a loop reads in each iteration, for its
// gradient. A list is one array for XLA, and each iteration copies shared variables into it
// (tensorflow/compiler/tf2xla/kernels/tensor_list_utils.cc, ExecuteTensorListPushBack).
func listed(op *graph.Op) (n int64) {
	for _, w := range op.Weights {
		if len(w.Shape) > 1 {
			n += w.Elements() * op.Out[0].DType.Size() * max(op.Out[0].Shape[0], 0)
		}
	}
	return n
}

// stores reports whether the result of a kernel is written to memory.
func (c *compiler) stores(t *graph.Tensor, from []*buffer) bool {
	return c.stored[t.Number] || c.products[t.Number] && (c.cublas() || sliced(t, from)) || c.worthStoring(t, from)
}

// abreast adds the outputs of operations that become one kernel.
func (c *compiler) abreast(mates []*graph.Op) {
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

// merged adds one kernel for several products. Each product is a slice of its output. A kernel of
// another product reads a copy of the slice.
func (c *compiler) merged(mates []*graph.Op) {
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

// sliced reports whether an operation reads something that is computed from a slice of a merged
// product.
func sliced(t *graph.Tensor, roots []*buffer) bool {
	return len(roots) == 1 && roots[0].size > t.Bytes() && !roots[0].pinned
}

// reordered returns the temporary memory of an operation's kernel, given that of TensorFlow's
// kernel. For a product of tensors it holds transposed copies, most of which XLA computes where
// they are read.
func (c *compiler) reordered(op *graph.Op, temp int64) int64 {
	if op.Kind == graph.OpEinsum && (op.Inner || c.storing != most) {
		return 0
	}
	return temp
}

// keeps reports whether an operation keeps something for its gradient.
func (c *compiler) keeps(op *graph.Op) bool { return !c.infers && needsGradient(op) }

// zero returns the tensor of zeros in memory that an operation compares with, or nil.
func (c *compiler) zero(op *graph.Op) *buffer {
	if !op.Kind.Is(graph.ComparesZeros) || c.infers {
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

// poolGradient returns the temporary memory of a max pooling's gradient, beside the zeros that it
// adds to. It holds the position of each maximum, an index for each dimension
// (xla/service/select_and_scatter_expander.cc).
func (c *compiler) poolGradient(op *graph.Op) int64 {
	n, _ := op.Out[0].Shape.Elements()
	return int64(len(op.Out[0].Shape)) * 4 * n
}

// worthStoring reports whether a tensor is written once and read several times, rather than
// computed again by each of its readers. XLA's fusion compares the bytes that are read and
// written (xla/service/gpu/model/gpu_performance_model.cc). Tensors with one number for each row
// or channel add little.
func (c *compiler) worthStoring(t *graph.Tensor, from []*buffer) bool {
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

// operands is how many tensors a fused kernel reads at most (xla/service/gpu/gpu_fusible.h,
// MaxOperandsAndOutputsPerFusion).
const operands = 96

// whole returns the roots of a tensor's gradient.
func (c *compiler) whole(t *graph.Tensor) ([]*buffer, bool) {
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
