# keras: 3.5
"""The dropout makes a seed on the GPU before the model around it is made."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

model = tf.keras.Sequential([  # want "Memory growth is not set: TensorFlow takes nearly all memory of every GPU. It does so at its first operation, on line 9"
    layers.Dense(64),
    layers.Dropout(0.5),
    layers.Dense(1),
])
model.compile("sgd", "mse")
model.fit(np.zeros((8, 4)), np.zeros((8, 1)))
