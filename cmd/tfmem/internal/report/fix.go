package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// maxFixRows is how many rows of a fix are shown; --diff shows all.
const maxFixRows = 24

// maxFixBytes is the maximum length of the lines that a shown fix touches, and of those between
// them: many fixes may touch one line.
const maxFixBytes = 64 << 10

// printFix writes what a fix would change, as a short difference per segment. It names
// another file, and in a notebook the cell.
func printFix(b *strings.Builder, s *source.Source, fix rule.Fix, p Palette) {
	printFixOf(b, s, fix.Edits, p)
	if of := fix.Elsewhere.Source; of != nil {
		fmt.Fprintf(b, "%s:\n", source.Printable(of.Path))
		printFixOf(b, of, fix.Elsewhere.Edits(), p)
	}
}

// printFixOf writes what a fix would change in one file.
func printFixOf(b *strings.Builder, s *source.Source, edits []source.Edit, p Palette) {
	bySegment := map[int][]source.Edit{}
	for _, e := range edits {
		at := s.Place(e.Span)
		bySegment[at.Segment] = append(bySegment[at.Segment], source.Edit{Span: at.Span, New: e.New})
	}
	for _, i := range slices.Sorted(maps.Keys(bySegment)) {
		if cell := s.Segments()[i].Cell; cell > 0 {
			fmt.Fprintf(b, "cell %d:\n", cell)
		}
		printEdits(b, &s.Segments()[i], bySegment[i], p)
	}
}

func printEdits(b *strings.Builder, segment *source.Segment, edits []source.Edit, p Palette) {
	// Only the touched lines, and a few around them, are compared: a text may be long, with many
	// findings in it.
	lines := segment.Lines()
	first, last := lines.Count(), 0
	for _, e := range edits {
		first = min(first, lines.Line(e.Span.Start))
		last = max(last, lines.Line(e.Span.End))
	}
	first, last = max(0, first-around), min(lines.Count()-1, last+around)
	base := source.Span{Start: lines.Span(first).Start, End: len(segment.Raw)}
	if last+1 < lines.Count() {
		base.End = lines.Span(last + 1).Start
	}
	if n := base.End - base.Start; n > maxFixBytes {
		fmt.Fprintf(b, "%s a change in %d KB of text; --diff shows it\n", p.Gutter("..."), n>>10)
		return
	}
	local := slices.Clone(edits)
	for i := range local {
		local[i].Span.Start -= base.Start
		local[i].Span.End -= base.Start
	}
	old := segment.Raw[base.Start:base.End]
	new, err := source.Apply(old, local)
	if err != nil {
		return // a fix that cannot be applied has nothing to show
	}
	changes, err := udiff.ToUnifiedDiff("", "", old, udiff.Lines(old, new), 1)
	if err != nil || len(changes.Hunks) == 0 {
		return
	}
	lastHunk := changes.Hunks[len(changes.Hunks)-1]
	greatest := first + lastHunk.ToLine - 1
	for _, l := range lastHunk.Lines {
		if l.Kind != udiff.Delete {
			greatest++
		}
	}
	g := gutter{width: digits(greatest), palette: p}
	g.rule(b)
	rows, hidden := 0, 0
	for i, h := range changes.Hunks {
		if i > 0 && rows < maxFixRows {
			fmt.Fprintf(b, "%s\n", p.Gutter("..."))
		}
		number := first + h.ToLine - 1
		for _, l := range h.Lines {
			if l.Kind != udiff.Delete {
				number++
			}
			if rows++; rows > maxFixRows {
				if l.Kind != udiff.Equal {
					hidden++
				}
				continue
			}
			text := lay(strings.TrimRight(l.Content, "\r\n"), 0, 0).text
			switch l.Kind {
			case udiff.Equal:
				g.line(b, number, text)
			case udiff.Insert:
				g.row(b, fmt.Sprint(number), p.Added("+"), p.Added(text))
			case udiff.Delete:
				g.row(b, "", p.Removed("-"), p.Removed(text))
			}
		}
	}
	if hidden > 0 {
		fmt.Fprintf(b, "%s and %d changed lines more; --diff shows all\n", p.Gutter("..."), hidden)
	}
	g.rule(b)
}
