package notebook

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
)

const (
	// nothing replaces a line that is not Python: a statement that does nothing, wherever it
	// stands.
	nothing = "pass"
	// misplaced replaces the first line of a cell magic that is not the first of its cell, which
	// IPython refuses. It does as little as nothing, but differs from it, so that an edit that
	// inserts something before a cell magic does not look harmless.
	misplaced = "None"
	// unknown replaces the result of a shell line or a magic: an unknown value. JupyterLab's text
	// has get_ipython() there too.
	unknown = "get_ipython()"

	noBreakSpace = "\u00a0"
)

// mask makes Python of a cell's text. The pieces are nil if it is Python already. unclosed reports
// that a bracket or string is not closed.
func mask(raw string) (text string, pieces []source.Piece, unclosed bool) {
	m := &masker{raw: raw, indent: indentOf(raw)}
	m.cellMagics()
	for m.at < len(raw) {
		m.line()
	}
	if unclosed = m.depth > 0 || len(m.quote) == 3; unclosed {
		// IPython compiles a cell as a whole, and this one does not compile: it does nothing, and
		// must not swallow the cells after it.
		m = &masker{raw: raw}
		m.replace(len(raw), nothing)
	}
	if m.pieces == nil {
		return raw, nil, false
	}
	m.keep(len(raw))
	return m.text.String(), m.pieces, unclosed
}

// A masker processes a cell's text line by line.
type masker struct {
	raw    string
	at     int    // the text before it was processed
	indent string // of the whole cell; IPython removes it

	text   strings.Builder
	done   int // the text before it is in text
	pieces []source.Piece

	// What the previous line left open.
	quote     string // the open string: its quotation marks
	depth     int    // brackets
	continued bool   // by a backslash
}

// keep copies the text up to an offset.
func (m *masker) keep(to int) {
	if to > m.done {
		m.piece(to, m.raw[m.done:to], true)
	}
}

// replace replaces what comes up to an offset by a text. It keeps the line breaks, so that lines
// keep their numbers.
func (m *masker) replace(to int, text string) {
	for at := source.LineEnd(m.raw, m.done); at < to; {
		next := source.NextLine(m.raw, at)
		text = apart(text, m.raw[at:]) + m.raw[at:next]
		at = source.LineEnd(m.raw, next)
	}
	m.piece(to, apart(text, m.raw[to:]), false)
}

// apart returns text, with a space at its end if text and what follows would form one line break.
func apart(text, following string) string {
	if strings.HasSuffix(text, "\r") && strings.HasPrefix(following, "\n") {
		return text + " "
	}
	return text
}

func (m *masker) piece(to int, text string, verbatim bool) {
	start := m.text.Len()
	m.text.WriteString(text)
	m.pieces = append(m.pieces, source.Piece{
		Text: source.Span{Start: start, End: m.text.Len()}, Raw: source.Span{Start: m.done, End: to}, Verbatim: verbatim,
	})
	m.done = to
}

// continuedEnd returns the end of the last line that backslashes join to the line that ends at an
// offset.
func (m *masker) continuedEnd(end int) int {
	for end > 0 && m.raw[end-1] == '\\' && end < len(m.raw) {
		end = source.LineEnd(m.raw, source.NextLine(m.raw, end))
	}
	return end
}

// space returns the offset of the first byte at or after an offset that is not a space.
func (m *masker) space(at, end int) int {
	for at < end {
		switch {
		case strings.IndexByte(" \t\f", m.raw[at]) >= 0:
			at++
		case strings.HasPrefix(m.raw[at:end], noBreakSpace):
			at += len(noBreakSpace)
		default:
			return at
		}
	}
	return at
}

// indentOf returns the indentation of a cell's first line that is not blank.
func indentOf(raw string) string {
	m := masker{raw: raw}
	for at := 0; at < len(raw); {
		end := source.LineEnd(m.raw, at)
		if first := m.space(at, end); first < end {
			return raw[at:first]
		}
		at = source.NextLine(m.raw, end)
	}
	return ""
}

// cellMagics processes the first lines if they say that the cell's body is not run as it stands,
// or how it is run. A magic that runs the body may precede another.
func (m *masker) cellMagics() {
	for at := m.at; at < len(m.raw); {
		end := source.LineEnd(m.raw, at)
		first := m.space(at, end)
		switch {
		case first == end, m.raw[first] == '#':
			at = source.NextLine(m.raw, end)
			continue
		case !strings.HasPrefix(m.raw[first:end], "%%"):
			return
		}
		name := word(m.raw[first+2 : end])
		if name == "" {
			return
		}
		m.keep(at)
		m.at = at
		m.dedent(end)
		m.keep(first)
		if !runsBody[name] {
			m.replace(len(m.raw), nothing)
			m.at = len(m.raw)
			return
		}
		end = m.continuedEnd(end)
		m.replace(end, nothing)
		m.at = source.NextLine(m.raw, end)
		at = m.at
	}
}

// dedent removes the cell's indentation from the line that starts here, unless the line is blank.
func (m *masker) dedent(end int) {
	if m.indent != "" && strings.HasPrefix(m.raw[m.at:end], m.indent) && end > m.at+len(m.indent) {
		m.keep(m.at)
		m.at += len(m.indent)
		m.replace(m.at, "")
	}
}

// line processes one line.
func (m *masker) line() {
	end := source.LineEnd(m.raw, m.at)
	m.dedent(end)
	if m.depth == 0 && m.quote == "" && !m.continued {
		if first := m.space(m.at, end); first < end {
			if to, text := m.escape(first, end); to > 0 {
				m.code(first) // its indentation
				m.keep(first)
				m.replace(to, text)
				m.at = to
				if text != "" {
					m.at = source.NextLine(m.raw, to)
					return
				}
				// What follows on the line is code.
			}
		}
	}
	m.continued = false
	m.code(end)
	m.at = source.NextLine(m.raw, m.at)
}

// escape returns the end of a statement that is not Python, and its replacement; 0 if it is
// Python. The statement begins at first, on a line that ends at end.
func (m *masker) escape(first, end int) (to int, text string) {
	line := m.raw[first:end]
	switch {
	case line[0] == '!':
		return m.continuedEnd(end), nothing
	case strings.HasPrefix(line, "%%"):
		return m.continuedEnd(end), misplaced
	case line[0] == '%':
		if at := pythonOf(line[1:]); at > 0 {
			return first + 1 + at, ""
		}
		if name := word(line[1:]); name == "env" || name == "set_env" {
			return end, environment(strings.TrimSpace(line[1+len(name):]))
		}
		return m.continuedEnd(end), nothing
	case isHelp(line):
		return end, nothing
	case isAutomagic(line):
		return m.continuedEnd(end), nothing
	}
	return 0, ""
}

// code processes code up to an offset on the same line, and records what it leaves open. A shell
// command in it may extend to the end of a later line.
func (m *masker) code(end int) {
	for m.at < end {
		rest := m.raw[m.at:end]
		switch {
		case m.quote != "":
			m.inString(rest)
		case rest[0] == '#':
			m.at = end
		case rest[0] == '\'' || rest[0] == '"':
			m.quote = rest[:1]
			if len(rest) >= 3 && rest[1] == rest[0] && rest[2] == rest[0] {
				m.quote = rest[:3]
			}
			m.at += len(m.quote)
		case strings.IndexByte("([{", rest[0]) >= 0:
			m.depth++
			m.at++
		case strings.IndexByte(")]}", rest[0]) >= 0:
			m.depth = max(0, m.depth-1)
			m.at++
		case rest[0] == '\\' && len(rest) == 1:
			m.continued = true
			m.at++
		case strings.HasPrefix(rest, noBreakSpace):
			m.keep(m.at)
			m.at += len(noBreakSpace)
			m.replace(m.at, " ")
		case rest[0] == '=' && m.depth == 0 && m.assignsEscape(end):
			m.keep(m.space(m.at+1, end))
			to := m.continuedEnd(end)
			m.replace(to, unknown)
			m.at = to
			return
		default:
			m.at++
		}
	}
	if len(m.quote) == 1 && !m.continued {
		m.quote = "" // it is not closed, and no line can close it
	}
}

// inString continues in an open string.
func (m *masker) inString(rest string) {
	switch {
	case rest[0] == '\\' && len(rest) == 1:
		m.continued = true
		m.at++
	case rest[0] == '\\':
		m.at += 2
	case strings.HasPrefix(rest, m.quote):
		m.at += len(m.quote)
		m.quote = ""
	default:
		m.at++
	}
}

// assignsEscape reports whether the equals sign here is followed by a shell command or a magic:
// files = !ls.
func (m *masker) assignsEscape(end int) bool {
	if m.at > 0 && strings.IndexByte("=!<>+-*/%&|^@:~", m.raw[m.at-1]) >= 0 {
		return false
	}
	at := m.space(m.at+1, end)
	return at < end && (m.raw[at] == '!' || m.raw[at] == '%')
}
