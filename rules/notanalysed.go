package rules

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// NotAnalysed is TFM002. It has no examples that are files: what it reports is
// that a file was not read.
var NotAnalysed = &rule.Rule{
	Code: "TFM002", Name: "not-analysed", Severity: rule.Information,
	Summary: "A file, or a part of it, was left out of the analysis.",
	What: `
Says so, and why, where a file that concerns TensorFlow was not analysed, as it is
larger than 5 MB, takes too long to parse or is nested more deeply than Python itself
compiles, where it imports or calls more code than is followed to know the order of
what runs, or where its models are not all known. To know them, tfmem follows the
program that makes them, for a bounded number of steps: a program that takes more, or
makes more models than are priced of one program, is given up at the statement that the
finding stands on.

It is reported whatever rules are selected, unless it is ignored.`,
	Why: `
A report without findings reads as "nothing is wrong". Where nothing was looked
at, that would not be true.`,
	Always: true,
	Check: func(p *rule.Pass) {
		if why := p.File.Unread; why != "" {
			p.Report(rule.Finding{Span: source.Span{}, Message: "This file was not analysed: " + why + "."})
			return
		}
		if cut := p.File.FlowCut(); cut != nil {
			p.Report(rule.Finding{Span: firstLine(cut.Node), Message: "What this imports or calls is not checked in order, as the program is too long to follow."})
		}
		if cut := p.File.Cut(); cut != nil {
			p.Report(rule.Finding{Span: firstLine(cut.Node), Message: "Models that are made after this are not checked, as " + cut.Why + "."})
		}
	},
}

// firstLine is where a statement stands, up to the end of its first line; the beginning of
// the file where there is no statement.
func firstLine(n syntax.Node) source.Span {
	if !n.Valid() {
		return source.Span{}
	}
	line, _, _ := strings.Cut(n.Text(), "\n")
	return source.Span{Start: n.Start(), End: n.Start() + len(strings.TrimRight(line, "\r"))}
}
