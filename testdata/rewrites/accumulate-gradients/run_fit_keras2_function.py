"""The model is made in a function, of other inputs than one, and its examples are weighted."""
# keras: 2
import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(12)


def train():
    first, second = keras.Input((4,)), keras.Input((3,))
    hidden = keras.layers.Dense(5, activation="tanh", kernel_regularizer="l2")(keras.layers.Concatenate()([first, second]))
    net = keras.Model([first, second], keras.layers.Dense(1)(hidden))
    net.compile(keras.optimizers.SGD(0.1, momentum=0.9, clipnorm=0.5), loss=keras.losses.MeanSquaredError())
    a, b = np.random.normal(size=(50, 4)).astype("float32"), np.random.normal(size=(50, 3)).astype("float32")
    net.fit([a, b], a[:, :1] * b[:, :1], batch_size=16, epochs=3, sample_weight=np.linspace(0.5, 1.5, 50).astype("float32"), shuffle=False, verbose=0)  # <- here
    return net


model = train()
