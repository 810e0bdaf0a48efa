package lsp

import (
	"context"
	"sync/atomic"
	"time"
)

// A typing records when an open document was last edited or analysed. Background work waits while
// the user types.
type typing struct{ last atomic.Int64 }

func (t *typing) note() { t.last.Store(time.Now().UnixNano()) }

// wait returns when the user has paused for typingPause, or when ctx is done.
func (t *typing) wait(ctx context.Context) {
	for {
		rest := typingPause - time.Since(time.Unix(0, t.last.Load()))
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

// A broadcast wakes everybody who waits for it.
type broadcast struct{ ch atomic.Pointer[chan struct{}] }

// next returns a channel that the next notify closes.
func (b *broadcast) next() <-chan struct{} {
	fresh := make(chan struct{})
	if b.ch.CompareAndSwap(nil, &fresh) {
		return fresh
	}
	if ch := b.ch.Load(); ch != nil {
		return *ch
	}
	return b.next() // notify came in between
}

func (b *broadcast) notify() {
	if ch := b.ch.Swap(nil); ch != nil {
		close(*ch)
	}
}

// A task runs in the background when it is called for. Calls during a run cause one more run.
type task chan struct{}

func newTask() task { return make(task, 1) }

// call requests a run. It does not wait.
func (t task) call() {
	select {
	case t <- struct{}{}:
	default:
	}
}

// start runs do for each call of the task, until the server ends.
func (s *session) start(t task, do func()) {
	s.inBackground(func() {
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
