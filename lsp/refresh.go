package lsp

import (
	"sync"

	"go.lsp.dev/protocol"
)

// A news tells those who wait that diagnostics may be others than they were.
type news struct {
	mu sync.Mutex
	ch chan struct{}
}

// next is closed at the next tell.
func (n *news) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ch == nil {
		n.ch = make(chan struct{})
	}
	return n.ch
}

func (n *news) tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ch != nil {
		close(n.ch)
		n.ch = nil
	}
}

// refresh has a client that pulls do so again. It does not wait: however often it is
// called while the client has not answered, the client is asked once more.
func (s *session) refresh() {
	select {
	case s.stale <- struct{}{}:
	default:
	}
}

// elsewhere is told that something has changed which files that are not open may
// depend on.
func (s *session) elsewhere() {
	s.changed.tell()
	if s.scanned.Load() {
		s.refresh()
	}
}

// refreshes asks the client to pull again whenever that is called for, until the
// server ends.
func (s *session) refreshes() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.stale:
		}
		if _, err := s.conn.Call(s.ctx, protocol.MethodWorkspaceDiagnosticRefresh, nil, nil); err != nil && s.ctx.Err() == nil {
			s.log.Warn("the client does not pull diagnostics again", "error", err)
		}
	}
}
