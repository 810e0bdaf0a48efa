package hints

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestRead checks what is said in a text, and what is wrong with it.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"columns=30":                   "columns=30",
		" columns = 30 , rows=1_000 ":  "columns=30 rows=1000",
		"shape=(None, 30)":             "shape=(None, 30)",
		"shape=[8, 4,]":                "shape=(8, 4)",
		"shape=()":                     `wrong: "" is no dimension; a shape is such as (None, 30)`,
		"shape=(None":                  "wrong: a shape is such as (None, 30)",
		"shape=(-1, 3)":                `wrong: "-1" is no dimension; a shape is such as (None, 30)`,
		"value=0.5":                    "value=0.5",
		`value="a, b"`:                 `value="a, b"`,
		"value=True":                   "value=True",
		"value=inf":                    "wrong: a value is a number, a text between quotes, True or False",
		"value=":                       "wrong: a value is a number, a text between quotes, True or False",
		"columns=?":                    "wrong: columns is a number, such as columns=30",
		"columns=0":                    "wrong: columns is a number, such as columns=30",
		"columns=99999999999999999999": "wrong: columns is a number, such as columns=30",
		"n=5, x.shape=(None, 4)":       "n=5 x.shape=(None, 4)",
		"x.size=3":                     "wrong: size of x cannot be said; " + forms,
		"columns":                      "wrong: " + forms,
	} {
		var got []string
		found, wrong := Read(text)
		for _, h := range found {
			got = append(got, h.String())
		}
		for _, m := range wrong {
			got = append(got, "wrong: "+m.Why)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
}

// TestComments checks which comments are hints, and for which statements they count.
func TestComments(t *testing.T) {
	const text = `a = f()  # tfmem: value=1
b = f(
    2,
)  # noqa # tfmem: columns=2, rows=?
c = "# tfmem: value=3"
# tfmem: it is = prose
# tfmem: ignore[TFM101]
`
	tree := syntax.Parse(text)
	c := Of(tree)
	var got []string
	for s := range tree.Statements() {
		if s.Kind() == syntax.Comment {
			continue
		}
		for _, h := range c.On(s) {
			got = append(got, fmt.Sprintf("%s at %q", h, text[h.Span.Start:h.Span.End]))
		}
	}
	for _, m := range c.Wrong {
		got = append(got, fmt.Sprintf("%q is wrong", text[m.Span.Start:m.Span.End]))
	}
	want := `value=1 at "value=1"; columns=2 at "columns=2"; "rows=?" is wrong`
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("shape=(None, 3), x.rows=2, value='a'")
	f.Fuzz(func(t *testing.T, text string) {
		found, wrong := Read(text)
		for _, h := range found {
			if h.Span.Start > h.Span.End || h.Span.End > len(text) || !h.Kind.is() {
				t.Errorf("%q: %v", text, h)
			}
		}
		for _, m := range wrong {
			if m.Span.Start > m.Span.End || m.Span.End > len(text) {
				t.Errorf("%q: %v", text, m)
			}
		}
	})
}
