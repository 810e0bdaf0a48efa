package analyzer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
)

// TestModelsUnderVersions holds a layer with a tf.Variable against what Keras 3.15
// and tf_keras 2.21 say of it (model.count_params()): Keras 3 does not track it.
func TestModelsUnderVersions(t *testing.T) {
	const program = `
import tensorflow as tf
from tensorflow import keras

class Table(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.table = tf.Variable(tf.zeros((3, 4)))

    def call(self, x):
        return x @ self.table

model = keras.Sequential([keras.Input((3,)), Table()])
`
	for version, want := range map[string]int64{"": 0, "==2.13": 12, ">=2.16": 0} {
		var config analyzer.Config
		if version != "" {
			r, err := effects.ParseRange(version)
			if err != nil {
				t.Fatal(err)
			}
			config.Versions.TensorFlow = effects.Stated{Range: r, Source: "named by the test"}
		}
		file := analyzer.Analyze(source.New("table.py", program), config)
		models := file.Models().Models
		if len(models) != 1 {
			t.Fatalf("%d models", len(models))
		}
		if all, _ := models[0].Parameters(); all != want {
			t.Errorf("TensorFlow %q: %d parameters, want %d", version, all, want)
		}
	}
}

// TestKerasUnfollowed holds that the models of a program are of the same Keras whether it
// was followed before or not, which tells what it makes of TF_USE_LEGACY_KERAS.
func TestKerasUnfollowed(t *testing.T) {
	const table = `
import tensorflow as tf

class Table(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.table = tf.Variable(tf.zeros((3, 4)))

    def call(self, x):
        return x @ self.table

model = tf.keras.Sequential([tf.keras.Input((3,)), Table()])
`
	for name, c := range map[string]struct {
		program string
		want    int64
	}{
		"says nothing":        {table, 0},
		"sets it":             {"import os\nos.environ['TF_USE_LEGACY_KERAS'] = '1'\n" + table, 12},
		"sets it in a call":   {"import os\ndef old():\n    os.environ['TF_USE_LEGACY_KERAS'] = '1'\nold()\n" + table, 12},
		"never calls it":      {"import os\ndef old():\n    os.environ['TF_USE_LEGACY_KERAS'] = '1'\n" + table, 0},
		"imports tf_keras":    {"import tf_keras\n" + strings.ReplaceAll(table, "tf.keras", "tf_keras"), 12},
		"imports both":        {"import tf_keras, keras\n" + table, 0},
		"imports it as keras": {"import tf_keras as keras\n" + strings.ReplaceAll(table, "tf.keras", "keras"), 12},
	} {
		for _, followed := range []bool{false, true} {
			file := analyzer.Analyze(source.New("table.py", c.program), analyzer.Config{})
			if followed {
				file.Flow()
			}
			models := file.Models().Models
			if len(models) != 1 {
				t.Fatalf("it %s: %d models", name, len(models))
			}
			if all, _ := models[0].Parameters(); all != c.want {
				t.Errorf("it %s, followed %t: %d parameters, want %d", name, followed, all, c.want)
			}
		}
	}
}

// TestKeras2ByCode holds that a program which can only run with Keras 2 is of Keras 2 where
// nobody names a version, and no other is.
func TestKeras2ByCode(t *testing.T) {
	const model = `
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1, input_shape=(3,))])
model.compile("adam", "mse")
`
	const built = `import tensorflow as tf
L = tf.keras.layers
x = tf.keras.Input((3,))
y = L.Dense(3)(x)
`
	const net = `import keras
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.d = keras.layers.Dropout(0.1)
    def call`
	for text, line := range map[string]int{
		model + "model.fit(x, y)\n":                                                                                            0,
		model + "model.fit_generator(batches)\n":                                                                               6,
		model + "model.predict_classes(x)\n":                                                                                   6,
		model + "build().fit_generator(batches, steps_per_epoch=9)\n":                                                          6,
		model + "robust.fit_generator(batches, nb_epochs=9)\n":                                                                 0,
		model + "try:\n    model.fit_generator(b)\nexcept AttributeError:\n    pass\n":                                         0,
		model + "if keras.__version__ < '3':\n    model.fit_generator(b)\n":                                                    0,
		model + "if late:\n    model.fit_generator(b)\n":                                                                       7,
		model + "keras.ops.zeros(3)\nmodel.fit_generator(b)\n":                                                                 0,
		"import keras\nkeras.layers.LSTM(3, input_dim=4)\n":                                                                    2,
		"import keras\nkeras.layers.GRU(3, input_length=4)\n":                                                                  2,
		"import keras\nkeras.layers.Dense(3, input_dim=4)\n":                                                                   0,
		"import keras\nkeras.layers.Embedding(3, 4, input_length=4)\n":                                                         0,
		"import keras\nkeras.optimizers.Adam(lr=0.1)\n":                                                                        2,
		"import keras\nkeras.optimizers.Adam(learning_rate=0.1)\n":                                                             0,
		"import keras\nMyAdam(lr=0.1)\n":                                                                                       0,
		"import torch, keras\ntorch.optim.Adam(p, lr=0.1)\n":                                                                   0,
		"import keras.wrappers.scikit_learn\n":                                                                                 1,
		"from keras.wrappers import SKLearnClassifier\n":                                                                       0,
		"from keras.wrappers.scikit_learn import KerasClassifier\n":                                                            1,
		"from keras.utils import np_utils\n":                                                                                   1,
		"from keras.layers.core import *\n":                                                                                    1,
		"from keras.utils import to_categorical\n":                                                                             0,
		"import tensorflow as tf\ntf.keras.layers.LocallyConnected1D(3, 3)\n":                                                  2,
		"import keras\nm = keras.metrics.Mean()\nm.reset_states()\n":                                                           3,
		"import keras\nm = keras.metrics.Mean()\nm.reset_state()\n":                                                            0,
		"import keras\nm = keras.layers.LSTM(3, stateful=True)\nm.reset_states()\n":                                            0,
		"import keras\nkeras.layers.Dense(3, weights=[a, b])\n":                                                                2,
		"import keras\nkeras.layers.Embedding(3, 4, weights=[a])\n":                                                            0,
		"import keras\nkeras.layers.LSTM(3, batch_input_shape=(1, 2, 3))\n":                                                    2,
		"import keras\nkeras.layers.Bidirectional(a, weights=[b])\n":                                                           0,
		"import keras\nkeras.layers.AveragePooling2D()\n":                                                                      2,
		"import keras\nkeras.layers.AveragePooling2D(strides=2)\n":                                                             2,
		"import keras\nkeras.layers.AveragePooling2D(2)\n":                                                                     0,
		"import keras\nkeras.layers.AveragePooling2D(**given)\n":                                                               0,
		"import keras\nkeras.layers.MaxPooling2D()\n":                                                                          0,
		"import keras\nd = keras.layers.Dropout(0.1)\nd(x, True)\n":                                                            3,
		"import keras\nd = keras.layers.Dropout(0.1)\nd(x, training=True)\n":                                                   0,
		"import keras\nkeras.layers.Dropout(0.1)(x, False)\n":                                                                  2,
		model + "model(x, True)\n":                                                                                             6,
		"import keras\ndef f(x, y):\n    pass\nf(x, True)\n":                                                                   0,
		"import keras\nclass L(keras.layers.Layer):\n    def build(self, s):\n        self.w = self.add_weight('w', s)\n":      4,
		"import keras\nclass L(keras.layers.Layer):\n    def build(self, s):\n        self.w = self.add_weight(s, name='w')\n": 0,
		"import keras\nclass L(keras.metrics.Metric):\n    def __init__(self):\n        self.w = self.add_weight('w')\n":       4,
		"import keras\nclass L:\n    def build(self, s):\n        self.w = self.add_weight('w', s)\n":                          0,
		built + "tf.concat([y, x], axis=-1)\n":                                                                                 5,
		built + "tf.concat(values=(x,), axis=-1)\n":                                                                            5,
		built + "z = tf.random.normal(tf.shape(y))\n":                                                                          5,
		built + "z = tf.exp(0.5 * y)\n":                                                                                        5,
		built + "z = tf.nn.relu(y[:, 0])\n":                                                                                    5,
		built + "a, b = x, y\ntf.square(b)\n":                                                                                  6,
		built + "for _ in range(3):\n    y = L.Dense(3)(y)\ntf.square(y)\n":                                                    7,
		built + "z = [L.Dense(3)(t) for t in [1]]\ntf.concat(z, 1)\n":                                                          0,
		built + "z = [L.Dense(3)(x) for t in [1]]\ntf.concat(z, 1)\n":                                                          6,
		built + "s, h, c = L.LSTM(3, return_state=True)(y)\ntf.stack([h, c])\n":                                                6,
		built + "def f(t):\n    t = L.Dense(3)(t)\n    return L.ReLU()(t)\ntf.square(f(f(x)))\n":                               8,
		built + "def f(t):\n    return tf.square(t)\nf(x)\nf(y)\n":                                                             6,
		built + "def f(t):\n    return tf.square(t)\nf(x)\nf(tf.zeros(3))\n":                                                   0,
		built + "def f(t):\n    tf.square(t)\n    f(t)\n":                                                                      0,
		built + "def f(t):\n    return tf.square(t)\nL.Lambda(f)(x)\n":                                                         0,
		built + "L.Lambda(lambda t: tf.square(t))(x)\n":                                                                        0,
		built + "def loss(a, b):\n    return tf.square(y)\n":                                                                   0,
		built + "class A(L.Layer):\n    def call(self, t):\n        return tf.square(t)\nA()(x)\n":                             0,
		built + "class A(L.Layer):\n    def call(self, t):\n        return tf.square(t)\na = A()\na(x)\n":                      0,
		built + "class A(L.Layer):\n    def call(self, t):\n        return t\ntf.square(A()(x))\n":                             8,
		built + "if x.shape[0]:\n    y = unknown(x)\ntf.square(y)\n":                                                           0,
		built + "tf.zeros(x.shape)\ntf.reshape(w, x.shape)\n":                                                                  0,
		built + "tf.print(x)\ntf.is_tensor(x)\ntf.nest.flatten(x)\n":                                                           0,
		built + "tf.square(L.Dense(3)(tf.zeros([2, 3])))\n":                                                                    0,
		built + "keras.ops.square(x)\ntf.square(x)\n":                                                                          6,
		built + "tf.keras.ops.square(x)\ntf.square(x)\n":                                                                       0,
		built + "base = tf.keras.applications.VGG16()\ntf.square(base.output)\n":                                               6,
		built + "try:\n    tf.square(x)\nexcept ValueError:\n    pass\n":                                                       0,
		"import tensorflow as tf\nx = tf.zeros(3)\ntf.square(x)\ntf.keras.layers.Dense(3)\n":                                   0,
		"from keras.layers import Input\nimport tensorflow as tf\ndef build():\n    x = Input((3,))\n    tf.reduce_sum(x)\n":   5,
		built + "y = x\nfor _ in range(3):\n    x = L.Dense(3)(y)\n    try:\n        tf.square(x)\n    except ValueError:\n        pass\n    y = x\n    tf.square(y)\n": 13,
		built + "def f(t):\n    return f(t)\ntf.square(f(x))\n":                                                                                                                    0,
		built + "def f(t):\n    return f(t) if t is None else t\ntf.square(f(x))\n":                                                                                                0,
		net + "(self, x, training=True):\n        return self.d(x, training)\n":                                                                                                    7,
		net + "(self, x, training):\n        return self.d(x, training)\n":                                                                                                         7,
		net + "(self, x, training=None):\n        return self.d(x, training)\n":                                                                                                    0,
		net + "(self, x, training=None):\n        return self.d(x, training)\nNet().fit(x)\n":                                                                                      7,
		net + "(self, x, training=None):\n        return self.d(x, training)\nn = Net()\nn(x, training=False)\n":                                                                   7,
		net + "(self, x, training=None):\n        return self.d(x, training)\nother.fit(x)\nn = Net()\nn(x)\n":                                                                     0,
		net + "(self, x, training=True):\n        return self.d(x, training=training)\n":                                                                                           0,
		net + "(self, x, training=True):\n        training = mask(x)\n        return self.d(x, training)\n":                                                                        0,
		net + "(self, x, state):\n        return self.d(x, state)\n":                                                                                                               0,
		net + "(self, x, training=False):\n        return self.f(x, training)\n    def f(self, x, mode):\n        return self.d(x, mode)\n":                                        9,
		net + "(self, x, training=False):\n        return self.f(x, None)\n    def f(self, x, mode):\n        return self.d(x, mode)\n":                                            0,
		net + "(self, x):\n        return x\non = True\nNet()(x, on)\n":                                                                                                            9,
		net + "(self, x, training=True):\n        return x\nNet()(x, True)\n":                                                                                                      8,
		net + "(self, x, training=True):\n        return x\nNet()(x, None)\n":                                                                                                      0,
		"import keras\nclass A:\n    def __init__(self):\n        self.d = keras.layers.Dropout(0.1)\n    def call(self, x, training=True):\n        return self.d(x, training)\n": 0,
		built + "class A(L.Layer):\n    def call(self, t):\n        a, b = t\n        return tf.stack([a, b])\nA().call([x, y])\n":                                                 8,
		built + "class A(L.Layer):\n    def call(self, t):\n        a, b = t\n        return tf.stack([a, b])\nA()([x, y])\n":                                                      0,
		built + "class A(L.Layer):\n    def call(self, t):\n        return tf.square(t)\nA().call(x)\nA().call(tf.zeros(3))\n":                                                     0,
		model + "model.fit(x, y, workers=4)\n":                                                                                                                                     6,
		model + "model.predict(x, max_queue_size=4)\n":                                                                                                                             6,
		model + "robust.fit(x, y, workers=4)\n":                                                                                                                                    0,
		model + "robust.fit(x, y, use_multiprocessing=True)\n":                                                                                                                     6,
		"import keras\nkeras.callbacks.ModelCheckpoint('x.hdf5')\n":                                                                                                                2,
		"import keras\nkeras.callbacks.ModelCheckpoint('x.h5')\n":                                                                                                                  0,
		"import keras\nkeras.callbacks.ModelCheckpoint('x.h5', save_weights_only=True)\n":                                                                                          2,
		"import keras\nkeras.callbacks.ModelCheckpoint('x.weights.h5', save_weights_only=True)\n":                                                                                  0,
		"import keras\nkeras.callbacks.ModelCheckpoint('x.hdf5', save_weights_only=w)\n":                                                                                           0,
		"import keras\nkeras.callbacks.ModelCheckpoint(path)\n":                                                                                                                    0,
		"import keras\nkeras.callbacks.ModelCheckpoint('x.keras', period=5)\n":                                                                                                     2,
		model + "model.compile('adam', 'mse', metrics='acc')\n":                                                                                                                    6,
		model + "model.compile('adam', 'mse', metrics=['acc'])\n":                                                                                                                  0,
		model + "model.compile('adam', 'mse', metrics=acc)\n":                                                                                                                      0,
		"import keras\nkeras.Input(3)\n":                                                                                                                                           2,
		"import keras\nkeras.layers.Input(shape=(3))\n":                                                                                                                            2,
		"import keras\nkeras.layers.Input(shape=(3,))\n":                                                                                                                           0,
		"import keras\nkeras.layers.Input(shape=n)\n":                                                                                                                              0,
		"import keras\nkeras.layers.Dense(3, name='a/b')\n":                                                                                                                        2,
		"import keras\nkeras.layers.Dense(3, name=name + '/b')\n":                                                                                                                  2,
		"import keras\nkeras.layers.Dense(3, name=name.split('/')[0])\n":                                                                                                           0,
		"import keras\nkeras.layers.Dense(3, name=f'a{i}/b')\n":                                                                                                                    2,
		"import keras\nkeras.layers.Dense(3, name=f'a{i / 2}b')\n":                                                                                                                 0,
		"import keras\nkeras.metrics.Mean(name='a/b')\n":                                                                                                                           0,
		"import keras\nkeras.Model(a, b, name='a/b')\n":                                                                                                                            2,
		"import keras\nkeras.optimizers.Adam(name='a/b')\n":                                                                                                                        2,
		"try:\n    from keras.utils import np_utils\nexcept ImportError:\n    pass\n":                                                                                              0,
		"import keras, os\nkeras.callbacks.ModelCheckpoint(os.path.join(d, 'x.hdf5'))\n":                                                                                           2,
		"import keras, os\nkeras.callbacks.ModelCheckpoint(os.path.join(d, 'x.hdf5', name))\n":                                                                                     0,
		"import keras, os\nkeras.callbacks.ModelCheckpoint(os.path.join(d, 'x.h5'))\n":                                                                                             0,
	} {
		file := analyzer.Analyze(source.New("a.py", text), analyzer.Config{})
		want := "" // of nobody
		if line != 0 {
			want = fmt.Sprintf("a.py:%d", line)
		}
		v := file.Releases().Versions().Keras
		if v.Source != want {
			t.Errorf("%q: Keras is of %q, want %q", text, v.Source, want)
		}
		if major, ok := v.Major(); !ok || (major == 2) != (line != 0) {
			t.Errorf("%q: Keras is %s", text, v)
		}
	}
	for text, compiled := range map[string]bool{model + "model.fit(x, y)\n": true, model + "model.fit_generator(batches)\n": false} {
		models := analyzer.Analyze(source.New("a.py", text), analyzer.Config{}).Models().Models
		if len(models) != 1 {
			t.Fatalf("%q: %d models", text, len(models))
		}
		if xla, why := models[0].XLA(); xla != compiled {
			t.Errorf("%q: XLA %t: %s", text, xla, why)
		}
	}
	config := analyzer.Config{Versions: effects.Versions{Keras: effects.Stated{Range: effects.Exactly(effects.NewestKeras), Source: "named by the test"}}}
	if v := analyzer.Analyze(source.New("a.py", model+"model.fit_generator(b)\n"), config).Releases().Versions().Keras; v.Source != "named by the test" {
		t.Errorf("Keras is %s, not the one that is named", v)
	}
}

// TestKeras2ByModule holds that code of a module that the file imports itself shows Keras 2, unless
// the file shows Keras 3.
func TestKeras2ByModule(t *testing.T) {
	const nets = "import tensorflow as tf\nx = tf.keras.Input((3,))\ny = tf.concat([x, x], 1)\n"
	for text, want := range map[string]string{
		"import keras\nimport nets\n":                              "nets.py:3",
		"import keras\nfrom nets import y\n":                       "nets.py:3",
		"import keras\nfrom nets import y\nkeras.ops.zeros(3)\n":   "",
		"import keras\nimport other\n":                             "",
		"import keras\nimport nets\nkeras.optimizers.Adam(lr=1)\n": "a.py:3",
	} {
		fs := files{"/w/nets.py": nets, "/w/other.py": "import nets\n", "/w/a.py": text}
		w := project.New(fs, "/w", "/w")
		file := analyzer.Analyze(source.New("a.py", text), analyzer.Config{Workspace: w})
		check := func(want string) {
			if err := file.Do(context.Background(), func() {
				if got := file.Releases().Versions().Keras.Source; got != want {
					t.Errorf("%q: Keras is of %q, want %q", text, got, want)
				}
			}); err != nil {
				t.Error(err)
			}
		}
		check(want)
		if want == "nets.py:3" {
			w.Edited("/w/nets.py", "import keras\n", nil, func([]string) { fs["/w/nets.py"] = "import keras\n" })
			check("")
		}
	}
}
