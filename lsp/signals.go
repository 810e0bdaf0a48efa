package lsp

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A typing knows when an open document was edited or analysed last. Who works in the
// background makes way while somebody types.
type typing struct{ last atomic.Int64 }

func (t *typing) note() { t.last.Store(time.Now().UnixNano()) }

// wait returns when nobody has typed for a while, or ctx is done.
func (t *typing) wait(ctx context.Context) {
	for {
		rest := quiet - time.Since(time.Unix(0, t.last.Load()))
		if rest <= 0 {
			return
		}
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return
		}
	}
}

// A broadcast tells those who wait that diagnostics may be others than they were.
type broadcast struct {
	mu sync.Mutex
	ch chan struct{}
}

// next is closed at the next tell.
func (b *broadcast) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch == nil {
		b.ch = make(chan struct{})
	}
	return b.ch
}

func (b *broadcast) tell() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch != nil {
		close(b.ch)
		b.ch = nil
	}
}

// A task is something that is done aside when it is called for: once more, however often it
// was called for while it was being done.
type task chan struct{}

func newTask() task { return make(task, 1) }

// call does not wait.
func (t task) call() {
	select {
	case t <- struct{}{}:
	default:
	}
}

// start has do called for each call of a task, until the server ends.
func (s *session) start(t task, do func()) {
	s.aside(func() {
		for {
			select {
			case <-s.ctx.Done():
				return
			case <-t:
				do()
			}
		}
	})
}
