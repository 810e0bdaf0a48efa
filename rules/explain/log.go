package explain

// A Kind says what a message of TensorFlow, or of what ran it, is about.
type Kind string

const (
	// OutOfMemory is "OOM when allocating tensor with shape[…]", "Out of memory while trying to
	// allocate N bytes" of XLA, or the allocator's "ran out of memory trying to allocate".
	OutOfMemory Kind = "out-of-memory"
	// DeviceFull is "failed to allocate N from device: CUDA_ERROR_OUT_OF_MEMORY": the driver has
	// no such memory left for the pool.
	DeviceFull Kind = "device-full"
	// PinnedFull is "could not allocate pinned host memory of size: N".
	PinnedFull Kind = "pinned-full"
	// LibraryFailed is a library on the GPU, such as cuDNN, cuBLAS or NCCL, that found no memory
	// outside TensorFlow's pool.
	LibraryFailed Kind = "library-failed"
	// WrongVersion is a library that is missing, or of another version than TensorFlow was built with.
	WrongVersion Kind = "wrong-version"
	// WrongProcessor is a processor without instructions that TensorFlow was built with.
	WrongProcessor Kind = "wrong-processor"
	// LateConfiguration is "… cannot be modified after being initialized".
	LateConfiguration Kind = "late-configuration"
	// UnevenGrowth is "Memory growth cannot differ between GPU devices".
	UnevenGrowth Kind = "uneven-growth"
	// GrowthWithLimit is "Cannot set memory growth on device when virtual devices configured".
	GrowthWithLimit Kind = "growth-with-limit"
	// NotAFailure is an allocation that failed and that the caller can do without.
	NotAFailure Kind = "not-a-failure"
	// LargeHostAllocation is "Allocation of N exceeds 10% of free system memory", or a large
	// allocation that tcmalloc tells of.
	LargeHostAllocation Kind = "large-host-allocation"
	// NoContext is a GPU that has no memory left for a CUDA context.
	NoContext Kind = "no-context"
	// CopyFailed is "Dst tensor is not initialized": there was no memory for an array that is
	// copied to the GPU.
	CopyFailed Kind = "copy-failed"
	// Collected is "Garbage collection: deallocate free memory regions", by which the allocator
	// tries to avoid fragmentation.
	Collected Kind = "collected"
	// Retraced is a warning of tf.function.
	Retraced Kind = "retraced"
	// Forked is a CUDA context that was used in a forked process.
	Forked Kind = "forked"
	// Shuffling is "Filling up shuffle buffer", Shuffled the end of it.
	Shuffling Kind = "shuffling"
	Shuffled  Kind = "shuffled"
	// Metal is the line of Apple's plugin that names the GPU.
	Metal Kind = "metal"
	// GraphFull is an array that is too large to be a constant of a graph.
	GraphFull Kind = "graph-full"
	// NoGPU is a TensorFlow that uses no GPU.
	NoGPU Kind = "no-gpu"
	// TimeLimit is a job that was ended because its time was over.
	TimeLimit Kind = "time-limit"
	// MetalFault is a command of Apple's GPU that failed.
	MetalFault Kind = "metal-fault"
	// Exception is one that is none of the above. Its Proof is ProvesCrash if it is one of a kind that is
	// never for want of memory.
	Exception Kind = "exception"
	// Note is a message about the machine or its speed, after which TensorFlow goes on.
	Note Kind = "note"
	// Ended is a program that something ended from outside, or its last words: Proof says what that
	// tells of memory.
	Ended Kind = "ended"
)

// A Proof is what the words by which a program ended tell of memory.
type Proof uint8

const (
	// ProvesNothing are words such as "the kernel appears to have died".
	ProvesNothing Proof = iota
	// ProvesCrash is a signal by which a program ends itself, such as SIGSEGV.
	ProvesCrash
	// ProvesKill is SIGKILL, which hardly anybody sends but a system that is out of memory.
	ProvesKill
	// ProvesHost are words that name the machine's memory.
	ProvesHost
)

// A Message is one message with its figures, in bytes; 0 is unknown.
type Message struct {
	Kind Kind
	Line int    // of the log, from 1
	Text string // the line, less colours, cut to a few hundred bytes

	// Proof and By are those of an end: what it tells, and the index of the software that says so.
	Proof Proof
	By    by

	Asked  int64 // what was asked for
	Shape  []int64
	Type   string // "float", as TensorFlow writes it
	Device string // "GPU:0", "CPU:0"
	// OnHost is set if the allocator is one of the machine's memory.
	OnHost bool
	Node   string // the operation

	// Of the allocator, from the table that follows or precedes the message. Largest is its largest
	// chunk.
	Limit, InUse, MaxInUse, LargestFree, Largest int64

	// Done and Of are how many elements a shuffle buffer has, and will have.
	Done, Of int64

	// Steps is how many iterations a progress bar had shown before; 0 where there was none. Fits is
	// how many trainings had begun.
	Steps int64
	Fits  int

	Frames []Frame  // of the Python traceback around it, outermost first
	Trace  []string // the lines of that traceback
}

// A Frame is a line of a program in a traceback.
type Frame struct {
	File string
	Line int
}

// A Pool is what TensorFlow took of a GPU when it started.
type Pool struct {
	Line       int
	Device     string // "GPU:0"
	Bytes      int64
	Name       string // of the GPU
	Capability string // "8.6"
	// Total is what the driver reported then; 0 where the log does not have it. Free is valid if
	// FreeKnown is set.
	Total, Free int64
	FreeKnown   bool
}

// A Log is what was found in a text.
type Log struct {
	Messages []Message
	Pools    []Pool
	Lines    int
	// Progress is the last line with a progress bar or the begin of an epoch; 0 if there is none.
	Progress int
	// Printed is the last line of what the program itself printed, as far as that can be told: text
	// that is no log line.
	Printed int
	// Scripts are the Python files that the log names as what was run.
	Scripts []string
	// TensorFlow is set if any line is TensorFlow's.
	TensorFlow bool
}
