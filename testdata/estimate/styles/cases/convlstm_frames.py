import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

FRAMES, SIZE = 8, 32
inp = layers.Input(shape=(FRAMES, SIZE, SIZE, 1))
x = layers.ConvLSTM2D(filters=24, kernel_size=(5, 5), padding="same", return_sequences=True, activation="relu")(inp)
x = layers.BatchNormalization()(x)
x = layers.ConvLSTM2D(filters=24, kernel_size=(3, 3), padding="same", return_sequences=True, activation="relu")(x)
x = layers.BatchNormalization()(x)
x = layers.ConvLSTM2D(filters=16, kernel_size=(1, 1), padding="same", return_sequences=True, activation="relu")(x)
x = layers.Conv3D(filters=1, kernel_size=(3, 3, 3), activation="sigmoid", padding="same")(x)
model = keras.models.Model(inp, x)
model.compile(loss=keras.losses.binary_crossentropy, optimizer=keras.optimizers.Adam())
data = np.random.rand(16, FRAMES + 1, SIZE, SIZE, 1).astype("float32")
model.fit(data[:, :-1], data[:, 1:], batch_size=4, epochs=1)
