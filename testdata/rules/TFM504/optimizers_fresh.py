# Names, classes and optimizers of the iteration keep nothing.
import tensorflow as tf


def create(optimizer):
    model = tf.keras.Sequential([tf.keras.layers.Dense(2048), tf.keras.layers.Dense(1)])
    model.compile(optimizer=optimizer, loss="mse")
    return model


for name in ["sgd", "adam", "ftrl"]:
    model = create(name)  # want "calls clear_session\(\) or gc\.collect\(\)\. There are 3 models,"
    model.fit(x, y)
for kind in [tf.keras.optimizers.SGD, tf.keras.optimizers.Adam, tf.keras.optimizers.Ftrl]:
    model = create(kind())  # want "calls clear_session\(\) or gc\.collect\(\)\. There are 3 models,"
    model.fit(x, y)
for rate in rates:
    optimizer = tf.keras.optimizers.Adam(rate)
    model = create(optimizer)  # want "calls clear_session\(\) or gc\.collect\(\)\.$"
    model.fit(x, y)
