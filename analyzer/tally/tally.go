// Package tally counts the lines, rows and characters of a text, however long it is. It holds no more
// of it than one buffer.
package tally

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// A Text is what is counted of a text.
type Text struct {
	Bytes int64 `json:"bytes"`
	// Characters are those that Python reads of UTF-8, where each line ending is one.
	Characters int64 `json:"characters"`
	// Lines are Python's, which end in \n, \r\n or \r. Newlines are those that end in \n, as
	// TensorFlow's and those of bytes do. The last line needs no ending.
	Lines    int64 `json:"lines"`
	Newlines int64 `json:"newlines"`
	// First and Last are the numbers, from 1, of the first and last line of Newlines that is not blank;
	// 0 if there is none. Ended is set if the last one ends in \n.
	First int64 `json:"first"`
	Last  int64 `json:"last"`
	Ended bool  `json:"ended,omitempty"`
	// Records are the rows of a table with each separator, as pandas reads them: lines that are not
	// blank, unless a quoted field goes over several.
	Records map[string]int64 `json:"records"`
	// Quotes is set if there are quotes, which mean something else with another separator, and Returns
	// if some lines end in \r alone.
	Quotes  bool `json:"quotes,omitempty"`
	Returns bool `json:"returns,omitempty"`
	// Binary is set if it is no text; only Bytes is known then.
	Binary bool `json:"binary,omitempty"`
}

// Separators are those of tables in which quotes are followed.
const Separators = ",;\t"

// RowsOf returns how many rows a table has, the one with its header among them; ok is false if that
// depends on what is not followed.
func (t Text) RowsOf(separator string) (n int64, ok bool) {
	if n, ok = t.Records[separator]; !ok && !t.Quotes {
		n, ok = t.Records[","]
	}
	return n, ok && !t.Returns && !t.Binary
}

const (
	buffer        = 64 << 10
	byteOrderMark = "\ufeff"
)

// Read counts a text, and returns that as a text for [Parse].
func Read(r io.Reader) (string, error) {
	in := bufio.NewReaderSize(r, buffer)
	var t Text
	mark, err := in.Peek(len(byteOrderMark))
	if err != nil && err != io.EOF {
		return "", err
	}
	if string(mark) == byteOrderMark {
		n, err := in.Discard(len(mark))
		if err != nil {
			return "", err
		}
		t.Bytes, t.Characters = int64(n), 1
	}
	var tables [len(Separators)]table
	for i := range tables {
		tables[i].separator = Separators[i]
	}
	last := byte('\n') // before the part
	returns := int64(0)
	for {
		part, err := in.ReadSlice('\n')
		if bytes.IndexByte(part, 0) >= 0 {
			rest, err := io.Copy(io.Discard, in)
			return text(Text{Bytes: t.Bytes + int64(len(part)) + rest, Binary: true}), err
		}
		if len(part) > 0 {
			t.count(part)
			returns += int64(bytes.Count(part, []byte{'\r'}))
			if line, ended := bytes.CutSuffix(part, []byte{'\n'}); ended && (bytes.HasSuffix(line, []byte{'\r'}) || len(line) == 0 && last == '\r') {
				returns--
				t.Characters--
			}
			quotes := bytes.IndexByte(part, '"') >= 0
			t.Quotes = t.Quotes || quotes
			for i := range tables {
				tables[i].read(part, last, quotes)
			}
			last = part[len(part)-1]
		}
		switch err {
		case nil, bufio.ErrBufferFull:
		case io.EOF:
			t.Lines, t.Returns, t.Ended = t.Newlines+returns, returns > 0, t.Bytes > 0 && last == '\n'
			if last != '\n' {
				t.Newlines++
				if last != '\r' {
					t.Lines++
				}
			}
			t.Records = map[string]int64{}
			for _, table := range tables {
				if table.state != quoted { // where pandas raises
					table.end()
					t.Records[string(table.separator)] = table.records
				}
			}
			return text(t), nil
		default:
			return "", err
		}
	}
}

// count counts what is in a part of a line.
func (t *Text) count(part []byte) {
	number := t.Newlines + 1
	if t.Last < number && len(bytes.TrimLeft(part, " \t\n\v\f\r\x1c\x1d\x1e\x1f")) > 0 {
		t.Last = number
		if t.First == 0 {
			t.First = number
		}
	}
	t.Bytes += int64(len(part))
	for _, b := range part {
		if b&0xC0 != 0x80 {
			t.Characters++
		}
	}
	if part[len(part)-1] == '\n' {
		t.Newlines++
	}
}

func text(t Text) string {
	out, err := json.Marshal(t)
	if err != nil {
		panic(err) // it has only numbers
	}
	return string(out)
}

// Parse reads what [Read] returned.
func Parse(text string) (t Text, ok bool) { return t, json.Unmarshal([]byte(text), &t) == nil }

// A table counts rows as pandas' tokenizer does (pandas/_libs/src/parser/tokenizer.c): a field that
// begins with a quote ends at the next one that is not doubled, and blank lines are left out.
type table struct {
	separator byte
	records   int64
	state     state
	begun     bool // the record has more than blanks
}

type state uint8

const (
	plain  state = iota
	quoted       // in a field that began with a quote
	ended        // after the quote that ends it, unless another follows
)

// read reads a part of a line, which may be all of it. before is the byte before it; quotes says
// whether it has any.
func (t *table) read(part []byte, before byte, quotes bool) {
	for at := 0; (quotes || t.state == ended) && at < len(part); {
		if t.state == ended {
			t.state = plain
			if part[at] == '"' {
				t.state = quoted
				at++
			}
			continue
		}
		i := bytes.IndexByte(part[at:], '"')
		if i < 0 {
			break
		}
		at += i
		if at > 0 {
			before = part[at-1]
		}
		switch {
		case t.state == quoted:
			t.state = ended
		case before == t.separator || before == '\n' || !t.begun && t.blank(part[:at]):
			t.state = quoted
		}
		t.begun = true
		at++
	}
	if t.state == quoted {
		return
	}
	t.begun = t.begun || part[0] > ' ' || !t.blank(part)
	if part[len(part)-1] == '\n' {
		t.end()
	}
}

// end ends a record.
func (t *table) end() {
	if t.begun {
		t.records++
	}
	t.begun, t.state = false, plain
}

// blank reports whether a part of a line says nothing.
func (t *table) blank(part []byte) bool {
	for _, b := range part {
		if b == t.separator || b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return false
		}
	}
	return true
}
