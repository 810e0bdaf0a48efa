"""Tests a generator on data: a script, and no test."""
import tensorflow as tf


def test(model):
    print(model.predict(x))


model = tf.keras.models.load_model("generator.keras")  # want "Memory growth is not set"
test(model)
