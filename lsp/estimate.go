package lsp

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/rules/estimate"
)

// estimates are what the models of a snapshot need, for whoever asks: hovers, hints
// and lenses. They are priced once, when the first of these asks.
type estimates struct {
	once sync.Once
	done chan struct{} // made by the first who asks
	file *estimate.File
	err  error
}

// estimated returns what the models of a snapshot need, as following has it.
func (s *session) estimated(ctx context.Context, snap *snapshot) (followed *snapshot, models *estimate.File, err error) {
	followed, err = following(snap, func(snap *snapshot) (err error) {
		models, err = s.estimatedOf(ctx, snap)
		return err
	})
	return followed, models, err
}

// current is following for who needs no more than the analysis.
func current(ctx context.Context, snap *snapshot) (*snapshot, error) {
	return following(snap, func(snap *snapshot) error { return snap.wait(ctx) })
}

// settled is following for who needs what all rules found.
func settled(ctx context.Context, snap *snapshot) (*snapshot, error) {
	return following(snap, func(snap *snapshot) error { return snap.priced(ctx) })
}

// following waits for something of a snapshot. The snapshot that is returned is the same or,
// where the text was analysed again in the meantime, the later one; the error is one where the
// text changes before.
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

// successor is a newer snapshot of the same text, which was analysed again as GPUs,
// settings or modules changed; or nil.
func (s *snapshot) successor() *snapshot {
	next := s.worker.newest.Load()
	if next == nil || next == s || next.version != s.version || !slices.Equal(next.parts, s.parts) {
		return nil
	}
	return next
}

func (s *session) estimatedOf(ctx context.Context, snap *snapshot) (*estimate.File, error) {
	if err := snap.wait(ctx); err != nil {
		return nil, err
	}
	e := &snap.estimates
	e.once.Do(func() {
		e.done = make(chan struct{})
		s.aside(func() {
			defer close(e.done)
			e.file, e.err = s.estimate(snap, estimate.Options{})
		})
	})
	select {
	case <-e.done:
		return e.file, e.err
	case <-ctx.Done():
		return nil, protocol.ErrRequestCancelled
	}
}

// estimate prices the models of an analysed snapshot, unless it is superseded.
func (s *session) estimate(snap *snapshot, o estimate.Options) (file *estimate.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("tfmem has a bug: pricing models panicked", "path", snap.source.Path, "version", snap.version, "panic", p, "stack", string(debug.Stack()))
			file, err = nil, errBug
		}
	}()
	if file, err = estimate.Read(snap.ctx, snap.models, o); err != nil {
		return nil, protocol.ErrContentModified
	}
	return file, nil
}
