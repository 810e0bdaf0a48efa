package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/rule"
)

// Hover tells what a training needs of the GPU, and about the rules whose
// findings hold the position, that of the shortest finding first.
func (s *session) Hover(ctx context.Context, params *protocol.HoverParams) (*protocol.Hover, error) {
	snap, segment := s.docs.snapshot(params.TextDocument.URI)
	jsonrpc2.Async(ctx)
	if snap == nil {
		return nil, nil
	}
	if err := snap.wait(ctx); err != nil {
		return nil, err
	}
	at := offsetIn(snap, segment, params.Position, s.client.encoding)
	var here []rule.Finding
	for _, f := range snap.findings {
		if f.Span.Start <= at && at <= f.Span.End {
			here = append(here, f)
		}
	}
	var texts []string
	var span source.Span
	if node, text, ok := budget.Hover(snap.file, at); ok {
		span, texts = rule.Span(node), append(texts, text)
	}
	if len(here) == 0 && texts == nil {
		return nil, nil
	}
	slices.SortStableFunc(here, func(a, b rule.Finding) int { return a.Span.Len() - b.Span.Len() })
	for _, f := range here {
		if text := f.Rule.Markdown(); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(here) > 0 {
		span = here[0].Span
	}
	return hoverOf(snap, span, strings.Join(texts, "\n---\n\n"), s.client), nil
}

// plain is Markdown without the marks of headings and code fences.
func plain(markdown string) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(markdown) {
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
			continue
		case code:
			line = "    " + line
		case strings.HasPrefix(line, "#"):
			line = strings.TrimLeft(line, "# ")
		}
		b.WriteString(line)
	}
	return b.String()
}
