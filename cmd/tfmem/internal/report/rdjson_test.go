package report

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/reviewdog/reviewdog/proto/rdf"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// TestRdjson reads what is printed as reviewdog does, which refuses names that it does not know.
func TestRdjson(t *testing.T) {
	book, err := notebook.Join("n.ipynb", []notebook.Cell{{Name: "n.ipynb", Number: 3, Text: "model.fit(x)"}})
	if err != nil {
		t.Fatal(err)
	}
	file, other := source.New("a.py", "é = f(1)\nx = 1\ny = 2\n"), source.New("o.py", "z\n")
	span := source.Span{Start: 5, End: 6} // the f behind a letter of two bytes
	edits := []source.Edit{{Span: source.Span{Start: 0, End: 0}, New: "import g\n"}, {Span: span, New: "g"}}
	finding := func(fixes ...rule.Fix) rule.Finding {
		return rule.Finding{Rule: testRule, Severity: rule.Warning, Span: span, Message: "Wrong.", Fixes: fixes}
	}
	related := finding()
	related.Related = []rule.Related{{Source: other, Span: source.Span{Start: 0, End: 1}, Message: "there"}}
	for name, c := range map[string]struct {
		of      *source.Source
		finding rule.Finding
		want    string
	}{
		"safe":      {file, finding(rule.Fix{Applicability: rule.Safe, Edits: edits}), "a.py 1:6-1:7 WARNING TFM999 | 1:1-1:7 \"import g\\né = g\""},
		"unsafe":    {file, finding(rule.Fix{Applicability: rule.Unsafe, Edits: edits}), "a.py 1:6-1:7 WARNING TFM999"},
		"display":   {file, finding(rule.Fix{Applicability: rule.Display, Edits: edits}), "a.py 1:6-1:7 WARNING TFM999"},
		"elsewhere": {file, finding(rule.Fix{Applicability: rule.Safe, Elsewhere: rule.Elsewhere{Source: other, Span: source.Span{End: 1}, Number: 8}}), "a.py 1:6-1:7 WARNING TFM999"},
		"related":   {file, related, "a.py 1:6-1:7 WARNING TFM999 (o.py 1:1-1:2 there)"},
		"notebook":  {book, finding(rule.Fix{Applicability: rule.Safe, Edits: edits}), "n.ipynb 1:1-1:1 WARNING TFM999"},
	} {
		var b strings.Builder
		if err := rdjson(&b, []Entry{{Source: c.of, Findings: []rule.Finding{c.finding}}}, Options{}); err != nil {
			t.Fatal(err)
		}
		var result rdf.DiagnosticResult
		if err := protojson.Unmarshal([]byte(b.String()), &result); err != nil {
			t.Errorf("%s: %v\n%s", name, err, b.String())
			continue
		}
		if diff := cmp.Diff(c.want, reviewed(&result)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	var b strings.Builder
	if err := rdjson(&b, nil, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := protojson.Unmarshal([]byte(b.String()), &rdf.DiagnosticResult{}); err != nil {
		t.Error(err)
	}
}

// reviewed is what reviewdog read, a finding a line.
func reviewed(result *rdf.DiagnosticResult) string {
	var lines []string
	for _, d := range result.Diagnostics {
		line := rdPlace(d.Location) + " " + d.Severity.String() + " " + d.Code.Value
		for _, s := range d.Suggestions {
			line += " | " + rdSpan(s.Range) + " " + strconv.Quote(s.Text)
		}
		for _, r := range d.RelatedLocations {
			line += " (" + rdPlace(r.Location) + " " + r.Message + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func rdPlace(l *rdf.Location) string { return l.Path + " " + rdSpan(l.Range) }

func rdSpan(r *rdf.Range) string {
	return fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
}
