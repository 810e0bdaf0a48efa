import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((96, 96, 3))
x = layers.Conv2D(24, 3, padding="same", activation="relu")(inputs)
x = layers.Conv2D(24, 3, padding="same", activation="relu")(x)
outputs = layers.Conv2D(12, 1, activation="softmax")(x)
model = keras.Model(inputs, outputs)
model.compile(
    optimizer=keras.optimizers.Adam(1e-3),
    loss=keras.losses.CategoricalFocalCrossentropy(alpha=0.5, gamma=1.5, label_smoothing=0.1),
    jit_compile=False,
)
images = np.random.rand(192, 96, 96, 3).astype("float32")
labels = np.eye(12, dtype="float32")[np.random.randint(0, 12, (192, 96, 96))]
model.fit(images, labels, batch_size=64, epochs=1)
