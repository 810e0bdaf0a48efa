package report

import (
	"fmt"
	"path/filepath"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// A position is a row and a column as people count: from 1, in characters.
type position struct {
	Row    int `json:"row"`
	Column int `json:"column"`
}

// A place is a span in terms that people use. The end is exclusive.
type place struct {
	cell       int // 0 for a file
	start, end position
}

// of returns the text that a related place of a finding in s belongs to.
func of(r rule.Related, s *source.Source) *source.Source {
	if r.Source != nil {
		return r.Source
	}
	return s
}

func locate(s *source.Source, span source.Span) place {
	p := s.Place(span)
	g := &s.Segments()[p.Segment]
	at := func(offset int) position {
		o := g.Lines().Position(offset, source.UTF32)
		return position{o.Line + 1, o.Column + 1}
	}
	return place{cell: g.Cell, start: at(p.Span.Start), end: at(p.Span.End)}
}

// A flat is the start of a finding for programs that know lines of files and nothing of cells. In a
// notebook it is the first line, and the cell is named in the message.
type flat struct {
	place
	message string
}

func flatten(s *source.Source, f rule.Finding) flat {
	return flat{locate(s, f.Span), source.Printable(f.Message)}.flattened()
}

func (at flat) flattened() flat {
	if at.cell > 0 {
		at.message = fmt.Sprintf("cell %d:%d:%d: %s", at.cell, at.start.Row, at.start.Column, at.message)
		at.start, at.end = position{1, 1}, position{1, 1}
	}
	return at
}

// shown returns the path of a file as a CI system names it: relative to its root, with slashes.
func (o Options) shown(path string) string {
	if absolute, err := filepath.Abs(path); err == nil && o.Root != "" && path != "-" {
		if rel, err := filepath.Rel(o.Root, absolute); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
	}
	return filepath.ToSlash(path)
}

// where returns "path:row:column", with the cell before the row in a notebook.
func where(s *source.Source, span source.Span, p Palette) string {
	at := locate(s, span)
	cell := ""
	if at.cell > 0 {
		cell = fmt.Sprintf("cell %d:", at.cell)
	}
	return fmt.Sprintf("%s:%s%d:%d", p.Path(source.Printable(s.Path)), cell, at.start.Row, at.start.Column)
}

// Locate returns the start of a span in numbers that people use: from 1, the column in
// characters, the row from the start of the cell in a notebook. The cell is 0 in a file.
func Locate(s *source.Source, span source.Span) (cell, row, column int) {
	at := locate(s, span)
	return at.cell, at.start.Row, at.start.Column
}

// Where returns the start of a span as people and editors read it: "path:row:column".
func Where(s *source.Source, span source.Span, p Palette) string { return where(s, span, p) }
