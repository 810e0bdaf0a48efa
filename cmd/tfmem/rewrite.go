package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/write"
	"github.com/tfmem/tfmem/rules/rewrite"
	"github.com/tfmem/tfmem/rules/suggest"
)

// listed is the value of --rewrite that lists the names.
const listed = "list"

// rewrite applies one rewrite at one place.
func (c *check) rewrite() error {
	if c.rewriteName == listed {
		if len(c.given) > 0 {
			return usagef("--rewrite list takes no place, but was given %q", c.given)
		}
		return writeRewrites(c.out)
	}
	r := rewrite.Lookup(c.rewriteName)
	switch {
	case r == nil:
		return usagef("--rewrite: there is no rewrite %q%s; --rewrite list names all", c.rewriteName, suggest.DidYouMean(c.rewriteName, append(rewrite.Names(), listed)))
	case len(c.given) != 1 || c.stdin:
		return usagef("--rewrite %s needs one place in a file, such as train.py:12 or train.ipynb:3:12 (line 12 of cell 3)", r.Name)
	}
	at, err := parsePlace(c.given[0])
	if err != nil {
		return err
	}
	kept, _ := c.configure([]string{at.path})
	if len(kept) == 0 {
		return exitCode(exitFailure)
	}
	run := checker.Checker{Config: c.configured[at.path].Config, Write: !c.diff, Read: checker.ReadFile}
	var title string
	var module *rewrite.Module
	results := run.Edit(at.path, func(file *analyzer.File) ([]source.Edit, error) {
		segment := slices.IndexFunc(file.Source.Segments(), func(g source.Segment) bool { return g.Cell == at.cell })
		if segment < 0 {
			return nil, nil // another program of the notebook has the cell
		}
		span, err := at.span(file.Source, segment)
		if err != nil {
			return nil, err
		}
		change, err := r.Make(file, span)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be made here: %w", r.Name, err)
		}
		title, module = change.Title, change.Module
		if module != nil && !c.diff {
			if err := write.New(moduleBeside(at.path, module), []byte(module.Text)); err != nil {
				module = nil
				return nil, err
			}
		}
		return change.Edits, nil
	})
	c.warnOfUnread()
	for _, result := range results {
		if module != nil && !c.diff && result.Err != nil {
			_ = os.Remove(moduleBeside(at.path, module)) // nothing imports it
		}
		switch {
		case result.Bug:
			c.complain(strings.TrimSpace(result.Err.Error() + bugReport(result.Stack)))
			return exitCode(exitFailure)
		case result.Err != nil:
			c.complain(result.Err.Error())
			return exitCode(exitFindings)
		case result.Foreign != "":
			c.complain(fmt.Sprintf("%s: %s", result.Path, result.Foreign))
			return exitCode(exitFindings)
		}
	}
	switch {
	case title == "":
		c.complain(fmt.Sprintf("%s: there is no code cell %d", at.path, at.cell))
		return exitCode(exitFindings)
	case c.diff:
		b, palette := bufio.NewWriter(c.out), c.palette(c.out)
		if err := writeDiff(b, results, palette, isShown(c.out, palette)); err != nil {
			return err
		}
		if module != nil {
			if err := writeDifference(b, source.Printable(moduleBeside(at.path, module)), "", module.Text, palette, isShown(c.out, palette)); err != nil {
				return err
			}
		}
		return b.Flush()
	}
	c.remark(fmt.Sprintf("%s: %s.\n", at.path, title))
	if module != nil {
		c.remark(fmt.Sprintf("%s: written.\n", moduleBeside(at.path, module)))
	}
	return nil
}

// moduleBeside returns the path of a module that a rewrite makes in the folder of a file.
func moduleBeside(path string, m *rewrite.Module) string {
	return filepath.Join(filepath.Dir(path), m.Name)
}

func writeRewrites(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rewrite.All {
		fmt.Fprintf(t, "%s\t%s\n", r.Name, r.Title)
	}
	return t.Flush()
}

// A codePlace is where the command line asks for a rewrite.
type codePlace struct {
	given        string
	path         string
	cell         int // 0 for a file
	line, column int // from 1; column 0 means the whole line
}

var numbered = regexp.MustCompile(`^(.+?)((?::(?:cell )?\d+)+)$`)

// parsePlace parses file:line[:column] or, for a notebook, file:cell:line[:column]. The
// cell may be written as in a report, "cell 3".
func parsePlace(given string) (codePlace, error) {
	wrong := func(path string) error {
		form := "FILE:LINE or FILE:LINE:COLUMN"
		if notebook.Is(path) {
			form = "FILE:CELL:LINE or FILE:CELL:LINE:COLUMN"
		}
		return usagef("%q is not a place in a file: write %s", given, form)
	}
	m := numbered.FindStringSubmatch(given)
	if m == nil {
		return codePlace{}, wrong(given)
	}
	p := codePlace{given: given, path: m[1]}
	var numbers []int
	for _, part := range strings.Split(m[2], ":")[1:] {
		n, err := strconv.Atoi(strings.TrimPrefix(part, "cell "))
		if err != nil || n < 1 {
			return p, usagef("%q: lines, columns and cells are counted from 1", given)
		}
		numbers = append(numbers, n)
	}
	if notebook.Is(p.path) {
		p.cell, numbers = numbers[0], numbers[1:]
	}
	if len(numbers) == 0 || len(numbers) > 2 {
		return p, wrong(p.path)
	}
	p.line = numbers[0]
	if len(numbers) == 2 {
		p.column = numbers[1]
	}
	return p, nil
}

// span returns the place in a segment of a source: the line without its surrounding space, or the
// cursor at the column.
func (p codePlace) span(s *source.Source, segment int) (source.Span, error) {
	lines := s.Segments()[segment].Lines()
	if p.line > lines.Count() {
		return source.Span{}, fmt.Errorf("there is no line %d: the last is %d", p.line, lines.Count())
	}
	if p.column > 0 {
		at, err := lines.Offset(source.Position{Line: p.line - 1, Column: p.column - 1}, source.UTF32)
		if err != nil {
			return source.Span{}, err
		}
		at = s.Offset(segment, at)
		return source.Span{Start: at, End: at}, nil
	}
	line := lines.Span(p.line - 1)
	text := lines.Text()[line.Start:line.End]
	start := line.Start + len(text) - len(strings.TrimLeft(text, " \t\f\ufeff"))
	end := max(start, line.Start+len(strings.TrimRight(text, " \t\f")))
	return source.Span{Start: s.Offset(segment, start), End: s.Offset(segment, end)}, nil
}
