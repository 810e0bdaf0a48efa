package xla

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// roleOf returns the role of an operation under XLA.
func roleOf(op *graph.Op) graph.Role {
	switch {
	case sums(op):
		return graph.Reduction
	case op.Kind.XLA != graph.BySize:
		return op.Kind.XLA
	}
	var in int64
	for _, t := range op.In {
		n, _ := t.Shape.Elements()
		in = max(in, n)
	}
	for _, t := range op.Out {
		if n, _ := t.Shape.Elements(); 2*n > in {
			return graph.Fused
		}
	}
	return graph.Reduction
}

// Open returns the size of the largest tensor that losses of the program's own sum, multiply or take from
// data. XLA may compute it again for each of its readers, or store it beside its gradient, after a
// comparison of costs that is not modelled. Of the distances of all pairs it has held one tensor, two or
// none, and of pictures a copy of the target in the layout of convolutions
// (testdata/estimate/styles/cases/pairs_*.py, loss_focal_tversky.py).
func Open(l *executor.Lowered) (most int64) {
	for _, op := range l.Compared {
		for _, t := range op.In {
			if t.From == nil {
				most = max(most, t.Bytes())
			}
		}
		if role := roleOf(op); role == graph.Reduction || role == graph.Library && op.Kind.Is(graph.Multiplies) {
			for _, t := range op.Out {
				most = max(most, t.Bytes())
			}
		}
	}
	return most
}

// size returns the bytes of a tensor, not rounded: twice one half is the whole.
func size(t *graph.Tensor) int64 {
	n, _ := t.Shape.Elements()
	return n * t.DType.Size()
}

// sums reports whether a product is compiled as a sum of elementwise products: one with a matrix
// of one column, or of tensors of which one has no dimension of its own
// (xla/hlo/transforms/simplifiers/algebraic_simplifier.cc, HandleDotStrengthReduction).
func sums(op *graph.Op) bool {
	if op.Inner {
		return true
	}
	if op.Kind != graph.OpMatMul || len(op.Weights) == 0 {
		return false
	}
	out := op.Out[0].Shape
	return len(out) > 0 && out[len(out)-1] == 1
}

// A Survey is how XLA compiles a forward pass, however much is stored.
type Survey struct {
	*executor.Lowered
	On    executor.Generation
	order []*graph.Op
	mates map[int][]*graph.Op
	roles []graph.Role // by operation number
	// stored are the tensors that must be in memory. readers counts the readers of each tensor.
	// Both are indexed by tensor number.
	stored  []bool
	readers []int32
	// products are the tensors stored for a product alone that can be fused into its kernel:
	// ReLUs (xla/service/gpu/transforms/gemm_fusion.cc). cuBLAS's kernels, which may be faster on
	// a GPU, read memory.
	products []bool
	base     []int32 // of views
	// zeros are the sizes of tensors of zeros in memory. Gradients of max pooling add to them,
	// and elementwise operations compare with them.
	zeros map[int64]bool
	// uses says what happens to gradients, and defined is the bytes that their updates write in
	// place of variables, both by tensor number.
	uses    []use
	defined []int64
	// in and out are the borders of convolutions, by operation number.
	in, out []border
	adds    []bool // by weight index, whether updates only add
	within  []bool // as in compiler
}

// A use is what happens to a gradient.
type use uint8

const (
	unread  use = iota
	added       // an update adds it, or a part of it, to a variable and does nothing else
	applied     // only updates read it, as soon as it is there
	awaited     // something is computed from it first, or an update waits for others
)

// reused is the memory that a compilation leaves to that of the next step.
type reused struct {
	survey    Survey
	gradients executor.Slab[sum]
	graph     kernelGraph
}

func reusedOf(a *executor.Arena) *reused {
	r, ok := a.Compiler.(*reused)
	if !ok {
		r = &reused{}
		a.Compiler = r
	}
	return r
}

func (r *reused) Clear() { r.gradients.Clear() }

// Forget releases the pass.
func (r *reused) Forget() { r.survey.order, r.survey.mates = nil, nil }

// SurveyOf returns the survey of a pass.
func SurveyOf(l *executor.Lowered) *Survey { return &reusedOf(l.Arena).survey }

func Surveyed(l *executor.Lowered, on executor.Generation) *Survey {
	s := SurveyOf(l)
	s.Lowered, s.On = l, on
	s.order, s.mates = together(l.Graph.Ops, l.Places.Several)
	s.roles, s.stored = executor.Zeros(s.roles, len(l.Graph.Ops)), executor.Zeros(s.stored, l.Tensors)
	s.readers, s.products, s.base = executor.Zeros(s.readers, l.Tensors), executor.Zeros(s.products, l.Tensors), executor.Zeros(s.base, l.Tensors)
	s.uses, s.defined = executor.Zeros(s.uses, l.Tensors), executor.Zeros(s.defined, l.Tensors)
	s.in, s.out, s.adds = executor.Zeros(s.in, len(l.Graph.Ops)), executor.Zeros(s.out, len(l.Graph.Ops)), executor.Zeros(s.adds, l.Places.Count)
	base := s.base
	of := func(t *graph.Tensor) int32 {
		if b := base[t.Number]; b != 0 {
			return b
		}
		return int32(t.Number)
	}
	for i, op := range l.Graph.Ops {
		s.roles[i] = graph.Fused
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
			case role == graph.Library && op.Kind.Is(graph.Multiplies) && t.From != nil && t.From.Kind == graph.OpRelu:
				s.products[of(t)] = true
			case role == graph.Library && s.in[i].reads == 0:
				s.stored[of(t)] = true
			}
		}
	}
	s.zeroed()
	return s
}

// zeroed finds the tensors of zeros that are in memory. XLA makes one for all of a shape
// (xla/service/hlo_cse.cc). It does not fuse that one into its readers if one of them is a
// scatter (xla/service/gpu/transforms/priority_fusion.cc, CanFuseWithAllNonBitcastUsers). The
// gradient of a max pooling becomes a scatter, unless its input has other gradients: then it adds
// to those.
func (s *Survey) zeroed() {
	clear(s.zeros)
	var compared map[int64]bool
	for _, op := range s.Graph.Ops {
		if op.Gradient == nil {
			continue
		}
		through := differentiated(s.Graph, op)
		for _, made := range through {
			if made.Kind.Is(graph.ComparesZeros) && executor.Differs(op.Gradient, made) {
				if compared == nil {
					compared = map[int64]bool{}
				}
				compared[size(made.Out[0])] = true
			}
		}
		for _, made := range through {
			if made.Kind == graph.OpMaxPool && compared[size(made.In[0])] && executor.Differs(op.Gradient, made) && alone(made.In[0], through, op.Gradient) {
				if s.zeros == nil {
					s.zeros = map[int64]bool{}
				}
				s.zeros[size(made.In[0])] = true
			}
		}
	}
}

// alone reports whether a tensor's gradient has a single contribution.
func alone(t *graph.Tensor, through []*graph.Op, asked *graph.Gradient) bool {
	n := 0
	for _, op := range through {
		if slices.Contains(op.In, t) && executor.Differs(asked, op) {
			n++
		}
	}
	return n < 2
}

// keeps counts the requested gradients among the readers of tensors.
func (s *Survey) keeps(op *graph.Op, of func(*graph.Tensor) int32) {
	for _, made := range differentiated(s.Graph, op) {
		if !executor.Differs(op.Gradient, made) {
			continue
		}
		for _, t := range compared(made) {
			s.readers[of(t)]++
		}
	}
}

// compared returns the tensors that the gradient of an operation reads. relu(x) > 0 is x > 0
// (xla/hlo/transforms/simplifiers/algebraic_simplifier.cc, HandleCompare).
func compared(op *graph.Op) []*graph.Tensor {
	if op.Kind == graph.OpMaxPool || op.Kind == graph.OpRelu {
		return op.In
	}
	return op.Kept()
}

// applies records which gradients an update applies.
func (s *Survey) applies(op *graph.Op) {
	for i, t := range op.In {
		use := applied
		switch o := op.Update.Optimizer; {
		case o != nil && (o.Barrier || o.Accumulates || s.Shared):
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
		s.adds[s.Places.Slot(op, i)] = use == added
	}
}
