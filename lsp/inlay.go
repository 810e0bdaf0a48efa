package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/settings"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// A hint is a short text that an editor shows in a line as if it stood there.
type hint struct {
	at      int // in the analysed text
	label   string
	tooltip markdown // or empty
	shape   bool     // it shows the result of an expression, as a type does
}

// InlayHint shows, in a range, the memory for each batch size, and the output and the parameters
// of each layer.
func (s *session) InlayHint(ctx context.Context, params *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	doc := s.docs.view(params.TextDocument.URI)
	s.refresh.asked.Store(true)
	jsonrpc2.Async(ctx)
	answer := []protocol.InlayHint{}
	for _, snap := range doc.snapshots {
		snap, models, err := s.estimated(ctx, snap)
		if err != nil {
			return nil, err
		}
		answer = append(answer, s.hints(snap, models, doc.part, params.Range)...)
	}
	return answer, nil
}

// hints returns the hints in a range of a part.
func (s *session) hints(snap *snapshot, models *estimate.File, part int, r protocol.Range) (answer []protocol.InlayHint) {
	var hints []hint
	if shows(snap, settings.MemoryHints) {
		hints = append(hints, memoryHints(models, s.now)...)
	}
	if shows(snap, settings.LayerHints) {
		hints = append(hints, layerHints(models)...)
	}
	slices.SortStableFunc(hints, func(a, b hint) int { return cmp.Compare(a.at, b.at) })
	within := snap.spanOf(part, r, s.client.encoding)
	for _, h := range hints {
		span, still := snap.here(source.Span{Start: h.at, End: h.at})
		if h.at = span.Start; !still {
			continue
		}
		in, at := snap.place(span)
		if in == part && within.Start <= at.Start && at.Start <= within.End {
			answer = append(answer, hintOf(snap, h, s.client))
		}
	}
	return answer
}

// shows reports whether the settings of a document enable a kind of hints.
func shows(snap *snapshot, kind string) bool {
	return snap.hints == nil || slices.Contains(snap.hints, kind)
}

// memoryHints returns hints after the batch sizes of trainings, one per number.
func memoryHints(models *estimate.File, now freeNow) []hint {
	most := map[syntax.Node]*estimate.Call{}
	for i := range models.Calls {
		c := &models.Calls[i]
		if !c.Batch.Valid() || !c.Known() {
			continue
		}
		if m := most[c.Batch]; m == nil || c.Model.Training.Peak > m.Model.Training.Peak {
			most[c.Batch] = c
		}
	}
	var out []hint
	for i := range models.Calls {
		c := &models.Calls[i]
		if most[c.Batch] != c {
			continue
		}
		out = append(out, hint{at: c.Batch.End(), label: "≈ " + memory.Bytes(c.Model.Training.Peak), tooltip: describeCost(c.Model, now)})
	}
	return out
}

// layerHints returns hints after the calls that create layers.
func layerHints(models *estimate.File) []hint {
	var out []hint
	for i := range models.Layers {
		ls := &models.Layers[i]
		if label := layerLabel(ls); label != "" {
			out = append(out, hint{at: behind(ls.Node), label: label, tooltip: describeLayers(ls), shape: true})
		}
	}
	return out
}

// layerLabel returns what all layers of a call have in common. It returns "" if no output is
// known, or if the layers have no parameters and return their input shape.
func layerLabel(ls *estimate.Layers) string {
	first := ls.Made[0]
	tells := func(l memory.LayerCost) bool { return l.Parameters.High > 0 || !l.Layer.KeepsShape }
	if estimate.Output(first) == nil || !slices.ContainsFunc(ls.Made, tells) {
		return ""
	}
	differs := func(l memory.LayerCost) bool { return output(l) != output(first) || l.Parameters != first.Parameters }
	if slices.ContainsFunc(ls.Made, differs) {
		return fmt.Sprintf("%d layers · %s params", len(ls.Made), parameters(ls))
	}
	label := output(first)
	if first.Parameters.High > 0 {
		label += " · " + first.Parameters.String() + " params"
	}
	if n := len(ls.Made); n > 1 {
		label += fmt.Sprintf(" · × %d", n)
	}
	return label
}

// behind returns the place of a hint about the result of a call: after the call of the result, if
// it is called at once, and after the comma that ends an item of a list.
func behind(call syntax.Node) int {
	if outer := call.Parent(); outer.Is(syntax.Call) && outer.Child(syntax.FieldFunction) == call {
		call = outer
	}
	end := call.End()
	if text := call.Tree().Text(); strings.HasPrefix(text[end:], ",") {
		end++
	}
	return end
}
