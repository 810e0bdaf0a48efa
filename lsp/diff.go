package lsp

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/source"
)

// maxDistance bounds the search for the shortest difference, whose cost grows
// with its square.
const maxDistance = 1000

// diff returns edits, in order, that turn before into after and leave alone
// what they have in common: whole lines, and the ends of those that changed, so
// that cursors and folds stay where they are.
func diff(before, after string) []source.Edit {
	a, b := lines(before), lines(after)
	var edits []source.Edit
	var x, y, at, to int // lines and bytes of a and b that are done
	for _, same := range append(common(a, b), run{len(a), len(b), 0}) {
		start, from := at, to
		for ; x < same.a; x++ {
			at += len(a[x])
		}
		for ; y < same.b; y++ {
			to += len(b[y])
		}
		if at > start || to > from {
			edits = append(edits, trim(before, source.Edit{Span: source.Span{Start: start, End: at}, New: after[from:to]}))
		}
		for range same.n {
			at, to = at+len(a[x]), to+len(b[y])
			x, y = x+1, y+1
		}
	}
	return edits
}

// lines splits a text after each line break.
func lines(text string) []string {
	index := source.NewLines(text)
	out := make([]string, index.Count())
	for i := range out {
		end := len(text)
		if i+1 < len(out) {
			end = index.Span(i + 1).Start
		}
		out[i] = text[index.Span(i).Start:end]
	}
	return out
}

// A run is n lines that are the same from line a of one text and b of another.
type run struct{ a, b, n int }

// common returns runs of lines that stand in both texts, in order: the longest
// such, after Myers, An O(ND) Difference Algorithm (1986).
func common(a, b []string) []run {
	var head, tail int
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	runs := []run{{0, 0, head}}
	for _, r := range myers(a[head:len(a)-tail], b[head:len(b)-tail]) {
		runs = append(runs, run{head + r.a, head + r.b, r.n})
	}
	return append(runs, run{len(a) - tail, len(b) - tail, tail})
}

func myers(a, b []string) []run {
	type link struct {
		run
		before *link
	}
	// A path ends where x lines of a are done, and on its diagonal k x-k of b.
	type path struct {
		x    int
		last *link
	}
	bound := min(len(a)+len(b), maxDistance)
	paths := make([]path, 2*bound+3)
	far := func(k int) *path { return &paths[k+bound+1] }
	for d := 0; d <= bound; d++ {
		for k := -d; k <= d; k += 2 {
			p := *far(k + 1)
			if k == d && d > 0 || k > -d && far(k-1).x >= p.x {
				p = *far(k - 1)
				p.x++
			}
			x := p.x
			for p.x < len(a) && p.x-k < len(b) && a[p.x] == b[p.x-k] {
				p.x++
			}
			if n := p.x - x; n > 0 {
				p.last = &link{run{x, x - k, n}, p.last}
			}
			*far(k) = p
			if p.x >= len(a) && p.x-k >= len(b) {
				var runs []run
				for l := p.last; l != nil; l = l.before {
					runs = append(runs, l.run)
				}
				slices.Reverse(runs)
				return runs
			}
		}
	}
	return nil
}

// trim cuts what an edit would replace by the same from its ends. It cuts no
// character, nor a line break of two bytes.
func trim(text string, e source.Edit) source.Edit {
	old := text[e.Span.Start:e.Span.End]
	cut := func(n int) { // from the end of both
		old, e.New = old[:len(old)-n], e.New[:len(e.New)-n]
		e.Span.End -= n
	}
	for old != "" && e.New != "" {
		r, n := utf8.DecodeRuneInString(old)
		if r == '\r' || !strings.HasPrefix(e.New, old[:n]) {
			break
		}
		old, e.New = old[n:], e.New[n:]
		e.Span.Start += n
	}
	if n := len(lineBreak(old)); n > 0 && lineBreak(e.New) == lineBreak(old) {
		cut(n)
	}
	for old != "" && e.New != "" {
		r, n := utf8.DecodeLastRuneInString(old)
		if r == '\n' || !strings.HasSuffix(e.New, old[len(old)-n:]) {
			break
		}
		cut(n)
	}
	return e
}

// lineBreak is the line break that a text ends in.
func lineBreak(text string) string {
	return text[len(strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")):]
}
