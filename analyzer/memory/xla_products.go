package memory

import "github.com/tfmem/tfmem/analyzer/graph"

// A generation is a generation of GPUs. XLA chooses the kernels of products by it.
type generation uint8

const (
	unknownGeneration generation = iota
	turing                       // and before: cuBLAS's kernels
	ampere                       // and after: Triton's kernels, into which more is fused
)

// generationOf returns the generation of a device (xla/service/gpu/transforms/gemm_fusion.cc,
// Run).
func generationOf(d Device) generation {
	switch {
	case d.Major == 0:
		return unknownGeneration
	case d.Major < 8:
		return turing
	}
	return ampere
}

// cublas reports whether products run in cuBLAS's kernels, which read memory and return tuples.
func (c *compiler) cublas() bool {
	return c.on == turing || c.on == unknownGeneration && c.storing == most
}

// gemm reports whether an operation is a product of cuBLAS.
func (c *compiler) gemm(op *graph.Op) bool {
	return op.Kind.Is(graph.Multiplies) && c.cublas() && c.roles[op.Number] == graph.Library
}

// workspace returns what cuBLAS takes for an operation beside its result.
func (c *compiler) workspace(op *graph.Op) int64 {
	if c.on == turing && c.gemm(op) {
		return cublasWorkspace
	}
	return 0
}
