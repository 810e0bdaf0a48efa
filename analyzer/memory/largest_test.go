package memory_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestLargestWhateverTheBatch: the largest batch of a program does not depend on the batch that it
// has now. It fits, and the next that the step takes does not.
func TestLargestWhateverTheBatch(t *testing.T) {
	const head = `
import numpy as np
import tensorflow as tf
from tensorflow import keras
x = keras.Input((64,))
h = keras.layers.Dense(256, activation="relu")(x)
class M(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.of(x, y, tf.shape(x)[0])
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss}
    def of(self, x, y, n):
        %s
m = M(x, keras.layers.Dense(64)(h))
m.compile("adam", jit_compile=False)
m.fit(np.zeros((100_000, 64), "float32"), np.zeros((100_000, 64), "float32"), batch_size=%d)
`
	for _, c := range []struct {
		name, step string
		batches    []int64
	}{
		{"any size", "return tf.reduce_mean((self(x) - y) ** 2)", []int64{1, 2, 64, 97, 6007}},
		{"two halves", "return tf.reduce_mean((self(x[:n // 2]) - y[:n // 2]) ** 2) + tf.reduce_mean(self(x[n // 2:]))", []int64{2, 3, 97, 128, 6007}},
		{"equal halves", "a, b = tf.split(self(x), 2)\n        return tf.reduce_mean((a - b) ** 2)", []int64{2, 6, 194, 12014}},
		{"all pairs but one", "s = tf.matmul(self(x), self(x), transpose_b=True)\n        return tf.reduce_mean(tf.reshape(s, [n * n])[1:])", []int64{2, 3, 97, 251}},
		{"groups of 12", "return tf.reduce_mean(tf.reshape(self(x), (n // 12, 12, 64)) ** 2)", []int64{12, 24, 132, 12 * 97}},
		{"groups of 100", "return tf.reduce_mean(tf.reshape(self(x), (n // 100, 100, 64)) ** 2)", []int64{100, 200, 700, 9700}},
		{"the ten hardest", "e, _ = tf.math.top_k(tf.reduce_mean((self(x) - y) ** 2, -1), 10)\n        return tf.reduce_mean(e)", []int64{10, 11, 97, 128}},
		{"each against all", "s = tf.matmul(self(x), self(x), transpose_b=True)\n        return tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(tf.range(n), s, from_logits=True))", []int64{2, 64, 97, 2 * 97, 6007}},
	} {
		for _, mib := range []int64{1, 3, 80} {
			var all []int64
			for _, batch := range c.batches {
				p := followText(fmt.Sprintf(head, c.step, batch))
				if len(p.Uses) != 1 {
					t.Fatalf("%s: %d uses; %v", c.name, len(p.Uses), p.Unresolved)
				}
				all = append(all, largestOf(t, c.name, p, p.Uses[0], 0, mib<<20))
			}
			if len(slices.Compact(slices.Clone(all))) != 1 {
				t.Errorf("%s in %d MiB: on batches of %v the largest is %v", c.name, mib, c.batches, all)
			}
		}
	}
	check := func(t *testing.T, _ string, p *graph.Program, u *graph.ModelCall) {
		own, _ := u.Batch.Int()
		var all []int64
		for _, batch := range []int64{own, 97, 256} {
			all = append(all, largestOf(t, "", p, u, batch, 2<<30))
		}
		if len(slices.Compact(all)) != 1 {
			t.Errorf("on batches of %d, 97 and 256 the largest is %v", own, all)
		}
	}
	for _, folder := range []string{"cases", "styles/cases", "loops/cases"} {
		eachCase(t, cases.Sample(t, recorded(t, folder), 10), check)
	}
}

// largestOf returns the largest batch of a training within a budget. It checks that this one fits
// and that the next does not.
func largestOf(t *testing.T, name string, p *graph.Program, u *graph.ModelCall, batch, budget int64) int64 {
	device := memory.WithPool("a GPU", budget)
	a := memory.Assess(u.Model, []*graph.ModelCall{u}, memory.Place{Device: &device, Batch: batch})
	if len(a.Unresolved) > 0 {
		t.Fatalf("%s: %v", name, a.Unresolved)
	}
	trainer, err := memory.NewTrainer(u.ModelAt(), u.ModelAt().Optimizer)
	if err != nil {
		t.Fatal(err)
	}
	need := func(n int64) (memory.Need, error) {
		need, err := trainer.On(device).Need(u.BatchInputs(n))
		need.High += graph.DataBytes(u.Data, n)
		return need, err
	}
	if a.Largest > 0 {
		if n, err := need(a.Largest); err != nil || n.High > a.Budget.Low {
			t.Errorf("%s: the largest batch is %d, which takes %d of %d bytes; %v", name, a.Largest, n.High, a.Budget.Low, err)
		}
	}
	for next := a.Largest + 1; next <= min(a.Largest+100, memory.MaxBatch); next++ {
		if n, err := need(next); err == nil {
			if n.High <= a.Budget.Low {
				t.Errorf("%s: the largest batch is said to be %d; one of %d takes %d of %d bytes", name, a.Largest, next, n.High, a.Budget.Low)
			}
			break
		}
	}
	return a.Largest
}
