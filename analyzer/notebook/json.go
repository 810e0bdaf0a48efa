package notebook

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A document is JSON that is known to be valid. It is walked in place, because unchanged parts
// must be written back byte by byte, and no decoder returns the positions of values.
type document struct{ data string }

// A kind is the first byte of a JSON value, which determines its type; 0 means none.
type kind byte

func (k kind) String() string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// A value is a value of a document, or none for the zero value.
type value struct {
	kind       kind
	start, end int
}

func (d document) slice(v value) string { return d.data[v.start:v.end] }

// first returns the value that starts at or after an offset.
func (d document) first(at int) value {
	at = d.space(at)
	v := value{kind: kind(d.data[at]), start: at}
	switch v.kind {
	case '"':
		v.end = d.afterString(at)
	case '{', '[':
		for depth := 0; ; at++ {
			switch d.data[at] {
			case '"':
				at = d.afterString(at) - 1
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			if depth == 0 {
				v.end = at + 1
				return v
			}
		}
	default:
		v.end = at
		for v.end < len(d.data) && !strings.ContainsRune(",]} \t\r\n", rune(d.data[v.end])) {
			v.end++
		}
	}
	return v
}

func (d document) space(at int) int {
	for at < len(d.data) && strings.IndexByte(" \t\r\n", d.data[at]) >= 0 {
		at++
	}
	return at
}

func (d document) afterString(at int) int {
	for at++; ; at++ {
		at += strings.IndexByte(d.data[at:], '"')
		escapes := 0
		for d.data[at-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at + 1
		}
	}
}

// elements returns the values in a list, in order.
func (d document) elements(list value) iter.Seq[value] {
	return func(yield func(value) bool) {
		if list.kind != '[' {
			return
		}
		for at := d.space(list.start + 1); d.data[at] != ']'; {
			v := d.first(at)
			if !yield(v) {
				return
			}
			if at = d.space(v.end); d.data[at] == ',' {
				at = d.space(at + 1)
			}
		}
	}
}

// members returns the values of an object's members with the given names, or none. Of several
// members with one name the last counts, as in decoders.
func (d document) members(object value, names ...string) []value {
	found := make([]value, len(names))
	if object.kind != '{' {
		return found
	}
	for at := d.space(object.start + 1); d.data[at] != '}'; {
		key := d.first(at)
		v := d.first(d.space(key.end) + 1)
		if i := slices.Index(names, decode(d.slice(key))); i >= 0 {
			found[i] = v
		}
		if at = d.space(v.end); d.data[at] == ',' {
			at = d.space(at + 1)
		}
	}
	return found
}

func (d document) member(object value, name string) value { return d.members(object, name)[0] }

// string returns a text, "" if the value is none.
func (d document) string(v value) string {
	if v.kind != '"' {
		return ""
	}
	return decode(d.slice(v))
}

// decode returns the text of a JSON string. Half of a surrogate pair, which UTF-8 does not allow,
// becomes the three bytes that it would have, so that encode restores it.
func decode(quoted string) string {
	s := quoted[1 : len(quoted)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'u':
			r := unit(s[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				if whole := utf16.DecodeRune(r, second(s[i+1:])); whole != utf8.RuneError {
					r = whole
					i += 6
				} else {
					b.Write([]byte{0xe0 | byte(r>>12), 0x80 | byte(r>>6)&0x3f, 0x80 | byte(r)&0x3f})
					continue
				}
			}
			b.WriteRune(r)
		default: // the quotation mark, the slash and the backslash themselves
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// unit parses four hexadecimal digits.
func unit(s string) rune {
	n, _ := strconv.ParseUint(s[:4], 16, 16)
	return rune(n)
}

// second returns the escape at the start of s, or 0.
func second(s string) rune {
	if strings.HasPrefix(s, `\u`) {
		return unit(s[2:])
	}
	return 0
}

// encode returns a text as a JSON string, as Python's json writes it: characters beyond ASCII as
// they are or, if ascii, as escapes.
func encode(text string, ascii bool) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	b.WriteByte('"')
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteByte(text[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		case r == utf8.RuneError && size == 1: // half of a pair, by its first byte
			if i+2 < len(text) && text[i] == 0xed {
				size = 3
				r = rune(text[i]&0x0f)<<12 | rune(text[i+1]&0x3f)<<6 | rune(text[i+2]&0x3f)
			}
			fmt.Fprintf(&b, `\u%04x`, r)
		case r >= 0x10000 && ascii:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		case r >= 0x7f && ascii:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	b.WriteByte('"')
	return b.String()
}

// escapesOnly reports whether a document writes characters beyond ASCII as escapes. Without any
// it reports false, as nbformat does.
func escapesOnly(data string) bool {
	for i := range len(data) {
		if data[i] >= utf8.RuneSelf {
			return false
		}
	}
	for i := strings.Index(data, `\u`); i >= 0 && i+6 <= len(data); {
		// After two backslashes this is not an escape, but then it seldom looks so much like one.
		if n, err := strconv.ParseUint(data[i+2:i+6], 16, 16); err == nil && n >= utf8.RuneSelf {
			return true
		}
		next := strings.Index(data[i+2:], `\u`)
		if next < 0 {
			break
		}
		i += 2 + next
	}
	return false
}
