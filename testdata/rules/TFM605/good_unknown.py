from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([
    layers.Input((size, size, 3)),
    layers.Flatten(),
    layers.Dense(4096, activation="relu"),
])
other = keras.Sequential([layers.Input((224, 224, 3)), layers.Flatten(), layers.Dense(
