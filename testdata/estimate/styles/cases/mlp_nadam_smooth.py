import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

m = tf.keras.Sequential(
    [
        layers.Input((300,)),
        layers.Dense(1024, activation="gelu"),
        layers.Dense(1024, activation="mish"),
        layers.Dense(50, activation="softmax"),
    ]
)
m.compile(
    tf.keras.optimizers.Nadam(),
    tf.keras.losses.CategoricalCrossentropy(label_smoothing=0.1),
    metrics=["accuracy"],
    jit_compile=False,
)
m.fit(
    np.random.rand(2048, 300),
    np.eye(50)[np.random.randint(0, 50, 2048)],
    batch_size=512,
    class_weight={i: 1.0 + i for i in range(50)},
)
