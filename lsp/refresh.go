package lsp

import (
	"sync/atomic"

	"go.lsp.dev/protocol"
)

// A refresher tells who waits for diagnostics, and a client that has asked for something, that this may
// have changed.
type refresher struct {
	changed broadcast   // some diagnostics have changed
	pulls   task        // asks a client that pulls to pull again
	scanned atomic.Bool // the client has pulled its whole workspace
	// aids asks the client to refresh hints and lenses when GPUs, settings or imported modules change.
	// It asks at most once per request of the client, so that typing in a module with many importers
	// causes no storm of requests.
	aids  task
	asked atomic.Bool // the client has requested aids since the last refresh
}

func newRefresher() refresher { return refresher{pulls: newTask(), aids: newTask()} }

// elsewhere notes a change that may affect files that are not open.
func (r *refresher) elsewhere() {
	r.changed.notify()
	if r.scanned.Load() {
		r.pulls.call()
	}
}

// onceAsked calls ask only if the client has requested aids since the last call.
func (r *refresher) onceAsked(ask func()) func() {
	return func() {
		if r.asked.Swap(false) {
			ask()
		}
	}
}

// refreshes starts the tasks that ask the client to refresh.
func (s *session) refreshes() {
	if s.client.pulls {
		s.start(s.refresh.pulls, func() { s.out.askAgain(protocol.MethodWorkspaceDiagnosticRefresh) })
	}
	s.start(s.refresh.aids, s.refresh.onceAsked(func() { s.out.askAgain(s.client.aids.refreshes...) }))
}
