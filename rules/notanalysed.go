package rules

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/account"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/rule"
)

// unfinished returns the finding that a rule was not run to its end.
func unfinished(file *analyzer.File, r *rule.Rule, spent *account.Spent, failed *rule.Failure) rule.Finding {
	f := rule.Finding{Rule: NotAnalysed, Severity: NotAnalysed.Severity, Bug: failed}
	if failed != nil {
		f.Message = fmt.Sprintf("%s failed on this file. This is a bug of tfmem (%v); the other rules are not affected. Please report it.", r.Code, failed.Value)
		return f
	}
	f.Message = fmt.Sprintf("%s gave up on this file. The values that it follows lead through too many others", r.Code)
	switch at := spent.From; {
	case at.Valid() && at.Tree() == file.Tree:
		f.Span = rule.FirstLine(at)
		f.Message += ", from here on."
	case at.Valid() && file.SourceOf(at) != nil:
		s := file.SourceOf(at)
		f.Message += fmt.Sprintf(", from line %d of %s on.", s.Segments()[0].Lines().Line(at.Start())+1, s.Path)
	default:
		f.Message += "."
	}
	return f
}

// NotAnalysed is TFM002. Its examples cannot be files: it reports that a file was not read.
var NotAnalysed = &rule.Rule{
	Code: "TFM002", Name: "not-analysed", Severity: rule.Information,
	Summary: "A file, or a part of it, was left out of the analysis.",
	What: `
Reports that a file, or a part of it, was not analysed, and why. A file is left
out when it is larger than 5 MB, takes too long to parse, or is nested more
deeply than Python itself compiles. A part is left out when the file imports or
calls more code than tfmem follows, or when its models are not all known: tfmem
interprets the program that builds them for a bounded number of steps, and
stops at the statement that the finding stands on. Models that only
Keras 1 can run are left out; Keras 2 replaced it in 2017. A training is left out when
tfmem itself has a bug that ends its price. A single rule gives up where the
values that it follows lead through too many others. A file on
which tfmem itself has crashed twice, or run out of memory, is left out until it
changes, or until you run ` + "`tfmem clean`" + `.

The rule runs whatever rules are selected, unless it is ignored.`,
	Why: `
A report without findings reads as "nothing is wrong". For code that was never
looked at, that is not true.`,
	Limitations: `
The limits are fixed; no setting raises them. A call that tfmem cannot follow
because its target is unknown is not reported: only a limit that was reached
is.`,
	References: []rule.Reference{
		{Title: "tfmem: what the analysis does, and where it stops", URL: "https://github.com/tfmem/tfmem/blob/main/analyzer/README.md"},
	},
	Always: true,
	Unrun:  true,
	Check: func(p *rule.Pass) {
		if why := p.File.Unread; why != "" {
			p.Report(rule.Finding{Span: source.Span{}, Message: "This file was not analysed: " + why + "."})
			return
		}
		if old := p.File.Releases().OnlyKeras1(); old.Found() && p.Here(old.At) {
			why := strings.ToUpper(old.Why[:1]) + old.Why[1:]
			p.Report(rule.Finding{Span: rule.Span(old.At), Message: "No current Keras runs this program, so its memory is not checked. " + why + ". Rename its arguments as Keras 2 did."})
		}
		if cut := p.File.FlowCut(); cut != nil {
			p.Report(rule.Finding{Span: rule.FirstLine(cut.Node), Message: "The program is too long to follow in full. What this statement imports or calls is not checked in order of execution."})
		}
		if cut := p.File.Cut(); cut != nil {
			p.Report(rule.Finding{Span: rule.FirstLine(cut.Node), Message: "Models created after this statement are not checked. The reason: " + cut.Why.String() + "."})
		}
		for _, bug := range budget.Bugs(p.File) {
			if p.Here(bug.At) {
				p.Report(rule.Finding{Span: rule.Callee(bug.At), Message: "The memory of this training is not checked. The reason: " + bug.Why.String() + "."})
			}
		}
	},
}
