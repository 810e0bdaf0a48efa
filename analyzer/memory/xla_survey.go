package memory

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/keras"
)

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
	if sums(op) {
		return reduction
	}
	switch op.Name {
	case "Conv", "DepthwiseConv", "MatMul", "BatchMatMul", "Einsum", "RNN", "Cell", "Map", "TopK", "Resize", "ExtractPatches", "Embedding":
		return library
	case "MaxPool", "AvgPool":
		return window
	case "SpaceToBatch", "BatchToSpace":
		return reduction
	case "Split", "Slice", "StridedSlice", "Unpack", "Unstack":
		return fused // however small (xla/service/gpu/transforms/priority_fusion.cc, IsFusible)
	}
	var in int64
	for _, t := range op.In {
		n, _ := t.Shape.Elements()
		in = max(in, n)
	}
	for _, t := range op.Out {
		if n, _ := t.Shape.Elements(); 2*n > in {
			return fused
		}
	}
	return reduction
}

// size is the bytes of a tensor, not rounded: twice one half is the whole.
func size(t *keras.Tensor) int64 {
	n, _ := t.Shape.Elements()
	return n * t.DType.Size()
}

// sums tells of a product that it is made of products of numbers, which are added up: one
// with a matrix of one column, or of tensors of which one has no dimension of its own
// (xla/hlo/transforms/simplifiers/algebraic_simplifier.cc, HandleDotStrengthReduction).
func sums(op *keras.Op) bool {
	if op.Inner {
		return true
	}
	if op.Name != "MatMul" || len(op.Weights) == 0 {
		return false
	}
	out := op.Out[0].Shape
	return len(out) > 0 && out[len(out)-1] == 1
}

// A survey is what XLA makes of a forward pass, however much is stored.
type survey struct {
	*lowered
	on    generation
	order []*keras.Op
	mates map[int][]*keras.Op
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
	// zeros are the sizes of tensors of zeros that are in memory: gradients of maxima over
	// windows add to them, and elementwise operations compare with them.
	zeros map[int64]bool
	// uses are of gradients, and defined the bytes that their updates make in the place of
	// variables, by the numbers of the tensors that they are.
	uses    []use
	defined []int64
	// in and out are the borders of convolutions, by the numbers of operations.
	in, out []border
	adds    []bool // by the places of weights, whether updates only add
	within  []bool // of compiler
}

// A use is what becomes of a gradient.
type use uint8

const (
	unread  use = iota
	added       // by an update that adds it, or a part of it, to a variable and does nothing else
	applied     // by updates alone, as soon as it is there
	awaited     // something is made of it first, or an update waits for others
)

// forget lets go of the pass.
func (s *survey) forget() {
	s.order, s.mates = nil, nil
}

func surveyed(l *lowered, on generation) *survey {
	s := &l.survey
	s.lowered, s.on = l, on
	s.order, s.mates = together(l.graph.Ops, l.places.several)
	s.roles, s.stored = zeros(s.roles, len(l.graph.Ops)), zeros(s.stored, l.tensors)
	s.readers, s.products, s.base = zeros(s.readers, l.tensors), zeros(s.products, l.tensors), zeros(s.base, l.tensors)
	s.uses, s.defined = zeros(s.uses, l.tensors), zeros(s.defined, l.tensors)
	s.in, s.out, s.adds = zeros(s.in, len(l.graph.Ops)), zeros(s.out, len(l.graph.Ops)), zeros(s.adds, l.places.count)
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
		switch {
		case op.Gradient != nil:
			s.keeps(op, of)
			continue
		case op.Update != nil:
			s.applies(op)
			continue
		}
		for _, t := range op.In {
			s.readers[of(t)]++
			if op.Normalization != nil && op.Normalization.Moments {
				s.readers[of(t)] += 2 // the mean and the variance
			}
			s.uses[t.Number] = awaited
		}
		if op.Loss != "" {
			continue
		}
		role := roleOf(op)
		s.roles[i] = role
		s.in[i], s.out[i] = borders(op)
		for _, t := range op.In {
			switch {
			case role == library && multiplies(op) && t.From != nil && t.From.Name == "relu":
				s.products[of(t)] = true
			case role == library && s.in[i].reads == 0:
				s.stored[of(t)] = true
			}
		}
	}
	s.zeroed()
	return s
}

// zeroed finds the tensors of zeros that are in memory. XLA makes one of all of a shape
// (xla/service/hlo_cse.cc), and does not compute it where it is read if one reader is the
// sum of scattered numbers (xla/service/gpu/transforms/priority_fusion.cc,
// CanFuseWithAllNonBitcastUsers), which is what the gradient of a maximum over windows
// becomes, but for a tensor of which other gradients come: it adds to those.
func (s *survey) zeroed() {
	clear(s.zeros)
	var compared map[int64]bool
	for _, op := range s.graph.Ops {
		if op.Gradient == nil {
			continue
		}
		through := differentiated(s.graph, op)
		for _, made := range through {
			if comparesWithZeros(made) && differs(op.Gradient, made) {
				if compared == nil {
					compared = map[int64]bool{}
				}
				compared[size(made.Out[0])] = true
			}
		}
		for _, made := range through {
			if made.Name == "MaxPool" && compared[size(made.In[0])] && differs(op.Gradient, made) && alone(made.In[0], through, op.Gradient) {
				if s.zeros == nil {
					s.zeros = map[int64]bool{}
				}
				s.zeros[size(made.In[0])] = true
			}
		}
	}
}

// alone tells whether one gradient alone comes back to a tensor.
func alone(t *keras.Tensor, through []*keras.Op, asked *keras.Gradient) bool {
	n := 0
	for _, op := range through {
		if slices.Contains(op.In, t) && differs(asked, op) {
			n++
		}
	}
	return n < 2
}

// comparesWithZeros tells of an elementwise operation that it, or its gradient, compares
// with zeros (tensorflow/compiler/tf2xla/kernels/relu_op.cc, elu_op.cc). PReLU is made of
// two maxima with zero.
func comparesWithZeros(op *keras.Op) bool {
	switch op.Name {
	case "relu", "relu6", "leaky_relu", "PReLU", "elu", "selu", "gelu":
		return true
	}
	return false
}

// keeps counts among the readers of tensors the gradients that are asked for.
func (s *survey) keeps(op *keras.Op, of func(*keras.Tensor) int32) {
	for _, made := range differentiated(s.graph, op) {
		if !differs(op.Gradient, made) {
			continue
		}
		for _, t := range compared(made) {
			s.readers[of(t)]++
		}
	}
}

// compared are the tensors that the gradient of an operation reads. relu(x) > 0 is x > 0
// (xla/hlo/transforms/simplifiers/algebraic_simplifier.cc, HandleCompare).
func compared(op *keras.Op) []*keras.Tensor {
	if op.Name == "MaxPool" || op.Name == "relu" {
		return op.In
	}
	return op.Kept()
}

// applies notes which gradients an update applies.
func (s *survey) applies(op *keras.Op) {
	for i, t := range op.In {
		use := applied
		switch o := op.Update.Optimizer; {
		case o != nil && (o.Barrier || s.shared):
			use = awaited
		case o == nil, o.SlotBytes(op.Update.Weights[i]) == 0:
			use = added
		}
		s.uses[t.Number] = max(s.uses[t.Number], use)
		w := op.Update.Weights[i]
		s.defined[t.Number] = w.Bytes()
		if o := op.Update.Optimizer; o != nil {
			s.defined[t.Number] += o.SlotBytes(w)
		}
		s.adds[s.places.slot(op, i)] = use == added
	}
}
