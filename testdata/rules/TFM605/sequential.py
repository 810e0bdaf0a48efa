from tensorflow import keras
from tensorflow.keras.layers import Conv2D, Dense, Dropout, Flatten, Input, MaxPooling2D

model = keras.Sequential([
    Input((128, 128, 3)),
    Conv2D(32, 3, activation="relu", padding="same"),
    MaxPooling2D(),
    Flatten(),
    Dropout(0.5),
    Dense(512, activation="relu"),  # want "information: This layer has 67109376 of the model's 67115402 parameters\. It has one per unit for each of the 131072 numbers that Flatten produces from \(64, 64, 32\): 256 MiB, and 1\.00 GiB with gradients and Adam during training\. After global pooling it would have about 16384 \(64\.0 KiB\)\.$"
    Dense(10),
])
model.compile("adam", "mse")
