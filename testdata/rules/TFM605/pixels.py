# The image itself is flattened: an average over its places leaves only its colour.
from tensorflow import keras
from tensorflow.keras.layers import Dense, Dropout, Flatten, Input, MaxPooling2D, Rescaling

model = keras.Sequential([
    Flatten(input_shape=(224, 224, 3)),
    Dense(1024, activation="relu"),  # want "This layer has 154141696 of the model's 154151946 parameters\. It has one per unit for each of the 150528 numbers that Flatten produces from \(224, 224, 3\): 588 MiB, and 2\.30 GiB with gradients and Adam during training\. Convolutions and pooling before it, or a smaller image, would leave fewer numbers\.$"
    Dense(10),
])
model.compile("adam", "mse")

scaled = keras.Sequential([
    Input((128, 128, 3)),
    Rescaling(1 / 255),
    MaxPooling2D(),
    Dropout(0.1),
    Flatten(),
    Dense(128),  # want "Convolutions and pooling before it, or a smaller image, would leave fewer numbers\."
])
scaled.compile("adam", "mse")
