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

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softLimit)
	}
	os.Exit(run(os.Args[1:]))
}
