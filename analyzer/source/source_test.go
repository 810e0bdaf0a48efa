package source

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// applyModel makes edits byte by byte; ok is false where they cannot be made.
// A byte is replaced by one edit at most, and nothing is inserted between two
// bytes of one edit.
func applyModel(text string, edits []Edit) (string, bool) {
	owner := make([]int, len(text)) // the edit that replaces a byte, from 1
	inserts := make([][]string, len(text)+1)
	inside := make([]bool, len(text)+1)
	for i, e := range edits {
		if e.Span.Start < 0 || e.Span.End < e.Span.Start || e.Span.End > len(text) {
			return "", false
		}
		for _, at := range []int{e.Span.Start, e.Span.End} {
			if 0 < at && at < len(text) && text[at-1:at+1] == "\r\n" {
				return "", false
			}
		}
		for at := e.Span.Start; at < e.Span.End; at++ {
			if owner[at] != 0 {
				return "", false
			}
			owner[at] = i + 1
			inside[at] = inside[at] || at > e.Span.Start
		}
	}
	for _, e := range edits {
		if e.Span.Len() == 0 {
			if inside[e.Span.Start] {
				return "", false
			}
			inserts[e.Span.Start] = append(inserts[e.Span.Start], e.New)
		}
	}
	var out strings.Builder
	for at := range len(text) + 1 {
		out.WriteString(strings.Join(inserts[at], ""))
		switch {
		case at == len(text):
		case owner[at] == 0:
			out.WriteByte(text[at])
		case !inside[at]:
			out.WriteString(edits[owner[at]-1].New)
		}
	}
	return out.String(), true
}

func checkApply(t *testing.T, text string, edits []Edit) {
	t.Helper()
	before := fmt.Sprint(edits)
	got, err := Apply(text, edits)
	want, ok := applyModel(text, edits)
	if ok != (err == nil) || ok && got != want {
		t.Fatalf("Apply(%q, %v) = %q, %v; want %q, possible: %v", text, edits, got, err, want, ok)
	}
	if fmt.Sprint(edits) != before {
		t.Fatalf("Apply reorders what it is given: %v is now %v", before, edits)
	}
}

func TestApply(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		text := randomText(r, 6)
		var edits []Edit
		for i := range r.IntN(5) {
			start := r.IntN(len(text)+3) - 1
			edits = append(edits, Edit{Span{start, start + r.IntN(4) - r.IntN(2)}, strings.Repeat(string(rune('A'+i)), r.IntN(3))})
		}
		checkApply(t, text, edits)
	}
}

func TestApplyErrors(t *testing.T) {
	for name, edits := range map[string][]Edit{
		"overlap":         {{Span{0, 3}, "x"}, {Span{2, 4}, "y"}},
		"same":            {{Span{1, 2}, "x"}, {Span{1, 2}, "x"}},
		"insert in other": {{Span{0, 4}, "x"}, {Span{2, 2}, "y"}},
		"beyond":          {{Span{3, 6}, "x"}},
		"negative":        {{Span{-1, 0}, "x"}},
		"reversed":        {{Span{3, 2}, "x"}},
	} {
		if got, err := Apply("abcde", edits); err == nil || got != "" {
			t.Errorf("%s: %q, %v, want an error and no text", name, got, err)
		}
	}
	for _, e := range []Edit{{Span{2, 2}, "x"}, {Span{1, 2}, ""}, {Span{2, 3}, "\n"}} {
		if got, err := New("a.py", "a\r\nb").Edited([]Edit{e}); err == nil {
			t.Errorf("%v cuts a line end in two and gives %q", e, got.Text())
		}
	}
	got, err := Apply("abcde", []Edit{{Span{5, 5}, "!"}, {Span{2, 2}, "1"}, {Span{2, 4}, "-"}, {Span{2, 2}, "2"}, {Span{0, 2}, ""}})
	if got != "12-e!" || err != nil {
		t.Errorf("edits that touch give %q, %v", got, err)
	}
}

func FuzzApply(f *testing.F) {
	f.Add("hello\nworld", 0, 5, "x", 6, 6, "y")
	f.Add("é", 1, 1, "x", 1, 2, "")
	f.Fuzz(func(t *testing.T, text string, a, b int, x string, c, d int, y string) {
		if len(text) < 200 {
			checkApply(t, text, []Edit{{Span{a, b}, x}, {Span{c, d}, y}})
		}
	})
}

func TestPlainFile(t *testing.T) {
	s := New("a.py", "x = 1\n")
	for _, sp := range []Span{{0, 0}, {2, 5}, {6, 6}, {0, 6}} {
		if got, want := s.Place(sp), (Place{0, sp, true}); got != want {
			t.Errorf("Place(%v) = %v, want %v", sp, got, want)
		}
	}
	if got := s.Place(Span{4, 9}); got != (Place{0, Span{4, 6}, false}) {
		t.Errorf("a span beyond the text is at %v", got)
	}
	if s.Slice(Span{0, 1}) != "x" || s.Offset(0, 3) != 3 || s.Offset(0, 99) != 6 || s.SegmentAt(6) != 0 {
		t.Error("a plain file is not itself")
	}
}

// cells is two cells of a notebook, of which the first holds a masked line, the
// second an elided prefix (a prompt) and a tail that stands for nothing.
//
//	raw     "x=1\n%magic\ny=2"          ">>> z=3"
//	joined  "x=1\npass  \ny=2"  "\n\n"  "z=3;"
func cells(t *testing.T) *Source {
	t.Helper()
	text := "x=1\npass  \ny=2\n\nz=3;"
	s, err := Join("n.ipynb", text, []Segment{
		{Name: "one", Cell: 1, Raw: "x=1\n%magic\ny=2", Pieces: []Piece{
			{Span{0, 4}, Span{0, 4}, true}, {Span{4, 10}, Span{4, 10}, false}, {Span{10, 14}, Span{10, 14}, true},
		}},
		{Name: "two", Cell: 3, Raw: ">>> z=3", Pieces: []Piece{
			{Span{0, 0}, Span{0, 4}, false}, {Span{0, 3}, Span{4, 7}, true}, {Span{3, 4}, Span{7, 7}, false},
		}},
	}, []Span{{0, 14}, {16, 20}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPlace(t *testing.T) {
	s := cells(t)
	for _, c := range []struct {
		what string
		span Span
		want Place
	}{
		{"before the mask", Span{0, 3}, Place{0, Span{0, 3}, true}},
		{"up to the mask", Span{2, 4}, Place{0, Span{2, 4}, true}},
		{"inside the mask", Span{5, 7}, Place{0, Span{4, 10}, false}},
		{"the mask", Span{4, 10}, Place{0, Span{4, 10}, false}},
		{"into the mask", Span{2, 6}, Place{0, Span{2, 10}, false}},
		{"out of the mask", Span{6, 12}, Place{0, Span{4, 12}, false}},
		{"over the mask", Span{2, 12}, Place{0, Span{2, 12}, false}},
		{"after the mask", Span{11, 14}, Place{0, Span{11, 14}, true}},
		{"an insertion before the mask", Span{4, 4}, Place{0, Span{4, 4}, true}},
		{"an insertion in the mask", Span{6, 6}, Place{0, Span{4, 4}, false}},
		{"an insertion after the mask", Span{10, 10}, Place{0, Span{10, 10}, true}},
		{"an insertion at a cell's end", Span{14, 14}, Place{0, Span{14, 14}, true}},
		{"over two cells", Span{11, 19}, Place{0, Span{11, 14}, false}},
		{"between cells", Span{15, 15}, Place{0, Span{14, 14}, false}},
		{"after an elided prompt", Span{16, 19}, Place{1, Span{4, 7}, true}},
		{"an insertion at an elided prompt", Span{16, 16}, Place{1, Span{4, 4}, false}},
		{"what stands for nothing", Span{19, 20}, Place{1, Span{7, 7}, false}},
		{"into what stands for nothing", Span{18, 20}, Place{1, Span{6, 7}, false}},
		{"beyond the text", Span{18, 25}, Place{1, Span{6, 7}, false}},
	} {
		if got := s.Place(c.span); got != c.want {
			t.Errorf("%s: %v is at %+v, want %+v", c.what, c.span, got, c.want)
		}
	}
}

func TestOffset(t *testing.T) {
	s := cells(t)
	for _, c := range []struct{ segment, raw, want int }{
		{0, 0, 0}, {0, 3, 3}, {0, 4, 4}, {0, 7, 4}, {0, 10, 10}, {0, 13, 13}, {0, 14, 14}, {0, 50, 14},
		{1, 0, 16}, {1, 2, 16}, {1, 4, 16}, {1, 6, 18}, {1, 50, 20},
	} {
		if got := s.Offset(c.segment, c.raw); got != c.want {
			t.Errorf("byte %d of segment %d is byte %d, want %d", c.raw, c.segment, got, c.want)
		}
	}
}

func TestJoinErrors(t *testing.T) {
	for what, c := range map[string]struct {
		text   string
		pieces []Piece
		spans  []Span
	}{
		"a span missing":      {"ab", nil, nil},
		"a span too long":     {"ab", nil, []Span{{0, 3}}},
		"a span reversed":     {"ab", nil, []Span{{2, 1}}},
		"no map":              {"ac", nil, []Span{{0, 2}}},
		"a false copy":        {"ac", []Piece{{Span{0, 2}, Span{0, 2}, true}}, []Span{{0, 2}}},
		"a copy of a length":  {"ab", []Piece{{Span{0, 2}, Span{0, 1}, true}, {Span{2, 2}, Span{1, 2}, false}}, []Span{{0, 2}}},
		"text without origin": {"ab", []Piece{{Span{0, 1}, Span{0, 1}, true}}, []Span{{0, 2}}},
		"raw text lost":       {"a", []Piece{{Span{0, 1}, Span{0, 1}, true}}, []Span{{0, 1}}},
		"pieces out of order": {"ab", []Piece{{Span{1, 2}, Span{1, 2}, true}, {Span{0, 1}, Span{0, 1}, true}}, []Span{{0, 2}}},
		"a piece beyond":      {"ab", []Piece{{Span{0, 2}, Span{0, 9}, false}}, []Span{{0, 2}}},
	} {
		if _, err := Join("n", c.text, []Segment{{Raw: "ab", Pieces: c.pieces}}, c.spans); err == nil {
			t.Errorf("%s: no error", what)
		} else if !strings.Contains(err.Error(), "joining n") {
			t.Errorf("%s: the error does not say what was attempted: %v", what, err)
		}
	}
}

// TestJoinProperties makes random notebooks and sees that an edit of the joined
// text whose place is exact does the same to its segment, and that an offset of
// verbatim text comes back.
func TestJoinProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		s := randomNotebook(t, r)
		for range 20 {
			start := r.IntN(len(s.Text()) + 1)
			sp := Span{start, min(len(s.Text()), start+r.IntN(6))}
			p := s.Place(sp)
			g := &s.Segments()[p.Segment]
			if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(g.Raw) {
				t.Fatalf("%v is at %v, which is outside a segment of %d bytes", sp, p, len(g.Raw))
			}
			if !p.Exact {
				continue
			}
			if got, want := g.Raw[p.Span.Start:p.Span.End], s.Slice(sp); got != want {
				t.Fatalf("%v is %q, but its place %v holds %q, in %+v", sp, want, p, got, g)
			}
			if got := s.Offset(p.Segment, p.Span.Start); sp.Len() > 0 && got != sp.Start {
				t.Fatalf("%v is at %v, whose start is byte %d, in %+v", sp, p, got, g)
			}
		}
	}
}

func randomNotebook(t *testing.T, r *rand.Rand) *Source {
	var text strings.Builder
	var segments []Segment
	var spans []Span
	for cell := range r.IntN(4) + 1 {
		var raw, joined strings.Builder
		var pieces []Piece
		for range r.IntN(5) {
			a, b := joined.Len(), raw.Len()
			verbatim := r.IntN(2) == 0
			part := randomText(r, 4)
			joined.WriteString(part)
			if !verbatim {
				part = randomText(r, 4)
			}
			raw.WriteString(part)
			pieces = append(pieces, Piece{Span{a, joined.Len()}, Span{b, raw.Len()}, verbatim})
		}
		if pieces == nil { // a cell byte for byte
			raw.WriteString(randomText(r, 4))
			joined.WriteString(raw.String())
		}
		start := text.Len()
		text.WriteString(joined.String())
		spans = append(spans, Span{start, text.Len()})
		segments = append(segments, Segment{Name: fmt.Sprint(cell), Cell: cell + 1, Raw: raw.String(), Pieces: pieces})
		text.WriteString("\n\n"[:r.IntN(3)])
	}
	s, err := Join("random.ipynb", text.String(), segments, spans)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSegments(t *testing.T) {
	s := cells(t)
	for offset, want := range map[int]int{-1: 0, 0: 0, 13: 0, 14: 0, 15: 0, 16: 1, 20: 1, 99: 1} {
		if got := s.SegmentAt(offset); got != want {
			t.Errorf("byte %d is of segment %d, want %d", offset, got, want)
		}
	}
	g := s.Segments()[1]
	if g.Span() != (Span{16, 20}) || g.Lines().Count() != 1 || g.Lines().Text() != ">>> z=3" {
		t.Errorf("the second segment is %+v", g)
	}
	// The place of a finding is counted in the cell's own text.
	p := s.Place(Span{11, 12})
	if at := s.Segments()[p.Segment].Lines().Position(p.Span.Start, UTF16); at != (Position{2, 0}) {
		t.Errorf("y=2 stands at %v of its cell, want the third line", at)
	}
}
