package lsp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"go.lsp.dev/uri"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// An earlier holds findings of an earlier version, and the text that they belong to.
type earlier struct {
	layout
	findings []rule.Finding
}

// earlierOf keeps the findings of some rules.
func earlierOf(snap *snapshot, all []rule.Finding, keep func(*rule.Rule) bool) earlier {
	var p earlier
	for _, f := range all {
		if keep(f.Rule) {
			p.layout, p.findings = snap.layout, append(p.findings, f)
		}
	}
	return p
}

// rebase moves the findings to their places in another version. It drops findings whose places
// were edited, and those of rules that no longer run. It also drops a fix if something between its
// edits was edited.
func (p *earlier) rebase(to *layout, selection rules.Selection) []rule.Finding {
	m := newSpanMapper(&p.layout, to)
	var rebased []rule.Finding
	for _, f := range p.findings {
		var ok bool
		if f.Span, ok = m.move(f.Span); !ok || !selection.Enabled(f.Rule) {
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
		var fixes []rule.Fix
		for _, fix := range f.Fixes {
			if fix.Edits, ok = m.moveEdits(fix.Edits); ok {
				fixes = append(fixes, fix)
			}
		}
		f.Fixes = fixes
		rebased = append(rebased, f)
	}
	return rebased
}

// A spanMapper maps spans of one version to another.
type spanMapper struct {
	from, to *layout
	edits    map[uri.URI][]source.Edit // of each part, computed on demand
}

func newSpanMapper(from, to *layout) *spanMapper {
	return &spanMapper{from, to, map[uri.URI][]source.Edit{}}
}

// moveEdits maps the edits of a fix, unless something between them changed.
func (m *spanMapper) moveEdits(edits []source.Edit) (moved []source.Edit, ok bool) {
	if len(edits) == 0 {
		return nil, true
	}
	all := edits[0].Span
	for _, e := range edits {
		all.Start, all.End = min(all.Start, e.Span.Start), max(all.End, e.Span.End)
		if e.Span, ok = m.move(e.Span); !ok {
			return nil, false
		}
		moved = append(moved, e)
	}
	if m.from.source.SegmentAt(all.Start) == m.from.source.SegmentAt(all.End) {
		_, ok = m.move(all)
	}
	return moved, ok
}

// move maps a span of the old version's analysed text to the new version's.
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

// between returns the edits that turn before into after. If a single line changed, it is one edit
// without the common prefix and suffix.
func between(before, after string) []source.Edit {
	start, end := source.Shared(before, after)
	if start+end == len(before) && len(before) == len(after) {
		return nil
	}
	if old, now := before[start:len(before)-end], after[start:len(after)-end]; !strings.Contains(old, "\n") && !strings.Contains(now, "\n") {
		return []source.Edit{{Span: source.Span{Start: start, End: start + len(old)}, New: now}}
	}
	start = source.LineStart(before, start)
	if i := strings.IndexByte(before[len(before)-end:], '\n'); i >= 0 {
		end -= i + 1
	} else {
		end = 0
	}
	edits := diff(before[start:len(before)-end], after[start:len(after)-end])
	for i := range edits {
		edits[i].Span.Start += start
		edits[i].Span.End += start
	}
	return edits
}

// moved returns where a span is after the edits, which are in order. It reports false if an edit
// changed the text in the span, or the word at one of its ends.
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
