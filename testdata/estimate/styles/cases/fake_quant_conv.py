import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


class QuantConv(layers.Layer):
    def __init__(self, filters, **kw):
        super().__init__(**kw)
        self.filters = filters

    def build(self, shape):
        self.kernel = self.add_weight(shape=(3, 3, shape[-1], self.filters), name="kernel")
        self.low = self.add_weight(shape=(), initializer=tf.keras.initializers.Constant(-6.0), name="low")
        self.high = self.add_weight(shape=(), initializer=tf.keras.initializers.Constant(6.0), name="high")

    def call(self, x):
        w = tf.quantization.fake_quant_with_min_max_vars(self.kernel, -1.0, 1.0, num_bits=8)
        y = tf.nn.relu(tf.nn.conv2d(x, w, 1, "SAME"))
        return tf.quantization.fake_quant_with_min_max_vars(y, self.low, self.high, num_bits=8)


inputs = layers.Input((48, 48, 3))
x = inputs
for f in (32, 32, 48, 48):
    x = QuantConv(f)(x)
x = layers.GlobalAveragePooling2D()(x)
outputs = layers.Dense(10)(x)
model = tf.keras.Model(inputs, outputs)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.random.rand(64, 48, 48, 3).astype("float32"), np.random.randint(0, 10, 64), batch_size=16)
