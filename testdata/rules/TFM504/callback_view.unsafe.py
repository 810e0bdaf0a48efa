"""A callback that looks into the model which fit is training."""
import tensorflow as tf
import gc


def activations(model, layer):
    inner = tf.keras.Model(model.inputs, model.get_layer(layer).output)
    inner.compile("sgd", "mse")
    return inner


class Watch(tf.keras.callbacks.Callback):
    def __init__(self, images):
        super().__init__()
        self.images = images

    def on_epoch_end(self, epoch, logs=None):
        print(activations(self.model, "first").predict(self.images).mean())  # want "information: Every epoch builds the same model again"


class Probe(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        gc.collect()
        probe = tf.keras.Sequential([tf.keras.layers.Dense(512), tf.keras.layers.Dense(1)])  # want "warning: Every epoch builds another model"
        probe.compile("adam", "mse")
        probe.fit(x, y)


model = tf.keras.Sequential([tf.keras.layers.Dense(8, name="first"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=100, callbacks=[Watch(x), Probe()])
