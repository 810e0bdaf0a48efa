package xla

import (
	"cmp"
	"math"
	"slices"

	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// schedule sorts the kernels of a step as XLA runs them. Of the orders that XLA tries, that is
// the one with the lowest peak (xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc,
// DefaultMemoryScheduler). A long step keeps the program's order.
func schedule(s *executor.Step) {
	if len(s.Kernels) > executor.Long {
		return
	}
	g := &reusedOf(s.Arena).graph
	g.kernels = append(g.kernels[:0], s.Kernels...)
	g.link()
	g.list()
	g.deep()
	order := g.listed
	if g.peak(g.deepest, g.peak(g.listed, math.MaxInt64)) < math.MaxInt64 {
		order = g.deepest
	}
	for i, k := range order {
		s.Kernels[i] = g.kernels[k]
	}
	clear(g.kernels)
}

// A kernelGraph is the kernels of a step by number, and the buffers between them.
type kernelGraph struct {
	kernels []*executor.Kernel
	buffers int32
	// reads lists the buffers that kernels read, and readers the kernels that read buffers, one
	// after the other. The starts are where those of a kernel or of a buffer begin.
	reads, readStarts     []int32
	readers, readerStarts []int32
	sizes                 []int64 // of the buffers
	writers               []int32 // of the buffers
	defined               []int64 // by the kernels
	users                 []int32 // of what the kernels write
	pinned                []bool  // the buffers that stay

	left, waits, newest []int32
	done                []bool
	queue               queue
	weights, totals     []int64
	stack, ends         []int32
	holders, homes      []int32
	listed, deepest     []int32 // the orders
}

// link numbers kernels and buffers and finds the readers of each buffer.
func (g *kernelGraph) link() {
	kernels := g.kernels
	g.buffers = 0
	g.sizes, g.writers, g.pinned = g.sizes[:0], g.writers[:0], g.pinned[:0]
	g.defined, g.users = executor.Zeros(g.defined, len(kernels)), executor.Zeros(g.users, len(kernels))
	for i, k := range kernels {
		g.defined[i] = k.Defines
		for _, b := range k.Writes() {
			b.Number = g.buffers
			g.buffers++
			g.sizes, g.writers, g.pinned = append(g.sizes, b.Size), append(g.writers, int32(i)), append(g.pinned, b.Pinned)
			g.defined[i] += b.Size
		}
	}
	g.reads, g.readStarts = g.reads[:0], append(g.readStarts[:0], 0)
	g.readerStarts = executor.Zeros(g.readerStarts, int(g.buffers)+1)
	for _, k := range kernels {
		for _, b := range k.Reads() {
			if b.Writer != nil {
				g.reads = append(g.reads, b.Number)
				g.readerStarts[b.Number+1]++
			}
		}
		g.readStarts = append(g.readStarts, int32(len(g.reads)))
	}
	for i := range g.buffers {
		g.users[g.writers[i]] += g.readerStarts[i+1]
		g.readerStarts[i+1] += g.readerStarts[i]
	}
	g.readers = executor.Zeros(g.readers, len(g.reads))
	at := append(g.left[:0], g.readerStarts...)
	g.left = at
	for i := range kernels {
		for _, b := range g.readsOf(int32(i)) {
			g.readers[at[b]] = int32(i)
			at[b]++
		}
	}
}

func (g *kernelGraph) readsOf(kernel int32) []int32 {
	return g.reads[g.readStarts[kernel]:g.readStarts[kernel+1]]
}

func (g *kernelGraph) readersOf(buffer int32) []int32 {
	return g.readers[g.readerStarts[buffer]:g.readerStarts[buffer+1]]
}

// unread counts the readers of each buffer.
func (g *kernelGraph) unread() {
	g.left = executor.Zeros(g.left, int(g.buffers))
	for b := range g.buffers {
		g.left[b] = g.readerStarts[b+1] - g.readerStarts[b]
	}
}

// list always runs the ready kernel that frees most, less what it writes (ListScheduler). What an
// update writes counts too, though it is in place of the variables.
func (g *kernelGraph) list() {
	g.unread()
	g.waits, g.newest, g.done = executor.Zeros(g.waits, len(g.kernels)), executor.Zeros(g.newest, len(g.kernels)), executor.Zeros(g.done, len(g.kernels))
	g.queue, g.listed = g.queue[:0], g.listed[:0]
	pushed := int32(0)
	push := func(i int32) {
		gain := -g.defined[i]
		for _, b := range g.readsOf(i) {
			if g.left[b] == 1 && !g.pinned[b] {
				gain += g.sizes[b]
			}
		}
		pushed++
		g.newest[i] = pushed
		// Most users first, then the newest.
		g.queue.push(ready{gain, int64(g.users[i])<<32 | int64(pushed), i})
	}
	for i := range g.kernels {
		if g.waits[i] = int32(len(g.readsOf(int32(i)))); g.waits[i] == 0 {
			push(int32(i))
		}
	}
	for len(g.queue) > 0 {
		r := g.queue.pop()
		if g.newest[r.kernel] != int32(r.rank) {
			continue
		}
		g.newest[r.kernel] = 0
		g.done[r.kernel] = true
		g.listed = append(g.listed, r.kernel)
		for _, b := range g.readsOf(r.kernel) {
			if g.left[b]--; g.left[b] != 1 {
				continue
			}
			for _, i := range g.readersOf(b) {
				if !g.done[i] && g.waits[i] == 0 {
					push(i) // it frees the buffer now
				}
			}
		}
		for _, w := range g.kernels[r.kernel].Writes() {
			for _, i := range g.readersOf(w.Number) {
				if g.waits[i]--; g.waits[i] == 0 {
					push(i)
				}
			}
		}
	}
}

// ready is a kernel that can run: the bytes that it frees, less those that it writes, and its
// rank among equal ones.
type ready struct {
	gain, rank int64
	kernel     int32
}

// before reports whether a kernel runs before another.
func (r ready) before(o ready) bool { return r.gain > o.gain || r.gain == o.gain && r.rank > o.rank }

// A queue is a heap of the kernels that can run.
type queue []ready

func (q *queue) push(r ready) {
	h := append(*q, r)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !r.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = r
	*q = h
}

func (q *queue) pop() ready {
	h := *q
	first, r := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	i := 0
	for 2*i+1 < len(h) {
		down := 2*i + 1
		if down+1 < len(h) && h[down+1].before(h[down]) {
			down++
		}
		if !h[down].before(r) {
			break
		}
		h[i] = h[down]
		i = down
	}
	if len(h) > 0 {
		h[i] = r
	}
	return first
}

// deep runs all that a kernel needs before it: first what more depends on, then what is larger
// (DFSMemoryScheduler).
func (g *kernelGraph) deep() {
	g.weights, g.totals, g.done = executor.Zeros(g.weights, len(g.kernels)), executor.Zeros(g.totals, len(g.kernels)), executor.Zeros(g.done, len(g.kernels))
	g.deepest, g.stack, g.ends = g.deepest[:0], g.stack[:0], g.ends[:0]
	var all int64
	for i := range g.kernels {
		weight, total := int64(max(g.users[i]-1, 0)), g.defined[i]
		all += total
		for _, b := range g.readsOf(int32(i)) {
			weight, total = weight+g.weights[g.writers[b]], total+g.totals[g.writers[b]]
		}
		g.weights[i], g.totals[i] = min(weight, int64(i+1)), min(total, all)
		if g.users[i] == 0 {
			g.ends = append(g.ends, int32(i))
		}
	}
	after := func(a, b int32) int { // what comes first lies on top
		return cmp.Or(cmp.Compare(g.weights[a], g.weights[b]), cmp.Compare(g.totals[a], g.totals[b]), cmp.Compare(b, a))
	}
	slices.SortFunc(g.ends, after)
	for len(g.ends) > 0 {
		g.stack = append(g.stack, g.ends[len(g.ends)-1])
		g.ends = g.ends[:len(g.ends)-1]
		for len(g.stack) > 0 {
			i := g.stack[len(g.stack)-1]
			if i < 0 { // all that it needs has run
				g.stack = g.stack[:len(g.stack)-1]
				g.deepest = append(g.deepest, -1-i)
				continue
			}
			if g.done[i] {
				g.stack = g.stack[:len(g.stack)-1]
				continue
			}
			g.done[i] = true
			g.stack[len(g.stack)-1] = -1 - i
			from := len(g.stack)
			for _, b := range g.readsOf(i) {
				if w := g.writers[b]; !g.done[w] {
					g.stack = append(g.stack, w)
				}
			}
			if len(g.stack) > from+1 {
				slices.SortFunc(g.stack[from:], after)
			}
		}
	}
}

// peak returns the peak of the bytes in memory in an order, or math.MaxInt64 if the peak is not
// below the limit.
func (g *kernelGraph) peak(order []int32, limit int64) int64 {
	g.unread()
	left := g.left
	g.holders, g.homes = executor.Zeros(g.holders, int(g.buffers)), executor.Zeros(g.homes, int(g.buffers))
	var now, most int64
	for _, i := range order {
		k := g.kernels[i]
		for _, b := range k.Writes() {
			home := b.Number
			for _, r := range b.Over {
				if r != nil && r.Writer != nil && left[r.Number] == 1 && r.Size == b.Size && g.holders[g.homes[r.Number]] == 1 {
					home = g.homes[r.Number]
					break
				}
			}
			g.homes[b.Number] = home
			if g.holders[home]++; home == b.Number {
				now += b.Size
			}
		}
		if most = max(most, now+k.Temp); most >= limit {
			return math.MaxInt64
		}
		for _, b := range g.readsOf(i) {
			if left[b]--; left[b] == 0 && !g.pinned[b] {
				now -= g.release(b)
			}
		}
		for _, b := range k.Writes() {
			if left[b.Number] == 0 && !b.Pinned {
				now -= g.release(b.Number)
			}
		}
	}
	return most
}

// release returns the bytes that become free when a buffer is dead.
func (g *kernelGraph) release(b int32) int64 {
	home := g.homes[b]
	if g.holders[home]--; g.holders[home] == 0 {
		return g.sizes[home]
	}
	return 0
}
