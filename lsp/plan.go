package lsp

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/plan"
	"github.com/tfmem/tfmem/rules/rule"
)

// mostOffered is how many plans are offered as quick fixes, the cheapest ones.
const mostOffered = 3

// planPlaces looks for plans where something does not fit. It waits for them if a person asks; else they
// are there for the next request.
func (s *session) planPlaces(ctx context.Context, places []place, asked bool) error {
	for _, p := range places {
		if !p.ok || p.snap.halfTyped() || !tight(p.snap, p.span) {
			continue
		}
		s.beginPlan(p.snap)
		if !asked {
			continue
		}
		if err := p.snap.planned.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// beginPlan looks for plans for a snapshot in the background, once.
func (s *session) beginPlan(snap *snapshot) {
	snap.plan.Do(func() {
		if !s.inBackground(func() { s.look(snap) }) {
			snap.planned.end(protocol.ErrContentModified)
		}
	})
}

// plansOf returns the plans for a snapshot, nil if nothing of it is priced.
func (s *session) plansOf(ctx context.Context, snap *snapshot) (*plan.Plans, error) {
	snap, err := current(ctx, snap)
	if err != nil {
		return nil, err
	}
	s.beginPlan(snap)
	if err := snap.planned.wait(ctx); err != nil {
		return nil, err
	}
	return snap.plans, nil
}

// look looks for plans for a snapshot, unless it is superseded. Without a price there are none.
func (s *session) look(snap *snapshot) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("tfmem has a bug: planning panicked", "path", snap.source.Path, "version", snap.version, "panic", p, "stack", string(debug.Stack()))
			snap.planned.end(nil)
		}
	}()
	plans, err := plan.Find(snap.ctx, snap.slow.Detached())
	if snap.ctx.Err() != nil {
		snap.planned.end(protocol.ErrContentModified)
		return
	}
	if err == nil {
		snap.plans = plans
	}
	snap.planned.end(nil)
}

// tight reports whether something at a span does not surely fit the GPU: by a finding or, where models are
// priced already, by the lens of a call.
func tight(snap *snapshot, span source.Span) bool {
	if len(tooLarge(snap, span)) > 0 {
		return true
	}
	return snap.estimated.ok() && slices.ContainsFunc(snap.models.Calls, func(c estimate.Call) bool {
		return c.Known() && (c.Model.Verdict == memory.Tight || c.Model.Verdict == memory.Exceeds) && span.Touches(rule.Callee(c.Node))
	})
}

// tooLarge returns the findings at a span that say that something does not fit the GPU, or hardly.
func tooLarge(snap *snapshot, span source.Span) (found []int) {
	for i, f := range snap.all.findings {
		if f.Rule.Priced && f.Rule.DependsOnGPU && (span.Touches(f.Span) || slices.ContainsFunc(f.FixesAt, span.Touches)) {
			found = append(found, i)
		}
	}
	return found
}

// plannedFixes returns the cheapest plans, with what they leave of the need. It leaves out what other
// actions do already.
func (s *session) plannedFixes(snap *snapshot, span source.Span, others []action) (actions []action) {
	if !snap.planned.ok() || snap.plans == nil || snap.halfTyped() {
		return nil
	}
	if !tight(snap, span) {
		return nil
	}
	mends := tooLarge(snap, span)
	before := snap.plans.Before
	for _, p := range snap.plans.Fitting {
		if len(actions) == mostOffered {
			break
		}
		if len(p.Elsewhere) > 1 {
			continue // one action edits one other file
		}
		other := otherEdit{}
		if len(p.Elsewhere) == 1 {
			var ok bool
			if other, ok = s.editElsewhere(snap, p.Elsewhere[0]); !ok {
				continue
			}
		}
		if slices.ContainsFunc(others, func(a action) bool { return sameChange(snap, a, p, other) }) {
			continue
		}
		title := p.Title()
		if needs := p.Needs(); needs != "" {
			title += " (" + needs + ")"
		}
		actions = append(actions, action{
			snap: snap, kind: protocol.CodeActionKindQuickFix, mends: mends, edits: known(snap.edits(p.Edits)), other: other,
			title: fmt.Sprintf("Make it fit: %s: %s → %s (unsafe)", title, memory.Bytes(before.Need.Peak), memory.Bytes(p.After.Need.Peak)),
		})
	}
	return actions
}

// sameChange reports whether an action for a snapshot leaves the texts that a plan leaves, which makes the
// edits of another file too.
func sameChange(snap *snapshot, a action, p plan.Plan, other otherEdit) bool {
	return a.other.of == other.of && slices.Equal(a.other.edits, other.edits) &&
		slices.Equal(textsAfter(snap, a.edits()), textsAfter(snap, snap.edits(p.Edits)))
}

// textsAfter returns the parts of a snapshot with edits made.
func textsAfter(snap *snapshot, edits []partEdit) (texts []string) {
	inPart := map[int][]source.Edit{}
	for _, e := range edits {
		inPart[e.part] = append(inPart[e.part], e.Edit)
	}
	for i, p := range snap.parts {
		text, err := source.Apply(p.text, inPart[i])
		if err != nil {
			text = p.text // a fix that cannot be made is like no other
		}
		texts = append(texts, text)
	}
	return texts
}
