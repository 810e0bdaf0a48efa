// Package source holds the text tfmem reads: bytes, spans, lines, positions and edits.
//
// A [Source] consists of segments. A Python file is one segment; a notebook has one segment per
// cell. The text that is parsed (the joined text) may differ from the text its owner sees (the
// raw text of a segment), because magics are masked and cells are separated. Each segment carries
// a piecewise map between the two. Every position that a person or an editor sees goes through
// it.
//
// The package imports no other package of tfmem, reads no files and does not know Python.
package source

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// A Span is a half-open range of bytes, [Start, End).
type Span struct{ Start, End int }

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether o lies wholly within s.
func (s Span) Contains(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Touches reports whether o overlaps s, or ends where s begins, or begins where it ends.
func (s Span) Touches(o Span) bool { return s.Start <= o.End && o.Start <= s.End }

// A Segment is a stretch of the joined text that one owner edits: a file, or a
// cell of a notebook.
type Segment struct {
	// Name is the target of an edit: a file's path or a cell's URI.
	Name string
	// Cell is the 1-based number of the cell among all cells of its notebook,
	// and 0 for a file.
	Cell int
	// Raw is the text in its owner's file or cell.
	Raw string
	// Pieces say how the segment's part of the joined text was made from Raw, in order. Nil means
	// that it equals Raw.
	Pieces []Piece
	// Unclosed is set for a cell in which a bracket or string is not closed. It does not compile,
	// and the joined text has nothing of it.
	Unclosed bool
	// Failure is set for a cell whose notebook's file has stored that its last run ended in an
	// exception.
	Failure *Failure
	// Printed is what the last run of a cell that reads a version put out, as stored.
	Printed string

	span  Span
	lines *Lines
}

// A Failure is what a cell of a notebook put out in a run that ended in an exception. The texts may
// have the colours of a terminal, and their middles are left out if they are long.
type Failure struct {
	Printed   string
	Traceback string
	Error     string // "ValueError: what was wrong", or that the kernel died
}

// A Piece is a stretch of a segment. If Verbatim is set, the bytes are the same on both sides;
// otherwise the text replaces the raw bytes (a masked magic) and cannot be edited. The pieces of
// a segment follow each other without a gap on both sides; either side of one that is not
// verbatim may be empty.
type Piece struct {
	Text     Span // relative to the segment's start in the joined text
	Raw      Span // in Raw
	Verbatim bool
}

// A Source is a text to be analysed. It is immutable.
type Source struct {
	// Path names the whole for people: a path, or "-" for standard input.
	Path string
	// Remake makes the source of other raw texts of the same segments. The code that joins them
	// sets it once; it is nil in the source of a plain file.
	Remake func(raw []string) (*Source, error)

	text     string
	segments []Segment
}

// New returns the source of a plain file.
func New(path, text string) *Source {
	return &Source{Path: path, text: text, segments: []Segment{{
		Name: path, Raw: text, span: Span{0, len(text)}, lines: NewLines(text),
	}}}
}

// Join returns a source with the given text, made of the segments. Their spans are in order
// and do not overlap; text between them belongs to no segment and cannot be edited.
func Join(path, text string, segments []Segment, spans []Span) (*Source, error) {
	if len(segments) != len(spans) {
		return nil, fmt.Errorf("joining %s: %d segments but %d spans", path, len(segments), len(spans))
	}
	s := &Source{Path: path, text: text, segments: append([]Segment(nil), segments...)}
	end := 0
	for i := range s.segments {
		seg := &s.segments[i]
		if spans[i].Start < end || spans[i].End < spans[i].Start || spans[i].End > len(text) {
			return nil, fmt.Errorf("joining %s: segment %d lies at %v, outside or before its predecessor", path, i, spans[i])
		}
		seg.span, seg.lines = spans[i], NewLines(seg.Raw)
		end = spans[i].End
		if err := seg.check(s.Slice(seg.span)); err != nil {
			return nil, fmt.Errorf("joining %s: segment %d %w", path, i, err)
		}
	}
	return s, nil
}

// check returns an error unless the pieces of a segment lead from Raw to text.
func (g *Segment) check(text string) error {
	if g.Pieces == nil {
		if text != g.Raw {
			return errors.New("differs from its raw text but carries no map")
		}
		return nil
	}
	at, raw := 0, 0
	for i, p := range g.Pieces {
		switch {
		case p.Text.Start != at || p.Raw.Start != raw || p.Text.Len() < 0 || p.Raw.Len() < 0 || p.Text.End > len(text) || p.Raw.End > len(g.Raw):
			return fmt.Errorf("has a piece %d (%v of its text, %v of its raw text) that does not follow the one before", i, p.Text, p.Raw)
		case p.Verbatim && text[p.Text.Start:p.Text.End] != g.Raw[p.Raw.Start:p.Raw.End]:
			return fmt.Errorf("has a piece %d that is called verbatim and is not", i)
		}
		at, raw = p.Text.End, p.Raw.End
	}
	if at != len(text) || raw != len(g.Raw) {
		return fmt.Errorf("is mapped up to byte %d of %d and raw byte %d of %d", at, len(text), raw, len(g.Raw))
	}
	return nil
}

// Text returns the joined text, which is parsed.
func (s *Source) Text() string { return s.text }

// Slice returns the text of a span.
func (s *Source) Slice(sp Span) string { return s.text[sp.Start:sp.End] }

// Segments returns the parts of the source, in order.
func (s *Source) Segments() []Segment { return s.segments }

// SegmentAt returns the index of the segment that contains the byte at offset, or the nearest one
// before it.
func (s *Source) SegmentAt(offset int) int {
	i := sort.Search(len(s.segments), func(i int) bool { return s.segments[i].span.Start > offset })
	return max(i-1, 0)
}

// Span returns the segment's span in the joined text.
func (g *Segment) Span() Span { return g.span }

// Lines returns the line index of the segment's raw text.
func (g *Segment) Lines() *Lines { return g.lines }

// place maps a span, relative to the segment's start in the joined text, to Raw. It is exact if
// the span contains and cuts only verbatim pieces. An insertion may also stand right beside a
// masked piece, but not where raw bytes were left out, because it may belong before or after
// them.
func (g *Segment) place(sp Span) (raw Span, exact bool) {
	if g.Pieces == nil {
		return sp, true
	}
	first, exact := true, true
	for _, p := range g.Pieces {
		lo, hi := max(sp.Start, p.Text.Start), min(sp.End, p.Text.End)
		if lo > hi || lo == hi && sp.Len() > 0 && (lo == sp.Start || lo == sp.End) {
			continue // outside, or only beside it
		}
		in := Span{p.Raw.Start + lo - p.Text.Start, p.Raw.Start + hi - p.Text.Start}
		if !p.Verbatim {
			in = p.Raw
			beside := p.Text.Len() > 0 && (lo == p.Text.Start || lo == p.Text.End)
			if sp.Len() > 0 || !beside {
				exact = exact && p.Text.Len()+p.Raw.Len() == 0
			}
			if sp.Len() == 0 && lo == p.Text.End {
				in.Start = in.End
			}
		}
		if first || sp.Len() == 0 {
			raw.Start = in.Start
		}
		first, raw.End = false, in.End
	}
	if sp.Len() == 0 {
		raw.End = raw.Start
	}
	return raw, exact
}

// A Place is a span of one segment's raw text.
type Place struct {
	Segment int
	Span    Span
	// Exact is false if the span contained or cut masked text, or ran out of its segment: the
	// place may be shown but not edited.
	Exact bool
}

// Place maps a span of the joined text to the segment where it starts; a span
// that runs over the segment's end is cut there.
func (s *Source) Place(sp Span) Place {
	i := s.SegmentAt(sp.Start)
	if len(s.segments) == 0 {
		return Place{}
	}
	g := &s.segments[i]
	clamp := func(offset int) int { return min(max(offset-g.span.Start, 0), g.span.Len()) }
	raw, exact := g.place(Span{clamp(sp.Start), clamp(sp.End)})
	return Place{Segment: i, Span: raw, Exact: exact && g.span.Contains(sp)}
}

// Offset maps an offset of a segment's raw text to the joined text.
func (s *Source) Offset(segment, raw int) int {
	g := &s.segments[segment]
	if g.Pieces == nil {
		return g.span.Start + min(max(raw, 0), g.span.Len())
	}
	for _, p := range g.Pieces {
		if raw >= p.Raw.End {
			continue
		}
		if p.Verbatim {
			return g.span.Start + p.Text.Start + raw - p.Raw.Start
		}
		return g.span.Start + p.Text.Start
	}
	return g.span.End
}

// An Edit replaces the bytes of a span of the joined text.
type Edit struct {
	Span Span
	New  string
}

// Insert returns the edit that puts a text at an offset.
func Insert(at int, text string) Edit { return Edit{Span{at, at}, text} }

// CutsLineEnd reports whether the edit begins or ends between "\r" and "\n" in a text. No fix may
// do that: each half would be a line end of its own, and LSP has no position there.
func (e Edit) CutsLineEnd(text string) bool {
	return withinLineEnd(text, e.Span.Start) || withinLineEnd(text, e.Span.End)
}

func withinLineEnd(text string, at int) bool {
	return strings.HasSuffix(text[:at], "\r") && strings.HasPrefix(text[at:], "\n")
}

// Apply returns text with the edits applied. The edits may be in any order; those at the same
// empty place are applied in the order given. Edits that overlap, lie outside the text or begin
// or end within a line end are an error.
func Apply(text string, edits []Edit) (string, error) {
	sorted := append([]Edit(nil), edits...)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i].Span, sorted[j].Span
		return a.Start < b.Start || a.Start == b.Start && a.End < b.End
	})
	size := len(text)
	for _, e := range edits {
		size += len(e.New)
	}
	var out strings.Builder
	out.Grow(size)
	at := 0
	for _, e := range sorted {
		if e.Span.Start < at || e.Span.End < e.Span.Start || e.Span.End > len(text) {
			return "", fmt.Errorf("edit of bytes %d to %d overlaps another or lies outside the text of %d bytes", e.Span.Start, e.Span.End, len(text))
		}
		if e.CutsLineEnd(text) {
			return "", fmt.Errorf("edit of bytes %d to %d begins or ends within a line end", e.Span.Start, e.Span.End)
		}
		out.WriteString(text[at:e.Span.Start])
		out.WriteString(e.New)
		at = e.Span.End
	}
	out.WriteString(text[at:])
	return out.String(), nil
}
