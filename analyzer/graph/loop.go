package graph

// A Loop is a loop of TensorFlow in inference, kernel by kernel.
type Loop struct {
	Iterations int64
	Kernels    []LoopKernel
	States     []int // the kernels that compute the states for the next iteration
	Output     int   // the one that computes the output
	// Compares is how many kernels one after the other compute the condition of an iteration.
	Compares int
	// Direct is set if the kernels read the states where the iteration gets them. Others have an
	// Identity of a state that more than two read.
	Direct bool
	// Unrolled is set if the iterations are operations one after the other. Nothing but what they
	// read holds them up.
	Unrolled bool
}

// A LoopKernel is a kernel of an iteration. One that reads nothing reads variables.
type LoopKernel struct {
	Size int64 // of what it writes
	// From are the kernels of the iteration whose results it reads; -1 - k is the k-th state that
	// the iteration before has computed.
	From  []int
	Input bool // it reads the input of the iteration
	Over  bool // it may overwrite what it reads
	// Shared is set if it is one of more than two kernels of an iteration that read the same
	// variable.
	Shared bool
}

// Run adds a kernel, and returns its place.
func (l *Loop) Run(k LoopKernel) int {
	l.Kernels = append(l.Kernels, k)
	return len(l.Kernels) - 1
}

// Parallel is how many iterations of a loop TensorFlow runs at once: parallel_iterations of
// keras/src/backend/tensorflow/rnn.py and tf_keras/src/backend.py, rnn, which while_v2 also uses for
// the loop of the gradient.
const Parallel = 32
