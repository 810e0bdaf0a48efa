// Command tfmem-mcp serves coding agents what tfmem knows, by the Model Context Protocol over standard
// input and output. "tfmem mcp" starts it.
//
// It is a program of its own because the protocol's SDK brings HTTP, which tfmem itself does without. It
// reads no Python, writes no file and opens no connection: each call runs tfmem, as a person would, on
// paths inside the folders that the client names.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tfmem/tfmem/gpu"
)

const usage = `usage: tfmem mcp [FOLDER]...
It serves coding agents by the Model Context Protocol over standard input and output. Its tools read, and
write if a call asks for it, only in these folders; without any, in those that the client names as its
roots, or else in the working directory.`

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run serves until the client ends, and returns the exit code.
func run(args []string, errs io.Writer) int {
	args = slices.DeleteFunc(args, func(a string) bool { return a == "--" })
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			fmt.Fprintln(errs, usage)
			return 2
		}
	}
	s, err := newServer(args)
	if err != nil {
		fmt.Fprintf(errs, "error: %v\n", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	served, err := s.serve(ctx)
	if err == nil {
		err = served.Run(ctx, &mcp.StdioTransport{})
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, io.EOF) {
		fmt.Fprintf(errs, "error: %v\n", err)
		return 2
	}
	return 0
}

// program finds the tfmem that was installed with this program.
func program() (string, error) {
	if path, ok := gpu.Beside("tfmem"); ok {
		return path, nil
	}
	path, err := exec.LookPath("tfmem")
	if err != nil {
		return "", errors.New("tfmem is neither next to tfmem-mcp nor on the PATH")
	}
	return path, nil
}
