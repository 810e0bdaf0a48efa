// Package report prints findings, with one output format per file.
//
// It decides nothing: the caller chooses the findings, which of them fail a run and where the
// output goes. It reads no files: all that it shows is in the sources.
package report

import (
	"io"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// An Entry is a source with its findings.
type Entry struct {
	Source   *source.Source
	Findings []rule.Finding
	Docs     string // where the rules' pages are, for [rule.Rule.URL]
}

// Options are what a report depends on besides its findings.
type Options struct {
	Palette Palette
	// Version is tfmem's.
	Version string
	// Root is the folder that paths of a CI system are relative to, or "" if there is none.
	Root string
	// Notes are about the run, and not findings.
	Notes []Note
}

// A Format is a way to print findings.
type Format struct {
	Name  string
	Print func(io.Writer, []Entry, Options) error
	// Prose is set if people read it. They may want a summary below.
	Prose bool
	// Statistics prints counts instead of findings; nil if the format has no place for them.
	Statistics func(io.Writer, []Entry, Options) error
}

// Formats are all formats, the default first.
var Formats = []Format{
	{Name: "full", Print: full, Prose: true, Statistics: statisticsText},
	{Name: "concise", Print: concise, Prose: true, Statistics: statisticsText},
	{Name: "grouped", Print: grouped, Prose: true, Statistics: statisticsText},
	{Name: "json", Print: json, Statistics: statisticsJSON},
	{Name: "json-lines", Print: jsonLines},
	{Name: "github", Print: github},
	{Name: "gitlab", Print: gitlab},
	{Name: "sarif", Print: sarif},
	{Name: "rdjson", Print: rdjson},
	{Name: "junit", Print: junit},
	{Name: "pylint", Print: pylint},
	{Name: "azure", Print: azure},
}

// Names returns the names of the formats.
func Names() []string {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// best returns the fix that changes the least about what a program does, the preferred one of
// several, or nil.
func best(f rule.Finding) *rule.Fix {
	var b *rule.Fix
	for i := range f.Fixes {
		if b == nil || f.Fixes[i].Applicability > b.Applicability {
			b = &f.Fixes[i]
		}
	}
	return b
}

// header starts the line of a finding in the form that editors jump to: its place, its code, and
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
