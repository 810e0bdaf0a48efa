// Package checker reads files, has them checked and fixed, and writes the fixed text.
//
// It works on many files at once, and returns results in their order. A failure in one
// file, a bug of tfmem included, is part of that file's result and stops no other. The
// package prints nothing and knows no report format.
package checker

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	"github.com/tfmem/tfmem/rules/rule"
)

// maxRead is the length in bytes beyond which a file is not even read. The
// analysis refuses far shorter ones, but says so in a finding.
const maxRead = 256 << 20

// A Checker says what is done with each file.
type Checker struct {
	Config    analyzer.Config
	Selection rules.Selection
	// For, which may be nil, gives a file a Config and a Selection of its own. It
	// is called by many goroutines at once.
	For func(path string) (analyzer.Config, rules.Selection)

	// Fix applies fixes of at least the applicability Least.
	Fix   bool
	Least rule.Applicability
	// Write writes what was mended back to the file.
	Write bool

	// Read gets the text of a file.
	Read func(path string) (string, error)
	// Done, which may be nil, is called after each file, by many goroutines at
	// once.
	Done func()
}

// A Result is what came of one file, or of one program of a notebook that holds
// several: the Python files that its cells write follow the notebook's own, as
// results of the same path.
type Result struct {
	Path string
	// Part counts the programs of the file that come before.
	Part int
	// Checked is whether the file was read and analysed.
	Checked bool
	// Foreign says why the file is none of tfmem's business, empty where it is:
	// a notebook of another language than Python.
	Foreign string
	// File is the file as it was last analysed: with its fixes where it was
	// mended. Nil where there is nothing to show of it: most files of a tree
	// have no findings, and their texts need not be kept.
	File     *analyzer.File
	Findings []rule.Finding // in File
	Mended   []rule.Finding // gone from File
	Original *source.Source // what File was made of before it was mended
	// Before and After are the bytes of the file as they were read, or as the
	// part before left them, and with its fixes, where there is a File.
	Before, After string

	// Err says what could not be done.
	Err error
	// Bug is set where tfmem itself is at fault for Err.
	Bug bool
	// Stack is where it panicked, if it did.
	Stack []byte
}

// Run checks the files and returns what came of each, in their order. What those import that
// do not mention TensorFlow themselves is looked at where others do, or where that is asked
// for: a tree that has nothing to do with TensorFlow is not searched for what leads to it.
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
	if slices.Contains(relevant, true) {
		each(func(i int) {
			if !relevant[i] {
				results[i], _ = c.file(paths[i], true)
			}
		})
	}
	return slices.Concat(results...)
}

// file checks a file, and tells whether it is TensorFlow's business. With search, what it
// imports may make it that, whatever its Config says.
func (c *Checker) file(path string, search bool) (results []Result, relevant bool) {
	own := *c
	if c = &own; c.For != nil {
		c.Config, c.Selection = c.For(path)
	}
	c.Config.Unsearched = c.Config.Unsearched && !search
	results = c.programs(path, func(r *Result) {
		relevant = relevant || r.File.Relevant() || r.File.Unread != ""
		if c.Fix {
			c.mend(r)
		} else {
			r.Findings = rules.Check(r.File, c.Selection)
		}
		if len(r.Findings) == 0 && !r.Changed() {
			r.File, r.Original, r.Before, r.After = nil, nil, "", ""
		}
	})
	return results, relevant
}

// Edit makes the edits that find asks for in each program of a file, and writes
// them where Write is set. An error of find is the result's.
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

// programs calls look with each program of a file once it is analysed.
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
		if r.File != nil {
			text = r.After
		}
		results = append(results, r)
	}
	return results
}

// contents is what a file holds with the text of one of its programs, in place of
// what it has in before.
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

// Changed reports whether the fixes made another text of the file.
func (r *Result) Changed() bool { return r.After != r.Before }

// With returns the new content of the file after Source was edited; other parts of the file
// may have changed meanwhile.
func (r *Result) With(now string, edited *source.Source) (string, error) {
	return contents(r.Path, now, edited)
}

// mend fills in the result of a file that has been analysed. Where its fixes
// cannot be kept the file counts as not mended.
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
		r.Findings = rules.Check(r.File, c.Selection)
		return
	}
	r.File, r.After, r.Findings, r.Mended = fixed.File, after, fixed.Remaining, fixed.Applied
	var failures []error
	for _, f := range fixed.Failed {
		failures = append(failures, fmt.Errorf("%s: internal error: %w", r.Path, f))
	}
	r.Err = errors.Join(failures...)
	r.Bug = r.Err != nil
}

// ReadFile reads a file from disk. Its errors are for people.
func ReadFile(path string) (string, error) {
	text, err := project.ReadFile(path, maxRead)
	if err != nil {
		return "", explain(path, err)
	}
	return string(text), nil
}

// ReadFrom reads a text to its end, as a file of the given path.
func ReadFrom(path string, r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxRead+1))
	if err != nil {
		return "", explain(path, err)
	}
	if len(text) > maxRead {
		return "", fmt.Errorf("%s: it has more than %d MB; tfmem reads no file that large", path, maxRead>>20)
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
