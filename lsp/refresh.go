package lsp

import (
	"sync/atomic"

	"go.lsp.dev/protocol"
)

// elsewhere notes a change that may affect files that are not open.
func (s *session) elsewhere() {
	s.changed.notify()
	if s.scanned.Load() {
		s.refresh.call()
	}
}

// A refreshedAids asks the client to refresh hints and lenses when GPUs, settings or imported
// modules change. It asks at most once per request of the client, so that typing in a module with
// many importers causes no storm of requests.
type refreshedAids struct {
	task
	asked atomic.Bool // the client has requested aids since the last refresh
}

// refreshes starts the tasks that ask the client to refresh.
func (s *session) refreshes() {
	if s.client.pulls {
		s.start(s.refresh, func() { s.askAgain(protocol.MethodWorkspaceDiagnosticRefresh) })
	}
	s.start(s.aids.task, s.aids.onceAsked(func() { s.askAgain(s.client.aids.refreshes...) }))
}

// onceAsked calls ask only if the client has requested aids since the last call.
func (r *refreshedAids) onceAsked(ask func()) func() {
	return func() {
		if r.asked.Swap(false) {
			ask()
		}
	}
}

func (s *session) askAgain(methods ...string) {
	for _, method := range methods {
		if _, err := s.conn.Call(s.ctx, method, nil, nil); err != nil && s.ctx.Err() == nil {
			s.log.Warn("the client does not ask again", "method", method, "error", err)
		}
	}
}
