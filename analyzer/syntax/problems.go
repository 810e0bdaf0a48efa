package syntax

import (
	"regexp"
	"strings"
)

// A Problem is a place where a text is not Python, in bytes of the text, with what is wrong there.
type Problem struct {
	Start, End int
	Message    string
}

const notPython = "This is not valid Python"

// Problems returns a problem for each stretch of statements that do not parse. The grammar is of
// 2024; what Python has learned since then is none.
func (t *Tree) Problems() []Problem {
	var out []Problem
	for first := 0; first < t.Len(); first++ {
		if s := t.Statement(first); !s.HasError() {
			if t.broken(first) {
				line, _, _ := strings.Cut(s.Text(), "\n")
				out = append(out, Problem{s.Start(), s.Start() + len(strings.TrimRight(line, "\r")), notPython})
			}
			continue
		}
		// An error that is not at its end makes the next statement one, too.
		last := first
		for last+1 < t.Len() && t.Statement(last+1).HasError() {
			last++
		}
		start, end := t.Statement(first).Start(), t.Statement(last).End()
		if p, found := t.problem(first, t.text[start:end]); found {
			p.Start, p.End = p.Start+start, p.End+start
			out = append(out, p)
		}
		first = last
	}
	return out
}

// problem returns the problem of a stretch of text that begins with a broken statement.
func (t *Tree) problem(first int, text string) (Problem, bool) {
	tree := t
	if older := older(text); older != text {
		tree, first = Parse(older), 0
		for ; first < tree.Len() && !tree.Statement(first).HasError(); first++ {
		}
		if first == tree.Len() {
			return Problem{}, false
		}
	}
	open, found := unclosed(text)
	start := 0
	if tree == t {
		start = t.Statement(first).Start()
	}
	n := innermost(tree.Statement(first))
	p := Problem{Start: n.Start() - start, End: n.End() - start, Message: notPython}
	p.Start = min(p.Start, len(text))
	p.End = min(max(p.End, p.Start), len(text))
	// tree-sitter notes what is not closed before or after its place.
	if found && (open.Start <= p.End || !strings.Contains(text[p.End:open.Start], "\n")) {
		return open, true
	}
	if line, _, more := strings.Cut(text[p.Start:p.End], "\n"); more {
		p.End = p.Start + len(strings.TrimRight(line, "\r"))
	}
	return p, true
}

// innermost returns the smallest node with the first error in a statement.
func innermost(n Node) Node {
	for {
		inner := Node{}
		for c := range n.Children() {
			if c.HasError() {
				inner = c
				break
			}
		}
		if !inner.Valid() {
			return n
		}
		n = inner
	}
}

var (
	template       = regexp.MustCompile(`\b(?:[tT][rR]?|[rR][tT])["']`)
	exceptions     = regexp.MustCompile(`\bexcept\b\s*\*?\s*[^:(\n]+:`)
	typeParameters = regexp.MustCompile(`\b(?:class|def|type)\s+\w+\s*\[`)
	starred        = regexp.MustCompile(`\b(?:return|yield)\s+\*`)
	lineEnd        = regexp.MustCompile(`\.[ \t]*\r?\n[ \t]*`)
)

// longestParameters is how long a list of type parameters may be, in bytes.
const longestParameters = 4096

// older writes what is newer than the grammar in an older way, of the same length: template
// strings and exceptions without parentheses (Python 3.14), defaults of type parameters (3.13), and
// a starred display that is returned first (3.8). It
// does so in strings, too: the result only tells whether there is an error. So does an attribute in
// parentheses on the next line, which the grammar misses where that line is less indented.
func older(text string) string {
	b := []byte(text)
	for _, m := range template.FindAllStringIndex(text, -1) {
		for i := m[0]; i < m[1]; i++ {
			if b[i]|0x20 == 't' {
				b[i] = 'f'
			}
		}
	}
	for _, m := range exceptions.FindAllStringIndex(text, -1) {
		for i := m[0]; i < m[1]; i++ {
			if b[i] == ',' {
				b[i] = '|'
			}
		}
	}
	for _, m := range typeParameters.FindAllStringIndex(text, -1) {
		blankDefaults(b[m[1]:min(len(b), m[1]+longestParameters)])
	}
	for _, m := range starred.FindAllStringIndex(text, -1) {
		b[m[1]-1] = ' '
	}
	depth, seen := 0, 0
	for _, m := range lineEnd.FindAllStringIndex(text, -1) {
		depth += strings.Count(text[seen:m[0]], "(") - strings.Count(text[seen:m[0]], ")")
		if seen = m[0]; depth > 0 {
			for i := m[0] + 1; i < m[1]; i++ {
				b[i] = ' '
			}
		}
	}
	return string(b)
}

// blankDefaults replaces the defaults of a list of type parameters, up to its "]", by blanks.
func blankDefaults(b []byte) {
	depth, blank := 0, false
	for i, c := range b {
		switch {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			if depth--; depth < 0 {
				return
			}
		case depth == 0 && c == ',':
			blank = false
		case depth == 0 && c == '=':
			blank = true
		}
		if blank {
			b[i] = ' '
		}
	}
}

// unclosed returns the first bracket or string of a text that is not closed, or the first bracket
// that closes none.
func unclosed(text string) (Problem, bool) {
	var open []int
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '#':
			if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
				i += end
			} else {
				i = len(text)
			}
		case '"', '\'':
			end := stringEnd(text, i)
			if end < 0 {
				return Problem{Start: i, End: i + 1, Message: "This string is not closed"}, true
			}
			i = end - 1
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if len(open) == 0 {
				return Problem{Start: i, End: i + 1, Message: "\"" + string(c) + "\" closes nothing"}, true
			}
			last := open[len(open)-1]
			if closing := closing(text[last]); closing != c {
				return Problem{Start: i, End: i + 1, Message: "\"" + string(c) + "\" does not close \"" + string(text[last]) + "\""}, true
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return Problem{}, false
	}
	last := open[len(open)-1]
	return Problem{Start: last, End: last + 1, Message: "\"" + string(text[last]) + "\" is never closed"}, true
}

func closing(opening byte) byte {
	return map[byte]byte{'(': ')', '[': ']', '{': '}'}[opening]
}

// stringEnd returns the end of the string literal whose first quote is at i, or -1 if there is none.
// Quotes inside the braces of an f-string may be the same as those around it since Python 3.12; they
// are taken for its end, which leaves a string of its own behind.
func stringEnd(text string, i int) int {
	quote := text[i : i+1]
	if strings.HasPrefix(text[i:], strings.Repeat(quote, 3)) {
		quote = text[i : i+3]
	}
	for j := i + len(quote); j < len(text); j++ {
		switch {
		case text[j] == '\\':
			j++
		case strings.HasPrefix(text[j:], quote):
			return j + len(quote)
		case text[j] == '\n' && len(quote) == 1:
			return -1
		}
	}
	return -1
}
