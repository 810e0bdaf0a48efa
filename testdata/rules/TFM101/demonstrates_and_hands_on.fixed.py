# What trains the model is not here.
import tensorflow as tf

from .training import train


def build(classes):
    inputs = tf.keras.Input((32, 32, 3))
    x = tf.keras.layers.Dropout(0.5)(inputs)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(classes)(x))  # want "Memory growth is not set"


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    model = build(10)
    model.summary()
    train(model, 20)
