import numpy as np
import keras
from keras import layers

CLASSES = 21
inputs = keras.Input((128, 128, 3))
x = layers.Conv2D(24, 5, strides=2, padding="same", activation="relu")(inputs)
x = layers.Conv2D(48, 3, padding="same", activation="relu")(x)
x = layers.Conv2DTranspose(CLASSES, 4, strides=2, padding="same")(x)
model = keras.Model(inputs, x)
model.compile(
    optimizer=keras.optimizers.Adam(1e-3),
    loss=keras.losses.CategoricalHinge(),
    jit_compile=False,
)
images = np.random.rand(16, 128, 128, 3).astype(np.float32)
labels = np.eye(CLASSES, dtype=np.float32)[np.random.randint(0, CLASSES, (16, 128, 128))]
model.fit(images, labels, batch_size=8)
