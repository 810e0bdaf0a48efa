package memory_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestRank compares the largest layers with those of a full sort, and checks that the others are
// counted.
func TestRank(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var a memory.Assessment
		var sorted []memory.LayerCost
		for len(sorted) < random.IntN(12) {
			var inner []memory.LayerCost // of a model that is used as a layer
			for range 1 + random.IntN(3) {
				// The parameters show the order of layers with the same size.
				inner = append(inner, memory.LayerCost{Kept: random.Int64N(6), Parameters: memory.Range{Low: int64(len(sorted) + len(inner))}})
			}
			if sorted = append(sorted, inner...); random.IntN(2) > 0 {
				a.Layers = append(a.Layers, memory.LayerCost{Kept: 100, Inner: inner})
			} else {
				a.Layers = append(a.Layers, inner...)
			}
		}
		want := memory.Ranking{All: len(sorted)}
		slices.SortStableFunc(sorted, func(a, b memory.LayerCost) int { return cmp.Compare(b.Kept, a.Kept) })
		most := 1 + random.IntN(5)
		for i, l := range sorted {
			switch {
			case l.Kept == 0:
			case i < most:
				want.First = append(want.First, l)
			default:
				want.Others++
				want.Rest += l.Kept
			}
		}
		got := a.Rank(most, func(l *memory.LayerCost) int64 { return l.Kept })
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	}
}
