package memory_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestLargestOfCases compares the largest batch, found with few prices, with a bisection of all
// batches. It compares the points of the curve, most of them interpolated, with their prices. It
// runs with XLA if the program uses it, and without.
func TestLargestOfCases(t *testing.T) {
	check := func(t *testing.T, _ string, _ *graph.Program, u *graph.ModelCall) {
		for range 2 {
			largest(t, u)
			u.Model.Compiled.XLA = "False"
		}
	}
	eachCase(t, cases.Sample(t, recorded(t, "cases"), 12), check)
	eachCase(t, cases.Sample(t, recorded(t, "styles/cases"), 12), check)
}

// TestLargestOfALongStepByFours: a long step that takes its examples by fours only gets multiples
// of four.
func TestLargestOfALongStepByFours(t *testing.T) {
	text := strings.Replace(deep(6000), "keras.Input((64,))\n", "keras.Input((64,))\nx = keras.ops.reshape(x, (-1, 4, 64))\n", 1)
	p := followText(text)
	device := memory.Device{Name: "a GPU", Total: 24 << 30, Major: 8, Minor: 6}
	a := memory.Assess(p.Uses[0].Model, p.Uses, memory.Place{Device: &device})
	if a.Largest == 0 || a.Largest%4 != 0 {
		t.Errorf("the largest batch is %d", a.Largest)
	}
	for _, point := range a.Curve {
		if point.Batch%4 != 0 {
			t.Errorf("the curve has a batch of %d", point.Batch)
		}
	}
}

// TestLargestOfALongStep: the largest batch of a step with very many kernels fits,
// and one of 3 % more does not. The points of its curve are near their prices.
func TestLargestOfALongStep(t *testing.T) {
	for _, c := range cases.Sample(t, []struct{ name, from, to string }{
		{"with XLA", "", ""},
		{"a batch of 1", "m.fit(a, b)", "m.fit(a, b, batch_size=1)"},
		{"without", "'mse'", "'mse', jit_compile=False"},
		{"of the width", "m.fit(a, b)", "m.fit(a, b, batch_size=64)"},
		{"in halves of bytes", "from tensorflow import keras\n", "from tensorflow import keras\nkeras.mixed_precision.set_global_policy('mixed_float16')\n"},
	}, 2) {
		text := deep(10_000)
		if c.from != "" && !strings.Contains(text, c.from) {
			t.Fatalf("%s: the program has no %q", c.name, c.from)
		}
		p := followText(strings.Replace(text, c.from, c.to, 1))
		u := p.Uses[0]
		device := memory.Device{Name: "a GPU", Total: 24 << 30, Major: 8, Minor: 6}
		a := memory.Assess(u.Model, p.Uses, memory.Place{Device: &device})
		trainer, err := memory.NewTrainer(u.Model, u.Model.Optimizer)
		if err != nil {
			t.Fatal(err)
		}
		need := func(batch int64) memory.Need {
			n, err := trainer.On(device).Need(u.BatchInputs(batch))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		if len(a.Curve) < 2 || a.Curve[1].Batch != 8*a.Curve[0].Batch {
			t.Errorf("%s: the curve is %v, want powers of eight", c.name, a.Curve)
		}
		for batch, fits := range map[int64]bool{a.Largest: true, a.Largest + a.Largest/33: false} {
			if n := need(batch); (n.High <= a.Budget.Low) != fits {
				t.Errorf("%s: the largest batch is %d; that one of %d takes %d bytes of %d", c.name, a.Largest, batch, n.High, a.Budget.Low)
			}
		}
		for _, point := range cases.Sample(t, a.Curve, 5) {
			if n := need(point.Batch); math.Abs(float64(point.Need.Peak-n.Peak)) > float64(n.Peak)/50 {
				t.Errorf("%s: a batch of %d takes %d bytes, the curve says %d", c.name, point.Batch, n.Peak, point.Need.Peak)
			}
		}
	}
}

func largest(t *testing.T, u *graph.ModelCall) {
	need := func(batch int64) memory.Need {
		trainer, err := memory.NewTrainer(u.Model, u.Model.Optimizer)
		if err != nil {
			t.Fatal(err)
		}
		n, err := trainer.On(memory.Device{Major: 8}).Need(u.BatchInputs(batch))
		if err != nil {
			t.Fatal(err)
		}
		data := graph.DataBytes(u.Data, batch)
		n.Low, n.Peak, n.High = n.Low+data, n.Peak+data, n.High+data
		return n
	}
	var a *memory.Assessment
	for _, gib := range []int64{2, 24} {
		device := memory.Device{Name: "a GPU", Total: gib << 30, Major: 8, Minor: 6}
		a = memory.Assess(u.Model, []*graph.ModelCall{u}, memory.Place{Device: &device, Others: []memory.Device{alike}})
		if len(a.Unresolved) > 0 {
			t.Fatal(a.Unresolved)
		}
		fits, not := int64(0), int64(memory.MaxBatch+1)
		for not-fits > 1 {
			if middle := fits + (not-fits)/2; need(middle).High <= a.Budget.Low {
				fits = middle
			} else {
				not = middle
			}
		}
		if a.Largest != fits {
			t.Errorf("compiled with XLA %q, on %d GiB: the largest batch is %d, want %d", u.Model.Compiled.XLA, gib, a.Largest, fits)
		}
	}
	off := func(n memory.Need) float64 { return float64(n.Peak) / 100 }
	if compiled, _ := u.Model.XLA(); compiled {
		// XLA runs the kernels of another batch in another order.
		off = func(n memory.Need) float64 { return 4*float64(n.Peak)/100 + 64<<10 }
	}
	for _, p := range a.Curve {
		n := need(p.Batch)
		for got, want := range map[int64]int64{p.Need.Peak: n.Peak, p.Need.Low: n.Low, p.Need.High: n.High} {
			if math.Abs(float64(got-want)) > off(n) {
				t.Errorf("compiled with XLA %q: a batch of %d takes %+v on the curve, want %+v", u.Model.Compiled.XLA, p.Batch, p.Need, n)
			}
		}
	}
}

// TestUnit finds the number that the batch sizes of a step are multiples of, from each of them.
func TestUnit(t *testing.T) {
	for _, c := range []struct {
		name  string
		valid func(n int64) bool
		batch int64
		want  int64
	}{
		{"any batch", func(int64) bool { return true }, 128, 1},
		{"multiples of four", func(n int64) bool { return n%4 == 0 }, 128, 4},
		{"multiples of four, a large prime of them", func(n int64) bool { return n%4 == 0 }, 4 * 6007, 4},
		{"multiples of many", func(n int64) bool { return n%2500 == 0 }, 7 * 2500, 2500},
		{"not too few", func(n int64) bool { return n >= 90 }, 97, 1},
		{"not too many", func(n int64) bool { return n <= 97 }, 97, 1},
		{"neither", func(n int64) bool { return n%6 == 0 && n >= 90 && n <= 97 }, 90, 6},
		{"an array of 128 rows is added, to which one row is repeated", func(n int64) bool { return n == 1 || n == 128 }, 128, 128},
		{"its own only", func(n int64) bool { return n == 128 }, 128, 128},
	} {
		got := memory.Unit(c.batch, func(n int64) (memory.Need, error) {
			if !c.valid(n) {
				return memory.Need{}, errors.New("TensorFlow will raise")
			}
			return memory.Need{}, nil
		})
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
