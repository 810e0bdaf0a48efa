package keras_test

import (
	"fmt"
	"testing"

	"github.com/tfmem/tfmem/analyzer/value"
)

// TestTypesOfResults compares the types and shapes of operations' results with those of Keras
// 3.15.1 on TensorFlow, if an argument or the library decides the type.
func TestTypesOfResults(t *testing.T) {
	const head = "import tensorflow as tf\nfrom tensorflow import keras\nfrom keras import ops\ni = keras.Input((8,))\n" +
		"x, n, b = tf.zeros((4, 6)), tf.zeros((4, 6), tf.int32), tf.zeros((4, 6), tf.bool)\n" +
		"s = keras.Input(batch_shape=(4, 6))\n" +
		"small, u = tf.zeros((4, 6), tf.int8), tf.zeros((4, 6), tf.uint8)\n"
	for _, c := range []struct{ expression, shape, dtype string }{
		{"tf.matmul(small, small, transpose_b=True, output_type=tf.int32)", "(4, 4)", "int32"},
		{"tf.matmul(x, x, transpose_b=True)", "(4, 4)", "float32"},
		{"ops.matmul(small, ops.transpose(small))", "(4, 4)", "int32"},
		{"ops.zeros_like(x, dtype='int32')", "(4, 6)", "int32"},
		{"ops.ones_like(n, dtype='float16')", "(4, 6)", "float16"},
		{"ops.ones_like(n)", "(4, 6)", "int32"},
		{"ops.full_like(n, 7)", "(4, 6)", "int32"},
		{"ops.full_like(n, 7, dtype='float16')", "(4, 6)", "float16"},
		{"tf.zeros_like(x, tf.float16)", "(4, 6)", "float16"},
		{"ops.mean(n, axis=0)", "(6,)", "float32"},
		{"ops.average(n, axis=0)", "(6,)", "float32"},
		{"ops.std(n, axis=0)", "(6,)", "float32"},
		{"ops.var(n, axis=1)", "(4,)", "float32"},
		{"ops.sum(small, axis=1)", "(4,)", "int32"},
		{"ops.sum(u, axis=1)", "(4,)", "uint32"},
		{"ops.sum(b, axis=1)", "(4,)", "int32"},
		{"ops.sum(n, axis=0)", "(6,)", "int32"},
		{"ops.prod(u, axis=0)", "(6,)", "uint32"},
		{"ops.max(u, axis=0)", "(6,)", "uint8"},
		{"ops.count_nonzero(x, axis=1)", "(4,)", "int32"},
		{"tf.math.count_nonzero(x, axis=1)", "(4,)", "int64"},
		{"tf.math.count_nonzero(x, axis=1, dtype=tf.int32)", "(4,)", "int32"},
		{"tf.reduce_sum(u, axis=0)", "(6,)", "uint8"},
		{"tf.reduce_mean(n, axis=0)", "(6,)", "int32"},
		{"ops.cumsum(s)", "(24,)", "float32"},
		{"tf.cumsum(s)", "(4, 6)", "float32"},
		{"ops.argmax(s)", "()", "int32"},
		{"ops.argmax(s, axis=1, keepdims=True)", "(4, 1)", "int32"},
		{"tf.argmax(s)", "(6,)", "int64"},
		{"tf.one_hot(tf.argmax(s, 1), 5, axis=0)", "(5, 4)", "float32"},
		{"ops.one_hot(ops.argmax(s, axis=1), 5, axis=0)", "(5, 4)", "float32"},
		{"tf.linspace(0, 1, 5)", "(5,)", "float64"},
		{"tf.linspace(0.0, 1, num=5)", "(5,)", "float32"},
		{"keras.utils.to_categorical([0, 2], 5)", "(2, 5)", "float64"},
		{"tf.split(s, [1, -1])[1]", "(3, 6)", "float32"},
		{"ops.split(s, [1, 3])[1]", "(2, 6)", "float32"},
		{"ops.hstack([s, s])", "(4, 12)", "float32"},
		{"ops.repeat(s, [1, 0, 2, 1], axis=0)", "(4, 6)", "float32"},
		{"ops.dot(s, keras.Input(batch_shape=(2, 6, 3)))", "(4, 2, 3)", "float32"},
		{"ops.matmul(keras.Input(batch_shape=(6,)), keras.Input(batch_shape=(2, 6, 3)))", "(2, 3)", "float32"},
	} {
		t.Run(c.expression, func(t *testing.T) {
			m := follow(head + fmt.Sprintf("v = %s\ny = keras.layers.Dense(3 if v.dtype == '%s' else 5)(i)\ny = keras.layers.Dense(7 if tuple(v.shape) == %s else 9)(y)\nm = keras.Model(i, y)\n",
				c.expression, c.dtype, c.shape)).Models[0]
			if all, _ := m.Parameters(); all != 9*3+4*7 || len(m.Unresolved) > 0 {
				t.Errorf("it is not of type %s and shape %s; %s", c.dtype, c.shape, value.Words(m.Unresolved))
			}
		})
	}
}
