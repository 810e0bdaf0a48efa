import numpy as np
import tensorflow as tf
from tensorflow import keras

H = W = 192

def block(x, f):
    x = keras.layers.Conv2D(f, 3, padding="same")(x)
    x = keras.layers.LeakyReLU()(x)
    return x

inp = keras.layers.Input((H, W, 4))
x = block(inp, 8)
x = keras.layers.AveragePooling2D(2)(x)
x = block(x, 16)
x = keras.layers.UpSampling2D(interpolation="bilinear")(x)
out = keras.layers.Conv2D(12, 1, activation="softplus")(x)
net = keras.Model(inp, out, name="rainfall")
net.compile(optimizer=keras.optimizers.RMSprop(1e-3), loss="mean_squared_logarithmic_error", metrics=["mae"], jit_compile=False)
X = np.random.rand(16, H, W, 4).astype("float32")
Y = np.random.rand(16, H, W, 12).astype("float32")
net.fit(X, Y, batch_size=8, epochs=1, verbose=0)
