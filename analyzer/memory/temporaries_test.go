package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// temporaries are layers and functions, and code that runs eagerly, whose gradients need most of a
// step's memory while they have their temporaries.
var temporaries = []string{
	// layers
	"layers.PReLU()", "layers.PReLU(shared_axes=[1, 2])", "layers.Softmax()", "layers.Activation('silu')", "layers.Activation('hard_silu')",
	"layers.BatchNormalization()", "layers.LayerNormalization()", "layers.GroupNormalization(groups=8)",
	"layers.TimeDistributed(layers.Dense(16))", "lambda x: frozen(x, training=False)", "lambda x: layers.AdditiveAttention()([reshape(x), reshape(x)])",
	// functions
	"lambda x: ops.cumprod(x, axis=-1)", "lambda x: ops.det(ops.reshape(x, (-1, 64, 16, 4, 4)))", "lambda x: ops.moments(x, axes=[-1], keepdims=True)[1]",
	"lambda x: ops.normalize(x)", "lambda x: ops.layer_normalization(x)",
	"lambda x: ops.segment_max(ops.reshape(x, (-1, 16)), np.zeros(8 * 64 * 64, 'int32'), num_segments=4)",
	"lambda x: ops.einsum('bijc,bkjd->bicd', x, x)", "layers.Lambda(lambda x: tf.map_fn(lambda i: tf.concat([i, i], -1), x))",
	"layers.Lambda(lambda x: tf.vectorized_map(lambda i: tf.nn.silu(i), x))", "lambda x: layers.MultiHeadAttention(2, 16, attention_axes=(1, 2))(x, x)",
	// eagerly
	"EAGER layers.Dropout(0.5)", "EAGER lambda x: layers.Average()([x, layers.Conv2D(16, 1)(x)])", "EAGER layers.Activation('silu')",
	"EAGER lambda x: layers.BatchNormalization()(reshape(x))", "EAGER lambda x: frozen(reshape(x), training=False)",
	"EAGER layers.Lambda(lambda x: tf.map_fn(lambda i: tf.concat([i, i], -1), x))",
}

const temporaryProgram = `
import numpy as np
import tensorflow as tf
import keras
from keras import layers, ops

frozen = layers.BatchNormalization()
def reshape(x):
    return ops.reshape(x, (-1, 64, 64 * 16))
def make(layer):
    inputs = keras.Input((64, 64, 1))
    x = layers.Conv2D(16, 1)(inputs)
    return keras.Model(inputs, layers.Dense(1)(layer(x)))
model = make(LAYER)
model.compile(optimizer="sgd", loss=lambda y, out: ops.mean(out), run_eagerly=EAGERLY, jit_compile=False)
model.fit(np.zeros((8, 64, 64, 1), "float32"), np.zeros((8, 1), "float32"), batch_size=8)
`

// TestTemporaries compares the peaks of these models with what they were.
func TestTemporaries(t *testing.T) {
	var b strings.Builder
	for _, layer := range temporaries {
		layer, eager := strings.CutPrefix(layer, "EAGER ")
		flag := "False"
		if eager {
			flag = "True"
		}
		p := followUnder(effects.Library{}, strings.NewReplacer("LAYER", layer, "EAGERLY", flag).Replace(temporaryProgram))
		if len(p.Uses) != 1 {
			t.Errorf("%s: %d trainings; %v", layer, len(p.Uses), p.Unresolved)
			continue
		}
		u := p.Uses[0]
		need, err := memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(8))
		if err != nil {
			t.Errorf("%s: %v", layer, err)
			continue
		}
		fmt.Fprintf(&b, "%s, eagerly %t: %d (%d to %d)\n", layer, eager, need.Peak, need.Low, need.High)
	}
	cases.Golden(t, estimates+"temporaries.txt", b.String())
}
