package source

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"dense_1 (Dense)":             "dense_1 (Dense)",
		"über 学習 🚀":                   "über 学習 🚀",
		"👩\u200d👩\u200d👧":             "👩\u200d👩\u200d👧",
		"می\u200cخواهم":               "می\u200cخواهم",
		"a\u200cb\u200d":              `a\u200cb\u200d`,
		"e\u0301\ufe0f":               "e\u0301\ufe0f",
		"\x1b]8;;http://evil\x07x":    `\x1b]8;;http://evil\x07x`,
		"\x00\x7f\u0085\u009b":        `\x00\x7f\u0085\u009b`,
		"a\u202eb\u2066\u200f\u061cc": `a\u202eb\u2066\u200f\u061cc`,
		"a\u200bb\u00ad\ufeff\u2060":  `a\u200bb\u00ad\ufeff\u2060`,
		"\u3164\u2028\U000e0041":      `\u3164\u2028\U000e0041`,
		"\xff\xc3(\ufffd":             `\xff\xc3(` + "\ufffd",
		"f(\n    x,\r\n\ty)\t ":       "f( x, y) ",
		"a  b":                        "a  b",
		"a\u00a0b\u3000c":             "a\u00a0b\u3000c",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
	if got := PrintableLines("a\n\tb\r\n\x1b[31m\u202ec\xff"); got != "a\n\tb\\x0d\n\\x1b[31m\\u202ec\\xff" {
		t.Errorf("lines are shown as %q", got)
	}
}

// What is long is cut in its middle, between characters and between escapes, and what is
// printable already stays as it is.
func TestPrintableIsCut(t *testing.T) {
	for _, unit := range []string{"x", "学", "\x1b", "\U000e0041", "\xff", "é\n", " \n"} {
		for _, n := range []int{longest - 1, longest, longest + 1, 3000, 100_000} {
			text := "first " + strings.Repeat(unit, n) + " last"
			got := Printable(text)
			if size := utf8.RuneCountInString(got); size > longest || !utf8.ValidString(got) {
				t.Errorf("%d of %q become %d characters", n, unit, size)
			}
			if !strings.HasPrefix(got, "first ") || !strings.HasSuffix(got, " last") {
				t.Errorf("%d of %q lose what is around them: %.20q", n, unit, got)
			}
			cut := strings.Contains(got, "…")
			if whole := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(got, "first "), " last"), "…", ""); strings.TrimSpace(unit) != "" &&
				strings.Trim(strings.ReplaceAll(whole, strings.TrimSpace(Printable(unit)), ""), " ") != "" {
				t.Errorf("%d of %q are cut within one: %q", n, unit, whole)
			}
			if once, twice := got, Printable(got); once != twice {
				t.Errorf("%d of %q: shown twice it is another text", n, unit)
			}
			if unit == "x" && cut != (len(text) > longest) {
				t.Errorf("%d characters: cut is %v", len(text), cut)
			}
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("a\u202e\xff\x1b[2J\n\tb👩\u200d👧")
	f.Fuzz(func(t *testing.T, text string) {
		got := Printable(text)
		if i := strings.IndexFunc(got, func(r rune) bool {
			return r < ' ' || 0x7f <= r && r < 0xa0 || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
		}); i >= 0 || !utf8.ValidString(got) {
			t.Errorf("%q is shown as %q", text, got)
		}
		if again := Printable(got); again != got {
			t.Errorf("%q, then %q", got, again)
		}
	})
}
