import tensorflow as tf


class Trainer:
    def __init__(self):
        self.step = tf.Variable(0)
        self.setup()

    def setup(self):
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)  # want "on line 6 has already initialised"


Trainer()
