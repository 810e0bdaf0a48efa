package analyzer_test

import (
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
