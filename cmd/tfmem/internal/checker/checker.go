// Package checker reads files, has them checked and fixed, and writes the fixed text.
//
// It works on many files at once, and returns results in order. A failure in one file, a bug of
// tfmem included, is part of that file's result and stops no other. The package prints nothing
// and knows no report format.
package checker

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/write"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/rule"
)

// MaxRead is the length in bytes beyond which a file is not even read. The analysis refuses far
// shorter ones, but says so in a finding.
const MaxRead = 256 << 20

// A Checker says what is done with each file.
type Checker struct {
	Config    analyzer.Config
	Selection rules.Selection
	// For, which may be nil, gives a file a Config and a Selection of its own. It is called by
	// many goroutines at once.
	For func(path string) (analyzer.Config, rules.Selection)

	// Fix applies fixes of at least the applicability Least.
	Fix   bool
	Least rule.Applicability
	// Write writes fixed text back to the file.
	Write bool
	// Alone leaves out fixes of other files, such as the settings that a program reads.
	Alone bool

	// Read returns the text of a file.
	Read func(path string) (string, error)
	// Keep keeps the analysis and the texts of all files that have findings.
	Keep bool
	// Search has the imports of all files searched, as if another file mentioned TensorFlow.
	Search bool
	// Done, which may be nil, is called after each file, by many goroutines at
	// once.
	Done func()
}

// A Result is the outcome for one file, or for one program of a notebook that has several: the
// Python files that its cells write follow the notebook's own, as results of the same path.
type Result struct {
	Path string
	// Part counts the earlier programs of the file.
	Part int
	// Checked reports whether the file was read and analysed.
	Checked bool
	// Unrelated is set if the program has nothing to do with TensorFlow, and was not analysed.
	Unrelated bool
	// Mentions is set if the file concerns TensorFlow before its imports are searched beyond what
	// its Config says, and Searched if they were because some file of the run does.
	Mentions, Searched bool
	// Foreign says why tfmem does not check the file, "" if it does: a notebook in another
	// language than Python.
	Foreign string
	// File is the file as it was last analysed: after its fixes, if there are any. It is nil if
	// there is nothing to show, and has no more than its Source unless Keep is set: the analyses
	// of a whole tree take a gigabyte.
	File     *analyzer.File
	Findings []rule.Finding // in File
	Mended   []rule.Finding // fixed, and not in File any more
	// Trainings are those of File, if the rule that compares them with a GPU is selected.
	Trainings []estimate.Brief
	Original  *source.Source // the source before it was fixed
	// Before is the content of the file as it was read, or as the previous part left it. After is
	// the content with its fixes. Both are empty if they are the same, unless Keep is set.
	Before, After string

	// Err says what could not be done.
	Err error
	// Bug is set if Err is a bug of tfmem.
	Bug bool
	// Stack is the stack of the panic, if there was one.
	Stack []byte
}

// Run checks the files and returns their results, in order. Imports of files that do not mention
// TensorFlow are searched only if other files mention it, or if that is asked for: in a tree
// without TensorFlow there is nothing to find.
func (c *Checker) Run(paths []string) []Result {
	results := make([][]Result, len(paths))
	relevant := make([]bool, len(paths))
	each := func(do func(i int)) {
		var group errgroup.Group
		group.SetLimit(max(2, runtime.GOMAXPROCS(0)))
		for i := range paths {
			group.Go(func() error { do(i); return nil })
		}
		group.Wait()
	}
	each(func(i int) {
		results[i], relevant[i] = c.file(paths[i], false)
		if c.Done != nil {
			c.Done()
		}
	})
	search := c.Search || slices.Contains(relevant, true)
	if search {
		each(func(i int) {
			if !relevant[i] {
				results[i], _ = c.file(paths[i], true)
			}
		})
	}
	for i := range results {
		for j := range results[i] {
			results[i][j].Mentions, results[i][j].Searched = relevant[i], search
		}
	}
	all := slices.Concat(results...)
	if c.Fix && !c.Alone {
		all = append(all, c.mendOthers(all)...)
	}
	return all
}

// mendOthers makes the fixes that edit other files than the finding's. Of several numbers for one
// place it takes the smallest, which fits all. A file that has fixes of its own is left for another run.
func (c *Checker) mendOthers(results []Result) (others []Result) {
	numbers, sources := map[string]map[source.Span]int64{}, map[string]*source.Source{}
	mends := func(f rule.Finding) *rule.Fix {
		i := slices.IndexFunc(f.Fixes, func(fix rule.Fix) bool { return fix.Applicability >= c.Least && !fix.Apart() })
		if i < 0 || f.Fixes[i].Elsewhere.Source == nil {
			return nil
		}
		return &f.Fixes[i]
	}
	for _, r := range results {
		for _, f := range r.Findings {
			fix := mends(f)
			if fix == nil || slices.ContainsFunc(results, func(other Result) bool { return other.Changed() && sameFile(other.Path, fix.Elsewhere.Source.Path) }) {
				continue
			}
			path := fix.Elsewhere.Source.Path
			if numbers[path] == nil {
				numbers[path], sources[path] = map[source.Span]int64{}, fix.Elsewhere.Source
			}
			if had, ok := numbers[path][fix.Elsewhere.Span]; !ok || fix.Elsewhere.Number < had {
				numbers[path][fix.Elsewhere.Span] = fix.Elsewhere.Number
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(numbers)) {
		var list []source.Edit
		for span, number := range numbers[path] {
			list = append(list, rule.Elsewhere{Source: sources[path], Span: span, Number: number}.Edits()...)
		}
		r := c.EditOther(sources[path], list)
		if r.Err == nil {
			for i := range results {
				results[i].Findings = slices.DeleteFunc(results[i].Findings, func(f rule.Finding) bool {
					fix := mends(f)
					mended := fix != nil && fix.Elsewhere.Source.Path == path
					if mended {
						results[i].Mended = append(results[i].Mended, f)
					}
					return mended
				})
			}
		}
		others = append(others, r)
	}
	return others
}

// EditOther makes edits of a file that is not analysed, such as the settings that a program reads.
func (c *Checker) EditOther(before *source.Source, edits []source.Edit) Result {
	r := Result{Path: before.Path, Original: before, Before: before.Text()}
	var edited *source.Source
	if edited, r.Err = before.Edited(edits); r.Err != nil {
		return r
	}
	r.After = edited.Text()
	if c.Write {
		r.Err = write.File(r.Path, []byte(r.Before), []byte(r.After))
	}
	if r.Err == nil {
		r.File = &analyzer.File{Source: edited}
	}
	return r
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, other := os.Stat(b)
	return err == nil && other == nil && os.SameFile(x, y)
}

// file checks a file, and reports whether it concerns TensorFlow. With search, its imports may
// make it so, whatever its Config says.
func (c *Checker) file(path string, search bool) (results []Result, relevant bool) {
	own := *c
	if c = &own; c.For != nil {
		c.Config, c.Selection = c.For(path)
	}
	c.Config.SkipImports = c.Config.SkipImports && !search
	results = c.programs(path, func(r *Result) {
		r.Unrelated = !r.File.Relevant() && r.File.Unread == ""
		if r.File.Ended {
			r.Bug, r.Err = true, fmt.Errorf("%s: internal error: tfmem ended while it analysed this text", r.Path)
		}
		relevant = relevant || !r.Unrelated
		if c.Fix {
			c.mend(r)
		} else {
			c.check(r)
		}
		c.forget(r)
	})
	return results, relevant
}

// check runs the rules. One that fails is a bug, and the findings of the others stand.
func (c *Checker) check(r *Result) {
	r.Findings = rules.Check(r.File, c.Selection)
	r.Trainings = c.trainings(r.File)
	for _, f := range r.Findings {
		if f.Bug != nil && r.Err == nil {
			r.Bug, r.Stack = true, f.Bug.Stack
			r.Err = fmt.Errorf("%s: internal error: %w", r.Path, f.Bug)
		}
	}
}

// trainings returns the trainings of a file.
func (c *Checker) trainings(file *analyzer.File) []estimate.Brief {
	if !c.Selection.Enabled(budget.OversizedBatch) {
		return nil
	}
	return estimate.Briefs(file)
}

// forget drops what nobody asks for once a file is checked.
func (c *Checker) forget(r *Result) {
	switch {
	case len(r.Findings) == 0 && !r.Changed():
		r.File, r.Original, r.Before, r.After = nil, nil, "", ""
	case !c.Keep:
		r.File = &analyzer.File{Source: r.File.Source}
		if !r.Changed() {
			r.Before, r.After = "", ""
		}
	}
}

// Edit applies the edits that find returns for each program of a file, and writes them if Write
// is set. An error of find is the result's.
func (c *Checker) Edit(path string, find func(*analyzer.File) ([]source.Edit, error)) []Result {
	return c.programs(path, func(r *Result) {
		edits, err := find(r.File)
		if err != nil {
			r.Err = fmt.Errorf("%s: %w", path, err)
		}
		if len(edits) == 0 {
			return
		}
		edited, err := r.File.Source.Edited(edits)
		after := ""
		if err == nil {
			after, err = contents(path, r.Before, edited)
		}
		if err != nil {
			r.Bug = true
			r.Err = fmt.Errorf("%s: internal error: %w; nothing was written", path, err)
			return
		}
		if c.Write && after != r.Before {
			if r.Err = write.File(path, []byte(r.Before), []byte(after)); r.Err != nil {
				return
			}
		}
		r.File, r.After = analyzer.Analyze(edited, r.File.Config), after
	})
}

// programs calls look with each program of a file after its analysis.
func (c *Checker) programs(path string, look func(*Result)) (results []Result) {
	failed := func(r Result) []Result { r.Path = path; return append(results, r) }
	defer func() {
		if p := recover(); p != nil {
			results = failed(Result{Part: len(results), Bug: true, Err: fmt.Errorf("%s: internal error: %v", path, p), Stack: debug.Stack()})
		}
	}()
	text, err := c.Read(path)
	if err != nil {
		return failed(Result{Err: err})
	}
	programs, workspace, err := analyzer.Open(path, text, c.Config.Workspace)
	var foreign *notebook.LanguageError
	switch {
	case errors.As(err, &foreign):
		return failed(Result{Checked: true, Foreign: err.Error()})
	case err != nil:
		return failed(Result{Err: fmt.Errorf("%s: %w", path, err)})
	}
	config := c.Config
	config.Workspace = workspace
	for i, program := range programs {
		r := Result{Path: path, Part: i, Original: program, Before: text, After: text, Checked: true}
		r.File = analyzer.Analyze(program, config)
		look(&r)
		if r.Changed() {
			text = r.After
		}
		results = append(results, r)
	}
	return results
}

// contents returns the content of a file with the text of one of its programs replaced.
func contents(path, before string, program *source.Source) (string, error) {
	if !notebook.Is(path) {
		return program.Text(), nil
	}
	n, err := notebook.Read(path, before)
	if err != nil {
		return "", err
	}
	return n.With(program)
}

// Changed reports whether the fixes changed the file.
func (r *Result) Changed() bool { return r.After != r.Before }

// With returns the new content of the file after Source was edited; other parts of the file
// may have changed meanwhile.
func (r *Result) With(now string, edited *source.Source) (string, error) {
	return contents(r.Path, now, edited)
}

// mend applies the fixes to an analysed file. If they cannot be kept, the file counts as not
// fixed.
func (c *Checker) mend(r *Result) {
	document := analyzer.NewDocument()
	defer document.Close()
	fixed := rules.ApplyFixes(r.File, c.Selection, c.Least, func(s *source.Source) *analyzer.File { return document.Analyze(s, r.File.Config) })
	after, err := contents(r.Path, r.Before, fixed.File.Source)
	if err != nil {
		r.Bug = true
		r.Err = fmt.Errorf("%s: internal error while fixing: %w; nothing was written", r.Path, err)
	} else if c.Write && after != r.Before {
		r.Err = write.File(r.Path, []byte(r.Before), []byte(after))
	}
	if r.Err != nil {
		c.check(r)
		return
	}
	r.File, r.After, r.Findings, r.Mended = fixed.File, after, fixed.Remaining, fixed.Applied
	r.Trainings = c.trainings(r.File)
	var failures []error
	for _, f := range fixed.Failed {
		failures = append(failures, fmt.Errorf("%s: internal error: %w", r.Path, f))
	}
	r.Err = errors.Join(failures...)
	r.Bug = r.Err != nil
}

// ReadFile reads a file from disk. Its errors are for people.
func ReadFile(path string) (string, error) {
	text, err := project.ReadFile(path, MaxRead)
	if err != nil {
		return "", explain(path, err)
	}
	return string(text), nil
}

// ReadFrom reads a text to its end, as a file of the given path.
func ReadFrom(path string, r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxRead+1))
	if err != nil {
		return "", explain(path, err)
	}
	if len(text) > MaxRead {
		return "", fmt.Errorf("%s: it has more than %d MB; tfmem reads no file that large", path, MaxRead>>20)
	}
	return string(text), nil
}

func explain(path string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s: permission to read it is denied", path)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: it cannot be read: %w", path, err)
}
