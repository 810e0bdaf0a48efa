package report

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// TestFingerprintsStay checks that findings keep their fingerprints when code around them changes,
// and that no two of them share one.
func TestFingerprintsStay(t *testing.T) {
	prints := func(text string) string {
		e := Entry{Source: source.New("a.py", text)}
		for at := 0; ; at++ {
			i := strings.Index(text[at:], "fit")
			if i < 0 {
				break
			}
			at += i
			e.Findings = append(e.Findings, rule.Finding{Rule: testRule, Span: source.Span{Start: at, End: at + 3}})
		}
		e.Findings = append(e.Findings, rule.Finding{Rule: testRule})
		prints, seen := Fingerprinter{}, map[string]bool{}
		var all []string
		for _, f := range e.Findings {
			one := prints.Of("a.py", e, f)
			if seen[one] {
				t.Errorf("%q: two findings share a fingerprint", text)
			}
			seen[one] = true
			all = append(all, one)
		}
		return strings.Join(all, " ")
	}
	before := prints("m.fit(x)\nm.fit(x)\nm.fit(y)\n")
	if after := prints("# new\r\nif a:\r\n    m.fit(x)\r\nelse:\r\n\tm.fit(x)\r\n\r\nm.fit(y)"); after != before {
		t.Error("fingerprints change when lines move")
	}
	if after := prints("m.fit(x)\nm.fit(x)\nm.fit(z)\n"); after == before {
		t.Error("fingerprints stay when the line changes")
	}
}
