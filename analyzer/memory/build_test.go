package memory_test

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// unlikeBuild are how far the cases may be off that are more than 3 % too low or 15 % too high.
var unlikeBuild = map[string]float64{
	// The orthogonal initializer takes more of a kernel that is not square.
	"lstm": -0.05, "dense_orthogonal_tall": -0.05, "dense_orthogonal_wide": -0.05,
}

// TestBuild compares what the weights of models take while they are made with what real TensorFlow
// had in use. None is more than 3 % too low or 15 % too high, but for the exceptions, and the median
// is within 1 %.
func TestBuild(t *testing.T) {
	code := map[string]string{}
	text, err := os.ReadFile(estimates + "build.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if name, made, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(line, "#") {
			code[name] = strings.ReplaceAll(strings.ReplaceAll(made, " ## ", "; "), "; ", "\n")
		}
	}
	var all []float64
	for _, row := range table(t, "build.csv") {
		if row["note"] != "" {
			continue
		}
		t.Run(row["case"]+"/"+row["keras"], func(t *testing.T) {
			weights, _ := strconv.ParseInt(row["weights"], 10, 64)
			want, _ := strconv.ParseInt(row["build_peak"], 10, 64)
			l := effects.Library{}
			if !strings.HasPrefix(row["keras"], "3") {
				l = l.Legacy()
			}
			p := followUnder(l, "import numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\nfrom tensorflow.keras import layers\n"+code[row["case"]])
			if len(p.Models) == 0 {
				t.Fatal("there is no model")
			}
			need := memory.BuildNeed(p.Models[len(p.Models)-1])
			off := float64(need.Peak)/float64(want) - 1
			t.Logf("%+.2f %%: %d of %d", 100*off, need.Peak, want)
			if diff := need.Weights - weights; diff < 0 || diff > weights/20+1<<16 {
				t.Errorf("the weights are %d, recorded %d", need.Weights, weights)
			}
			if bound := unlikeBuild[row["case"]]; off < min(-0.03, bound) || off > max(0.15, bound) {
				t.Errorf("%d are in use, recorded %d: %+.1f %%", need.Peak, want, 100*off)
			}
			all = append(all, abs(off))
		})
	}
	if len(all) < 50 {
		return // -run selects some
	}
	slices.SortFunc(all, cmp.Compare)
	if median := all[len(all)/2]; median > 0.01 {
		t.Errorf("the median is %.2f %% off", 100*median)
	}
}
