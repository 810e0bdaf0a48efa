package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/page"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/estimate"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// showEstimate is the command that returns a page about the models of an open document, as HTML
// for a client to show. Its arguments are the document's URI and, for one model, a position on
// it, on the call that trains it or on a variable that holds it.
const showEstimate = "tfmem.showEstimate"

// ExecuteCommand runs a command.
func (s *session) ExecuteCommand(ctx context.Context, params *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	switch params.Command {
	case showEstimate:
	case detectGPU:
		jsonrpc2.Async(ctx)
		found, err := s.gpuStatus(ctx, "", true)
		if err != nil {
			return nil, err
		}
		return protocol.Marshal(found)
	case takeKernel:
		return nil, s.takesKernel(params.Arguments)
	default:
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "tfmem has no command %q", params.Command)
	}
	var document string
	var position *protocol.Position
	if len(params.Arguments) == 0 || protocol.Unmarshal(params.Arguments[0], &document) != nil ||
		len(params.Arguments) > 1 && protocol.Unmarshal(params.Arguments[1], &position) != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes the URI of a document and, if one model is meant, a position", showEstimate)
	}
	key, err := uri.Parse(document)
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %v", showEstimate, err)
	}
	doc := s.docs.view(key)
	if len(doc.snapshots) == 0 {
		doc = s.docs.view(notebookKey(key))
	}
	jsonrpc2.Async(ctx)
	if len(doc.snapshots) == 0 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "no Python document %s is open", document)
	}
	var chosen []estimate.Model
	var unpriced []string
	var device *memory.Device
	for _, snap := range slices.Backward(doc.snapshots) { // the document's own program first
		if snap, err = current(ctx, snap); err != nil {
			return nil, err
		}
		// The page has more figures than hovers, so it is priced separately.
		models, err := s.estimate(snap, estimate.Options{Others: s.opts.Others})
		if err != nil {
			return nil, err
		}
		chosen, unpriced, device = append(chosen, models.Models...), append(unpriced, lost(snap, models)...), models.Device
		if position == nil || doc.part < 0 {
			continue
		}
		if at, ok := snap.offsetAt(doc.part, *position, s.client.encoding); ok {
			if one, ok := modelAt(models, snap, at); ok {
				chosen, unpriced = []estimate.Model{one}, nil
				break
			}
		}
	}
	if len(chosen) == 0 && len(unpriced) > 0 {
		return nil, jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "%s", strings.Join(unpriced, "; "))
	}
	if len(chosen) == 0 {
		return nil, jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "%s makes no Keras model that could be found", filepath.Base(doc.snapshots[0].source.Path))
	}
	var html strings.Builder
	drawn := estimate.Page(chosen, device, false, func(s *source.Source, at source.Span) page.Place { return page.Place{Text: where(s, at)} })
	drawn.Warnings = unpriced
	for _, snap := range doc.snapshots {
		plans, err := s.plansOf(ctx, snap)
		if err != nil {
			return nil, err
		}
		drawn.Plans = cmp.Or(drawn.Plans, plans.Page())
	}
	if err := drawn.Write(&html); err != nil {
		return nil, err
	}
	return protocol.Marshal(html.String())
}

// lost says which trainings of a file have no price because their model is not known.
func lost(snap *snapshot, models *estimate.File) (said []string) {
	for i := range models.Calls {
		if c := &models.Calls[i]; c.Trains() && c.Model.Assessment == nil && c.Why != nil {
			said = append(said, fmt.Sprintf("%s at %s is %s", c.Method, where(snap.standing.file.Source, method(c.Node)), unpriced(*c.Why)))
		}
	}
	return said
}

// modelAt returns the model that a position refers to.
func modelAt(models *estimate.File, snap *snapshot, at int) (m estimate.Model, ok bool) {
	if at, ok = snap.there(at); !ok {
		return m, false
	}
	subject, ok := models.At(snap.standing.file, at)
	switch {
	case !ok:
	case subject.Model != nil:
		return *subject.Model, true
	case subject.Call != nil && subject.Call.Model.Assessment != nil:
		return subject.Call.Model, true
	}
	return m, false
}

// where describes a place for people: with its cell, in a notebook.
func where(s *source.Source, span source.Span) string {
	place := s.Place(span)
	segment := &s.Segments()[place.Segment]
	at := segment.Lines().Position(place.Span.Start, source.UTF32)
	cell := ""
	if segment.Cell > 0 {
		cell = fmt.Sprintf("cell %d:", segment.Cell)
	}
	return fmt.Sprintf("%s:%s%d:%d", filepath.Base(s.Path), cell, at.Line+1, at.Column+1)
}
