package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rewrite"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/suppress"
)

// An action is a change that the user may choose.
type action struct {
	snap      *snapshot
	title     string
	kind      protocol.CodeActionKind
	preferred bool
	mends     []int             // the indexes of the findings that it fixes; none if it fixes all
	edits     func() []partEdit // may be slow
	other     otherEdit         // of another file
	module    *rewrite.Module   // a file that it makes beside the document, or nil
	shows     *lens             // runs the command of a lens instead of an edit; or nil
}

// known wraps edits that are there already.
func known(edits []partEdit) func() []partEdit { return func() []partEdit { return edits } }

// A partEdit is an edit of the text of one part of a snapshot.
type partEdit struct {
	part int
	source.Edit
}

// CodeAction offers the fixes of the findings that touch a range, the rewrites that apply there,
// and one action with all safe fixes of the document. A client that resolves actions gets them
// without their edits.
func (s *session) CodeAction(ctx context.Context, params *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	doc := s.docs.view(params.TextDocument.URI)
	jsonrpc2.Async(ctx)
	answer := []protocol.CommandOrCodeAction{}
	var places []place
	for _, snap := range doc.snapshots {
		snap, err := settled(ctx, snap)
		if err != nil {
			return nil, err
		}
		places = append(places, placeOf(snap, doc.part, snap.spanOf(doc.part, params.Range, s.client.encoding)))
	}
	only := params.Context.Only
	// An editor asks at every move of the cursor whether to show a light bulb. The whole document
	// is only fixed if a person, or a save, asks, and nobody else waits for plans.
	asked := len(only) > 0 || params.Context.TriggerKind != protocol.CodeActionTriggerKindAutomatic
	if wanted(only, protocol.CodeActionKindQuickFix) {
		if err := s.planPlaces(ctx, places, asked); err != nil {
			return nil, err
		}
	}
	for _, a := range s.actions(places, func(kind protocol.CodeActionKind) bool {
		switch kind {
		case fixAllKind:
			return asked && wanted(only, kind)
		case notebookFixAllKind:
			return len(only) > 0 && wanted(only, kind)
		}
		return wanted(only, kind)
	}) {
		if s.client.resolves {
			answer = append(answer, s.unresolved(places[0], a))
		} else if edits := a.edits(); len(edits) > 0 || a.other.edits != nil || a.shows != nil {
			answer = append(answer, s.resolved(a, edits))
		}
	}
	return answer, nil
}

// A place is where actions are requested: a span in a part of a snapshot. It is also a span of
// the analysed text, unless nothing of it is analysed.
type place struct {
	snap *snapshot
	part int
	at   source.Span // in the part
	span source.Span
	ok   bool
}

func placeOf(snap *snapshot, part int, at source.Span) place {
	span, ok := snap.within(part, at)
	return place{snap, part, at, span, ok}
}

// actions returns the code actions at a place, of the requested kinds. There is one place per
// program that contains it.
func (s *session) actions(places []place, wants func(protocol.CodeActionKind) bool) []action {
	var actions []action
	for _, p := range places {
		if p.ok && wants(protocol.CodeActionKindQuickFix) {
			actions = append(actions, s.quickFixes(p.snap, p.span)...)
			actions = append(actions, offeredHints(p.snap, p.span)...)
		}
	}
	for _, p := range places {
		if p.ok && wants(rewriteKind) {
			actions = append(actions, s.rewrites(p.snap, p.span)...)
		}
	}
	// VS Code asks only the first cell for notebookFixAllKind, and means the notebook.
	for _, kind := range []protocol.CodeActionKind{fixAllKind, notebookFixAllKind} {
		mended := slices.DeleteFunc(slices.Clone(places), func(p place) bool {
			return p.snap.halfTyped() || !slices.ContainsFunc(p.snap.all.findings, func(f rule.Finding) bool { return isMended(p, f, kind) })
		})
		if wants(kind) && len(mended) > 0 {
			actions = append(actions, action{snap: mended[0].snap, title: "tfmem: make all safe fixes", kind: kind, edits: func() (edits []partEdit) {
				for _, p := range mended {
					edits = append(edits, s.fixAll(p, kind)...)
				}
				return edits
			}})
		}
	}
	return actions
}

// wanted reports whether the requested kinds cover a kind. No requested kinds cover every kind.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return k == protocol.CodeActionKindEmpty || k == kind || strings.HasPrefix(string(kind), string(k)+".")
	})
}

// quickFixes returns the fixes of the findings that touch the span, or that are offered there,
// safe ones first. The first safe fix of each finding is preferred, so an editor may apply it
// without asking. Fixes for display only are not actions. Where the GPU is too small, the page with all
// ways follows. The comments that suppress the findings come last: on the line, then for the file.
func (s *session) quickFixes(snap *snapshot, span source.Span) []action {
	var safe, unsafe, offered, page, line, file []action
	for i, f := range snap.all.findings {
		here := span.Touches(f.Span)
		if !here && !slices.ContainsFunc(f.FixesAt, span.Touches) {
			continue
		}
		first := true
		for _, fix := range f.Fixes {
			other, ok := s.editElsewhere(snap, fix.Elsewhere)
			if !ok {
				continue
			}
			a := action{snap: snap, title: fix.Message, kind: protocol.CodeActionKindQuickFix, mends: []int{i}, edits: known(snap.edits(fix.Edits)), other: other}
			switch {
			case fix.Applicability == rule.Safe:
				a.preferred, first = first, false
				safe = append(safe, a)
			case fix.Applicability == rule.Unsafe:
				a.title += " (unsafe)"
				if here {
					unsafe = append(unsafe, a)
				} else {
					offered = append(offered, a)
				}
			}
		}
		if !here {
			continue
		}
		if s.client.around.shows && f.Rule.Priced && f.Rule.DependsOnGPU && len(page) == 0 {
			page = []action{{snap: snap, title: "See all ways to make it fit", kind: protocol.CodeActionKindQuickFix, mends: []int{i}, edits: known(nil),
				shows: &lens{title: "See all ways to make it fit", span: f.Span}}}
		}
		if edit, ok := suppress.Disable(snap.file, f); ok {
			line = disabling(snap, line, "Disable "+f.Rule.Code+" for this line", i, snap.edits([]source.Edit{edit}))
		}
		if edit, ok := suppress.DisableFile(snap.file, f); ok {
			file = disabling(snap, file, "Disable "+f.Rule.Code+" for this file", i, snap.edits([]source.Edit{edit}))
		}
	}
	offered = append(offered, s.plannedFixes(snap, span, slices.Concat(unsafe, offered))...)
	return slices.Concat(safe, unsafe, offered, page, line, file)
}

// offeredHints returns the comments with which a person can say what is not known, where the models
// are priced already: nobody asks for them who does not see what is not priced.
func offeredHints(snap *snapshot, span source.Span) (actions []action) {
	if !snap.estimated.ok() || snap.halfTyped() {
		return nil
	}
	for _, o := range snap.models.HintsAt(span) {
		actions = append(actions, action{snap: snap, title: o.Title(), kind: protocol.CodeActionKindQuickFix, edits: known(snap.edits([]source.Edit{*o.Edit}))})
	}
	return actions
}

// disabling adds an action that suppresses a finding, or adds the finding to the action that
// suppresses it already.
func disabling(snap *snapshot, others []action, title string, finding int, edits []partEdit) []action {
	for i, a := range others {
		if a.title == title && slices.Equal(a.edits(), edits) {
			others[i].mends = append(a.mends, finding)
			return others
		}
	}
	return append(others, action{snap: snap, title: title, kind: protocol.CodeActionKindQuickFix, mends: []int{finding}, edits: known(edits)})
}

// rewrites returns the rewrites that apply at the span, where there is no finding.
func (s *session) rewrites(snap *snapshot, span source.Span) []action {
	var actions []action
	if snap.halfTyped() {
		return nil
	}
	for _, o := range rewrite.Offers(snap.file, span) {
		if o.Module != nil && !(s.client.creates && filepath.IsAbs(snap.source.Path)) {
			continue
		}
		actions = append(actions, action{snap: snap, title: o.Change.Title, kind: rewriteKind, module: o.Module, edits: func() []partEdit {
			if err := o.Verify(snap.file); err != nil {
				s.log.Error("a rewrite cannot be made", "path", snap.source.Path, "rewrite", o.Name, "error", err)
				return nil
			}
			return snap.edits(o.Edits)
		}})
	}
	return actions
}

// within reports whether a fix stays in the requested cell. It is true if the kind covers all
// cells, or if all cells are one text.
func within(p place, kind protocol.CodeActionKind, src *source.Source, fix rule.Fix) bool {
	return kind == notebookFixAllKind || p.snap.raw != nil || !slices.ContainsFunc(fix.Edits, func(e source.Edit) bool { return src.SegmentAt(e.Span.Start) != p.part })
}

// isMended reports whether a finding has a safe fix that is applied with all others.
func isMended(p place, f rule.Finding, kind protocol.CodeActionKind) bool {
	return slices.ContainsFunc(f.Fixes, func(fix rule.Fix) bool {
		return fix.Applicability == rule.Safe && within(p, kind, p.snap.source, fix)
	})
}

// fixAll applies safe fixes until none is left, and returns the result as one edit.
func (s *session) fixAll(p place, kind protocol.CodeActionKind) []partEdit {
	snap := p.snap
	fixed := rules.ApplyFixesWithin(snap.file, snap.selection, rule.Safe,
		func(src *source.Source, fix rule.Fix) bool { return within(p, kind, src, fix) },
		func(src *source.Source) *analyzer.File { return analyzer.Analyze(src, snap.file.Config) })
	for _, failure := range fixed.Failed {
		s.log.Error("tfmem has a bug: a fix cannot be made", "path", snap.source.Path, "error", failure)
	}
	return snap.rewritten(fixed.File.Source)
}
