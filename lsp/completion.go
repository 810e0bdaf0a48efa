package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/suppress"
)

// A completion is something that may be typed.
type completion struct {
	label   string
	detail  string
	doc     markdown // or empty
	matches string   // what people may type for it, if that is not the label
	text    string
	kind    protocol.CompletionItemKind
}

// Completion completes tfmem's comments in Python, and settings files.
func (s *session) Completion(ctx context.Context, params *protocol.CompletionParams) (protocol.CompletionResult, error) {
	doc := s.docs.view(params.TextDocument.URI)
	jsonrpc2.Async(ctx)
	if doc.settings != nil {
		return s.completeSettings(doc.settings, params.Position), nil
	}
	snap, at, ok := doc.programAt(params.Position, s.client.encoding)
	if !ok || !inComment(snap, doc.part, params.Position, s.client.encoding) {
		return nil, nil
	}
	snap, err := settled(ctx, snap)
	if err != nil {
		return nil, err
	}
	slot, ok := suppress.SlotAt(snap.file, at)
	if !ok {
		return nil, nil
	}
	var list []completion
	if slot.Word {
		list = commentWords(snap, slot, at)
	} else {
		list = ruleCodes(snap, slot, at)
	}
	return completionsOf(list, snap.rangeOf(slot.Span, s.client.encoding), s.client), nil
}

// inComment is a cheap test before anything else: editors ask with every bracket that is typed.
func inComment(snap *snapshot, part int, p protocol.Position, enc source.Encoding) bool {
	lines := snap.lines(part)
	at := offsetOf(lines, positionOf(p), enc)
	text := lines.Text()
	return strings.Contains(text[source.LineStart(text, at):at], "#")
}

// here returns the findings that a comment at an offset applies to.
func here(snap *snapshot, at int) []rule.Finding {
	var out []rule.Finding
	for _, f := range snap.all.findings {
		if f.Rule != suppress.UnusedSuppression && suppress.Suppresses(snap.file, f, at) {
			out = append(out, f)
		}
	}
	return out
}

// commentWords completes the words of tfmem's comments: first those that suppress a finding here.
func commentWords(snap *snapshot, slot suppress.Slot, at int) []completion {
	var out []completion
	add := func(text, detail string, doc markdown) {
		if slices.ContainsFunc(out, func(c completion) bool { return c.label == text }) {
			return
		}
		out = append(out, completion{label: text, detail: detail, doc: doc, matches: strings.TrimSpace(slot.Lead + text), text: slot.Lead + text, kind: protocol.CompletionItemKindKeyword})
	}
	for _, f := range here(snap, at) {
		add("ignore["+f.Rule.Code+"]", f.Rule.Name, markdown(f.Rule.Brief()))
	}
	add("ignore", "suppress every finding here", "Suppresses what tfmem finds in this line, or in the statement that ends in it. Name rules behind it: `# tfmem: ignore[TFM101]`.")
	add("ignore-file", "suppress findings of the whole file", "Suppresses what tfmem finds in this file. Name rules behind it: `# tfmem: ignore-file[TFM101]`.")
	for _, kind := range hints.Kinds {
		add(string(kind)+"=", "say what only a run would tell", "Tells the estimate what it cannot know of what this line assigns or returns: `# tfmem: value=8000`, `# tfmem: shape=(None, 30)`, `# tfmem: columns=30` or `# tfmem: rows=1000`.")
	}
	return out
}

// ruleCodes completes the rules that a list does not name yet: first those with a finding here.
func ruleCodes(snap *snapshot, slot suppress.Slot, at int) []completion {
	var out []completion
	add := func(r *rule.Rule) {
		known := func(c completion) bool { return c.label == r.Code }
		if slices.Contains(slot.Listed, r.Code) || slices.ContainsFunc(out, known) {
			return
		}
		out = append(out, completion{label: r.Code, detail: r.Name, doc: markdown(r.Brief()), matches: r.Code + " " + r.Name, text: slot.Lead + r.Code, kind: protocol.CompletionItemKindEnumMember})
	}
	for _, f := range here(snap, at) {
		add(f.Rule)
	}
	for _, r := range rules.All {
		add(r)
	}
	return out
}
