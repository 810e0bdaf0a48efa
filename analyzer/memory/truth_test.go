package memory_test

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// estimates is the folder of the programs and their records.
const estimates = "../../testdata/estimate/"

// A record is what real TensorFlow needed for one step of a program on one batch
// (testdata/estimate/record.py).
type record struct {
	program, keras        string
	training              int
	batch                 int64
	parameters, trainable int64
	kept, peak            int64
	compiled              bool // XLA compiled the updates
}

// legacy reports whether it was Keras 2: tf_keras, or that of TensorFlow before 2.16.
func (r *record) legacy() bool { return !strings.HasPrefix(r.keras, "3") }

// records reads a table of records. It leaves out rows that only say why there is no record.
func records(t testing.TB, name string) []record {
	t.Helper()
	var out []record
	for _, row := range table(t, name) {
		if row["note"] != "" {
			continue
		}
		number := func(column string) int64 {
			if _, there := row[column]; !there && (column == "training" || column == "kept") {
				return 0 // a custom step is one training, and keeps several things for several tapes
			}
			n, err := strconv.ParseInt(row[column], 10, 64)
			if err != nil {
				t.Fatalf("%s: %s of %s: %v", name, column, row["program"], err)
			}
			return n
		}
		out = append(out, record{
			program: row["program"], keras: row["keras"], training: int(number("training")), batch: number("batch"),
			parameters: number("parameters"), trainable: number("trainable"), kept: number("kept"), peak: number("pool_peak"),
		})
	}
	return out
}

// table reads a CSV file with a heading.
func table(t testing.TB, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(estimates + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		named := map[string]string{}
		for i, column := range rows[0] {
			named[column] = row[i]
		}
		out = append(out, named)
	}
	return out
}

// follow evaluates a case's program.
func follow(t testing.TB, path string) *graph.Program {
	t.Helper()
	return followUnder(effects.Library{}, text(t, path))
}

func followUnder(l effects.Library, text string) *graph.Program {
	return keras.Evaluate(names.Resolve(syntax.Parse(text), l, nil))
}

func text(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// source returns the text of a recorded program: that of a case, or a training of a model of
// keras.applications as in record.py (record_application).
func source(t testing.TB, program string) string {
	for _, folder := range []string{"cases/", "styles/cases/", "loops/cases/", "libraries/cases/"} {
		if path := estimates + folder + program + ".py"; exists(path) {
			return text(t, path)
		}
	}
	return fmt.Sprintf(`
import numpy as np
import tensorflow as tf
model = tf.keras.applications.%s(weights=None)
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
shape = [side or 224 for side in model.input_shape[1:]]
model.fit(np.zeros([8] + shape, "float32"), np.zeros([8], "int32"), batch_size=1)
`, program)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// A comparison is an estimate beside a record.
type comparison struct {
	record
	gotPeak, gotKept int64
	low, high        int64
}

func (c *comparison) off() float64 { return float64(c.gotPeak)/float64(c.peak) - 1 }

// compare prices what is recorded. Parameters, trained parameters, the number of trainings and
// their batch sizes must be right.
func compare(t *testing.T, all []record) []comparison {
	var out []comparison
	type key struct {
		program string
		legacy  bool
	}
	programs := map[key]*graph.Program{}
	sizes := map[*graph.ModelCall]map[int64]bool{}
	for _, r := range all {
		k := key{r.program, r.legacy()}
		p := programs[k]
		if p == nil {
			l := effects.Library{}
			if r.legacy() {
				l = l.Legacy()
			}
			p = followUnder(l, source(t, r.program))
			programs[k] = p
		}
		if r.training >= len(p.Uses) {
			t.Errorf("%s: %d trainings are found; lost: %v", r.program, len(p.Uses), p.Unresolved)
			continue
		}
		u := p.Uses[r.training]
		if sizes[u] == nil {
			sizes[u] = map[int64]bool{}
		}
		sizes[u][r.batch] = true
		if all, trained := u.Model.Parameters(); all != r.parameters || trained != r.trainable {
			t.Errorf("%s, Keras %s: %d parameters, %d of them trained; want %d and %d; %v", r.program, r.keras, all, trained, r.parameters, r.trainable, u.Model.Unresolved)
			continue
		}
		u.Model.Compiled.XLA = "False" // as it was recorded
		optimizer := *u.Model.Optimizer
		compiled := r.compiled || strings.HasPrefix(r.keras, "2.") // later ones have XLA compile updates only if there is a GPU
		optimizer.Fused = optimizer.Fused && compiled
		if own := u.Model.Own; own != nil {
			for _, update := range own.Updates {
				update.Optimizer.Fused = update.Optimizer.Fused && compiled
			}
		}
		need, err := memory.Training(u.Model, &optimizer, u.BatchInputs(r.batch))
		if err != nil {
			t.Errorf("%s, Keras %s: %v", r.program, r.keras, err)
			continue
		}
		out = append(out, comparison{r, need.Peak, need.Kept, need.Low, need.High})
	}
	for k, p := range programs {
		for _, u := range p.Uses {
			if own, _ := u.Batch.Int(); !sizes[u][own] {
				t.Errorf("%s: a batch size of %v, recorded are %v", k.program, u.Batch.X, sizes[u])
			}
		}
	}
	return out
}

// TestTruth compares the estimate with all records: all cases, the programs in many styles and
// keras.applications, under Keras 3 and tf-keras, each on three batch sizes. Parameters are
// exact. The peak of the pool is within 0.3 % in the median, and in 19 of 20 the truth lies in the
// range. A program's worst peak is within what bounds.csv says of the program, or else within 1 %;
// -update of the whole test writes that file. One program alone:
//
//	go test ./analyzer/memory -run TestTruth/resnet50 -v
func TestTruth(t *testing.T) {
	of := map[string][]record{}
	for _, r := range slices.Concat(records(t, "peaks.csv"), records(t, "applications.csv"), records(t, "loops.csv"), records(t, "libraries.csv")) {
		of[r.program] = append(of[r.program], r)
	}
	bounds := map[string]float64{}
	for _, row := range table(t, "bounds.csv") {
		percent, err := strconv.ParseFloat(row["percent"], 64)
		if err != nil || of[row["program"]] == nil {
			t.Fatalf("bounds.csv: %v", row)
		}
		bounds[row["program"]] = percent / 100
	}
	var rows []comparison
	ran, worsts := 0, map[string]float64{}
	for _, program := range slices.Sorted(maps.Keys(of)) {
		t.Run(program, func(t *testing.T) {
			cases.Alone(t)
			compared := compare(t, of[program])
			for _, r := range compared {
				if bound := cmp.Or(bounds[program], usualBound); abs(r.off()) > bound && !*cases.Update {
					t.Errorf("under Keras %s on batches of %d the peak is %.2f %% off, more than %.1f %%", r.keras, r.batch, 100*r.off(), 100*bound)
				}
				worsts[program] = max(worsts[program], abs(r.off()))
			}
			rows = append(rows, compared...)
			ran++
		})
	}
	slices.SortStableFunc(rows, func(a, b comparison) int { return cmp.Compare(abs(b.off()), abs(a.off())) })
	for _, r := range rows {
		t.Logf("%-22s %-15s batch %4d: peak %9.2f MiB (%.2f to %.2f), recorded %9.2f: %+6.1f %%   kept %8.2f, recorded %8.2f", r.program, r.keras,
			r.batch, mib(r.gotPeak), mib(r.low), mib(r.high), mib(r.peak), 100*r.off(), mib(r.gotKept), mib(r.kept))
	}
	if ran < len(of) {
		return // -run selects some
	}
	if len(rows) < 550 {
		t.Fatalf("there are %d comparisons", len(rows))
	}
	median, worst := rows[len(rows)/2], rows[0]
	t.Logf("%d peaks: median %.1f %%, worst %.1f %% off", len(rows), 100*abs(median.off()), 100*abs(worst.off()))
	if *cases.Update {
		writeBounds(t, worsts)
	}
	if abs(median.off()) > 0.003 {
		t.Errorf("the median peak is %.1f %% off", 100*abs(median.off()))
	}
	inside := 0
	for _, r := range rows {
		if r.low <= r.peak && r.peak <= r.high {
			inside++
		}
	}
	if t.Logf("%d of %d are inside the range", inside, len(rows)); inside*20 < len(rows)*19 {
		t.Errorf("%d of %d are inside the range", inside, len(rows))
	}
}

// TestCompiledUpdates compares the estimate with steps whose updates XLA compiles, each variable's by
// itself, as Keras 2 does if there is a GPU (tf_keras/src/optimizers/optimizer.py, _update_step_xla).
// The same programs without are in TestTruth. None needs more than its range. The rows of a batch
// that is made twice as large have the same indices twice, which are summed: less than the estimate.
func TestCompiledUpdates(t *testing.T) {
	all := records(t, "updates.csv")
	for i := range all {
		all[i].compiled = true
	}
	for _, r := range compare(t, all) {
		t.Logf("%-22s batch %4d: peak %8.2f MiB (%.2f to %.2f), recorded %8.2f: %+5.1f %%", r.program, r.batch, mib(r.gotPeak), mib(r.low), mib(r.high), mib(r.peak), 100*r.off())
		if abs(r.off()) > 0.045 || r.peak > r.high {
			t.Errorf("%s on batches of %d: the peak is %.2f %% off, the range ends at %.2f MiB", r.program, r.batch, 100*r.off(), mib(r.high))
		}
	}
}

// usualBound is how far the peak of a program may be off that bounds.csv does not name.
const usualBound = 0.01

// writeBounds writes the bounds of the programs that are further off, rounded up to half a percent.
func writeBounds(t *testing.T, worsts map[string]float64) {
	var b strings.Builder
	b.WriteString("program,percent\n")
	for _, program := range slices.Sorted(maps.Keys(worsts)) {
		if w := worsts[program]; w > usualBound {
			fmt.Fprintf(&b, "%s,%.1f\n", program, math.Ceil(200*w)/2)
		}
	}
	if err := os.WriteFile(estimates+"bounds.csv", []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRecorded: each case has a row under Keras 3, with a record or the reason why there is none.
func TestRecorded(t *testing.T) {
	recorded := map[string]bool{}
	for _, row := range slices.Concat(table(t, "peaks.csv"), table(t, "loops.csv")) {
		if strings.HasPrefix(row["keras"], "3") {
			recorded[row["program"]] = true
		}
	}
	for folder, least := range map[string]int{"cases": 30, "styles/cases": 30, "loops/cases": 12} {
		paths, err := filepath.Glob(estimates + folder + "/*.py")
		if err != nil || len(paths) < least {
			t.Fatalf("%d cases: %v", len(paths), err)
		}
		for _, path := range paths {
			if name := strings.TrimSuffix(filepath.Base(path), ".py"); !recorded[name] {
				t.Errorf("%s is not recorded", name)
			}
		}
	}
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }

func abs(x float64) float64 { return max(x, -x) }
