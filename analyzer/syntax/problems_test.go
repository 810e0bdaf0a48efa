package syntax

import (
	"strings"
	"testing"
)

// TestProblems checks the places and messages; what is newer than the grammar, and has none, is a
// case of TFM003.
func TestProblems(t *testing.T) {
	for marked, want := range map[string]string{
		"x = f«(»1, 2\n":                     `"(" is never closed`,
		"x = f(1«]»\n":                       `"]" does not close "("`,
		"x = 1«)»\n":                         `")" closes nothing`,
		"# it's (\nx = [\"(\", '''\n['''«)»": `")" does not close "["`,
		"x = «'»a\ny = 2\n":                  "This string is not closed",
		"x = = 1\ny = 2\n":                   "This is not valid Python",
		"x = f'{a[\"b\"]!r:>{w['x']}}'\n":    "",
		"print 'x'\n":                        "",
		"import os «import sys\n":            "This is not valid Python",
		"x = 1 «import os\ny\n":              "This is not valid Python",
		"import os; import sys # both\n":     "",
		"if x: pass\nimport os\n":            "",
	} {
		text := strings.NewReplacer("«", "", "»", "").Replace(marked)
		problems := Parse(text).Problems()
		if want == "" {
			if len(problems) > 0 {
				t.Errorf("%q has problems %v", text, problems)
			}
			continue
		}
		if len(problems) != 1 || problems[0].Message != want {
			t.Errorf("%q has problems %v, want one: %s", text, problems, want)
		} else if at := strings.Index(marked, "«"); at >= 0 && problems[0].Start != at {
			t.Errorf("%q: %s at %d, want %d", text, want, problems[0].Start, at)
		}
	}
}

// FuzzProblems checks that every text that does not parse has problems within it.
func FuzzProblems(f *testing.F) {
	f.Add("def f[T = (")
	f.Add("except* a, b: t'(.\n x'")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range Parse(text).Problems() {
			if p.Start < 0 || p.Start > p.End || p.End > len(text) || p.Message == "" {
				t.Fatalf("%q has the problem %v", text, p)
			}
		}
	})
}

// TestManyProblems ends soon only if the cost is linear in the length of the text.
func TestManyProblems(t *testing.T) {
	for _, text := range []string{"x = = 1\ny = 1\n", "(a.\n", "def f[", "except a, ", "'", "x = (\ny = 1\n"} {
		Parse(strings.Repeat(text, 20_000)).Problems()
	}
}
