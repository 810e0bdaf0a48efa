package source

import (
	"fmt"
	"iter"
	"sort"
	"strings"
	"unicode/utf8"
)

// An Encoding is the unit in which columns are counted.
type Encoding uint8

const (
	UTF8  Encoding = iota // bytes
	UTF16                 // UTF-16 code units, as LSP counts unless told otherwise
	UTF32                 // characters (code points), as people and JSON reports count
)

// A Position is a line and a column, both from 0. A column counts units of an
// [Encoding] from the line's start.
type Position struct{ Line, Column int }

// Lines is a line index of a text. A line ends after "\n", "\r\n" or a lone "\r", as in Python
// and in LSP. It is immutable.
type Lines struct {
	text   string
	count  int
	every  int   // a power of two
	starts []int // of line 0 and of each every-th line after it
}

// Of a text longer than longText bytes, one line in everyLong is indexed. Otherwise the index of
// a text of line breaks would take eight times its memory.
const (
	longText  = 8 << 20
	everyLong = 1 << 10
)

// NewLines indexes the lines of text.
func NewLines(text string) *Lines {
	if len(text) > longText {
		return newLines(text, everyLong)
	}
	return newLines(text, 1)
}

func newLines(text string, every int) *Lines {
	l := &Lines{text: text, count: 1, every: every, starts: make([]int, 1, 1+len(text)/(32*every))}
	if strings.IndexByte(text, '\r') < 0 { // usually true, and fast to check
		for at := 0; ; {
			end := strings.IndexByte(text[at:], '\n')
			if end < 0 {
				return l
			}
			at += end + 1
			l.add(at)
		}
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			l.add(i + 1)
		case '\r':
			if i+1 == len(text) || text[i+1] != '\n' {
				l.add(i + 1)
			}
		}
	}
	return l
}

// add adds the start of the next line.
func (l *Lines) add(start int) {
	if l.count&(l.every-1) == 0 {
		l.starts = append(l.starts, start)
	}
	l.count++
}

// Text returns the indexed text.
func (l *Lines) Text() string { return l.text }

// Count returns the number of lines. A text that ends in a line break has an empty last line.
func (l *Lines) Count() int { return l.count }

// Line returns the number, from 0, of the line that contains the byte at offset.
func (l *Lines) Line(offset int) int {
	line, _ := l.line(offset)
	return line
}

// line is Line with the start of the line.
func (l *Lines) line(offset int) (line, start int) {
	i := sort.SearchInts(l.starts, offset+1) - 1
	line, start = i*l.every, l.starts[i]
	for range min(l.every, l.count-line) - 1 {
		next := l.next(start)
		if next > offset {
			break
		}
		line, start = line+1, next
	}
	return line, start
}

// start returns the start of a line.
func (l *Lines) start(line int) int {
	at := l.starts[line/l.every]
	for range line % l.every {
		at = l.next(at)
	}
	return at
}

// next returns the start of the line after the one that starts at an offset.
func (l *Lines) next(start int) int { return NextLine(l.text, LineEnd(l.text, start)) }

// Span returns the bytes of a line without its line break.
func (l *Lines) Span(line int) Span {
	start, end := l.start(line), len(l.text)
	if line+1 < l.count {
		end = l.start(line + 1)
		if end > start && l.text[end-1] == '\n' {
			end--
		}
		if end > start && l.text[end-1] == '\r' {
			end--
		}
	}
	return Span{start, end}
}

// Position returns the position of the byte at offset; a byte inside a character has the position
// of the character. An offset beyond the text counts as its end. A byte that is not UTF-8 counts
// as one character.
func (l *Lines) Position(offset int, enc Encoding) Position {
	offset = l.characterStart(min(max(offset, 0), len(l.text)))
	line, start := l.line(offset)
	return Position{line, width(l.text[start:offset], enc)}
}

// characterStart returns the first byte of the character that contains the byte at offset.
func (l *Lines) characterStart(offset int) int {
	if offset == len(l.text) || utf8.RuneStart(l.text[offset]) {
		return offset
	}
	for start := offset - 1; start >= max(0, offset-utf8.UTFMax+1); start-- {
		if utf8.RuneStart(l.text[start]) {
			if _, size := utf8.DecodeRuneInString(l.text[start:]); start+size > offset {
				return start
			}
			break
		}
	}
	return offset
}

// Offset returns the byte at a position. As in LSP, a column beyond the line's end is its end,
// and a column inside a character is the character's start. A line that does not exist is an
// error.
func (l *Lines) Offset(p Position, enc Encoding) (int, error) {
	if p.Line < 0 || p.Line >= l.count {
		return 0, fmt.Errorf("line %d is outside the text, which has %d lines", p.Line, l.count)
	}
	if p.Column < 0 {
		return 0, fmt.Errorf("column %d on line %d is negative", p.Column, p.Line)
	}
	sp := l.Span(p.Line)
	at, units := sp.Start, 0
	for at < sp.End {
		r, size := utf8.DecodeRuneInString(l.text[at:sp.End])
		step := units1(r, size, enc)
		if units+step > p.Column {
			break
		}
		units += step
		at += size
	}
	return at, nil
}

// width returns the length of s in units of enc.
func width(s string, enc Encoding) int {
	if enc == UTF8 {
		return len(s)
	}
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			n++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		n += units1(r, size, enc)
		i += size
	}
	return n
}

func units1(r rune, size int, enc Encoding) int {
	switch {
	case enc == UTF8:
		return size
	case enc == UTF16 && r >= 0x10000:
		return 2
	}
	return 1
}

// LineStart returns the start of the line that contains the byte at an offset. It reads only that
// line, while [Lines] reads the whole text.
func LineStart(text string, at int) int {
	return strings.LastIndexAny(text[:breakStart(text, at)], "\r\n") + 1
}

// LineEnd returns the end of the line that contains the byte at an offset, without its line
// break.
func LineEnd(text string, at int) int {
	at = breakStart(text, at)
	if i := strings.IndexAny(text[at:], "\r\n"); i >= 0 {
		return at + i
	}
	return len(text)
}

// breakStart returns an offset, or the start of the line break that contains it.
func breakStart(text string, at int) int {
	if 0 < at && at < len(text) && text[at-1:at+1] == "\r\n" {
		return at - 1
	}
	return at
}

// NextLine returns the start of the line after the one that ends at an offset, or the end of the
// text.
func NextLine(text string, end int) int {
	if strings.HasPrefix(text[end:], "\r\n") {
		return end + 2
	}
	return min(end+1, len(text))
}

// NumberedLines are the lines of a text, from 1, without their endings.
func NumberedLines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			if !yield(number, strings.TrimRight(line, "\r\n")) {
				return
			}
		}
	}
}
