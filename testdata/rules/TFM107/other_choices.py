# None of these asks which TensorFlow it runs with.
import tensorflow as tf


class Checkpoint:
    def __init__(self, checkpoint):
        self.checkpoint = checkpoint

    def __getattr__(self, name):
        if hasattr(self.checkpoint, name):
            return getattr(self.checkpoint, name)
        raise AttributeError(name)


def operations(layer, eager, backbone):
    if "Conv2D" in str(layer) and hasattr(layer, "strides"):
        return 2
    if eager or "incompatible" in layer.name:
        return 1
    return 3 if backbone == "mobilenet_v2" else 0


schedule = getattr(tf.keras.optimizers.schedules, "ExponentialDecay")
gpus = tf.config.experimental.list_physical_devices("GPU")  # want "old name of tf.config.list_physical_devices"
