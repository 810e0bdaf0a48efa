package lsp

import (
	"context"
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

// A broadcast tells all who wait for it.
type broadcast struct{ ch atomic.Pointer[chan struct{}] }

// next is closed at the next tell.
func (b *broadcast) next() <-chan struct{} {
	fresh := make(chan struct{})
	if b.ch.CompareAndSwap(nil, &fresh) {
		return fresh
	}
	if ch := b.ch.Load(); ch != nil {
		return *ch
	}
	return b.next() // it was told meanwhile
}

func (b *broadcast) tell() {
	if ch := b.ch.Swap(nil); ch != nil {
		close(*ch)
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
