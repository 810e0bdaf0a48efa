package lsp

import (
	"context"
	"runtime/debug"
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

// estimated returns what the models of a snapshot need, or an error where that was
// superseded before it was known, or ctx is done first.
func (s *session) estimated(ctx context.Context, snap *snapshot) (*estimate.File, error) {
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
	o.Stop = func() bool { return snap.superseded() || s.ctx.Err() != nil }
	file, ok := estimate.Read(snap.file, o)
	if !ok {
		return nil, protocol.ErrContentModified
	}
	return file, nil
}

// superseded tells whether there is a newer version of the document, or none any more.
func (s *snapshot) superseded() bool { return s.worker.newest.Load() != s }
