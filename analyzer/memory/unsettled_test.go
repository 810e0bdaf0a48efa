package memory_test

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/value"
)

// TestUnsettled: neither an estimate nor a rule prices a model with unknown dtypes.
func TestUnsettled(t *testing.T) {
	const why = "the dtype policy is not known"
	trained := "import sys\nfrom tensorflow import keras\nkeras.config.set_dtype_policy(sys.argv[1])\n" + strings.TrimPrefix(deep(2), "from tensorflow import keras\n")
	run, _, _ := strings.Cut(trained, "m.compile")
	p := followText(trained)
	u := p.Uses[0]
	if _, err := memory.NewTrainer(u.Model, u.Model.Optimizer); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("a trainer is made, or refused as %v", err)
	}
	for _, p := range []*graph.Program{p, followText(run)} {
		a := memory.Assess(p.Models[0], p.Uses, memory.Place{})
		if got := value.Words(a.Unresolved); !strings.Contains(got, why) || a.Parameters.Low == 0 {
			t.Errorf("%d parameters, unknown because %q", a.Parameters.Low, got)
		}
	}
}

// TestUndecided: nor a model for which it is not known how its steps are compiled.
func TestUndecided(t *testing.T) {
	const head = "import sys\nimport numpy as np\nimport tensorflow as tf\nm = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])\n"
	const fit = "m.fit(np.zeros((8, 3)), np.zeros((8, 2)))\n"
	for program, want := range map[string]string{
		"m.compile('sgd', 'mse')\ntf.config.run_functions_eagerly(sys.argv[1])\n" + fit:                                         "whether functions run eagerly is not known",
		"tf.config.run_functions_eagerly(sys.argv[1])\nm.compile('sgd', 'mse')\n" + fit:                                         "whether functions run eagerly is not known",
		"m.compile('sgd', 'mse', run_eagerly=sys.argv[1])\n" + fit:                                                              "whether functions run eagerly is not known",
		"m.compile('sgd', 'mse', jit_compile=sys.argv[1])\n" + fit:                                                              "whether XLA compiles its steps is not known",
		"tf.config.run_functions_eagerly(sys.argv[1])\ntf.config.run_functions_eagerly(False)\nm.compile('sgd', 'mse')\n" + fit: "",
		"m.compile('sgd', 'mse', run_eagerly=None, jit_compile='auto')\n" + fit:                                                 "",
		"m.compile('sgd', 'mse', run_eagerly=0)\n" + fit:                                                                        "",
		"m.compile('sgd', 'mse')\nif tf.config.functions_run_eagerly():\n    m.compile('adam', 'mse')\n" + fit:                  "",
		"tf.config.run_functions_eagerly(sys.argv[1])\no = tf.keras.optimizers.SGD()\n@tf.function\ndef step(x):\n    with tf.GradientTape() as tape:\n        y = tf.reduce_sum(m(x))\n    o.apply_gradients(zip(tape.gradient(y, m.trainable_variables), m.trainable_variables))\nstep(tf.zeros((8, 3)))\n": "whether functions run eagerly is not known",
	} {
		p := followText(head + program)
		u := p.Models[len(p.Models)-1]
		if got := value.Words(memory.Assess(u, p.Uses, memory.Place{}).Unresolved); want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%s: unknown because %q, want %q", program, got, want)
		}
	}
}
