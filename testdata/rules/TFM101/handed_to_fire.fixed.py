# The library of the command line calls the function.
import fire
import tensorflow as tf


def train(path="data", epochs=3):
    model = tf.keras.Sequential([tf.keras.layers.Dense(3)])  # want "Memory growth is not set"
    model.compile("adam", "mse")
    model.fit(tf.data.Dataset.load(path).batch(32), epochs=epochs)


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    fire.Fire(train)
