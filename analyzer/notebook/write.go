package notebook

import (
	"fmt"
	"sort"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
)

// With returns the bytes of the notebook with the texts that its cells have in s, which was made
// from one of its sources by edits. Unchanged parts keep their bytes: everything but the cells'
// texts, and the unchanged lines of a text that is a list.
func (n *Notebook) With(s *source.Source) (string, error) {
	var edits []source.Edit
	for _, g := range s.Segments() {
		if c, err := n.cell(g.Cell); err == nil && g.Raw == c.text {
			continue
		}
		edit, err := n.Replace(g.Cell, g.Raw)
		if err != nil {
			return "", fmt.Errorf("writing %s: %w", n.path, err)
		}
		edits = append(edits, edit)
	}
	return source.Apply(n.data, edits)
}

// Replace returns the edit of the file that gives the cell with a number another text. In a list
// of lines it touches no line before the first that differs, and none after the last.
func (n *Notebook) Replace(number int, text string) (source.Edit, error) {
	c, err := n.cell(number)
	if err != nil {
		return source.Edit{}, err
	}
	switch c.source.kind {
	case '"':
		return source.Edit{Span: source.Span{Start: c.source.start, End: c.source.end}, New: encode(text, n.ascii)}, nil
	case '[':
		return n.replaceLines(c, text), nil
	}
	return source.Edit{}, fmt.Errorf("cell %d has no text that could be replaced", number)
}

// cell returns the cell with a number.
func (n *Notebook) cell(number int) (*cell, error) {
	i := sort.Search(len(n.cells), func(i int) bool { return n.cells[i].number >= number })
	if i == len(n.cells) || n.cells[i].number != number {
		return nil, fmt.Errorf("there is no cell %d of Python", number)
	}
	return &n.cells[i], nil
}

// replaceLines replaces the lines that differ in a list of lines.
func (n *Notebook) replaceLines(c *cell, text string) source.Edit {
	d := document{n.data}
	var old []value
	for v := range d.elements(c.source) {
		old = append(old, v)
	}
	lines := func(i, j int) (texts []string) {
		for _, v := range old[i:j] {
			texts = append(texts, decode(d.slice(v)))
		}
		return texts
	}
	before, new := lines(0, len(old)), splitLines(text)
	first := 0
	for first < len(before) && first < len(new) && before[first] == new[first] {
		first++
	}
	last := 0 // lines from the end
	for last < len(before)-first && last < len(new)-first && before[len(before)-1-last] == new[len(new)-1-last] {
		last++
	}
	inner := source.Span{Start: c.source.start + 1, End: c.source.end - 1}
	opening, between := n.layout(old, inner)
	var b strings.Builder
	for i, line := range new[first : len(new)-last] {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(encode(line, n.ascii))
	}
	removed := old[first : len(old)-last]
	switch {
	case len(removed) == 0 && b.Len() == 0: // nothing differs
		return source.Edit{Span: source.Span{Start: c.source.start, End: c.source.start}}
	case len(removed) > 0 && b.Len() > 0:
		return source.Edit{Span: source.Span{Start: removed[0].start, End: removed[len(removed)-1].end}, New: b.String()}
	case b.Len() > 0 && first > 0: // after the lines before
		return source.Edit{Span: source.Span{Start: old[first-1].end, End: old[first-1].end}, New: between + b.String()}
	case b.Len() > 0 && last > 0: // before the first line
		return source.Edit{Span: source.Span{Start: old[0].start, End: old[0].start}, New: b.String() + between}
	case b.Len() > 0:
		return source.Edit{Span: inner, New: opening + b.String()}
	case first > 0: // removed lines, with their commas
		return source.Edit{Span: source.Span{Start: old[first-1].end, End: removed[len(removed)-1].end}}
	case last > 0:
		return source.Edit{Span: source.Span{Start: removed[0].start, End: old[len(old)-last].start}}
	}
	return source.Edit{Span: inner}
}

// layout returns what precedes the first text of a list, and what is between two.
func (n *Notebook) layout(old []value, inner source.Span) (opening, between string) {
	switch len(old) {
	case 0:
		return "", ", "
	case 1:
		opening = n.data[inner.Start:old[0].start]
		if opening == "" {
			return "", ", "
		}
		return opening, "," + opening
	}
	return n.data[inner.Start:old[0].start], n.data[old[0].end:old[1].start]
}

// splitLines returns the lines of a text with their ends, as nbformat splits it.
func splitLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}
