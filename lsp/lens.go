package lsp

import (
	"context"
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/rule"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// A lens is a line above a call that shows the estimate when clicked or, where no GPU is known, lets
// the user choose one or, where there is no price, goes to the cause of that.
type lens struct {
	span    source.Span
	title   string
	chooses bool
	cause   *rule.Related      // nil if its place is not known
	goes    *protocol.Location // to the cause
}

// CodeLens shows, above each training, whether it fits the GPU.
func (s *session) CodeLens(ctx context.Context, params *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	doc := s.docs.view(params.TextDocument.URI)
	s.refresh.asked.Store(true)
	jsonrpc2.Async(ctx)
	answer := []protocol.CodeLens{}
	for _, snap := range doc.snapshots {
		snap, models, err := s.estimated(ctx, snap)
		if err != nil {
			return nil, err
		}
		for _, l := range lenses(models, s.measured(snap)) {
			var still bool
			if l.span, still = snap.here(l.span); !still {
				continue
			}
			if in, _ := snap.place(l.span); in != doc.part {
				continue
			}
			if l.cause != nil {
				if l.cause.Source == nil {
					l.cause.Span, still = snap.here(l.cause.Span)
				}
				if still {
					at := s.locate(snap, *l.cause)
					l.goes = &at
				}
			}
			answer = append(answer, lensOf(snap, l, s.client))
		}
	}
	return answer, nil
}

// lenses returns lenses above the calls that train, and above the compile of a model that no
// priced call trains. Where figures are not known, it says why, and where the cause is. Above the
// training that needs most it adds the script's measurement, if there is one.
func lenses(models *estimate.File, measured *Measurement) []lens {
	trained, told := map[*graph.Model]bool{}, map[*graph.Model]bool{}
	for i := range models.Calls {
		if c := &models.Calls[i]; c.Trains() && c.Model.Assessment != nil {
			told[c.Model.Assessment.Model] = true
			trained[c.Model.Assessment.Model] = trained[c.Model.Assessment.Model] || c.Known()
		}
	}
	var heaviest *graph.Model
	if measured != nil {
		heaviest = largestTraining(models)
	}
	var out []lens
	for i := range models.Calls {
		c := &models.Calls[i]
		switch r := c.Reason(); {
		case c.Known() && (c.Trains() || !trained[c.Model.Assessment.Model]):
			l := lens{span: method(c.Node), title: Title(c.Model), chooses: !c.Model.Budget.Known()}
			if measured != nil && c.Trains() && c.Model.Assessment.Model == heaviest {
				l.title += measured.short()
			}
			out = append(out, l)
		case r != nil && (c.Trains() || c.Why == nil && !told[c.Model.Assessment.Model]):
			l := lens{span: method(c.Node), title: unpriced(*r)}
			if r.Found {
				l.cause = &rule.Related{Span: r.Span}
				if r.Imported {
					l.cause.Source = r.Source
				}
			}
			out = append(out, l)
		}
	}
	return out
}

// unpriced says why a training is not priced, and where the cause is.
func unpriced(r estimate.Reason) string {
	const room = 100
	why := r.Core().String()
	if len(why) > room {
		why = strings.ToValidUTF8(why[:room], "") + "…"
	}
	if r.Found {
		why += ", " + r.Where()
	}
	return "not priced: " + why
}

// method returns the span of the called method's name.
func method(call syntax.Node) source.Span {
	name := call.Child(syntax.FieldFunction)
	if attribute := name.Child(syntax.FieldAttribute); attribute.Valid() {
		name = attribute
	}
	return source.Span{Start: name.Start(), End: name.End()}
}

// Title returns a training's peak, and whether it fits the GPU.
func Title(m estimate.Model) string {
	text := "≈ " + memory.Bytes(m.Total().Peak)
	if m.Budget.Known() {
		text += " of " + memory.Bytes(m.Budget.Expected) + " on " + m.Device.Name
	} else {
		text += " of GPU memory"
	}
	if m.Replicas > 1 {
		text += fmt.Sprintf(" (each of %d)", m.Replicas)
	}
	if m.Assumed {
		text += " at a batch of " + memory.Count(m.Batch)
	}
	text += beside(m)
	if m.Host.Exceeds() {
		text += " · " + memory.Bytes(m.Host.Low) + " do not fit the machine's own memory"
	}
	if !m.Budget.Known() {
		return text
	}
	upTo := memory.Count(m.Largest)
	switch {
	case m.Verdict == memory.Unknown:
		return text + " · not known whether it fits"
	case m.Fixed():
		return text + map[memory.Verdict]string{memory.Fits: " · fits", memory.Tight: " · tight", memory.Exceeds: " · does not fit"}[m.Verdict]
	case m.Largest == 0:
		return text + " · even a batch of 1 may not fit"
	case m.Largest >= memory.MaxBatch:
		return text + " · fits at any batch size"
	case m.Verdict == memory.Fits:
		return text + " · fits up to " + upTo
	case m.Verdict == memory.Tight:
		return text + " · tight, surely fits up to " + upTo
	}
	return text + " · does not fit, up to " + upTo + " does"
}
