# A generator: Keras forgets the size of its batches.
# want: - fit ([24, 20] float32, [24, 1] float32) 5

import numpy as np
import tensorflow as tf
def gen(n):
    while True:
        yield np.zeros((n, 20), "float32"), np.zeros((n, 1), "float32")
model = tf.keras.Sequential([tf.keras.Input((20,)), tf.keras.layers.Dense(1)])
model.compile("rmsprop", "mse")
model.fit(gen(24), steps_per_epoch=5, epochs=1, verbose=2)
print("after")
