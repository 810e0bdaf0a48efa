package memory_test

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestReplicas: each of several replicas takes its part of the batch, and holds all gradients
// twice while they are summed. A single one applies each as it comes or, in eager execution, when
// it has them all.
func TestReplicas(t *testing.T) {
	const weight = 1024 * 1024 * 4
	step := func(compile, devices string) *memory.Assessment {
		t.Helper()
		p := keras.Evaluate(names.Resolve(syntax.Parse(`
import numpy as np
import tensorflow as tf
from tensorflow import keras
strategy = tf.distribute.MirroredStrategy(`+devices+`)
with strategy.scope():
    layers = [keras.layers.Dense(1024, use_bias=False) for _ in range(4)]
    model = keras.Sequential([keras.Input((1024,)), *layers])
    optimizer = keras.optimizers.SGD()
data = tf.data.Dataset.from_tensor_slices((np.zeros((64, 1024)), np.zeros((64, 1024)))).batch(16)
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
`+compile+`
def distributed(batch):
    strategy.run(step, args=batch)
for batch in strategy.experimental_distribute_dataset(data):
    distributed(batch)
`), effects.Library{}, nil))
		for _, u := range p.Uses {
			if u.Method == "step" {
				a := memory.Assess(u.Model, p.Uses, memory.Place{})
				if len(a.Unresolved) > 0 {
					t.Fatal(a.Unresolved)
				}
				return a
			}
		}
		t.Fatal("no step is found")
		return nil
	}
	for _, c := range []struct {
		compile, devices string
		replica, weights int64
	}{
		{"@tf.function", `["gpu:0"]`, 16, 3},
		{"@tf.function", `["gpu:0", "gpu:1"]`, 8, 8},
		{"@tf.function", `["gpu:0", "gpu:1", "gpu:2", "gpu:3"]`, 4, 8},
		{"", `["gpu:0"]`, 16, 5},
		{"", `["gpu:0", "gpu:1"]`, 8, 9},
	} {
		a := step(c.compile, c.devices)
		n := a.Training.Need
		if a.Batch != 16 || a.Replica != c.replica {
			t.Errorf("%s %s: a batch of %d, %d of it on each", c.compile, c.devices, a.Batch, a.Replica)
		}
		if got := (n.Peak - n.Weights - n.Optimizer - n.Batch) / weight; got != c.weights {
			t.Errorf("%s %s: %d weights beside what rests, want %d", c.compile, c.devices, got, c.weights)
		}
	}
}
