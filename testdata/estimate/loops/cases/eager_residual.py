"""A small residual network; each block is made by a function."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers, regularizers

DEPTH = 3
BATCH_SIZE = 64
WEIGHT_DECAY = 1e-4


def residual_block(x, filters, downsample=False):
    stride = 2 if downsample else 1
    shortcut = x
    y = layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False,
                      kernel_regularizer=regularizers.l2(WEIGHT_DECAY))(x)
    y = layers.BatchNormalization()(y)
    y = layers.ReLU()(y)
    y = layers.Conv2D(filters, 3, padding="same", use_bias=False,
                      kernel_regularizer=regularizers.l2(WEIGHT_DECAY))(y)
    y = layers.BatchNormalization()(y)
    if downsample:
        shortcut = layers.Conv2D(filters, 1, strides=2, use_bias=False)(shortcut)
        shortcut = layers.BatchNormalization()(shortcut)
    y = layers.Add()([y, shortcut])
    return layers.ReLU()(y)


inputs = keras.Input((32, 32, 3))
x = layers.Conv2D(16, 3, padding="same", activation="relu")(inputs)
for stage, filters in enumerate((16, 32, 64)):
    for block in range(DEPTH):
        x = residual_block(x, filters, downsample=stage > 0 and block == 0)
x = layers.GlobalAveragePooling2D()(x)
model = keras.Model(inputs, layers.Dense(10)(x))

model.compile(
    run_eagerly=True,
    optimizer=keras.optimizers.SGD(0.1, momentum=0.9),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(np.zeros((128, 32, 32, 3), "float32"), np.zeros((128,), "int32"),
          batch_size=BATCH_SIZE, epochs=182)
