import tensorflow as tf


def train(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("sgd", "mse")
    model.fit(x, x)


x = tf.ones((8, 4))
for units in (1, 2):
    train(units)  # <- here not "this process uses the GPU itself, on line 10, and leaves no memory for another"
