package value

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNamespace compares a namespace, from which names are removed, with a list.
func TestNamespace(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	ns, want := &Namespace{}, []string{}
	for step := range 20_000 {
		name := fmt.Sprint(random.IntN(60))
		i := slices.Index(want, name)
		if random.IntN(2) == 0 {
			ns.Put(name, Value{X: int64(step)})
			if i < 0 {
				want = append(want, name)
			}
		} else {
			ns.Put(name, Value{})
			if i >= 0 {
				want = slices.Delete(want, i, i+1)
			}
		}
		if got := ns.Names(); !slices.Equal(got, want) {
			t.Fatalf("after step %d the names are %v, want %v", step, got, want)
		}
		if v, ok := ns.Get(name); ok != slices.Contains(want, name) || ok && v.X == nil {
			t.Fatalf("after step %d %s is %v, %t", step, name, v.X, ok)
		}
	}
}
