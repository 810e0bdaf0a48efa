package keras_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/value"
)

// TestArraysThatSizeLayers checks what is known of models with layer sizes from arrays.
func TestArraysThatSizeLayers(t *testing.T) {
	const head = "import numpy as np\nfrom tensorflow import keras\nfrom tensorflow.keras import layers\nx = keras.Input((8, 8, 4))\n"
	for _, c := range []struct {
		name, program string
		parameters    int64
		unresolved    string
	}{
		{"as many backwards, whatever they are", "y = layers.Dense(len(np.random.rand(5)[::-1]))(x)\n", 25, ""},
		{"written into, and so not known", "a = np.arange(6)\nb = a[2:]\na[3] = 9\ny = layers.Dense(b[1])(x)\n", 0, "Dense: units is not known"},
		{"turned", "a = np.zeros((2, 3, 7)).transpose(1, 2, 0)\ny = layers.Dense(a.shape[1])(x)\n", 35, ""},
		{"turned by a tuple", "a = np.zeros((2, 3, 7)).transpose((1, 2, 0))\ny = layers.Dense(a.shape[1])(x)\n", 35, ""},
		{"not written into", "a = np.arange(6)\nb = a[2:].copy()\na[3] = 9\ny = layers.Dense(b[1])(x)\n", 15, ""},
		{"windows at places that chance draws", "a = np.zeros(100)\nw = np.stack([a[i:i + 4 + 1] for i in np.random.randint(0, 90, 3)])\ny = layers.Dense(w.shape[0] * w.shape[1])(x)\n", 75, ""},
		{"the limits of types", "import tensorflow as tf\ny = layers.Dense(np.iinfo(np.uint8).max // 51 + int(np.finfo(tf.float16.as_numpy_dtype).max) // 65504)(x)\n", 30, ""},
		{"the limits of types, by their methods", "import tensorflow as tf\ny = layers.Dense(tf.int8.max - int(-x.dtype.min / tf.float32.max))(x)\n", 630, ""},
		{"a number that its type does not hold", "y = layers.Dense(np.array([300]).astype(np.uint8)[0])(x)\n", 0, "units is not known"},
		{"a sum that its type does not hold", "y = layers.Dense((np.array([200], np.uint8) + np.array([100], np.uint8))[0])(x)\n", 0, "units is not known"},
		{"shuffled by TensorFlow, not in place", "import tensorflow as tf\na = tf.random.shuffle(tf.zeros((5, 3)))\ny = layers.Dense(a.shape[0])(x)\n", 25, ""},
		{"an initializer of a number, which is none", "y = layers.Dense(5, kernel_initializer=keras.initializers.constant(0.1))(x)\ny = layers.Dense(keras.initializers.constant(2))(y)\n", 0, "Dense: units is not known"},
		{"a number by tf.dtypes", "import tensorflow as tf\ny = layers.Dense(tf.dtypes.cast(5.7, tf.int32))(x)\n", 25, ""},
		{"by a branch that is called with operands", "from keras import ops\ny = layers.Dense(ops.switch(1, [lambda a, b: a, lambda a, b: a + b], 2, 3))(x)\n", 25, ""},
		{"a sum of truths", "y = layers.Dense((np.array([True, False]) + np.array([True, True])).sum())(x)\n", 0, "units is not known"},
		{"numbers that their type holds", "y = layers.Dense(np.array([3, 250]).astype('uint8').max() // 50)(x)\n", 25, ""},
		{"a long table of powers", "a = (np.arange(20000) / 20000) ** 3\ny = layers.Dense(len(a) // 4000)(x)\n", 25, ""},
		{"as a data set says of a feature", "import tensorflow_datasets as tfds\n_, info = tfds.load('mnist', with_info=True)\ny = layers.Dense(info.features['image'].shape[0])(x)\n", 140, ""},
		{"as a data set says of its labels", "import tensorflow_datasets as tfds\ninfo = tfds.builder('mnist').info\ny = layers.Dense(info.features['label'].num_classes)(x)\n", 50, ""},
		{"as a data set without classes says of a feature", "import tensorflow_datasets as tfds\ninfo = tfds.builder('aflw2k3d').info\ny = layers.Dense(info.features['image'].shape[1])(x)\n", 2250, ""},
		{"as no data set says of a feature", "import tensorflow_datasets as tfds\ninfo = tfds.builder('mnist').info\ny = layers.Dense(info.features['picture'].shape[1])(x)\n", 0, "Dense: units is not known"},
		{"of one of several outputs not at all", `
class Own(layers.Layer):
    def __init__(self, words=None):
        super().__init__()
        self.embed, self.dense = layers.Embedding(words + 1, 8), layers.Dense(3)
    def call(self, x):
        return x * 2, self.dense(self.embed(x))

y, _ = Own()(x)
`, 0, "input_dim is not known"},
		{"a convolution of the program's own", `
class Own(layers.Conv2D):
    def build(self, shape):
        super().build(shape)
        self.gain = self.add_weight(shape=(self.filters,))
        self.convolution_op = lambda x, kernel: x

y = Own(6, 3)(x)
`, 0, "the convolution_op of Own is not followed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := follow(head + c.program + "m = keras.Model(x, y)\n").Models[0]
			if why := value.Words(m.Unresolved); c.unresolved != "" {
				if !strings.Contains(why, c.unresolved) {
					t.Errorf("unresolved because %q, want %q", why, c.unresolved)
				}
			} else if all, _ := m.Parameters(); all != c.parameters || why != "" {
				t.Errorf("%d parameters, want %d; %s", all, c.parameters, why)
			}
		})
	}
}

// TestFitOnAFrame: a model that gets a table is built for its columns.
func TestFitOnAFrame(t *testing.T) {
	p := follow(`
import pandas as pd
from tensorflow import keras
df = pd.read_csv("data.csv", names=["a", "b", "c", "y"])
y = df.pop("y")
m = keras.Sequential([keras.layers.Dense(5)])
m.compile("adam", "mse")
m.fit(df, y, batch_size=4)
`)
	m := p.Models[0]
	if got, _ := m.Parameters(); got != 20 || m.Unbuilt() != nil {
		t.Errorf("%d parameters, want 20: %s", got, m.Unbuilt())
	}
	if n, _ := p.Uses[0].Batch.Int(); n != 4 || len(p.Uses[0].Inputs) != 1 {
		t.Errorf("batches of %d, %v", n, p.Uses[0].Inputs)
	}
}
