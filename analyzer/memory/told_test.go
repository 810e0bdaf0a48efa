package memory_test

import "testing"

// TestToldOfTraining: Keras 3 tells the layers of a model of training only if the model's call
// has an argument for it, Keras 2 always. An explicit argument takes precedence.
func TestToldOfTraining(t *testing.T) {
	kept := func(legacy bool, parameters, call string) int64 {
		return need(t, legacy, `
class M(keras.Model):
    def __init__(self):
        super().__init__()
        self.drop = layers.Dropout(0.5)
        self.head = layers.Dense(1)
    def call(self, x`+parameters+`):
        return self.head(self.drop(x`+call+`))
m = M()
m.compile("sgd", "mse", jit_compile=False)
m.fit(tf.zeros((64, 1024)), tf.zeros((64, 1)), batch_size=64)
`).Kept
	}
	const mask = 64 * 1024
	without := kept(false, "", "")
	for _, c := range []struct {
		legacy           bool
		parameters, call string
		drops            bool
	}{
		{false, "", "", false},
		{false, "", ", training=True", true},
		{false, ", training=None", "", true},
		{false, ", training=False", ", training=training", true},
		{false, ", training=None", ", training=False", false},
		{false, ", **kwargs", "", false},
		{true, "", "", true},
		{true, "", ", training=False", false},
	} {
		if got := kept(c.legacy, c.parameters, c.call) > without+mask/2; got != c.drops {
			t.Errorf("Keras 2 %v, call(self, x%s), drop(x%s): a mask is kept: %v", c.legacy, c.parameters, c.call, got)
		}
	}
}

// TestPenalties: a regularizer's sum over a weight and its gradient are computed when the step
// begins, each as large as the weight, and so is the constant that is the factor of all elements. A
// factor that Keras 3 has as a tensor (L1's) is tiled in each step. Keras 2 squares and sums in one
// kernel.
func TestPenalties(t *testing.T) {
	peak := func(legacy bool, arguments string) int64 {
		return need(t, legacy, `
m = keras.Sequential([keras.Input((512,)), layers.Dense(1024`+arguments+`)])
m.compile("sgd", "mse", jit_compile=False)
m.fit(tf.zeros((8, 512)), tf.zeros((8, 1024)), batch_size=8)
`).Peak
	}
	const kernel = 512 * 1024 * 4
	for _, c := range []struct {
		arguments     string
		three, legacy int64 // kernels, beside the gradient of the loss
	}{
		{", kernel_regularizer='l2'", 2, 1},
		{", kernel_regularizer=keras.regularizers.L1(1e-4)", 1, 2},
		{", kernel_regularizer=keras.regularizers.l1_l2(1e-4, l2=1e-4)", 3, 3},
		{", kernel_regularizer=keras.regularizers.L1L2(l2=1e-4)", 2, 1},
		{", bias_regularizer='l2'", 0, 0},
		{", kernel_regularizer=None", 0, 0},
	} {
		for legacy, tensors := range map[bool]int64{false: c.three, true: c.legacy} {
			// While the gradient of the loss comes, those of the penalties wait for it.
			if got := peak(legacy, c.arguments) - peak(legacy, ""); got < tensors*kernel || got > (tensors+1)*kernel {
				t.Errorf("Dense(1024%s), legacy %v: needs %d more, %d for each of %d", c.arguments, legacy, got, kernel, tensors)
			}
		}
	}
}

// TestOwnLosses: a custom loss keeps what its operations keep.
func TestOwnLosses(t *testing.T) {
	kept := func(loss string) int64 {
		return need(t, false, `
def own(y, p):
    `+loss+`
class Own(keras.losses.Loss):
    def call(self, y, p):
        return own(y, p)
m = keras.Sequential([keras.Input((16,)), layers.Dense(4096)])
m.compile("sgd", Own(), jit_compile=False)
m.fit(tf.zeros((64, 16)), tf.zeros((64, 4096)), batch_size=64)
`).Kept
	}
	const output = 64 * 4096 * 4
	for loss, outputs := range map[string]int64{
		"return tf.reduce_mean(y - p)":                                  0,
		"return tf.reduce_mean(tf.square(y - p), axis=-1)":              1,
		"return tf.reduce_mean(tf.exp(tf.sin(p)) + tf.tanh(p) * y)":     3,
		"return tf.reduce_mean(keras.losses.mean_squared_error(y, p))":  1,
		"return tf.py_function(lambda a, b: 0.0, [y, p], tf.float32)":   1, // it is not followed
		"return tf.reduce_mean(tf.nn.softmax(p) * tf.math.log(y + 1.))": 2,
	} {
		if got := kept(loss) / output; got != outputs {
			t.Errorf("%s: %d tensors of the output's size are kept, want %d", loss, got, outputs)
		}
	}
}
