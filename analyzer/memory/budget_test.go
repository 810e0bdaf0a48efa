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
// All lie within its bounds, which are no wider than they must be.
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
	lowest, highest := map[bool]float64{}, map[bool]float64{} // by whether the range is wide
	for _, row := range rows[1:] {
		name := row[0]
		mib := func(column int) int64 {
			n, err := strconv.ParseInt(row[column], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n << 20
		}
		major, minor, _ := strings.Cut(row[2], ".")
		d := memory.Device{Name: name, Total: mib(1)}
		d.Major, _ = strconv.Atoi(major)
		d.Minor, _ = strconv.Atoi(minor)
		b, most, least := memory.BudgetOf(d, memory.Process{}), mib(3), mib(4)
		s := memory.Split(d, memory.Process{})
		off := func(pool int64) float64 { return 100 * (float64(pool)/float64(b.Expected) - 1) }
		t.Logf("%-34s %5s  budget %5d MiB, logged %5d to %5d, %+5.1f to %+5.1f %% (%+5.1f to %+5.1f); context %4d MiB, implied %4d; %s", name, row[2], b.Expected>>20, least>>20, most>>20,
			off(least), off(most), off(b.Low), off(b.High), s.Context>>20, (d.Total-most-s.Reserve)>>20, cmp.Or(row[5], "checks"))
		if least < b.Low || most > b.High {
			t.Errorf("%s: a budget of %v, and TensorFlow had %d to %d MiB", name, b, least>>20, most>>20)
		}
		wide := off(b.Low) < -3
		lowest[wide], highest[wide] = min(lowest[wide], off(least)), max(highest[wide], off(most))
		// A size alone may be any card.
		if b := memory.BudgetOf(memory.Device{Name: "a GPU of 16GiB", Total: d.Total}, memory.Process{}); !strings.Contains(name, "MIG") && (least < b.Low || most > b.High) {
			t.Errorf("%s, by its size alone: a budget of %v, and TensorFlow had %d to %d MiB", name, b, least>>20, most>>20)
		}
	}
	if lowest[false] > -2 || lowest[true] > -17 || highest[true] < 13 {
		t.Errorf("the pools are %.1f to %.1f %% off where the range is narrow, %.1f to %.1f elsewhere", lowest[false], highest[false], lowest[true], highest[true])
	}
}

// TestBudgetOfCards: a screen, if there may be one, makes the range wide.
func TestBudgetOfCards(t *testing.T) {
	for _, c := range []struct {
		device     memory.Device
		process    memory.Process
		low, above int64 // MiB below and above what is expected
	}{
		{memory.Device{Name: "NVIDIA A100-SXM4-40GB", Total: 40960 << 20, Major: 8}, memory.Process{}, 960, 384},
		{memory.Device{Name: "A100-SXM4-40GB", Total: 40960 << 20, Major: 8}, memory.Process{}, 960, 384},
		{memory.Device{Name: "NVIDIA A100-SXM4-40GB", Total: 40960 << 20, Major: 8, Screen: memory.HasScreen}, memory.Process{}, 2560, 850},
		{memory.Device{Name: "NVIDIA RTX PRO 6000 Blackwell Server Edition", Total: 97887 << 20, Major: 12}, memory.Process{}, 2377, 950},
		{memory.Device{Name: "NVIDIA RTX A2000 12GB", Total: 12282 << 20, Major: 8, Minor: 6}, memory.Process{}, 1826, 850},
		{memory.Device{Name: "NVIDIA GeForce RTX 3090", Total: 24576 << 20, Major: 8, Minor: 6}, memory.Process{}, 2560, 850},
		{memory.Device{Name: "NVIDIA GeForce RTX 3090", Total: 24576 << 20, Major: 8, Minor: 6, Screen: memory.NoScreen}, memory.Process{}, 561, 224},
		{memory.Device{Name: "NVIDIA GeForce RTX 3090", Total: 24576 << 20, Major: 8, Minor: 6}, memory.Process{Limit: 4 << 30}, 0, 0},
		{memory.Device{Name: "NVIDIA GeForce RTX 3090", Total: 24576 << 20, Major: 8, Minor: 6}, memory.Process{Fraction: 0.5}, 0, 0},
		{memory.Device{Name: "NVIDIA GeForce RTX 3090", Total: 24576 << 20, Major: 8, Minor: 6}, memory.Process{Limit: 23976 << 20}, 2560, 0},
		{memory.WithPool("a GPU", 7<<30), memory.Process{}, 0, 0},
	} {
		b := memory.BudgetOf(c.device, c.process)
		if low, above := (b.Expected-b.Low)>>20, (b.High-b.Expected)>>20; low != c.low || above != c.above {
			t.Errorf("%+v, %+v: %v is %d MiB less, or %d more; want %d and %d", c.device, c.process, b, low, above, c.low, c.above)
		}
	}
}

func TestBudgetOfShares(t *testing.T) {
	d := memory.Device{Total: 24576 << 20, Major: 8, Minor: 6}
	whole := memory.BudgetOf(d, memory.Process{}).Expected
	if got := memory.BudgetOf(d, memory.Process{Limit: 4 << 30}).Expected; got != 4<<30 {
		t.Errorf("with a memory_limit of 4 GiB the budget is %d", got)
	}
	if got := memory.BudgetOf(d, memory.Process{Fraction: 0.5}).Expected; got != 12<<30 {
		t.Errorf("with half of the memory the budget is %d, want half of the total", got)
	}
	if got := memory.BudgetNow(d, memory.Process{}).Expected; got != whole {
		t.Errorf("without knowing what is free the budget is %d, want %d", got, whole)
	}
	d.Free, d.FreeKnown = 6<<30, true
	if got := memory.BudgetNow(d, memory.Process{}).Expected; got <= 0 || got >= 6<<30 {
		t.Errorf("with 6 GiB free the budget now is %d", got)
	}
	// TensorFlow reserves less if less than 2 GiB of the GPU is free.
	small := memory.Device{Total: 2700 << 20, Free: 2600 << 20, FreeKnown: true, Major: 8}
	if got, most := memory.BudgetNow(small, memory.Process{}).Expected, memory.BudgetOf(small, memory.Process{}).Expected; got != most {
		t.Errorf("the budget now is %d, more than that of the whole GPU, %d", got, most)
	}
	if got := memory.BudgetOf(memory.Device{Total: 300 << 20, Major: 5}, memory.Process{}).Expected; got < 0 {
		t.Errorf("a tiny GPU has a budget of %d", got)
	}
	// What the driver keeps for itself is part of the context, and no other process's.
	idle := memory.Device{Total: 24576 << 20, Free: (24576 - 450) << 20, FreeKnown: true, Driver: 450 << 20, Major: 8, Minor: 6}
	if got, want := memory.SplitNow(idle, memory.Process{}), memory.Split(idle, memory.Process{}); got.Pool != want.Pool || got.Context != want.Context || got.Reserve != want.Reserve {
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
		if got := memory.Judge(memory.Need{Low: c.low, Peak: c.peak, High: c.high}, memory.Budget{Low: c.budget, Expected: c.budget, High: c.budget}); got != c.want {
			t.Errorf("from %d over %d to %d, of %d: %s, want %s", c.low, c.peak, c.high, c.budget, got, c.want)
		}
	}
	// The range of the budget counts, too.
	need := memory.Need{Low: 8, Peak: 10, High: 12}
	for want, budgets := range map[memory.Verdict][]memory.Budget{
		memory.Fits:    {{Low: 12, Expected: 14, High: 15}},
		memory.Tight:   {{Low: 11, Expected: 14, High: 15}, {Low: 7, Expected: 14, High: 15}, {Low: 7, Expected: 10, High: 11}},
		memory.Exceeds: {{Low: 7, Expected: 9, High: 20}},
	} {
		for _, b := range budgets {
			if got := memory.Judge(need, b); got != want {
				t.Errorf("%v of %v: %s, want %s", need, b, got, want)
			}
		}
	}
}

func TestWithPool(t *testing.T) {
	for _, pool := range []int64{0, 1, 500 << 20, 1700 << 20, 1900 << 20, 2 << 30, 10_200_547_328, 80 << 30} {
		if got := memory.BudgetOf(memory.WithPool("a GPU", pool), memory.Process{}).Expected; got < pool || got > pool+pool/2+(1<<30) || pool >= 2<<30 && got != pool {
			t.Errorf("of a device for a pool of %d TensorFlow gets %d", pool, got)
		}
	}
}
