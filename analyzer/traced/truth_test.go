package traced_test

import (
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/traced"
)

const estimates = "../../testdata/estimate/"

// A trace is what record_traces.py recorded of a step.
type trace struct {
	name     string
	Graph    string
	Keras    string
	Batch    int64
	Resident int64
}

func traces(t testing.TB) []trace {
	t.Helper()
	paths, err := filepath.Glob(estimates + "traces/*.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	var out []trace
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		one := trace{name: strings.TrimSuffix(filepath.Base(path), ".json.gz")}
		if err := json.NewDecoder(z).Decode(&one); err != nil {
			t.Fatal(err)
		}
		out = append(out, one)
	}
	return out
}

// peaks returns the recorded peaks by program, Keras and batch.
func peaks(t testing.TB) map[[3]string]int64 {
	t.Helper()
	out := map[[3]string]int64{}
	for _, name := range []string{"peaks.csv", "loops.csv", "libraries.csv"} {
		f, err := os.Open(estimates + name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := func(column string) int { return slices.Index(rows[0], column) }
		for _, row := range rows[1:] {
			if n, err := strconv.ParseInt(row[at("pool_peak")], 10, 64); err == nil {
				key := [3]string{row[at("program")], row[at("keras")], row[at("batch")]}
				if _, there := out[key]; !there {
					out[key] = n
				}
			}
		}
	}
	return out
}

// TestTruth compares what traced steps need with what they needed.
func TestTruth(t *testing.T) {
	type row struct {
		trace
		got, want int64
		use       traced.Use
	}
	var rows []row
	recorded := peaks(t)
	for _, one := range traces(t) {
		program, _, _ := strings.Cut(one.name, "-")
		want, there := recorded[[3]string{program, one.Keras, strconv.FormatInt(one.Batch, 10)}]
		if !there {
			t.Errorf("%s is not recorded on batches of %d", one.name, one.Batch)
			continue
		}
		g, err := traced.Read(one.Graph)
		if err != nil {
			t.Errorf("%s: %v", one.name, err)
			continue
		}
		u := g.Play()
		if os.Getenv("EXPLAIN") == one.name {
			for _, h := range g.AtPeak() {
				t.Logf("    %9.3f MiB %s", mib(h.Bytes), h.By)
			}
		}
		rows = append(rows, row{one, max(one.Resident, u.Variables+u.Inputs) + u.Peak, want, u})
	}
	off := func(r row) float64 { return float64(r.got)/float64(r.want) - 1 }
	abs := func(x float64) float64 { return max(x, -x) }
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(abs(off(b)), abs(off(a))) })
	for _, r := range rows {
		t.Logf("%-34s batch %4d: %9.2f MiB, recorded %9.2f: %+6.2f %% (resident %.2f, of the graph %.2f) %v %v", r.name, r.Batch, mib(r.got), mib(r.want), 100*off(r), mib(r.Resident), mib(r.use.Variables+r.use.Inputs), r.use.Unknown, r.use.Loops)
	}
	if len(rows) > 0 {
		t.Logf("%d steps: median %.2f %%, worst %.2f %%", len(rows), 100*abs(off(rows[len(rows)/2])), 100*abs(off(rows[0])))
	}
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }
