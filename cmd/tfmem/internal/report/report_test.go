package report

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

var testRule = &rule.Rule{Code: "TFM999", Name: "test-rule", Severity: rule.Warning}

func printed(t *testing.T, format string, e Entry, p Palette) string {
	t.Helper()
	var b strings.Builder
	for _, f := range Formats {
		if f.Name == format {
			if err := f.Print(&b, []Entry{e}, Options{Palette: p}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.String()
}

// spanOf is the span of the part of text between « and », and text without them.
func spanOf(text string) (string, source.Span) {
	before, rest, _ := strings.Cut(text, "«")
	marked, after, _ := strings.Cut(rest, "»")
	return before + marked + after, source.Span{Start: len(before), End: len(before) + len(marked)}
}

func TestLay(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for marked, want := range map[string]string{
		"a = «b»":               "a = b|    ^",
		"«»":                    "|^",
		"ab«»":                  "ab|  ^",
		"\tif\t«x»:":            "    if  x:|        ^",
		"東京 = «東»京":             "東京 = 東京|       ^^",
		"e\u0301 = «e\u0301»x":  "e\u0301 = e\u0301x|    ^",
		"«👩\u200d👩\u200d👧» = 1": "👩\u200d👩\u200d👧 = 1|^^",
		"\x1b[31m«x»\x00":       `\x1b[31mx\x00|        ^`,
		"\xff«\xfe»":            `\xff\xfe|    ^^^^`,
		"\ufeff«import» a":      "import a|^^^^^^",
		"«a\u202eb»":            `a\u202eb|^^^^^^^^`,
		"«x»" + long:            "x" + strings.Repeat("x", maxColumns-1) + "…|^",
		long + "«y»" + long:     "…" + strings.Repeat("x", lead) + "y" + strings.Repeat("x", maxColumns-lead-1) + "…|" + strings.Repeat(" ", lead+1) + "^",
		long + "«y»":            "…" + strings.Repeat("x", lead) + "y|" + strings.Repeat(" ", lead+1) + "^",
		"«" + long + "»":        strings.Repeat("x", maxColumns) + "…|" + strings.Repeat("^", maxColumns),
	} {
		line, span := spanOf(marked)
		l := lay(line, span.Start, span.End)
		got := l.text + "|" + strings.Repeat(" ", l.from) + strings.Repeat("^", max(1, l.to-l.from))
		if got != want {
			t.Errorf("%.40q is laid out as\n%q, want\n%q", marked, got, want)
		}
	}
}

func TestStretchOfSeveralLines(t *testing.T) {
	text, span := spanOf("a = 1\n\nfor «x in y:\n    f(x)»\n\nb = 2\n")
	got := printed(t, "full", Entry{Source: source.New("a.py", text), Findings: []rule.Finding{{Rule: testRule, Severity: rule.Error, Span: span, Message: "Wrong."}}}, Palette{})
	want := `a.py:3:5: TFM999 Wrong.
  |
1 |   a = 1
2 |
3 | / for x in y:
4 | |     f(x)
  | |________^
5 |
6 |   b = 2
  |
error: test-rule, see tfmem rule TFM999` + "\n\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}

	text, span = spanOf("«" + strings.Repeat("f()\n", 20) + "»")
	got = printed(t, "full", Entry{Source: source.New("a.py", text), Findings: []rule.Finding{{Rule: testRule, Span: span, Message: "Wrong."}}}, Palette{})
	want = `a.py:1:1: TFM999 Wrong.
   |
 1 | / f()
 2 | | f()
 3 | | f()
 4 | | f()
...
17 | | f()
18 | | f()
19 | | f()
20 | | f()
   | |___^
   |
hint: test-rule, see tfmem rule TFM999` + "\n\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A long fix is cut, and says so; one of several is shown in full.
func TestFixes(t *testing.T) {
	text := "a\nb\nc\nd\ne\n"
	f := rule.Finding{Rule: testRule, Severity: rule.Warning, Span: source.Span{Start: 2, End: 3}, Message: "Wrong.", Fixes: []rule.Fix{
		{Message: "Repeat it", Applicability: rule.Unsafe, Edits: []source.Edit{
			{Span: source.Span{Start: 2, End: 3}, New: strings.Repeat("x\n", 30) + "b"},
			{Span: source.Span{Start: 8, End: 10}},
		}},
		{Message: "Think about it", Applicability: rule.Display},
	}}
	got := printed(t, "full", Entry{Source: source.New("a.py", text), Findings: []rule.Finding{f}}, Palette{})
	var want strings.Builder
	want.WriteString(`a.py:2:1: TFM999 [unsafe fix] Wrong.
  |
1 | a
2 | b
  | ^
3 | c
4 | d
  |
help: Repeat it (unsafe: it may change what the program computes)
   |
 1 | a
`)
	for row := 2; row <= maxFixRows; row++ {
		fmt.Fprintf(&want, "%2d + x\n", row)
	}
	want.WriteString("... and 8 changed lines more; --diff shows all\n   |\nor: Think about it\nwarning: test-rule, see tfmem rule TFM999" + "\n\n")
	if d := cmp.Diff(want.String(), got); d != "" {
		t.Error(d)
	}
}

// The rows that a fix is shown in stand, by their numbers, in the mended text.
func TestFixRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	row := regexp.MustCompile(`(?m)^ *(\d+) [+|](?: (.*))?$`)
	for range 2000 {
		text := strings.Repeat("\n", r.IntN(9))
		for range 1 + r.IntN(9) {
			text += []string{"a", "b", "c", ""}[r.IntN(4)] + "\n"
		}
		text += []string{"", "e"}[r.IntN(2)]
		at, size := r.IntN(len(text)), r.IntN(9)
		edit := source.Edit{Span: source.Span{Start: at, End: min(at+size, len(text))}, New: strings.Repeat("x\n", r.IntN(3)) + "y"}
		mended, err := source.Apply(text, []source.Edit{edit})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		printFix(&b, source.New("a.py", text), rule.Fix{Edits: []source.Edit{edit}}, Palette{})
		lines, shown := strings.Split(mended, "\n"), row.FindAllStringSubmatch(b.String(), -1)
		if shown == nil {
			t.Fatalf("%v of %q is not shown", edit, text)
		}
		for _, m := range shown {
			if n, _ := strconv.Atoi(m[1]); n > len(lines) || lines[n-1] != m[2] {
				t.Fatalf("%q is no line %d of %q:\n%s", m[2], n, mended, b.String())
			}
		}
	}
}

// In a notebook rows count from the start of the cell.
func TestCells(t *testing.T) {
	one, two := "import a\n", "x = 1\nf(x)"
	s, err := source.Join("n.ipynb", one+two, []source.Segment{{Name: "c1", Cell: 2, Raw: one}, {Name: "c2", Cell: 5, Raw: two}},
		[]source.Span{{Start: 0, End: len(one)}, {Start: len(one), End: len(one + two)}})
	if err != nil {
		t.Fatal(err)
	}
	at := len(one) + len("x = 1\n")
	e := Entry{Source: s, Findings: []rule.Finding{{Rule: testRule, Severity: rule.Warning, Span: source.Span{Start: at, End: at + 4}, Message: "Wrong.", Fixes: []rule.Fix{
		{Message: "Mend", Applicability: rule.Safe, Edits: []source.Edit{{New: "import b\n"}, {Span: source.Span{Start: at, End: at + 1}, New: "g"}}},
	}}}}
	want := `n.ipynb:cell 5:2:1: TFM999 [safe fix] Wrong.
  |
1 | x = 1
2 | f(x)
  | ^^^^
  |
help: Mend
cell 2:
  |
1 + import b
2 | import a
  |
cell 5:
  |
1 | x = 1
  - f(x)
2 + g(x)
  |
warning: test-rule, see tfmem rule TFM999` + "\n\n"
	if d := cmp.Diff(want, printed(t, "full", e, Palette{})); d != "" {
		t.Error(d)
	}
	if got := printed(t, "concise", e, Palette{}); got != "n.ipynb:cell 5:2:1: TFM999 warning: [safe fix] Wrong.\n" {
		t.Errorf("concise is %q", got)
	}
	json := printed(t, "json", e, Palette{})
	for _, part := range []string{`"filename": "n.ipynb"`, `"cell": 5`, `"row": 2`, `"cell": 2`} {
		if !strings.Contains(json, part) {
			t.Errorf("%s is missing from %s", part, json)
		}
	}
}

// Whatever the text and the places, there is a report, and nothing in it but
// its own colours controls a terminal.
func TestAnyText(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	bits := []string{"a", "\t", "\n", "\r\n", "\r", "é", "東", "👩\u200d👧", "\u0301", "\xff", "\xf0\x9f", "\x1b[2J", "\x00", "\u202e", "\u009b", strings.Repeat("long ", 100)}
	for range 2000 {
		var b strings.Builder
		for range r.IntN(20) {
			b.WriteString(bits[r.IntN(len(bits))])
		}
		text := b.String()
		span := func() source.Span {
			start := r.IntN(len(text) + 1)
			return source.Span{Start: start, End: start + r.IntN(len(text)-start+1)}
		}
		e := Entry{Source: source.New("a\x1b.py", text), Findings: []rule.Finding{{
			Rule: testRule, Span: span(), Message: text, Related: []rule.Related{{Span: span(), Message: text}},
			Fixes: []rule.Fix{{Message: text, Edits: []source.Edit{{Span: span(), New: text}}}},
		}}}
		for _, f := range Names() {
			got := printed(t, f, e, Palette{})
			if i := strings.IndexFunc(got, func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e }); i >= 0 {
				t.Fatalf("%q is reported as %q, with a control character at %d", text, got, i)
			}
		}
		printed(t, "full", e, Palette{Colour: true})
	}
}
