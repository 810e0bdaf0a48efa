# The argument decides which branch is taken.
import tensorflow as tf


class Manager:
    def __init__(self, layer="ranking"):
        self.choose(name=layer)
        self.model = tf.keras.Sequential([self.layer])

    def choose(self, name="ranking"):
        if name == "ranking":
            self.layer = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,))])
        if name == "din":
            self.layer = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])  # want "from here TensorFlow takes nearly all memory"
        else:
            raise ValueError(name)


manager = Manager(layer="din")
manager.model.compile("adam", "mse")
manager.model.fit(x, y)
