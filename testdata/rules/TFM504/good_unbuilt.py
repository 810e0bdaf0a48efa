"""A model without an input shape that nothing runs has no variables."""
import tensorflow as tf

for units in sizes:
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    print(model)


def build(units):
    model = tf.keras.Sequential()
    model.add(tf.keras.layers.Dense(units))
    model.compile("adam", "mse")
    return model


for units in sizes:
    candidate = build(units)
for units in sizes:
    build(units)
