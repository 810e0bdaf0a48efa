package memory_test

import (
	"fmt"
	"testing"
)

// TestNamesOfEagerSteps checks that the name of an output holds it, and the logits of a softmax,
// until the step returns or the name is rebound.
func TestNamesOfEagerSteps(t *testing.T) {
	peak := func(softmax, then string) int64 {
		return need(t, false, fmt.Sprintf(`
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
model = tf.keras.Sequential([layers.Input((32, 32, 3)), layers.Conv2D(12, 3, padding="same", activation="relu"), layers.Conv2D(6, 3, padding="same"%s)])
optimizer = tf.keras.optimizers.SGD(0.01)
def train_step(images):
    with tf.GradientTape() as tape:
        out = model(images, training=True)
        loss = tf.reduce_mean(out)
        %s
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
for images in tf.data.Dataset.from_tensor_slices(np.zeros((2560, 32, 32, 3), "float32")).batch(256):
    train_step(images)
`, softmax, then)).Peak
	}
	const output = 256 * 32 * 32 * 6 * 4
	softmax := `, activation="softmax"`
	if held, plain := peak(softmax, "pass"), peak("", "pass"); held-plain != output {
		t.Errorf("logits take %d bytes, not %d", held-plain, output)
	}
	if held, rebound := peak("", "pass"), peak("", "out = loss"); held-rebound != output {
		t.Errorf("the rebound name frees %d bytes, not %d", held-rebound, output)
	}
}
