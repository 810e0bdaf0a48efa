package lsp

import (
	"context"
	"sync"
	"time"
)

// quiet is how long after the analysis of an open document another is expected, as
// where somebody types.
const quiet = 100 * time.Millisecond

// A busy counts the analyses of open documents that run, or have just run, for which
// whoever works in the background makes way.
type busy struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when there are none any more; nil where nobody waits
}

func (b *busy) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
}

// end counts an analysis out, in a while.
func (b *busy) end() { time.AfterFunc(quiet, b.over) }

func (b *busy) over() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n--; b.n == 0 && b.idle != nil {
		close(b.idle)
		b.idle = nil
	}
}

// wait returns when none runs, or ctx is done.
func (b *busy) wait(ctx context.Context) {
	for {
		b.mu.Lock()
		if b.n == 0 {
			b.mu.Unlock()
			return
		}
		if b.idle == nil {
			b.idle = make(chan struct{})
		}
		idle := b.idle
		b.mu.Unlock()
		select {
		case <-idle:
		case <-ctx.Done():
			return
		}
	}
}
