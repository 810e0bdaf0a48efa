"""After keras.io's "Image classification from scratch": a small Xception with residuals."""
# device: 915 MiB
# keras: 3.15
import keras
import numpy as np
from keras import layers
import tensorflow as tf

image_size = (96, 96)
x_train = np.zeros((64,) + image_size + (3,), "float32")
y_train = np.zeros((64, 1), "float32")


def make_model(input_shape):
    inputs = keras.Input(shape=input_shape)
    x = layers.Rescaling(1.0 / 255)(inputs)
    x = layers.Conv2D(16, 3, strides=2, padding="same")(x)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("relu")(x)
    shortcut = x
    for size in [32, 64]:
        for _ in range(2):
            x = layers.Activation("relu")(x)
            x = layers.SeparableConv2D(size, 3, padding="same")(x)
            x = layers.BatchNormalization()(x)
        x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
        shortcut = layers.Conv2D(size, 1, strides=2, padding="same")(shortcut)
        x = shortcut = layers.add([x, shortcut])
    x = layers.SeparableConv2D(96, 3, padding="same")(x)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("relu")(x)
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dropout(0.25)(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


model = make_model(image_size + (3,))
model.compile(optimizer=keras.optimizers.Adam(3e-4), loss="binary_crossentropy", metrics=["accuracy"], jit_compile=False)
with tf.device("/CPU:0"):
    train_data = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(len(x_train)).batch(32)
model.fit(train_data, epochs=25)
