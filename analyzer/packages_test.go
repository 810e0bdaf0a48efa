package analyzer_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/source"
)

// TestPackages holds that a dtype policy counts for the layers of the package of Keras that it was set
// for, and that a program whose packages cannot be told apart is not certain (testdata/packages).
func TestPackages(t *testing.T) {
	const (
		set    = ".mixed_precision.set_global_policy('mixed_float16')\n"
		legacy = "import os\nos.environ['TF_USE_LEGACY_KERAS'] = '1'\n"
		both   = "import tensorflow as tf\nimport keras\n"
		beside = "import tensorflow as tf\nimport tf_keras\n"
		kept   = "from tensorflow.python.keras import layers, models\nimport tensorflow as tf\n"
	)
	model := func(keras string) string {
		return "model = " + keras + ".Sequential([" + keras + ".Input((4,)), " + keras + ".layers.Dense(3)])\n"
	}
	subclass := func(keras string) string {
		return "class Net(" + keras + ".Model):\n    def __init__(self):\n        super().__init__()\n        self.d = " + keras + ".layers.Dense(3)\n" +
			"    def call(self, x):\n        return self.d(x)\nmodel = Net()\nmodel(tf.zeros((2, 4)))\n"
	}
	for name, c := range map[string]struct{ tensorflow, program, want string }{
		"tf.keras is keras":               {"", both + "tf.keras" + set + model("keras"), "float16"},
		"keras is tf.keras":               {"2.13", both + "keras" + set + model("tf.keras"), "float16"},
		"tf_keras is another":             {"", beside + "tf.keras" + set + model("tf_keras"), "float32"},
		"tf.keras is another":             {"", beside + "tf_keras" + set + model("tf.keras"), "float32"},
		"tf_keras sets its own":           {"", beside + "tf_keras" + set + model("tf_keras"), "float16"},
		"tf_keras is tf.keras":            {"", legacy + beside + "tf.keras" + set + model("tf_keras"), "float16"},
		"keras is another":                {"", legacy + both + "tf.keras" + set + model("keras"), "float32"},
		"keras is another, subclassed":    {"", legacy + both + "tf.keras" + set + subclass("keras"), "float32"},
		"tf_keras subclassed":             {"", beside + "tf_keras" + set + subclass("tf_keras"), "float16"},
		"the kept copy":                   {"2.15", kept + "tf.keras" + set + "model = models.Sequential([layers.Dense(3, input_shape=(4,))])\n", "float32"},
		"the kept copy was tf.keras":      {"2.4", kept + "tf.keras" + set + "model = models.Sequential([layers.Dense(3, input_shape=(4,))])\n", "float16"},
		"an application":                  {"", beside + "tf_keras" + set + "model = tf.keras.applications.MobileNetV2(weights=None)\n", "float32"},
		"standalone keras 2.3":            {"2.3", both + "tf.keras" + set + model("keras"), "not certain"},
		"which keras, perhaps":            {"", "import os\nif late():\n    os.environ['TF_USE_LEGACY_KERAS'] = '1'\n" + both + "tf.keras" + set + model("keras"), "not certain"},
		"floatx of another":               {"", beside + "tf.keras.backend.set_floatx('float64')\n" + model("tf_keras"), "float32"},
		"cleared in Keras 3":              {"", both + "tf.keras" + set + "keras.backend.clear_session()\n" + model("keras"), "float32"},
		"cleared in Keras 2":              {"2.15", both + "tf.keras" + set + "keras.backend.clear_session()\n" + model("keras"), "float16"},
		"cleared for another":             {"", beside + "tf.keras" + set + "tf_keras.backend.clear_session()\n" + model("tf.keras"), "float16"},
		"cleared of tf_keras":             {"", beside + "tf_keras" + set + "tf_keras.backend.clear_session()\n" + model("tf_keras"), "float16"},
		"layers by a name of the program": {"", "import tensorflow as tf\ntf.keras" + set + "def build(kind):\n    return kind(3)\nmodel = tf.keras.Sequential([tf.keras.Input((4,)), build(tf.keras.layers.Dense)])\n", "float16"},
	} {
		t.Run(name, func(t *testing.T) {
			var config analyzer.Config
			if c.tensorflow != "" {
				r, err := effects.ParseRange(c.tensorflow)
				if err != nil {
					t.Fatal(err)
				}
				config.Versions.TensorFlow = effects.Stated{Range: r, Source: "tfmem.toml"}
			}
			models := analyzer.Analyze(source.New("train.py", c.program), config).Models().Models
			if len(models) != 1 {
				t.Fatalf("%d models in\n%s", len(models), c.program)
			}
			got := "not certain"
			if m := models[0]; m.WhyUnsettled == nil && len(m.Unresolved) == 0 {
				for _, n := range m.Nodes {
					if strings.Contains(n.Layer.Class, "Dense") || strings.Contains(n.Layer.Class, "Conv") {
						got = string(n.Layer.DType)
						break
					}
				}
			}
			if got != c.want {
				t.Errorf("it computes in %s, want %s:\n%s", got, c.want, c.program)
			}
		})
	}
}
