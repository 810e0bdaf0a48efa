package xla

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// A compiler makes the kernels of a step as XLA compiles it for a GPU.
//
// It differs from operations run one by one. Elementwise operations are fused into the kernels
// that read them and are never in memory. Neither is what only their gradients need: it is
// computed again from what is in memory (xla/service/gpu/transforms/priority_fusion.cc). An
// update is one kernel that overwrites the variables, which TensorFlow donates. Kernels run in an
// order that saves memory: a gradient is applied as soon as it is there.
type compiler struct {
	*executor.Builder
	*Survey
	// roots are the buffers that a tensor is computed from: its own alone if it is in memory,
	// none if it is a variable. back are the contributions to a tensor's gradient, each by its
	// roots. Both are indexed by tensor number.
	roots [][]*executor.Buffer
	back  [][][]*executor.Buffer
	// filters are those of a convolution in the layout of cuDNN's kernels. copies are what it
	// reads instead of the tensor itself. Both are indexed by operation number.
	filters, copies [][]*executor.Buffer
	// within is set, by tensor number, for what the kernel of a convolution writes, and to which
	// it can add a bias or apply ReLU.
	within  []bool
	sums    []sum                      // the gradients of weights that are asked for, by weight index
	zeroes  map[int64]*executor.Buffer // tensors of survey.zeros that exist, by size
	storing Storing
}

// A Storing says how much of what XLA may recompute is assumed to be in memory of its own.
type Storing int

const (
	Likely Storing = iota
	Most           // also what costs as much to compute as to store, and copies of filters
)

// Compiled builds a step as XLA compiles it: its computations, gradients and updates.
func Compiled(s *Survey, storing Storing) *executor.Builder {
	c := newCompiler(s, storing)
	for _, op := range s.order {
		c.Layer = op.Layer
		switch {
		case op.Gradient != nil:
			c.Phase, c.Layer = executor.Backward, nil
			c.differentiate(op)
		case op.Update != nil:
			c.Phase, c.Layer = executor.Update, nil
			c.apply(op)
		case op.Loss != "":
			c.Phase, c.Layer = executor.Backward, nil
			c.loss(op)
		default:
			c.Phase = executor.Forward
			c.forward(op)
		}
	}
	c.count()
	schedule(c.Builder.Step)
	return c.Builder
}

// CompiledInference builds the step of a forward pass that keeps only the outputs.
func CompiledInference(s *Survey, storing Storing) *executor.Builder {
	c := newCompiler(s, storing)
	c.Infers, c.Phase = true, executor.Forward
	for _, op := range s.order {
		c.Layer = op.Layer
		c.forward(op)
	}
	c.Layer = nil
	for _, t := range s.Outputs {
		out := c.roots[t.Number]
		if len(out) != 1 || out[0].Size != t.Bytes() || out[0].Pinned {
			out = c.List(c.write(t.Bytes(), executor.Activations, out))
		}
		out[0].Pinned = true
	}
	schedule(c.Builder.Step)
	return c.Builder
}

func newCompiler(s *Survey, storing Storing) *compiler {
	s.Arena.Clear()
	g := s.Graph
	c := &compiler{Builder: &executor.Builder{Step: &executor.Step{Arena: s.Arena}, Places: &s.Places}, Survey: s, storing: storing}
	c.Extras, c.filters, c.copies = c.Shares.Take(len(g.Ops)), c.Shares.Take(len(g.Ops)), c.Shares.Take(len(g.Ops))
	c.roots = c.Shares.Take(s.Tensors)
	c.back, c.within = c.Backs.Take(s.Tensors), executor.Zeros(s.within, s.Tensors)
	s.within = c.within
	c.sums = reusedOf(s.Arena).gradients.Take(s.Places.Count)
	c.Ordered = true
	for _, t := range g.Inputs {
		c.roots[t.Number] = c.List(c.Add(executor.Buffer{Pinned: true})) // the batch is resident
	}
	return c
}

// write adds an elementwise kernel that computes one buffer from others. It overwrites one of
// them if nothing else needs that. It does not overwrite a part of a tuple, because its reader
// reads the tuple's element and not the kernel (xla/service/heap_simulator/heap_simulator.cc,
// HeapSimulator::RunComputation).
func (c *compiler) write(size int64, kind executor.Kind, reads []*executor.Buffer) *executor.Buffer {
	out := c.Add(executor.Buffer{Size: size, Kind: kind})
	for _, r := range reads {
		if r.Size == size && !r.Pinned && !r.Part {
			out.Over[0] = r
			break
		}
	}
	c.Run(reads, out)
	return out
}

// apart adds a kernel that computes one buffer from others where elements depend on those in
// other places: a sum along a dimension, a transposition, a padding. It overwrites none of its
// inputs (xla/service/gpu/buffer_sharing.cc, FusionCanShareBufferHint).
func (c *compiler) apart(size int64, kind executor.Kind, reads []*executor.Buffer) *executor.Buffer {
	out := c.Add(executor.Buffer{Size: size, Kind: kind})
	c.Run(reads, out)
	return out
}

// sources returns the roots of some tensors.
func (c *compiler) sources(tensors []*graph.Tensor) []*executor.Buffer {
	if len(tensors) == 1 {
		return c.roots[tensors[0].Number]
	}
	all := c.Reads[:0]
	for _, t := range tensors {
		all = append(all, c.roots[t.Number]...)
	}
	c.Reads = all
	return c.Union(all)
}

// sourcesOf returns the sources of everything that some operations read.
func (c *compiler) sourcesOf(ops []*graph.Op) []*executor.Buffer {
	all := c.Reads[:0]
	for _, op := range ops {
		for _, t := range op.In {
			all = append(all, c.roots[t.Number]...)
		}
	}
	c.Reads = all
	return c.Union(all)
}

// share adds the roots of a contribution to the gradient of a tensor.
func (c *compiler) share(t *graph.Tensor, roots []*executor.Buffer) {
	parts := c.back[t.Number]
	if parts == nil {
		parts = c.Shares.Take(1)[:0] // usually there is one
	}
	c.back[t.Number] = append(parts, roots)
}

func (c *compiler) forward(op *graph.Op) {
	switch {
	case op.View, c.Infers && executor.Idle(op):
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
				mask := c.Add(executor.Buffer{Size: size, Kind: executor.Activations})
				c.Run(nil, mask)
				c.Extras[op.Number] = append(c.Extras[op.Number], mask)
			}
			reads = slices.Concat(reads, c.Extras[op.Number])
		}
		switch {
		case !c.keeps(op):
		case differences(op):
			c.Extras[op.Number] = c.List(c.apart(op.In[0].Bytes(), executor.Activations, reads))
			variance := c.apart(op.Normalization.Channel, executor.Activations, c.Extras[op.Number])
			reads = append(slices.Clone(reads), variance)
		case op.Kind == graph.OpGelu && !c.stored[op.Out[0].Number]:
			// The error function is a polynomial, which costs more to compute again than to store
			// (xla/service/gpu/model/gpu_performance_model.cc).
			c.Extras[op.Number] = c.List(c.apart(op.In[0].Bytes(), executor.Activations, reads))
			reads = slices.Concat(reads, c.Extras[op.Number])
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
				c.roots[t.Number] = c.List(make(t.Bytes(), executor.Activations, reads))
			} else if z := c.zero(op); z != nil {
				c.roots[t.Number] = append(slices.Clone(reads), z)
			}
		}
		return
	}
	if op.Kind.Is(graph.Convolves) {
		reads = c.convolution(op, reads)
	}
	if c.storing == Most && op.Kind == graph.OpMatMul && c.keeps(op) && len(op.Weights) > 0 && op.In[0].Grad && !c.adds[c.Places.Slot(op, 0)] {
		// The gradient of x reads the filters as they were before the update. XLA copies them if
		// it finds no order without a copy (xla/service/copy_insertion.cc). It finds one for
		// updates that only add.
		c.filters[op.Number] = c.List(c.write(op.Weights[0].Elements()*op.Out[0].DType.Size(), executor.Activations, nil))
		reads = slices.Concat(reads, c.filters[op.Number])
	}
	if len(mates) > 1 {
		c.merged(mates)
		return
	}
	c.Writes = c.Writes[:0]
	around := c.out[op.Number]
	for _, t := range op.Out {
		out := c.Add(executor.Buffer{Size: max(around.writes, t.Bytes()), Kind: executor.Activations, Part: op.Kind.Is(graph.Convolves) || c.gemm(op)})
		c.Writes = append(c.Writes, out)
		c.roots[t.Number] = c.List(out)
	}
	if role == graph.Library && c.keeps(op) {
		sizes := op.Extra
		if n := op.KeptCast(); n > 0 {
			sizes = append(slices.Clone(sizes), n)
		}
		if op.SpillBytes > 0 { // no iteration of a loop is hoisted
			sizes = append(slices.Clone(sizes), op.SpillBytes)
		}
		if op.Loops {
			sizes = append(slices.Clone(sizes), listed(op))
		}
		for _, size := range sizes {
			extra := c.Add(executor.Buffer{Size: size, Kind: executor.Activations})
			c.Writes = append(c.Writes, extra)
			c.Extras[op.Number] = append(c.Extras[op.Number], extra)
		}
	}
	c.Run(reads, c.Writes...).Temp = c.reordered(op, op.ForwardTemp) + c.workspace(op)
}

// listed returns the bytes of the variables that a loop reads in each iteration, for its
// gradient. A list is one array for XLA, and each iteration copies shared variables into it
// (tensorflow/compiler/tf2xla/kernels/tensor_list_utils.cc, ExecuteTensorListPushBack).
func listed(op *graph.Op) (n int64) {
	for _, w := range op.Weights {
		if len(w.Shape) > 1 {
			n += w.Elements() * op.Out[0].DType.Size() * max(op.In[0].Shape[0], 0)
		}
	}
	return n
}

// stores reports whether the result of a kernel is written to memory.
func (c *compiler) stores(t *graph.Tensor, from []*executor.Buffer) bool {
	return c.stored[t.Number] || c.products[t.Number] && (c.cublas() || sliced(t, from)) || c.worthStoring(t, from)
}

// abreast adds the outputs of operations that become one kernel.
func (c *compiler) abreast(mates []*graph.Op) {
	reads := c.sourcesOf(mates)
	c.Writes = c.Writes[:0]
	for _, op := range mates {
		t, own := op.Out[0], c.sources(op.In)
		if z := c.zero(op); z != nil {
			own = append(slices.Clone(own), z)
			reads = append(reads, z)
		}
		c.roots[t.Number] = own
		if c.stores(t, own) {
			out := c.Add(executor.Buffer{Size: t.Bytes(), Kind: executor.Activations, Part: true})
			c.Writes = append(c.Writes, out)
			c.roots[t.Number] = c.List(out)
		}
	}
	if len(c.Writes) > 0 {
		c.Run(reads, c.Writes...)
	}
}

// merged adds one kernel for several products. Each product is a slice of its output. A kernel of
// another product reads a copy of the slice.
func (c *compiler) merged(mates []*graph.Op) {
	var all int64
	for _, op := range mates {
		all += op.Out[0].Bytes()
	}
	whole := c.Add(executor.Buffer{Size: all, Kind: executor.Activations, Part: c.gemm(mates[0])})
	c.Run(c.sourcesOf(mates), whole).Temp = c.workspace(mates[0])
	for _, op := range mates {
		t := op.Out[0]
		c.roots[t.Number] = c.List(whole)
		if c.stored[t.Number] {
			c.roots[t.Number] = c.List(c.apart(t.Bytes(), executor.Activations, c.roots[t.Number]))
		}
	}
}

// sliced reports whether an operation reads something that is computed from a slice of a merged
// product.
func sliced(t *graph.Tensor, roots []*executor.Buffer) bool {
	return len(roots) == 1 && roots[0].Size > t.Bytes() && !roots[0].Pinned
}

// reordered returns the temporary memory of an operation's kernel, given that of TensorFlow's
// kernel. For a product of tensors it holds transposed copies, most of which XLA computes where
// they are read.
func (c *compiler) reordered(op *graph.Op, temp int64) int64 {
	if op.Kind == graph.OpEinsum && (op.Inner || c.storing != Most) {
		return 0
	}
	return temp
}

// keeps reports whether an operation keeps something for its gradient.
func (c *compiler) keeps(op *graph.Op) bool { return !c.Infers && executor.NeedsGradient(op) }

// zero returns the tensor of zeros in memory that an operation compares with, or nil.
func (c *compiler) zero(op *graph.Op) *executor.Buffer {
	if !op.Kind.Is(graph.ComparesZeros) || c.Infers {
		return nil
	}
	n := size(op.Out[0])
	if !c.zeros[n] {
		return nil
	}
	z := c.zeroes[n]
	if z == nil {
		z = c.Add(executor.Buffer{Size: op.Out[0].Bytes(), Kind: executor.Activations})
		c.Run(nil, z)
		if c.zeroes == nil {
			c.zeroes = map[int64]*executor.Buffer{}
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
func (c *compiler) worthStoring(t *graph.Tensor, from []*executor.Buffer) bool {
	if len(from) > operands {
		return true
	}
	sources, readers := 0, int(c.readers[t.Number])
	for _, b := range from {
		if b.Pinned || 4*b.Size >= t.Bytes() {
			sources++
		}
	}
	computed, written := sources*readers, sources+1+readers
	return computed > written || computed == written && c.storing == Most
}

// operands is how many tensors a fused kernel reads at most (xla/service/gpu/gpu_fusible.h,
// MaxOperandsAndOutputsPerFusion).
const operands = 96

// whole returns the roots of a tensor's gradient.
func (c *compiler) whole(t *graph.Tensor) ([]*executor.Buffer, bool) {
	parts := c.back[t.Number]
	c.back[t.Number] = nil
	switch len(parts) {
	case 0:
		return nil, false
	case 1:
		return parts[0], true
	}
	return c.List(c.write(t.Bytes(), executor.Temporaries, c.Union(parts...))), true
}

// cublas reports whether products run in cuBLAS's kernels, which read memory and return tuples.
func (c *compiler) cublas() bool {
	return c.On == executor.Turing || c.On == executor.UnknownGeneration && c.storing == Most
}

// gemm reports whether an operation is a product of cuBLAS.
func (c *compiler) gemm(op *graph.Op) bool {
	return op.Kind.Is(graph.Multiplies) && c.cublas() && c.roles[op.Number] == graph.Library
}

// workspace returns what cuBLAS takes for an operation beside its result.
func (c *compiler) workspace(op *graph.Op) int64 {
	if c.On == executor.Turing && c.gemm(op) {
		return executor.CublasWorkspace
	}
	return 0
}
