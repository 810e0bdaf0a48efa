"""Recurrent networks over cells of the program's own."""

import keras
import numpy as np
from keras import layers, ops


class MinimalCell(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.state_size = units

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), name="kernel")
        self.recurrent = self.add_weight(shape=(self.units, self.units), name="recurrent")

    def call(self, inputs, states):
        out = ops.tanh(ops.matmul(inputs, self.kernel) + ops.matmul(states[0], self.recurrent))
        return out, [out]


class Memory(layers.Layer):
    """Two states of different sizes, and layers inside."""

    def __init__(self, slow, fast):
        super().__init__()
        self.state_size = [slow, fast]
        self.output_size = fast
        self.into_slow = layers.Dense(slow)
        self.into_fast = layers.Dense(fast, activation="tanh")

    def call(self, inputs, states):
        slow, fast = states
        slow = 0.9 * slow + self.into_slow(inputs)
        fast = self.into_fast(ops.concatenate([inputs, slow, fast], axis=-1))
        return fast, [slow, fast]


sequence = keras.Input((20, 6))
minimal = keras.Model(sequence, layers.Dense(3)(layers.RNN(MinimalCell(12), return_sequences=True)(sequence)))
last = keras.Model(sequence, layers.Dense(2)(layers.RNN(MinimalCell(5))(sequence)))
remembering = keras.Model(sequence, layers.Dense(4)(layers.RNN(Memory(7, 9))(sequence)))
# The layers inside a cell are built when the cell first runs.
remembering.compile("adam", "mse", jit_compile=False)
remembering.fit(np.zeros((8, 20, 6), "float32"), np.zeros((8, 4)), verbose=0)
