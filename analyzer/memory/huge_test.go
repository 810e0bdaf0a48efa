package memory_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestHuge: sizes beyond any memory are unknown, because bytes are counted in 64 bits.
func TestHuge(t *testing.T) {
	for _, layer := range []string{
		"Dense(10**18)", "Dense(5, lora_rank=10**18)", "Dense(2**62)", "Embedding(10**15, 10**15)",
		"UpSampling1D(10**15)", "ZeroPadding1D(10**17)", "RepeatVector(10**17)",
	} {
		shape := "(6, 6)"
		if strings.HasPrefix(layer, "Repeat") {
			shape = "(6,)"
		}
		p := followText("import keras\nm = keras.Sequential([keras.Input(" + shape + "), keras.layers." + layer + "])\nm.compile('adam', 'mse')\nm.fit(x, y, batch_size=8)\n")
		a := memory.Assess(p.Models[0], p.Uses, memory.Place{})
		if len(a.Unresolved) != 1 || !strings.Contains(a.Unresolved[0].String(), "larger than any memory") {
			t.Errorf("%s: %v; %v parameters", layer, a.Unresolved, a.Parameters)
		}
	}
}
