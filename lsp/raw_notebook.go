package lsp

import (
	"errors"
	"sort"

	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/source"
)

// A rawNotebook is a notebook that the client has open as the JSON text of its file, as editors
// do that do not support notebooks. It is immutable.
type rawNotebook struct {
	lines    *source.Lines
	notebook *notebook.Notebook // nil if the text is not a notebook
}

// next returns the notebook with a new text. The error is [notebook.ErrSyntax] if the text is not
// valid JSON, for instance while somebody types a quotation mark.
func (l *rawNotebook) next(path, text string) (*rawNotebook, error) {
	next := &rawNotebook{lines: source.NewLines(text)}
	var err error
	if l.notebook != nil {
		next.notebook, err = l.notebook.Edited(text)
	} else {
		next.notebook, err = notebook.Read(path, text)
	}
	return next, err
}

// isRawNotebook reports whether a document is the text of a notebook's file. A document with a
// notebook's name may also be Python: JupyterLab, and plugins that show cells, send it so.
func isRawNotebook(path, language, text string) bool {
	if !notebook.Is(path) {
		return false
	}
	if isPython(language) {
		_, err := notebook.Read(path, text)
		return err == nil
	}
	return true
}

// place maps a place in the Python source of the cells to a span of the JSON text.
func (l *rawNotebook) place(s *source.Source, p source.Place) source.Span {
	if len(s.Segments()) == 0 {
		return source.Span{}
	}
	return l.notebook.Place(s.Segments()[p.Segment].Cell, p.Span)
}

// offset maps an offset of the JSON text to one of the Python source. It reports false if no cell
// has the offset.
func (l *rawNotebook) offset(s *source.Source, at int) (int, bool) {
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

// within returns the span of the Python source that lies within a span of the JSON text.
func (l *rawNotebook) within(s *source.Source, at source.Span) (span source.Span, ok bool) {
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

// segmentOf returns the index of the segment for a cell, or -1.
func segmentOf(s *source.Source, cell int) int {
	segments := s.Segments()
	i := sort.Search(len(segments), func(i int) bool { return segments[i].Cell >= cell })
	if i == len(segments) || segments[i].Cell != cell {
		return -1
	}
	return i
}

// edits translates edits of the Python source to edits of the JSON text: one edit per cell.
func (l *rawNotebook) edits(s *source.Source, edits []source.Edit) (out []partEdit) {
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

// replace returns the edits of the JSON text that give a cell another text. It returns nil if the
// file has no text for the cell.
func (l *rawNotebook) replace(cell int, after string) (out []partEdit) {
	e, err := l.notebook.Replace(cell, after)
	if err != nil {
		return nil
	}
	for _, e := range changes(l.lines.Text(), e, 10) {
		out = append(out, partEdit{0, e})
	}
	return out
}

// readRaw parses the newest text of a notebook's file and reports whether there is something to
// analyse. A text that is not valid JSON is an unfinished edit: the last diagnostics stay until
// it parses again.
func (d *document) readRaw() bool {
	if d.worker == nil { // it is asleep
		d.raw = &rawNotebook{lines: source.NewLines(d.parts[0].text)}
		return false
	}
	was := d.unread
	var err error
	d.raw, err = d.raw.next(d.path, d.parts[0].text)
	switch {
	case err == nil:
		d.unread = readable
		return true
	case errors.Is(err, notebook.ErrSyntax):
		if d.unread = broken; was == foreign {
			d.unread = foreign // nothing was published
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
	broken          // it is not valid JSON
	foreign         // it is not a notebook, or not one in Python
)

// sleep stops the analysis of a notebook's file while the notebook itself is open too. The
// notebook's own diagnostics are more precise, and each problem must appear once.
func (d *document) sleep() {
	if d.raw != nil && d.worker != nil {
		d.retract()
		d.close()
		d.worker = nil
	}
}

// wake resumes the analysis. It does nothing if an edit was lost, because then the text is not
// what the client has.
func (d *document) wake(newWorker func(path string) *worker) {
	if d.raw != nil && d.worker == nil {
		d.worker = newWorker(d.path)
		if !d.lost {
			d.submit()
		}
	}
}
