package notebook

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/source"
)

// checkPlaces holds where the file has each character of each cell against what a
// decoder makes of those bytes, and leads each place back.
func checkPlaces(t *testing.T, data string) {
	t.Helper()
	n, err := Read("n.ipynb", data)
	if err != nil {
		return
	}
	lines := source.NewLines(data)
	for _, c := range n.cells {
		if len(c.runs) == 0 {
			continue // no place leads there
		}
		before := 0
		for at := 0; at <= len(c.text); {
			_, size := utf8.DecodeRuneInString(c.text[at:])
			if strings.HasPrefix(c.text[at:], "\xed") && !utf8.ValidString(c.text[at:min(at+3, len(c.text))]) {
				size = 3 // half of a pair
			}
			place := n.Place(c.number, source.Span{Start: at, End: at + size})
			if place.Start < before || place.End < place.Start || place.Start < c.source.start || place.End > c.source.end {
				t.Fatalf("byte %d of cell %d of %q is at %v, the one before at %d", at, c.number, data, place, before)
			}
			before = place.Start
			if at < len(c.text) {
				var got string
				if err := json.Unmarshal([]byte(`"`+data[place.Start:place.End]+`"`), &got); err != nil || got != c.text[at:at+size] && got != "\ufffd" {
					t.Fatalf("%q of cell %d of %q is at %v, where %q stands for %q, %v", c.text[at:at+size], c.number, data, place, data[place.Start:place.End], got, err)
				}
			}
			// There and back, inside of the escape too, and in an editor's words.
			for offset := place.Start; offset == place.Start || offset < place.End; offset++ {
				number, back, ok := n.At(offset)
				if !ok || number != c.number || back < at || back > at+size || offset == place.Start && back != at {
					t.Fatalf("byte %d of cell %d of %q is at %d, which is byte %d of cell %d, %v", at, c.number, data, offset, back, number, ok)
				}
			}
			for _, enc := range []source.Encoding{source.UTF8, source.UTF16, source.UTF32} {
				if offset, err := lines.Offset(lines.Position(place.Start, enc), enc); err != nil || offset != place.Start {
					t.Fatalf("byte %d of %q is no position of an editor, but %d, %v", place.Start, data, offset, err)
				}
			}
			at += max(size, 1)
		}
	}
	// Whatever else there is belongs to no cell.
	for offset := range len(data) + 1 {
		number, at, ok := n.At(offset)
		for _, c := range n.cells {
			left, within := n.Within(c.number, source.Span{Start: offset, End: offset})
			if within != (ok && c.number == number) || within && (left != source.Span{Start: at, End: at}) {
				t.Fatalf("byte %d of %q is in cell %d: %v, but within cell %d: %v, %v", offset, data, number, ok, c.number, left, within)
			}
		}
		if !ok {
			continue
		}
		if c, err := n.cell(number); err != nil || at > len(c.text) || offset <= c.source.start || offset >= c.source.end {
			t.Fatalf("byte %d of %q is byte %d of cell %d", offset, data, at, number)
		}
	}
	for _, c := range n.cells {
		left, ok := n.Within(c.number, source.Span{End: len(data)})
		if ok != (len(c.runs) > 0) || ok && (left != source.Span{End: len(c.text)}) {
			t.Fatalf("of cell %d of %q the file has %v, %v", c.number, data, left, ok)
		}
	}
}

// checkEdited holds a notebook that was edited against one that was read.
func checkEdited(t *testing.T, data string, r *rand.Rand) {
	t.Helper()
	n, err := Read("n.ipynb", data)
	if err != nil {
		return
	}
	for range 20 {
		start, end := r.IntN(len(n.data)+1), 0
		if len(n.cells) > 0 && r.IntN(5) > 0 {
			v := n.cells[r.IntN(len(n.cells))].source
			start = v.start + r.IntN(v.end-v.start+1)
		}
		end = min(start+r.IntN(4)*r.IntN(2), len(n.data))
		text := n.data[:start] + []string{"", "x", "\\n", "\\", "\"", "\n", "é", "\\u00e9", "\",\"", "\\ud83d"}[r.IntN(10)] + n.data[end:]
		want, failed := Read("n.ipynb", text)
		got, err := n.Edited(text)
		if (err == nil) != (failed == nil) || err != nil && err.Error() != failed.Error() || err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q edited to %q is %+v, %v, want %+v, %v", n.data, text, got, err, want, failed)
		}
		if err == nil {
			n = got
		}
	}
}

func TestEdited(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 1000 {
		checkEdited(t, randomNotebook(r), r)
	}
}

func TestPlacesRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		checkPlaces(t, randomNotebook(r))
	}
	for _, path := range files(t) {
		checkPlaces(t, read(t, path))
	}
}

func FuzzPlaces(f *testing.F) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 10 {
		f.Add(randomNotebook(r))
	}
	f.Add(`{"cells":[{"cell_type":"code","source":["\ud83d\ude00\u00e9\ud83d\n","","\\n\\\n\"x\"\/\t"]},{"cell_type":"code","source":"a\nb\n"}]}`)
	f.Fuzz(func(t *testing.T, data string) {
		if len(data) < 3000 {
			checkPlaces(t, data)
			checkEdited(t, data, rand.New(rand.NewPCG(17, uint64(len(data)))))
		}
	})
}

// TestPlaces spells out some.
func TestPlaces(t *testing.T) {
	data := `{"cells":[{"cell_type":"markdown","source":"é"},{"cell_type":"code","source":["a\n", "\ud83d\ude00b"]},{"cell_type":"code","source":""}]}`
	n, _ := sourceOf(t, "n.ipynb", data)
	for _, c := range []struct {
		cell int
		span source.Span
		want string // the file's bytes
	}{
		{2, source.Span{Start: 0, End: 1}, `a`},
		{2, source.Span{Start: 0, End: 2}, `a\n`},
		{2, source.Span{Start: 1, End: 2}, `\n`},
		{2, source.Span{Start: 1, End: 6}, `\n", "\ud83d\ude00`},
		{2, source.Span{Start: 2, End: 7}, `\ud83d\ude00b`},
		{2, source.Span{Start: 3, End: 7}, `\ud83d\ude00b`}, // within a character
		{2, source.Span{Start: 7, End: 9}, ``},
		{3, source.Span{Start: 0, End: 0}, ``},
		{1, source.Span{Start: 0, End: 1}, ``}, // prose
		{9, source.Span{Start: 0, End: 1}, ``},
	} {
		at := n.Place(c.cell, c.span)
		if got := data[at.Start:at.End]; got != c.want {
			t.Errorf("%v of cell %d is at %q, want %q", c.span, c.cell, got, c.want)
		}
	}
	for text, want := range map[string]bool{`é`: false, `"a\n`: false, `a\n`: true, `n", "`: true, `", "\u`: true, `, "\u`: false, ` "\u`: false, `\ud83d\ude00b`: true, `]},{"cell_type":"code","source":""`: false} {
		if _, _, ok := n.At(strings.Index(data, text)); ok != want {
			t.Errorf("%q is in a cell: %v", text, ok)
		}
	}
}

// TestLastLineEnd: the last line of a cell, its end included, can be deleted however it ends.
func TestLastLineEnd(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		s, err := Join("n.ipynb", []Cell{{Number: 1, Text: "a" + end + "b" + end}, {Number: 2, Text: "c" + end}})
		if err != nil {
			t.Fatal(err)
		}
		last := source.Span{Start: 1 + len(end), End: 2 + 2*len(end)}
		edited, err := s.Edited([]source.Edit{{Span: last}})
		if err != nil {
			t.Errorf("lines end in %q: %v", end, err)
			continue
		}
		if a, b := edited.Segments()[0].Raw, edited.Segments()[1].Raw; a != "a"+end || b != "c"+end {
			t.Errorf("lines end in %q: the cells are %q and %q", end, a, b)
		}
	}
}
