# The object says first that it has no model.
import tensorflow as tf
import gc


class Experiment:
    def __init__(self):
        self.model = None

    def build(self, units):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
        self.model.compile("adam", "mse")

    def run(self, units):
        self.build(units)
        self.model.fit(x, y)


experiment = Experiment()
for units in sizes:
    tf.keras.backend.clear_session()
    gc.collect()
    experiment.run(units)  # want "Every iteration of the loop on line 19"
