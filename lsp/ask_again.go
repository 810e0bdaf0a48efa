package lsp

import (
	"sync"
)

// A refresher has the client ask for hints and lenses again when what they depend on
// beside a document's text has changed: GPUs, settings, imported modules. It asks once
// for each time that the client has asked, and one request at a time, so that typing in
// a module that many import does not become a storm of requests.
type refresher struct {
	mu      sync.Mutex
	waiting bool // the client has asked since it was last told to
	running bool
	again   bool // there was a change while running
}

// asked is told that the client asked for hints or lenses.
func (r *refresher) asked() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = true
}

// starts tells whether a change calls for a request now.
func (r *refresher) starts() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running {
		r.again = true
		return false
	}
	if !r.waiting {
		return false
	}
	r.running, r.waiting = true, false
	return true
}

// goesOn tells whether there was a change during a request that has ended.
func (r *refresher) goesOn() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running = r.again && r.waiting
	r.again = false
	if r.running {
		r.waiting = false
	}
	return r.running
}

// aidsChanged is told that documents are analysed again.
func (s *session) aidsChanged() {
	if len(s.client.aids.refreshes) == 0 || !s.aids.starts() {
		return
	}
	s.aside(func() {
		for more := true; more; more = s.aids.goesOn() {
			for _, method := range s.client.aids.refreshes {
				if _, err := s.conn.Call(s.ctx, method, nil, nil); err != nil && s.ctx.Err() == nil {
					s.log.Warn("the client does not ask again", "method", method, "error", err)
				}
			}
		}
	})
}
