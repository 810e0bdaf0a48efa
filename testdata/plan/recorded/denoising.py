"""After keras.io's "Convolutional autoencoder for image denoising", validated in large batches."""
# device: 895 MiB
# keras: 3.15
import keras
import numpy as np
from keras import layers

train_data = np.zeros((512, 56, 56, 1), "float32")
noisy_test_data = np.zeros((512, 56, 56, 1), "float32")
test_data = np.zeros((512, 56, 56, 1), "float32")

inputs = layers.Input(shape=(56, 56, 1))
x = layers.Conv2D(16, (3, 3), activation="relu", padding="same")(inputs)
x = layers.MaxPooling2D((2, 2), padding="same")(x)
x = layers.Conv2D(16, (3, 3), activation="relu", padding="same")(x)
x = layers.MaxPooling2D((2, 2), padding="same")(x)
x = layers.Conv2DTranspose(16, (3, 3), strides=2, activation="relu", padding="same")(x)
x = layers.Conv2DTranspose(16, (3, 3), strides=2, activation="relu", padding="same")(x)
x = layers.Conv2D(1, (3, 3), activation="sigmoid", padding="same")(x)
autoencoder = keras.Model(inputs, x)
autoencoder.compile(optimizer="adam", loss="binary_crossentropy", jit_compile=False)
autoencoder.fit(
    x=train_data,
    y=train_data,
    epochs=50,
    batch_size=32,
    shuffle=True,
    validation_data=(noisy_test_data, test_data),
    validation_batch_size=256,
)
