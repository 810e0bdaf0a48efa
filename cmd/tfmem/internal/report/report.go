// Package report prints findings, an output format a file.
//
// It decides nothing: which findings there are, which of them fail a run and
// where the output goes is the caller's business. It reads no files; all that
// it shows is in the sources.
package report

import (
	"io"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// An Entry is a source and what was found in it.
type Entry struct {
	Source   *source.Source
	Findings []rule.Finding
}

// A Format is a way to print findings.
type Format struct {
	Name  string
	Print func(io.Writer, []Entry, Palette) error
	// Prose is whether a person reads it, who may want a summary below.
	Prose bool
}

// Formats are all there are, the default first.
var Formats = []Format{
	{Name: "full", Print: full, Prose: true},
	{Name: "concise", Print: concise, Prose: true},
	{Name: "json", Print: json},
}

// Names are the names of the formats.
func Names() []string {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// best is the fix that changes the least about what a program does, the
// preferred one of several, or nil.
func best(f rule.Finding) *rule.Fix {
	var b *rule.Fix
	for i := range f.Fixes {
		if b == nil || f.Fixes[i].Applicability > b.Applicability {
			b = &f.Fixes[i]
		}
	}
	return b
}

// header starts the line of a finding, by which editors jump: its place, its code, and
// whether it can be fixed.
func header(s *source.Source, f rule.Finding, label string, p Palette) string {
	var b strings.Builder
	b.WriteString(where(s, f.Span, p))
	b.WriteString(": ")
	b.WriteString(p.Severity(f.Severity, label))
	if fix := best(f); fix != nil && fix.Applicability > rule.Display {
		b.WriteString(" [" + p.Note(fix.Applicability.String()+" fix") + "]")
	}
	return b.String()
}
