"""U-Net for binary segmentation."""
import numpy as np
from tensorflow.keras import layers, models

IMG = 128
BASE = 32


def double_conv(x, n):
    x = layers.Conv2D(n, 3, padding="same", activation="relu", kernel_initializer="he_normal")(x)
    return layers.Conv2D(n, 3, padding="same", activation="relu", kernel_initializer="he_normal")(x)


def unet(size=IMG, base=BASE, levels=3):
    inp = layers.Input((size, size, 3))
    skips = []
    x = inp
    for level in range(levels):
        x = double_conv(x, base * 2 ** level)
        skips.append(x)
        x = layers.MaxPooling2D(2)(x)
        if level == levels - 1:
            x = layers.Dropout(0.3)(x)
    x = double_conv(x, base * 2 ** levels)
    for level in reversed(range(levels)):
        x = layers.Conv2DTranspose(base * 2 ** level, 2, strides=2, padding="same")(x)
        x = layers.concatenate([x, skips[level]])
        x = double_conv(x, base * 2 ** level)
    out = layers.Conv2D(1, 1, activation="sigmoid")(x)
    return models.Model(inp, out)


net = unet()
net.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
net.fit(
    np.zeros((8, IMG, IMG, 3), dtype="float32"),
    np.zeros((8, IMG, IMG, 1), dtype="float32"),
    batch_size=4,
    epochs=40,
)
