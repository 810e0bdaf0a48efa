package executor

import "github.com/tfmem/tfmem/analyzer/graph"

// Long is the number of kernels from which XLA's range and order of a step are not searched, but
// taken from one simulation. From a quarter of it, a step is priced at every third power of two.
const Long = 10_000

// Idle reports whether an operation returns its input except in training.
func Idle(op *graph.Op) bool {
	return op.Kind.Is(graph.Trains) && len(op.In) > 0 && len(op.Out) == 1 && op.In[0].Bytes() == op.Out[0].Bytes()
}

// A Kind is what memory is used for.
type Kind uint8

const (
	Temporaries Kind = iota // gradients on their way back, and what lives for one kernel
	Weights
	States      // of the optimizer
	Batch       // the data of the step
	Data        // arrays on the device beside the step
	Activations // outputs of layers, and what their gradients read
	Gradients   // of the weights
	kinds
)

func (k Kind) String() string {
	return [...]string{"temporaries", "weights", "optimizer", "batch", "data", "activations", "gradients"}[k]
}

// Kinds lists all kinds, the resident ones first.
var Kinds = []Kind{Weights, States, Data, Batch, Activations, Gradients, Temporaries}

// A Use is the bytes in use of each kind.
type Use [kinds]int64

// Total returns the bytes in use of all kinds.
func (u Use) Total() int64 {
	var sum int64
	for _, n := range u {
		sum += n
	}
	return sum
}

// A Phase is a part of a training step.
type Phase uint8

const (
	Update Phase = iota // the optimizer's; parts of it run before all others
	Forward
	Backward
)

func (p Phase) String() string { return [...]string{"update", "forward", "backward"}[p] }

// A Generation is a generation of GPUs. XLA chooses the kernels of products by it.
type Generation uint8

const (
	UnknownGeneration Generation = iota
	Turing                       // and before: cuBLAS's kernels
	Ampere                       // and after: Triton's kernels, into which more is fused
)
