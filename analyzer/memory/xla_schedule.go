package memory

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// schedule puts the kernels of a step in the order in which XLA runs them: of those that it
// tries, the one in which the most that is in memory at once is least
// (xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc, DefaultMemoryScheduler).
func (s *step) schedule() {
	g := s.links()
	list := g.list()
	if deep := g.deep(); g.peak(deep) < g.peak(list) {
		list = deep
	}
	ordered := make([]*kernel, len(list))
	for i, k := range list {
		ordered[i] = s.kernels[k]
	}
	copy(s.kernels, ordered)
}

// A graph is the kernels of a step by their numbers, and those of the buffers between them.
type graph struct {
	kernels []*kernel
	buffers int
	starts  []int32 // where the readers of a buffer begin
	readers []int32
}

func (s *step) links() *graph {
	g := &graph{kernels: s.kernels}
	for i, k := range s.kernels {
		k.number = int32(i)
		for _, b := range k.writes {
			b.number = int32(g.buffers)
			g.buffers++
		}
	}
	g.starts = make([]int32, g.buffers+1)
	for _, k := range s.kernels {
		for _, b := range k.reads {
			if b.writer != nil {
				g.starts[b.number+1]++
			}
		}
	}
	for i := range g.buffers {
		g.starts[i+1] += g.starts[i]
	}
	g.readers = make([]int32, g.starts[g.buffers])
	at := slices.Clone(g.starts)
	for i, k := range s.kernels {
		for _, b := range k.reads {
			if b.writer != nil {
				g.readers[at[b.number]] = int32(i)
				at[b.number]++
			}
		}
	}
	return g
}

func (g *graph) readersOf(b *buffer) []int32 {
	return g.readers[g.starts[b.number]:g.starts[b.number+1]]
}

// list always runs the kernel that frees most, less what it makes, of those that are ready
// (ListScheduler). What an update makes counts, too, though it is in the place of the
// variables.
func (g *graph) list() []int32 {
	left, waits := make([]int32, g.buffers), make([]int32, len(g.kernels))
	last := make([]int32, len(g.kernels)) // the newest place of a kernel in the queue, counted from 1
	done := make([]bool, len(g.kernels))
	for i, k := range g.kernels {
		for _, b := range k.reads {
			if b.writer != nil {
				waits[i]++
			}
		}
		for _, b := range k.writes {
			left[b.number] = int32(len(g.readersOf(b)))
		}
	}
	var q queue
	pushed := int32(0)
	push := func(i int32) {
		k, users := g.kernels[i], 0
		gain := -k.defines
		for _, b := range k.reads {
			if b.writer != nil && !b.pinned && left[b.number] == 1 {
				gain += b.size
			}
		}
		for _, b := range k.writes {
			gain -= b.size
			users += len(g.readersOf(b))
		}
		pushed++
		last[i] = pushed
		heap.Push(&q, ready{gain, int32(users), pushed, i})
	}
	for i := range g.kernels {
		if waits[i] == 0 {
			push(int32(i))
		}
	}
	order := make([]int32, 0, len(g.kernels))
	for len(q) > 0 {
		r := heap.Pop(&q).(ready)
		if done[r.kernel] || last[r.kernel] != r.place {
			continue
		}
		done[r.kernel] = true
		order = append(order, r.kernel)
		k := g.kernels[r.kernel]
		for _, b := range k.reads {
			if b.writer == nil {
				continue
			}
			if left[b.number]--; left[b.number] != 1 {
				continue
			}
			for _, i := range g.readersOf(b) {
				if !done[i] && waits[i] == 0 {
					push(i) // it frees the buffer now
				}
			}
		}
		for _, b := range k.writes {
			for _, i := range g.readersOf(b) {
				if waits[i]--; waits[i] == 0 {
					push(i)
				}
			}
		}
	}
	return order
}

// ready is a kernel that can run: what it frees, less what it makes, how many read that, and
// its place in the queue.
type ready struct {
	gain   int64
	users  int32
	place  int32
	kernel int32
}

// A queue is of those that can run, the one that runs next first: of equals that which came
// last.
type queue []ready

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(ready)) }
func (q *queue) Pop() any {
	n := len(*q) - 1
	x := (*q)[n]
	*q = (*q)[:n]
	return x
}
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.gain != b.gain {
		return a.gain > b.gain
	}
	if a.users != b.users {
		return a.users > b.users
	}
	return a.place > b.place
}

// deep runs before a kernel all that it needs, first what more depends on, then what is
// larger (DFSMemoryScheduler).
func (g *graph) deep() []int32 {
	users, sizes := make([]int64, len(g.kernels)), make([]int64, len(g.kernels))
	var all int64
	for i, k := range g.kernels {
		read := 0
		for _, b := range k.writes {
			read += len(g.readersOf(b))
			sizes[i] += b.size
		}
		users[i], sizes[i] = int64(max(read-1, 0)), sizes[i]+k.defines
		all += sizes[i]
		for _, b := range k.reads {
			if b.writer != nil {
				users[i] += users[b.writer.number]
				sizes[i] += sizes[b.writer.number]
			}
		}
		users[i], sizes[i] = min(users[i], int64(i+1)), min(sizes[i], all)
	}
	before := func(a, b int32) int {
		return cmp.Or(cmp.Compare(users[b], users[a]), cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b))
	}
	order, seen := make([]int32, 0, len(g.kernels)), make([]bool, len(g.kernels))
	var ends []int32
	for i, k := range g.kernels {
		if !slices.ContainsFunc(k.writes, func(b *buffer) bool { return len(g.readersOf(b)) > 0 }) {
			ends = append(ends, int32(i))
		}
	}
	slices.SortFunc(ends, before)
	var stack [][]int32 // what kernels need, and at the end of each the kernel itself
	visit := func(i int32) {
		seen[i] = true
		k := g.kernels[i]
		needs := make([]int32, 0, len(k.reads)+1)
		for _, b := range k.reads {
			if b.writer != nil && !slices.Contains(needs, b.writer.number) {
				needs = append(needs, b.writer.number)
			}
		}
		slices.SortFunc(needs, before)
		stack = append(stack, append(needs, i))
	}
	for _, end := range ends {
		if seen[end] {
			continue
		}
		visit(end)
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			i := (*top)[0]
			*top = (*top)[1:]
			switch {
			case len(*top) == 0:
				order = append(order, i)
				stack = stack[:len(stack)-1]
			case !seen[i]:
				visit(i)
			}
		}
	}
	return order
}

// peak is the most that is in memory at once in an order.
func (g *graph) peak(order []int32) int64 {
	if len(order) < len(g.kernels) {
		return math.MaxInt64
	}
	left, holders := make([]int32, g.buffers), make([]int32, g.buffers)
	in := make([]int32, g.buffers) // the buffer in whose memory one lives
	sizes := make([]int64, g.buffers)
	for _, k := range g.kernels {
		for _, b := range k.writes {
			left[b.number], sizes[b.number] = int32(len(g.readersOf(b))), b.size
		}
	}
	var now, most int64
	release := func(b *buffer) {
		m := in[b.number]
		if holders[m]--; holders[m] == 0 {
			now -= sizes[m]
		}
	}
	for _, i := range order {
		k := g.kernels[i]
		for _, b := range k.writes {
			home := b.number
			for _, r := range b.over {
				if r != nil && r.writer != nil && left[r.number] == 1 && r.size == b.size && holders[in[r.number]] == 1 {
					home = in[r.number]
					break
				}
			}
			in[b.number] = home
			if holders[home]++; home == b.number {
				now += b.size
			}
		}
		most = max(most, now+k.temp)
		for _, b := range k.reads {
			if b.writer == nil {
				continue
			}
			if left[b.number]--; left[b.number] == 0 && !b.pinned {
				release(b)
			}
		}
		for _, b := range k.writes {
			if len(g.readersOf(b)) == 0 && !b.pinned {
				release(b)
			}
		}
	}
	return most
}
