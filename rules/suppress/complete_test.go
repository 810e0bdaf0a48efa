package suppress

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
)

// TestSlotAt checks what may be typed at a "|" of a program, and what it replaces.
func TestSlotAt(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x = 1  # tfmem:|", `word "" after " "`},
		{"x = 1  # tfmem: |", `word ""`},
		{"x = 1  # tfmem: ig|", `word "ig"`},
		{"x = 1  # tfmem: ig|nore", `word "ignore"`},
		{"x = 1  # tf|", `word "tf" after "tfmem: "`},
		{"x = 1  # tfmem|", `word "tfmem" after "tfmem: "`},
		{"x = 1  # tf|mem: ignore", ""},
		{"x = 1  # t|", ""},
		{"x = 1  # tensorflow|", ""},
		{"x = 1  # tfmem: ignore[|", `code ""`},
		{"x = 1  # tfmem: ignore[|]", `code ""`},
		{"x = 1  # tfmem: ignore-file[tfm101, T|FM102]", `code "TFM102" beside [TFM101]`},
		{"x = 1  # tfmem: ignore[TFM101,|", `code "" beside [TFM101]`},
		{"x = 1  # tfmem: ignore[TFM101]|", ""},
		{"x = 1  # tfmem: ignore |", ""},
		{"x = 1  # noqa:|", `code "" after " "`},
		{"x = 1  # noqa: |", `code ""`},
		{"x = 1  # NOQA: E501, TFM|", `code "TFM" beside [E501]`},
		{"x = 1  # noqa: E501 and |", ""},
		{"x = 1  # noqa|", ""},
		{"x = '# tfmem: |'", ""},
		{"x = 1  # why # tfmem: |", `word ""`},
		{"x = '''\n# tfmem: |\n'''", ""},
		{"|", ""},
	} {
		text := "import tensorflow\n" + c.text + "\n"
		at := strings.IndexByte(text, '|')
		text = text[:at] + text[at+1:]
		s, ok := SlotAt(analyzer.Analyze(source.New("a.py", text), analyzer.Config{}), at)
		got := ""
		if ok {
			what := "code"
			if s.Word {
				what = "word"
			}
			got = fmt.Sprintf("%s %q", what, text[s.Span.Start:s.Span.End])
			if s.Lead != "" {
				got += fmt.Sprintf(" after %q", s.Lead)
			}
			if s.Listed != nil {
				got += fmt.Sprintf(" beside %v", s.Listed)
			}
		}
		if got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
	if _, ok := SlotAt(analyzer.Analyze(source.New("a.py", "# tfmem: "), analyzer.Config{}), 9); ok {
		t.Error("there is a slot in a file that is not analysed")
	}
}
