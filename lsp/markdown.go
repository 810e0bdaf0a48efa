package lsp

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/source"
)

// A markdown is a text in Markdown. It comes from [markdownf], or is a text of tfmem's own that
// quotes nothing.
type markdown string

// markdownf is Sprintf in Markdown. The format is Markdown, and so are arguments of that type.
// Every other argument is shown literally: names and reasons come from the program, and must not
// become a link, an image or an element.
func markdownf(format string, args ...any) markdown {
	for i, a := range args {
		switch a := a.(type) {
		case markdown:
		case string:
			args[i] = literal(a)
		case fmt.Stringer:
			args[i] = literal(a.String())
		}
	}
	return markdown(fmt.Sprintf(format, args...))
}

// literal returns Markdown that shows a text as it is, on one line: in a paragraph, in a cell of
// a table, in strong text. It does not escape what no client interprets, such as "_" in a word.
func literal(text string) string {
	text = source.Printable(text)
	if !strings.ContainsAny(text, "\\`*_[]<>&|~@:.#+-=)") {
		return text
	}
	var out strings.Builder
	for i, r := range text {
		if isMark(text, i) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// numbered is the start of a line that would be an item of a list.
var numbered = regexp.MustCompile(`^\d+[.)](?: |$)`)

// isMark reports whether a character of a line may have a meaning in Markdown, or in clients'
// extensions: tables, strikethrough, links of bare addresses.
func isMark(text string, at int) bool {
	switch text[at] {
	case '\\', '`', '*', '[', ']', '<', '>', '&', '|', '~', '@':
		return true
	case '_':
		before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text[:at], "_"))
		after, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[at:], "_"))
		return !isWord(before) || !isWord(after)
	case ':':
		return strings.HasPrefix(text[at:], "://")
	case '.':
		return at >= 3 && strings.EqualFold(text[at-3:at], "www") || numbered.MatchString(text) && strings.IndexByte(text, '.') == at
	case ')':
		return numbered.MatchString(text) && strings.IndexByte(text, ')') == at
	case '#', '+', '-', '=':
		return at == 0
	}
	return false
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// beside returns Markdown for display beside code, where headings would be too large: they become
// strong text.
func (m markdown) beside() markdown {
	var b strings.Builder
	code := false
	for line := range strings.Lines(string(m)) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if heading := strings.TrimLeft(line, "#"); !code && strings.HasPrefix(heading, " ") && heading != line {
			line = "**" + strings.TrimSpace(heading) + "**\n\n"
		}
		b.WriteString(line)
	}
	return markdown(b.String())
}

// escaped matches an escaped character.
var escaped = regexp.MustCompile("\\\\([!-/:-@[-`{-~])")

// plain removes the marks of headings, code fences, tables and strong text.
func (m markdown) plain() string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(string(m)) {
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
			continue
		case code:
			line = "    " + line
		case strings.HasPrefix(line, "|--"), strings.HasPrefix(line, "| | |"):
			continue
		case strings.HasPrefix(line, "| "):
			var cells []string
			for cell := range strings.SplitSeq(line[1:], " |") { // in a name it is escaped
				if cell = strings.TrimSpace(cell); cell != "" {
					cells = append(cells, cell)
				}
			}
			line = strings.Join(cells, ": ") + "\n"
			if len(cells) > 2 {
				line = cells[0] + ": " + strings.Join(cells[1:], ", ") + "\n"
			}
		case strings.HasPrefix(line, "#"):
			line = strings.TrimLeft(line, "# ")
		}
		if !code {
			line = escaped.ReplaceAllString(strings.ReplaceAll(line, "**", ""), "$1")
		}
		b.WriteString(line)
	}
	return b.String()
}
