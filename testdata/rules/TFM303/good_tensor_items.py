"""Tensors that were made on the CPU, in tuples, lists and dictionaries."""
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((64, 64, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
x, y = np.zeros((60000, 64, 64, 3), dtype="float32"), np.zeros((60000, 1), dtype="float32")


def both():
    with tf.device("/CPU:0"):
        return tf.constant(x), tf.constant(y)


with tf.device("/CPU:0"):
    a, b = tf.constant(x), tf.constant(y)
    several = [tf.constant(x), 1]
    named = {"x": tf.constant(x)}
    first, second = map(tf.constant, (x, y))
    third, fourth = [tf.convert_to_tensor(array) for array in (x, y)]
    ready = tf.Variable(x)
fifth, sixth = both()
model.evaluate(a, b)
model.predict(several[0])
model.predict(named["x"])
model.predict(first)
model.evaluate(third, fourth)
model.predict(ready)
model.evaluate(fifth, sixth)
model.predict(both()[0])
