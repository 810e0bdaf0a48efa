import keras
import numpy as np
from keras import layers

# A light network of depthwise and separable convolutions.

size = 128
n_classes = 2

inputs = keras.Input(shape=(size, size, 3))
x = layers.Conv2D(32, 3, strides=2, padding="same")(inputs)
x = layers.BatchNormalization()(x)
x = layers.Activation("relu")(x)

x = layers.DepthwiseConv2D(3, padding="same", depth_multiplier=2)(x)
x = layers.Conv2D(64, 1, activation="relu")(x)

for filters in [96, 160]:
    x = layers.SeparableConv2D(filters, 3, padding="same")(x)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("swish")(x)
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)

x = layers.GlobalAveragePooling2D()(x)
outputs = layers.Dense(1, activation="sigmoid")(x)

model = keras.Model(inputs=inputs, outputs=outputs)
model.compile(
    optimizer=keras.optimizers.AdamW(3e-4, weight_decay=0.01),
    loss="binary_crossentropy",
    metrics=["accuracy"],
)
model.fit(
    np.zeros((16, size, size, 3), dtype="float32"),
    np.zeros((16, 1), dtype="float32"),
    batch_size=8,
    epochs=2,
)
