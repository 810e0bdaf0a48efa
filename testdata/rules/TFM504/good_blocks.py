# Parts of one model, and models that are only looked at.
import tensorflow as tf


def build(n):
    inputs = x = tf.keras.Input((8,))
    for i in range(n):
        x = tf.keras.Sequential([tf.keras.layers.Dense(8)])(x)
    model = tf.keras.Model(inputs, x)
    model.compile("adam", "mse")
    return model


model = build(10)
model.fit(x, y)
for layer in model.layers:
    part = tf.keras.Model(model.inputs, layer.output)
    print(part.predict(x))
for epoch in range(10):
    model.fit(x, y)
