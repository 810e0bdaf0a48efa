package memory_test

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// unlikePhase are the programs with a phase that is more than 15 % too high, and why.
var unlikePhase = map[string]string{
	"classes_validation_wide/3.15.1": "19 % high, the validation; the cause is not known",
}

// TestPhaseTruth compares each phase of programs with what real TensorFlow needed for it, without
// XLA. The phase that decides is the recorded one.
func TestPhaseTruth(t *testing.T) {
	type run struct{ program, keras string }
	of := map[run][]map[string]string{}
	var runs []run
	for _, row := range table(t, "phases.csv") {
		r := run{row["program"], row["keras"]}
		if of[r] == nil {
			runs = append(runs, r)
		}
		of[r] = append(of[r], row)
	}
	var all []float64
	for _, r := range runs {
		t.Run(r.program+"/"+r.keras, func(t *testing.T) {
			l := effects.Library{}
			if !strings.HasPrefix(r.keras, "3") {
				l = l.Legacy()
			}
			p := followUnder(l, text(t, estimates+"phases/"+r.program+".py"))
			m := p.Uses[0].Model
			for _, u := range p.Uses {
				uncompiled(u.ModelAt())
			}
			uncompiled(m)
			a := memory.Assess(m, p.Uses, memory.Place{})
			if len(a.Unresolved) > 0 || len(a.Phases) != len(of[r]) {
				t.Fatalf("%d phases, want %d; %v", len(a.Phases), len(of[r]), a.Unresolved)
			}
			heaviest, most := 0, int64(0)
			for i, row := range of[r] {
				got := a.Phases[i]
				want, _ := strconv.ParseInt(row["pool_peak"], 10, 64)
				batch, _ := strconv.ParseInt(row["batch"], 10, 64)
				if want > most {
					heaviest, most = i, want
				}
				peak := got.Peak - got.Data // the record is of the step alone
				off := float64(peak)/float64(want) - 1
				t.Logf("%s on %d: %.2f MiB, recorded %.2f: %+.1f %%", got.Title(), got.Batch, mib(peak), mib(want), 100*off)
				if got.Batch != batch || abs(off) > 0.15 && !(off > 0 && unlikePhase[r.program+"/"+r.keras] != "") {
					t.Errorf("%s on %d: %d, recorded %s on %d: %d", got.Title(), got.Batch, peak, row["kind"], batch, want)
				}
				all = append(all, abs(off))
			}
			if a.Phase != a.Phases[heaviest] {
				t.Errorf("%s decides, recorded is %s", a.Title(), a.Phases[heaviest].Title())
			}
		})
	}
	if len(all) < 20 {
		return // -run selects some
	}
	slices.SortFunc(all, cmp.Compare)
	if median := all[len(all)/2]; median > 0.02 {
		t.Errorf("the median is %.1f %% off", 100*median)
	}
}

// uncompiled has XLA compile neither the steps of a model nor its updates.
func uncompiled(m *graph.Model) {
	if m.Compiled != nil {
		m.Compiled.XLA = "False"
	}
	if m.Optimizer != nil {
		m.Optimizer.Fused = false
	}
	m.WithoutXLA = true
}
