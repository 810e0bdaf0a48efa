package memory

import (
	"fmt"
	"runtime/debug"
)

// costs are what batches take on one GPU, each worked out once.
type costs struct {
	// price works one out in the memory that it is given, also beside others.
	price func(l *lowered, batch int64) (Need, error)
	l     *lowered
	known map[int64]Need
	far   int64 // a batch that is known, far beyond the program's own; 0 for none
}

// of is what a batch takes.
func (c *costs) of(batch int64) (Need, error) {
	if n, ok := c.known[batch]; ok {
		return n, nil
	}
	n, err := c.price(c.l, batch)
	if err == nil {
		c.known[batch] = n
	}
	return n, err
}

// reach begins to work out on another processor what a batch takes that is some thousand
// times as large. The costs may be asked for nothing until done was called, which must be.
func (c *costs) reach(batch int64) (done func()) {
	far := batch
	for range 5 {
		if far*8 <= MaxBatch {
			far *= 8
		}
	}
	if far == batch {
		return func() {}
	}
	var need Need
	var err error
	var bug any
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if bug = recover(); bug != nil {
				bug = fmt.Sprintf("%v\n%s", bug, debug.Stack())
			}
		}()
		l := unused.Get().(*lowered)
		defer l.free()
		need, err = c.price(l, far)
	}()
	return func() {
		<-ended
		if bug != nil {
			panic(bug) // of who waits
		}
		if err == nil {
			c.known[far], c.far = need, far
		}
	}
}
