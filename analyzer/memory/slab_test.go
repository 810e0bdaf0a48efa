package memory

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// TestSlab: values from a slab are zero and do not overlap, also after clear.
func TestSlab(t *testing.T) {
	var s executor.Slab[int]
	for round := range 3 {
		var all [][]int
		for n := range 200 {
			values := s.Take(n)
			if len(values) != n || cap(values) != n {
				t.Fatalf("asked for %d values, it gives %d of room for %d", n, len(values), cap(values))
			}
			for i, v := range values {
				if v != 0 {
					t.Fatalf("in round %d, value %d of %d is that of another: %d", round, i, n, v)
				}
				values[i] = n
			}
			all = append(all, values)
		}
		for n, values := range all {
			for _, v := range values {
				if v != n {
					t.Fatalf("a value of %d is another's, of %d", n, v)
				}
			}
		}
		pieces := len(s.Pieces)
		if s.Clear(); round > 0 && len(s.Pieces) != pieces {
			t.Errorf("round %d has taken more memory", round)
		}
	}
}

// TestZeros: a list in the memory of another is all zero.
func TestZeros(t *testing.T) {
	list := []int{1, 2, 3}
	for _, n := range []int{2, 3, 5, 0, 4} {
		list = executor.Zeros(list, n)
		if len(list) != n {
			t.Fatalf("a list of %d, want %d", len(list), n)
		}
		for i, v := range list {
			if v != 0 {
				t.Errorf("of %d values, %d is %d", n, i, v)
			}
			list[i] = 7
		}
	}
}
