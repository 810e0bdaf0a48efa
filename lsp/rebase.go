package lsp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// A lastSlow is what the slow rules found in a version, which may be an old one. Of the
// version no more is kept than its text.
type lastSlow struct {
	layout
	findings []rule.Finding
}

// lastSlowOf keeps what those rules found of all findings of a snapshot.
func lastSlowOf(snap *snapshot, all []rule.Finding) lastSlow {
	var p lastSlow
	for _, f := range all {
		if f.Rule.Priced {
			p.layout, p.findings = snap.layout, append(p.findings, f)
		}
	}
	return p
}

// rebase are the findings where their places are in another version, less those whose
// places were edited or are gone, and those of rules that no longer run. They have no
// edits any more, which were for another text.
func (p *lastSlow) rebase(snap *snapshot) []rule.Finding {
	m := spanMapper{from: p, to: snap, edits: map[uri.URI][]source.Edit{}}
	var rebased []rule.Finding
	for _, f := range p.findings {
		var ok bool
		if f.Span, ok = m.move(f.Span); !ok || !snap.selection.Enabled(f.Rule) {
			continue
		}
		var related []rule.Related
		for _, r := range f.Related {
			ok := true
			if r.Source == nil {
				r.Span, ok = m.move(r.Span)
			}
			if ok {
				related = append(related, r)
			}
		}
		f.Related = related
		f.Fixes = slices.Clone(f.Fixes)
		for i := range f.Fixes {
			f.Fixes[i].Edits = nil
		}
		rebased = append(rebased, f)
	}
	return rebased
}

// A spanMapper finds places of one version in another.
type spanMapper struct {
	from  *lastSlow
	to    *snapshot
	edits map[uri.URI][]source.Edit // of a part, once they are asked for
}

// move is where a span of the one version's analysed text is in that of the other.
func (m *spanMapper) move(span source.Span) (source.Span, bool) {
	in, at := m.from.place(span)
	key := m.from.parts[in].key
	part := m.to.part(key)
	if part < 0 {
		return span, false
	}
	after := m.to.lines(part).Text()
	edits, known := m.edits[key]
	if !known {
		edits = between(m.from.lines(in).Text(), after)
		m.edits[key] = edits
	}
	if at, ok := moved(at, edits, after); ok {
		return m.to.within(part, at)
	}
	return span, false
}

// between are the edits that make one text of another. Most often a few keys were pressed,
// here and there, and the texts agree again a few lines on; what is between two such places
// is looked at by itself. From where they do not, all is.
func between(before, after string) []source.Edit {
	var edits []source.Edit
	from, to := 0, 0 // what lies before is the same, but for the edits
	for {
		same, end := source.Shared(before[from:], after[to:])
		if from+same == len(before) && to+same == len(after) {
			return edits
		}
		same = strings.LastIndexByte(before[from:from+same], '\n') + 1
		from, to = from+same, to+same
		old, now, ok := agreeing(before[from:], after[to:])
		if !ok {
			end = fromLine(before, min(end, len(before)-from, len(after)-to))
			old, now = len(before)-end-from, len(after)-end-to
		}
		edits = append(edits, rewritten(before, from, from+old, after[to:to+now])...)
		if from, to = from+old, to+now; !ok {
			return edits
		}
	}
}

// rewritten are the edits that make another text of the lines between two places: of one line
// what lies between its ends that are the same.
func rewritten(text string, start, end int, now string) []source.Edit {
	old := text[start:end]
	if strings.Count(old, "\n") <= 1 && strings.Count(now, "\n") <= 1 {
		first, last := source.Shared(old, now)
		return []source.Edit{{Span: source.Span{Start: start + first, End: end - last}, New: now[first : len(now)-last]}}
	}
	edits := diff(old, now)
	for i := range edits {
		edits[i].Span.Start += start
		edits[i].Span.End += start
	}
	return edits
}

// fromLine is how many of the bytes that a text ends with follow the first end of a line
// among them.
func fromLine(text string, bytes int) int {
	if i := strings.IndexByte(text[len(text)-bytes:], '\n'); i >= 0 {
		return bytes - 1 - i
	}
	return 0
}

// So many lines on, at most, it is looked for where texts agree again, which they do where
// so many bytes are the same.
const (
	fewLines = 4
	agreed   = 128
)

// agreeing are the nearest lines, and not both the first, from which two texts agree for
// a while.
func agreeing(a, b string) (i, j int, ok bool) {
	starts := func(text string) []int {
		out := []int{0}
		for range fewLines {
			at := out[len(out)-1]
			end := strings.IndexByte(text[at:], '\n')
			if end < 0 {
				break
			}
			out = append(out, at+end+1)
		}
		return out
	}
	as, bs := starts(a), starts(b)
	for sum := 1; sum < len(as)+len(bs)-1; sum++ {
		for k, i := range as {
			if l := sum - k; l < 0 || l >= len(bs) {
				continue
			} else if j := bs[l]; len(a)-i >= agreed && len(b)-j >= agreed && a[i:i+agreed] == b[j:j+agreed] {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// moved is where a span is after edits, which are in order; ok is false where one of
// them changed what it holds, or the word that it begins or ends with.
func moved(span source.Span, edits []source.Edit, after string) (to source.Span, ok bool) {
	shift, beside := 0, false
	for _, e := range edits {
		if e.Span.Start > span.End {
			break
		}
		beside = beside || e.Span.End == span.Start || e.Span.Start == span.End
		if e.Span.End <= span.Start {
			shift += len(e.New) - e.Span.Len()
		} else if e.Span.Start < span.End {
			return span, false
		}
	}
	to = source.Span{Start: span.Start + shift, End: span.End + shift}
	if !beside {
		return to, true
	}
	before, _ := utf8.DecodeLastRuneInString(after[:to.Start])
	behind, _ := utf8.DecodeRuneInString(after[to.End:])
	return to, !inWord(before) && !inWord(behind)
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
