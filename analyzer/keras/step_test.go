package keras_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

const stepsOf = `
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
other = tf.keras.optimizers.SGD()
loss_fn = tf.keras.losses.MeanSquaredError()
BATCH = 16
data = tf.data.Dataset.from_tensor_slices((np.zeros((64, 8), "float32"), np.zeros((64, 1), "float32"))).batch(BATCH)
`

// TestSteps says of steps that programs write what is known of them: the optimizers
// of their updates and whether a graph runs them, or why nothing is.
func TestSteps(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a loop", `
for x, y in data:
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
`, "the loop: Adam, operation by operation, batches of 16"},
		{"a function that tf.function compiles by call", `
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
compiled = tf.function(step)
for x, y in data:
    compiled(x, y)
`, "step: Adam, compiled, batches of 16"},
		{"a helper takes the gradient, its caller applies it", `
def grad(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    return loss, tape.gradient(loss, model.trainable_variables)
for x, y in data:
    loss, grads = grad(x, y)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
`, "grad: Adam, operation by operation, batches of 16"},
		{"two updates", `
@tf.function
def step(x, y):
    with tf.GradientTape(persistent=True) as tape:
        loss = loss_fn(y, model(x))
    first, second = model.layers[0].trainable_variables, model.layers[1].trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, first), first))
    other.apply_gradients(zip(tape.gradient(loss, second), second))
for x, y in data:
    step(x, y)
`, "step: Adam SGD, compiled, batches of 16"},
		{"an update that a test decides on", `
import random
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    if random.random() > 0.5:
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: unknown: what it updates is not known"},
		{"a jacobian", `
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    j = tape.jacobian(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(j, model.trainable_variables))
for x, y in data:
    step(x, y)
`, "step: unknown: tape.jacobian takes a gradient of each element by itself"},
		{"a gradient to look at", `
def saliency(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        out = model(x)
    return tape.gradient(out, x)
for x, y in data:
    saliency(x)
`, ""},
		{"too many requests", `
@tf.function
def step(x, y):
    for _ in range(1000):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
for x, y in data:
    step(x, y)
`, "step: unknown: it asks for gradients more than 64 times"},
		{"a model that is not known", `
import nets
for x, y in data:
    with tf.GradientTape() as tape:
        loss = loss_fn(y, nets.model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, nets.model.trainable_weights), nets.model.trainable_weights))
`, "the loop: unknown: what a gradient is taken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := keras.Follow(names.Resolve(syntax.Parse(stepsOf+c.text), effects.Library{}, nil))
			got := ""
			for _, m := range p.Models {
				switch {
				case m.Class != "Step":
				case m.Own == nil:
					got += m.Name + ": unknown: " + strings.Join(m.Unresolved, "; ")
				default:
					got += m.Name + ":"
					for _, u := range m.Own.Updates {
						got += " " + u.Optimizer.Class
					}
					got += map[bool]string{true: ", compiled", false: ", operation by operation"}[m.Own.Compiled]
				}
			}
			for _, u := range p.Uses {
				if u.Method == "step" {
					got += ", batches of " + keras.Shape{u.Batch.X.(int64)}.String()[1:3]
				}
			}
			if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
