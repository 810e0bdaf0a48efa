package memory

import "github.com/tfmem/tfmem/analyzer/keras"

// A generation is of GPUs, by which XLA chooses the kernels of products.
type generation uint8

const (
	unknownGeneration generation = iota
	turing                       // and before: cuBLAS's
	ampere                       // and after: Triton's, by which more is computed in them
)

// generationOf is that of a device (xla/service/gpu/transforms/gemm_fusion.cc, Run).
func generationOf(d Device) generation {
	switch {
	case d.Major == 0:
		return unknownGeneration
	case d.Major < 8:
		return turing
	}
	return ampere
}

// cublas tells whether products run in cuBLAS's kernels, which read memory and return
// tuples.
func (c *compiler) cublas() bool {
	return c.on == turing || c.on == unknownGeneration && c.storing == most
}

// gemm tells whether an operation is a product of cuBLAS.
func (c *compiler) gemm(op *keras.Op) bool {
	return multiplies(op) && c.cublas() && c.roles[op.Number] == library
}

// workspace is what cuBLAS takes for an operation beside its result.
func (c *compiler) workspace(op *keras.Op) int64 {
	if c.on == turing && c.gemm(op) {
		return cublasWorkspace
	}
	return 0
}

func multiplies(op *keras.Op) bool {
	return op.Name == "MatMul" || op.Name == "BatchMatMul" || op.Name == "Einsum"
}
