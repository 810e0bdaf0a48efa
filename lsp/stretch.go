package lsp

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// An edit replaces some text of one part, within a line.
type edit struct {
	part int
	source.Edit
	keyed bool // it may be one key of a person: a letter, a pair of brackets, a word completed
}

// onlyEdit returns the edit between two versions. It reports false if there are several, or if it
// spans lines.
func onlyEdit(from, to *layout) (only edit, ok bool) {
	if len(from.parts) != len(to.parts) {
		return edit{}, false
	}
	for i := range from.parts {
		if from.parts[i].key != to.parts[i].key {
			return edit{}, false
		}
		before := from.parts[i].text
		if before == to.parts[i].text {
			continue
		}
		edits := between(before, to.parts[i].text)
		if len(edits) != 1 || strings.Contains(edits[0].New, "\n") || ok {
			return edit{}, false
		}
		only, ok = edit{i, edits[0], isKey(edits[0].New) && isKey(before[edits[0].Span.Start:edits[0].Span.End])}, true
	}
	return only, ok
}

func isKey(text string) bool {
	return utf8.RuneCountInString(text) <= 2 || !strings.ContainsFunc(text, func(r rune) bool { return !inWord(r) })
}

// A stretch is where somebody types: what they typed so far in one place of a line.
type stretch struct {
	part  int
	text  source.Span // of the part
	keyed bool        // the last edit was a key
	open  bool
}

// next returns the stretch after an edit, if it was one within a line, and whether it is still the
// same stretch: the edit touches what was typed, and does not stand before it.
func (s stretch) next(e edit, known bool) (next stretch, goesOn bool) {
	at := e.Span
	switch {
	case !known:
		return stretch{}, false
	case !s.open, e.part != s.part, at.End < s.text.Start, s.text.End < at.Start, at.End == s.text.Start && at.Len() == 0 && s.text.Len() > 0:
		return stretch{e.part, source.Span{Start: at.Start, End: at.Start + len(e.New)}, e.keyed, e.New != "" || e.keyed}, false
	}
	return stretch{e.part, source.Span{Start: min(s.text.Start, at.Start), End: max(s.text.End, at.End) + len(e.New) - at.Len()}, e.keyed, true}, true
}

// stretchPause is how long the user must not have typed before what is typed changes findings on
// other lines. It is longer than syntaxPause: a person who thinks of the next word has not left the
// line, and those lines are not what they look at.
const stretchPause = time.Second

// settling returns the findings of a version that parses, as they are shown until the user pauses or
// edits another place. Those on the line that is typed are its own. On all other lines the findings
// are those of the version before this stretch of typing: "data = from_tensor_slices(x)" is not
// batched yet, and "import numpy as n" is not that numpy is missing.
func (s *snapshot) settling(all []rule.Finding) (shown []rule.Finding, differs bool) {
	type place struct {
		code       string
		part, line int
	}
	at := func(f *rule.Finding) (p place, elsewhere bool) {
		part, span := s.place(f.Span)
		lines := s.lines(part)
		p = place{f.Rule.Code, part, lines.Line(span.Start)}
		typed := lines.Line(min(s.typing.text.End, len(lines.Text())))
		return p, part != s.typing.part || typed < p.line || lines.Line(span.End) < typed
	}
	stays := earlier{s.before.layout, s.before.found()}
	before := stays.rebase(&s.layout, s.selection)
	priced := s.before.all.Load() != nil
	stood, stands := map[place]bool{}, map[place]bool{}
	for i := range before {
		p, _ := at(&before[i])
		stood[p] = true
	}
	for i := range all {
		p, elsewhere := at(&all[i])
		stands[p] = true
		if elsewhere && !stood[p] && all[i].Bug == nil && (priced || !all[i].Rule.Priced) {
			differs = true
		} else {
			shown = append(shown, all[i])
		}
	}
	for i := range before {
		if p, elsewhere := at(&before[i]); elsewhere && !stands[p] && before[i].Bug == nil {
			shown, differs = append(shown, before[i]), true
		}
	}
	return rules.Sorted(shown), differs
}

// typedAfter returns the last version before a stretch of typing that was read, if the last edit was
// a key. It returns nil if there is none, or if something else than the text has changed since.
func (h *history) typedAfter(state standingState) *standing {
	if !h.typing.open || !h.typing.keyed || h.again() {
		return nil
	}
	for _, v := range slices.Backward(h.ends) {
		if v.standing != nil && v.standing.state == state {
			return v.standing
		}
	}
	return nil
}

// tellImporters makes the version that stands the one that importers of the module read, if it still
// may. While somebody types, they go on to read the last one that parses, and after which the user
// paused or went elsewhere.
func (w *worker) tellImporters(snap *snapshot, standing *standing, may func() bool) {
	w.telling.Lock()
	defer w.telling.Unlock()
	if may != nil && !may() {
		return
	}
	if snap.size() <= keepBuffer {
		w.imported.Store(standing.source)
	} else {
		w.imported.Store(nil) // such a text has no versions that stand: it is the newest
	}
	if snap.module == nil {
		w.session.edited(standing.file)
	}
}
