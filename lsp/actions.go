package lsp

import (
	"context"
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
	title     string
	kind      protocol.CodeActionKind
	preferred bool
	mends     *protocol.Diagnostic // nil where it mends many
	edits     []partEdit
}

// A partEdit is an edit of the text of one part of a snapshot.
type partEdit struct {
	segment int
	source.Edit
}

// inParts are edits of the analysed text as such of the parts. A fix whose edits
// would not be, for what they touch stands for another text, was never offered.
func inParts(snap *snapshot, edits []source.Edit) []partEdit {
	out := make([]partEdit, len(edits))
	for i, e := range edits {
		at := snap.source.Place(e.Span)
		out[i] = partEdit{at.Segment, source.Edit{Span: at.Span, New: e.New}}
	}
	return out
}

// CodeAction offers the fixes of the findings that touch a range, the rewrites
// that can be made there, and the one action that makes all safe fixes of the
// document.
func (s *session) CodeAction(ctx context.Context, params *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	snap, segment := s.docs.snapshot(params.TextDocument.URI)
	jsonrpc2.Async(ctx)
	answer := []protocol.CommandOrCodeAction{}
	if snap == nil {
		return answer, nil
	}
	if err := snap.wait(ctx); err != nil {
		return nil, err
	}
	var actions []action
	start, end := offsetIn(snap, segment, params.Range.Start, s.client.encoding), offsetIn(snap, segment, params.Range.End, s.client.encoding)
	span := source.Span{Start: min(start, end), End: max(start, end)}
	if wanted(params.Context.Only, protocol.CodeActionKindQuickFix) {
		actions = append(actions, quickFixes(snap, span)...)
	}
	if wanted(params.Context.Only, rewriteKind) {
		actions = append(actions, rewrites(snap, span)...)
	}
	// An editor asks at every move of the cursor whether to show a light bulb;
	// the whole document is mended only when a person, or a save, asks.
	asked := len(params.Context.Only) > 0 || params.Context.TriggerKind != protocol.CodeActionTriggerKindAutomatic
	if asked && wanted(params.Context.Only, fixAllKind) {
		if a, ok := s.fixAll(snap, fixAllKind, segment); ok {
			actions = append(actions, a)
		}
	}
	// VS Code asks the first cell alone, and means the notebook.
	if len(params.Context.Only) > 0 && wanted(params.Context.Only, notebookFixAllKind) {
		if a, ok := s.fixAll(snap, notebookFixAllKind, segment); ok {
			actions = append(actions, a)
		}
	}
	for _, a := range actions {
		answer = append(answer, actionOf(snap, a, s.client))
	}
	return answer, nil
}

// wanted tells whether one of the kinds that a client asks for, or its having
// asked for none in particular, covers the kind.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return k == protocol.CodeActionKindEmpty || k == kind || strings.HasPrefix(string(kind), string(k)+".")
	})
}

// quickFixes are the fixes of the findings that touch the span: safe ones
// first, and of each finding the first safe one preferred, as an editor may
// make it without a choice. What is for display only is no action. Last come the
// comments that suppress the findings.
func quickFixes(snap *snapshot, span source.Span) []action {
	var safe, unsafe, disable []action
	for i, f := range snap.findings {
		if f.Span.Start > span.End || f.Span.End < span.Start {
			continue
		}
		first := true
		for _, fix := range f.Fixes {
			a := action{title: fix.Message, kind: protocol.CodeActionKindQuickFix, mends: &snap.diagnostics[i], edits: inParts(snap, fix.Edits)}
			switch fix.Applicability {
			case rule.Safe:
				a.preferred, first = first, false
				safe = append(safe, a)
			case rule.Unsafe:
				a.title += " (unsafe)"
				unsafe = append(unsafe, a)
			}
		}
		if edit, ok := suppress.Disable(snap.file, f); ok {
			a := action{title: "Disable " + f.Rule.Code + " for this line", kind: protocol.CodeActionKindQuickFix, mends: &snap.diagnostics[i], edits: inParts(snap, []source.Edit{edit})}
			if !slices.ContainsFunc(disable, func(b action) bool { return b.title == a.title && b.edits[0] == a.edits[0] }) {
				disable = append(disable, a)
			}
		}
	}
	return slices.Concat(safe, unsafe, disable)
}

// rewrites are the changes that can be made at the span where nothing is wrong.
func rewrites(snap *snapshot, span source.Span) []action {
	var actions []action
	for _, o := range rewrite.Offers(snap.file, span) {
		actions = append(actions, action{title: o.Change.Title, kind: rewriteKind, edits: inParts(snap, o.Edits)})
	}
	return actions
}

// fixAll makes all safe fixes until there is none left, as one action: of a
// segment those that lie in it alone, unless the kind is that for all.
func (s *session) fixAll(snap *snapshot, kind protocol.CodeActionKind, segment int) (action, bool) {
	within := func(src *source.Source, fix rule.Fix) bool {
		return kind == notebookFixAllKind || !slices.ContainsFunc(fix.Edits, func(e source.Edit) bool { return src.SegmentAt(e.Span.Start) != segment })
	}
	fixed := rules.MendWithin(snap.file, snap.selection, rule.Safe, within, func(src *source.Source) *analyzer.File {
		return analyzer.Analyze(src, snap.file.Config)
	})
	for _, failure := range fixed.Failed {
		s.log.Error("tfmem has a bug: a fix cannot be made", "path", snap.source.Path, "error", failure)
	}
	var edits []partEdit
	after := fixed.File.Source.Segments()
	for i, before := range snap.source.Segments() {
		for _, e := range diff(before.Raw, after[i].Raw) {
			edits = append(edits, partEdit{i, e})
		}
	}
	return action{title: "tfmem: make all safe fixes", kind: kind, edits: edits}, len(edits) > 0
}
