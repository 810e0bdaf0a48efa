package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "tfmem", release)
			return err
		},
	}
}

// release is the version of tfmem. pyproject.toml reads it here; a test compares it with
// editors/vscode/package.json.
const release = "0.1.0"
