package memory

import "testing"

// TestGrowth holds that a curve whose first batch tells how the peak grows is believed where
// the next point is where that leads, and priced between them where it is not.
func TestGrowth(t *testing.T) {
	const mega = 1_000_000
	for name, c := range map[string]struct {
		least, each int64 // bytes, whatever the batch and of each of its samples
		growth      float64
		priced      int
	}{
		"told":               {0, mega, mega, 2},
		"another from later": {1000 * mega, mega, 1, 4},
		"not told":           {0, mega, 0, 3},
	} {
		priced := 0
		need := func(batch int64) (Need, error) {
			priced++
			peak := max(c.least, c.each*batch)
			return Need{Peak: peak, Low: peak, High: peak}, nil
		}
		points, _ := curve(series{first: 1, factor: 32, growth: c.growth}, 20_000*mega, 1, need)
		if priced != c.priced {
			t.Errorf("%s: %d batches are priced, want %d", name, priced, c.priced)
		}
		for _, p := range points {
			if want, _ := need(p.Batch); p.Need.off(want) > float64(want.Peak)/100 {
				t.Errorf("%s: a batch of %d takes %d, want %d", name, p.Batch, p.Need.Peak, want.Peak)
			}
		}
	}
}
