# Whether a layer has a kernel says nothing of TensorFlow's version.
import tensorflow as tf


class SpectralNormalization(tf.keras.layers.Wrapper):
    def build(self, input_shape):
        self.layer.build(input_shape)
        if not hasattr(self.layer, "kernel"):
            raise ValueError("it wraps layers with a kernel")


gpus = tf.config.experimental.list_physical_devices("GPU")  # want "list_physical_devices"
