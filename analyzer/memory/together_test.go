package memory_test

import (
	"sync"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestTogether: batches of one model cost the same priced in parallel as one after the other. An
// evaluated program is not written to any more.
func TestTogether(t *testing.T) {
	check := func(t *testing.T, _ string, _ *graph.Program, u *graph.ModelCall) {
		trainer, err := memory.NewTrainer(u.Model, u.Model.Optimizer)
		if err != nil {
			t.Fatal(err)
		}
		batches := []int64{8, 64}
		price := func(batch int64) memory.Need {
			n, err := trainer.Need(u.BatchInputs(batch))
			if err != nil {
				t.Error(err)
			}
			return n
		}
		together := make([]memory.Need, len(batches))
		var done sync.WaitGroup
		for i, batch := range batches {
			done.Go(func() { together[i] = price(batch) })
		}
		done.Wait()
		for i, batch := range batches {
			if n := price(batch); together[i] != n {
				t.Errorf("a batch of %d takes %+v beside another, %+v alone", batch, together[i], n)
			}
		}
	}
	eachCase(t, cases.Sample(t, recorded(t, "cases"), 20), check)
	eachCase(t, cases.Sample(t, recorded(t, "styles/cases"), 20), check)
	eachCase(t, cases.Sample(t, recorded(t, "loops/cases"), 20), check)
}

// TestOneAfterTheOther: a batch priced in reused memory, of this model or of others, costs the
// same as in fresh memory.
func TestOneAfterTheOther(t *testing.T) {
	check := func(t *testing.T, _ string, _ *graph.Program, u *graph.ModelCall) {
		trainer, err := memory.NewTrainer(u.Model, u.Model.Optimizer)
		if err != nil {
			t.Fatal(err)
		}
		for _, batch := range []int64{8, 64, 1, 8} {
			n, err := trainer.Need(u.BatchInputs(batch))
			if err != nil {
				t.Fatal(err)
			}
			want, err := memory.Anew(func() (memory.Need, error) { return trainer.Need(u.BatchInputs(batch)) })
			if err != nil {
				t.Fatal(err)
			}
			if n != want {
				t.Errorf("a batch of %d takes %+v after others, %+v alone", batch, n, want)
			}
		}
	}
	withoutXLA := func(t *testing.T, name string, p *graph.Program, u *graph.ModelCall) {
		if u.Model.Compiled != nil {
			u.Model.Compiled.XLA = "False"
		}
		check(t, name, p, u)
	}
	for _, folder := range []string{"cases", "styles/cases", "loops/cases"} {
		eachCase(t, cases.Sample(t, recorded(t, folder), 12), check)
	}
	eachCase(t, cases.Sample(t, recorded(t, "cases"), 12), withoutXLA)
}
