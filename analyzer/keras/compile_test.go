package keras_test

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestXLA holds what compile makes of jit_compile, and what
// tf.config.optimizer.set_jit makes of the rest.
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
		p := keras.Follow(names.Resolve(syntax.Parse(program), c.library, nil))
		if got := p.Models[0].Compiled.XLA; got != c.want {
			t.Errorf("%q: XLA is %q, want %q", program, got, c.want)
		}
	}
}
