package memory_test

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestNeverTrained: a compiled model is priced for training, unless the program runs it and never
// trains it.
func TestNeverTrained(t *testing.T) {
	const model = `
import numpy as np
from tensorflow import keras
x, y = np.zeros((64, 32), "float32"), np.zeros((64, 10), "float32")
m = keras.Sequential([keras.Input((32,)), keras.layers.Dense(10)])
m.compile("adam", "mse")
`
	for uses, trains := range map[string]bool{
		"":                            true,
		"m.fit(x, y)\n":               true,
		"m.fit(x, y)\nm.predict(x)\n": true,
		"m.predict(x)\nm.fit(x, y)\n": true,
		"m.evaluate(x, y)\nm.train_on_batch(x, y)\n": true,
		"m.predict(x)\n":                   false,
		"m.evaluate(x, y)\nm.predict(x)\n": false,
		"m.test_on_batch(x, y)\n":          false,
	} {
		p := followText(model + uses)
		a := memory.Assess(p.Models[0], p.Uses, memory.Place{})
		if len(a.Unresolved) > 0 || a.Inference == nil {
			t.Errorf("%q: %v", uses, a.Unresolved)
		}
		if got := a.Training != nil; got != trains {
			t.Errorf("%q: a training is priced: %t", uses, got)
		}
	}
}
