# The image itself is flattened: an average over its places leaves only its colour.
from tensorflow import keras
from tensorflow.keras.layers import Dense, Dropout, Flatten, Input, MaxPooling2D, Rescaling

model = keras.Sequential([
    Flatten(input_shape=(224, 224, 3)),
    Dense(1024, activation="relu"),  # want "This layer has 154141696 of the model's 154151946 parameters\. It has one for each of its units and each of the 150528 numbers that Flatten makes of \(224, 224, 3\): 588 MiB, and 2\.30 GiB with gradients and Adam during training\. Convolutions with pooling in front of it, or a smaller image, leave fewer numbers\.$"
    Dense(10),
])
model.compile("adam", "mse")

scaled = keras.Sequential([
    Input((128, 128, 3)),
    Rescaling(1 / 255),
    MaxPooling2D(),
    Dropout(0.1),
    Flatten(),
    Dense(128),  # want "Convolutions with pooling in front of it, or a smaller image, leave fewer numbers\."
])
scaled.compile("adam", "mse")
