package memory_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestStyles holds models as people write them (classes, functions, parts put
// together) against what a real TensorFlow made of them: parameters and batch
// sizes exactly; the peak of the pool within 5 % in the median, and within 20 %
// where there is more than a MiB of it.
func TestStyles(t *testing.T) {
	const folder = "../../testdata/estimate/styles/"
	paths, err := filepath.Glob(folder + "cases/*.py")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d cases: %v", len(paths), err)
	}
	var off []float64
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".py")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(folder + "records/" + name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var r record
			if err := json.Unmarshal(text, &r); err != nil {
				t.Fatal(err)
			}
			program := follow(t, path)
			if len(program.Uses) != len(r.Trainings) {
				t.Fatalf("%d trainings are found, want %d; lost: %v", len(program.Uses), len(r.Trainings), program.Lost)
			}
			for i, want := range r.Trainings {
				u := program.Uses[i]
				all, trained := u.Model.Parameters()
				if all != want.Parameters || trained != want.TrainableParameters {
					t.Errorf("%d parameters, %d of them trained; want %d and %d; %v", all, trained, want.Parameters, want.TrainableParameters, u.Model.Unresolved)
				}
				batch, _ := u.Batch.Int()
				if batch != want.BatchSize {
					t.Errorf("batch size %v, want %d", u.Batch.X, want.BatchSize)
				}
				u.Model.Compiled.XLA = "False" // as it was recorded
				need, err := memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(batch))
				if err != nil {
					t.Fatal(err)
				}
				miss := float64(need.Peak)/float64(want.PoolPeakBytes) - 1
				off = append(off, abs(miss))
				if want.PoolPeakBytes > 1<<20 && abs(miss) > 0.20 {
					t.Errorf("the peak is %.1f %% off", 100*miss)
				}
				t.Logf("peak %8.2f MiB, recorded %8.2f: %+6.1f %%   kept %8.2f, recorded %8.2f", mib(need.Peak), mib(want.PoolPeakBytes), 100*miss, mib(need.Kept), mib(want.Kept.Bytes))
			}
		})
	}
	slices.Sort(off)
	median, worst := off[len(off)/2], off[len(off)-1]
	t.Logf("peaks: median %.1f %%, worst %.1f %% off", 100*median, 100*worst)
	if median > 0.05 {
		t.Errorf("the median peak is %.1f %% off", 100*median)
	}
}
