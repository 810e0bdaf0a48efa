package settings

import (
	"bytes"
	"regexp"
	"strings"
)

// A place says what can be typed at an offset of a settings file.
type place struct {
	kind placeKind
	// path holds the keys that lead to the place: of the header, of inline tables and of the line.
	path []string
	// word is the part that is typed already, and quote the quotation mark before it, or 0.
	word  string
	quote byte
	list  bool // it is an item of a list
}

type placeKind uint8

const (
	nowhere placeKind = iota // in a comment, after a value
	inHeader
	inKey
	inValue
)

// longestUnfinished is how many lines are searched for the beginning of an unfinished value.
const longestUnfinished = 40

// placeOf finds what can be typed at the end of a text. The TOML library reads everything
// before the last expression; [place.read] reads that expression, which is incomplete.
func placeOf(text []byte) place {
	line := 1 + bytes.LastIndexByte(text, '\n')
	start := line
	for range longestUnfinished {
		if above, ok := headerBefore(text[:start]); ok {
			if at := (&place{path: above}).read(string(text[start:])); start == line || at.kind != nowhere {
				return at
			}
			break
		}
		if start == 0 {
			break
		}
		start = 1 + bytes.LastIndexByte(text[:start-1], '\n')
	}
	// There is another error further up. Only the line itself, and what looks like the nearest
	// header, can be used.
	var header []string
	if all := headerLine.FindAllSubmatch(text[:line], -1); len(all) > 0 {
		header = splitKey(string(all[len(all)-1][1]))
	}
	return (&place{path: header}).read(string(text[line:]))
}

var headerLine = regexp.MustCompile(`(?m)^[ \t]*\[([^\[\]"\n]+)\]`)

// read reads an incomplete expression.
func (p *place) read(s string) place {
	s = strings.TrimLeft(s, " \t\r\n")
	if strings.HasPrefix(s, "[") {
		inside := strings.TrimLeft(strings.TrimLeft(s, "["), " \t")
		if strings.HasPrefix(s, "[[") || strings.ContainsAny(inside, "]\n#") {
			return place{}
		}
		return place{kind: inHeader, word: inside}
	}
	rest := s
	type outer struct {
		base, path []string
		list       bool
	}
	var above []outer // the tables and lists that are open
	base := p.path
	for {
		// A key.
		key, after, found := cutKey(rest)
		if !found {
			if strings.HasPrefix(strings.TrimLeft(rest, " \t"), "#") || strings.Contains(rest, "\n") {
				return place{}
			}
			word := strings.TrimLeft(rest, " \t")
			at := place{kind: inKey, path: base}
			if word != "" && (word[0] == '"' || word[0] == '\'') {
				at.quote, word = word[0], word[1:]
			} else if i := strings.LastIndexByte(word, '.'); i >= 0 {
				at.path, word = append(base[:len(base):len(base)], splitKey(word[:i])...), word[i+1:]
			}
			if at.word = word; at.quote == 0 && strings.ContainsFunc(word, func(r rune) bool { return r > 'z' || !isBare(byte(r)) }) {
				return place{}
			}
			return at
		}
		path := append(base[:len(base):len(base)], splitKey(key)...)
		list := false
		rest = after
		// What follows, up to the next key.
	value:
		for {
			rest = strings.TrimLeft(rest, " \t")
			if len(above) > 0 {
				rest = strings.TrimLeft(rest, " \t\r\n")
			}
			switch {
			case rest == "":
				return place{kind: inValue, path: path, list: list}
			case rest[0] == '"' || rest[0] == '\'':
				text, after, closed := cutString(rest)
				if !closed {
					return place{kind: inValue, path: path, word: text, quote: rest[0], list: list}
				}
				if rest = strings.TrimLeft(after, " \t"); rest == "" {
					return place{}
				}
			case rest[0] == '[':
				above = append(above, outer{base, path, list})
				list, rest = true, rest[1:]
			case rest[0] == '{':
				above = append(above, outer{base, path, list})
				base, rest = path, rest[1:]
				break value
			case rest[0] == ']' || rest[0] == '}':
				if len(above) == 0 {
					return place{}
				}
				o := above[len(above)-1]
				above, base, path, list, rest = above[:len(above)-1], o.base, o.path, o.list, rest[1:]
				if strings.TrimSpace(rest) == "" {
					return place{}
				}
			case rest[0] == ',':
				rest = rest[1:]
				if !list {
					break value
				}
			case rest[0] == '\n' || rest[0] == '\r':
				return place{} // it is not part of one expression
			case rest[0] == '#':
				_, after, more := strings.Cut(rest, "\n")
				if !more {
					return place{}
				}
				rest = after
			default:
				end := strings.IndexAny(rest, ",]} \t\r\n#")
				if end < 0 {
					return place{kind: inValue, path: path, word: rest, list: list}
				}
				rest = rest[end:]
			}
		}
	}
}

// cutKey splits off the key before a "=".
func cutKey(s string) (key, after string, found bool) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			text, _, closed := cutString(s[i:])
			if !closed {
				return "", "", false
			}
			i += len(text) + 1
		case '\n', '#':
			return "", "", false
		case '=':
			return strings.TrimSpace(s[:i]), s[i+1:], true
		}
	}
	return "", "", false
}

// cutString splits off a string, without its quotes. closed is false if it does not end on its
// line.
func cutString(s string) (text, after string, closed bool) {
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch {
		case s[i] == '\\' && s[0] == '"':
			i++
		case s[i] == s[0]:
			return s[1:i], s[i+1:], true
		}
	}
	return s[1:], "", false
}

// splitKey returns a key's parts, without quotes.
func splitKey(key string) []string {
	var out []string
	for key != "" {
		key = strings.TrimLeft(key, " \t.")
		if key == "" {
			break
		}
		if key[0] == '"' || key[0] == '\'' {
			text, after, _ := cutString(key)
			out, key = append(out, text), after
			continue
		}
		part, rest, _ := strings.Cut(key, ".")
		out, key = append(out, strings.TrimSpace(part)), rest
	}
	return out
}
