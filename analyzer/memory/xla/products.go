package xla

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

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
