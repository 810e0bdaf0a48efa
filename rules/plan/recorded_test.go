package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
)

// A peak is what real TensorFlow needed for a program, as it is or after a change
// (testdata/plan/record.py).
type peak struct {
	program, change, text string
	batch, bytes          int64
}

func peaks(t *testing.T) (all []peak) {
	t.Helper()
	for _, row := range table(t, "peaks.csv", "program", "change", "text", "batch", "peak") {
		p := peak{program: row[0], change: row[1], text: row[2]}
		var err error
		p.batch, _ = strconv.ParseInt(row[3], 10, 64)
		if p.bytes, err = strconv.ParseInt(row[4], 10, 64); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// unrecorded are the changes that need a GPU, or several.
var unrecorded = []string{"without-xla", "xla", "several-gpus"}

// The bounds of what is predicted, for the median and for each. The worst is a transformer, whose
// recorded peak depends on the optimizer: 104 MiB with Adam, 116 with SGD, which needs less.
const (
	medianBound = 0.01
	worstBound  = 0.15
)

// TestRecorded compares what changes are predicted to save with what they saved with real TensorFlow,
// without XLA, for programs of others. Beside each program are the versions that its changes make: -update
// writes them, and record.py runs them.
//
//	go test ./rules/plan -run TestRecorded -v
func TestRecorded(t *testing.T) {
	recorded := map[string]peak{}
	for _, p := range peaks(t) {
		recorded[p.program+" "+p.change] = p
	}
	paths, err := filepath.Glob(filepath.Join(folder, "recorded", "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return strings.Count(filepath.Base(path), ".") > 1 })
	if len(paths) < 12 {
		t.Fatalf("%d programs", len(paths))
	}
	var offs []float64
	ran, versions, five, pairs, wrong := 0, 0, 0, 0, 0
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".py")
		t.Run(name, func(t *testing.T) {
			cases.Alone(t)
			ran++
			file := open(t, path)
			type saving struct {
				change          string
				predicted, real int64
			}
			var savings []saving
			compare := func(change string, of *analyzer.File) (predicted, real int64, ok bool) {
				key := name + " " + change
				r, there := recorded[key]
				if !there {
					t.Logf("%-20s %-18s is not recorded", name, cmp.Or(change, "as it is"))
					return 0, 0, false
				}
				if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(of.Source.Text()))); !strings.HasPrefix(sum, r.text) {
					t.Errorf("%s: another text was recorded; run testdata/plan/record.py", key)
					return 0, 0, false
				}
				got, batch := peakWithoutXLA(t, of)
				off := float64(got)/float64(r.bytes) - 1
				t.Logf("%-20s %-18s batch %4d: predicted %8.2f MiB, recorded %8.2f: %+5.1f %%", name, cmp.Or(change, "as it is"), r.batch, mib(got), mib(r.bytes), 100*off)
				if math.Abs(off) > worstBound {
					t.Errorf("%s: the peak is %.1f %% off, more than %.1f %%", key, 100*off, 100*worstBound)
				}
				if batch != r.batch {
					t.Errorf("%s: a batch of %d decides, recorded is %d", key, batch, r.batch)
				}
				offs = append(offs, math.Abs(off))
				return got, r.bytes, true
			}
			predicted, real, ok := compare("", file)
			for _, v := range changed(t, file) {
				cases.Golden(t, strings.TrimSuffix(path, ".py")+"."+v.change+".py", v.text)
				then, after, both := compare(v.change, analyzer.Analyze(source.New(filepath.Base(path), v.text), file.Config))
				if both {
					versions++
				}
				if both && ok {
					savings = append(savings, saving{v.change, predicted - then, real - after})
				}
			}
			if len(savings) >= 5 {
				five++
			}
			for i, a := range savings {
				for _, b := range savings[:i] {
					if abs(a.real-b.real) < real/50 || abs(a.predicted-b.predicted) < predicted/50 {
						continue // as much, within 2 % of the peak
					}
					if pairs++; (a.real < b.real) != (a.predicted < b.predicted) {
						wrong++
						t.Errorf("%s saves %.1f MiB and %s %.1f, predicted are %.1f and %.1f", a.change, mib(a.real), b.change, mib(b.real), mib(a.predicted), mib(b.predicted))
					}
				}
			}
		})
	}
	if len(offs) == 0 || ran < len(paths) {
		return
	}
	slices.Sort(offs)
	median := offs[len(offs)/2]
	t.Logf("%d programs, %d of them with five changes or more, %d changes: median %.1f %%, worst %.1f %% off; %d of %d pairs of changes in the real order", len(paths), five, versions, 100*median, 100*offs[len(offs)-1], pairs-wrong, pairs)
	if len(offs) < 60 {
		t.Errorf("%d peaks are compared", len(offs))
	}
	if median > medianBound {
		t.Errorf("the median is %.1f %% off", 100*median)
	}
}

// A version is the text that one change makes of a program.
type version struct{ change, text string }

// changed returns the versions of a program, in the order of what their changes cost. The last is of two
// changes: a smaller batch, and the cheapest that leaves the batch alone.
func changed(t *testing.T, file *analyzer.File) (all []version) {
	t.Helper()
	before, err := Price(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	s := search{ctx: t.Context(), plans: &Plans{Before: before}}
	smaller := &changes[slices.IndexFunc(changes, func(c Change) bool { return c.Name == "smaller-batch" })]
	var two *version
	for i := range changes {
		c := &changes[i]
		if slices.Contains(unrecorded, c.Name) {
			continue
		}
		if then, err := s.change(&node{state: before, source: file.Source}, c); err == nil && then != nil {
			all = append(all, version{c.Name, then.source.Text()})
			if two != nil || slices.Contains([]string{"accumulation", "smaller-batch", "validation-batch"}, c.Name) {
				continue
			}
			if both, err := s.change(then, smaller); err == nil && both != nil {
				two = &version{c.Name + "+" + smaller.Name, both.source.Text()}
			}
		}
	}
	if two != nil {
		all = append(all, *two)
	}
	return all
}

// peakWithoutXLA returns the peak of what a program runs without XLA, as a CPU does, and its batch.
func peakWithoutXLA(t *testing.T, file *analyzer.File) (most, batch int64) {
	t.Helper()
	program := file.Models()
	for _, u := range program.Uses {
		m := u.Model
		if m.Compiled != nil {
			m.Compiled.XLA = "False"
		}
		if m.Optimizer != nil {
			m.Optimizer.Fused = false
		}
		m.WithoutXLA = true
	}
	pricing := memory.NewPricing(program.Uses, memory.Place{}, nil)
	for _, u := range program.Uses {
		for _, p := range pricing.Phases(u) {
			if err := p.Price(); err != nil {
				t.Fatal(err)
			}
			if p.Peak > most {
				most, batch = p.Peak, p.Batch
			}
		}
	}
	return most, batch
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }

func abs(n int64) int64 { return max(n, -n) }

// TestStepsPerExecution holds to what stepsTogether says: with real TensorFlow, steps that one execution runs
// need no less than one (testdata/plan/record_steps.py).
func TestStepsPerExecution(t *testing.T) {
	rows := table(t, "steps.csv", "model", "steps", "batch", "peak")
	one := map[string]int64{}
	for _, row := range rows {
		number := func(column int) int64 {
			n, err := strconv.ParseInt(row[column], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		steps, batch, peak := number(1), number(2), number(3)
		if steps == 1 {
			one[row[0]] = peak
		}
		if less := one[row[0]] - peak; one[row[0]] == 0 || less > batch {
			t.Errorf("%s: %d steps need %.1f MiB, one %.1f", row[0], steps, mib(peak), mib(one[row[0]]))
		}
	}
	if len(one) < 2 || len(rows) < 8 {
		t.Errorf("%d rows", len(rows))
	}
}

// table returns the columns of a record.
func table(t *testing.T, name string, columns ...string) (rows [][]string) {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range all[1:] {
		var of []string
		for _, column := range columns {
			of = append(of, row[slices.Index(all[0], column)])
		}
		rows = append(rows, of)
	}
	return rows
}
