package estimate

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
)

// TestPricedOnce: what rules have priced, an estimate does not price again, and the other way round.
func TestPricedOnce(t *testing.T) {
	const program = `
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((512, 512, 3)), keras.layers.Conv2D(64, 3), keras.layers.Conv2D(8, 3)])
model.compile("adam", "mse", jit_compile=False)
model.fit(np.zeros((640, 512, 512, 3)), np.zeros((640, 508, 508, 8)), batch_size=64)
`
	lowered := 0
	executor.OnLower = func(*graph.Model) { lowered++ }
	defer func() { executor.OnLower = nil }()
	count := func(do func()) int {
		lowered = 0
		do()
		return lowered
	}
	anew := func() (check, estimates func()) {
		file := analyzer.Analyze(source.New("a.py", program), analyzer.Config{Devices: func() []memory.Device { return []memory.Device{{Name: "A", Total: 8 << 30, Major: 8}} }})
		return func() { rules.Check(file, rules.Selection{Select: []string{"TFM601"}}) }, func() { Of(file, Options{}) }
	}
	check, estimates := anew()
	alone, after := count(check), count(estimates)
	check, estimates = anew()
	first, then := count(estimates), count(check)
	if alone < 3 || then > 0 {
		t.Errorf("rules price %d times, and %d times after an estimate", alone, then)
	}
	// The peak of a step that rules have priced is played again, for its moments.
	if after > first-alone+1 {
		t.Errorf("an estimate prices %d times, and %d times after rules that price %d times", first, after, alone)
	}
}
