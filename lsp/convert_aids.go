package lsp

import (
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/settings"
)

// markup returns Markdown for a client, without headings, or plain text for a client that does
// not support Markdown.
func markup(text markdown, takesMarkdown bool) *protocol.MarkupContent {
	if !takesMarkdown {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: text.plain()}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: string(text.beside())}
}

// hintOf returns a hint in the part that contains it.
func hintOf(snap *snapshot, h hint, c client) protocol.InlayHint {
	out := protocol.InlayHint{
		Position:    snap.rangeOf(source.Span{Start: h.at, End: h.at}, c.encoding).Start,
		Label:       protocol.String(source.Printable(h.label)),
		PaddingLeft: new(true),
	}
	if h.tooltip != "" {
		out.Tooltip = markup(h.tooltip, c.markdown)
	}
	if h.shape {
		out.Kind = protocol.InlayHintKindType
	}
	return out
}

// lensOf returns a lens in the part that contains it, with the command that shows more.
func lensOf(snap *snapshot, l lens, c client) protocol.CodeLens {
	at := snap.locationOf(l.span, c.encoding)
	command, values := showEstimate, []any{string(at.URI), at.Range.Start}
	if l.chooses && c.around.chooses {
		l.title, command, values = l.title+" · choose a GPU", chooseGPU, values[:1]
	}
	if l.goes != nil && c.around.goes {
		command, values = showCause, []any{string(l.goes.URI), l.goes.Range.Start}
	}
	var arguments []protocol.LSPAny
	for _, a := range values {
		raw, err := protocol.Marshal(a)
		if err != nil {
			panic(err) // strings and positions can be marshalled
		}
		arguments = append(arguments, raw)
	}
	return protocol.CodeLens{Range: at.Range, Command: protocol.Command{
		Title: source.Printable(l.title), Command: command, Arguments: arguments,
	}}
}

// An aids lists which reading and writing aids a client supports.
type aids struct {
	hints, lenses, commands, completion bool
	documented                          bool     // completions may have Markdown documentation
	refreshes                           []string // the refresh requests that it accepts
}

// aidsOf reads a client's capabilities.
func aidsOf(caps *protocol.ClientCapabilities) (a aids) {
	if t := caps.TextDocument; t != nil {
		a.hints, a.lenses, a.completion = t.InlayHint != nil, t.CodeLens != nil, t.Completion != nil
		if t.Completion != nil && t.Completion.CompletionItem != nil {
			a.documented = slices.Contains(t.Completion.CompletionItem.DocumentationFormat, protocol.MarkupKindMarkdown)
		}
	}
	w := caps.Workspace
	if w == nil {
		return a
	}
	a.commands = w.ExecuteCommand != nil
	if h := w.InlayHint; h != nil && h.RefreshSupport != nil && *h.RefreshSupport {
		a.refreshes = append(a.refreshes, protocol.MethodWorkspaceInlayHintRefresh)
	}
	if l := w.CodeLens; l != nil && l.RefreshSupport != nil && *l.RefreshSupport {
		a.refreshes = append(a.refreshes, protocol.MethodWorkspaceCodeLensRefresh)
	}
	return a
}

// completionsOf returns completions for a range, in order.
func completionsOf(list []completion, at protocol.Range, c client) protocol.CompletionItemSlice {
	out := make(protocol.CompletionItemSlice, len(list))
	for i, item := range list {
		out[i] = protocol.CompletionItem{
			Label: item.label, Kind: item.kind,
			SortText: protocol.NewOptional(fmt.Sprintf("%03d", i)),
			TextEdit: &protocol.TextEdit{Range: at, NewText: item.text},
		}
		if item.matches != item.label {
			out[i].FilterText = protocol.NewOptional(item.matches)
		}
		if item.detail != "" {
			out[i].Detail = protocol.NewOptional(item.detail)
		}
		if item.doc != "" {
			out[i].Documentation = markup(item.doc, c.aids.documented)
		}
	}
	return out
}

// mistakesOf makes a diagnostic of each mistake in a settings file. The slice is never nil.
func mistakesOf(snap *snapshot, mistakes []settings.Mistake, c client) []protocol.Diagnostic {
	out := make([]protocol.Diagnostic, len(mistakes))
	for i, m := range mistakes {
		out[i] = protocol.Diagnostic{
			Range:    snap.rangeOf(source.Span{Start: m.Offset, End: m.End}, c.encoding),
			Severity: protocol.DiagnosticSeverityError,
			Source:   protocol.NewOptional("tfmem"),
			Message:  protocol.String(source.PrintableLines(m.Err.Error())),
		}
	}
	return out
}

// announce declares the aids that the client supports.
func (a aids) announce(c *protocol.ServerCapabilities) {
	if a.hints {
		c.InlayHintProvider = protocol.Boolean(true)
	}
	if a.lenses {
		c.CodeLensProvider = &protocol.CodeLensOptions{}
	}
	if a.commands {
		c.ExecuteCommandProvider = protocol.ExecuteCommandOptions{Commands: []string{showEstimate, detectGPU, takeKernel}}
	}
	if a.completion {
		// For comments ":", "[" and ","; for settings the quotes.
		c.CompletionProvider = &protocol.CompletionOptions{TriggerCharacters: []string{":", "[", ",", "\"", "'"}}
	}
}
