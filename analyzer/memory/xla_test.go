package memory_test

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"testing"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// xlaRecords is what XLA's compiler for GPUs set aside for train steps
// (testdata/estimate/record_xla.py): for each GPU and case a row for each fit.
type xlaRecords struct {
	GPUs map[string]map[string][]struct {
		Compiles bool
		Steps    []struct {
			Batch       int64 `json:"batch_size"`
			Arguments   int64 `json:"arguments_bytes"`
			Outputs     int64 `json:"outputs_bytes"`
			Temporaries int64 `json:"temporaries_bytes"`
		}
	}
}

// TestXLA holds the range of steps that XLA compiles against the records: the
// real peak inside it in 90 %, the high end at most 1.5 times the low one. Both
// are asked of steps that take more than a MiB; cuBLAS's workspace of 4 MiB is
// left out of the ratio, as no model makes it smaller.
func TestXLA(t *testing.T) {
	const folder = "../../testdata/estimate/"
	text, err := os.ReadFile(folder + "xla.json")
	if err != nil {
		t.Fatal(err)
	}
	var r xlaRecords
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	type row struct {
		name     string
		need     memory.Need
		recorded int64
		plain    int64 // the estimate of the same step without XLA
		inside   bool
	}
	var rows []row
	for gpu, cases := range r.GPUs {
		for name, trainings := range cases {
			path := folder + "cases/" + name + ".py"
			if _, err := os.Stat(path); err != nil {
				path = folder + "styles/cases/" + name + ".py"
			}
			program := follow(t, path)
			if len(program.Uses) != len(trainings) {
				t.Fatalf("%s: %d trainings are found, want %d", name, len(program.Uses), len(trainings))
			}
			for i, training := range trainings {
				u := program.Uses[i]
				if compiled, why := u.Model.XLA(); compiled != training.Compiles {
					t.Errorf("%s: compiled with XLA is %v, as %s; recorded %v", name, compiled, why, training.Compiles)
				}
				for _, s := range training.Steps {
					need, err := memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(s.Batch))
					if err != nil {
						t.Fatal(name, err)
					}
					asked := *u.Model.Compiled
					u.Model.Compiled.XLA = "False"
					plain, err := memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(s.Batch))
					if err != nil {
						t.Fatal(name, err)
					}
					*u.Model.Compiled = asked
					recorded := s.Arguments + s.Outputs + s.Temporaries
					if recorded <= 1<<20 {
						continue
					}
					rows = append(rows, row{
						fmt.Sprintf("%s, batch %d on %s", name, s.Batch, gpu), need, recorded, plain.Peak,
						need.Low <= recorded && recorded <= need.High,
					})
				}
			}
		}
	}
	miss := func(r row) float64 { return float64(r.need.Peak)/float64(r.recorded) - 1 }
	sort.Slice(rows, func(i, j int) bool { return abs(miss(rows[i])) > abs(miss(rows[j])) })
	inside := 0
	for _, r := range rows {
		const workspace = 4 << 20
		ratio := float64(r.need.High-workspace) / float64(r.need.Low)
		t.Logf("%-42s recorded %8.2f MiB, estimate %8.2f: %+6.1f %%; %8.2f to %8.2f, ratio %.2f, inside %-5v; without XLA %8.2f",
			r.name, mib(r.recorded), mib(r.need.Peak), 100*miss(r), mib(r.need.Low), mib(r.need.High), ratio, r.inside, mib(r.plain))
		if r.inside {
			inside++
		}
		if ratio > 1.5 {
			t.Errorf("%s: from %.2f to %.2f MiB is a ratio of %.2f", r.name, mib(r.need.Low), mib(r.need.High), ratio)
		}
	}
	t.Logf("%d of %d recorded peaks are inside the range; the median estimate is %.1f %% off", inside, len(rows), 100*abs(miss(rows[len(rows)/2])))
	if inside*10 < len(rows)*9 {
		t.Errorf("%d of %d recorded peaks are inside the range, want 90 %%", inside, len(rows))
	}
	if len(rows) < 30 {
		t.Errorf("%d records, want 30 or more", len(rows))
	}
}
