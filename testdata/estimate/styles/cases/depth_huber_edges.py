"""Three maps of a picture, each by a loss of its own."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

SIDE = 96
inputs = keras.Input((SIDE, SIDE, 3))
x = layers.Conv2D(32, 3, strides=2, padding="same", activation="elu")(inputs)
x = layers.Conv2D(32, 3, padding="same", activation="elu")(x)
x = layers.Conv2DTranspose(16, 2, strides=2, activation="elu")(x)
depth = layers.Conv2D(8, 1, name="depth")(x)
edges = layers.Conv2D(8, 1, activation="sigmoid", name="edges")(x)
flow = layers.Conv2D(8, 1, name="flow")(x)
model = keras.Model(inputs, {"depth": depth, "edges": edges, "flow": flow})
model.compile(
    optimizer="rmsprop",
    loss={
        "depth": keras.losses.Huber(delta=0.5),
        "edges": keras.losses.BinaryFocalCrossentropy(gamma=3.0),
        "flow": keras.losses.LogCosh(),
    },
    loss_weights={"depth": 1.0, "edges": 0.5, "flow": 2.0},
    jit_compile=False,
)
rows = 192
images = np.random.rand(rows, SIDE, SIDE, 3).astype("float32")
targets = {name: np.random.rand(rows, SIDE, SIDE, 8).astype("float32") for name in ("depth", "edges", "flow")}
data = tf.data.Dataset.from_tensor_slices((images, targets)).batch(64, drop_remainder=True)
model.fit(data, epochs=1)
