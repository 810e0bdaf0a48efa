package memory

import "slices"

// A buffer is memory that one kernel writes and others read.
type buffer struct {
	size    int64
	readers int // kernels that have not read it yet
	pinned  bool
	live    bool
}

// A kernel is one operation of a training step.
type kernel struct {
	reads  []*buffer
	writes []*buffer
	// inPlace are pairs: writes[i] may take the buffer of a read of the same size
	// that nobody else needs.
	inPlace map[*buffer]*buffer
	temp    int64 // lives while the kernel runs
	waits   int   // kernels that must run before
	next    []*kernel
}

// A step is a training step as a graph of kernels.
//
// It is run as TensorFlow's executor runs kernels that do not block: those that
// are ready, in the order in which they became so
// (tensorflow/core/common_runtime/executor.cc).
type step struct {
	kernels []*kernel
	writer  map[*buffer]*kernel
}

func newStep() *step { return &step{writer: map[*buffer]*kernel{}} }

// run adds a kernel.
func (s *step) run(k *kernel) *kernel {
	s.kernels = append(s.kernels, k)
	k.reads = unique(k.reads)
	seen := map[*kernel]bool{}
	for _, b := range k.reads {
		b.readers++
		if w := s.writer[b]; w != nil && !seen[w] {
			seen[w] = true
			k.after(w)
		}
	}
	for _, b := range k.writes {
		s.writer[b] = k
	}
	return k
}

func unique(buffers []*buffer) []*buffer {
	var out []*buffer
	for _, b := range buffers {
		if b != nil && !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	return out
}

// after makes k wait for other.
func (k *kernel) after(other *kernel) {
	other.next = append(other.next, k)
	k.waits++
}

// play runs the kernels and returns the most bytes that were in use at once,
// resident memory left out.
func (s *step) play() int64 {
	var inUse, peak int64
	queue := make([]*kernel, 0, len(s.kernels))
	for _, k := range s.kernels {
		if k.waits == 0 {
			queue = append(queue, k)
		}
	}
	alias := map[*buffer]*buffer{} // buffers that live in another's memory
	root := func(b *buffer) *buffer {
		for alias[b] != nil {
			b = alias[b]
		}
		return b
	}
	holders := map[*buffer]int{} // of memory: how many buffers live in it
	for at := 0; at < len(queue); at++ {
		k := queue[at]
		taken := map[*buffer]bool{}
		for _, w := range k.writes {
			if r := k.inPlace[w]; r != nil && r.readers == 1 && !taken[r] && holders[root(r)] == 1 && r.size >= w.size && r.live {
				taken[r] = true
				alias[w] = r
				holders[root(r)]++
				w.live = true
				continue
			}
			w.live = true
			holders[w] = 1
			inUse += w.size
		}
		peak = max(peak, inUse+k.temp)
		release := func(b *buffer) {
			m := root(b)
			if holders[m]--; holders[m] == 0 {
				inUse -= m.size
			}
			b.live = false
		}
		for _, r := range k.reads {
			if r.readers--; r.readers == 0 && r.live && !r.pinned {
				release(r)
			}
		}
		for _, w := range k.writes {
			if w.readers == 0 && w.live && !w.pinned {
				release(w)
			}
		}
		for _, n := range k.next {
			if n.waits--; n.waits == 0 {
				queue = append(queue, n)
			}
		}
	}
	return peak
}
