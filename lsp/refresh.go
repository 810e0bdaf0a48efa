package lsp

import (
	"sync/atomic"

	"go.lsp.dev/protocol"
)

// elsewhere is told that something has changed which files that are not open may
// depend on.
func (s *session) elsewhere() {
	s.changed.tell()
	if s.scanned.Load() {
		s.refresh.call()
	}
}

// A refreshedAids has the client ask for hints and lenses again when what they depend on
// beside a document's text has changed: GPUs, settings, imported modules. It asks once for
// each time that the client has asked, so that typing in a module that many import does not
// become a storm of requests.
type refreshedAids struct {
	task
	asked atomic.Bool // the client has, since it was last told to
}

// refreshes has the client ask again when that is called for.
func (s *session) refreshes() {
	if s.client.pulls {
		s.start(s.refresh, func() { s.askAgain(protocol.MethodWorkspaceDiagnosticRefresh) })
	}
	s.start(s.aids.task, s.aids.onceAsked(func() { s.askAgain(s.client.aids.refreshes...) }))
}

// onceAsked is ask where the client has asked since the last time.
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
