package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/discover"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/progress"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/baseline"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/settings"
)

// A check is one run of the check command.
type check struct {
	checkFlags
	settings *configurator
	reporter report.Format
	stdin    bool
	given    []string // the arguments
	paths    []string

	first      []string                 // codes whose findings come first, in this order; none if by place
	configured map[string]configuration // by file path
	baselines  map[string]*baseline.Baseline
	wrong      bool // a settings file has a mistake

	cached   *remembered         // nil without a cache
	searched func(folder string) // called with the folders that are searched, or nil

	in        io.Reader
	out, errs io.Writer
	stdinText string
}

func (c *check) run() error {
	limitMemory(checkLimit)
	c.cached = c.openCache()
	paths, unread := c.files()
	for _, err := range unread {
		c.complain(err.Error())
	}
	if len(paths) == 0 && len(unread) == 0 && !c.stdin {
		c.remark(fmt.Sprintf("warning: there are no Python files or notebooks to check in %s\n", strings.Join(c.paths, ", ")))
	}
	paths, without := c.configure(paths)
	if err := c.readBaselines(paths); err != nil {
		return err
	}
	c.tellInputs(paths)
	start := time.Now()
	results := c.results(paths)
	if c.verbose {
		c.remark(fmt.Sprintf("info: checked in %.2f s\n", time.Since(start).Seconds()))
	}
	known, gone := c.forgive(results)
	t := c.count(results)
	t.summary.Failed += len(unread) + without
	t.summary.Known, t.summary.Gone = known, gone

	if err := c.print(results, t); err != nil {
		return err
	}
	switch {
	case t.bug, c.wrong, t.checked == 0 && t.summary.Failed > 0:
		return exitCode(exitFailure)
	case t.summary.Failed > 0:
		return exitCode(exitFindings)
	case c.exitZero:
		return nil
	case c.diff && t.changed, !c.diff && t.grave && !c.fixOnly, c.failOnFix && t.changed, c.failOnUnknown && len(t.summary.Trainings.Notes()) > 0:
		return exitCode(exitFindings)
	}
	return nil
}

// files returns the files to check, and why others are not among them.
func (c *check) files() ([]string, []error) {
	if c.stdin {
		return []string{c.stdinName()}, nil
	}
	options := discover.Options{ForceExclude: c.forceExclude, Unhidden: c.noRespectGitignore, Exclude: c.settings.excludes, Warn: c.settings.unread.add, Searched: c.searched}
	var plain, files []string
	var errs []error
	for _, path := range c.paths {
		folder, isGlob := settings.GlobFolder(path)
		if _, err := os.Lstat(path); err == nil || !isGlob {
			plain = append(plain, path)
			continue
		}
		found, unread := discover.Files(context.Background(), []string{folder}, options)
		found = slices.DeleteFunc(found, func(file string) bool { return !settings.MatchesGlob(path, file) })
		if len(found) == 0 && len(unread) == 0 {
			unread = []error{fmt.Errorf("%s: no file matches", path)}
		}
		files, errs = append(files, found...), append(errs, unread...)
	}
	found, unread := discover.Files(context.Background(), plain, options)
	files = append(files, found...)
	slices.Sort(files)
	return slices.Compact(files), append(errs, unread...)
}

// configure finds out how each file is checked. It drops files with a mistake in their settings
// and returns their number: what their settings ask for is unknown, while those of other files
// still hold.
func (c *check) configure(paths []string) (kept []string, without int) {
	c.configured = make(map[string]configuration, len(paths))
	told := map[error]bool{}
	for _, path := range paths {
		how, err := c.settings.of(path)
		if err == nil {
			if how.Devices == nil {
				how.Devices = c.settings.machine
			}
			how.Workspace = nil // results gives it one
			c.configured[path] = how
			kept = append(kept, path)
			continue
		}
		c.wrong = true
		without++
		if !told[err] {
			told[err] = true
			c.complain(err.Error())
		}
	}
	return kept, without
}

// names reports whether an argument is the path of the file itself, and not of a folder that
// contains it.
func (c *check) names(path string) bool {
	return slices.ContainsFunc(c.paths, func(p string) bool { return filepath.Clean(p) == path })
}

// isExcluded reports whether standard input has the name of an excluded file.
func (c *check) isExcluded() bool {
	return discover.IsExcluded(c.stdinName()) || c.settings.excludes(c.settings.absolute(c.stdinName()), true)
}

func (c *check) stdinName() string {
	if c.stdinFilename != "" {
		return c.stdinFilename
	}
	return "-"
}

// results checks the files, and fixes them if that is asked for.
func (c *check) results(paths []string) []checker.Result {
	modules := modules{settings: c.settings}
	run := checker.Checker{
		For: func(path string) (analyzer.Config, rules.Selection) {
			how := c.configured[path]
			how.SkipImports = !c.stdin && !c.names(path)
			how.Workspace = modules.next()
			return how.Config, how.Selection
		},
		Fix:   c.fix || c.diff,
		Least: rule.Safe,
		Write: c.fix && !c.diff && !c.stdin,
		Alone: c.stdin,
		Keep:  c.addNoqa,
		Read:  checker.ReadFile,
	}
	if c.unsafe {
		run.Least = rule.Unsafe
	}
	if c.stdin {
		run.Read = func(path string) (text string, err error) {
			c.stdinText, err = checker.ReadFrom(path, c.in)
			return c.stdinText, err
		}
		if c.forceExclude && c.isExcluded() {
			run.Fix, run.For, run.Selection = false, nil, rules.Selection{Ignore: []string{"ALL"}}
		}
	}
	if f, ok := c.errs.(*os.File); ok && isTerminal(f) && !c.quiet {
		run.Done = progress.Files(f, "Checking", len(paths))
	}
	var results []checker.Result
	if c.cached != nil {
		results = c.cachedResults(c.cached, run, paths)
	} else {
		results = run.Run(paths)
	}
	c.warnOfUnread()
	c.warnOfAimless(paths)
	return results
}

// modules gives the files of a run their workspaces. A workspace keeps all modules that it has
// read, so that after enough of them the next files get a new one: files that import each other
// mostly follow each other, and no tree fills the memory.
type modules struct {
	mu       sync.Mutex
	settings *configurator
	files    int // that the present one was given to
}

// A workspace is given to at least leastFiles files, that a library which all of them import is not
// read again for each, and renewed once it has parsed mostParsed bytes. It takes some fifteen times
// as much memory.
const (
	leastFiles = 100
	mostParsed = 3 << 20
)

func (m *modules) next() *project.Workspace {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.settings.workspace == nil {
		return nil
	}
	if m.files++; m.files > leastFiles && m.settings.workspace.Counts().Bytes > mostParsed {
		m.settings.renew()
		m.files = 1
	}
	return m.settings.workspace
}

// warnOfUnread reports files that imports or data paths lead to and that were not read.
func (c *check) warnOfUnread() {
	for _, words := range c.settings.unread.messages() {
		c.remark("warning: " + words + "\n")
	}
}

// A tally sums up the results.
type tally struct {
	summary report.Summary
	entries []report.Entry
	mended  []report.Mended
	checked int  // files
	grave   bool // a remaining finding counts for --fail-on
	changed bool // a fix changed something
	bug     bool // of tfmem itself
}

// count tallies the results, and reports the files that failed.
func (c *check) count(results []checker.Result) tally {
	t := tally{summary: report.Summary{AllowUnsafe: c.unsafe}}
	for _, r := range results {
		for _, b := range r.Trainings {
			t.summary.Trainings.Add(c.settings.absolute(b.Path), b)
		}
	}
	related := map[string]bool{} // to TensorFlow, by path: a notebook may have several programs
	for _, r := range results {
		if r.Err != nil {
			t.summary.Failed++
			text := r.Err.Error()
			if r.Bug {
				t.bug = true
				text += bugReport(r.Stack)
			}
			c.complain(strings.TrimSpace(text))
		}
		if r.Checked && r.Part == 0 {
			t.checked++
		}
		if r.Checked && r.Foreign == "" {
			related[r.Path] = related[r.Path] || !r.Unrelated
		}
		if r.Foreign != "" {
			c.remark(fmt.Sprintf("warning: %s: not checked: %s\n", r.Path, r.Foreign))
		}
		if r.File == nil {
			continue
		}
		t.changed = t.changed || r.Changed()
		t.summary.Mended += len(r.Mended)
		if len(r.Mended) > 0 {
			t.mended = append(t.mended, report.Mended{Path: r.Path, Findings: r.Mended})
		}
		if c.first != nil {
			rank := func(f rule.Finding) int { return slices.Index(c.first, f.Rule.Code) }
			slices.SortStableFunc(r.Findings, func(a, b rule.Finding) int { return cmp.Compare(rank(a), rank(b)) })
		}
		for _, f := range r.Findings {
			t.summary.Add(f)
			t.grave = t.grave || f.Severity >= c.configured[r.Path].least
		}
		t.entries = append(t.entries, report.Entry{Source: r.File.Source, Findings: r.Findings, Docs: c.configured[r.Path].docs})
	}
	for _, is := range related {
		if is {
			t.summary.Analysed++
		} else {
			t.summary.Unrelated++
		}
	}
	return t
}

// bugReport asks for a report of an internal error.
func bugReport(stack []byte) string {
	return "\nthis is a bug in tfmem; please report it at https://github.com/tfmem/tfmem/issues\n" + string(stack)
}

// print prints the outcome of the run. If a fixed text goes from standard input to standard
// output, there is no room there for a report.
func (c *check) print(results []checker.Result, t tally) error {
	to := c.out
	if c.stdin && c.fix && !c.diff {
		text := c.stdinText
		for _, r := range results {
			if r.Changed() {
				text = r.After
			}
		}
		if _, err := io.WriteString(c.out, text); err != nil {
			return fmt.Errorf("cannot write the fixed text to standard output: %w", err)
		}
		to = c.errs
	}
	if c.outputFile != "" {
		f, err := os.Create(c.outputFile)
		if err != nil {
			return fmt.Errorf("cannot write the report: %w", err)
		}
		defer f.Close()
		to = f
	}
	palette := c.palette(to)
	b := bufio.NewWriter(to)
	var err error
	if c.diff {
		err = writeDiff(b, results, palette, isShown(to, palette))
		c.remark(t.summary.Preview())
		c.remarkNotes(t)
	} else {
		err = c.report(b, t, palette)
	}
	if err == nil {
		err = b.Flush()
	}
	if err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	return nil
}

// report prints the report in its format.
func (c *check) report(w io.Writer, t tally, palette report.Palette) error {
	print, entries := c.reporter.Print, t.entries
	if c.statistics {
		print = c.reporter.Statistics
	}
	if c.fixOnly {
		entries = nil
	}
	if err := print(w, entries, report.Options{Palette: palette, Version: release, Root: root(), Notes: t.summary.Trainings.Notes()}); err != nil {
		return err
	}
	if !c.reporter.Prose {
		c.remarkNotes(t)
		return nil
	}
	if c.showFixes {
		if err := report.PrintMended(w, t.mended, palette); err != nil {
			return err
		}
	}
	if c.quiet {
		return nil
	}
	found := func(e report.Entry) bool { return len(e.Findings) > 0 }
	if c.first != nil && t.summary.Mended+t.summary.Failed == 0 && !slices.ContainsFunc(t.entries, found) {
		_, err := io.WriteString(w, "None of the rules that see this cause finds it there.\n")
		return err
	}
	lines := t.summary.Lines()
	if c.fixOnly {
		lines = t.summary.Fixes()
	}
	_, err := io.WriteString(w, lines)
	return err
}

// remarkNotes says what is not known of the trainings, where the report has no place for it.
func (c *check) remarkNotes(t tally) {
	for _, note := range t.summary.Trainings.Notes() {
		c.remark(note.Text + "\n")
	}
}

// root returns the folder that the CI system we run in shows paths relative to, or "".
func root() string {
	return cmp.Or(os.Getenv("CI_PROJECT_DIR"), os.Getenv("GITHUB_WORKSPACE"), os.Getenv("BUILD_SOURCESDIRECTORY"))
}

// palette returns the colours of a report for its destination.
func (c *check) palette(to io.Writer) report.Palette {
	terminal, _ := to.(*os.File)
	return report.Palette{Colour: colourful(c.colour, terminal)}
}

// isShown reports whether output goes to a terminal, and not to a program that needs it byte for
// byte.
func isShown(to io.Writer, p report.Palette) bool {
	f, ok := to.(*os.File)
	return p.Colour || ok && isTerminal(f)
}

// writeDiff prints what the fixes change: for a file in the format of patch(1), for a notebook
// one cell at a time. Control characters are made printable on a terminal.
func writeDiff(w io.Writer, results []checker.Result, p report.Palette, shown bool) error {
	for _, r := range results {
		if r.File == nil {
			continue
		}
		after := r.File.Source.Segments()
		for i, before := range r.Original.Segments() {
			name, old, new := r.Path, before.Raw, after[i].Raw
			if before.Cell > 0 {
				// The last line of a cell needs no line break.
				name, old, new = fmt.Sprintf("%s:cell %d", r.Path, before.Cell), old+"\n", new+"\n"
			}
			if err := writeDifference(w, source.Printable(name), old, new, p, shown); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeDifference(w io.Writer, name, before, after string, p report.Palette, shown bool) error {
	text, err := udiff.ToUnified(name, name, before, udiff.Lines(before, after), udiff.DefaultContextLines)
	if err != nil {
		return fmt.Errorf("%s: internal error: %w", name, err)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if shown {
			line = source.PrintableLines(strings.TrimSuffix(line, "\r"))
		}
		switch {
		case strings.HasPrefix(line, "+"):
			line = p.Added(line)
		case strings.HasPrefix(line, "-"):
			line = p.Removed(line)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// complain reports an error that does not end the run.
func (c *check) complain(text string) {
	fmt.Fprintf(c.errs, "error: %s\n", source.PrintableLines(text))
}

// remark prints what --quiet leaves out.
func (c *check) remark(text string) {
	if !c.quiet {
		fmt.Fprint(c.errs, source.PrintableLines(text))
	}
}
