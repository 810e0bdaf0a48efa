package analyzer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
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
	for text, line := range map[string]int{
		model + "model.fit(x, y)\n":                                                    0,
		model + "model.fit_generator(batches)\n":                                       6,
		model + "model.predict_classes(x)\n":                                           6,
		model + "build().fit_generator(batches, steps_per_epoch=9)\n":                  6,
		model + "robust.fit_generator(batches, nb_epochs=9)\n":                         0,
		model + "try:\n    model.fit_generator(b)\nexcept AttributeError:\n    pass\n": 0,
		model + "if keras.__version__ < '3':\n    model.fit_generator(b)\n":            0,
		model + "if late:\n    model.fit_generator(b)\n":                               7,
		model + "keras.ops.zeros(3)\nmodel.fit_generator(b)\n":                         0,
		"import keras\nkeras.layers.LSTM(3, input_dim=4)\n":                            2,
		"import keras\nkeras.layers.GRU(3, input_length=4)\n":                          2,
		"import keras\nkeras.layers.Dense(3, input_dim=4)\n":                           0,
		"import keras\nkeras.layers.Embedding(3, 4, input_length=4)\n":                 0,
		"import keras\nkeras.optimizers.Adam(lr=0.1)\n":                                2,
		"import keras\nkeras.optimizers.Adam(learning_rate=0.1)\n":                     0,
		"import keras\nMyAdam(lr=0.1)\n":                                               0,
		"import torch, keras\ntorch.optim.Adam(p, lr=0.1)\n":                           0,
		"import keras.wrappers.scikit_learn\n":                                         1,
		"from keras.wrappers import SKLearnClassifier\n":                               0,
		"from keras.wrappers.scikit_learn import KerasClassifier\n":                    1,
		"from keras.utils import np_utils\n":                                           1,
		"from keras.layers.core import *\n":                                            1,
		"from keras.utils import to_categorical\n":                                     0,
		"import tensorflow as tf\ntf.keras.layers.LocallyConnected1D(3, 3)\n":          2,
		"try:\n    from keras.utils import np_utils\nexcept ImportError:\n    pass\n":  0,
	} {
		file := analyzer.Analyze(source.New("a.py", text), analyzer.Config{})
		want := "" // of nobody
		if line != 0 {
			want = fmt.Sprintf("a.py:%d", line)
		}
		v := file.Versions().Keras
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
	if v := analyzer.Analyze(source.New("a.py", model+"model.fit_generator(b)\n"), config).Versions().Keras; v.Source != "named by the test" {
		t.Errorf("Keras is %s, not the one that is named", v)
	}
}
