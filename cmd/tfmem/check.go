package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/suggest"
	"github.com/tfmem/tfmem/gpu"
	"github.com/tfmem/tfmem/rules/rule"
)

// A checkFlags is the command line of check as it was typed.
type checkFlags struct {
	fix, unsafe, diff      bool
	selected, ignored      []string
	failOn, format, colour string
	stdinFilename          string
	outputFile             string
	forceExclude           bool
	exitZero, quiet        bool
	gpu                    string
}

const formatVariable = "TFMEM_OUTPUT_FORMAT"

var colours = []string{"auto", "always", "never"}

func newCheck() *cobra.Command {
	var flags checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATH]...",
		Short: "Check Python files and folders (by default, this folder)",
		Long: `Check Python files and folders, by default the folder it runs in.

Folders are searched for .py and .pyw files, less what .gitignore files hide and
folders of other people's code such as .venv and site-packages. A file that is
named is always checked. "-" reads standard input.

Exit code: 0 if nothing as grave as --fail-on is found or is left after --fix;
1 if something is, or if a path could not be read or written while others could;
2 for a mistake in usage, an error in tfmem, or if nothing could be checked.`,
		Example: `  tfmem check                         check this folder
  tfmem check --diff train.py         show what --fix would change
  tfmem check --fix --unsafe-fixes    fix also where the results may change
  tfmem check --select TFM1 src       only the rules of device configuration`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if !cmd.Flags().Changed("output-format") {
				if v := os.Getenv(formatVariable); v != "" {
					if err := oneOf(formatVariable, v, report.Names()); err != nil {
						return err
					}
					flags.format = v
				}
			}
			c, err := flags.check(cmd, paths)
			if err != nil {
				return err
			}
			return c.run()
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&flags.fix, "fix", false, "apply the safe fixes")
	f.BoolVar(&flags.unsafe, "unsafe-fixes", false, "with --fix or --diff: also fixes that may change what the program computes")
	f.BoolVar(&flags.diff, "diff", false, "print what --fix would change, and write nothing")
	f.StringSliceVar(&flags.selected, "select", nil, "the `rules` to run: codes, beginnings of codes (TFM1) or ALL, with commas")
	f.StringSliceVar(&flags.ignored, "ignore", nil, "the `rules` not to run")
	f.StringVar(&flags.gpu, "gpu", "", "the `GPU` that models are weighed against: a name, a size such as 24GiB, auto or none [environment: "+gpu.Variable+"]")
	f.StringVar(&flags.failOn, "fail-on", rule.Warning.String(), "the least `severity` that makes the exit code 1: error, warning, information or hint")
	f.StringVar(&flags.format, "output-format", report.Formats[0].Name, "the `format` of the report: "+strings.Join(report.Names(), ", ")+" [environment: "+formatVariable+"]")
	f.StringVarP(&flags.outputFile, "output-file", "o", "", "write the report to this `file`, not to standard output")
	f.StringVar(&flags.stdinFilename, "stdin-filename", "", "read standard input, as if it were this `file`")
	f.BoolVar(&flags.forceExclude, "force-exclude", false, "leave out files in excluded folders even where they are named")
	f.BoolVar(&flags.exitZero, "exit-zero", false, "exit with 0 whatever is found")
	f.BoolVarP(&flags.quiet, "quiet", "q", false, "print findings and errors, and nothing else")
	f.StringVar(&flags.colour, "color", colours[0], "`when` to colour the report: "+strings.Join(colours, ", "))
	for name, values := range map[string][]string{
		"output-format": report.Names(), "color": colours, "fail-on": severities(), "select": codes(), "ignore": codes(),
	} {
		if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic("completing a flag that check does not have: " + err.Error())
		}
	}
	return cmd
}

// check makes sense of the flags, or says why there is none.
func (f *checkFlags) check(cmd *cobra.Command, paths []string) (*check, error) {
	c := &check{checkFlags: *f, out: cmd.OutOrStdout(), errs: cmd.ErrOrStderr(), in: cmd.InOrStdin(), paths: paths}
	var err error
	if c.selection, err = selection(f.selected, f.ignored); err != nil {
		return nil, err
	}
	if c.least, err = rule.ParseSeverity(f.failOn); err != nil {
		return nil, usagef("--fail-on: %w%s", err, suggest.DidYouMean(f.failOn, severities()))
	}
	if err := oneOf("--output-format", f.format, report.Names()); err != nil {
		return nil, err
	}
	if err := oneOf("--color", f.colour, colours); err != nil {
		return nil, err
	}
	if c.config.Devices, err = weighedAgainst(cmd.Context(), f.gpu); err != nil {
		return nil, err
	}
	if work, err := os.Getwd(); err == nil {
		c.config.Workspace = project.New(project.Disk{}, work, work)
	}
	c.reporter = report.Formats[slices.Index(report.Names(), f.format)]

	c.stdin = slices.Contains(paths, "-") || f.stdinFilename != ""
	if c.stdin && len(paths) > 0 && !slices.Equal(paths, []string{"-"}) {
		return nil, usagef("standard input and paths cannot be checked in one run; leave out - and --stdin-filename, or the paths")
	}
	if len(paths) == 0 {
		c.paths = []string{"."}
	}
	return c, nil
}

func severities() []string {
	var names []string
	for s := rule.Hint; s <= rule.Error; s++ {
		names = append(names, s.String())
	}
	return names
}

// oneOf makes sure that the value of a flag or variable is among those there are.
func oneOf(flag, value string, values []string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return usagef("%s: %q is none of %s%s", flag, value, strings.Join(values, ", "), suggest.DidYouMean(value, values))
}
