"""CapsNet with routing by agreement."""
import numpy as np
import keras
from keras import layers, ops

N_CLASS = 10
ROUTINGS = 3


def squash(v, axis=-1):
    n = ops.sum(ops.square(v), axis, keepdims=True)
    return n / (1 + n) * v / ops.sqrt(n + keras.backend.epsilon())


class CapsuleLayer(layers.Layer):
    def __init__(self, num_capsule, dim_capsule, routings=3, **kwargs):
        super().__init__(**kwargs)
        self.num_capsule = num_capsule
        self.dim_capsule = dim_capsule
        self.routings = routings

    def build(self, input_shape):
        self.input_num = input_shape[1]
        self.input_dim = input_shape[2]
        self.W = self.add_weight(
            shape=(self.num_capsule, self.input_num, self.dim_capsule, self.input_dim),
            initializer="glorot_uniform",
            name="W",
        )

    def call(self, inputs):
        hat = ops.einsum("jnmd,bnd->bjnm", self.W, inputs)
        b = ops.zeros_like(hat[..., 0])
        for i in range(self.routings):
            c = ops.softmax(b, axis=1)
            out = squash(ops.einsum("bjn,bjnm->bjm", c, hat))
            if i < self.routings - 1:
                b = b + ops.einsum("bjm,bjnm->bjn", out, hat)
        return out


class Length(layers.Layer):
    def call(self, x):
        return ops.sqrt(ops.sum(ops.square(x), -1) + 1e-7)


x = inp = layers.Input((28, 28, 1))
x = layers.Conv2D(64, 9, activation="relu", name="conv1")(x)
x = layers.Conv2D(64, 9, strides=2, name="primarycaps")(x)
x = layers.Reshape((-1, 8))(x)
x = layers.Lambda(squash)(x)
digit = CapsuleLayer(N_CLASS, 16, ROUTINGS)(x)
out = Length(name="capsnet")(digit)
dec = keras.Sequential([layers.Dense(256, "relu"), layers.Dense(512, "relu"), layers.Dense(784, "sigmoid"),
                        layers.Reshape((28, 28, 1))], name="decoder")
recon = dec(layers.Flatten()(digit))
model = keras.Model(inp, [out, recon])


def margin_loss(y_true, y_pred):
    L = y_true * ops.square(ops.maximum(0.0, 0.9 - y_pred))
    L = L + 0.5 * (1 - y_true) * ops.square(ops.maximum(0.0, y_pred - 0.1))
    return ops.mean(ops.sum(L, 1))


model.compile(optimizer="adam", loss=[margin_loss, "mse"], loss_weights=[1.0, 0.392])
X = np.random.rand(192, 28, 28, 1).astype("float32")
Y = keras.utils.to_categorical(np.random.randint(0, N_CLASS, 192), N_CLASS)
model.fit(X, [Y, X], batch_size=32, epochs=1)
