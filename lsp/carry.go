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

// priced is what the rules that price models found in a version, which may be an old
// one. Of the version no more is kept than its text.
type priced struct {
	layout
	findings []rule.Finding
}

// pricedVersion keeps what those rules found of all findings of a snapshot.
func pricedVersion(snap *snapshot, all []rule.Finding) priced {
	p := priced{layout: snap.layout}
	for _, f := range all {
		if f.Rule.Priced {
			p.findings = append(p.findings, f)
		}
	}
	return p
}

// carry are the findings where their places are in another version, less those whose
// places were edited or are gone, and those of rules that no longer run. They have no
// edits any more, which were for another text.
func (p *priced) carry(snap *snapshot) []rule.Finding {
	m := mover{from: p, to: snap, edits: map[uri.URI][]source.Edit{}}
	var carried []rule.Finding
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
		carried = append(carried, f)
	}
	return carried
}

// A mover finds places of one version in another.
type mover struct {
	from  *priced
	to    *snapshot
	edits map[uri.URI][]source.Edit // of a part, once they are asked for
}

// move is where a span of the one version's analysed text is in that of the other.
func (m *mover) move(span source.Span) (source.Span, bool) {
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

// between are the edits that make one text of another. Most often one key was pressed,
// and all but the lines of that key are the same on either side.
func between(before, after string) []source.Edit {
	most := min(len(before), len(after))
	start := 0
	for start < most && before[start] == after[start] {
		start++
	}
	same := 0
	for same < most-start && before[len(before)-1-same] == after[len(after)-1-same] {
		same++
	}
	start = strings.LastIndexByte(before[:start], '\n') + 1
	if i := strings.IndexByte(before[len(before)-same:], '\n'); i >= 0 {
		same -= i + 1
	} else {
		same = 0
	}
	edits := diff(before[start:len(before)-same], after[start:len(after)-same])
	for i := range edits {
		edits[i].Span.Start += start
		edits[i].Span.End += start
	}
	return edits
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
