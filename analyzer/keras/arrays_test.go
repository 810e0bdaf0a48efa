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
		{"as many as a list of an array's numbers has", "a = np.random.rand(5, 3).tolist()\ny = layers.Dense(len(a + a) // len(a[0]) + len(np.array(a)[:2]))(x)\n", 25, ""},
		{"a long list of an array's numbers", "y = layers.Dense(len(np.random.rand(500_000, 2).tolist()) // 100_000)(x)\n", 25, ""},
		{"the numbers of a list of an array's numbers", "y = layers.Dense(int(np.random.rand(5).tolist()[0]))(x)\n", 0, "units is not known"},
		{"the shapes of a model's inputs and outputs", "a, b = keras.Input((5,)), keras.Input((7,))\nd = layers.Dense(3)(b)\nm = keras.Model([a, b], [a, d])\nn = m.input_shape[1][1] + m.output_shape[0][-1] + m.inputs[0].shape[1] + m.outputs[1].shape[1] + m.input[1].shape[1]\ny = layers.Dense(n)(x)\n", 27 * 5, ""},
		{"the shapes of a layer's inputs and output", "a, b = keras.Input((5,)), keras.Input((7,))\nj = layers.Concatenate(name='j')\nm = keras.Model([a, b], j([a, b]))\nn = m.get_layer('j').output.shape[1] + len(m.get_layer('j').input) + j.input[1].shape[1]\ny = layers.Dense(n)(x)\n", 21 * 5, ""},
		{"cuts of a picture, of a size that a run computes", `import tensorflow as tf
p = tf.io.decode_png(tf.io.read_file("p"), channels=3)
h, w, _ = tf.unstack(tf.shape(p))
s = tf.minimum(h, w)
one = tf.image.resize(tf.image.crop_to_bounding_box(p, (h - s) // 2, (w - s) // 2, s, s), (5, 7))
two = tf.image.resize(tf.image.resize_with_crop_or_pad(p, s, s), (5, 7))
begin, size, _ = tf.image.sample_distorted_bounding_box(tf.shape(p), tf.zeros((1, 0, 4)))
part = tf.slice(p, begin, size)
part.set_shape((None, None, 3))
three = tf.image.resize(part, (5, 7))
four = tf.image.resize(tf.image.random_crop(p, [tf.cast(tf.random.uniform(()) * tf.cast(h, tf.float32), tf.int32), 4, 3]), (5, 7))
five = tf.image.random_crop(tf.image.resize(p, tf.shape(p)[:2] * 2), (5, 7, 3))
y = layers.Dense(tf.stack([one, two, three, four, five]).shape[0])(x)
`, 25, ""},
		{"a picture that TensorFlow Addons turns and blurs", "import tensorflow as tf, tensorflow_addons as tfa\np = tfa.image.gaussian_filter2d(tfa.image.rotate(tf.zeros((5, 6, 3)), 0.3, fill_mode='reflect'), (3, 3), 1.0)\ny = layers.Dense(p.shape[0])(x)\n", 25, ""},
		{"the lesser of two sizes", "import tensorflow as tf\np = tf.zeros((9, 5, 3))\ns = tf.minimum(tf.shape(p)[0], tf.shape(p)[1])\ny = layers.Dense(tf.image.crop_to_bounding_box(p, 0, 0, s, s).shape[0] + tf.maximum(3, 4) - tf.maximum(4, 3))(x)\n", 25, ""},
		{"a picture cut to a size that a run computes", "import tensorflow as tf\np = tf.io.decode_png(tf.io.read_file('p'), channels=3)\ny = layers.Dense(tf.image.crop_to_bounding_box(p, 0, 0, tf.shape(p)[1], 5).shape[0])(x)\n", 0, "units is not known"},
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
			made := follow(head + c.program + "m = keras.Model(x, y)\n").Models
			m := made[len(made)-1]
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
