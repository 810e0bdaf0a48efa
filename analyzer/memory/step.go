package memory

import "github.com/tfmem/tfmem/analyzer/graph"

// A buffer is memory that one kernel writes and others read. A long step has hundreds of
// thousands, so a buffer fits into one cache line.
type buffer struct {
	size   int64
	writer *kernel
	// over lists up to two buffers that the writer may overwrite. This buffer takes the memory of
	// the first that nothing else needs.
	over [2]*buffer
	// in is the buffer that provides the memory of this one, nil if it has its own. holders
	// counts the buffers that live in its memory, itself included.
	in      *buffer
	holders int32
	readers int32 // kernels that have not read it yet
	seen    int32 // the last set of buffers that it was added to
	number  int32 // in a graph
	pinned  bool
	live    bool
	kept    bool // stays between the passes
	part    bool // its writer is a kernel of XLA's that returns a tuple
	folded  bool // it is a constant that TensorFlow folds
	view    bool // it is the memory of over[0]
	kind    Kind
}

// root returns the buffer for which the memory of b was allocated.
func (b *buffer) root() *buffer {
	if b.in != nil {
		return b.in
	}
	return b
}

// A kernel is one operation of a training step.
type kernel struct {
	buffers []*buffer    // the buffers that it reads, then those that it writes
	temp    int64        // bytes that live while the kernel runs
	layer   *graph.Layer // of the operation that it runs, or nil
	// next and last are the first and the last of the kernels that wait for this one.
	next, last *follower
	// defines is the number of bytes that it writes in place of variables.
	defines int64
	inputs  int32 // how many buffers it reads
	waits   int32 // kernels that must run before
	seen    int32 // the number of the last kernel that waits for it
	phase   Phase
}

func (k *kernel) reads() []*buffer  { return k.buffers[:k.inputs] }
func (k *kernel) writes() []*buffer { return k.buffers[k.inputs:] }

// A follower is an entry in the list of kernels that wait for another.
type follower struct {
	*kernel
	next *follower
}

// A step is a training step as a graph of kernels.
//
// It is scheduled as TensorFlow's executor runs kernels that do not block: first ready, first run
// (tensorflow/core/common_runtime/executor.cc).
type step struct {
	*arena
	// ordered is set if kernels run in the order in which they were added.
	ordered bool
	// separate is set if no output takes the memory of an input, because Python holds the input
	// while the kernel runs.
	separate bool
	// phase and layer apply to the kernels that are being added.
	phase Phase
	layer *graph.Layer

	sets int32 // how many sets of buffers there were
}

// add adds a buffer.
func (s *step) add(b buffer) *buffer {
	out := s.buffers.new()
	*out = b
	if s.separate {
		out.over = [2]*buffer{}
	}
	return out
}

// run adds a kernel that reads some buffers, perhaps repeatedly, and writes others.
func (s *step) run(reads []*buffer, writes ...*buffer) *kernel {
	k := s.runs.new()
	s.kernels = append(s.kernels, k)
	k.phase, k.layer = s.phase, s.layer
	k.buffers = s.unite(s.lists.take(len(reads) + len(writes))[:0], reads)
	k.inputs = int32(len(k.buffers))
	k.buffers = append(k.buffers, writes...)
	number := int32(len(s.kernels))
	for _, b := range k.reads() {
		b.readers++
		// A kernel waits once for another, even if it reads several of its outputs.
		if w := b.writer; w != nil && !s.ordered && w.seen != number {
			w.seen = number
			s.after(k, w)
		}
	}
	for _, b := range writes {
		b.writer = k
	}
	return k
}

// made adds a kernel that writes one buffer, in the memory of an input if possible.
func (s *step) made(size int64, over *buffer, reads ...*buffer) *buffer {
	out := s.add(buffer{size: size, over: [2]*buffer{over}})
	s.run(reads, out)
	return out
}

// reshaped adds a kernel that gives a buffer another shape, in the same memory.
func (s *step) reshaped(b *buffer) *buffer {
	out := s.add(buffer{size: b.size, kind: b.kind, view: true, over: [2]*buffer{b}})
	s.run(s.list(b), out)
	return out
}

// list returns a list of one buffer.
func (s *step) list(b *buffer) []*buffer {
	out := s.lists.take(1)
	out[0] = b
	return out
}

// union returns all buffers of some lists, each once.
func (s *step) union(lists ...[]*buffer) []*buffer {
	n := 0
	for _, l := range lists {
		n += len(l)
	}
	return s.unite(s.lists.take(n)[:0], lists...)
}

// unite appends all buffers of some lists, each once.
func (s *step) unite(out []*buffer, lists ...[]*buffer) []*buffer {
	s.sets++
	for _, l := range lists {
		for _, b := range l {
			if b != nil && b.seen != s.sets {
				b.seen = s.sets
				out = append(out, b)
			}
		}
	}
	return out
}

// after makes k wait for other.
func (s *step) after(k, other *kernel) {
	f := s.followers.new()
	f.kernel = k
	if other.last == nil {
		other.next = f
	} else {
		other.last.next = f
	}
	other.last = f
	k.waits++
}

// play runs the kernels and returns the peak of live bytes, without resident memory. It calls
// watch, if that is not nil, for each kernel with what is in use while the kernel runs, resident
// memory included.
func (s *step) play(resident Use, watch func(k *kernel, use Use)) int64 {
	p := player{use: resident, watch: watch}
	if s.ordered {
		for _, k := range s.kernels {
			p.run(k)
		}
		return p.peak
	}
	queue := make([]*kernel, 0, len(s.kernels))
	for _, k := range s.kernels {
		if k.waits == 0 {
			queue = append(queue, k)
		}
	}
	for at := 0; at < len(queue); at++ {
		k := queue[at]
		p.run(k)
		for f := k.next; f != nil; f = f.next {
			if f.waits--; f.waits == 0 {
				queue = append(queue, f.kernel)
			}
		}
	}
	return p.peak
}

// A player tracks what is in use while kernels run one after the other.
type player struct {
	inUse, peak int64
	use         Use
	watch       func(k *kernel, use Use)
}

func (p *player) run(k *kernel) {
	for _, w := range k.writes() {
		w.live = true
		if m := w.place(); m != nil {
			w.in = m
			m.holders++
			p.use[m.kind] -= m.size
			m.kind = w.kind
			p.use[m.kind] += m.size
			continue
		}
		w.holders = 1
		p.inUse += w.size
		p.use[w.kind] += w.size
	}
	p.peak = max(p.peak, p.inUse+k.temp)
	if p.watch != nil {
		now := p.use
		now[Temporaries] += k.temp
		p.watch(k, now)
	}
	for _, r := range k.reads() {
		if r.readers--; r.readers == 0 && r.live && !r.pinned {
			p.release(r)
		}
	}
	for _, w := range k.writes() {
		if w.readers == 0 && w.live && !w.pinned {
			p.release(w)
		}
	}
}

func (p *player) release(b *buffer) {
	m := b.root()
	if m.holders--; m.holders == 0 {
		p.inUse -= m.size
		p.use[m.kind] -= m.size
	}
	b.live = false
}

// place returns the buffer to overwrite with b: the first that its writer is about to read for
// the last time, and that nothing else lives in. It returns nil if there is none.
func (b *buffer) place() *buffer {
	if b.view {
		return b.over[0].root()
	}
	for _, r := range b.over {
		if r == nil || r.readers != 1 || !r.live || r.size != b.size {
			continue
		}
		if m := r.root(); m.holders == 1 {
			return m
		}
	}
	return nil
}
