from tensorflow import keras
from tensorflow.keras import layers

# Flatten of what is flat already, and a Dense layer that is large by itself.
model = keras.Sequential([
    layers.Input((224, 224, 3)),
    layers.Conv2D(64, 3, activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Flatten(),
    layers.Dense(100_000, activation="relu"),
])
