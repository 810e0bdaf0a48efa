package executor

import "slices"

// A Slab allocates values of the same lifetime, many at a time.
type Slab[T any] struct {
	Pieces [][]T
	next   int // index of the piece after the current one
	left   []T // unused values of the current piece
}

// Take returns n consecutive zero values, without spare capacity.
func (s *Slab[T]) Take(n int) []T {
	for n > len(s.left) {
		if s.next == len(s.Pieces) {
			size := 32
			if s.next > 0 {
				size = min(2*len(s.Pieces[s.next-1]), 1024)
			}
			s.Pieces = append(s.Pieces, make([]T, max(size, n)))
		}
		s.left = s.Pieces[s.next]
		s.next++
	}
	out := s.left[:n:n]
	s.left = s.left[n:]
	return out
}

// new returns one zero value.
func (s *Slab[T]) new() *T { return &s.Take(1)[0] }

// Clear takes back all values.
func (s *Slab[T]) Clear() {
	for _, p := range s.Pieces[:s.next] {
		clear(p)
	}
	s.next, s.left = 0, nil
}

// An Arena is the memory in which a step is built, and after it the step of the next batch. An
// estimate of 1,000 layers prices some ten batches, and takes 1.4 times as long (50 ms more) if
// each has its own memory.
type Arena struct {
	buffers   Slab[Buffer]
	runs      Slab[Kernel]
	followers Slab[follower]
	Lists     Slab[*Buffer]
	Shares    Slab[[]*Buffer]
	Backs     Slab[[][]*Buffer]
	parts     Slab[pending]
	pending   Slab[[]pending]
	// Kernels are those of the step in order. reads and writes are those of the kernel under
	// construction.
	Kernels       []*Kernel
	Reads, Writes []*Buffer
	Kept          []*Buffer // what stays between the passes
	Compiler      reusable  // what package xla keeps from one step to the next; nil at first
}

// A reusable is memory that one step leaves to the next.
type reusable interface {
	Clear()  // takes it back; it must not be used any more
	Forget() // drops what belongs to a model
}

// Clear takes back the memory of the previous step, which must not be used any more.
func (a *Arena) Clear() {
	a.buffers.Clear()
	a.runs.Clear()
	a.followers.Clear()
	a.Lists.Clear()
	a.Shares.Clear()
	a.Backs.Clear()
	a.parts.Clear()
	a.pending.Clear()
	clear(a.Reads[:cap(a.Reads)])
	clear(a.Writes[:cap(a.Writes)])
	clear(a.Kernels)
	clear(a.Kept)
	a.Kernels, a.Kept = a.Kernels[:0], a.Kept[:0]
	if a.Compiler != nil {
		a.Compiler.Clear()
	}
}

// Zeros returns n zero values, in the memory of in if that is large enough. It saves a sixth of
// the time of an estimate of 1,000 layers.
func Zeros[T any](in []T, n int) []T {
	out := slices.Grow(in[:0], n)[:n]
	clear(out)
	return out
}
