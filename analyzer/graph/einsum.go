package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/tensor"
)

// EinsumCopies returns the bytes of the transposed copies that the kernel of an einsum of two
// tensors makes. The kernel multiplies matrices, with the letters that both factors and the
// result share in front (tensorflow/core/kernels/linalg/einsum_op_impl.h, ProcessDimensions,
// ReduceOperand). forward is for the operation, backward the maximum over its gradients
// (tensorflow/python/ops/linalg_grad.py, _EinsumGrad).
func EinsumCopies(equation string, in []*Tensor, out *Tensor) (forward, backward int64) {
	equation = strings.ReplaceAll(equation, " ", "")
	factors, result, explicit := strings.Cut(equation, "->")
	left, right, two := strings.Cut(factors, ",")
	if !explicit || !two || len(in) != 2 || strings.Contains(equation, ".") || strings.Contains(right, ",") {
		return 0, 0
	}
	forward = productCopies(left, right, result, in[0].Bytes(), in[1].Bytes(), out.Bytes())
	if in[0].Grad {
		backward = productCopies(result, right, left, out.Bytes(), in[1].Bytes(), in[0].Bytes())
	}
	if in[1].Grad {
		backward = max(backward, productCopies(result, left, right, out.Bytes(), in[0].Bytes(), in[1].Bytes()))
	}
	return forward, backward
}

// Einsum adds an einsum of two tensors. The gradient of one reads the other.
func Einsum(g *Graph, equation string, a, b *Tensor, shape tensor.Shape) *Tensor {
	out, op := g.Add(OpBatchMatMul, []*Tensor{a, b}, shape, a.DType)
	op.KeepsInputs()
	op.ForwardTemp, op.BackwardTemp = EinsumCopies(equation, op.In, out)
	return out
}

// productCopies returns the bytes of the copies for left,right->out, given their sizes.
func productCopies(left, right, out string, ofLeft, ofRight, ofOut int64) (n int64) {
	at := func(c rune) int { return strings.IndexRune(left+right, c) }
	// kind is 0 for letters of all three, 1 for those of one factor and the result, 2 for those
	// of both factors only; swapped exchanges the last two.
	kind := func(c rune, swapped bool) int {
		both := strings.ContainsRune(left, c) && strings.ContainsRune(right, c)
		switch kept := strings.ContainsRune(out, c); {
		case both && kept:
			return 0
		case kept != swapped:
			return 1
		}
		return 2
	}
	ordered := func(term string, swapped bool) bool {
		return slices.IsSortedFunc([]rune(term), func(a, b rune) int {
			if d := kind(a, swapped) - kind(b, swapped); d != 0 {
				return d
			}
			return at(a) - at(b)
		})
	}
	for i, term := range []string{left, right} {
		if !ordered(term, false) && !ordered(term, true) {
			n += []int64{ofLeft, ofRight}[i]
		}
	}
	if !ordered(out, false) {
		n += ofOut
	}
	return n
}
