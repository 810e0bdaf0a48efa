package memory

import (
	"math/rand/v2"
	"testing"

	"github.com/tfmem/tfmem/analyzer/memory/executor"
)

// TestLines compares the peak of a long step's few kept lines with that of all lines.
func TestLines(t *testing.T) {
	const own, far = 8, 4096
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		type moment struct{ fixed, each int64 }
		var all []moment
		var moments []Moment
		var lines []line
		for range executor.Long + 1 {
			m := moment{random.Int64N(1 << 30), random.Int64N(1 << 20)}
			if m.each > 1<<19 {
				m.fixed /= 1 << 10 // a backward pass; else an update
			}
			all = append(all, m)
			moments = append(moments, Moment{Use: executor.Use{executor.Activations: m.fixed + own*m.each}})
			lines = append(lines, line{to: m.fixed + far*m.each})
		}
		l := through(Point{Batch: own}, moments, Point{Batch: far}, lines)
		if l == nil {
			t.Fatal("no lines")
		}
		if len(l.all) > executor.Long/10 {
			t.Errorf("%d lines are left", len(l.all))
		}
		for _, batch := range []int64{1, 2, 7, 8, 9, 32, 64, 100, 512, 1000, 2000, 4095} {
			var want int64
			for _, m := range all {
				want = max(want, m.fixed+batch*m.each)
			}
			if _, got := l.at(batch); got < want-1 || got > want {
				t.Errorf("a batch of %d takes %d, want %d", batch, got, want)
			}
		}
	}
}

// TestNoLines: steps that run differently for two batches give no lines, and neither do steps
// with a buffer that grows faster than the batch.
func TestNoLines(t *testing.T) {
	const own, far = 8, 4096
	for name, c := range map[string]struct {
		squared  int64
		moments  int
		kernels  int
		expected bool
	}{
		"alike":            {0, executor.Long + 1, executor.Long + 1, true},
		"another kernel":   {0, executor.Long + 1, executor.Long + 2, false},
		"a short step":     {0, executor.Long, executor.Long, false},
		"a square of them": {1000, executor.Long + 1, executor.Long + 1, false},
	} {
		at := func(batch int64) int64 { return 1000*batch + c.squared*batch*batch }
		moments, lines := make([]Moment, c.moments), make([]line, c.kernels)
		for i := range moments {
			moments[i].Use = executor.Use{executor.Weights: 1 << 20, executor.Activations: at(own)}
		}
		for i := range lines {
			lines[i].to = 1<<20 + at(far)
		}
		if l := through(Point{Batch: own}, moments, Point{Batch: far}, lines); (l != nil) != c.expected {
			t.Errorf("%s: lines %v", name, l != nil)
		}
	}
}
