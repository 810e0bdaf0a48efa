package keras_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// TestDeep follows models of 10,000 layers, in each way to write one.
func TestDeep(t *testing.T) {
	const n = 10_000
	lines := func(line string) string { return strings.Repeat(line+"\n", n) }
	for name, c := range map[string]struct {
		build      string
		parameters int64
	}{
		"functional":      {"x = i = keras.Input((8,))\n" + lines("x = layers.Dense(8)(x)") + "m = keras.Model(i, x)\n", n * 72},
		"convolutions":    {"x = i = keras.Input((4, 4, 2))\n" + lines("x = layers.Conv2D(2, 3, padding='same', activation='relu')(x)") + "m = keras.Model(i, x)\n", n * 38},
		"added":           {"m = keras.Sequential()\nm.add(keras.Input((8,)))\n" + lines("m.add(layers.Dense(8))"), n * 72},
		"listed":          {"m = keras.Sequential([\nkeras.Input((8,)),\n" + lines("layers.Dense(8),") + "])\n", n * 72},
		"loop":            {fmt.Sprintf("x = i = keras.Input((8,))\nfor k in range(%d):\n    x = layers.Dense(8, activation='relu', name=f'layer{k}')(x)\nm = keras.Model(i, x)\n", n), n * 72},
		"added in a loop": {fmt.Sprintf("m = keras.Sequential([keras.Input((8,))])\nfor k in range(%d):\n    m.add(layers.Dense(8, activation='relu'))\n", n), n * 72},
		"comprehension":   {fmt.Sprintf("m = keras.Sequential([keras.Input((8,))] + [layers.Dense(8) for k in range(%d)])\n", n), n * 72},
		"class": {fmt.Sprintf(`class M(keras.Model):
    def __init__(self, n):
        super().__init__()
        self.all = [layers.Dense(8) for k in range(n)]
    def call(self, x):
        for l in self.all:
            x = l(x)
        return x
m = M(%d)
m.build((None, 8))
`, n), n * 72},
	} {
		t.Run(name, func(t *testing.T) {
			p := follow("from tensorflow import keras\nfrom tensorflow.keras import layers\n" + c.build + "m.compile('adam', 'mse')\nm.fit(a, b, batch_size=32)\n")
			if len(p.Models) != 1 || len(p.Uses) != 1 {
				t.Fatalf("%d models are used %d times", len(p.Models), len(p.Uses))
			}
			m := p.Models[0]
			if all, _ := m.Parameters(); len(m.Unresolved) > 0 || all != c.parameters {
				t.Errorf("%d parameters, want %d; unknown because of %q", all, c.parameters, m.Unresolved)
			}
		})
	}
}

// TestCutOff: if a program is not followed to its end, the models that it has not used so far are
// not known.
func TestCutOff(t *testing.T) {
	p := follow("from tensorflow import keras\nm = keras.Sequential([keras.Input((4,))])\nused = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])\nused.predict(a)\n" +
		strings.Repeat("i = 0\nwhile i < 10 ** 9:\n    i += 1\n", 2000) + "m.add(keras.layers.Dense(3))\n")
	if m := p.Models[0]; len(m.Unresolved) != 1 || !strings.Contains(m.Unresolved[0].String(), "too long to follow") {
		t.Errorf("the model is unknown because of %q", m.Unresolved)
	}
	if m := p.Models[1]; len(m.Unresolved) > 0 {
		t.Errorf("the model that is used is unknown because of %q", m.Unresolved)
	}
}

// TestEndlessTraining: nested endless loops that call layers leave enough steps to follow what
// comes after them.
func TestEndlessTraining(t *testing.T) {
	p := follow(`
from tensorflow import keras
x = keras.Input((8,))
blocks = [keras.layers.Dense(8) for _ in range(8)]
for epoch in range(100000):
    for batch in range(100):
        y = x
        for block in blocks:
            y = block(y)
m = keras.Sequential([keras.Input((8,)), keras.layers.Dense(2)])
m.compile("adam", "mse")
`)
	if len(p.Models) != 1 || !p.Models[0].Known() || p.Models[0].Optimizer == nil {
		t.Fatalf("%d models: %+v", len(p.Models), p.Models)
	}
}

// TestManySteps: a model whose call makes layers is not a large one because it is trained for many
// epochs: the loop is not prolonged until the program has no steps left.
func TestManySteps(t *testing.T) {
	const program = `
import tensorflow as tf
from tensorflow.keras import layers
class M(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.a, self.b = layers.Dense(8), layers.Dense(1)
    def call(self, x):
        for _ in range(10):
            x = layers.ReLU()(x)
        return self.b(layers.ReLU()(self.a(x)))
m = M()
opt = tf.keras.optimizers.Adam()
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(m(x))
    opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
for epoch in range(100000):
    step(tf.zeros((32, 4)))
`
	info := names.Resolve(syntax.Parse(program), effects.Library{}, nil)
	taken := 0
	p := keras.EvaluateIn(state.Environment{While: func(steps int) bool { taken += steps; return true }}, info)
	if most := 2 * value.MaxLoopSteps; taken > most {
		t.Errorf("it takes %d steps, want at most %d", taken, most)
	}
	if len(p.Uses) != 1 || p.Uses[0].Model.Unresolved != nil {
		t.Errorf("the step is not known: %+v", p.Uses)
	}
}
