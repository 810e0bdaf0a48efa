# A library with a demonstration of each of its models.
import tensorflow as tf


def small(units=8):
    inputs = tf.keras.layers.Input((8,))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(units)(inputs))


def large(units=800):
    inputs = tf.keras.layers.Input((8,))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(units)(inputs))


if __name__ == "__main__":
    models = [
        small,
        large]

    for model_fn in models:
        model = model_fn()
        model.summary()
