package lsp

import (
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer/source"
)

// A layout maps an analysed text to what the client edits: each segment to a part of its
// own or, for a notebook that is open as its file's text, all to one.
type layout struct {
	parts   []part
	source  *source.Source
	listing *listing      // nil where a part is a segment
	bodies  []source.Span // of the part, where no more of it is analysed
}

// part is the number of the part of a URI, or -1.
func (l *layout) part(key uri.URI) int {
	return slices.IndexFunc(l.parts, func(p part) bool { return p.key == key })
}

// size is the length in bytes of the parts.
func (l *layout) size() (bytes int) {
	for _, p := range l.parts {
		bytes += len(p.text)
	}
	return bytes
}

// lines is the line index of a part's text.
func (l *layout) lines(part int) *source.Lines {
	if l.listing != nil {
		return l.listing.lines
	}
	return l.source.Segments()[part].Lines()
}

// place is where a span of the analysed text stands: in which part, and where there.
func (l *layout) place(span source.Span) (part int, at source.Span) {
	p := l.source.Place(span)
	if l.listing != nil {
		return 0, l.listing.place(l.source, p)
	}
	return p.Segment, p.Span
}

// offset is the byte of the analysed text that a part has at an offset; false where
// that is beside all that is analysed.
func (l *layout) offset(part, at int) (int, bool) {
	if l.listing != nil {
		return l.listing.offset(l.source, at)
	}
	return l.source.Offset(part, at), l.holds(source.Span{Start: at, End: at})
}

// holds tells whether anything of a part is analysed in a span.
func (l *layout) holds(at source.Span) bool {
	return l.bodies == nil || slices.ContainsFunc(l.bodies, func(b source.Span) bool { return b.Start <= at.End && at.Start <= b.End })
}

// within is the span of the analysed text between two places of a part; false where
// there is none.
func (l *layout) within(part int, at source.Span) (source.Span, bool) {
	if l.listing != nil {
		return l.listing.within(l.source, at)
	}
	return source.Span{Start: l.source.Offset(part, at.Start), End: l.source.Offset(part, at.End)}, l.holds(at)
}

// rangeOf is where a span of the analysed text stands in its part.
func (l *layout) rangeOf(span source.Span, enc source.Encoding) protocol.Range {
	part, at := l.place(span)
	return rangeAt(l.lines(part), at, enc)
}

// locationOf is the same with the part.
func (l *layout) locationOf(span source.Span, enc source.Encoding) protocol.Location {
	part, at := l.place(span)
	return protocol.Location{URI: uri.URI(l.parts[part].uri), Range: rangeAt(l.lines(part), at, enc)}
}

// spanOf is the bytes of a part between two positions.
func (l *layout) spanOf(part int, r protocol.Range, enc source.Encoding) source.Span {
	return spanOf(l.lines(part), positionOf(r.Start), positionOf(r.End), enc)
}

// offsetAt is offset of a position.
func (l *layout) offsetAt(part int, p protocol.Position, enc source.Encoding) (int, bool) {
	return l.offset(part, offsetOf(l.lines(part), positionOf(p), enc))
}

// edits are edits of the analysed text as such of the parts. A fix whose edits would
// not be, for what they touch stands for another text, was never offered. One that would
// cut a line end is a bug.
func (l *layout) edits(edits []source.Edit) []partEdit {
	if l.listing != nil {
		return l.listing.edits(l.source, edits)
	}
	out := make([]partEdit, len(edits))
	for i, e := range edits {
		at := l.source.Place(e.Span)
		out[i] = partEdit{at.Segment, source.Edit{Span: at.Span, New: e.New}}
		if out[i].CutsLineEnd(l.source.Segments()[at.Segment].Raw) {
			panic(fmt.Sprintf("an edit at byte %d of %s begins or ends within a line end", at.Span.Start, l.source.Path))
		}
	}
	return out
}

// rewritten are the edits of the parts that make another text of the analysed one.
func (l *layout) rewritten(after *source.Source) []partEdit {
	var edits []partEdit
	segments := after.Segments()
	for i, before := range l.source.Segments() {
		switch {
		case segments[i].Raw == before.Raw:
		case l.listing != nil:
			edits = append(edits, l.listing.replace(before.Cell, segments[i].Raw)...)
		default:
			for _, e := range diff(before.Raw, segments[i].Raw) {
				edits = append(edits, partEdit{i, e})
			}
		}
	}
	return edits
}
