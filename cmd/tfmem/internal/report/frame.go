package report

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

const (
	around  = 2 // lines shown before and after the marked ones
	maxRows = 8 // rows of a marked span that are shown; the middle is left out
)

// A frame shows a span of a text with its line numbers.
type frame struct {
	lines    *source.Lines
	span     source.Span
	severity rule.Severity
	context  int // lines before and after
	palette  Palette
}

// print writes the frame:
//
//	  |
//	3 | model.fit(x, y)
//	  | ^^^^^^^^^^^^^^^
//	  |
func (f frame) print(b *strings.Builder) {
	first := f.lines.Line(f.span.Start)
	last := f.lines.Line(max(f.span.Start, f.span.End-1))
	top, bottom := f.surroundings(first, last)
	g := gutter{width: digits(bottom + 1), palette: f.palette}
	g.rule(b)
	for n := top; n <= bottom; n++ {
		if n == first+maxRows/2 && last-first >= maxRows {
			n = last - maxRows/2 + 1
			fmt.Fprintf(b, "%s\n", f.palette.Gutter("..."))
		}
		marked := n >= first && n <= last
		line, start, end := f.line(n)
		switch {
		case !marked:
			g.line(b, n+1, f.indent(first != last)+lay(line, 0, 0).text)
		case first == last:
			l := lay(line, start, end)
			g.line(b, n+1, l.text)
			g.mark(b, strings.Repeat(" ", l.from)+f.colour(strings.Repeat("^", max(1, l.to-l.from))))
		default:
			side := "| "
			if n == first {
				side = "/ "
			}
			g.line(b, n+1, f.colour(side)+lay(line, start, end).text)
			if n == last {
				g.mark(b, f.colour("|"+strings.Repeat("_", max(1, lay(line, start, end).to))+"^"))
			}
		}
	}
	g.rule(b)
}

// surroundings returns the first and last line to show. Blank lines at the edges are dropped.
func (f frame) surroundings(first, last int) (top, bottom int) {
	blank := func(n int) bool {
		s := f.lines.Span(n)
		return strings.TrimSpace(f.lines.Text()[s.Start:s.End]) == ""
	}
	top, bottom = max(0, first-f.context), min(f.lines.Count()-1, last+f.context)
	for top < first && blank(top) {
		top++
	}
	for bottom > last && blank(bottom) {
		bottom--
	}
	return top, bottom
}

// line returns the text of a line, and its marked part.
func (f frame) line(n int) (text string, start, end int) {
	s := f.lines.Span(n)
	start = min(max(f.span.Start-s.Start, 0), s.Len())
	end = min(max(f.span.End-s.Start, start), s.Len())
	return f.lines.Text()[s.Start:s.End], start, end
}

// indent returns space for the lines around a span of several lines; the span's own lines have a
// mark there.
func (f frame) indent(several bool) string {
	if several {
		return "  "
	}
	return ""
}

func (f frame) colour(text string) string { return f.palette.Severity(f.severity, text) }

// A gutter is what is left of the lines.
type gutter struct {
	width   int
	palette Palette
}

func (g gutter) rule(b *strings.Builder) { g.mark(b, "") }

func (g gutter) line(b *strings.Builder, number int, text string) {
	g.row(b, fmt.Sprint(number), g.palette.Gutter("|"), text)
}

func (g gutter) mark(b *strings.Builder, text string) { g.row(b, "", g.palette.Gutter("|"), text) }

func (g gutter) row(b *strings.Builder, left, bar, text string) {
	b.WriteString(g.palette.Gutter(fmt.Sprintf("%*s", g.width, left)) + " " + bar)
	if text = strings.TrimRight(text, " "); text != "" {
		b.WriteString(" " + text)
	}
	b.WriteByte('\n')
}

func digits(n int) int { return len(fmt.Sprint(n)) }
