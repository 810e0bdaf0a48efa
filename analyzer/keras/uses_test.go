package keras_test

import (
	"strings"
	"testing"
)

// TestBatch holds what the batch of a call is, or why it is not known: Keras's 32 is for
// arrays, and a dataset has its own.
func TestBatch(t *testing.T) {
	for call, want := range map[string]any{
		"fit(np.zeros((90, 4)), np.zeros((90, 3)))":                  int64(32),
		"fit(np.zeros((90, 4)), np.zeros((90, 3)), 8)":               int64(8),
		"fit(np.zeros((90, 4)), batch_size=8)":                       int64(8),
		"fit(np.zeros((90, 4)))":                                     int64(32),
		"fit(load(), load())":                                        int64(32),
		"fit(load(), load(), batch_size=None)":                       int64(32),
		"fit(x=load(), y=load())":                                    int64(32),
		"fit(load())":                                                "batches of their own: the result of elsewhere.load()",
		"fit(load(), None)":                                          "batches of their own",
		"fit(load(), epochs=3)":                                      "batches of their own",
		"fit(load(), batch_size=8)":                                  int64(8),
		"fit(load(), batch_size=load())":                             "the result of elsewhere.load()",
		"evaluate(load(), load())":                                   int64(32),
		"predict(load())":                                            "batches of their own",
		"predict(np.zeros((90, 4)))":                                 int64(32),
		"fit(tf.data.Dataset.from_tensors(np.zeros((4,))).batch(7))": int64(7),
	} {
		p := follow("import numpy as np\nimport tensorflow as tf\nfrom elsewhere import load\nm = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])\nm.compile('sgd', 'mse')\nm." + call + "\n")
		if len(p.Uses) != 1 {
			t.Errorf("%s: %d uses", call, len(p.Uses))
			continue
		}
		got := p.Uses[0].Batch
		if why, unknown := want.(string); unknown {
			if !strings.Contains(got.Why(), why) {
				t.Errorf("%s: the batch is %v, %q; want %q", call, got.X, got.Why(), why)
			}
		} else if got.X != want {
			t.Errorf("%s: the batch is %v, %q; want %v", call, got.X, got.Why(), want)
		}
	}
}
