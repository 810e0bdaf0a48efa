package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// stepped is a model with a step of its own, which ends with what follows.
const stepped = `
import numpy as np, keras, tensorflow as tf

def net():
    return keras.Sequential([keras.Input((1024,)), keras.layers.Dense(1024, activation="relu"), keras.layers.Dense(10)])

other = net()

class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.net = net()
        self.sums = [tf.Variable(tf.zeros_like(w), trainable=False) for w in self.net.trainable_variables]

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(y, self.net(x, training=True), from_logits=True))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        REST
        return {"loss": loss}

model = Own()
model.compile(OPTIMIZER, jit_compile=False)
model.fit(np.zeros((640, 1024), "float32"), np.zeros(640, "int32"), batch_size=64)
`

func needOfStep(t *testing.T, optimizer string, rest ...string) memory.Need {
	t.Helper()
	program := strings.NewReplacer("REST", strings.Join(rest, "\n        "), "OPTIMIZER", optimizer).Replace(stepped)
	p := followUnder(effects.Library{}, program)
	if len(p.Uses) != 1 {
		t.Fatalf("%d uses; %v", len(p.Uses), p.Unresolved)
	}
	u := p.Uses[0]
	need, err := memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(64))
	if err != nil {
		t.Fatal(err)
	}
	return need
}

// TestStepVariables: variables that a step assigns take memory, wherever they are: in the model, or
// of a network that the step does not call.
func TestStepVariables(t *testing.T) {
	alone := needOfStep(t, `"sgd"`, "pass").Weights
	for name, rest := range map[string][]string{
		"sums":     {"for s, g in zip(self.sums, grads):", "    s.assign_add(g)"},
		"averages": {"for s, w in zip(self.sums, self.net.trainable_variables):", "    s.assign(0.9 * s + 0.1 * w)"},
		"follower": {"for o, w in zip(other.weights, self.net.weights):", "    o.assign(0.9 * o + 0.1 * w)"},
	} {
		if got := needOfStep(t, `"sgd"`, rest...).Weights; got != 2*alone {
			t.Errorf("%s: %d bytes of weights; want %d", name, got, 2*alone)
		}
	}
}

// TestAverageByHand: an average by hand reads the updated weights, so 0.9 × the average waits for
// them, whichever optimizer updates them. Decayed weights are no exception.
func TestAverageByHand(t *testing.T) {
	average := []string{"for s, w in zip(self.sums, self.net.trainable_variables):", "    s.assign(0.9 * s + 0.1 * w)"}
	more := func(optimizer string) string {
		with, alone := needOfStep(t, optimizer, average...), needOfStep(t, optimizer, "pass")
		return fmt.Sprintf("%.1f MiB", mib(with.Peak-alone.Peak))
	}
	want := more("keras.optimizers.Adam()")
	for _, optimizer := range []string{"AdamW()", "SGD(0.1, momentum=0.9, weight_decay=1e-4)", "Adam(global_clipnorm=1.0)"} {
		if got := more("keras.optimizers." + optimizer); got != want {
			t.Errorf("%s: an average takes %s more; want %s", optimizer, got, want)
		}
	}
}
