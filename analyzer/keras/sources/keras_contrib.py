# Layers of keras_contrib, as far as shapes, weights and memory depend on them.
import tensorflow as tf


class InstanceNormalization(tf.keras.layers.Layer):
    # keras_contrib/layers/normalization/instancenormalization.py
    def __init__(self, axis=None, epsilon=1e-3, center=True, scale=True, **kwargs):
        for ignored in ("beta_initializer", "gamma_initializer", "beta_regularizer", "gamma_regularizer",
                        "beta_constraint", "gamma_constraint"):
            kwargs.pop(ignored, None)
        super().__init__(**kwargs)
        self.axis, self.epsilon, self.center, self.scale = axis, epsilon, center, scale

    def build(self, input_shape):
        shape = (1,) if self.axis is None else (input_shape[self.axis],)
        if self.scale:
            self.gamma = self.add_weight(shape=shape, name="gamma")
        if self.center:
            self.beta = self.add_weight(shape=shape, name="beta")

    def call(self, inputs, training=None):
        axes = list(range(len(inputs.shape)))
        broadcast = [1] * len(inputs.shape)
        if self.axis is not None:
            broadcast[self.axis] = inputs.shape[self.axis]
            del axes[self.axis]
        del axes[0]
        mean = tf.reduce_mean(inputs, axes, keepdims=True)
        deviation = tf.math.reduce_std(inputs, axes, keepdims=True) + self.epsilon
        normed = (inputs - mean) / deviation
        if self.scale:
            normed = normed * tf.reshape(self.gamma, broadcast)
        if self.center:
            normed = normed + tf.reshape(self.beta, broadcast)
        return normed
