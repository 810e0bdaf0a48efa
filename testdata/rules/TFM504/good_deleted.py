import tensorflow as tf

for units in sizes:
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    model.fit(x, y)
    del model


def run(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    model.fit(x, y)
    del model


for units in sizes:
    run(units)
