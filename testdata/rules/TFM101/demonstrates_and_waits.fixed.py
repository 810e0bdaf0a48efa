# A loop that runs on is no demonstration.
import tensorflow as tf


def small(units=8):
    inputs = tf.keras.layers.Input((8,))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(units)(inputs))  # want "Memory growth is not set"


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    model = small()
    for picture in camera():
        model(picture)
