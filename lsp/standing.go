package lsp

import (
	"context"
	"slices"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/baseline"
	"github.com/tfmem/tfmem/rules/rule"
)

// A standing is the last version of a text that parsed. While newer versions do not, because
// somebody types, what it says stays, moved with the edits.
type standing struct {
	layout
	file  *analyzer.File
	slow  *analyzer.File // for slow queries: file itself, or a copy with caches of its own
	quick []rule.Finding
	rest  *rules.Rest                    // runs the slow rules; nil if they cannot find anything
	all   atomic.Pointer[[]rule.Finding] // of all rules, once they have run
	state standingState
}

// A standingState is what, beside the text, the findings of a version depend on.
type standingState struct {
	settings, modules uint64
	path              string
	known             *baseline.Baseline
}

// unknown returns those findings in the program that its baseline does not know.
func (s standingState) unknown(program *source.Source, findings []rule.Finding) []rule.Finding {
	return s.known.Unknown(s.path, program, findings)
}

// newStanding runs the quick rules on a version. They are quick, and run again if a file that they
// read changes meanwhile.
func newStanding(ctx context.Context, at layout, file *analyzer.File, how Configuration, state standingState) (st *standing, err error) {
	st = &standing{layout: at, file: file, slow: file, state: state}
	for err = analyzer.ErrStale; err == analyzer.ErrStale; {
		st.quick, st.rest, err = rules.Quick(ctx, file, how.Selection)
	}
	st.quick = state.unknown(file.Source, st.quick)
	if err == nil && st.rest == nil {
		st.all.Store(&st.quick)
	}
	return st, err
}

// found returns all that is found so far.
func (st *standing) found() []rule.Finding {
	if all := st.all.Load(); all != nil {
		return *all
	}
	return st.quick
}

// detached makes the slow rules run on caches of their own.
func (st *standing) detached() *analyzer.File {
	if st.slow == st.file {
		st.slow = st.file.Detached()
	}
	return st.slow
}

// A history knows the versions of a text that may stand: of each stretch of typing the last. What is
// typed may parse though it is unfinished: "model = keras" on the way to "model = keras.Sequential()".
// So a version stands only once the next edit is elsewhere.
type history struct {
	ends   []version // the last ones of stretches, since one that surely parses
	last   version
	typing stretch   // that the last version belongs to
	read   *snapshot // the last that was read
}

// A version is one version of a text.
type version struct {
	layout
	read     bool
	standing *standing // nil if it was not read, or does not parse
}

// mostEnds is how many versions may come that nobody reads, because newer ones do. Large ones are
// forgotten.
const mostEnds = 64

// add adds the next version.
func (h *history) add(at layout) {
	if at.size() > keepBuffer {
		*h = history{}
		return
	}
	if !slices.Equal(h.last.parts, at.parts) { // else something else than the text has changed
		goesOn := false
		if h.typing, goesOn = h.typing.next(onlyEdit(&h.last.layout, &at)); !goesOn && h.last.parts != nil {
			h.leave()
		}
	}
	h.last = version{layout: at}
}

// note notes that the last version was read.
func (h *history) note(snap *snapshot, r *result) {
	if h.last.parts == nil {
		return
	}
	h.last.read, h.read = true, snap
	if !r.file.Broken() && r.file.Unread == "" {
		h.last.standing = r.standing
	}
}

// leave ends a stretch of typing.
func (h *history) leave() {
	switch {
	case h.last.standing != nil:
		h.ends = []version{h.last}
	case !h.last.read:
		h.ends = append(h.ends, h.last)
		h.ends = h.ends[max(0, len(h.ends)-mostEnds):]
	}
}

// again reports whether the last version has the text of the one that was read before it.
func (h *history) again() bool { return h.read != nil && slices.Equal(h.read.parts, h.last.parts) }

// standing returns the last version that stands, or nil. It reads it if nobody has, and again if
// something else than the text has changed.
func (h *history) standing(ctx context.Context, how Configuration, state standingState) (*standing, error) {
	again := h.again()
	for n := len(h.ends); n > 0; n = len(h.ends) {
		v := &h.ends[n-1]
		if v.standing != nil && v.standing.state == state && !again {
			return v.standing, nil
		}
		file := analyzer.Analyze(v.source, how.Config)
		if file.Unread != "" || file.Broken() {
			h.ends = h.ends[:n-1]
			continue
		}
		st, err := newStanding(ctx, v.layout, file, how, state)
		if err == nil {
			h.ends = []version{{layout: v.layout, standing: st}}
		}
		return st, err
	}
	return nil, nil
}

// halfTyped reports whether the text does not parse, and the answers are those of an earlier
// version.
func (r *result) halfTyped() bool { return r.standing != nil && r.standing.file != r.file }

// carried moves findings of the standing version to a version, and adds what is wrong with its own
// text.
func (r *result) carried(to *layout, findings []rule.Finding) []rule.Finding {
	if !r.halfTyped() {
		return findings
	}
	stays := earlier{r.standing.layout, findings}
	return rules.Sorted(append(stays.rebase(to, r.selection), r.wrong...))
}

// here maps a span of the text that the models are of to the version's own. It reports false if
// that text was edited.
func (s *snapshot) here(span source.Span) (source.Span, bool) {
	if !s.halfTyped() {
		return span, true
	}
	return newSpanMapper(&s.standing.layout, &s.layout).move(span)
}

// there maps an offset in the version to the text that the models are of. It reports false if that
// is not in it.
func (s *snapshot) there(at int) (int, bool) {
	if !s.halfTyped() {
		return at, true
	}
	span, ok := newSpanMapper(&s.layout, &s.standing.layout).move(source.Span{Start: at, End: at})
	return span.Start, ok
}

// withheld returns the places of the findings about text that does not parse, if they are new: the
// user is still typing there.
func (h *history) withheld(snap *snapshot, wrong []rule.Finding, selection rules.Selection) (spans []source.Span) {
	if h.read == nil || len(wrong) == 0 {
		return nil
	}
	shown := earlier{layout: h.read.layout}
	for _, f := range h.read.wrong {
		if h.read.paused.ok() || !slices.Contains(h.read.withheld, f.Span) {
			shown.findings = append(shown.findings, f)
		}
	}
	before := shown.rebase(&snap.layout, selection)
	for _, f := range wrong {
		if !slices.ContainsFunc(before, func(b rule.Finding) bool { return b.Span.Start <= f.Span.End && f.Span.Start <= b.Span.End }) {
			spans = append(spans, f.Span)
		}
	}
	return spans
}

// shown returns the findings that are shown until the user pauses, and whether they are not all.
func (s *snapshot) shown(all found) (shown found, withholds bool) {
	switch {
	case s.paused.ok():
	case s.before != nil:
		if findings, differs := s.settling(all.findings); differs {
			return found{findings, s.worker.session.diagnosticsOf(s, s.page, findings)}, true
		}
	case len(s.withheld) > 0:
		shown.diagnostics = all.diagnostics[:0:0]
		for i, f := range all.findings {
			if !f.Rule.Syntax || !slices.Contains(s.withheld, f.Span) {
				shown.findings, shown.diagnostics = append(shown.findings, f), append(shown.diagnostics, all.diagnostics[i])
			}
		}
		return shown, true
	}
	return all, false
}

// waitPaused returns once all findings of a settled version are shown. It returns an error if the
// version is superseded before.
func (s *snapshot) waitPaused(ctx context.Context) error {
	if _, withholds := s.shown(s.all); !withholds {
		return nil
	}
	select {
	case <-s.paused.done:
		return nil
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	case <-ctx.Done():
		return protocol.ErrRequestCancelled
	}
}
