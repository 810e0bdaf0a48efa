// Command tfmem tells where Python TensorFlow code wastes GPU memory, as a
// linter and as a language server.
package main

import "os"

func main() { os.Exit(run(os.Args[1:])) }
