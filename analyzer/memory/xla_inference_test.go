package memory_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestXLAInference compares prediction with the memory that XLA's compiler reports for its step
// (testdata/estimate/record_xla.py --predict). Nine of ten records above a MiB must lie in the
// range.
func TestXLAInference(t *testing.T) {
	const folder = "../../testdata/estimate/"
	text, err := os.ReadFile(folder + "xla_inference.json")
	if err != nil {
		t.Fatal(err)
	}
	var r xlaRecords
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	rows, inside := 0, 0
	for gpu, cases := range r.GPUs {
		for name, trainings := range cases {
			path := folder + "cases/" + name + ".py"
			if _, err := os.Stat(path); err != nil {
				path = folder + "styles/cases/" + name + ".py"
			}
			u := follow(t, path).Uses[0]
			for _, s := range trainings[0].Steps {
				need, err := memory.Inference(u.Model, u.BatchInputs(s.Batch))
				if err != nil {
					t.Fatal(name, err)
				}
				recorded := s.Arguments + s.Outputs + s.Temporaries
				if recorded <= 1<<20 {
					continue
				}
				if ratio := float64(need.High-cublasWorkspace) / float64(need.Low); ratio > 1.5 {
					t.Errorf("%s: from %.2f to %.2f MiB is a ratio of %.2f", name, mib(need.Low), mib(need.High), ratio)
				}
				in := need.Low <= recorded && recorded <= need.High
				t.Logf("%-22s batch %4d on %s: recorded %8.2f MiB, estimate %8.2f: %+6.1f %%; %8.2f to %8.2f, inside %v", name, s.Batch, gpu,
					mib(recorded), mib(need.Peak), 100*(float64(need.Peak)/float64(recorded)-1), mib(need.Low), mib(need.High), in)
				if rows++; in {
					inside++
				}
			}
		}
	}
	t.Logf("%d of %d recorded peaks are inside the range", inside, rows)
	if inside*10 < rows*9 || rows < 25 {
		t.Errorf("%d of %d recorded peaks are inside the range, want 90 %% of 25 or more", inside, rows)
	}
}
