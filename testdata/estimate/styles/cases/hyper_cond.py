"""Hypernetwork: a small net writes the weights of the main net for each example."""
import keras
from keras import layers, ops
import numpy as np


class HyperDense(layers.Layer):
    def __init__(self, units, hyper_units=64, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.hyper_units = hyper_units
        self.activation = keras.activations.get(activation)

    def build(self, input_shape):
        x_shape, z_shape = input_shape
        self.in_dim = x_shape[-1]
        self.hyper = keras.Sequential([
            layers.Dense(self.hyper_units, activation="swish"),
            layers.Dense(self.in_dim * self.units + self.units),
        ])
        self.hyper.build(z_shape)
        self.built = True

    def call(self, inputs):
        x, z = inputs
        theta = self.hyper(z)
        w = ops.reshape(theta[:, : self.in_dim * self.units], (-1, self.in_dim, self.units))
        b = theta[:, self.in_dim * self.units :]
        y = ops.einsum("bni,bio->bno", x, w) + b[:, None, :]
        return self.activation(y)


coords = keras.Input((1024, 2), name="coords")
image = keras.Input((64, 64, 3), name="image")
z = image
for f in (32, 64, 128):
    z = layers.Conv2D(f, 3, strides=2, padding="same")(z)
    z = layers.GroupNormalization(groups=8)(z)
    z = layers.Activation("silu")(z)
z = layers.GlobalAveragePooling2D()(z)
x = coords
for i in range(3):
    x = HyperDense(48, activation="tanh", name=f"hyper_{i}")([x, z])
rgb = HyperDense(3, activation="sigmoid", name="rgb")([x, z])
model = keras.Model({"coords": coords, "image": image}, rgb)
model.compile(optimizer=keras.optimizers.Adam(2e-4), loss=keras.losses.Huber(delta=0.1), metrics=[keras.metrics.RootMeanSquaredError()])
n = 96
model.fit({"coords": np.random.rand(n, 1024, 2), "image": np.random.rand(n, 64, 64, 3)}, np.random.rand(n, 1024, 3), batch_size=32)
