package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/gpu"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rewrite"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/settings"
	"github.com/tfmem/tfmem/rules/suggest"
)

// A checkFlags is the command line of check as it was typed.
type checkFlags struct {
	fix, unsafe, diff      bool
	fixOnly, showFixes     bool
	failOnFix, statistics  bool
	failOnUnknown          bool
	selected, extended     []string
	ignored, exclude       []string
	perFileIgnores         []string
	showFiles              bool
	watching, streaming    bool
	noCache                bool
	cacheDir               string
	baseline               string
	writeBaseline          bool
	showSettings, verbose  bool
	config                 []string
	isolated               bool
	ignoreNoqa, addNoqa    bool
	failOn, format, colour string
	stdinFilename          string
	outputFile             string
	forceExclude           bool
	noRespectGitignore     bool
	fixable, unfixable     []string
	exitZero, quiet        bool
	gpu, ram, observed     string
	rewriteName            string
}

const formatVariable = "TFMEM_OUTPUT_FORMAT"

var colours = []string{"auto", "always", "never"}

func newCheck() *cobra.Command {
	var flags checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATH]...",
		Short: "Check Python files, notebooks and folders (by default, this folder)",
		Long: `Check Python files, notebooks and folders, by default the folder it runs in.

Folders are searched for .py, .pyw and .ipynb files, less what .gitignore files
hide and folders of other people's code such as .venv and site-packages, and what
the settings exclude. A file that is named is always checked. Where the shell does
not expand a pattern such as "src/**/train_*.py", tfmem does. "-" reads standard
input.

Settings are read from .tfmem.toml, tfmem.toml or [tool.tfmem] in pyproject.toml,
for each file from the nearest folder that has any; "tfmem config" lists what they
can say. The command line goes before them.

Exit code: 0 if nothing as grave as --fail-on is found or is left after --fix;
1 if something is, or if a path could not be read or written while others could;
2 for a mistake in usage or settings, an error in tfmem, or if nothing could be
checked.`,
		Example: `  tfmem check                         check this folder
  tfmem check --diff train.py         show what --fix would change
  tfmem check --fix --unsafe-fixes    fix also where the results may change
  tfmem check --select TFM1 src       only the rules of device configuration
  tfmem check --write-baseline --baseline tfmem-baseline.json
                                      remember all present findings
  tfmem check --rewrite profile-loop --diff train.py:12
                                      show a change that is offered where nothing is wrong`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if !cmd.Flags().Changed("output-format") {
				if v := os.Getenv(formatVariable); v != "" {
					if err := oneOf(formatVariable, v, report.Names()); err != nil {
						return err
					}
					flags.format = v
				}
			}
			var above *supervisor
			if !flags.showFiles && !flags.showSettings {
				above = supervises(cmd, cacheFolder(flags.cacheDir), flags.streaming || flags.noCache)
			}
			if above != nil && !flags.streaming {
				return above.run(cmd.InOrStdin(), readsStandardInput(paths, flags.stdinFilename))
			}
			c, err := flags.check(cmd, paths)
			if err != nil {
				return err
			}
			if c.watching {
				return flags.watch(cmd, paths)
			}
			switch {
			case c.streaming:
				return c.stream(above)
			case c.showFiles:
				return c.list()
			case c.showSettings:
				return c.explain()
			case c.rewriteName != "":
				return c.rewrite()
			case c.addNoqa:
				return c.suppress()
			case c.writeBaseline:
				return c.remember()
			}
			return c.run()
		},
	}
	var groups flagGroups
	f := groups.under("Fixes")
	f.BoolVar(&flags.fix, "fix", false, "apply the safe fixes")
	f.BoolVar(&flags.unsafe, "unsafe-fixes", false, "with --fix or --diff: also fixes that may change what the program computes")
	f.BoolVar(&flags.fixOnly, "fix-only", false, "apply the fixes, and neither report nor fail on what is left")
	f.BoolVar(&flags.diff, "diff", false, "print what --fix would change, and write nothing")
	f.BoolVar(&flags.showFixes, "show-fixes", false, "list what was fixed")
	f.BoolVar(&flags.failOnFix, "exit-non-zero-on-fix", false, "exit with 1 if something was fixed, even if nothing is left")
	f.StringVar(&flags.rewriteName, "rewrite", "", "make the rewrite of this `name` at the one place that is given, file:line[:column] or, in a notebook, file:cell:line[:column]; with --diff only show it; \""+listed+"\" names all")
	f.StringSliceVar(&flags.fixable, "fixable", nil, "the `rules` whose fixes count, all by default")
	f.StringSliceVar(&flags.unfixable, "unfixable", nil, "the `rules` whose fixes do not count")
	f = groups.under("Rules")
	f.StringSliceVar(&flags.selected, "select", nil, "the `rules` to run: codes, prefixes of codes (TFM1) or ALL, with commas")
	f.StringSliceVar(&flags.extended, "extend-select", nil, "more `rules` to run")
	f.StringSliceVar(&flags.ignored, "ignore", nil, "the `rules` not to run")
	f.StringSliceVar(&flags.perFileIgnores, "per-file-ignores", nil, "`patterns:rules` that do not run on these files, such as tests:TFM5, besides those of the settings")
	f.BoolVar(&flags.ignoreNoqa, "ignore-noqa", false, "also report findings that comments suppress")
	f.BoolVar(&flags.addNoqa, "add-noqa", false, "suppress all findings by \"# noqa\" comments in the files")
	f.StringVar(&flags.baseline, "baseline", "", "a `file` of findings that are known: only others are shown and counted")
	f.BoolVar(&flags.writeBaseline, "write-baseline", false, "write all present findings into the baseline")
	f = groups.under("Files")
	f.StringSliceVar(&flags.exclude, "exclude", nil, "more `patterns` of files and folders to leave out, relative to this folder")
	f.BoolVar(&flags.forceExclude, "force-exclude", false, "leave out files in excluded folders even where they are named")
	f.BoolVar(&flags.noRespectGitignore, "no-respect-gitignore", false, "also check what .gitignore files hide")
	f.StringVar(&flags.stdinFilename, "stdin-filename", "", "read standard input, as if it were this `file`")
	f.BoolVar(&flags.streaming, "stream", false, "read a JSON object a line from standard input, {\"path\", \"content\"} or {\"files\": {path: content}}, and answer each by a line")
	f.BoolVar(&flags.watching, "watch", false, "check again after each change of a file, until it is interrupted")
	f.BoolVar(&flags.showFiles, "show-files", false, "list the files that would be checked, and check nothing")
	f.BoolVar(&flags.noCache, "no-cache", false, "neither use nor keep results of earlier runs")
	f.StringVar(&flags.cacheDir, "cache-dir", "", "the `folder` where results are kept [environment: "+cacheVariable+"]")
	f = groups.under("Settings")
	f.StringArrayVar(&flags.config, "config", nil, "a `setting` such as 'gpu = \"T4\"', which goes before those of files; or a file that alone counts, its patterns relative to this folder; may be repeated")
	f.BoolVar(&flags.isolated, "isolated", false, "read no settings")
	f.StringVar(&flags.observed, "observed", "", "a `file` that tfmem probe wrote: what a run told of values that the text leaves open")
	f.StringVar(&flags.ram, "ram", "", "the `machine` whose own memory data are compared with: a size such as 16GiB, colab, kaggle, auto for this one, or none")
	f.StringVar(&flags.gpu, "gpu", "", "the `GPU` to compare models with: a name, a size such as 24GiB, auto or none [environment: "+gpu.Variable+"]")
	f.BoolVar(&flags.showSettings, "show-settings", false, "print the settings of the files that would be checked, and check nothing")
	f = groups.under("Report")
	f.StringVar(&flags.format, "output-format", report.Formats[0].Name, "the `format` of the report: "+strings.Join(report.Names(), ", ")+" [environment: "+formatVariable+"]")
	f.StringVarP(&flags.outputFile, "output-file", "o", "", "write the report to this `file`, not to standard output")
	f.BoolVar(&flags.statistics, "statistics", false, "print how many findings each rule has, and not the findings")
	f.StringVar(&flags.failOn, "fail-on", rule.Warning.String(), "exit with 1 if a finding has this `severity` or a higher one: error, warning, information or hint")
	f.BoolVar(&flags.failOnUnknown, "fail-on-unknown", false, "exit with 1 also if a training is not priced, or not compared with a GPU")
	f.BoolVar(&flags.exitZero, "exit-zero", false, "exit with 0 whatever is found")
	f.StringVar(&flags.colour, "color", colours[0], "`when` to colour the report: "+strings.Join(colours, ", "))
	f.BoolVarP(&flags.quiet, "quiet", "q", false, "print findings and errors, and nothing else")
	f.BoolVarP(&flags.verbose, "verbose", "v", false, "also print which files, settings and GPU count, and how long the check took")
	f.BoolP("help", "h", false, "print this text")
	groups.addTo(cmd)
	for name, values := range map[string][]string{
		"output-format": report.Names(), "color": colours, "fail-on": severities(), "select": codes(), "extend-select": codes(), "ignore": codes(), "fixable": codes(), "unfixable": codes(),
		"rewrite": append(rewrite.Names(), listed),
	} {
		completeWith(cmd, name, values...)
	}
	completeGPU(cmd)
	return cmd
}

// readsStandardInput reports whether arguments name standard input as a file.
func readsStandardInput(paths []string, filename string) bool {
	return slices.Contains(paths, "-") || filename != ""
}

// check interprets the flags.
func (f *checkFlags) check(cmd *cobra.Command, paths []string) (*check, error) {
	c := &check{checkFlags: *f, given: paths, out: cmd.OutOrStdout(), errs: cmd.ErrOrStderr(), in: cmd.InOrStdin(), paths: paths}
	least, err := rule.ParseSeverity(f.failOn)
	if err != nil {
		return nil, usagef("--fail-on: %w%s", err, suggest.DidYouMean(f.failOn, severities()))
	}
	if err := oneOf("--output-format", f.format, report.Names()); err != nil {
		return nil, err
	}
	if err := oneOf("--color", f.colour, colours); err != nil {
		return nil, err
	}
	if c.settings, err = newConfigurator(cmd.Context(), f.gpu, fromHere); err == nil {
		c.settings.observing(f.observed)
		err = c.settings.onMachine(f.ram)
	}
	if err != nil {
		return nil, err
	}
	if c.settings.flags, err = f.selection(); err != nil {
		return nil, err
	}
	if c.settings.given, err = settings.Given(c.settings.work, f.exclude, f.perFileIgnores); err != nil {
		return nil, usageError{err}
	}
	if f.baseline != "" {
		c.settings.baseline = c.settings.absolute(f.baseline)
	}
	if cmd.Flags().Changed("fail-on") {
		c.settings.least = &least
	}
	file, err := f.configured(c.settings)
	if err != nil {
		return nil, err
	}
	switch {
	case f.isolated && file != "":
		return nil, usagef("--isolated reads no settings, and --config reads some; leave out one of them")
	case f.isolated:
		c.settings.fixed = new(settings.Settings)
	case file != "":
		if err := c.settings.fix(file); err != nil {
			return nil, err
		}
	}
	c.settings.follow()
	c.reporter = report.Formats[slices.Index(report.Names(), f.format)]

	if f.verbose && f.quiet {
		return nil, usagef("--verbose prints more and --quiet less; leave out one of them")
	}
	if f.statistics && c.reporter.Statistics == nil {
		return nil, usagef("--statistics: the format %s has no place for counts; choose one of %s", f.format, strings.Join(countable(), ", "))
	}
	if c.fix = f.fix || f.fixOnly; !c.fix && (f.showFixes || f.failOnFix) {
		return nil, usagef("--show-fixes and --exit-non-zero-on-fix are about what --fix does; add --fix")
	}
	c.stdin = readsStandardInput(paths, f.stdinFilename)
	if c.stdin && len(paths) > 0 && !slices.Equal(paths, []string{"-"}) {
		return nil, usagef("standard input and paths cannot be checked in one run; leave out - and --stdin-filename, or the paths")
	}
	if c.addNoqa && (c.fix || c.diff || c.ignoreNoqa || c.stdin) {
		return nil, usagef("--add-noqa only adds comments to files; leave out --fix, --diff, --ignore-noqa and standard input")
	}
	if c.writeBaseline && (c.fix || c.diff || c.addNoqa || c.rewriteName != "" || c.stdin) {
		return nil, usagef("--write-baseline only remembers findings of files; leave out --fix, --diff, --add-noqa, --rewrite and standard input")
	}
	if c.watching && (c.addNoqa || c.writeBaseline || c.rewriteName != "" || c.stdin || c.showFiles || c.showSettings) {
		return nil, usagef("--watch only checks files; leave out --add-noqa, --write-baseline, --rewrite, --show-files, --show-settings and standard input")
	}
	if c.streaming && (len(paths) > 0 || f.stdinFilename != "" || c.fix || c.diff || c.addNoqa || c.writeBaseline || f.baseline != "" || c.rewriteName != "" || c.watching || c.showFiles || c.showSettings || f.statistics || f.outputFile != "") {
		return nil, usagef("--stream answers lines of standard input by findings as JSON; leave out paths, and flags that fix, write, watch or show something else")
	}
	if c.rewriteName != "" && (c.fix || c.addNoqa || len(f.selected)+len(f.extended)+len(f.ignored) > 0) {
		return nil, usagef("--rewrite makes one change and runs no rules; leave out --fix, --add-noqa, --select, --extend-select and --ignore")
	}
	if len(paths) == 0 {
		c.paths = []string{"."}
	}
	return c, nil
}

// configured returns the settings file that --config names, or "", and has the configurator heed
// the settings that it gives.
func (f *checkFlags) configured(c *configurator) (file string, err error) {
	var lines []string
	for _, given := range f.config {
		switch {
		case settings.IsLine(given):
			lines = append(lines, given)
		case file != "":
			return "", usagef("--config names two files, %s and %s; leave out one of them", file, given)
		default:
			file = given
		}
	}
	if len(lines) == 0 {
		return file, nil
	}
	typed, err := c.finder.Typed(strings.Join(lines, "\n"), c.work)
	if err != nil {
		return "", usageError{err}
	}
	c.editor = func(string) *settings.Editor { return typed }
	return file, nil
}

// selection returns the rules that the command line selects.
func (f *checkFlags) selection() (s rules.Selection, err error) {
	s.IgnoreComments = f.ignoreNoqa
	for _, l := range []struct {
		flag  string
		given []string
		to    *[]string
	}{
		{"--select", f.selected, &s.Select},
		{"--extend-select", f.extended, &s.ExtendSelect},
		{"--ignore", f.ignored, &s.Ignore},
		{"--fixable", f.fixable, &s.Fixable},
		{"--unfixable", f.unfixable, &s.Unfixable},
	} {
		if *l.to, err = selectors(l.flag, l.given); err != nil {
			return s, err
		}
	}
	return s, nil
}

// countable returns the formats that can show statistics.
func countable() []string {
	var names []string
	for _, f := range report.Formats {
		if f.Statistics != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

func severities() []string {
	var names []string
	for s := rule.Hint; s <= rule.Error; s++ {
		names = append(names, s.String())
	}
	return names
}

// oneOf checks that the value of a flag or variable is one of the allowed ones.
func oneOf(flag, value string, values []string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return usagef("%s: %q is not one of %s%s", flag, value, strings.Join(values, ", "), suggest.DidYouMean(value, values))
}
