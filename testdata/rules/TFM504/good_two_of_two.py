import tensorflow as tf


def both(x, y):
    for units in [1024, 2048]:
        model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
        model.fit(x, y)


for x, y in [(a, b)]:
    both(x, y)
