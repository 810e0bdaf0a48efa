package value

import (
	"fmt"
	"slices"
	"testing"
)

// TestKeywords passes few arguments, which are searched linearly, and many, which are
// indexed.
func TestKeywords(t *testing.T) {
	for _, n := range []int{0, 1, Few, Few + 1, 100} {
		var k Keywords
		var names []string
		for i := range n {
			name := fmt.Sprint("k", n-i)
			names = append(names, name)
			k.Put(name, Value{X: int64(0)})
			k.Put(name, Value{X: int64(i)}) // replaces it
		}
		if got := slices.Collect(k.Names()); !slices.Equal(got, names) || k.Len() != n {
			t.Errorf("of %v there are %d: %v", names, k.Len(), got)
		}
		clone := k.Clone()
		for i, name := range names {
			without := k.Without(name)
			if v, ok := without.Get(name); ok || without.Len() != n-1 {
				t.Errorf("%s is there still in %d: %v", name, without.Len(), v)
			}
			clone.Put(name, Value{X: "another"})
			if v, ok := k.Get(name); !ok || v.X != int64(i) || k.Value(name) != v {
				t.Errorf("%s of %d is %v", name, n, v)
			}
		}
		if v, ok := k.Get("other"); ok {
			t.Errorf("what was not passed to %d is %v", n, v)
		}
	}
}
