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
			for _, u := range p.Uses {
				uncompiled(u.ModelAt())
				uncompiled(u.Model)
				u.Data = nil // the record is of the step alone
				if u.Validation != nil {
					u.Validation.Data = nil
				}
			}
			pricing := memory.NewPricing(p.Uses, memory.Place{}, nil)
			var phases []*memory.Phase
			for _, u := range p.Uses {
				phases = append(phases, pricing.Phases(u)...)
			}
			if len(phases) != len(of[r]) {
				t.Fatalf("%d phases, want %d", len(phases), len(of[r]))
			}
			heaviest, most := map[*graph.Model]*memory.Phase{}, map[*graph.Model]int64{}
			for i, row := range of[r] {
				got := phases[i]
				if err := got.Price(); err != nil {
					t.Fatal(err)
				}
				want, _ := strconv.ParseInt(row["pool_peak"], 10, 64)
				batch, _ := strconv.ParseInt(row["batch"], 10, 64)
				if m := got.Use.Model; want > most[m] {
					heaviest[m], most[m] = got, want
				}
				off := float64(got.Peak)/float64(want) - 1
				t.Logf("%s on %d: %.2f MiB, recorded %.2f: %+.1f %%", got.Title(), got.Batch, mib(got.Peak), mib(want), 100*off)
				if got.High < want {
					t.Errorf("%s on %d: at most %d, recorded %d", got.Title(), got.Batch, got.High, want)
				}
				if got.Batch != batch || abs(off) > 0.15 && !(off > 0 && unlikePhase[r.program+"/"+r.keras] != "") {
					t.Errorf("%s on %d: %d, recorded %s on %d: %d", got.Title(), got.Batch, got.Peak, row["kind"], batch, want)
				}
				all = append(all, abs(off))
			}
			for m, want := range heaviest {
				if a := pricing.Assess(m, memory.Place{}); a.Phase != want {
					t.Errorf("%s decides, recorded is %s", a.Title(), want.Title())
				}
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

// TestCollected compares the range of each prediction that joins what it has collected with what real
// TensorFlow had in use then (testdata/estimate/data.csv).
func TestCollected(t *testing.T) {
	priced := 0
	for _, row := range table(t, "data.csv") {
		if row["peak"] == "" {
			continue
		}
		t.Run(row["program"]+"/"+row["keras"]+"/"+row["line"], func(t *testing.T) {
			l := effects.Library{}
			if row["keras"] != "3" {
				l = l.Legacy()
			}
			p := followUnder(l, text(t, estimates+"data/cases/"+row["program"]+".py"))
			pricing := memory.NewPricing(p.Uses, memory.Place{}, nil)
			for _, u := range p.Uses {
				at := 1 + strings.Count(u.Node.Tree().Text()[:u.Node.Start()], "\n")
				if u.Method != "predict" || strconv.Itoa(at) != row["line"] {
					continue
				}
				phase := pricing.Of(u)
				if err := phase.Price(); err != nil {
					t.Fatal(err)
				}
				recorded, _ := strconv.ParseInt(row["peak"], 10, 64)
				want := phase.Weights + phase.Optimizer + recorded // the record is what grows with the rows
				if want > phase.High || want < phase.Low-1e6 {
					t.Errorf("%d to %d, recorded %d", phase.Low, phase.High, want)
				}
				priced++
				return
			}
			t.Error("it is not found")
		})
	}
	if priced == 0 {
		t.Error("no prediction is priced")
	}
}
