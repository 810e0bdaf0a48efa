package memory_test

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
)

// TestPredictsEagerly checks the memory of prediction in eager execution. Keras 3 keeps the
// outputs of a functional model's layers in a dictionary until the model returns
// (keras/src/ops/function.py, _run_through_graph); tf_keras removes those that nothing needs any
// more. A bias is not added in place.
func TestPredictsEagerly(t *testing.T) {
	const one = 1000 * 1000 * 4 // bytes of a layer's output
	tensors := func(major int, how string) int64 {
		l := effects.Library{}
		if major == 2 {
			l = l.Legacy()
		}
		p := followUnder(l, "from tensorflow import keras\ni = x = keras.Input((1000,))\nfor _ in range(6):\n    x = keras.layers.Dense(1000)(x)\nm = keras.Model(i, x)\nm.compile('sgd', 'mse', "+how+")\nm.fit(a, b, batch_size=1000)\n")
		a := memory.Assess(p.Models[0], p.Uses, memory.Place{})
		if a.Inference == nil {
			t.Fatal(a.Unresolved)
		}
		n := a.Inference.Need
		return (n.Peak - n.Weights - n.Batch) / one
	}
	for _, c := range []struct {
		major int
		how   string
		want  int64
	}{
		{3, "jit_compile=False", 2}, {2, "jit_compile=False", 2},
		{3, "run_eagerly=True", 7}, {2, "run_eagerly=True", 2},
	} {
		if got := tensors(c.major, c.how); got != c.want {
			t.Errorf("Keras %d, %s: %d tensors, want %d", c.major, c.how, got, c.want)
		}
	}
}
