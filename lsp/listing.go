package lsp

import (
	"errors"
	"sort"

	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
)

// A listing is a notebook that the client has open as the text of its file, JSON: what
// editors show that know nothing of notebooks. It is immutable.
type listing struct {
	lines    *source.Lines
	notebook *notebook.Notebook // nil where the text is none
}

// readListing reads the text of a notebook's file. Where it is none, the error is
// [notebook.ErrSyntax] if it is not even JSON: while somebody types a quotation mark,
// say.
func readListing(path, text string) (*listing, error) { return (&listing{}).next(path, text) }

// next is the listing after edits.
func (l *listing) next(path, text string) (*listing, error) {
	next := &listing{lines: source.NewLines(text)}
	var err error
	if l.notebook != nil {
		next.notebook, err = l.notebook.Edited(text)
	} else {
		next.notebook, err = notebook.Read(path, text)
	}
	return next, err
}

// isListing tells whether a document is the text of a notebook's file. By its name it
// may be the Python of one, which is how JupyterLab sends it, and plugins that show
// cells as such.
func isListing(path, language, text string) bool {
	if !notebook.Is(path) {
		return false
	}
	if isPython(language) {
		_, err := notebook.Read(path, text)
		return err == nil
	}
	return true
}

// place is where the text has a place of a source of its cells.
func (l *listing) place(s *source.Source, p source.Place) source.Span {
	if len(s.Segments()) == 0 {
		return source.Span{}
	}
	return l.notebook.Place(s.Segments()[p.Segment].Cell, p.Span)
}

// offset is the byte of a source of its cells that the text has at an offset; false
// where that is in none of them.
func (l *listing) offset(s *source.Source, at int) (int, bool) {
	cell, raw, ok := l.notebook.At(at)
	if !ok {
		return 0, false
	}
	segment := segmentOf(s, cell)
	if segment < 0 {
		return 0, false
	}
	return s.Offset(segment, raw), true
}

// within is what of a source of its cells the text has in a span.
func (l *listing) within(s *source.Source, at source.Span) (span source.Span, ok bool) {
	for i := range s.Segments() {
		raw, any := l.notebook.Within(s.Segments()[i].Cell, at)
		if !any {
			continue
		}
		if !ok {
			span.Start, ok = s.Offset(i, raw.Start), true
		}
		span.End = s.Offset(i, raw.End)
	}
	return span, ok
}

// segmentOf is the number of the segment that is a cell, or -1.
func segmentOf(s *source.Source, cell int) int {
	segments := s.Segments()
	i := sort.Search(len(segments), func(i int) bool { return segments[i].Cell >= cell })
	if i == len(segments) || segments[i].Cell != cell {
		return -1
	}
	return i
}

// edits are edits of a source of its cells as such of the text: one for each cell.
func (l *listing) edits(s *source.Source, edits []source.Edit) (out []partEdit) {
	inCells := map[int][]source.Edit{}
	for _, e := range edits {
		p := s.Place(e.Span)
		inCells[p.Segment] = append(inCells[p.Segment], source.Edit{Span: p.Span, New: e.New})
	}
	for i, g := range s.Segments() {
		if len(inCells[i]) == 0 {
			continue
		}
		after, err := source.Apply(g.Raw, inCells[i])
		if err != nil {
			panic(err) // the edits of a fix do not overlap
		}
		out = append(out, l.replace(g.Cell, after)...)
	}
	return out
}

// replace are the edits of the text that give a cell another text; none where the file
// has no text of the cell at all.
func (l *listing) replace(cell int, after string) (out []partEdit) {
	e, err := l.notebook.Replace(cell, after)
	if err != nil {
		return nil
	}
	for _, e := range changes(l.lines.Text(), e, 10) {
		out = append(out, partEdit{0, e})
	}
	return out
}

// list reads the present text of a notebook's file. It is false where there is nothing
// to analyse. A text that is not JSON is one that somebody is in the middle of typing:
// nothing is said until it is a notebook again, and what was said last stays.
func (d *document) list() bool {
	if d.worker == nil { // it is asleep
		d.listing = &listing{lines: source.NewLines(d.parts[0].text)}
		return false
	}
	was := d.unread
	var err error
	d.listing, err = d.listing.next(d.path, d.parts[0].text)
	switch {
	case err == nil:
		d.unread = readable
		return true
	case errors.Is(err, notebook.ErrSyntax):
		if d.unread = broken; was == foreign {
			d.unread = foreign // nothing was said last
		}
		d.worker.hold()
		for _, m := range d.modules {
			m.worker.hold()
		}
	default:
		if d.unread = foreign; was != foreign {
			d.retract()
		}
	}
	return false
}

// An unread says why a notebook's file is not analysed.
type unread uint8

const (
	readable unread = iota
	broken          // it is not JSON
	foreign         // it is no notebook, or none in Python
)

// sleep has the text of a notebook's file, which is open as a notebook too, be left
// alone: the notebook says more of itself, and nobody is to be told twice.
func (d *document) sleep() {
	if d.listing != nil && d.worker != nil {
		d.retract()
		d.close()
		d.worker = nil
	}
}

// wake has it analysed after all, unless a change to it could not be made: what it was
// before is not what the client has.
func (d *document) wake(newWorker func(path string) *worker) {
	if d.listing != nil && d.worker == nil {
		d.worker = newWorker(d.path)
		if !d.lost {
			d.submit()
		}
	}
}
