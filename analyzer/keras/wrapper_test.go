package keras_test

import "testing"

// TestWrapped: a layer that extends Wrapper holds the wrapped one, with its weights.
func TestWrapped(t *testing.T) {
	for body, want := range map[string]int64{
		"    def call(self, x):\n        return self.layer(x) * 2.0\n": 5 * 3,
		"    def build(self, s):\n        super().build(s)\n        self.g = self.add_weight(shape=(3,))\n    def call(self, x):\n        return self.layer(x) * self.g\n": 5*3 + 3,
		"    def build(self, s):\n        super().build(s)\n    def call(self, x):\n        return tf.matmul(x, self.layer.kernel)\n":                                      5 * 3,
	} {
		p := follow("import tensorflow as tf\nfrom tensorflow.keras import layers\nclass W(layers.Wrapper):\n" + body +
			"m = tf.keras.Sequential([tf.keras.Input((4,)), W(layers.Dense(3), name='w')])\nm.compile('sgd', 'mse')\nm.fit(tf.zeros((8, 4)), tf.zeros((8, 3)), batch_size=8)\n")
		m := p.Models[len(p.Models)-1]
		if all, _ := m.Parameters(); all != want {
			t.Errorf("%s: %d parameters, want %d; %v", body, all, want, m.Unresolved)
		}
	}
}

// TestVariablesOfALayer: a layer of the program lists the weights that it trains apart from those
// that it does not.
func TestVariablesOfALayer(t *testing.T) {
	for name, units := range map[string]int64{"weights": 3, "trainable_weights": 2, "non_trainable_weights": 1} {
		p := follow("import keras\nclass Own(keras.layers.Layer):\n    def __init__(self):\n        super().__init__()\n" +
			"        self.a = self.add_weight(shape=(4,))\n        self.b = self.add_weight(shape=(4,))\n        self.c = self.add_weight(shape=(4,), trainable=False)\n" +
			"    def call(self, x):\n        return x * self.a + self.b + self.c\n" +
			"own = Own()\nm = keras.Sequential([keras.Input((4,)), own, keras.layers.Dense(len(own." + name + "))])\n")
		m := p.Models[len(p.Models)-1]
		if all, _ := m.Parameters(); all != 12+5*units {
			t.Errorf("%s: %d parameters, want %d; %v", name, all, 12+5*units, m.Unresolved)
		}
	}
}
