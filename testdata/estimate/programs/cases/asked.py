"""What layers are asked: their arguments, the shapes that they compute, their input."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class MCDropout(layers.Dropout):
    def call(self, inputs, training=None):
        return super().call(inputs, training=True)


# The layers of one model in another, which knows the shape of their data from them.
model = keras.Sequential([
    layers.Flatten(input_shape=[28, 28]), layers.Dropout(0.2), layers.Dense(30, "relu"), layers.Dropout(rate=0.1), layers.Dense(10),
])
sampled = keras.Sequential([
    MCDropout(layer.rate) if isinstance(layer, layers.Dropout) else layer for layer in model.layers
])
sampled.set_weights(model.get_weights())

# Arguments that were not passed, or passed as one number.
conv = layers.Conv2D(8, 3, padding="same")
pool = layers.MaxPooling2D((2, 3))
x = inputs = keras.Input((32, 32, 3))
x = pool(conv(x))
x = layers.Conv2D(conv.filters * conv.kernel_size[1], conv.kernel_size, conv.strides)(x)
x = layers.Dense(pool.pool_size[0] + pool.strides[1])(x)
x = layers.Dense(7 if conv.use_bias else 9, use_bias=not conv.use_bias)(x)
asked = keras.Model(inputs, x)


# A stack of blocks that asks each of them for the shape it makes.
class Block(layers.Layer):
    def __init__(self, filters, rate=1, **kwargs):
        super().__init__(**kwargs)
        self.filters, self.rate = filters, rate

    def build(self, input_shape):
        self.steps = []
        shape = input_shape
        for i in range(2):
            for layer in (
                layers.Conv1D(self.filters, 3, dilation_rate=self.rate, padding="causal", name=f"conv_{i}"),
                layers.LayerNormalization(), layers.Activation("relu"), layers.SpatialDropout1D(0.1),
            ):
                layer.build(shape)
                shape = layer.compute_output_shape(shape)
                self.steps.append(layer)
        if self.filters != input_shape[-1]:
            self.match = layers.Conv1D(self.filters, 1, padding="same")
        else:
            self.match = layers.Lambda(lambda t: t)
        self.match.build(input_shape)
        self.made = self.match.compute_output_shape(input_shape)
        super().build(input_shape)

    def call(self, inputs):
        x = inputs
        for layer in self.steps:
            x = layer(x)
        return layers.add([self.match(inputs), x])

    def compute_output_shape(self, input_shape):
        return self.made


class Stack(layers.Layer):
    def build(self, input_shape):
        self.blocks, shape = [], input_shape
        for rate in (1, 2, 4):
            self.blocks.append(Block(24, rate))
            self.blocks[-1].build(shape)
            shape = self.blocks[-1].made
        super().build(input_shape)

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return x


stacked = keras.Sequential([keras.Input((50, 4)), Stack(), layers.Lambda(lambda t: t[:, -1, :]), layers.Dense(1)])


# A data set, of which the elements are described.
ds = tf.data.Dataset.from_tensor_slices((np.zeros((100, 7, 3), "float32"), np.zeros((100,)))).batch(8)
shape = ds.element_spec[0].shape[1:]
described = keras.Sequential([
    keras.Input(shape), layers.Flatten(), layers.Dense(int(tf.math.reduce_prod(shape).numpy())),
    layers.Dense(int(keras.ops.mod(7, 4)) if hasattr(ds, "element_spec") else 1),
])

# What layers say of themselves.
config = conv.get_config()
config["filters"] *= 2
recurrent = layers.LSTM(12, return_sequences=True).get_config()
x = inputs = keras.Input((16, 16, 3))
x = layers.Conv2D(config["filters"], config["kernel_size"], strides=config["strides"], padding=config["padding"], use_bias=config["use_bias"])(x)
x = layers.Dense(recurrent["units"] if recurrent["return_sequences"] else 3)(x)
configured = keras.Model(inputs, x)
