package memory_test

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
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

// TestOptimizerAlone: a model that is given an optimizer and never compiled has a price, in either
// Keras.
func TestOptimizerAlone(t *testing.T) {
	for _, version := range []effects.Library{{}, effects.Library{}.Legacy()} {
		p := keras.Evaluate(names.Resolve(syntax.Parse(`
import tensorflow as tf
class Policy(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)
        self.optimizer = tf.keras.optimizers.Adam()
    def call(self, x):
        return self.dense(x)
policy = Policy()
policy(tf.zeros((4, 4)))
`), version, nil))
		if a := memory.Assess(p.Models[0], p.Uses, memory.Place{}); a.Training == nil {
			t.Errorf("no price: %v", a.Unresolved)
		}
	}
}
