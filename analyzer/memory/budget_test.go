package memory_test

import (
	"cmp"
	"encoding/csv"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestBudget compares the budget with the pools that TensorFlow really got, and prints them with -v.
// If a desktop or another job took part of a consumer's card, the log shows less, never more.
func TestBudget(t *testing.T) {
	f, err := os.Open("../../testdata/estimate/pools.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reader := csv.NewReader(f)
	reader.Comment = '#'
	rows, err := reader.ReadAll()
	if err != nil || len(rows) < 20 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		name := row[0]
		total, _ := strconv.ParseInt(row[1], 10, 64)
		pool, _ := strconv.ParseFloat(row[3], 64)
		major, minor, _ := strings.Cut(row[2], ".")
		d := memory.Device{Name: name, Total: total << 20}
		d.Major, _ = strconv.Atoi(major)
		d.Minor, _ = strconv.Atoi(minor)
		got := float64(memory.Budget(d, memory.Process{})) / (1 << 20)
		low, high := 0.96, 1.03
		if strings.Contains(name, "GeForce") || strings.Contains(name, "RTX") {
			low, high = 0.87, 1.25 // desktops, and an RTX 3070 with a log of an older, smaller reserve
		}
		if strings.Contains(name, "MIG") {
			low = 0.88
		}
		ratio := got / pool
		s := memory.Split(d, memory.Process{})
		t.Logf("%-34s %5s  budget %5.0f MiB, logged %5.0f, %+5.1f %% (%+.0f to %+.0f %%); context %4d MiB, implied %4.0f; %s", name, row[2], got, pool,
			100*(ratio-1), 100*(low-1), 100*(high-1), s.Context>>20, float64(total)-pool-float64(s.Reserve>>20), cmp.Or(row[4], "checks"))
		if ratio < low || ratio > high {
			t.Errorf("%s: a budget of %.0f MiB, and TensorFlow had %.0f: %+.1f %%", name, got, pool, 100*(ratio-1))
		}
	}
}

func TestBudgetOfShares(t *testing.T) {
	d := memory.Device{Total: 24576 << 20, Major: 8, Minor: 6}
	whole := memory.Budget(d, memory.Process{})
	if got := memory.Budget(d, memory.Process{Limit: 4 << 30}); got != 4<<30 {
		t.Errorf("with a memory_limit of 4 GiB the budget is %d", got)
	}
	if got := memory.Budget(d, memory.Process{Fraction: 0.5}); got != 12<<30 {
		t.Errorf("with half of the memory the budget is %d, want half of the total", got)
	}
	if got := memory.BudgetNow(d, memory.Process{}); got != whole {
		t.Errorf("without knowing what is free the budget is %d, want %d", got, whole)
	}
	d.Free, d.FreeKnown = 6<<30, true
	if got := memory.BudgetNow(d, memory.Process{}); got <= 0 || got >= 6<<30 {
		t.Errorf("with 6 GiB free the budget now is %d", got)
	}
	// TensorFlow reserves less if less than 2 GiB of the GPU is free.
	small := memory.Device{Total: 2700 << 20, Free: 2600 << 20, FreeKnown: true, Major: 8}
	if got, most := memory.BudgetNow(small, memory.Process{}), memory.Budget(small, memory.Process{}); got != most {
		t.Errorf("the budget now is %d, more than that of the whole GPU, %d", got, most)
	}
	if got := memory.Budget(memory.Device{Total: 300 << 20, Major: 5}, memory.Process{}); got < 0 {
		t.Errorf("a tiny GPU has a budget of %d", got)
	}
	// What the driver keeps for itself is part of the context, and no other process's.
	idle := memory.Device{Total: 24576 << 20, Free: (24576 - 450) << 20, FreeKnown: true, Driver: 450 << 20, Major: 8, Minor: 6}
	if got, want := memory.SplitNow(idle, memory.Process{}), memory.Split(idle, memory.Process{}); got != want {
		t.Errorf("an idle GPU is divided into %+v, want %+v", got, want)
	}
	for _, d := range []memory.Device{d, small, idle, {Total: 300 << 20, Major: 5}, {Total: 80 << 30, Free: 1 << 20, FreeKnown: true, Major: 9}} {
		for _, p := range []memory.Process{{}, {Fraction: 0.3}, {Fraction: 2}, {Limit: 100 << 20}} {
			s := memory.SplitNow(d, p)
			if sum := s.Processes + s.Context + s.Reserve + s.Pool; sum != s.Total || s.Pool < 0 || s.Processes < 0 || s.Context < 0 {
				t.Errorf("%+v %+v: %+v, in sum %d", d, p, s, sum)
			}
		}
	}
}

// TestWorkers divides a GPU among workers: each gets its limit, also the last, beside the context and
// the libraries of all.
func TestWorkers(t *testing.T) {
	for n := int64(2); n <= 8; n++ {
		whole := memory.Device{Total: 24576 << 20, Major: 8, Minor: 6}
		part := whole
		part.Total /= n
		own := memory.Split(part, memory.Process{})
		worker := memory.Process{Limit: own.Pool}
		if got := memory.Split(whole, worker); got.Pool != own.Pool || n*(got.Pool+got.Context+own.Reserve) > whole.Total {
			t.Errorf("%d workers: each gets %+v, want %d", n, got, own.Pool)
		}
		last := whole
		last.Free, last.FreeKnown = whole.Total-(n-1)*(own.Pool+own.Context+own.Reserve), true
		if got := memory.SplitNow(last, worker); got.Pool != own.Pool {
			t.Errorf("the last of %d workers gets %+v, want %d", n, got, own.Pool)
		}
	}
}

func TestLargest(t *testing.T) {
	for _, c := range []struct {
		base, slope, knee, budget, want int64
	}{
		{0, 10, 0, 1000, 100}, {500, 10, 0, 1000, 50}, {999, 1, 0, 1000, 1}, {1001, 1, 0, 1000, 0},
		{0, 10, 60, 1000, 80}, {0, 1, 0, 1 << 40, 1 << 16},
	} {
		asked := 0
		cost := func(n int64) (int64, error) {
			asked++
			return c.base + c.slope*n + c.slope*max(n-c.knee, 0)*min(c.knee, 1), nil
		}
		if got := memory.Largest(1, 1<<16, c.budget, cost); got != c.want {
			t.Errorf("%+v: the largest batch is %d, want %d", c, got, c.want)
		}
		if asked > 8 {
			t.Errorf("%+v: the cost was asked for %d times", c, asked)
		}
	}
}

// TestLargestOfFewSizes: a step may take only the sizes between two bounds, which may both be far
// from a power of two.
func TestLargestOfFewSizes(t *testing.T) {
	for _, c := range []struct{ least, most, budget, want int64 }{
		{1, 5000, 10_000, 5000}, {1, 5000, 4000, 4000}, {1, 5000, 5001, 5000}, {90, 97, 1000, 97}, {90, 97, 95, 95},
		{90, 97, 89, 0}, {65, 127, 100, 100}, {65, 1 << 30, 100, 100}, {65, 1 << 30, 64, 0}, {1000, 1000, 1000, 1000}, {1000, 1000, 999, 0},
	} {
		for own := c.least; own <= c.most; own = 2*own + 1 {
			asked := 0
			got := memory.Largest(own, 1<<16, c.budget, func(n int64) (int64, error) {
				if asked++; n < c.least || n > c.most {
					return 0, errors.New("TensorFlow will raise")
				}
				return n, nil
			})
			if got != c.want {
				t.Errorf("%+v: from %d, the largest batch is %d", c, own, got)
			}
			if asked > 36 {
				t.Errorf("%+v: from %d, the cost was asked for %d times", c, own, asked)
			}
		}
	}
}

// TestJudge: the verdict depends on the range and the middle of a need alone.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		low, peak, high, budget int64
		want                    memory.Verdict
	}{
		{8, 10, 12, 12, memory.Fits},
		{8, 10, 12, 11, memory.Tight},
		{8, 10, 12, 10, memory.Tight},
		{8, 10, 12, 9, memory.Exceeds},
		{8, 10, 12, 7, memory.Exceeds},
		{4, 10, 40, 40, memory.Fits},
		{4, 10, 40, 39, memory.Unknown},
		{4, 10, 40, 9, memory.Unknown},
		{4, 10, 40, 4, memory.Unknown},
		{4, 10, 40, 3, memory.Exceeds},
		{4, 10, 12, 11, memory.Tight},
		{0, 10, 12, 9, memory.Unknown},
	} {
		if got := memory.Judge(memory.Need{Low: c.low, Peak: c.peak, High: c.high}, c.budget); got != c.want {
			t.Errorf("from %d over %d to %d, of %d: %s, want %s", c.low, c.peak, c.high, c.budget, got, c.want)
		}
	}
}

func TestWithPool(t *testing.T) {
	for _, pool := range []int64{0, 1, 500 << 20, 1700 << 20, 1900 << 20, 2 << 30, 10_200_547_328, 80 << 30} {
		if got := memory.Budget(memory.WithPool("a GPU", pool), memory.Process{}); got < pool || got > pool+pool/2+(1<<30) || pool >= 2<<30 && got != pool {
			t.Errorf("of a device for a pool of %d TensorFlow gets %d", pool, got)
		}
	}
}
