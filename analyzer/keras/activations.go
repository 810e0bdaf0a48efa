package keras

import "strings"

// activationOf is the activation that a function of TensorFlow or Keras is, or
// empty.
func activationOf(name string) string {
	for _, prefix := range []string{"tensorflow.nn.", "tensorflow.keras.activations.", "tensorflow.keras.ops.", "tensorflow.", "tensorflow.math."} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			switch rest {
			case "relu", "relu6", "elu", "selu", "sigmoid", "tanh", "softmax", "softplus", "softsign", "swish", "silu", "gelu", "leaky_relu",
				"linear", "exponential", "hard_sigmoid", "mish", "log_softmax":
				return rest
			}
		}
	}
	return ""
}
