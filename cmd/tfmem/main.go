// Command tfmem finds where Python TensorFlow code wastes GPU memory, as a linter and as a
// language server.
package main

import (
	"os"
	"runtime/debug"
)

// softLimit is the size of the heap, in bytes, above which garbage is collected eagerly. A
// program that reaches the bounds of the analysis keeps less than this alive, so no text makes
// tfmem take much more. GOMEMLIMIT overrides it.
const softLimit = 320 << 20

// checkLimit is the soft limit of a check. It keeps little of a file once that is checked, so that
// the garbage of many files would fill softLimit: on 2,256 files of TensorFlow programs the process
// took 265 MB. A file that needs more gets it, and is collected more often.
const checkLimit = 104 << 20

// collectAt is how much the heap may grow, in percent of what is alive, before garbage is
// collected. Programs that build megabytes of text at a time keep little of it alive. With Go's
// default of 100, the tests with the longest strings spend half of their 2.3 s of processor time
// in a thousand collections; with 200 they take 1.1 s. GOGC overrides it.
const collectAt = 200

// mostStack is how many bytes the stack of a goroutine may take before the process ends. Go's own
// bound is a gigabyte, and a stack is copied to grow. What follows programs keeps below 32 MB.
const mostStack = 128 << 20

func main() {
	debug.SetMaxStack(mostStack)
	self = os.Args
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	limitMemory(softLimit)
	code := run(os.Args[1:])
	running().Close()
	os.Exit(code)
}

// limitMemory sets the soft limit of the heap.
func limitMemory(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}
