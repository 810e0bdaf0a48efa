package notebook

import (
	"encoding/json"
	"slices"

	"github.com/tfmem/tfmem/analyzer/source"
)

// Edited parses an edited notebook, as Read does. If the edit is within one string of a cell, as
// during typing, it parses only that cell again.
func (n *Notebook) Edited(data string) (*Notebook, error) {
	span := difference(n.data, data)
	delta := len(data) - len(n.data)
	i, _ := slices.BinarySearchFunc(n.cells, span.Start, func(c cell, at int) int { return c.source.end - at })
	if i == len(n.cells) || n.cells[i].source.start >= span.Start || n.cells[i].source.end <= span.End {
		return Read(n.path, data)
	}
	next := &Notebook{path: n.path, data: data, cells: slices.Clone(n.cells), ascii: n.ascii}
	c := &next.cells[i]
	literal, ok := document{n.data}.holding(c.source, span)
	if !ok || !json.Valid([]byte(data[literal.start:literal.end+delta])) || invalid(data[literal.start:literal.end+delta]) >= 0 {
		return Read(n.path, data)
	}
	c.source.end += delta
	c.runs = nil
	if err := c.read(document{data}); err != nil {
		return Read(n.path, data)
	}
	for k := range next.cells[i+1:] {
		later := &next.cells[i+1+k].source
		later.start, later.end = later.start+delta, later.end+delta
	}
	next.ascii = escapesOnly(data)
	return next, nil
}

// holding returns the string that contains a span between its quotation marks: v, or an item of
// the list v.
func (d document) holding(v value, span source.Span) (value, bool) {
	within := func(v value) bool { return v.kind == '"' && v.start < span.Start && span.End < v.end }
	if within(v) {
		return v, true
	}
	for e := range d.elements(v) {
		if within(e) {
			return e, true
		}
	}
	return value{}, false
}

// difference returns the span of a text that differs from the next text.
func difference(text, next string) source.Span {
	const block = 1 << 12 // compared at once
	most := min(len(text), len(next))
	start := 0
	for start+block <= most && text[start:start+block] == next[start:start+block] {
		start += block
	}
	for start < most && text[start] == next[start] {
		start++
	}
	same := 0
	for same+block <= most-start && text[len(text)-same-block:len(text)-same] == next[len(next)-same-block:len(next)-same] {
		same += block
	}
	for same < most-start && text[len(text)-1-same] == next[len(next)-1-same] {
		same++
	}
	return source.Span{Start: start, End: len(text) - same}
}
