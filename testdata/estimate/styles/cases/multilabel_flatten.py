import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

m = tf.keras.Sequential(
    [
        layers.Input((64, 64, 3)),
        layers.Conv2D(32, 3, activation="relu"),
        layers.BatchNormalization(),
        layers.MaxPooling2D(),
        layers.Dropout(0.3),
        layers.Conv2D(64, 3, activation="relu"),
        layers.BatchNormalization(),
        layers.MaxPooling2D(),
        layers.Dropout(0.3),
        layers.Flatten(),
        layers.Dense(512),
        layers.LeakyReLU(),
        layers.Dropout(0.5),
        layers.Dense(400, activation="sigmoid"),
    ]
)
m.compile(
    tf.keras.optimizers.RMSprop(1e-3, momentum=0.9),
    "binary_crossentropy",
    metrics=["binary_accuracy"],
    jit_compile=False,
)
m.fit(
    np.random.rand(128, 64, 64, 3).astype("float32"),
    np.random.randint(0, 2, (128, 400)).astype("float32"),
    batch_size=32,
)
