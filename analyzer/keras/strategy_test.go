package keras_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestReplicas checks how many replicas share the batches of a model, and whether XLA compiles
// its steps. The scope in which the model is created decides both.
func TestReplicas(t *testing.T) {
	const tpu = `
try:
    tpu = tf.distribute.cluster_resolver.TPUClusterResolver()
    tf.config.experimental_connect_to_cluster(tpu)
    s = tf.distribute.TPUStrategy(tpu)
except ValueError:
    s = tf.distribute.get_strategy()
with s.scope():
    m = make()
`
	const found = `
def find():
    try:
        return tf.distribute.cluster_resolver.TPUClusterResolver(tpu="local")
    except ValueError:
        return None

tpu = find()
if tpu:
    s = tf.distribute.TPUStrategy(tpu)
elif len(tf.config.list_physical_devices("GPU")) > 1:
    s = tf.distribute.MirroredStrategy()
else:
    s = tf.distribute.get_strategy()
with s.scope():
    m = make()
`
	for _, c := range []struct{ program, want string }{
		{"m = make()", "1, with XLA"},
		{"with tf.distribute.get_strategy().scope():\n    m = make()", "1, with XLA"},
		{"with tf.distribute.OneDeviceStrategy('GPU:0').scope():\n    m = make()", "1, without XLA"},
		{"with tf.distribute.MirroredStrategy(['GPU:0', 'GPU:1']).scope():\n    m = make()", "2, without XLA"},
		{"with tf.distribute.MultiWorkerMirroredStrategy().scope():\n    m = make()", "a MultiWorkerMirroredStrategy divides each batch among the GPUs of all workers, and TF_CONFIG names them only at run time, without XLA"},
		{"s = tf.distribute.MirroredStrategy(['GPU:0', 'GPU:1'])\nm = make()\nwith s.scope():\n    other = make()", "2, without XLA"},
		{"s = tf.distribute.MirroredStrategy(['GPU:0', 'GPU:1'])\nwith s.scope():\n    other = make()\nm = make()", "1, with XLA"},
		{"with tf.distribute.TPUStrategy(tf.distribute.cluster_resolver.TPUClusterResolver()).scope():\n    m = make()", "under a TPUStrategy the step runs on the cores of a TPU, which have no memory of a GPU, without XLA"},
		{"s = tf.distribute.MirroredStrategy(['GPU:0', 'GPU:1'])\nt = tf.distribute.OneDeviceStrategy('GPU:0')\nm = make()", "the program makes strategies of different numbers of replicas, and under which of them it trains is not known, without XLA"},
		{"def never(n):\n    return tf.distribute.experimental.ParameterServerStrategy(n)\n\nm = make()", "under a ParameterServerStrategy the variables are on other machines, and what of them is on a GPU is not followed, without XLA"},
		{"if False:\n    s = tf.distribute.MirroredStrategy()\nm = make()", "1, without XLA"},
		{tpu, "1, with XLA"},
		{found, "1, with XLA"},
	} {
		p := follow("import tensorflow as tf\n\ndef make():\n    m = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])\n    m.compile('sgd', 'mse')\n    return m\n\n" + c.program + "\n")
		got := "no model"
		for _, m := range p.Models {
			if m.Variable != "m" {
				continue
			}
			n, why := m.Replicas()
			if got = why.String(); n > 0 {
				got = fmt.Sprint(n)
			}
			got += ", with XLA"
			if xla, _ := m.XLA(); !xla {
				got = strings.TrimSuffix(got, "with XLA") + "without XLA"
			}
		}
		if got != c.want {
			t.Errorf("%s\ngot %q, want %q", c.program, got, c.want)
		}
	}
}
