package source

import (
	"errors"
	"fmt"
	"strings"
)

// ErrMasked is returned for edits of text that the owner's file does not have, or that would mean
// something else there.
var ErrMasked = errors.New("the edit is of text that stands for another")

// Editable reports whether an edit can be made in the raw text of one segment. Text of several
// lines cannot be inserted if the lines of the segment lack something that the raw ones have,
// such as the indentation of a whole cell.
func (s *Source) Editable(e Edit) bool {
	p := s.Place(e.Span)
	if len(s.segments) == 0 || !p.Exact {
		return false
	}
	if !strings.ContainsAny(e.New, "\r\n") {
		return true
	}
	for _, piece := range s.segments[p.Segment].Pieces {
		if piece.Text.Len() == 0 && piece.Raw.Len() > 0 {
			return false
		}
	}
	return true
}

// Edited returns the source after edits in the raw text of their segments, rebuilt from that
// text. What the edits do not touch must not change, else the error is [ErrMasked].
func (s *Source) Edited(edits []Edit) (*Source, error) {
	text, err := Apply(s.text, edits)
	if err != nil {
		return nil, err
	}
	if s.Remake == nil {
		return New(s.Path, text), nil
	}
	bySegment := make([][]Edit, len(s.segments))
	for _, e := range edits {
		if !s.Editable(e) {
			return nil, ErrMasked
		}
		p := s.Place(e.Span)
		bySegment[p.Segment] = append(bySegment[p.Segment], Edit{Span: p.Span, New: e.New})
	}
	raw := make([]string, len(s.segments))
	for i := range s.segments {
		if raw[i], err = Apply(s.segments[i].Raw, bySegment[i]); err != nil {
			return nil, fmt.Errorf("in cell %d of %s: %w", s.segments[i].Cell, s.Path, err)
		}
	}
	next, err := s.Remake(raw)
	if err != nil {
		return nil, err
	}
	if next.text != text {
		return nil, ErrMasked
	}
	return next, nil
}
