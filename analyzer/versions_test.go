package analyzer_test

import (
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
