package memory

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/keras"
)

// A buffer is memory that one kernel writes and others read.
type buffer struct {
	size    int64
	readers int // kernels that have not read it yet
	pinned  bool
	live    bool
	kind    Kind
	writer  *kernel
	// over are those that the writer reads and of which this may take the memory of
	// the first that nobody else needs.
	over []*buffer
	// in is the buffer in whose memory this one lives, nil where it has its own;
	// holders counts those that live in its memory, itself among them.
	in      *buffer
	holders int
}

// root is the buffer that the memory of b was taken for.
func (b *buffer) root() *buffer {
	for b.in != nil {
		b = b.in
	}
	return b
}

// A kernel is one operation of a training step.
type kernel struct {
	reads  []*buffer
	writes []*buffer
	temp   int64 // lives while the kernel runs
	waits  int   // kernels that must run before
	next   []*kernel
	phase  Phase
	layer  *keras.Layer // whose operation it runs, or nil
}

// A step is a training step as a graph of kernels.
//
// It is run as TensorFlow's executor runs kernels that do not block: those that
// are ready, in the order in which they became so
// (tensorflow/core/common_runtime/executor.cc).
type step struct {
	kernels []*kernel
	// ordered tells that kernels run in the order in which they were added.
	ordered bool
	// phase and layer are those of the kernels that are being added.
	phase Phase
	layer *keras.Layer
}

// run adds a kernel.
func (s *step) run(k *kernel) *kernel {
	s.kernels = append(s.kernels, k)
	k.phase, k.layer = s.phase, s.layer
	k.reads = unique(k.reads)
	for i, b := range k.reads {
		b.readers++
		// Kernels with several outputs are waited for once.
		again := func(r *buffer) bool { return r.writer == b.writer }
		if b.writer != nil && !slices.ContainsFunc(k.reads[:i], again) {
			k.after(b.writer)
		}
	}
	for _, b := range k.writes {
		b.writer = k
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
// resident memory left out. watch, which may be nil, is told of each kernel what
// is in use while it runs.
func (s *step) play(watch func(k *kernel, use *Use)) int64 {
	var inUse, peak int64
	var use Use
	queue := make([]*kernel, 0, len(s.kernels))
	for _, k := range s.kernels {
		if s.ordered || k.waits == 0 {
			queue = append(queue, k)
		}
	}
	release := func(b *buffer) {
		m := b.root()
		if m.holders--; m.holders == 0 {
			inUse -= m.size
			use[m.kind] -= m.size
		}
		b.live = false
	}
	for at := 0; at < len(queue); at++ {
		k := queue[at]
		for i, w := range k.writes {
			w.live = true
			at := slices.IndexFunc(w.over, func(r *buffer) bool { return r.free(w.size) && !taken(k.writes[:i], r) })
			if at >= 0 {
				r := w.over[at]
				m := r.root()
				w.in = r
				m.holders++
				use[m.kind] -= m.size
				m.kind = w.kind
				use[m.kind] += m.size
				continue
			}
			w.holders = 1
			inUse += w.size
			use[w.kind] += w.size
		}
		peak = max(peak, inUse+k.temp)
		if watch != nil {
			now := use
			now[Temporaries] += k.temp
			watch(k, &now)
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
			if n.waits--; n.waits == 0 && !s.ordered {
				queue = append(queue, n)
			}
		}
	}
	return peak
}

// free tells whether the last kernel that reads b may write size bytes over it.
func (b *buffer) free(size int64) bool {
	return b.readers == 1 && b.live && b.size == size && b.root().holders == 1
}

func taken(writes []*buffer, r *buffer) bool {
	return slices.ContainsFunc(writes, func(w *buffer) bool { return w.in == r })
}
