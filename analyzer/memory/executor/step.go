package executor

import "github.com/tfmem/tfmem/analyzer/graph"

// A Buffer is memory that one kernel writes and others read. A long step has hundreds of
// thousands, so a buffer fits into one cache line.
type Buffer struct {
	Size   int64
	Writer *Kernel
	// Over lists up to two buffers that the writer may overwrite. This buffer takes the memory of
	// the first that nothing else needs.
	Over [2]*Buffer
	// in is the buffer that provides the memory of this one, nil if it has its own. holders
	// counts the buffers that live in its memory, itself included.
	in      *Buffer
	holders int32
	readers int32 // kernels that have not read it yet
	seen    int32 // the last set of buffers that it was added to
	Number  int32 // in a graph
	Pinned  bool
	live    bool
	kept    bool // stays between the passes
	Part    bool // its writer is a kernel of XLA's that returns a tuple
	folded  bool // it is a constant that TensorFlow folds
	view    bool // it is the memory of over[0]
	Kind    Kind
}

// root returns the buffer for which the memory of b was allocated.
func (b *Buffer) root() *Buffer {
	if b.in != nil {
		return b.in
	}
	return b
}

// A Kernel is one operation of a training step.
type Kernel struct {
	buffers []*Buffer    // the buffers that it reads, then those that it writes
	Temp    int64        // bytes that live while the kernel runs
	Layer   *graph.Layer // of the operation that it runs, or nil
	// next and last are the first and the last of the kernels that wait for this one.
	next, last *follower
	// Defines is the number of bytes that it writes in place of variables.
	Defines int64
	inputs  int32 // how many buffers it reads
	waits   int32 // kernels that must run before
	seen    int32 // the number of the last kernel that waits for it
	Phase   Phase
}

func (k *Kernel) Reads() []*Buffer { return k.buffers[:k.inputs] }

func (k *Kernel) Writes() []*Buffer { return k.buffers[k.inputs:] }

// A follower is an entry in the list of kernels that wait for another.
type follower struct {
	*Kernel
	next *follower
}

// A Step is a training step as a graph of kernels.
//
// It is scheduled as TensorFlow's executor runs kernels that do not block: first ready, first run
// (tensorflow/core/common_runtime/executor.cc).
type Step struct {
	*Arena
	// Ordered is set if kernels run in the order in which they were added.
	Ordered bool
	// Separate is set if no output takes the memory of an input, because Python holds the input
	// while the kernel runs.
	Separate bool
	// Shared is the part of the optimizer's variables that will be in the memory of others.
	Shared int64
	// Phase and layer apply to the kernels that are being added.
	Phase Phase
	Layer *graph.Layer

	sets int32 // how many sets of buffers there were
}

// Add adds a buffer.
func (s *Step) Add(b Buffer) *Buffer {
	out := s.buffers.new()
	*out = b
	if s.Separate {
		out.Over = [2]*Buffer{}
	}
	return out
}

// Run adds a kernel that reads some buffers, perhaps repeatedly, and writes others.
func (s *Step) Run(reads []*Buffer, writes ...*Buffer) *Kernel {
	k := s.runs.new()
	s.Kernels = append(s.Kernels, k)
	k.Phase, k.Layer = s.Phase, s.Layer
	k.buffers = s.unite(s.Lists.Take(len(reads) + len(writes))[:0], reads)
	k.inputs = int32(len(k.buffers))
	k.buffers = append(k.buffers, writes...)
	number := int32(len(s.Kernels))
	for _, b := range k.Reads() {
		b.readers++
		// A kernel waits once for another, even if it reads several of its outputs.
		if w := b.Writer; w != nil && !s.Ordered && w.seen != number {
			w.seen = number
			s.after(k, w)
		}
	}
	for _, b := range writes {
		b.Writer = k
	}
	return k
}

// made adds a kernel that writes one buffer, in the memory of an input if possible.
func (s *Step) made(size int64, over *Buffer, reads ...*Buffer) *Buffer {
	out := s.Add(Buffer{Size: size, Over: [2]*Buffer{over}})
	s.Run(reads, out)
	return out
}

// reshaped adds a kernel that gives a buffer another shape, in the same memory.
func (s *Step) reshaped(b *Buffer) *Buffer {
	out := s.Add(Buffer{Size: b.Size, Kind: b.Kind, view: true, Over: [2]*Buffer{b}})
	s.Run(s.List(b), out)
	return out
}

// List returns a list of one buffer.
func (s *Step) List(b *Buffer) []*Buffer {
	out := s.Lists.Take(1)
	out[0] = b
	return out
}

// Union returns all buffers of some lists, each once.
func (s *Step) Union(lists ...[]*Buffer) []*Buffer {
	n := 0
	for _, l := range lists {
		n += len(l)
	}
	return s.unite(s.Lists.Take(n)[:0], lists...)
}

// unite appends all buffers of some lists, each once.
func (s *Step) unite(out []*Buffer, lists ...[]*Buffer) []*Buffer {
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
func (s *Step) after(k, other *Kernel) {
	f := s.followers.new()
	f.Kernel = k
	if other.last == nil {
		other.next = f
	} else {
		other.last.next = f
	}
	other.last = f
	k.waits++
}

// Play runs the kernels and returns the peak of live bytes, without resident memory. It calls
// watch, if that is not nil, for each kernel with what is in use while the kernel runs, resident
// memory included.
func (s *Step) Play(resident Use, watch func(k *Kernel, use Use)) int64 {
	p := player{use: resident, watch: watch, inUse: -s.Shared}
	p.use[States] -= s.Shared
	if s.Ordered {
		for _, k := range s.Kernels {
			p.run(k)
		}
		return p.peak
	}
	queue := make([]*Kernel, 0, len(s.Kernels))
	for _, k := range s.Kernels {
		if k.waits == 0 {
			queue = append(queue, k)
		}
	}
	for at := 0; at < len(queue); at++ {
		k := queue[at]
		p.run(k)
		for f := k.next; f != nil; f = f.next {
			if f.waits--; f.waits == 0 {
				queue = append(queue, f.Kernel)
			}
		}
	}
	return p.peak
}

// A player tracks what is in use while kernels run one after the other.
type player struct {
	inUse, peak int64
	use         Use
	watch       func(k *Kernel, use Use)
}

func (p *player) run(k *Kernel) {
	for _, w := range k.Writes() {
		w.live = true
		if m := w.place(); m != nil {
			w.in = m
			m.holders++
			p.use[m.Kind] -= m.Size
			m.Kind = w.Kind
			p.use[m.Kind] += m.Size
			continue
		}
		w.holders = 1
		p.inUse += w.Size
		p.use[w.Kind] += w.Size
	}
	p.peak = max(p.peak, p.inUse+k.Temp)
	if p.watch != nil {
		now := p.use
		now[Temporaries] += k.Temp
		p.watch(k, now)
	}
	for _, r := range k.Reads() {
		if r.readers--; r.readers == 0 && r.live && !r.Pinned {
			p.release(r)
		}
	}
	for _, w := range k.Writes() {
		if w.readers == 0 && w.live && !w.Pinned {
			p.release(w)
		}
	}
}

func (p *player) release(b *Buffer) {
	m := b.root()
	if m.holders--; m.holders == 0 {
		p.inUse -= m.Size
		p.use[m.Kind] -= m.Size
	}
	b.live = false
}

// place returns the buffer to overwrite with b: the first that its writer is about to read for
// the last time, and that nothing else lives in. It returns nil if there is none.
func (b *Buffer) place() *Buffer {
	if b.view {
		return b.Over[0].root()
	}
	for _, r := range b.Over {
		if r == nil || r.readers != 1 || !r.live || r.Size != b.Size {
			continue
		}
		if m := r.root(); m.holders == 1 {
			return m
		}
	}
	return nil
}
