package keras_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// TestBranches follows programs that change models in branches: what does not run by default
// leaves no trace, and what two branches disagree on is not known.
func TestBranches(t *testing.T) {
	const head = `
import tensorflow as tf
from absl import flags
from tensorflow import keras
FLAGS = flags.FLAGS
flags.DEFINE_boolean('freeze', False, '')
flags.DEFINE_enum('transfer', 'none', ['none', 'frozen'], '')

def model():
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, name='a'), keras.layers.Dense(2, name='b')])

def freeze_all(m):
    m.trainable = False
    for l in m.layers:
        l.trainable = False

m = model()
`
	for _, c := range []struct {
		name, program string
		all, trained  int64
		optimizer     string
		unsure        string // part of why it is not known what is trained
		unresolved    string // part of why the model is not known
	}{
		{"not by default", "if FLAGS.freeze:\n    freeze_all(m)\n", 23, 23, "", "", ""},
		{"not by default, in else", "if FLAGS.transfer == 'none':\n    pass\nelse:\n    freeze_all(m)\n", 23, 23, "", "", ""},
		{"by default", "if FLAGS.transfer == 'none':\n    freeze_all(m)\n", 23, 0, "", "", ""},
		{"not known", "if f():\n    m.layers[0].trainable = False\n", 23, 23, "", `layer "a"`, ""},
		{"not known, of the model", "if f():\n    m.trainable = False\n", 23, 23, "", "whether the model is trained", ""},
		{"both alike", "if f():\n    m.layers[0].trainable = False\nelse:\n    m.get_layer('a').trainable = False\n", 23, 8, "", "", ""},
		{"made and frozen in the branch", "if f():\n    m = model()\n    freeze_all(m)\n    m.compile('sgd')\n    m.fit(x)\nelse:\n    m = None\n", 23, 0, "SGD", "", ""},
		{"an application made and frozen in the branch", "if f():\n    m = keras.applications.MobileNetV2(weights=None)\n    freeze_all(m)\n    m.compile('sgd')\n    m.fit(x)\nelse:\n    m = None\n", 3538984, 0, "SGD", "", ""},
		{"compiled in both", "if f():\n    m.compile('adam')\nelse:\n    m.compile('adam', jit_compile=False)\n", 23, 23, "Adam", "", ""},
		{"compiled in one", "if f():\n    m.compile('adam')\n", 23, 23, "Adam", "", ""},
		{"compiled by another optimizer", "if f():\n    m.compile('adam')\nelse:\n    m.compile('sgd')\n", 23, 23, "?", "", ""},
		{"compiled and trained not by default", "if FLAGS.freeze:\n    m.compile('adam')\n    m.fit(x)\n", 23, 23, "Adam", "", ""},
		{"compiled otherwise by default", "if FLAGS.freeze:\n    m.compile('adam')\nelse:\n    m.compile('sgd')\n", 23, 23, "SGD", "", ""},
		{"a layer more, not by default", "if FLAGS.freeze:\n    m.add(keras.layers.Dense(7))\n", 23, 23, "", "", ""},
		{"a layer more by default", "if not FLAGS.freeze:\n    m.add(keras.layers.Dense(7))\n", 44, 44, "", "", ""},
		{"a layer more, perhaps", "if f():\n    m.add(keras.layers.Dense(7))\n", 0, 0, "", "", "the layers of the model are not known"},
		{"layers in a loop of unknown length", "for i in range(f()):\n    m.add(keras.layers.Dense(7))\n", 0, 0, "", "", "not known"},
		{"a layer off, not by default", "if FLAGS.freeze:\n    m.pop()\n", 23, 23, "", "", ""},
		{"set to what is not known", "m.layers[0].trainable = f()\n", 23, 23, "", `layer "a"`, ""},
		{"set to what is not known, and then known", "m.trainable = f()\nm.trainable = False\n", 23, 0, "", "", ""},
		{"asked when it is not known", "m.layers[0].trainable = f()\nm = keras.Sequential([keras.Input((1,)), keras.layers.Dense(m.layers[0].trainable + 1)])\n", 0, 0, "", "", "units is not known"},
		{"set to a number", "m.layers[0].trainable = 0\n", 23, 8, "", "", ""},
		{"by a pattern", "import re\nfor l in m.layers:\n    l.trainable = bool(re.match('[b-z]', l.name))\n", 23, 8, "", "", ""},
		{"a variable frozen, perhaps", "m.layers[0].kernel.trainable = False if f() else True\n", 23, 23, "", "", ""},
		{"channels first, not by default", "if FLAGS.freeze:\n    keras.backend.set_image_data_format('channels_first')\nm = keras.Sequential([keras.Input((9, 9, 3)), keras.layers.Conv2D(4, 3)])\n", 112, 112, "", "", ""},
		{"channels first", "keras.backend.set_image_data_format('channels_first')\nm = keras.Sequential([keras.Input((3, 9, 9)), keras.layers.Conv2D(4, 3)])\n", 112, 112, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := follow(head + c.program)
			m := p.Models[len(p.Models)-1]
			if c.unresolved != "" {
				if why := value.Words(m.Unresolved); !strings.Contains(why, c.unresolved) {
					t.Errorf("unresolved because %q, want %q", why, c.unresolved)
				}
				return
			}
			if len(m.Unresolved) > 0 {
				t.Fatalf("unresolved: %q", m.Unresolved)
			}
			all, trained := m.Parameters()
			if all != c.all || trained != c.trained && c.unsure == "" {
				t.Errorf("%d parameters, %d trained, want %d and %d", all, trained, c.all, c.trained)
			}
			if why := m.Unsure(); (why == nil) != (c.unsure == "") || !strings.Contains(why.String(), c.unsure) {
				t.Errorf("unsure because %q, want %q", why, c.unsure)
			}
			optimizer := ""
			if m.Optimizer != nil {
				optimizer = m.Optimizer.Class
			}
			if optimizer != c.optimizer {
				t.Errorf("the optimizer is %q, want %q", optimizer, c.optimizer)
			}
		})
	}
}

// TestNamesOfBranches: layers that are not created by default do not count in the names that
// Keras gives other layers.
func TestNamesOfBranches(t *testing.T) {
	p := follow(`
from absl import flags
from tensorflow import keras
flags.DEFINE_boolean('wide', False, '')
if flags.FLAGS.wide:
    l = keras.layers.Dense(100)
else:
    l = keras.layers.Dense(10)
m = keras.Sequential([keras.Input((4,)), l])
`)
	if name := p.Models[0].Layers()[0].Name; name != "dense" {
		t.Errorf("the layer is named %q, want dense", name)
	}
}

// TestChannelsFirst: models of keras.applications are recorded with their channels last, and are
// not known with their channels first.
func TestChannelsFirst(t *testing.T) {
	p := follow("from tensorflow import keras\nkeras.backend.set_image_data_format('channels_first')\nm = keras.applications.MobileNetV2(weights=None, input_shape=(3, 96, 96))\nm.compile('sgd')\n")
	if len(p.Unresolved) != 1 || !strings.Contains(p.Unresolved[0].Why.String(), "channels last") {
		t.Errorf("%d calls are lost: %+v", len(p.Unresolved), p.Unresolved)
	}
}

// TestThawed thaws a layer of a frozen model that is part of another: Keras 3 trains it, and
// Keras 2 does not.
func TestThawed(t *testing.T) {
	const program = `
from tensorflow import keras
from tensorflow.keras import layers
base = keras.Sequential([keras.Input((10,)), layers.Dense(20), layers.Dense(30)])
base.trainable = False
for layer in base.layers[-1:]:
    layer.trainable = True
m = keras.Sequential([keras.Input((10,)), base, layers.Dense(1)])
`
	for library, want := range map[effects.Library][2]int64{{}: {0, 661}, effects.Library{}.Legacy(): {0, 31}} {
		p := keras.Evaluate(names.Resolve(syntax.Parse(program), library, nil))
		for i, m := range p.Models {
			if _, trained := m.Parameters(); trained != want[i] {
				t.Errorf("%+v: model %d trains %d parameters, want %d", library, i, trained, want[i])
			}
		}
	}
}
