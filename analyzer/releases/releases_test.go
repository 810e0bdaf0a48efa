package releases_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/releases"
	"github.com/tfmem/tfmem/analyzer/source"
)

// TestEvidence checks what each answer rests on, and on which line.
func TestEvidence(t *testing.T) {
	const tf, keras = "import tensorflow as tf\n", "import keras\n"
	declared := func(text string) (v effects.Versions) {
		if text != "" {
			r, err := effects.ParseRange(text)
			if err != nil {
				t.Fatal(err)
			}
			v.TensorFlow = effects.Stated{Range: r, Source: "requirements.txt"}
		}
		return v
	}
	type question = func(*releases.Releases) releases.Evidence
	older := func(r *releases.Releases) releases.Evidence {
		return r.MayBeOlder(effects.Version{Major: 2, Minor: 4})
	}
	for _, c := range []struct {
		name, text, declared string
		ask                  question
		why                  string // "" for no
		line                 int    // 0 for none
	}{
		{"Keras 1", keras + "m = keras.models.Sequential()\nm.fit(x, y, nb_epoch=3)\n", "", (*releases.Releases).OnlyKeras1, "only Keras 1 takes the argument nb_epoch of fit", 3},
		{"Keras 1 as well", keras + "m = keras.models.Sequential()\ntry:\n    m.fit(x, y, epochs=3)\nexcept TypeError:\n    m.fit(x, y, nb_epoch=3)\n", "", (*releases.Releases).OnlyKeras1, "", 0},
		{"Keras 1 in a function", keras + "def train(m):\n    m.fit(x, y, nb_epoch=3)\n", "", (*releases.Releases).OnlyKeras1, "only Keras 1 takes the argument nb_epoch of fit", 3},
		{"a model of another library", keras + "import chemistry\nm = chemistry.models.GraphModel()\nm.fit(x, nb_epoch=3)\n", "", (*releases.Releases).OnlyKeras1, "", 0},
		{"a module without Keras", tf + "def train(m):\n    m.fit(x, nb_epoch=3)\n", "", (*releases.Releases).OnlyKeras1, "", 0},
		{"a class with its own fit", keras + "class Trainer:\n    def fit(self, x, nb_epoch):\n        self.fit(x, nb_epoch=nb_epoch)\nTrainer().fit(x, nb_epoch=3)\n", "", (*releases.Releases).OnlyKeras1, "", 0},
		{"a session", tf + "with tf.Session() as s:\n    pass\n", "", (*releases.Releases).BuildsGraphs, "only TensorFlow 1 has tf.Session", 2},
		{"a placeholder", tf + "x = tf.compat.v1.placeholder(tf.float32)\n", "", (*releases.Releases).RunsInGraphs, "a placeholder exists in graphs only", 2},
		{"eager all the same", tf + "tf.compat.v1.enable_eager_execution()\nx = tf.placeholder(tf.float32)\n", "", (*releases.Releases).RunsInGraphs, "", 0},
		{"the first of several modules", "import tensorflow.contrib.slim\nimport tensorflow.contrib.rnn\nimport tensorflow.contrib.layers\nimport tensorflow.contrib.seq2seq\n", "", (*releases.Releases).ForTensorFlow1, "only TensorFlow 1 has tensorflow.contrib.layers", 0},
		{"a project for TensorFlow 1", tf, "==1.15", (*releases.Releases).ForTensorFlow1, "requirements.txt says TensorFlow 1.15", 0},
		{"a project for both", tf, ">=2.2", older, "requirements.txt allows it", 0},
		{"a project for new ones", tf, ">=2.9", older, "", 0},
		{"Python 2", tf + "print 'done'\n", "", older, "only Python 2 has the statement", 2},
		{"a branch", tf + "if tf.__version__ < '2':\n    pass\n", "", older, "it asks for the version that it runs with", 2},
		{"nothing", tf, "", older, "", 0},
		{"no version", tf, "", (*releases.Releases).MayRunInGraph, "nothing states a version", 0},
		{"eager turned off", tf + "tf.compat.v1.disable_eager_execution()\n", "==2.9", (*releases.Releases).MayRunInGraph, "it turns eager execution off", 2},
		{"an old module", "from keras.engine.topology import Layer\n", "", (*releases.Releases).KerasMayRunInGraphs, "a.py:1 says Keras 2", 0},
		{"an old TensorFlow", tf, "==2.1", (*releases.Releases).KerasFeeds, "requirements.txt says 2.1", 0},
		{"a new TensorFlow", tf, "==2.9", (*releases.Releases).KerasFeeds, "", 0},
		{"switches, TensorFlow 1", tf, "==1.15", (*releases.Releases).Switches, "requirements.txt says TensorFlow 1.15", 0},
		{"switches, the behaviour of TensorFlow 2", tf + "tf.compat.v1.disable_v2_behavior()\n", "==2.9", (*releases.Releases).Switches, "it turns the behaviour of TensorFlow 2 off", 2},
		{"switches, eager alone", tf + "tf.compat.v1.disable_eager_execution()\n", "==2.9", (*releases.Releases).Switches, "", 0},
		{"switches, TensorFlow 2", tf, "==2.1", (*releases.Releases).Switches, "", 0},
		{"variables, no version", tf, "", (*releases.Releases).KeepsVariables, "2.15 to 2.21", 0},
		{"variables, an old TensorFlow", tf, "==2.13", (*releases.Releases).KeepsVariables, "", 0},
		{"variables, the first", tf, "==2.15", (*releases.Releases).KeepsVariables, "2.15 to 2.21", 0},
		{"variables, only older ones", tf, "<2.15", (*releases.Releases).KeepsVariables, "", 0},
		{"variables, the newest of a range", tf, ">=2.4", (*releases.Releases).KeepsVariables, "2.15 to 2.21", 0},
		{"variables, a newer one", tf, ">=2.22", (*releases.Releases).KeepsVariables, "", 0},
		{"variables, tf_keras", "import tf_keras\n", "", (*releases.Releases).KeepsVariables, "2.15 to 2.21", 0},
		{"variables, some Keras 2", tf + "o = tf.keras.optimizers.Adam(lr=0.1)\n", "", (*releases.Releases).KeepsVariables, "", 0},
		{"variables, a session", tf + "with tf.Session() as s:\n    pass\n", "", (*releases.Releases).KeepsVariables, "", 0},
	} {
		file := analyzer.Analyze(source.New("a.py", c.text), analyzer.Config{Versions: declared(c.declared)})
		e := c.ask(file.Releases())
		line := 0
		if e.At.Valid() {
			line = strings.Count(c.text[:e.At.Start()], "\n") + 1
		}
		if e.Found() != (c.why != "") || !strings.Contains(e.Why, c.why) || c.line != 0 && line != c.line {
			t.Errorf("%s: %q on line %d, want %q on line %d", c.name, e.Why, line, c.why, c.line)
		}
	}
}
