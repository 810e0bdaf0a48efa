package estimate

import (
	"context"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
)

// TestTrainedByAStep: a compiled model that a step of the program's own trains is a part of that
// step, and not also trained by fit. One that fit trains, too, is not.
func TestTrainedByAStep(t *testing.T) {
	const program = `
import tensorflow as tf
from tensorflow import keras
m = keras.Sequential([keras.Input((64,)), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam()
m.compile(optimizer, "mse")
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((m(x) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
for x, y in tf.data.Dataset.from_tensor_slices((tf.zeros((1000, 64)), tf.zeros((1000, 1)))).batch(100):
    step(x, y)
`
	for text, want := range map[string]bool{program: true, program + "m.fit(tf.zeros((64, 64)), tf.zeros((64, 1)))\n": false} {
		models, err := Read(context.Background(), analyzer.Analyze(source.New("a.py", text), analyzer.Config{}), Options{})
		if err != nil || len(models.Models) != 2 {
			t.Fatalf("%d models, %v", len(models.Models), err)
		}
		for _, m := range models.Models {
			if want := want && m.Name == "m"; m.Part != want {
				t.Errorf("%s is a part: %v, want %v", m.Name, m.Part, want)
			}
		}
	}
}
