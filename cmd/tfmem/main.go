// Command tfmem tells where Python TensorFlow code wastes GPU memory, as a
// linter and as a language server.
package main

import (
	"os"
	"runtime/debug"
)

// softLimit is the heap, in bytes, beyond which garbage is collected as soon as there is any:
// what a program that is given up at the bounds of its analysis leaves alive is less, and no
// text makes tfmem take much more. GOMEMLIMIT goes before it.
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
