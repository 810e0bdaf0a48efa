package report

import (
	"os"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"

	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// TestSARIFIsValid holds what is printed against the schema of SARIF 2.1.0, less its descriptions:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json
func TestSARIFIsValid(t *testing.T) {
	text, err := os.ReadFile("testdata/sarif-2.1.0.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	book, err := notebook.Join("n b.ipynb", []notebook.Cell{{Name: "n b.ipynb", Number: 3, Text: "model.fit(x)"}})
	if err != nil {
		t.Fatal(err)
	}
	file, other := source.New("src/ä%b.py", "x = 1\ny = 2\n"), source.New("/elsewhere/o.py", "z\n")
	span := source.Span{Start: 0, End: 3}
	edit := []source.Edit{{Span: span, New: "\x00é\u2028"}}
	fixes := []rule.Fix{
		{Message: "Do it", Applicability: rule.Safe, Edits: edit},
		{Message: "Look", Applicability: rule.Display, Edits: edit},
		{Message: "Nothing", Applicability: rule.Unsafe},
	}
	for name, entries := range map[string][]Entry{
		"none": nil,
		"all": {
			{Source: file, Findings: []rule.Finding{
				{Rule: testRule, Severity: rule.Error, Span: span, Message: "Wrong.", Fixes: fixes, Related: []rule.Related{{Span: span, Message: "here"}, {Source: other, Message: "there"}}},
				{Rule: testRule, Severity: rule.Hint, Message: "Wrong \x1b in all."},
			}},
			{Source: book, Findings: []rule.Finding{{Rule: testRule, Severity: rule.Information, Span: span, Message: "Wrong.", Fixes: fixes}}},
		},
	} {
		var b strings.Builder
		if err := sarif(&b, entries, Options{Version: "1.2.3", Notes: []Note{{"1 training is not priced (a.py:1: x)."}}}); err != nil {
			t.Fatal(err)
		}
		result, err := schema.Validate(gojsonschema.NewStringLoader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		for _, wrong := range result.Errors() {
			t.Errorf("%s: %v\n%s", name, wrong, b.String())
		}
		if name == "all" {
			for _, uri := range []string{`"src/%C3%A4%25b.py"`, `"file:///elsewhere/o.py"`, `"n%20b.ipynb"`} {
				if !strings.Contains(b.String(), uri) {
					t.Errorf("no file has the URI %s:\n%s", uri, b.String())
				}
			}
		}
	}
}
