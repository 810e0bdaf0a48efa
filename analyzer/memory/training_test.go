package memory_test

import (
	"fmt"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// need prices one step of a program's only training, under Keras 3 or tf_keras.
func need(t *testing.T, legacy bool, program string) memory.Need {
	t.Helper()
	l := effects.Library{}
	if legacy {
		l = l.Legacy()
	}
	p := followUnder(l, "import tensorflow as tf\nfrom tensorflow import keras\nfrom tensorflow.keras import layers\n"+program)
	if len(p.Uses) != 1 {
		t.Fatalf("%d trainings are found: %v", len(p.Uses), p.Unresolved)
	}
	u := p.Uses[0]
	batch, _ := u.Batch.Int()
	n, err := memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(batch))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPushedConstants: a softmax of scores that are divided by a number is multiplied ahead of time
// if the model's name sorts before gradient_tape. On a CPU TensorFlow 2.21 takes 13,117,336 bytes
// then, else 12,993,688: the gradient overwrites the softmax, or else the products of it.
func TestPushedConstants(t *testing.T) {
	named := func(name, scores string) int64 {
		return need(t, false, `
class Attend(layers.Layer):
    def call(self, x):
        s = tf.matmul(x, x, transpose_b=True)
        return tf.matmul(tf.nn.softmax(`+scores+`), x)
i = keras.Input((512, 16))
m = keras.Model(i, layers.Dense(1)(Attend()(layers.Dense(16)(i))), name="`+name+`")
m.compile("sgd", "mse", jit_compile=False)
m.fit(tf.zeros((4, 512, 16)), tf.zeros((4, 512, 1)), batch_size=4)
`).Peak
	}
	for _, c := range []struct {
		scores string
		ahead  bool
	}{
		{"s / 4.0", true},
		{"s * 0.25", true},
		{"s / 4.0 + tf.zeros((512, 512))", true},
		{"s", false},
		{"4.0 / s", false},
	} {
		before, after := named("bert", c.scores), named("transformer", c.scores)
		if c.ahead != (before > after) {
			t.Errorf("%s: %d with a name that sorts before, %d with another", c.scores, before, after)
		}
		for _, r := range []struct{ got, recorded int64 }{{before, 13_117_336}, {after, 12_993_688}} {
			if c.ahead && abs(float64(r.got)/float64(r.recorded)-1) > 0.001 {
				t.Errorf("%s: %d, recorded %d", c.scores, r.got, r.recorded)
			}
		}
	}
}

// TestUpdates checks what the updates of the optimizers of Keras 2 and 3 take beside the
// gradients, for one large weight.
func TestUpdates(t *testing.T) {
	const weight = 1024 * 1024 * 4
	update := func(legacy bool, optimizer string) int64 {
		n := need(t, legacy, `
m = keras.Sequential([keras.Input((1024,)), layers.Dense(1024, use_bias=False)])
m.compile(`+optimizer+`, "mse", jit_compile=False)
m.fit(tf.zeros((1, 1024)), tf.zeros((1, 1024)), batch_size=1)
`)
		return (n.Peak - n.Weights - n.Optimizer - n.Batch + weight/8) / weight
	}
	for _, c := range []struct {
		optimizer    string
		keras3, two  int64
		withGradient string
	}{
		{`"sgd"`, 1, 1, "the gradient"},
		{`"adam"`, 2, 1, "the gradient, and its square"},
		{`keras.optimizers.SGD(0.1, momentum=0.9)`, 2, 1, "momentum × m waits"},
		{`keras.optimizers.SGD(0.1, momentum=0.9, jit_compile=False)`, 2, 2, "not compiled"},
		{`keras.optimizers.legacy.SGD(0.1, momentum=0.9)`, 1, 1, "a kernel of TensorFlow"},
	} {
		if got := update(false, c.optimizer); got != c.keras3 {
			t.Errorf("%s of Keras 3: %d weights, want %d (%s)", c.optimizer, got, c.keras3, c.withGradient)
		}
		if got := update(true, c.optimizer); got != c.two {
			t.Errorf("%s of Keras 2: %d weights, want %d (%s)", c.optimizer, got, c.two, c.withGradient)
		}
	}
}

// TestParts: the gradients of the parts of a tensor are joined into one tensor, whatever the
// number of parts.
func TestParts(t *testing.T) {
	split := func(parts string) int64 {
		return need(t, false, `
i = keras.Input((64, 64, 16))
x = layers.Conv2D(16, 3, padding="same")(i)
x = layers.Add()(tf.split(x, `+parts+`, axis=-1))
m = keras.Model(i, layers.GlobalAveragePooling2D()(x))
m.compile("sgd", "mse", jit_compile=False)
m.fit(tf.zeros((16, 64, 64, 16)), tf.zeros((16, 1)), batch_size=16)
`).Peak
	}
	if two, eight := split("2"), split("8"); eight > two {
		t.Errorf("eight parts take %d, two %d", eight, two)
	}
}

// TestLabelsWithoutLoss: what fit is given for an output without a loss is a part of the batch, as
// float32 if it is float64 (testdata/estimate/peaks.csv, labels_without_loss).
func TestLabelsWithoutLoss(t *testing.T) {
	const want = 512 + 3328 + 256 // bytes of 8 rows of 16, 100 and 3 numbers, each in pieces of 256
	for _, legacy := range []bool{false, true} {
		for _, loss := range []string{`["mse", "mse"]`, `[None, "mse"]`} {
			for _, dtype := range []string{"float32", "float64"} {
				got := need(t, legacy, `
import numpy as np
i = keras.Input((16,))
m = keras.Model(i, [layers.Dense(100)(i), layers.Dense(3)(i)])
m.compile("sgd", loss=`+loss+`)
m.fit(np.zeros((64, 16), "float32"), [np.zeros((64, 100), "`+dtype+`"), np.zeros((64, 3), "`+dtype+`")], batch_size=8)
`).Batch
				if got != want {
					t.Errorf("tf_keras %v, loss=%s, labels of %s: the batch has %d bytes, want %d", legacy, loss, dtype, got, want)
				}
			}
		}
	}
}

// TestAdaptedLayers: the sum of a kernel and its adapters is not kept for a first layer, whose input
// needs no gradient. The gradient of such a kernel is computed before that of the layer's input. The
// peaks are those of TensorFlow 2.21 with Keras 3.15 on a CPU (record.py).
func TestAdaptedLayers(t *testing.T) {
	for batch, recorded := range map[int]int64{128: 41_902_220, 256: 49_242_764, 512: 66_058_636} {
		got := need(t, false, fmt.Sprintf(`
x = i = keras.Input((1024,))
for _ in range(4):
    x = layers.Dense(1024, activation="gelu")(x)
m = keras.Model(i, layers.Dense(10)(x))
for l in m.layers[1:-1]:
    l.enable_lora(rank=8)
m.compile(keras.optimizers.Adam(1e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
m.fit(tf.zeros((2048, 1024)), tf.zeros(2048, "int32"), batch_size=%d)
`, batch)).Peak
		if off := float64(got)/float64(recorded) - 1; abs(off) > 0.002 {
			t.Errorf("%d: %.2f MiB, recorded %.2f: %+.1f %%", batch, mib(got), mib(recorded), 100*off)
		}
	}
}

// TestZeroFactors: Keras computes an L1 or L2 of factor zero as any other, but leaves it out of an
// L1L2 (keras/src/regularizers/regularizers.py).
func TestZeroFactors(t *testing.T) {
	peak := func(legacy bool, regularizer string) int64 {
		return need(t, legacy, `
i = keras.Input((4,), dtype="int32")
m = keras.Model(i, layers.GlobalAveragePooling1D()(layers.Embedding(20_000, 64, embeddings_regularizer=`+regularizer+`)(i)))
m.compile("adam", "mse", jit_compile=False)
m.fit(tf.zeros((64, 4), "int32"), tf.zeros((64, 64)), batch_size=64)
`).Peak
	}
	for _, legacy := range []bool{false, true} {
		for zero, same := range map[string]string{
			"keras.regularizers.l2(0.0)":           "keras.regularizers.l2(0.1)",
			"keras.regularizers.L2(0)":             "keras.regularizers.l2(0.1)",
			"keras.regularizers.l1(0.0)":           "keras.regularizers.l1(0.1)",
			"keras.regularizers.L1L2(0.0, 0.0)":    "None",
			"keras.regularizers.l1_l2(0.0, 0.0)":   "None",
			"keras.regularizers.L1L2(l1=0, l2=.1)": "keras.regularizers.l2(0.1)",
		} {
			if got, want := peak(legacy, zero), peak(legacy, same); got != want {
				t.Errorf("tf_keras %v, %s: %d, want %d", legacy, zero, got, want)
			}
		}
	}
}

// TestLoopsInHalf: each iteration of a loop keeps its copy of the kernels, and of the input's
// kernel if the input needs a gradient. Unrolled steps have a gradient each.
func TestLoopsInHalf(t *testing.T) {
	const steps, recurrent = 32, 256 * 1024 * 2
	kept := func(legacy bool, policy, layer string) int64 {
		return need(t, legacy, `
keras.mixed_precision.set_global_policy("`+policy+`")
i = keras.Input((32, 256))
m = keras.Model(i, layers.Dense(1, dtype="float32")(layers.`+layer+`))
m.compile("sgd", "mse", jit_compile=False)
m.fit(tf.zeros((64, 32, 256)), tf.zeros((64, 1)), batch_size=64)
`).Kept
	}
	for _, policy := range []string{"mixed_float16", "mixed_bfloat16"} {
		for _, legacy := range []bool{false, true} {
			for layer, kernels := range map[string]int64{
				`LSTM(256, activation="relu")(i)`:                         1,
				`LSTM(256, activation="relu")(layers.Dense(256)(i))`:      2,
				`RNN(layers.LSTMCell(256))(i)`:                            1,
				`LSTM(256, unroll=True)(layers.Dense(256)(i))`:            2,
				`Bidirectional(layers.LSTM(256, activation="relu"))(i)`:   2,
				`SimpleRNN(1024, use_bias=False)(layers.Dense(256)(i))`:   5,
				`GRU(256, activation="relu", name="gru")(i)`:              0, // three gates
				`RNN([layers.LSTMCell(256), layers.LSTMCell(256)])(i)`:    3,
				`LSTM(256, recurrent_activation="relu", name="other")(i)`: 1,
			} {
				half, whole := kept(legacy, policy, layer), kept(legacy, "float32", layer)
				if more := half - whole/2; more < kernels*steps*recurrent*99/100 {
					t.Errorf("tf_keras %v, %s in %s: %d more than half of float32, want at least %d kernels of %d", legacy, layer, policy, more, kernels*steps, recurrent)
				}
			}
		}
	}
}
