package report

import (
	"io"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// The contract of the Reviewdog Diagnostic Format:
// https://github.com/reviewdog/reviewdog/blob/master/proto/rdf/reviewdog.proto
type (
	rdResult struct {
		Source      rdSource       `json:"source"`
		Diagnostics []rdDiagnostic `json:"diagnostics"`
	}
	rdSource struct {
		Name string `json:"name"`
	}
	rdDiagnostic struct {
		Message     string         `json:"message"`
		Location    rdLocation     `json:"location"`
		Severity    string         `json:"severity"`
		Code        rdCode         `json:"code"`
		Suggestions []rdSuggestion `json:"suggestions,omitempty"`
		Related     []rdRelated    `json:"relatedLocations,omitempty"`
	}
	rdCode struct {
		Value string `json:"value"`
		URL   string `json:"url,omitempty"`
	}
	rdLocation struct {
		Path  string  `json:"path"`
		Range rdRange `json:"range"`
	}
	rdRange struct {
		Start rdPosition `json:"start"`
		End   rdPosition `json:"end"`
	}
	// A rdPosition counts from 1, its column in bytes of UTF-8.
	rdPosition struct {
		Line   int `json:"line"`
		Column int `json:"column"`
	}
	rdSuggestion struct {
		Range rdRange `json:"range"`
		Text  string  `json:"text"`
	}
	rdRelated struct {
		Message  string     `json:"message"`
		Location rdLocation `json:"location"`
	}
)

// rdjson prints what reviewdog comments on in a pull request. A suggestion is applied by a click
// there, and has no words: only a safe fix of the same file is one.
func rdjson(w io.Writer, entries []Entry, o Options) error {
	out := rdResult{rdSource{"tfmem"}, []rdDiagnostic{}}
	for _, e := range entries {
		for _, f := range e.Findings {
			d := rdDiagnostic{
				Message:  flatten(e.Source, f).message,
				Location: o.rdLocation(e.Source, f.Span),
				Severity: [...]string{rule.Hint: "INFO", rule.Information: "INFO", rule.Warning: "WARNING", rule.Error: "ERROR"}[f.Severity],
				Code:     rdCode{f.Rule.Code, f.Rule.URL(e.Docs)},
			}
			if fix := best(f); fix != nil && fix.Applicability == rule.Safe && fix.Elsewhere.Source == nil {
				d.Suggestions = suggestion(e.Source, *fix)
			}
			for _, r := range f.Related {
				d.Related = append(d.Related, rdRelated{source.Printable(r.Message), o.rdLocation(of(r, e.Source), r.Span)})
			}
			out.Diagnostics = append(out.Diagnostics, d)
		}
	}
	return WriteJSON(w, out)
}

// suggestion returns a fix as one suggestion: several would each be applied alone. A notebook has
// none, because its lines are those of its JSON.
func suggestion(s *source.Source, fix rule.Fix) []rdSuggestion {
	edits := make([]source.Edit, 0, len(fix.Edits))
	for _, e := range fix.Edits {
		at := s.Place(e.Span)
		if s.Segments()[at.Segment].Cell > 0 {
			return nil
		}
		edits = append(edits, source.Edit{Span: at.Span, New: e.New})
	}
	if len(edits) == 0 {
		return nil
	}
	whole := edits[0].Span
	for _, e := range edits {
		whole.Start, whole.End = min(whole.Start, e.Span.Start), max(whole.End, e.Span.End)
	}
	for i := range edits {
		edits[i].Span.Start -= whole.Start
		edits[i].Span.End -= whole.Start
	}
	text, err := source.Apply(s.Segments()[0].Raw[whole.Start:whole.End], edits)
	if err != nil {
		return nil
	}
	return []rdSuggestion{{rdRangeOf(&s.Segments()[0], whole), text}}
}

func (o Options) rdLocation(s *source.Source, span source.Span) rdLocation {
	at := s.Place(span)
	segment := &s.Segments()[at.Segment]
	out := rdLocation{Path: o.shown(s.Path), Range: rdRangeOf(segment, at.Span)}
	if segment.Cell > 0 {
		out.Range = rdRange{rdPosition{1, 1}, rdPosition{1, 1}}
	}
	return out
}

func rdRangeOf(segment *source.Segment, span source.Span) rdRange {
	at := func(offset int) rdPosition {
		p := segment.Lines().Position(offset, source.UTF8)
		return rdPosition{p.Line + 1, p.Column + 1}
	}
	return rdRange{at(span.Start), at(span.End)}
}
