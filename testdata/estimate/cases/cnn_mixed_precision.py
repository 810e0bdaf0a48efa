"""CNN trained with mixed_float16; the softmax stays in float32."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers, mixed_precision

mixed_precision.set_global_policy("mixed_float16")

BATCH_SIZE = 32
SHAPE = (64, 64, 3)

model = keras.Sequential([
    layers.Input(SHAPE),
    layers.Conv2D(32, 3, padding="same", activation="relu"),
    layers.BatchNormalization(),
    layers.Conv2D(64, 3, padding="same", strides=2, activation="relu"),
    layers.BatchNormalization(),
    layers.MaxPooling2D(),
    layers.Conv2D(128, 3, padding="same", activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(1024, activation="relu"),
    layers.Dropout(0.4),
    layers.Dense(100),
    layers.Activation("softmax", dtype="float32"),
])

model.compile(optimizer=keras.optimizers.Adam(1e-3),
              loss="sparse_categorical_crossentropy")
model.fit(np.zeros((64,) + SHAPE, "float32"), np.zeros(64, "int32"), batch_size=BATCH_SIZE)
