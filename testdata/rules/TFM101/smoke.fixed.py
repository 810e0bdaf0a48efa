# Another module may import the class, and choose its devices after that.
import tensorflow as tf


class Neck(tf.keras.Model):
    def call(self, x):
        return x


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
    model.compile("sgd", "mse")
    model.fit(x, y)
