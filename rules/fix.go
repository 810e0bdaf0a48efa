package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// maxPasses bounds how often a file is analysed and fixed again. A fix may make another one
// possible, but two fixes that undo each other must come to an end.
const maxPasses = 10

// Fixed is the result of fixing a file.
type Fixed struct {
	File      *analyzer.File // after the fixes
	Applied   []rule.Finding // fixed, each in the text of its own pass
	Remaining []rule.Finding // found in File
	// Failed are the findings whose fix could not be made, each in the text of its own pass. Every
	// one of them is a bug in its rule.
	Failed []Failure
}

// A Failure is a fix that was not made.
type Failure struct {
	Source  *source.Source // the source with the finding
	Finding rule.Finding
	Err     error
}

func (f Failure) Error() string {
	at := f.Source.Place(f.Finding.Span)
	g := &f.Source.Segments()[at.Segment]
	cell := ""
	if g.Cell > 0 {
		cell = fmt.Sprintf("cell %d, ", g.Cell)
	}
	return fmt.Sprintf("the fix of %s (%s) for %sline %d was not made: %v", f.Finding.Rule.Code, f.Finding.Rule.Name, cell, g.Lines().Line(at.Span.Start)+1, f.Err)
}

// ApplyFixes applies fixes of at least the given applicability until nothing changes. It skips a
// fix that would leave more of the file unparsable, and makes the others. analyze analyses a
// changed text.
func ApplyFixes(file *analyzer.File, selection Selection, least rule.Applicability, analyze func(*source.Source) *analyzer.File) Fixed {
	return ApplyFixesWithin(file, selection, least, func(*source.Source, rule.Fix) bool { return true }, analyze)
}

// ApplyFixesWithin is ApplyFixes for the fixes that within allows, each in the text of its own
// pass.
func ApplyFixesWithin(file *analyzer.File, selection Selection, least rule.Applicability, within func(*source.Source, rule.Fix) bool, analyze func(*source.Source) *analyzer.File) Fixed {
	m := fixer{analyze: analyze, within: within, out: Fixed{File: file}, failed: map[string]bool{}}
	for range maxPasses {
		m.out.Remaining = Check(m.out.File, selection)
		if !m.pass(least) {
			return m.out
		}
	}
	m.out.Remaining = Check(m.out.File, selection)
	return m.out
}

type fixer struct {
	analyze func(*source.Source) *analyzer.File
	within  func(*source.Source, rule.Fix) bool
	out     Fixed
	failed  map[string]bool // by what the fix does, because its place moves from pass to pass
}

// A chosen fix is the one that is made for a finding.
type chosen struct {
	finding rule.Finding
	edits   []source.Edit
	other   bool // of another file, which who writes files edits
}

// pass makes the fixes of the remaining findings, and reports whether there were any.
func (m *fixer) pass(least rule.Applicability) bool {
	fixes := m.choose(least)
	if len(fixes) == 0 {
		return false
	}
	next, err := m.make(fixes)
	if err != nil && len(fixes) > 1 {
		// Each fix is tried by itself. Those that work are made together or, if that fails, one of
		// them.
		fixes = slices.DeleteFunc(fixes, func(c chosen) bool {
			_, err := m.make([]chosen{c})
			if err != nil {
				m.fail(c, err)
			}
			return err != nil
		})
		if len(fixes) == 0 {
			return true
		}
		if next, err = m.make(fixes); err != nil {
			fixes = fixes[:1]
			next, err = m.make(fixes)
		}
	}
	if err != nil {
		m.fail(fixes[0], err)
		return true
	}
	m.out.File = next
	for _, c := range fixes {
		m.out.Applied = append(m.out.Applied, c.finding)
	}
	return true
}

// choose takes the first applicable fix of every finding, except fixes that touch the place
// of an earlier one.
func (m *fixer) choose(least rule.Applicability) []chosen {
	var fixes []chosen
	var edits []source.Edit
	for _, f := range m.out.Remaining {
		c, unless, ok := m.first(f, least)
		fallback := unless != "" && slices.ContainsFunc(m.out.Remaining, func(other rule.Finding) bool {
			_, _, ok := m.first(other, least)
			return ok && other.Rule.Code == unless
		})
		if ok && !c.other && !fallback && !touches(edits, c.edits) {
			fixes, edits = append(fixes, c), append(edits, c.edits...)
		}
	}
	return fixes
}

// first returns the first fix of a finding that is applicable enough and has not failed, and the
// code of the rule whose fixes take precedence.
func (m *fixer) first(f rule.Finding, least rule.Applicability) (c chosen, unless string, ok bool) {
	i := slices.IndexFunc(f.Fixes, func(fix rule.Fix) bool {
		return fix.Applicability >= least && !fix.Apart() && m.within(m.out.File.Source, fix)
	})
	if i < 0 {
		return c, "", false
	}
	if f.Fixes[i].Elsewhere.Source != nil {
		return chosen{finding: f, other: true}, "", true
	}
	c = chosen{finding: f, edits: f.Fixes[i].Edits}
	return c, f.Fixes[i].Unless, !m.failed[m.deed(c)]
}

// make returns the file after fixes, or why that is not possible.
func (m *fixer) make(fixes []chosen) (*analyzer.File, error) {
	var edits []source.Edit
	for _, c := range fixes {
		for _, e := range c.edits {
			if !addsImport(e) || !slices.Contains(edits, e) {
				edits = append(edits, e)
			}
		}
	}
	src, err := m.out.File.Source.Edited(edits)
	if err != nil {
		return nil, err
	}
	next := m.analyze(src)
	if next.Tree.Broken() > m.out.File.Tree.Broken() {
		return nil, fmt.Errorf("the code would no longer parse")
	}
	return next, nil
}

func (m *fixer) fail(c chosen, err error) {
	m.failed[m.deed(c)] = true
	m.out.Failed = append(m.out.Failed, Failure{Source: m.out.File.Source, Finding: c.finding, Err: err})
}

// deed describes what a fix does, without its place.
func (m *fixer) deed(c chosen) string {
	deed := c.finding.Rule.Code
	for _, e := range c.edits {
		deed += fmt.Sprintf(" %q→%q", m.out.File.Source.Slice(e.Span), e.New)
	}
	return deed
}

// addsImport reports whether an edit adds an import and nothing else: fixes that add the same one
// share it.
func addsImport(e source.Edit) bool {
	added := strings.TrimSpace(e.New)
	return e.Span.Start == e.Span.End && (strings.HasPrefix(added, "import ") || strings.HasPrefix(added, "from "))
}

func touches(made, next []source.Edit) bool {
	for _, a := range made {
		for _, b := range next {
			if a == b && addsImport(a) {
				continue
			}
			if a.Span.Start <= b.Span.End && b.Span.Start <= a.Span.End {
				return true
			}
		}
	}
	return false
}
