package report

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/tfmem/tfmem/analyzer/source"
)

const (
	tabStop = 4
	// maxColumns is how much of a line is shown. It does not depend on the terminal, so that a
	// report reads the same in a log.
	maxColumns = 140
	// lead is how much is shown before a span in a line that was cut.
	lead = 30

	byteOrderMark = "\ufeff"
)

// A layout is a line as a terminal shows it, with a marked span.
type layout struct {
	text     string
	from, to int // columns of the span
}

// lay lays out a line with the bytes start to end marked. Tabs become spaces, what a terminal
// would act upon becomes an escape, and a line that is too long is cut around the span.
func lay(line string, start, end int) layout {
	// A line may have megabytes: examine only what can be shown.
	first, last := 0, len(line)
	if start > 4*maxColumns {
		first = runeStart(line, start-2*maxColumns)
	}
	if last-first > 16*maxColumns {
		last = runeStart(line, first+16*maxColumns)
	}
	glyphs, from, to := shape(line[first:last], start-first, end-first)

	// The columns that are shown.
	left, right := 0, maxColumns
	if to > maxColumns {
		left = max(0, from-lead)
		right = left + maxColumns
	}
	var b strings.Builder
	cutLeft := first > 0 || left > 0
	if cutLeft {
		b.WriteString("…")
	}
	column, shown := 0, 0
	cutRight := last < len(line)
	origin := -1 // the column of the first glyph shown
	for _, g := range glyphs {
		if column >= left && column+g.width <= right {
			if origin < 0 {
				origin = column
			}
			b.WriteString(g.text)
			shown = column + g.width
		} else if column >= left {
			cutRight = true
			break
		}
		column += g.width
	}
	if cutRight {
		b.WriteString("…")
	}
	shift := -max(origin, 0)
	if cutLeft {
		shift++
	}
	return layout{text: b.String(), from: min(from, shown) + shift, to: min(to, shown) + shift}
}

// A glyph occupies columns as a unit: a character with its combining marks, an emoji sequence.
type glyph struct {
	text  string
	width int
}

// shape splits a text into glyphs and finds the columns of a span in it.
func shape(text string, start, end int) (glyphs []glyph, from, to int) {
	column, at, state := 0, 0, -1
	from, to = -1, -1
	for rest := text; rest != ""; {
		var cluster string
		var width int
		cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		g := glyph{cluster, width}
		if cluster == "\t" {
			g.width = tabStop - column%tabStop
			g.text = strings.Repeat(" ", g.width)
		} else if cluster == byteOrderMark {
			g = glyph{} // some terminals draw it
		} else if safe := source.Printable(cluster); safe != cluster {
			g = glyph{safe, uniseg.StringWidth(safe)}
		}
		if from < 0 && at+len(cluster) > start {
			from = column
		}
		if to < 0 && at+len(cluster) > end {
			to = column
			if at < end { // the span ends within the glyph
				to += g.width
			}
		}
		glyphs = append(glyphs, g)
		at += len(cluster)
		column += g.width
	}
	if from < 0 {
		from = column
	}
	if to < 0 {
		to = column
	}
	return glyphs, from, max(from, to)
}

func runeStart(text string, at int) int {
	for i := 0; i < utf8.UTFMax && at > 0 && !utf8.RuneStart(text[at]); i++ {
		at--
	}
	return at
}
