package lsp

import (
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer/source"
)

// A layout maps an analysed text to what the client edits. Each segment maps to a part of its own
// or, for a notebook that is open as its file's text, all map to one.
type layout struct {
	parts  []part
	source *source.Source
	raw    *rawNotebook  // nil if a part is a segment
	bodies []source.Span // of the part, if only these are analysed
}

// part returns the index of the part with a URI, or -1.
func (l *layout) part(key uri.URI) int {
	return slices.IndexFunc(l.parts, func(p part) bool { return p.key == key })
}

// size returns the length in bytes of the parts.
func (l *layout) size() (bytes int) {
	for _, p := range l.parts {
		bytes += len(p.text)
	}
	return bytes
}

// lines returns the line index of a part's text.
func (l *layout) lines(part int) *source.Lines {
	if l.raw != nil {
		return l.raw.lines
	}
	return l.source.Segments()[part].Lines()
}

// place returns the part that contains a span of the analysed text, and the span in it.
func (l *layout) place(span source.Span) (part int, at source.Span) {
	p := l.source.Place(span)
	if l.raw != nil {
		return 0, l.raw.place(l.source, p)
	}
	return p.Segment, p.Span
}

// offset maps an offset in a part to the analysed text. It reports false if the offset is not
// analysed.
func (l *layout) offset(part, at int) (int, bool) {
	if l.raw != nil {
		return l.raw.offset(l.source, at)
	}
	return l.source.Offset(part, at), l.holds(source.Span{Start: at, End: at})
}

// holds reports whether anything of a part is analysed in a span.
func (l *layout) holds(at source.Span) bool {
	return l.bodies == nil || slices.ContainsFunc(l.bodies, func(b source.Span) bool { return b.Start <= at.End && at.Start <= b.End })
}

// within maps a span of a part to the analysed text. It reports false if nothing of it is
// analysed.
func (l *layout) within(part int, at source.Span) (source.Span, bool) {
	if l.raw != nil {
		return l.raw.within(l.source, at)
	}
	return source.Span{Start: l.source.Offset(part, at.Start), End: l.source.Offset(part, at.End)}, l.holds(at)
}

// rangeOf returns the range of a span of the analysed text in its part.
func (l *layout) rangeOf(span source.Span, enc source.Encoding) protocol.Range {
	part, at := l.place(span)
	return rangeAt(l.lines(part), at, enc)
}

// locationOf is rangeOf with the URI of the part.
func (l *layout) locationOf(span source.Span, enc source.Encoding) protocol.Location {
	part, at := l.place(span)
	return protocol.Location{URI: uri.URI(l.parts[part].uri), Range: rangeAt(l.lines(part), at, enc)}
}

// spanOf returns the bytes of a part between two positions.
func (l *layout) spanOf(part int, r protocol.Range, enc source.Encoding) source.Span {
	return spanOf(l.lines(part), positionOf(r.Start), positionOf(r.End), enc)
}

// offsetAt is offset of a position.
func (l *layout) offsetAt(part int, p protocol.Position, enc source.Encoding) (int, bool) {
	return l.offset(part, offsetOf(l.lines(part), positionOf(p), enc))
}

// edits maps edits of the analysed text to the parts. A fix with edits that cannot be mapped,
// because they touch replaced text, was never offered. An edit that would cut a line end is a
// bug.
func (l *layout) edits(edits []source.Edit) []partEdit {
	if l.raw != nil {
		return l.raw.edits(l.source, edits)
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

// rewritten returns the edits of the parts that replace the analysed text by another one.
func (l *layout) rewritten(after *source.Source) []partEdit {
	var edits []partEdit
	segments := after.Segments()
	for i, before := range l.source.Segments() {
		switch {
		case segments[i].Raw == before.Raw:
		case l.raw != nil:
			edits = append(edits, l.raw.replace(before.Cell, segments[i].Raw)...)
		default:
			for _, e := range diff(before.Raw, segments[i].Raw) {
				edits = append(edits, partEdit{i, e})
			}
		}
	}
	return edits
}
