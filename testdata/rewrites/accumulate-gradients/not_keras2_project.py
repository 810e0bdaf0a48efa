# keras: 2
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mse", jit_compile=True)
model.fit(x, y)  # <- here not "XLA cannot compile parts whose size depends on the batch"


def named():
    total = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
    total.compile("adam", "mse")
    total.fit(x, y)  # <- here not "total is a name that the step needs for itself"
