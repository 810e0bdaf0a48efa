package notebook

import (
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/source"
)

// A run is a stretch of a cell's text within one JSON string of the file. It is at most a line,
// so that little must be read to find a place.
type run struct {
	at         int // in the cell's text
	start, end int // in the file, from where the cell's source starts
}

// addRuns adds the runs of the file's string v, which begins at an offset of the cell's text.
func (c *cell) addRuns(d document, v value, at int) {
	end := v.end - 1
	next := run{at: at, start: v.start + 1 - c.source.start}
	for i := v.start + 1; ; {
		j := strings.IndexByte(d.data[i:end], '\\')
		if j < 0 {
			next.end = end - c.source.start
			c.runs = append(c.runs, next)
			return
		}
		size, width := escape(d.data[i+j:])
		at += j + width
		newline := d.data[i+j+1] == 'n'
		if i += j + size; newline && i < end {
			next.end = i - c.source.start
			c.runs = append(c.runs, next)
			next = run{at: at, start: i - c.source.start}
		}
	}
}

// escape returns the length of the escape at the start of s, and of its text.
func escape(s string) (size, width int) {
	if s[1] != 'u' {
		return 2, 1
	}
	r := unit(s[2:])
	switch {
	case !utf16.IsSurrogate(r):
		return 6, utf8.RuneLen(r)
	case utf16.DecodeRune(r, second(s[6:])) != utf8.RuneError:
		return 12, 4
	}
	return 6, 3 // see decode
}

// Place maps a span of the text of the cell with a number to the file. It does not split escapes.
// If a line ends where its string ends, a span that ends there ends before the quotation mark,
// and a span that starts there starts after the next one.
func (n *Notebook) Place(number int, span source.Span) source.Span {
	c, err := n.cell(number)
	if err != nil {
		return source.Span{}
	}
	if len(c.runs) == 0 { // an empty list, or nothing at all
		return source.Span{Start: c.source.start, End: c.source.start}
	}
	runs := c.runs
	first := max(sort.Search(len(runs), func(i int) bool { return runs[i].at > span.Start })-1, 0)
	at := source.Span{Start: n.inFile(c, runs[first], span.Start)}
	if span.Len() == 0 {
		at.End = at.Start
		return at
	}
	last := max(sort.Search(len(runs), func(i int) bool { return runs[i].at >= span.End })-1, 0)
	at.End = n.inFile(c, runs[last], span.End)
	return at
}

// inFile maps an offset of a cell's text that lies in a run to the file.
func (n *Notebook) inFile(c *cell, r run, offset int) int {
	at, end := r.at, c.source.start+r.end
	for i := c.source.start + r.start; ; {
		j := strings.IndexByte(n.data[i:end], '\\')
		if j < 0 || at+j >= offset {
			return min(i+max(offset-at, 0), end)
		}
		size, width := escape(n.data[i+j:])
		if at += j + width; at > offset {
			return i + j
		}
		i += j + size
	}
}

// At maps an offset in the file to the number of a cell and the offset in the cell's text; an
// offset within an escape to the start of the escape. It reports false outside of the texts of
// cells: around them, and between their lines.
func (n *Notebook) At(offset int) (number, at int, ok bool) {
	i := sort.Search(len(n.cells), func(i int) bool { return n.cells[i].source.start > offset }) - 1
	if i < 0 {
		return 0, 0, false
	}
	c := &n.cells[i]
	within := offset - c.source.start
	k := sort.Search(len(c.runs), func(k int) bool { return c.runs[k].start > within }) - 1
	if k < 0 || within > c.runs[k].end {
		return 0, 0, false
	}
	at = c.runs[k].at
	for i := c.source.start + c.runs[k].start; ; {
		j := strings.IndexByte(n.data[i:offset], '\\')
		if j < 0 {
			return c.number, at + offset - i, true
		}
		size, width := escape(n.data[i+j:])
		if i+j+size > offset {
			return c.number, at + j, true
		}
		at += j + width
		i += j + size
	}
}

// Within returns the span of the text of the cell with a number that lies within a span of the
// file. It reports false if there is none.
func (n *Notebook) Within(number int, span source.Span) (within source.Span, ok bool) {
	c, err := n.cell(number)
	if err != nil || c.source.end < span.Start || c.source.start > span.End {
		return source.Span{}, false
	}
	for _, r := range c.runs {
		start, end := c.source.start+r.start, c.source.start+r.end
		if end < span.Start || start > span.End {
			continue
		}
		if !ok {
			_, within.Start, ok = n.At(max(start, span.Start))
		}
		_, within.End, _ = n.At(min(end, span.End))
	}
	return within, ok
}
