package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/discover"
	"github.com/tfmem/tfmem/rules/suggest"
)

// The exit codes are those of ruff and most linters.
const (
	exitClean    = 0
	exitFindings = 1 // a finding remains, or part of the request failed
	exitFailure  = 2 // usage, configuration or internal error, or nothing could be checked
)

// An exitCode ends a command that needs no further message.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// run runs a command line and returns the exit code.
func run(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	return execute(root)
}

// execute runs the command line of a root command.
func execute(root *cobra.Command) int {
	command, err := root.ExecuteC()
	var code exitCode
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintf(command.ErrOrStderr(), "error: %s\n", source.PrintableLines(err.Error()))
	var usage usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(command.ErrOrStderr(), "\nFor more information, try '%s --help'.\n", command.CommandPath())
	}
	return exitFailure
}

// A usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "tfmem",
		Short:         "Find where TensorFlow code wastes GPU memory",
		Long:          "tfmem reads Python TensorFlow code, without running it, and says where GPU memory is\nwasted, misconfigured or about to run out, with a fix for most findings.",
		Version:       release,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(cmd.ErrOrStderr())
			if err := cmd.Help(); err != nil {
				return err
			}
			return exitCode(exitFailure)
		},
	}
	root.SetVersionTemplate("tfmem {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newCheck(), newServer(), newEstimate(), newPlan(), newRule(), newConfig(), newGPU(), newMeasure(), newProbe(), newExplain(), newMCP(), newClean(), newVersion())
	return root
}

// unknownCommand refuses an unknown subcommand, with advice.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil || discover.IsPython(args[0]) {
		return usagef("unknown command %q; to check that path, run: tfmem check %s", args[0], strings.Join(args, " "))
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return usagef("unknown command %q%s", args[0], suggest.DidYouMean(args[0], names))
}

func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return usagef("%w%s", err, suggest.DidYouMean("--"+unknown.GetSpecifiedName(), names))
	}
	return usageError{err}
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, but was given %q", cmd.CommandPath(), args[0])
	}
	return nil
}
