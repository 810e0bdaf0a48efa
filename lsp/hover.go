package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// Hover shows what a model, a layer or a training needs of the GPU. It also shows the rules with
// findings at the position, that of the shortest finding first.
func (s *session) Hover(ctx context.Context, params *protocol.HoverParams) (*protocol.Hover, error) {
	doc := s.docs.view(params.TextDocument.URI)
	jsonrpc2.Async(ctx)
	if doc.settings != nil {
		return s.hoverSettings(doc.settings, params.Position), nil
	}
	snap, at, ok := doc.programAt(params.Position, s.client.encoding)
	if !ok {
		return nil, nil
	}
	snap, err := settled(ctx, snap)
	if err != nil {
		return nil, err
	}
	var here []rule.Finding
	for _, f := range snap.all.findings {
		if f.Span.Start <= at && at <= f.Span.End {
			here = append(here, f)
		}
	}
	var texts []markdown
	var span source.Span
	priced, models, err := s.estimated(ctx, snap)
	switch {
	case err != nil && len(here) == 0:
		return nil, err
	case err != nil: // it is superseded: the rules are shown anyway
	default:
		at, still := priced.there(at)
		if !still {
			break
		}
		subject, ok := models.At(priced.standing.file, at)
		if ok {
			text := describe(subject, s.now)
			if m := s.measured(priced); m != nil && trained(subject) != nil && trained(subject) == largestTraining(models) {
				text += "\n\n" + m.describe()
			}
			span, _ = priced.here(subject.Span)
			texts = append(texts, text)
		}
		if lacks := models.Lacking(at); !ok && len(lacks) > 0 {
			span, _ = priced.here(lacks[0].Span)
			texts = append(texts, describeLacks(lacks))
		}
	}
	if len(here) == 0 && texts == nil {
		return nil, nil
	}
	slices.SortStableFunc(here, func(a, b rule.Finding) int { return a.Span.Len() - b.Span.Len() })
	for _, f := range here {
		if text := markdown(strings.TrimRight(f.Rule.Markdown(), "\n")); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(here) > 0 {
		span = here[0].Span
	}
	all := texts[0]
	for _, text := range texts[1:] {
		// Without an empty line before it, a thematic break would make a heading of the line
		// above.
		all += "\n\n---\n\n" + text
	}
	return hoverOf(snap, span, all, s.client), nil
}
