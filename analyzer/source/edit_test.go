package source

import (
	"errors"
	"strings"
	"testing"
)

// remakable gives the cells a Remake that masks as they were masked: a line of
// "%magic" by "pass  ", a prompt by nothing.
func remakable(t *testing.T, raw ...string) *Source {
	t.Helper()
	var text strings.Builder
	var segments []Segment
	var spans []Span
	for i, r := range raw {
		if i > 0 {
			text.WriteString("\n\n")
		}
		g := Segment{Cell: i + 1, Raw: r}
		start := text.Len()
		at := 0
		add := func(to int, masked string, verbatim bool) {
			from := text.Len() - start
			text.WriteString(masked)
			g.Pieces = append(g.Pieces, Piece{Span{from, text.Len() - start}, Span{at, to}, verbatim})
			at = to
		}
		for line := range strings.Lines(r) {
			switch {
			case strings.HasPrefix(line, "%magic"):
				add(at+6, "pass  ", false)
			case strings.HasPrefix(line, ">>> "):
				add(at+4, "", false)
			}
			line = strings.TrimPrefix(strings.TrimPrefix(line, "%magic"), ">>> ")
			add(at+len(line), line, true)
		}
		segments, spans = append(segments, g), append(spans, Span{start, text.Len()})
	}
	s, err := Join("n.ipynb", text.String(), segments, spans)
	if err != nil {
		t.Fatal(err)
	}
	s.Remake = func(raw []string) (*Source, error) { return remakable(t, raw...), nil }
	return s
}

// at is an edit of the part of s that is written between the strokes.
func at(t *testing.T, s *Source, context, new string) Edit {
	t.Helper()
	before, rest, ok := strings.Cut(context, "|")
	inner, _, both := strings.Cut(rest, "|")
	i := strings.Index(s.Text(), strings.ReplaceAll(context, "|", ""))
	if !ok || i < 0 {
		t.Fatalf("%q is not in %q", context, s.Text())
	}
	start := i + len(before)
	end := start
	if both {
		end += len(inner)
	}
	return Edit{Span{start, end}, new}
}

func TestEdited(t *testing.T) {
	s := remakable(t, "import a\n%magic\nb = 1", ">>> c = 2\nd = 3")
	for name, c := range map[string]struct {
		edits []Edit
		want  []string // the cells; nil where it cannot be done
	}{
		"none":                   {nil, []string{"import a\n%magic\nb = 1", ">>> c = 2\nd = 3"}},
		"in both":                {[]Edit{at(t, s, "|b| = 1", "x"), at(t, s, "d = |3|", "4\n")}, nil},
		"on lines of both":       {[]Edit{at(t, s, "|b| = 1", "x\ny"), at(t, s, "d = |3|", "4")}, []string{"import a\n%magic\nx\ny = 1", ">>> c = 2\nd = 4"}},
		"at a cell's end":        {[]Edit{at(t, s, "b = 1|", "\ndel b")}, []string{"import a\n%magic\nb = 1\ndel b", ">>> c = 2\nd = 3"}},
		"in the mask":            {[]Edit{at(t, s, "|pass|", "x")}, nil},
		"over the mask":          {[]Edit{at(t, s, "|a\npass  \n|b", "")}, nil},
		"over two cells":         {[]Edit{at(t, s, "= |1\n\nc|", "")}, nil},
		"between the cells":      {[]Edit{at(t, s, "\n|\nc", "x")}, nil},
		"what would be masked":   {[]Edit{at(t, s, "|b| = 1", "%magic")}, nil},
		"lines where some lack":  {[]Edit{at(t, s, "c = |2|", "2\n3")}, nil},
		"edits over one another": {[]Edit{at(t, s, "|b = |1", ""), at(t, s, "b |= 1|", "")}, nil},
	} {
		next, err := s.Edited(c.edits)
		switch {
		case c.want == nil:
			if err == nil {
				t.Errorf("%s: it is made: %q", name, next.Text())
			}
			if name != "edits over one another" && !errors.Is(err, ErrMasked) {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		default:
			for i, g := range next.Segments() {
				if g.Raw != c.want[i] {
					t.Errorf("%s: cell %d is %q, want %q", name, i+1, g.Raw, c.want[i])
				}
			}
		}
	}
}

func TestEditedFile(t *testing.T) {
	s := New("a.py", "x = 1\n")
	next, err := s.Edited([]Edit{{Span{0, 1}, "y\nz"}})
	if err != nil || next.Text() != "y\nz = 1\n" || next.Path != "a.py" {
		t.Errorf("%q, %v", next.Text(), err)
	}
	if _, err := s.Edited([]Edit{{Span{0, 9}, ""}}); err == nil {
		t.Error("an edit beyond the text is made")
	}
}

// A notebook may have no cells of code.
func TestNoSegments(t *testing.T) {
	s, err := Join("n.ipynb", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Place(Span{0, 3}); p.Exact || s.Editable(Edit{New: "x"}) {
		t.Errorf("nothing is at %+v", p)
	}
}
