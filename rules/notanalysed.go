package rules

import (
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// NotAnalysed is TFM002. It has no examples that are files: what it reports is
// that a file was not read.
var NotAnalysed = &rule.Rule{
	Code: "TFM002", Name: "not-analysed", Severity: rule.Information,
	Summary: "A file was left out of the analysis.",
	What: `
Says so, and why, where a file that concerns TensorFlow was not analysed: it is
larger than 5 MB.`,
	Why: `
A report without findings reads as "nothing is wrong". Where nothing was looked
at, that would not be true.`,
	Check: func(p *rule.Pass) {
		if why := p.File.Unread; why != "" {
			p.Report(rule.Finding{Span: source.Span{}, Message: "This file was not analysed: " + why + "."})
		}
	},
}
