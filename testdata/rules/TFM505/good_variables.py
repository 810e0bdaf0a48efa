# Variables and layers are no tensors of a trace. Under tf.init_scope nothing is.
import tensorflow as tf

state = []
dense = []
constants = []


@tf.function
def step(x):
    if not state:
        state.append(tf.Variable(2.0 * x))
        state.append(tf.Variable(state[0] * 3.0))
    if not dense:
        dense.append(tf.keras.layers.Dense(1))
        weight = tf.Variable(tf.ones([1]))
        dense.append(weight)
    with tf.init_scope():
        constants.append(tf.ones([3]))
    return state[0] * x * state[1]


step(tf.constant(1.0))
