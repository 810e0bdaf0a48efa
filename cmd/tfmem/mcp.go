package main

import (
	"errors"
	"os"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/gpu"
)

// mcpServer is the program that speaks the protocol. Its SDK brings HTTP, which tfmem does without.
const mcpServer = "tfmem-mcp"

func newMCP() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp [FOLDER]...",
		Short: "Serve coding agents by the Model Context Protocol",
		Long: `Serve coding agents by the Model Context Protocol, over standard input and output.

Its tools are check, fix, estimate, plan, explain, rule and gpu; the rules' pages
are resources. It reads only in the folders that are given, or else in the roots
that the client names, or else in the working directory. A file is written only
where a call of fix asks for it.

It runs the program ` + mcpServer + `, which is installed next to tfmem.`,
		Example: `  claude mcp add tfmem -- tfmem mcp       in Claude Code
  tfmem mcp ~/project                     in this folder, whatever the client says`,
		RunE: func(cmd *cobra.Command, folders []string) error {
			path, ok := gpu.Beside(mcpServer)
			if !ok {
				var err error
				if path, err = exec.LookPath(mcpServer); err != nil {
					return errors.New(mcpServer + " is neither next to tfmem nor on the PATH; packages of tfmem and \"go install ./cmd/...\" bring both")
				}
			}
			server := exec.CommandContext(cmd.Context(), path, append([]string{"--"}, folders...)...)
			server.Stdin, server.Stdout, server.Stderr = os.Stdin, os.Stdout, os.Stderr
			runtime.LockOSThread() // until the server ends, which this thread's end would end
			defer runtime.UnlockOSThread()
			endWithParent(server)
			var exit *exec.ExitError
			switch err := server.Run(); {
			case errors.As(err, &exit):
				return exitCode(exitFailure)
			default:
				return err
			}
		},
	}
}
