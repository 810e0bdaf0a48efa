package memory_test

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
)

// TestOneExample prices a call of a model that was built by one example, which has no batch: a string of
// a file's line.
func TestOneExample(t *testing.T) {
	p := followUnder(effects.Library{}, `
import tensorflow as tf
from tensorflow.keras import layers

process = tf.keras.Sequential([layers.Lambda(lambda text: tf.strings.length(text))])
lines = tf.data.TextLineDataset("a.txt").map(lambda s: (s, tf.cast(0, tf.int64)))
encoded = lines.map(lambda s, label: (process(s), label))
model = tf.keras.Sequential([process, layers.Embedding(100, 16), layers.Dense(4)])
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
model.evaluate(lines.take(100).batch(64))
`)
	for _, u := range p.Uses {
		for i, input := range u.BatchInputs(64) {
			if n := len(u.Model.Inputs[i].Shape); len(input.Shape) != n {
				t.Errorf("input %d has %d dimensions, want %d", i, len(input.Shape), n)
			}
			if len(input.Shape) == 0 {
				return
			}
		}
	}
	t.Error("no model has an input without dimensions")
}
