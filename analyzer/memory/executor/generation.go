package executor

// A Generation is a generation of GPUs. XLA chooses the kernels of products by it.
type Generation uint8

const (
	UnknownGeneration Generation = iota
	Turing                       // and before: cuBLAS's kernels
	Ampere                       // and after: Triton's kernels, into which more is fused
)
