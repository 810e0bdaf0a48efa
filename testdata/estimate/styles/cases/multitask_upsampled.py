import numpy as np
import keras
from keras import layers

i = keras.Input((64, 64, 3))
x = layers.Conv2D(48, 3, padding="same", activation="relu")(i)
x = layers.MaxPooling2D()(x)
x = layers.Conv2D(96, 3, padding="same", activation="relu")(x)
flat = layers.Flatten()(x)
a = layers.Dense(10, activation="softmax", name="a")(layers.Dense(128, activation="relu")(flat))
b = layers.Dense(4, name="b")(layers.GlobalMaxPooling2D()(x))
c = layers.Conv2D(20, 1, activation="softmax", name="c")(layers.UpSampling2D()(x))
m = keras.Model(i, [a, b, c])
m.compile(
    "adam",
    loss=["sparse_categorical_crossentropy", "huber", "sparse_categorical_crossentropy"],
    loss_weights=[1.0, 0.1, 0.5],
    metrics=[["accuracy"], ["mae"], []],
    jit_compile=False,
)
m.fit(
    np.random.rand(128, 64, 64, 3),
    [np.random.randint(0, 10, 128), np.random.rand(128, 4), np.random.randint(0, 20, (128, 64, 64))],
    batch_size=32,
)
