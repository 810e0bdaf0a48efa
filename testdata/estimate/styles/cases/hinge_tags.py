import numpy as np
import keras
from keras import layers

n_tags = 20000
x = np.random.rand(512, 300).astype("float32")
y = np.sign(np.random.randn(512, n_tags)).astype("float32")

model = keras.Sequential([
    keras.Input((300,)),
    layers.Dense(64, activation="relu"),
    layers.Dropout(0.3),
    layers.Dense(n_tags, activation="tanh"),
])
model.compile(optimizer=keras.optimizers.Adagrad(0.01), loss="hinge", metrics=["binary_accuracy"], jit_compile=False)
model.fit(x, y, batch_size=256, epochs=1)
