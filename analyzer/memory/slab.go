package memory

// A slab hands out values that live as long as each other, many from one
// allocation.
type slab[T any] struct {
	left []T
	size int // of the allocation that left is of
}

// take hands out n values in a row, zero, with no room behind them.
func (s *slab[T]) take(n int) []T {
	if n > len(s.left) {
		s.size = max(min(2*s.size, 1024), 32, n)
		s.left = make([]T, s.size)
	}
	out := s.left[:n:n]
	s.left = s.left[n:]
	return out
}

// new hands out one.
func (s *slab[T]) new() *T { return &s.take(1)[0] }
