package lsp

import (
	"context"
	"runtime/debug"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/rules/estimate"
)

// estimated returns what the models of a snapshot need, and the snapshot, as following does.
func (s *session) estimated(ctx context.Context, snap *snapshot) (followed *snapshot, models *estimate.File, err error) {
	followed, err = following(snap, func(snap *snapshot) (err error) {
		models, err = s.estimatedOf(ctx, snap)
		return err
	})
	return followed, models, err
}

// current is following for callers that need only the analysis.
func current(ctx context.Context, snap *snapshot) (*snapshot, error) {
	return following(snap, func(snap *snapshot) error { return snap.read.wait(ctx) })
}

// settled is following for callers that need the findings of all rules.
func settled(ctx context.Context, snap *snapshot) (*snapshot, error) {
	return following(snap, func(snap *snapshot) error { return snap.waitSettled(ctx) })
}

// following waits for a stage of a snapshot. If the text was analysed again meanwhile, it returns
// the later snapshot. It returns an error if the text changes first.
func following(snap *snapshot, wait func(*snapshot) error) (*snapshot, error) {
	for {
		err := wait(snap)
		next := snap.successor()
		if err != protocol.ErrContentModified || next == nil {
			return snap, err
		}
		snap = next
	}
}

// successor returns a newer snapshot of the same text, analysed again because GPUs, settings or
// modules changed, or nil.
func (s *snapshot) successor() *snapshot {
	next := s.worker.newest.Load()
	if next == nil || next == s || next.version != s.version || !slices.Equal(next.parts, s.parts) {
		return nil
	}
	return next
}

// estimatedOf prices the models of a snapshot once, at the first request.
func (s *session) estimatedOf(ctx context.Context, snap *snapshot) (*estimate.File, error) {
	if err := snap.read.wait(ctx); err != nil {
		return nil, err
	}
	snap.estimate.Do(func() {
		s.inBackground(func() {
			var err error
			snap.models, err = s.estimate(snap, estimate.Options{})
			snap.estimated.end(err)
		})
	})
	if err := snap.estimated.wait(ctx); err != nil {
		return nil, err
	}
	return snap.models, nil
}

// estimate prices the models of an analysed snapshot, unless it is superseded.
func (s *session) estimate(snap *snapshot, o estimate.Options) (file *estimate.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("tfmem has a bug: pricing models panicked", "path", snap.source.Path, "version", snap.version, "panic", p, "stack", string(debug.Stack()))
			file, err = nil, errBug
		}
	}()
	for err = analyzer.ErrStale; err == analyzer.ErrStale; {
		file, err = estimate.Read(snap.ctx, snap.slow, o)
	}
	if err != nil {
		return nil, protocol.ErrContentModified
	}
	for _, m := range file.Models {
		if bug := m.Bug(); bug != nil {
			s.log.Error("tfmem has a bug: a model is not priced", "path", snap.source.Path, "version", snap.version, "model", m.Name, "cause", bug)
		}
	}
	return file, nil
}
