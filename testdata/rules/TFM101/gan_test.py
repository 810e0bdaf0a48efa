"""Tests a generator on data: a script, and no test."""
import tensorflow as tf


def test(model):
    print(model.predict(x))


model = tf.keras.models.load_model("generator.keras")  # want "This is where TensorFlow first uses a GPU"
test(model)
