# Human activity recognition from accelerometer windows.
import numpy as np
from tensorflow import keras

WINDOW = 256
CHANNELS = 9
CLASSES = 6
BATCH = 64

model = keras.models.Sequential([
    keras.layers.Conv1D(64, 7, padding="causal", activation="relu", input_shape=(WINDOW, CHANNELS)),
    keras.layers.AveragePooling1D(2),
    keras.layers.Conv1D(128, 5, padding="same", dilation_rate=2, activation="relu"),
    keras.layers.LayerNormalization(),
    keras.layers.AveragePooling1D(4),
    keras.layers.Conv1D(128, 3, activation="relu"),
    keras.layers.GlobalAveragePooling1D(),
    keras.layers.Dense(64, activation="relu"),
    keras.layers.Dropout(0.5),
    keras.layers.Dense(CLASSES, activation="softmax"),
])
model.compile(loss="categorical_crossentropy", optimizer=keras.optimizers.Adam(), metrics=["accuracy"])

windows = np.zeros((BATCH * 3, WINDOW, CHANNELS), dtype="float32")
activity = np.zeros((BATCH * 3, CLASSES), dtype="float32")
model.fit(windows, activity, epochs=25, batch_size=BATCH, shuffle=True)
