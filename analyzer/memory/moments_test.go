package memory

import "testing"

// TestMoments holds that a curve whose first batch tells what is in use at each moment is
// believed to be straight where the next point is highest at the same moment, and priced
// between them where it is not.
func TestMoments(t *testing.T) {
	const mega = 1_000_000
	for name, c := range map[string]struct {
		least  int64 // bytes at the first of two moments, whatever the batch
		told   bool
		more   int   // kernels of large batches, beyond those of small ones
		folded int64 // bytes of a constant of a small batch
		priced int
	}{
		"one line":           {0, true, 0, 0, 2},
		"another from later": {1000 * mega, true, 0, 0, 4},
		"nearly one":         {mega + mega/2000, true, 0, 0, 2},
		"other kernels":      {0, true, 1, 0, 3},
		"a constant less":    {0, true, 1, 1000, 2},
		"a large one less":   {0, true, 1, 2000, 4},
		"not told":           {0, false, 0, 0, 3},
	} {
		step := func(batch int64) [2]Moment {
			return [...]Moment{{Use: Use{Weights: c.least}}, {Use: Use{Activations: mega * batch}}}
		}
		priced := 0
		need := func(batch int64) (Need, error) {
			priced++
			n := Need{course: course{kernels: 2}}
			for i, m := range step(batch) {
				if total := m.Use.Total(); total > n.Peak {
					n.Peak, n.Low, n.High, n.top = total, total, total, i
				}
			}
			if batch > 1 {
				n.kernels, n.top = n.kernels+c.more, n.top+c.more
			} else if c.folded > 0 {
				n.course.folded, n.foldedBytes = 1, c.folded
			}
			return n, nil
		}
		of := series{first: 1, factor: 32}
		if c.told {
			moments := step(1)
			of.moments = moments[:]
		}
		points, _ := curve(of, 20_000*mega, need)
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
