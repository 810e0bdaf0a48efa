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

// collectAt is how much the heap may grow, in percent of what is alive, before garbage is
// collected. Programs that build megabytes of text at a time keep little of it alive. With Go's
// default of 100, the tests with the longest strings spend half of their 2.3 s of processor time
// in a thousand collections; with 200 they take 1.1 s. GOGC overrides it.
const collectAt = 200

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softLimit)
	}
	os.Exit(run(os.Args[1:]))
}
