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

// TestLosses: a loss that is followed has the price of its operations, however the model is trained.
// One that is not leaves the verdict open.
func TestLosses(t *testing.T) {
	const head = `import numpy as np
import tensorflow as tf
from elsewhere import compare, tuned
def pairs(y, p):
    return tf.reduce_mean(tf.exp(-tf.reduce_sum((p[:, None] - p[None]) ** 2, -1)))
def mixed(y, p):
    return pairs(y, compare(p))
i = tf.keras.Input((32,))
m = tf.keras.Model(i, tf.keras.layers.Dense(64)(i))
`
	const x, y = "np.zeros((1024, 32), 'f')", "np.zeros((1024, 64), 'f')"
	device := memory.Device{Name: "T4", Total: 15 << 30}
	for program, want := range map[string]memory.Verdict{
		"pairs": memory.Fits, "[pairs]": memory.Fits, "mixed": memory.Unknown, "compare": memory.Unknown, "tuned(gamma=2)": memory.Unknown, "'mse'": memory.Fits,
	} {
		for _, trains := range []string{"m.fit(" + x + ", " + y + ", batch_size=1024)", "m.train_on_batch(" + x + ", " + y + ")", "m.fit(rows())"} {
			p := followText(head + "def rows():\n    yield " + x + ", " + y + "\nm.compile('adam', " + program + ", jit_compile=False)\n" + trains + "\n")
			a := memory.Assess(p.Models[0], p.Uses, memory.Place{Device: &device})
			if a.Verdict != want {
				t.Errorf("%s, %s: %s, want %s: %v", program, trains, a.Verdict, want, a.Unresolved)
			}
			if n := a.Need.Low; want == memory.Fits && program != "'mse'" && n < 256<<20 { // the differences of all pairs alone
				t.Errorf("%s, %s: %d bytes at least", program, trains, n)
			}
		}
	}
}
