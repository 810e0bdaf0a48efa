"""After the convnet of "Deep Learning with Python" for cats and dogs, whose first Dense follows Flatten."""
# device: 1480 MiB
# keras: 3.15
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

pictures = np.zeros((2800, 128, 128, 3), "float32")
labels = np.zeros((2800, 1), "float32")
train = tf.data.Dataset.from_tensor_slices((pictures, labels)).shuffle(2800).batch(16)

model = keras.Sequential([
    keras.Input((128, 128, 3)),
    layers.Conv2D(16, 3, activation="relu"),
    layers.MaxPooling2D(2),
    layers.Conv2D(32, 3, activation="relu"),
    layers.MaxPooling2D(2),
    layers.Conv2D(64, 3, activation="relu"),
    layers.MaxPooling2D(2),
    layers.Flatten(),
    layers.Dense(256, activation="relu"),
    layers.Dense(1, activation="sigmoid"),
])
model.compile(optimizer=keras.optimizers.Adam(1e-4), loss="binary_crossentropy", metrics=["accuracy"], jit_compile=False)
model.fit(train, epochs=30)
