import numpy as np
import keras
from keras import layers

model = keras.Sequential([
    keras.Input((64, 64, 3)),
    layers.Conv2D(32, 3, padding="same", activation="relu"),
    layers.BatchNormalization(),
    layers.MaxPooling2D(),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.BatchNormalization(),
    layers.MaxPooling2D(),
    layers.Conv2D(128, 3, padding="same", activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(10, activation="softmax"),
])
model.compile(optimizer=keras.optimizers.SGD(0.01, momentum=0.9), loss="sparse_categorical_crossentropy", metrics=["accuracy"], run_eagerly=True)
model.fit(np.zeros((640, 64, 64, 3), "float32"), np.zeros((640,), "int32"), batch_size=64, epochs=1)
