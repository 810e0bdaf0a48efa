package memory_test

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/observed"
)

// A tracedStep is what record_traces.py recorded of a step.
type tracedStep struct {
	program, name string
	Graph, Keras  string
	Batch         int64
	Resident      int64
	Peak          int64 // of the steps of traces/cases alone; others are in peaks.csv and loops.csv
}

// tracedSteps reads all of them.
func tracedSteps(t testing.TB) []tracedStep {
	t.Helper()
	paths, err := filepath.Glob(estimates + "traces/*.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	var out []tracedStep
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		s := tracedStep{name: strings.TrimSuffix(filepath.Base(path), ".json.gz")}
		s.program, _, _ = strings.Cut(s.name, "-")
		if err := json.NewDecoder(z).Decode(&s); err != nil {
			t.Fatal(err)
		}
		f.Close()
		out = append(out, s)
	}
	return out
}

// priced returns what a recorded step needs by its trace.
func (s *tracedStep) priced(t *testing.T) (memory.Need, error) {
	t.Helper()
	step := &observed.Step{Graph: s.Graph}
	if err := step.Read(); err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	if os.Getenv("EXPLAIN") == s.name {
		for _, h := range step.Traced().AtPeak() {
			t.Logf("%9.3f MiB %s", mib(h.Bytes), h.By)
		}
	}
	use := step.Traced().Play()
	step.Unread = max(s.Resident-use.Variables-use.Inputs, 0)
	m := &graph.Model{Keras: 2, Traced: step, Compiled: &graph.Compile{XLA: "False"}, Optimizer: &graph.Optimizer{}}
	return memory.Traced(m)
}

// TestTraced compares what traced steps need with their records: the median is within 3 %, the worst
// within 20 %, and 19 of 20 are inside the range. Where the text prices the step as well, it logs what is
// more than 5 % apart, and does not fail.
func TestTraced(t *testing.T) {
	recorded := map[string]record{}
	for _, r := range slices.Concat(records(t, "peaks.csv"), records(t, "loops.csv")) {
		if r.training == 0 {
			recorded[r.program+" "+r.keras+" "+memory.Count(r.batch)] = r
		}
	}
	var rows []comparison
	apart, unpriced := 0, 0
	for _, s := range tracedSteps(t) {
		r, there := recorded[s.program+" "+s.Keras+" "+memory.Count(s.Batch)]
		if s.Peak > 0 {
			r = record{program: s.program, keras: s.Keras, batch: s.Batch, peak: s.Peak}
		} else if !there {
			t.Errorf("%s is not recorded on batches of %d", s.name, s.Batch)
			continue
		}
		need, err := s.priced(t)
		if err != nil { // a list of tensors that a loop hands back is stacked, by its length alone
			t.Logf("%s is not priced: %v", s.name, err)
			unpriced++
			continue
		}
		c := comparison{r, need.Peak, 0, need.Low, need.High}
		rows = append(rows, c)
		if s.Peak > 0 || testing.Short() {
			continue
		}
		for _, text := range compare(t, []record{r}) {
			if by := abs(float64(text.gotPeak)/float64(need.Peak) - 1); by > 0.05 {
				apart++
				t.Logf("%s: the text says %.2f MiB, the trace %.2f, recorded are %.2f", s.name, mib(text.gotPeak), mib(need.Peak), mib(r.peak))
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b comparison) int { return cmp.Compare(abs(b.off()), abs(a.off())) })
	inside := 0
	for _, r := range rows {
		t.Logf("%-24s %-15s batch %4d: peak %9.2f MiB (%.2f to %.2f), recorded %9.2f: %+6.2f %%", r.program, r.keras, r.batch, mib(r.gotPeak), mib(r.low), mib(r.high), mib(r.peak), 100*r.off())
		if r.low <= r.peak && r.peak <= r.high {
			inside++
		}
	}
	if len(rows) < 30 || unpriced > 1 {
		t.Fatalf("%d traced steps are priced, %d are not", len(rows), unpriced)
	}
	median, worst := abs(rows[len(rows)/2].off()), abs(rows[0].off())
	t.Logf("%d steps: median %.2f %%, worst %.2f %% off, %d inside the range, %d more than 5 %% from the text", len(rows), 100*median, 100*worst, inside, apart)
	if median > 0.03 || worst > 0.2 || inside*20 < len(rows)*19 {
		t.Error("that is too far")
	}
}
