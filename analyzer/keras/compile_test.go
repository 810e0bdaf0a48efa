package keras_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestXLA checks jit_compile of compile, and tf.config.optimizer.set_jit without it.
func TestXLA(t *testing.T) {
	legacy := effects.Library{}.Legacy()
	for _, c := range []struct {
		before, arguments string
		library           effects.Library
		want              string
	}{
		{"", "", effects.Library{}, "auto"},
		{"", ", jit_compile=True", effects.Library{}, "True"},
		{"", ", jit_compile=False", effects.Library{}, "False"},
		{"", "", legacy, "False"},
		{"", ", jit_compile=True", legacy, "True"},
		{"tf.config.optimizer.set_jit(True)", "", effects.Library{}, "auto"},
		{"tf.config.optimizer.set_jit(True)", ", jit_compile=False", effects.Library{}, "clusters"},
		{"tf.config.optimizer.set_jit('autoclustering')", "", legacy, "clusters"},
		{"tf.config.optimizer.set_jit(False)", "", legacy, "False"},
	} {
		program := "import tensorflow as tf\n" + c.before + "\nm = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])\nm.compile('adam', 'mse'" + c.arguments + ")\n"
		p := keras.Evaluate(names.Resolve(syntax.Parse(program), c.library, nil))
		if got := p.Models[0].Compiled.XLA; got != c.want {
			t.Errorf("%q: XLA is %q, want %q", program, got, c.want)
		}
	}
}

// TestXLADecides checks what keeps Keras from compiling with XLA.
func TestXLADecides(t *testing.T) {
	legacy := effects.Library{}.Legacy()
	own := func(supports string) string {
		return "class Own(tf.keras.layers.Layer):\n    def __init__(self):\n        super().__init__()\n        self.supports_jit = " + supports +
			"\n    def call(self, x):\n        return x * 2\n"
	}
	for _, c := range []struct {
		before, layer, arguments string
		library                  effects.Library
		want                     bool
		why                      string
	}{
		{"", "Dense(2)", "", effects.Library{}, true, "Keras 3 compiles steps with XLA where there is a GPU"},
		{"", "Dense(2)", ", jit_compile=True", effects.Library{}, true, "jit_compile is True"},
		{"", "Dense(2)", ", jit_compile=False", effects.Library{}, false, "jit_compile is False"},
		{"", "Dense(2)", ", run_eagerly=True", effects.Library{}, false, "nothing is compiled where steps run eagerly"},
		{"", "LSTM(2)", "", effects.Library{}, false, `layer "lstm" (LSTM) does not support XLA on a GPU`},
		{"", "LSTM(2)", ", jit_compile=True", effects.Library{}, false, `layer "lstm" (LSTM) does not support XLA on a GPU`},
		{"", "LSTM(2, recurrent_dropout=0.5)", "", effects.Library{}, false, `layer "lstm" (LSTM) does not support XLA on a GPU`},
		{"", "LSTM(2, unroll=True)", "", effects.Library{}, true, "Keras 3 compiles steps with XLA where there is a GPU"},
		{"", "LSTM(2, use_cudnn=False)", "", effects.Library{}, true, "Keras 3 compiles steps with XLA where there is a GPU"},
		{"", "GRU(2, use_cudnn=False)", "", effects.Library{}, true, "Keras 3 compiles steps with XLA where there is a GPU"},
		{"", "GRU(2, use_cudnn='auto')", "", effects.Library{}, false, `layer "gru" (GRU) does not support XLA on a GPU`},
		{own("False"), "Own()", "", effects.Library{}, false, `layer "own" (Own) does not support XLA on a GPU`},
		{own("True"), "Own()", "", effects.Library{}, true, "Keras 3 compiles steps with XLA where there is a GPU"},
		{"", "Bidirectional(tf.keras.layers.GRU(2))", "", effects.Library{}, false, `layer "forward_gru" (GRU) does not support XLA on a GPU`},
		{"s = tf.distribute.MirroredStrategy()", "Dense(2)", "", effects.Library{}, false, "Keras compiles no step with XLA under tf.distribute"},
		{"tf.config.experimental.enable_op_determinism()", "Dense(2)", "", effects.Library{}, false, "Keras compiles no step with XLA where operations are deterministic"},
		{"", "Dense(2)", ")\ntf.config.run_functions_eagerly(True)\nm.fit(x, y", effects.Library{}, false, "nothing is compiled where steps run eagerly"},
		{"tf.config.run_functions_eagerly(True)", "Dense(2)", "", effects.Library{}, false, "nothing is compiled where steps run eagerly"},
		{"tf.config.run_functions_eagerly(True)\ntf.config.run_functions_eagerly(False)", "Dense(2)", "", effects.Library{}, true, "Keras 3 compiles steps with XLA where there is a GPU"},
		{"", "Dense(2)", ")\nm.jit_compile = (False", effects.Library{}, false, "jit_compile is False"},
		{"", "Dense(2)", ", jit_compile=False)\nm.jit_compile = (True", effects.Library{}, true, "jit_compile is True"},
		{"", "Dense(2)", ")\nm.jit_compile = (True", legacy, true, "jit_compile is True"},
		{"", "Dense(2)", ")\nm.run_eagerly = (True", effects.Library{}, false, "nothing is compiled where steps run eagerly"},
		{"", "Dense(2)", ", run_eagerly=True)\nm.run_eagerly = (False", effects.Library{}, true, "Keras 3 compiles steps with XLA where there is a GPU"},
		{"", "Dense(2)", ")\nm.jit_compile = False\nm.compile('adam', 'mse'", effects.Library{}, true, "Keras 3 compiles steps with XLA where there is a GPU"},
		{"", "Dense(2)", "", legacy, false, "Keras 2 compiles a step with XLA only where jit_compile is True"},
		{"", "Dense(2)", ", jit_compile=True", legacy, true, "jit_compile is True"},
	} {
		layer := "tf.keras.layers." + c.layer
		if c.layer == "Own()" {
			layer = c.layer
		}
		program := "import tensorflow as tf\n" + c.before + "\nm = tf.keras.Sequential([tf.keras.Input((3, 4)), " + layer + "])\nm.compile('adam', 'mse'" + c.arguments + ")\n"
		p := keras.Evaluate(names.Resolve(syntax.Parse(program), c.library, nil))
		if got, why := p.Models[0].XLA(); got != c.want || why != c.why {
			t.Errorf("%q: compiled with XLA is %v, as %s; want %v, as %s", program, got, why, c.want, c.why)
		}
	}
}

// TestLosses reads the losses passed to compile.
func TestLosses(t *testing.T) {
	for loss, want := range map[string]string{
		"'mse'": "[mse] mse",
		"loss='binary_crossentropy', metrics=['accuracy']":                "[binary_crossentropy] binarycrossentropy",
		"keras.losses.MeanSquaredError()":                                 "[MeanSquaredError] meansquarederror",
		"tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)": "[SparseCategoricalCrossentropy] sparsecategoricalcrossentropy",
		"keras.losses.mean_squared_error":                                 "[mean_squared_error] meansquarederror",
		"['mse', keras.losses.Huber()]":                                   "[mse Huber] mse",
		"{'a': 'mae', 'b': 'mse'}":                                        "[mae mse] mae",
		"lambda y, p: y - p":                                              "[] ",
		"['mse', [1, 2]]":                                                 "[mse ] mse",
		"['mse', None]":                                                   "[mse none] mse",
		"[None, 'mse', lambda y, p: y - p]":                               "[none mse ] none",
		"unknown()":                                                       "[] ",
		"None":                                                            "[] ",
	} {
		text := "import tensorflow as tf\nfrom tensorflow import keras\nm = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])\nm.compile('adam', " + loss + ")\n"
		p := keras.Evaluate(names.Resolve(syntax.Parse(text), effects.Library{}, nil))
		c := p.Models[0].Compiled
		if got := fmt.Sprint(c.Losses, " ", c.Loss(0)); got != want {
			t.Errorf("%s: %q, want %q", loss, got, want)
		}
	}
	var none *graph.Compile
	if none.Loss(0) != "" || (&graph.Compile{Losses: []string{"a", "b"}}).Loss(2) != "" {
		t.Error("a loss is known that nobody named")
	}
}

// TestIdentified checks which values compile accepts as optimizers.
func TestIdentified(t *testing.T) {
	for given, want := range map[string]struct {
		class string
		slots float64
		why   string
	}{
		"'Adam'": {"Adam", 2, ""},
		"{'class_name': 'SGD', 'config': {'learning_rate': 0.1, 'momentum': 0.9}}":     {"SGD", 1, ""},
		"{'class_name': 'sgd', 'config': {'learning_rate': 0.1}}":                      {"SGD", 0, ""},
		"tf.keras.optimizers.get({'class_name': 'Adam', 'config': {'amsgrad': True}})": {"Adam", 3, ""},
		"tf.keras.optimizers.get('rmsprop')":                                           {"RMSprop", 1, ""},
		"{'name': 'SGD'}":                                                              {"?", 0, "it is a dictionary"},
		"{'class_name': load(), 'config': {}}":                                         {"?", 0, "it is a dictionary"},
		"None":                                                                         {"?", 0, "it is None"},
		"load()":                                                                       {"?", 0, "elsewhere.load()"},
		"{'class_name': 'Nope', 'config': {}}":                                         {"Nope", 0, "the optimizer Nope is not known"},
	} {
		program := "import tensorflow as tf\nfrom elsewhere import load\nm = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])\nm.compile(" + given + ", 'mse')\n"
		o := keras.Evaluate(names.Resolve(syntax.Parse(program), effects.Library{}, nil)).Models[0].Optimizer
		if o.Class != want.class || o.Slots != want.slots || !strings.Contains(o.Unknown.String(), want.why) || (o.Unknown == nil) != (want.why == "") {
			t.Errorf("%s: %s with %v slots, not known because %q; want %+v", given, o.Class, o.Slots, o.Unknown, want)
		}
	}
}
