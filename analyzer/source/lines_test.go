package source

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var encodings = map[string]Encoding{"UTF-8": UTF8, "UTF-16": UTF16, "UTF-32": UTF32}

// A model is a text taken apart rune by rune, without an index: what Lines must
// agree with.
type model struct {
	starts []int              // the byte where each character starts, and the text's end
	at     map[int]Position   // by byte of a character's start
	ends   []int              // by line: the byte after its last character but its line break
	places map[Position][]int // the bytes that have a position
}

func modelOf(text string, enc Encoding) model {
	m := model{at: map[int]Position{}, places: map[Position][]int{}}
	var p Position
	note := func(i int) {
		m.starts = append(m.starts, i)
		m.at[i] = p
		m.places[p] = append(m.places[p], i)
	}
	for i := 0; i < len(text); {
		note(i)
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case enc == UTF8:
			p.Column += size
		case enc == UTF16 && r > 0xFFFF:
			p.Column += 2
		default:
			p.Column++
		}
		switch {
		case r == '\n' && i > 0 && text[i-1] == '\r':
			m.ends = append(m.ends, i-1)
			p = Position{p.Line + 1, 0}
		case r == '\n', r == '\r' && !strings.HasPrefix(text[i+1:], "\n"):
			m.ends = append(m.ends, i)
			p = Position{p.Line + 1, 0}
		}
		i += size
	}
	note(len(text))
	m.ends = append(m.ends, len(text))
	return m
}

// checkPositions holds the indexes of a text, in full and as those of long texts are,
// against the model.
func checkPositions(t *testing.T, text string) {
	t.Helper()
	checkIndex(t, text, NewLines(text))
	checkIndex(t, text, newLines(text, 4))
}

func checkIndex(t *testing.T, text string, l *Lines) {
	t.Helper()
	for name, enc := range encodings {
		m := modelOf(text, enc)
		if l.Count() != len(m.ends) {
			t.Fatalf("%q has %d lines, want %d", text, l.Count(), len(m.ends))
		}
		for i, start := range m.starts {
			want := m.at[start]
			if got := l.Position(start, enc); got != want {
				t.Fatalf("%s: byte %d of %q stands at %v, want %v", name, start, text, got, want)
			}
			if got := l.Line(start); got != want.Line {
				t.Fatalf("byte %d of %q is on line %d, want %d", start, text, got, want.Line)
			}
			if i > 0 {
				// A byte inside a character stands where the character does.
				for inside := m.starts[i-1] + 1; inside < start; inside++ {
					if got, want := l.Position(inside, enc), m.at[m.starts[i-1]]; got != want {
						t.Fatalf("%s: byte %d, inside a character of %q, stands at %v, want %v", name, inside, text, got, want)
					}
				}
			}
			back, err := l.Offset(want, enc)
			if err != nil {
				t.Fatal(err)
			}
			// The place between "\r" and "\n" is the line's end.
			if end := m.ends[want.Line]; back != min(start, end) {
				t.Fatalf("%s: %v of %q is byte %d, want %d", name, want, text, back, min(start, end))
			}
			// A column inside a character is the character's start.
			if i > 0 && m.at[m.starts[i-1]].Line == want.Line {
				for c := m.at[m.starts[i-1]].Column + 1; c < want.Column; c++ {
					if got, _ := l.Offset(Position{want.Line, c}, enc); got != m.starts[i-1] {
						t.Fatalf("%s: column %d of line %d of %q is byte %d, want %d", name, c, want.Line, text, got, m.starts[i-1])
					}
				}
			}
		}
		for line, end := range m.ends {
			if got := l.Span(line); got.End != end || m.at[got.Start] != (Position{line, 0}) {
				t.Fatalf("line %d of %q is %v, want it to end at %d", line, text, got, end)
			}
			if got, err := l.Offset(Position{line, len(text) + 1}, enc); got != end || err != nil {
				t.Fatalf("%s: a column beyond line %d of %q is byte %d, %v, want %d", name, line, text, got, err, end)
			}
		}
	}
}

// alphabet is what random texts are made of: line breaks of all kinds and their
// halves, characters of one to four bytes, a BOM, and bytes that are no UTF-8.
var alphabet = []string{
	"a", "_", " ", "\t", "\n", "\r", "\r\n", "é", "ß", "学", "\u2028", "\u0085", "\v", "\f", "🚀", "👩‍💻", "e\u0301",
	"\ufeff", "\x00", "\xff", "\xc3", "\xe5\xad", "\xf0\x9f\x9a", "\xed\xa0\x80", "\xc0\x80",
}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

func TestPositions(t *testing.T) {
	for _, text := range []string{
		"", "\n", "\r", "\r\n", "\n\r", "\r\r\n", "\ufeffimport os\r\n", "x = '🚀'\r\ny", "a\rb\nc\r\nd", "\xff\xfe\n\xf0\x9f",
		"no line break", "last\n",
	} {
		checkPositions(t, text)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		checkPositions(t, randomText(r, 20))
	}
}

// TestIndexOfLongText: the index of a text that is too long to be analysed takes little
// beside the text, however short its lines are.
func TestIndexOfLongText(t *testing.T) {
	const lines = longText + 3
	l := NewLines(strings.Repeat("\n", lines))
	if bytes := 8 * cap(l.starts); bytes > lines/16 {
		t.Errorf("the index of %d bytes takes %d", lines, bytes)
	}
	for _, at := range []int{0, 1, everyLong - 1, everyLong, everyLong + 1, lines - 1, lines} {
		if p := l.Position(at, UTF16); p != (Position{at, 0}) {
			t.Errorf("byte %d stands at %v", at, p)
		}
		if back, err := l.Offset(Position{at, 7}, UTF16); back != at || err != nil {
			t.Errorf("line %d ends at byte %d, %v", at, back, err)
		}
	}
}

func FuzzPositions(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		f.Add(randomText(r, 12))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 500 {
			checkPositions(t, text)
		}
	})
}

// TestColumns spells out one line in all encodings, and that a BOM is a
// character of the first line like any other.
func TestColumns(t *testing.T) {
	l := NewLines("\ufeffé🚀x\n")
	for name, want := range map[string][]int{"UTF-8": {0, 3, 5, 9, 10}, "UTF-16": {0, 1, 2, 4, 5}, "UTF-32": {0, 1, 2, 3, 4}} {
		var got []int
		for _, offset := range []int{0, 3, 5, 9, 10} {
			got = append(got, l.Position(offset, encodings[name]).Column)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: columns %v, want %v", name, got, want)
		}
	}
}

func TestOutside(t *testing.T) {
	l := NewLines("ab\ncd")
	for _, p := range []Position{{-1, 0}, {2, 0}, {0, -1}} {
		if got, err := l.Offset(p, UTF16); err == nil {
			t.Errorf("%v is byte %d, want an error", p, got)
		}
	}
	if _, err := l.Offset(Position{7, 0}, UTF16); err == nil || err.Error() != "line 7 is outside the text, which has 2 lines" {
		t.Errorf("a line that does not exist: %v", err)
	}
	for offset, want := range map[int]Position{-5: {0, 0}, 99: {1, 2}} {
		if got := l.Position(offset, UTF8); got != want {
			t.Errorf("byte %d stands at %v, want %v", offset, got, want)
		}
	}
}

// Each byte of a text, those of line breaks included, is on the line that splitting has it on.
func TestLineStartAndEnd(t *testing.T) {
	const text = "\nab\r\n\r\n\rc\n\rd\r\n"
	start := 0
	for _, line := range regexp.MustCompile(`[^\r\n]*(\r\n|\r|\n)`).FindAllString(text, -1) {
		end := start + len(strings.TrimRight(line, "\r\n"))
		for at := start; at < start+len(line); at++ {
			if s, e := LineStart(text, at), LineEnd(text, at); s != start || e != end {
				t.Errorf("byte %d of %q is on the line from %d to %d, want %d to %d", at, text, s, e, start, end)
			}
		}
		start += len(line)
	}
	if s, e := LineStart(text, start), LineEnd(text, start); start != len(text) || s != start || e != start {
		t.Errorf("the last line is from %d to %d", s, e)
	}
}
