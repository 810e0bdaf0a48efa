// Command tfmem tells where Python TensorFlow code wastes GPU memory, as a
// linter and as a language server.
package main

import (
	"os"
	"runtime/debug"
)

// softLimit is the size of the heap, in bytes, above which garbage is collected eagerly. A
// program that reaches the bounds of the analysis keeps less than this alive, so no text
// makes tfmem take much more. GOMEMLIMIT overrides it.
const softLimit = 320 << 20

// collectAt is how much the heap may grow, in percent of what is alive, before garbage is
// collected. Programs that make megabytes of text at a time leave little of it alive: with
// Go's 100, half of the time that the bombs of strings take is spent in a thousand
// collections (2.3 s of processor time; 1.1 s with 200). GOGC goes before it.
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
