package rules

import (
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// InvalidSyntax is TFM003.
var InvalidSyntax = &rule.Rule{
	Code: "TFM003", Name: "invalid-syntax", Severity: rule.Error,
	Summary: "A part of the file is not valid Python.",
	What: `
Reports where a file, or a cell of a notebook, cannot be parsed, once for each
stretch of broken statements. The statements that can be parsed are checked as
usual; rules are silent about the others. In an editor, what the last version
that could be parsed said stays meanwhile, and what is new of this rule is shown
once typing pauses.

The rule runs whatever rules are selected, unless it is ignored.`,
	Why: `
Python raises SyntaxError before the first statement runs. And a report without
findings would read as "nothing is wrong", though a part of the code was never
looked at.`,
	Bad: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)
`,
	Good: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
`,
	Limitations: `
Python 2's print and except statements, wrong indentation, and what Python
rejects only after parsing (a "return" outside of a function) are not reported.
Files that mention neither TensorFlow nor Keras are not parsed.`,
	References: []rule.Reference{
		{Title: "Python: the full grammar", URL: "https://docs.python.org/3/reference/grammar.html"},
	},
	Always: true,
	Unrun:  true,
	Syntax: true,
	Check: func(p *rule.Pass) {
		report := func(span source.Span, problem string) {
			p.Report(rule.Finding{Span: span, Message: problem + ": Python raises SyntaxError. What cannot be parsed is not checked."})
		}
		for i := range p.File.Source.Segments() {
			if g := &p.File.Source.Segments()[i]; g.Unclosed {
				report(g.Span(), "A bracket or string in this cell is never closed")
			}
		}
		problems := p.File.Tree.Problems()
		if segments := p.File.Source.Segments(); len(problems) > 0 && segments[0].Cell > 0 {
			problems = problemsByCell(p.File.Source)
		}
		for _, problem := range problems {
			report(source.Span{Start: problem.Start, End: problem.End}, problem.Message)
		}
	},
}

// problemsByCell returns the problems of a notebook's cells, each of which Python compiles by
// itself: what is broken in one may spoil the next in their joined text.
func problemsByCell(s *source.Source) (all []syntax.Problem) {
	for i := range s.Segments() {
		span := s.Segments()[i].Span()
		tree := syntax.Parse(s.Slice(span))
		for _, problem := range tree.Problems() {
			problem.Start, problem.End = problem.Start+span.Start, problem.End+span.Start
			all = append(all, problem)
		}
	}
	return all
}
