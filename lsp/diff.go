package lsp

import (
	"github.com/aymanbagabas/go-udiff"

	"github.com/tfmem/tfmem/analyzer/source"
)

// diff returns edits, in order, that turn before into after. They leave common lines alone, and
// the common ends of changed lines, so that cursors and folds stay where they are. The texts are
// valid UTF-8, as everything from JSON is.
func diff(before, after string) []source.Edit {
	return changes(before, source.Edit{Span: source.Span{End: len(before)}, New: after}, 10)
}

// changes splits an edit of whole lines into edits of the lines that differ. The library looks
// for 50 changed lines from either end and takes everything between for one change. changes calls
// it again on that, a bounded number of times.
func changes(text string, e source.Edit, times int) []source.Edit {
	found := udiff.Lines(text[e.Span.Start:e.Span.End], e.New)
	var edits []source.Edit
	for _, f := range found {
		inner := source.Edit{Span: source.Span{Start: e.Span.Start + f.Start, End: e.Span.Start + f.End}, New: f.New}
		if len(found) > 1 && times > 1 {
			edits = append(edits, changes(text, inner, times-1)...)
		} else {
			edits = append(edits, trim(text, inner))
		}
	}
	return edits
}

// trim removes the common prefix and suffix from an edit. What is between stays one edit: short
// matches there are often accidental, and would make the edits hard to review.
func trim(text string, e source.Edit) source.Edit {
	old := text[e.Span.Start:e.Span.End]
	letters := udiff.Strings(old, e.New)
	if len(letters) == 0 {
		return e
	}
	first, last := letters[0].Start, letters[len(letters)-1].End
	if (source.Edit{Span: source.Span{Start: first, End: last}}).CutsLineEnd(old) {
		return e
	}
	e.New = e.New[first : len(e.New)-(len(old)-last)]
	e.Span.Start, e.Span.End = e.Span.Start+first, e.Span.Start+last
	return e
}
